//! Taking the data folder for a window, from whoever holds it.
//!
//! Promise: a command that only sends is asked to step aside, since the window sends on by itself, and one that is done soon
//! is waited for; another window is left alone, and whose it is can be told. Nothing is waited for without an end.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use holdfast_station::ports::Clock as _;
use holdfast_store::{LocalKey, OpenError, Store, local_key};
use holdfast_wire::{LocalAnswer, LocalRequest};

use crate::SystemClock;
use crate::held_key::HeldKey;
use crate::local_socket::{CallFault, Caller};

/// Longest that a holder which does not step aside is waited for, in milliseconds: most commands are done by then.
const SHORT_MS: u64 = 3_000;
/// Longest that one which does takes beside its attempt, in milliseconds: others that asked it have to be answered, and its
/// store closed.
const END_MS: u64 = 12_000;
/// Between two tries, in milliseconds.
const TRY_EVERY_MS: u64 = 100;

/// Why a folder is not this window's.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    /// Another program of the same user works there, or one that says nothing.
    #[error("another program works in the folder")]
    Own,
    /// Another user's program works there, most likely a window behind a locked screen.
    #[error("a program of another user of this computer works in the folder")]
    OtherUser,
    /// It does not open.
    #[error(transparent)]
    NotOpen(#[from] OpenError),
}

/// What a holder says when it is asked for its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// It ends.
    Ends,
    /// It stays.
    Stays {
        /// Whether it is of the same user.
        own: bool,
    },
    /// Nothing, or nobody was there to say it.
    Nothing,
}

/// Opens a folder for writing, as soon as whoever holds it has gone. `attempt_ms` is how long a step of sending may take.
///
/// # Errors
/// [`NotTaken`]
pub(super) fn take(folder: &Path, key: &HeldKey, attempt_ms: u64) -> Result<Store, NotTaken> {
    if let Some(store) = open(folder, key)? {
        return Ok(store);
    }
    let proof = local_key(folder, key.unlock())?;
    let began = Instant::now();
    let mut said = Said::Nothing;
    loop {
        // One that ends is not asked again, and one that stays may be followed by another.
        if said != Said::Ends {
            said = ask(folder, &proof);
        }
        sleep(Duration::from_millis(TRY_EVERY_MS));
        if let Some(store) = open(folder, key)? {
            return Ok(store);
        }
        if began.elapsed() > patience(said, attempt_ms) {
            return Err(not_taken(said));
        }
    }
}

/// The lock is taken before anything else, so a try that fails costs nothing.
fn open(folder: &Path, key: &HeldKey) -> Result<Option<Store>, OpenError> {
    match Store::open(folder, key.unlock(), SystemClock.now()) {
        Err(OpenError::InUse { .. }) => Ok(None),
        opened => opened.map(Some),
    }
}

fn ask(folder: &Path, proof: &LocalKey) -> Said {
    let mut caller = match Caller::reach(folder, proof) {
        Ok(caller) => caller,
        Err(CallFault::KeptOut) => return Said::Stays { own: false },
        Err(
            CallFault::Nobody
            | CallFault::Busy
            | CallFault::Silent
            | CallFault::Stranger
            | CallFault::Unknown,
        ) => return Said::Nothing,
    };
    let own = caller.is_at_own();
    match caller.ask(&LocalRequest::StepAside, None, &mut |_| {}) {
        Ok(LocalAnswer::Done | LocalAnswer::Leaving(_)) => Said::Ends,
        Ok(_) => Said::Stays { own },
        Err(_) => Said::Nothing,
    }
}

fn patience(said: Said, attempt_ms: u64) -> Duration {
    Duration::from_millis(match said {
        Said::Ends => attempt_ms.saturating_add(END_MS),
        Said::Stays { .. } | Said::Nothing => SHORT_MS,
    })
}

fn not_taken(said: Said) -> NotTaken {
    match said {
        Said::Stays { own: false } => NotTaken::OtherUser,
        Said::Stays { own: true } | Said::Ends | Said::Nothing => NotTaken::Own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_ends_is_waited_for_as_long_as_an_attempt_takes_and_one_that_stays_is_named() {
        let cases = [
            (Said::Ends, 17_000, "another program works in the folder"),
            (Said::Stays { own: true }, 3_000, "another program works in the folder"),
            (Said::Nothing, 3_000, "another program works in the folder"),
            (
                Said::Stays { own: false },
                3_000,
                "a program of another user of this computer works in the folder",
            ),
        ];
        for (said, waited_ms, told) in cases {
            assert_eq!(patience(said, 5_000), Duration::from_millis(waited_ms), "{said:?}");
            assert_eq!(not_taken(said).to_string(), told, "{said:?}");
        }
    }
}
