//! Whether the program ends when its window is closed.
//!
//! Promise: closing is never refused twice. With nothing waiting the program ends at once. While work waits the person is
//! asked once; who means it gets rid of the window, and the program goes on sending until nothing waits or the session is
//! over. Whoever starts the program again meanwhile gets the window back. A page that is dead cannot keep its window open:
//! a second request soon after the first one counts as the answer.

use holdfast_core::time::BootMillis;

/// A second request within this time of the first one is meant, in milliseconds.
const MEANT_WITHIN_MS: u64 = 20_000;

/// Where closing stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaving {
    /// Nobody wants to close.
    #[default]
    Stays,
    /// Somebody wanted to, and was asked.
    Asked {
        /// When.
        at: BootMillis,
    },
    /// The window is gone; the program sends on.
    Away,
}

/// What is to be done about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// End the program.
    End,
    /// Ask the person.
    Ask,
    /// Take the window away and send on.
    Hide,
}

impl Leaving {
    /// Somebody closes the window while `waiting` operations are not recorded.
    #[must_use]
    pub fn wanted(self, waiting: u64, now: BootMillis) -> (Self, Act) {
        match self {
            Leaving::Asked { at } if now.0.saturating_sub(at.0) <= MEANT_WITHIN_MS => Self::meant(waiting),
            Leaving::Stays | Leaving::Asked { .. } if waiting > 0 => (Leaving::Asked { at: now }, Act::Ask),
            Leaving::Stays | Leaving::Asked { .. } | Leaving::Away => Self::meant(waiting),
        }
    }

    /// Somebody means it.
    #[must_use]
    pub fn meant(waiting: u64) -> (Self, Act) {
        if waiting > 0 { (Leaving::Away, Act::Hide) } else { (Leaving::Stays, Act::End) }
    }

    /// Whether a program whose window is gone has nothing more to do.
    #[must_use]
    pub fn is_done(self, waiting: u64, is_signed_in: bool) -> bool {
        self == Leaving::Away && (waiting == 0 || !is_signed_in)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: BootMillis = BootMillis(1_000_000);

    #[test]
    fn who_closes_is_asked_once_and_only_while_work_waits() {
        let asked = |ago_ms| Leaving::Asked { at: BootMillis(NOW.0 - ago_ms) };
        let cases = [
            (Leaving::Stays, 0, Leaving::Stays, Act::End),
            (Leaving::Stays, 3, asked(0), Act::Ask),
            (asked(1), 3, Leaving::Away, Act::Hide),
            (asked(MEANT_WITHIN_MS), 3, Leaving::Away, Act::Hide),
            (asked(MEANT_WITHIN_MS + 1), 3, asked(0), Act::Ask),
            (asked(1), 0, Leaving::Stays, Act::End),
            (asked(MEANT_WITHIN_MS + 1), 0, Leaving::Stays, Act::End),
            (Leaving::Away, 3, Leaving::Away, Act::Hide),
        ];
        for (before, waiting, after, act) in cases {
            assert_eq!(before.wanted(waiting, NOW), (after, act), "{before:?} with {waiting} waiting");
        }
    }

    #[test]
    fn a_program_without_a_window_ends_when_it_is_done_or_nobody_is_signed_in() {
        let cases = [
            (Leaving::Away, 2, true, false),
            (Leaving::Away, 0, true, true),
            (Leaving::Away, 2, false, true),
            (Leaving::Stays, 0, false, false),
            (Leaving::Asked { at: NOW }, 0, false, false),
        ];
        for (leaving, waiting, is_signed_in, done) in cases {
            assert_eq!(leaving.is_done(waiting, is_signed_in), done, "{leaving:?} {waiting} {is_signed_in}");
        }
    }
}
