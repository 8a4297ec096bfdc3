//! Whether an operation that is not known to be recorded may be there all the same.
//!
//! Doubt forbids replacing an operation and sending it to another endpoint. It grows with every send whose end is not
//! known, and ends only with proof.

use serde::{Deserialize, Serialize};

use super::table::{BusyWith, Outcome};
use crate::profile::Profile;

/// What is not known about an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// It is not at the SoR.
    None,
    /// It was sent, and may be there.
    Sent,
    /// It is there, not yet applied.
    Received,
}

/// The doubt after a send. What says nothing about earlier sends leaves the doubt that they left.
///
/// With keys the SoR answers a key that it knows before it judges anything about its contents; so its refusal of the
/// contents proves that no earlier send was applied. What may be said before the key is looked at (no token, no right,
/// too large) or about the key itself proves no such thing.
#[must_use]
pub fn doubt_after(before: Doubt, outcome: &Outcome, profile: Profile) -> Doubt {
    match outcome {
        Outcome::Committed { .. } | Outcome::AlreadyCommitted { .. } => Doubt::None,
        Outcome::Received => Doubt::Received,
        Outcome::Impostor
        | Outcome::Unknown(_)
        | Outcome::Misdirected
        | Outcome::Busy { with: BusyWith::ThisOperation, .. } => before.or_sent(),
        Outcome::Conflict { .. } | Outcome::ParentMissing | Outcome::Rejected { .. } => {
            if profile.has_keys() { Doubt::None } else { before }
        }
        Outcome::Busy { with: BusyWith::TheRecord, .. }
        | Outcome::TooLarge
        | Outcome::OurDefect { .. }
        | Outcome::StationUnauthorized
        | Outcome::Forbidden { .. }
        | Outcome::Throttled { .. }
        | Outcome::Unavailable { .. }
        | Outcome::Unreachable(_)
        | Outcome::NotAsked => before,
    }
}

impl Doubt {
    /// The stored word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Sent => "sent",
            Self::Received => "received",
        }
    }

    /// The doubt that a word names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::None, Self::Sent, Self::Received].into_iter().find(|doubt| doubt.word() == word)
    }

    /// Whether it may be at the SoR.
    #[must_use]
    pub fn is_any(self) -> bool {
        self != Self::None
    }

    /// The doubt of an operation that a send has left in the dark: at least `Sent`. This is also how a start meets one
    /// that it finds in flight.
    #[must_use]
    pub fn or_sent(self) -> Self {
        match self {
            Self::None | Self::Sent => Self::Sent,
            Self::Received => Self::Received,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_doubt_is_stored_as_one_word() {
        for doubt in [Doubt::None, Doubt::Sent, Doubt::Received] {
            assert_eq!(Doubt::from_word(doubt.word()), Some(doubt));
            assert_eq!(serde_json::to_string(&doubt).unwrap(), format!("\"{}\"", doubt.word()));
        }
    }

    #[test]
    fn one_that_is_found_in_flight_is_at_least_in_doubt() {
        assert_eq!(Doubt::None.or_sent(), Doubt::Sent);
        assert_eq!(Doubt::Received.or_sent(), Doubt::Received);
    }
}
