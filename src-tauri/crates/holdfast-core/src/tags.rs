//! Building tags by the levels of ATC-20.
//!
//! Promise: of several tags of one building the strictest is the one that is shown, whatever the order in which they came;
//! none of them is ever taken for a mistake here.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The placard on a building, from the mildest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TagLevel {
    /// Green: no danger was found.
    Inspected,
    /// Yellow: some use is not allowed.
    Restricted,
    /// Red: nobody goes in.
    Unsafe,
}

impl TagLevel {
    /// Every level, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inspected, Self::Restricted, Self::Unsafe];

    /// The stored and sent word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Inspected => "inspected",
            Self::Restricted => "restricted",
            Self::Unsafe => "unsafe",
        }
    }

    /// The level that a word names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.word() == word)
    }

    /// The level that a tag's payload names.
    #[must_use]
    pub fn of(payload: &Value) -> Option<Self> {
        payload.get("level")?.as_str().and_then(Self::from_word)
    }
}

/// The one that is shown of several tags of one building.
pub fn shown(levels: impl IntoIterator<Item = TagLevel>) -> Option<TagLevel> {
    levels.into_iter().max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use TagLevel::{Inspected, Restricted, Unsafe};
    use serde_json::json;

    #[test]
    fn the_stricter_of_two_tags_is_shown_in_either_order() {
        let cases = [
            (vec![], None),
            (vec![Inspected], Some(Inspected)),
            (vec![Inspected, Restricted], Some(Restricted)),
            (vec![Unsafe, Inspected, Restricted], Some(Unsafe)),
        ];
        for (mut levels, expected) in cases {
            assert_eq!(shown(levels.clone()), expected);
            levels.reverse();
            assert_eq!(shown(levels), expected);
        }
    }

    #[test]
    fn a_level_is_stored_as_its_word() {
        for level in TagLevel::ALL {
            assert_eq!(TagLevel::of(&json!({"level": level})), Some(level));
        }
        assert_eq!(TagLevel::of(&json!({"level": "red"})), None);
    }
}
