//! What a composed station needs of this machine: clocks, randomness, folders, a log, and a data folder that is set up.
//!
//! Promise: the window and the command line put the station together here, so that the two cannot differ. What goes wrong
//! comes back typed; how it is said, and to whom, is theirs. Nothing of the permit trade is known or decided here.

mod clocks;
mod composing;
mod configuration;
pub mod folder;
mod held_key;
pub mod keyring;
pub mod leaving;
pub mod local_socket;
pub mod log;
pub mod secret_file;
mod setting_up;
mod starting;

pub use clocks::{SystemClock, SystemEntropy};
pub use composing::{ComposeFault, Ways, endpoint, station, ways};
pub use configuration::{Configuration, ConfigurationFault, Followed, configuration};
pub use held_key::{HeldKey, KeyFault};
pub use setting_up::{SetUp, SetUpFault, set_up};
pub use starting::{NotStarted, NotTaken, StartAsk, StartFault, Started, problem_of, start};
