//! An answer judged by core's two tables: of outcomes after a send, of findings after a look-up.

use holdfast_core::blame::Heard;
use holdfast_core::breaker::Verdict;
use holdfast_core::look_up::{LookUp, judge_look_up};
use holdfast_core::outcome::{Answer, Disposition, Item, NextStep, Outcome, Sent, dispose, judge};
use holdfast_core::settle::look_of;
use holdfast_core::wait::RetryAfter;

use super::Ended;
use crate::ports::ItemFacts;
use crate::welcome::Reception;

/// What was judged about an operation, by either table.
pub(super) enum Judged {
    Send { outcome: Outcome, disposition: Disposition },
    LookUp(LookUp),
}

pub(super) fn judged(ended: &Ended, item: &ItemFacts, answer: &Answer, sent: &Sent) -> Judged {
    match item.next_step {
        NextStep::LookUp => Judged::LookUp(judge_look_up(answer, sent)),
        NextStep::Send => {
            let outcome = judge(answer, sent);
            let known = Item {
                parent_waits: item.parent_waits,
                parent_waits_max: ended.settings.parent_waits_max,
                look: look_of(item.kind, ended.profile),
            };
            let disposition = dispose(&outcome, &known, ended.profile);
            Judged::Send { outcome, disposition }
        }
    }
}

impl Judged {
    pub(super) fn verdict(&self) -> Verdict {
        match self {
            Judged::Send { outcome, .. } => outcome.verdict(),
            Judged::LookUp(found) => found.verdict(),
        }
    }

    pub(super) fn word(&self) -> &'static str {
        match self {
            Judged::Send { outcome, .. } => outcome.word(),
            Judged::LookUp(found) => found.word(),
        }
    }

    /// The outcome of a send, for the questions that only sends answer.
    pub(super) fn outcome(&self) -> Option<&Outcome> {
        match self {
            Judged::Send { outcome, .. } => Some(outcome),
            Judged::LookUp(_) => None,
        }
    }

    fn any_outcome(&self) -> Option<&Outcome> {
        match self {
            Judged::Send { outcome, .. } | Judged::LookUp(LookUp::StillInDoubt { why: outcome }) => {
                Some(outcome)
            }
            Judged::LookUp(
                LookUp::AlreadyCommitted { .. } | LookUp::Received | LookUp::Twin { .. } | LookUp::Absent,
            ) => None,
        }
    }

    /// Who was heard, if anything was asked. Whoever cannot do what it is there for is as good as silent.
    pub(super) fn heard(&self) -> Option<Heard> {
        if matches!(self.any_outcome(), Some(Outcome::Impostor)) {
            return Some(Heard::Stranger);
        }
        match self.verdict() {
            Verdict::Success | Verdict::Alive | Verdict::Neutral => Some(Heard::Itself),
            Verdict::Failure => Some(Heard::Nobody),
            Verdict::None => None,
        }
    }

    /// What it says about the rights of the station itself.
    pub(super) fn reception(&self) -> Reception {
        if matches!(self.any_outcome(), Some(Outcome::StationUnauthorized | Outcome::Forbidden { .. })) {
            return Reception::Refused;
        }
        match self.verdict() {
            Verdict::Success | Verdict::Alive => Reception::Taken,
            Verdict::Neutral | Verdict::Failure | Verdict::None => Reception::Unsaid,
        }
    }

    pub(super) fn retry_after(&self) -> Option<RetryAfter> {
        self.any_outcome().and_then(Outcome::retry_after)
    }

    /// A failure can be an operation's own fault only if the operation, or its look-up, was sent at all.
    pub(super) fn is_failure_after_sending(&self) -> bool {
        let sent = !matches!(self.any_outcome(), Some(Outcome::Unreachable(_)));
        sent && self.verdict() == Verdict::Failure
    }
}
