//! The endpoints beside the primary, and what each of them is for.
//!
//! Promise: what an endpoint is for is decided when the station is set up and said by one word; what it can never be is
//! refused there. Whether one answers, and what it is asked, is decided elsewhere.

use serde::{Deserialize, Serialize};

use crate::ids::EndpointName;
use crate::profile::Profile;

/// What an endpoint beside the primary is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// A mirror whose receipt commits.
    Authoritative,
    /// A mirror that holds copies, so that a stolen workstation loses nothing.
    Custody,
    /// Where stations tell how they are.
    Board,
    /// Where parcels come from.
    Gis,
}

/// What a mirror is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MirrorPart {
    /// Its receipt commits.
    Authoritative,
    /// It holds copies.
    Custody,
}

/// Why an endpoint cannot have a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PartFault {
    /// Without keys nobody could tell whether an operation that is in doubt here is recorded there.
    #[error("a system without keys has no authoritative mirror")]
    MirrorWithoutKeys,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Authoritative, Self::Custody, Self::Board, Self::Gis];

    /// The endpoint that plays it.
    #[must_use]
    pub fn endpoint(self) -> EndpointName {
        match self {
            Self::Authoritative | Self::Custody => EndpointName::mirror(),
            Self::Board => EndpointName::board(),
            Self::Gis => EndpointName::gis(),
        }
    }

    /// Whether stations are enrolled there, since they write under their own name.
    #[must_use]
    pub fn enrols(self) -> bool {
        match self {
            Self::Authoritative | Self::Custody | Self::Board => true,
            Self::Gis => false,
        }
    }

    /// The word that is stored.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Authoritative => "authoritative",
            Self::Custody => "custody",
            Self::Board => "board",
            Self::Gis => "gis",
        }
    }

    /// The part that a word names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.word() == word)
    }

    /// Whether it can be played beside a primary of this profile.
    ///
    /// # Errors
    /// [`PartFault`]
    pub fn beside(self, primary: Profile) -> Result<Self, PartFault> {
        match self {
            Self::Authoritative if !primary.has_keys() => Err(PartFault::MirrorWithoutKeys),
            Self::Authoritative | Self::Custody | Self::Board | Self::Gis => Ok(self),
        }
    }
}

impl From<MirrorPart> for Part {
    fn from(part: MirrorPart) -> Self {
        match part {
            MirrorPart::Authoritative => Self::Authoritative,
            MirrorPart::Custody => Self::Custody,
        }
    }
}

impl MirrorPart {
    /// The part that a word names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "authoritative" => Some(Self::Authoritative),
            "custody" => Some(Self::Custody),
            _ => None,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_found_by_its_word_and_two_parts_share_the_mirror() {
        for part in Part::ALL {
            assert_eq!(Part::from_word(part.word()), Some(part));
        }
        assert_eq!(Part::Authoritative.endpoint(), Part::Custody.endpoint());
        assert_eq!(Part::from_word("primary"), None);
    }

    #[test]
    fn a_system_without_keys_has_no_authoritative_mirror() {
        assert_eq!(Part::Authoritative.beside(Profile::LookBeforeWrite), Err(PartFault::MirrorWithoutKeys));
        for part in [Part::Custody, Part::Board, Part::Gis] {
            assert_eq!(part.beside(Profile::LookBeforeWrite), Ok(part));
        }
        for part in Part::ALL {
            assert_eq!(part.beside(Profile::Idempotent), Ok(part));
        }
    }
}
