//! Fees: what becomes of one.
//!
//! Promise: a payment, a waiver and a refund are told apart by a word, never by a sign, so that each is a right of its own.
//! What a fee amounts to is the schedule's matter.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an operation of the kind `fee` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeeType {
    /// It is paid.
    Payment,
    /// It is not asked for.
    Waiver,
    /// It is given back.
    Refund,
}

impl FeeType {
    /// Every type.
    pub const ALL: [Self; 3] = [Self::Payment, Self::Waiver, Self::Refund];

    /// The stored and sent word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Payment => "payment",
            Self::Waiver => "waiver",
            Self::Refund => "refund",
        }
    }

    /// The type that a fee's payload names.
    #[must_use]
    pub fn of(payload: &Value) -> Option<Self> {
        let word = payload.get("type")?.as_str()?;
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_type_is_stored_as_its_word() {
        for kind in FeeType::ALL {
            assert_eq!(json!(kind), json!(kind.word()));
            assert_eq!(FeeType::of(&json!({"type": kind})), Some(kind));
        }
        assert_eq!(FeeType::of(&json!({"type": "-payment"})), None);
    }
}
