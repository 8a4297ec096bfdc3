//! Custody: what the mirror is asked to hold a copy of, so that a stolen workstation loses nothing.
//!
//! Promise: while operations cannot be brought to the primary, or have not been for too long, each of them is copied to the
//! mirror; a copy is no commit and changes nothing of the operation. An operation that waits by itself too long, before a
//! person for instance, is copied whatever the others do. In which order, and when a copy goes again, is decided elsewhere.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::breaker::Admission;
use crate::route::NotReplayable;
use crate::time::UtcMillis;

/// Version of these rules; it stands beside every decision.
pub const CUSTODY_VERSION: u32 = 1;
/// Member of an event's data that holds the decision.
pub const CUSTODY_DECISION: &str = "custody";

/// Everything that the decision depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustodyInputs {
    /// What the primary's breaker says.
    pub primary: Admission,
    /// When the oldest was accepted that is to be brought to it.
    pub oldest_accepted_at: Option<UtcMillis>,
    /// When this is decided.
    pub at: UtcMillis,
    /// From which age on, in seconds.
    pub after_s: u32,
}

/// Which of the operations that are not disposed of are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "copied", rename_all = "snake_case")]
pub enum Copied {
    /// All.
    All,
    /// Those that were accepted by then.
    AcceptedBy {
        /// When.
        until: UtcMillis,
    },
}

/// A decision with what it was decided from, as it goes into the audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustodyDecision {
    /// [`CUSTODY_VERSION`] at that time.
    pub custody_version: u32,
    /// What it was decided from.
    pub inputs: CustodyInputs,
    /// What was decided.
    #[serde(flatten)]
    pub copied: Copied,
}

/// Decides.
#[must_use]
pub fn copied(inputs: &CustodyInputs) -> Copied {
    let until = inputs.at.plus_millis(-1_000 * i64::from(inputs.after_s));
    let is_cut_off = match inputs.primary {
        Admission::Closed => false,
        Admission::Canary | Admission::Open { .. } | Admission::CanaryOut { .. } | Admission::Held { .. } => {
            true
        }
    };
    let is_late = inputs.oldest_accepted_at.is_some_and(|oldest| oldest <= until);
    if is_cut_off || is_late { Copied::All } else { Copied::AcceptedBy { until } }
}

/// A recorded decision and the one that its inputs lead to.
///
/// # Errors
/// [`NotReplayable`], when the record is not one, or from rules that are not known here.
pub fn replay(recorded: &Value) -> Result<(Copied, Copied), NotReplayable> {
    let decision = CustodyDecision::deserialize(recorded).map_err(NotReplayable::NotADecision)?;
    match decision.custody_version {
        CUSTODY_VERSION => Ok((decision.copied, copied(&decision.inputs))),
        other => Err(NotReplayable::UnknownVersion(other)),
    }
}

impl CustodyDecision {
    /// Decides, and keeps what it was decided from.
    #[must_use]
    pub fn of(inputs: CustodyInputs) -> Self {
        Self { custody_version: CUSTODY_VERSION, inputs, copied: copied(&inputs) }
    }
}

impl Copied {
    /// Whether an operation is one of them.
    #[must_use]
    pub fn covers(self, accepted_at: UtcMillis) -> bool {
        match self {
            Self::All => true,
            Self::AcceptedBy { until } => accepted_at <= until,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn at(second: u32) -> UtcMillis {
        format!("2026-11-30T08:00:{second:02}.000Z").parse().unwrap()
    }

    fn inputs(primary: Admission, oldest: Option<u32>) -> CustodyInputs {
        CustodyInputs { primary, oldest_accepted_at: oldest.map(at), at: at(40), after_s: 30 }
    }

    #[test]
    fn copies_are_made_while_the_primary_is_cut_off_and_when_the_oldest_is_late() {
        let by_itself = Copied::AcceptedBy { until: at(10) };
        for (primary, oldest, wanted) in [
            (Admission::Closed, None, by_itself),
            (Admission::Closed, Some(40), by_itself),
            (Admission::Closed, Some(11), by_itself),
            (Admission::Closed, Some(10), Copied::All),
            (Admission::Canary, Some(40), Copied::All),
            (Admission::Open { next_try_at: at(50) }, Some(40), Copied::All),
            (Admission::CanaryOut { deadline: at(50) }, None, Copied::All),
            (Admission::Held { until: at(50) }, Some(40), Copied::All),
        ] {
            assert_eq!(copied(&inputs(primary, oldest)), wanted, "{primary:?} {oldest:?}");
        }
        assert!(by_itself.covers(at(10)) && !by_itself.covers(at(11)) && Copied::All.covers(at(59)));
    }

    #[test]
    fn a_decision_is_recomputed_from_what_its_record_holds() {
        for inputs in [inputs(Admission::Closed, Some(3)), inputs(Admission::Held { until: at(50) }, None)] {
            let decision = CustodyDecision::of(inputs);
            let recorded = serde_json::to_value(decision).unwrap();
            assert_eq!(replay(&recorded).unwrap(), (decision.copied, decision.copied));
            let mut changed = recorded.clone();
            changed["inputs"]["after_s"] = 3_600.into();
            changed["inputs"]["primary"] = serde_json::json!({"admission": "closed"});
            let (written, recomputed) = replay(&changed).unwrap();
            assert_ne!(written, recomputed);
            changed["custody_version"] = 2.into();
            assert!(matches!(replay(&changed), Err(NotReplayable::UnknownVersion(2))));
        }
        assert!(matches!(replay(&Value::Null), Err(NotReplayable::NotADecision(_))));
    }
}
