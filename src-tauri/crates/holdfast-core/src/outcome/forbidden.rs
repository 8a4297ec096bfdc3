//! One person without a right, or a station that has lost all of them?
//!
//! Promise: when three lanes in a row are forbidden, the drain pauses and none of them is quarantined; one that is
//! forbidden while others are not, is. So an operation is first set aside, and judged when more is known.

use serde::{Deserialize, Serialize};

use super::table::Outcome;
use crate::breaker::Verdict;
use crate::ids::{ApplicationId, OperationId};

/// Lanes in a row that make a forbidden operation a forbidden station.
pub const FORBIDDEN_LANES_MAX: usize = 3;

/// The forbidden operations since the last one that was not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForbiddenRun {
    set_aside: Vec<SetAside>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct SetAside {
    operation_id: OperationId,
    application_id: ApplicationId,
}

/// What is done after an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForbiddenStep {
    /// Nothing.
    Nothing,
    /// The operation that was forbidden stays pending and waits the longest back-off, so that other lanes come first.
    SetAside,
    /// These are quarantined as `forbidden`, as far as they still wait.
    Quarantine(Vec<OperationId>),
    /// The drain pauses; nothing is quarantined.
    Pause,
}

impl ForbiddenRun {
    /// Takes in the outcome of an operation's send.
    pub fn after(
        &mut self,
        operation_id: OperationId,
        lane: ApplicationId,
        outcome: &Outcome,
    ) -> ForbiddenStep {
        match outcome {
            Outcome::Forbidden { .. } => self.forbidden(SetAside { operation_id, application_id: lane }),
            // Says nothing about rights: the token itself was refused.
            Outcome::StationUnauthorized => ForbiddenStep::Nothing,
            Outcome::Committed { .. }
            | Outcome::Received
            | Outcome::Impostor
            | Outcome::Busy { .. }
            | Outcome::AlreadyCommitted { .. }
            | Outcome::Conflict { .. }
            | Outcome::ParentMissing
            | Outcome::TooLarge
            | Outcome::OurDefect { .. }
            | Outcome::Rejected { .. }
            | Outcome::Throttled { .. }
            | Outcome::Unavailable { .. }
            | Outcome::Unknown(_)
            | Outcome::Unreachable(_)
            | Outcome::Misdirected
            | Outcome::NotAsked => self.otherwise(operation_id, outcome.verdict()),
        }
    }

    fn forbidden(&mut self, this: SetAside) -> ForbiddenStep {
        if self.set_aside.contains(&this) {
            // Its wait is over and no other lane was heard of meanwhile: it stands alone.
            self.set_aside.retain(|other| *other != this);
            return ForbiddenStep::Quarantine(vec![this.operation_id]);
        }
        self.set_aside.push(this);
        if self.lanes() < FORBIDDEN_LANES_MAX {
            return ForbiddenStep::SetAside;
        }
        self.set_aside.clear();
        ForbiddenStep::Pause
    }

    /// An answer that is the SoR's own and not about rights ends the run; others say nothing about it.
    fn otherwise(&mut self, this: OperationId, verdict: Verdict) -> ForbiddenStep {
        match verdict {
            Verdict::Success | Verdict::Alive => {
                let run = std::mem::take(&mut self.set_aside);
                let alone: Vec<_> =
                    run.iter().map(|item| item.operation_id).filter(|id| *id != this).collect();
                if alone.is_empty() { ForbiddenStep::Nothing } else { ForbiddenStep::Quarantine(alone) }
            }
            Verdict::Neutral | Verdict::Failure | Verdict::None => ForbiddenStep::Nothing,
        }
    }

    fn lanes(&self) -> usize {
        let mut lanes: Vec<_> = self.set_aside.iter().map(|item| item.application_id).collect();
        lanes.sort_unstable();
        lanes.dedup();
        lanes.len()
    }
}
