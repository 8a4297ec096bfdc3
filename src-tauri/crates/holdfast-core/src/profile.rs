//! What an SoR is able to do, and so how an operation is proven to be recorded once.
//!
//! Promise: a decision that depends on an SoR's abilities asks one of these methods, never the profile's name. The
//! requests themselves are built elsewhere.

use serde::{Deserialize, Serialize};

/// The kind of an SoR. Set for an endpoint when the station is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Keeps keys with their answers, and takes writes that hold only for one ETag.
    Idempotent,
    /// Neither: a reference travels in a field of the record, and is looked for before anything is sent again.
    LookBeforeWrite,
}

impl Profile {
    /// Whether the same bytes under the same key may be sent again, since the SoR applies them once.
    #[must_use]
    pub fn has_keys(self) -> bool {
        match self {
            Self::Idempotent => true,
            Self::LookBeforeWrite => false,
        }
    }

    /// Whether a write can be bound to the version that it was made against (`If-Match`).
    #[must_use]
    pub fn has_conditional_writes(self) -> bool {
        match self {
            Self::Idempotent => true,
            Self::LookBeforeWrite => false,
        }
    }

    /// Whether absence is believed only `settle_s` after the last byte was sent, and a commit looked at once more.
    #[must_use]
    pub fn has_to_settle(self) -> bool {
        !self.has_keys()
    }

    /// The word in the configuration and on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Idempotent => "idempotent",
            Self::LookBeforeWrite => "look-before-write",
        }
    }

    /// The profile that a word names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Idempotent, Self::LookBeforeWrite].into_iter().find(|profile| profile.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_written_in_the_configuration_as_it_is_on_the_command_line() {
        for profile in [Profile::Idempotent, Profile::LookBeforeWrite] {
            assert_eq!(Profile::from_word(profile.word()), Some(profile));
            assert_eq!(serde_json::to_value(profile).ok(), Some(profile.word().into()));
        }
        assert_eq!(Profile::from_word("Idempotent"), None);
    }

    #[test]
    fn without_keys_nothing_is_bound_to_a_version_and_a_look_has_to_settle() {
        let can = |profile: Profile| {
            [profile.has_keys(), profile.has_conditional_writes(), profile.has_to_settle()]
        };
        assert_eq!(can(Profile::Idempotent), [true, true, false]);
        assert_eq!(can(Profile::LookBeforeWrite), [false, false, true]);
    }
}
