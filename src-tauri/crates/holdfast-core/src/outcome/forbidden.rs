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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::answer::{ProblemBody, ProblemType};
    use super::*;

    fn operation(n: u8) -> OperationId {
        format!("01932c6f-8f0a-7cc3-98a1-0242ac1200{n:02x}").parse().unwrap()
    }

    fn forbidden() -> Outcome {
        let problem = ProblemBody {
            kind: ProblemType::Forbidden,
            title: None,
            status: None,
            errors: Vec::new(),
            idempotency_key: None,
            etag: None,
            operation: None,
            payload_digest: None,
        };
        Outcome::Forbidden { problem }
    }

    /// The `n`-th operation, in a lane of its own, has this outcome.
    fn answered(run: &mut ForbiddenRun, n: u8, outcome: &Outcome) -> ForbiddenStep {
        run.after(operation(n), ApplicationId::from_uuid(operation(n).uuid()), outcome)
    }

    #[test]
    fn three_forbidden_lanes_in_a_row_pause_the_drain_and_quarantine_nothing() {
        let mut run = ForbiddenRun::default();
        assert_eq!(answered(&mut run, 1, &forbidden()), ForbiddenStep::SetAside);
        assert_eq!(answered(&mut run, 2, &forbidden()), ForbiddenStep::SetAside);
        assert_eq!(answered(&mut run, 3, &forbidden()), ForbiddenStep::Pause);
        assert_eq!(answered(&mut run, 4, &Outcome::Received), ForbiddenStep::Nothing);
    }

    #[test]
    fn one_that_is_forbidden_while_others_are_not_is_quarantined() {
        for other in [Outcome::Received, Outcome::ParentMissing] {
            let mut run = ForbiddenRun::default();
            answered(&mut run, 1, &forbidden());
            answered(&mut run, 2, &forbidden());
            let both = ForbiddenStep::Quarantine(vec![operation(1), operation(2)]);
            assert_eq!(answered(&mut run, 3, &other), both);
            assert_eq!(answered(&mut run, 3, &other), ForbiddenStep::Nothing);
        }
    }

    #[test]
    fn one_that_is_forbidden_again_with_nobody_else_heard_is_quarantined() {
        let mut run = ForbiddenRun::default();
        answered(&mut run, 1, &forbidden());
        assert_eq!(answered(&mut run, 1, &forbidden()), ForbiddenStep::Quarantine(vec![operation(1)]));
        assert_eq!(run, ForbiddenRun::default());
    }

    #[test]
    fn one_that_got_its_right_back_is_not_quarantined() {
        let mut run = ForbiddenRun::default();
        answered(&mut run, 1, &forbidden());
        assert_eq!(answered(&mut run, 1, &Outcome::Received), ForbiddenStep::Nothing);
    }

    #[test]
    fn failures_and_refused_tokens_neither_end_nor_lengthen_a_run() {
        let mut run = ForbiddenRun::default();
        answered(&mut run, 1, &forbidden());
        answered(&mut run, 2, &forbidden());
        let before = run.clone();
        let silent = [
            Outcome::Impostor,
            Outcome::StationUnauthorized,
            Outcome::TooLarge,
            Outcome::Misdirected,
            Outcome::NotAsked,
        ];
        for outcome in silent {
            assert_eq!(answered(&mut run, 3, &outcome), ForbiddenStep::Nothing, "{outcome:?}");
        }
        assert_eq!(run, before);
        assert_eq!(answered(&mut run, 3, &forbidden()), ForbiddenStep::Pause);
    }
}
