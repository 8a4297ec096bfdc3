//! Holds: what keeps an application from being finished, and what it keeps back.
//!
//! Promise: an open stop-work or hold lets nothing final be recorded; a notice on the record holds nothing back. Who places
//! and who releases one is the roles' matter, and where holds are kept is the record system's.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::lifecycle::Stage;
use crate::operation::Kind;

/// What an operation of the kind `hold` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HoldType {
    /// Work on the site stops.
    StopWork,
    /// Nothing final is recorded.
    Hold,
    /// Others are told.
    Notice,
    /// A hold that was placed is released.
    Release,
}

impl HoldType {
    /// Every type.
    pub const ALL: [Self; 4] = [Self::StopWork, Self::Hold, Self::Notice, Self::Release];

    /// The stored and sent word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::StopWork => "stop-work",
            Self::Hold => "hold",
            Self::Notice => "notice",
            Self::Release => "release",
        }
    }

    /// The type that a word names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The type that a hold's payload names.
    #[must_use]
    pub fn of(payload: &Value) -> Option<Self> {
        payload.get("type")?.as_str().and_then(Self::from_word)
    }

    /// Whether nothing final is recorded while it is open.
    #[must_use]
    pub fn keeps_back(self) -> bool {
        match self {
            Self::StopWork | Self::Hold => true,
            Self::Notice | Self::Release => false,
        }
    }
}

/// Whether an operation is one of those that an open hold keeps back: a final inspection that is passed, and the approval.
#[must_use]
pub fn is_final(kind: Kind, payload: &Value) -> bool {
    let says = |member: &str, word: &str| payload.get(member).and_then(Value::as_str) == Some(word);
    match kind {
        Kind::Inspection => says("Final", "Yes") && says("ResultMapped", "Passed"),
        Kind::Stage => says("to", Stage::ConditionalApproval.as_str()),
        Kind::Application
        | Kind::Correction
        | Kind::Void
        | Kind::Hold
        | Kind::Notice
        | Kind::Fee
        | Kind::Note
        | Kind::Tag
        | Kind::Attachment => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_word_names_one_type_and_only_stop_work_and_hold_keep_anything_back() {
        for kind in HoldType::ALL {
            assert_eq!(HoldType::from_word(kind.word()), Some(kind));
            assert_eq!(json!(kind), json!(kind.word()));
        }
        assert_eq!(HoldType::ALL.map(HoldType::keeps_back), [true, true, false, false]);
        assert_eq!(HoldType::of(&json!({"type": "Stop-Work"})), None);
        assert_eq!(HoldType::of(&json!({"type": 1})), None);
    }

    #[test]
    fn only_the_end_of_something_is_final() {
        let passed = json!({"Final": "Yes", "ResultMapped": "Passed"});
        let cases = [
            (Kind::Inspection, passed.clone(), true),
            (Kind::Inspection, json!({"Final": "Yes", "ResultMapped": "Rejected"}), false),
            (Kind::Inspection, json!({"Final": "No", "ResultMapped": "Passed"}), false),
            (Kind::Inspection, json!({"ResultMapped": "Passed"}), false),
            (Kind::Stage, json!({"to": "ConditionalApproval"}), true),
            (Kind::Stage, json!({"to": "FeeEstimated"}), false),
            (Kind::Note, passed, false),
        ];
        for (kind, payload, expected) in cases {
            assert_eq!(is_final(kind, &payload), expected, "{kind} {payload}");
        }
    }
}
