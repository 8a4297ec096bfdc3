//! What a composed station needs of this machine: clocks, randomness, folders, a log, and a data folder that is set up.
//!
//! Promise: the window and the command line put the station together here, so that the two cannot differ. What goes wrong
//! comes back typed; how it is said, and to whom, is theirs. Nothing of the permit trade is known or decided here.

mod clocks;
mod composing;
pub mod folder;
pub mod log;
mod setting_up;

pub use clocks::{SystemClock, SystemEntropy};
pub use composing::{ComposeFault, endpoint, record_system, station};
pub use setting_up::{SetUp, SetUpFault, set_up};
