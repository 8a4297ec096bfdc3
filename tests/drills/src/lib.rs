//! What the drills share: the real programs as child processes, an office around them, and the judge of what they did.
//!
//! Promise: nothing here simulates. `holdfastctl` and `reference-sor` run as people run them, on a real disk, over
//! loopback; the judge is the SoR's own ledger and what the test itself was given as receipts, never what the station
//! says of itself. Every wait has a limit, and every program that is started is ended, also when a test fails.
//!
//! The programs are not built from here: `cargo build -p holdfast-cli -p reference-sor` puts them where they are looked
//! for, beside the tests in the target folder. `HOLDFAST_LONG` raises the counts; `HOLDFAST_DRILL_FILE` names a file of permits
//! for the failover drill.

// A drill that cannot go on has failed, and says so at once.
#![allow(clippy::unwrap_used)]

mod chance;
mod desk;
mod exchange;
mod feed;
mod ledger;
mod member;
mod office;
mod program;
mod sample;
mod silent;
mod sor;
mod tap;
mod until;

pub use chance::Chance;
pub use desk::{Desk, Limits, PASSPHRASE, wrap_cheaply};
pub use feed::{Fed, Feed};
pub use ledger::{Effect, Ledger, Receipt};
pub use member::{Crew, Member};
pub use office::{Office, folder_for_others, folder_on_disk};
pub use program::{Ended, Running};
pub use sample::Sample;
pub use silent::Silent;
pub use sor::{Epoch, Sor};
pub use tap::Tap;
pub use until::{until, wait_max};

/// Whether the long form runs.
#[must_use]
pub fn long() -> bool {
    std::env::var_os("HOLDFAST_LONG").is_some_and(|value| !value.is_empty() && value != "0")
}

/// `short`, or in the long form `long`.
#[must_use]
pub fn count(short: usize, long_form: usize) -> usize {
    if long() { long_form } else { short }
}
