//! What becomes of the operation: core's disposition, with the waits and the charges that follow from the facts.

use holdfast_core::blame::{AfterCharge, Charge, ItemFailures, Pause, after_charge};
use holdfast_core::breaker::Verdict;
use holdfast_core::lifecycle::on_recorded;
use holdfast_core::limits::{ANSWER_KEPT_MAX_BYTES, PROBLEMS_MAX};
use holdfast_core::outcome::{
    Archived, Disposition, Doubt, FieldError, ForbiddenStep, NextStep, Outcome, QuarantineReason,
    ReceiptBody, WaitKind, doubt_after, next_step_after,
};
use holdfast_core::wait::{RetryAfter, Wait, WaitCause, asked_ms, back_off_ms, longest_back_off_ms};
use serde_json::{Value, json};

use super::judged::Judged;
use super::{Aftermath, Ended};
use crate::ports::{Commit, ItemChange, ItemFacts, Quarantine, SetAside, SettleFacts, StillPending};

/// One answer with everything that it is weighed with.
pub(super) struct Weighing<'a> {
    pub(super) ended: &'a Ended,
    pub(super) facts: &'a SettleFacts,
    pub(super) item: &'a ItemFacts,
    pub(super) verdict: Verdict,
    pub(super) charged: Charge,
    /// Of the answer, if a whole one came.
    pub(super) status: Option<u16>,
    /// Of what was found more than once, the receipt of the first.
    pub(super) stays: Option<ReceiptBody>,
}

impl Weighing<'_> {
    pub(super) fn item_change(&self, judged: &Judged, forbidden: &ForbiddenStep) -> (ItemChange, Aftermath) {
        match judged {
            Judged::Send { outcome, disposition } => self.after_send(outcome, disposition, forbidden),
            Judged::LookUp(found) => self.after_look_up(found),
        }
    }

    fn after_send(
        &self,
        outcome: &Outcome,
        disposition: &Disposition,
        forbidden: &ForbiddenStep,
    ) -> (ItemChange, Aftermath) {
        let word = outcome.word();
        let doubt = doubt_after(self.item.doubt, outcome, self.ended.profile);
        let next_step = next_step_after(outcome, self.ended.profile);
        let pending = |wait| (self.pending(doubt, next_step, wait, word), Aftermath::Waits);
        match disposition {
            Disposition::Archive { how, .. } => match proven(outcome) {
                Some(receipt) => (self.commit(receipt, word), archived(*how)),
                None => pending(Some(self.wait(WaitCause::Item, self.back_off()))),
            },
            Disposition::AskLater => pending(Some(self.wait(WaitCause::Received, self.back_off()))),
            Disposition::LookUp | Disposition::Resend | Disposition::AlarmAndWait => {
                self.after_failure(doubt, next_step, word, None)
            }
            Disposition::Wait(kind) => self.waiting(*kind, doubt, next_step, word),
            Disposition::WaitForParent => {
                let mut still = self.still(doubt, next_step, word);
                still.parent_waits += 1;
                still.wait = Some(self.wait(WaitCause::Parent, self.back_off_after(still.parent_waits)));
                (ItemChange::Pending(still), Aftermath::Waits)
            }
            Disposition::Quarantine(reason) => self.quarantine(*reason, doubt, outcome),
            Disposition::RefreshTokenOnceThenPause => {
                (self.pending(doubt, next_step, None, word), Aftermath::TokenRefused)
            }
            Disposition::ForbiddenStep => self.after_forbidden(forbidden, doubt, outcome),
            // Nothing was asked, for a reason of this machine's own: as before, after a moment.
            Disposition::Unchanged => {
                let wait = self.wait(WaitCause::Item, self.back_off_after(1));
                (self.pending(self.item.doubt, self.item.next_step, Some(wait), word), Aftermath::Waits)
            }
        }
    }

    pub(super) fn waiting(
        &self,
        kind: WaitKind,
        doubt: Doubt,
        next_step: NextStep,
        word: &'static str,
    ) -> (ItemChange, Aftermath) {
        let wait = match (kind, self.verdict) {
            (WaitKind::Until(asked), Verdict::Failure) => {
                return self.after_failure(doubt, next_step, word, Some(asked));
            }
            (WaitKind::Backoff, Verdict::Failure) => return self.after_failure(doubt, next_step, word, None),
            (
                WaitKind::Until(asked),
                Verdict::Success | Verdict::Alive | Verdict::Neutral | Verdict::None,
            ) => self.wait(WaitCause::RetryAfter, self.asked_for(asked)),
            (WaitKind::Backoff, Verdict::Success | Verdict::Alive | Verdict::Neutral | Verdict::None) => {
                self.wait(WaitCause::Item, self.back_off())
            }
        };
        (self.pending(doubt, next_step, Some(wait), word), Aftermath::Waits)
    }

    /// A failure: whoever is charged decides for how long it waits, and whether it waits for a person. What the SoR asked
    /// for is obeyed, but an operation that fails alone waits at least its own back-off.
    fn after_failure(
        &self,
        doubt: Doubt,
        next_step: NextStep,
        word: &'static str,
        asked: Option<RetryAfter>,
    ) -> (ItemChange, Aftermath) {
        let failures = self.failures();
        let settings = self.ended.settings.backoff();
        let longest = || longest_back_off_ms(settings, self.ended.chance);
        let (cause, own_ms) =
            match after_charge(self.charged, &failures, self.ended.settings.item_failures_max) {
                AfterCharge::FailsAlone => {
                    let quarantine =
                        self.quarantined(QuarantineReason::FailsAlone, doubt, word, self.kept(None));
                    return (ItemChange::Quarantined(quarantine), Aftermath::Quarantined);
                }
                AfterCharge::NeedsPerson => (WaitCause::Item, longest()),
                AfterCharge::Wait(cause, Pause::Longest) => (cause, longest()),
                AfterCharge::Wait(cause, Pause::Backoff) => {
                    (cause, back_off_ms(settings, failures.failures, self.ended.chance))
                }
            };
        let wait = match asked {
            None => self.wait(cause, own_ms),
            Some(asked) if cause == WaitCause::Endpoint => {
                self.wait(WaitCause::RetryAfter, self.asked_for(asked))
            }
            Some(asked) => self.wait(WaitCause::RetryAfter, self.asked_for(asked).max(own_ms)),
        };
        (self.pending(doubt, next_step, Some(wait), word), Aftermath::Waits)
    }

    fn after_forbidden(
        &self,
        forbidden: &ForbiddenStep,
        doubt: Doubt,
        outcome: &Outcome,
    ) -> (ItemChange, Aftermath) {
        let word = outcome.word();
        match forbidden {
            ForbiddenStep::Quarantine(items) if items.contains(&self.item.operation_id) => {
                self.quarantine(QuarantineReason::Forbidden, doubt, outcome)
            }
            ForbiddenStep::Pause => (self.pending(doubt, NextStep::Send, None, word), Aftermath::Paused),
            ForbiddenStep::SetAside | ForbiddenStep::Quarantine(_) | ForbiddenStep::Nothing => {
                let ms = longest_back_off_ms(self.ended.settings.backoff(), self.ended.chance);
                let wait = self.wait(WaitCause::Item, ms);
                (self.pending(doubt, NextStep::Send, Some(wait), word), Aftermath::Waits)
            }
        }
    }

    /// Others that had been set aside, now that it is known that the station itself is not forbidden.
    pub(super) fn set_aside(&self, forbidden: &ForbiddenStep) -> Vec<SetAside> {
        let ForbiddenStep::Quarantine(items) = forbidden else { return Vec::new() };
        let others = items.iter().filter(|id| **id != self.item.operation_id);
        let reason = QuarantineReason::Forbidden;
        others.map(|id| SetAside { operation_id: *id, reason, outcome: "forbidden" }).collect()
    }

    fn quarantine(
        &self,
        reason: QuarantineReason,
        doubt: Doubt,
        outcome: &Outcome,
    ) -> (ItemChange, Aftermath) {
        let quarantine = self.quarantined(reason, doubt, outcome.word(), self.kept(Some(outcome)));
        (ItemChange::Quarantined(quarantine), Aftermath::Quarantined)
    }

    /// Of an answer only status, type, pointers, codes and the version are kept: its texts may repeat personal values.
    pub(super) fn kept(&self, outcome: Option<&Outcome>) -> Value {
        let mut kept = json!({ "status": self.status });
        if let Some(Outcome::Conflict { theirs }) = outcome {
            kept["etag"] = json!(theirs);
        }
        if let Some(problem) = outcome.and_then(Outcome::problem) {
            kept["type"] = json!(problem.kind.name());
            kept["errors"] = json!(fitting(&problem.errors));
        }
        kept
    }

    pub(super) fn quarantined(
        &self,
        reason: QuarantineReason,
        doubt: Doubt,
        outcome: &'static str,
        answer: Value,
    ) -> Quarantine {
        Quarantine { reason, doubt, failures: self.failures(), outcome, answer }
    }

    pub(super) fn commit(&self, receipt: &ReceiptBody, outcome: &'static str) -> ItemChange {
        ItemChange::Committed(Commit {
            receipt: receipt.clone(),
            at: self.facts.stamp.at,
            stage: self.item.stage.map(|(current, recorded)| on_recorded(current, recorded)),
            outcome,
            second_look_ms: self.second_look_ms(),
        })
    }

    pub(super) fn pending(
        &self,
        doubt: Doubt,
        next_step: NextStep,
        wait: Option<Wait>,
        word: &'static str,
    ) -> ItemChange {
        ItemChange::Pending(StillPending { wait, ..self.still(doubt, next_step, word) })
    }

    fn still(&self, doubt: Doubt, next_step: NextStep, outcome: &'static str) -> StillPending {
        let parent_waits = self.item.parent_waits;
        StillPending { doubt, next_step, wait: None, failures: self.failures(), parent_waits, outcome }
    }

    /// The item's failures, this one counted in if it was one.
    fn failures(&self) -> ItemFailures {
        match self.verdict {
            Verdict::Failure => self.item.failures.with(self.charged, self.facts.mark),
            Verdict::Success | Verdict::Alive | Verdict::Neutral | Verdict::None => self.item.failures,
        }
    }

    pub(super) fn wait(&self, cause: WaitCause, length_ms: u64) -> Wait {
        Wait { from: self.ended.now, length_ms, cause }
    }

    fn asked_for(&self, asked: RetryAfter) -> u64 {
        let most = u64::from(self.ended.settings.retry_after_max_s) * 1_000;
        let held = RetryAfter::from_ms(asked.ms().min(most));
        let jittered = asked_ms(held, self.ended.settings.backoff(), self.tries(), self.ended.chance);
        let jitter = jittered.saturating_sub(held.ms());
        // Never later than the limit; and at the limit, too, stations must not return together.
        if jittered <= most { jittered } else { most.saturating_sub(jitter) }
    }

    fn tries(&self) -> u32 {
        self.item.attempts.max(1)
    }

    pub(super) fn back_off(&self) -> u64 {
        self.back_off_after(self.tries())
    }

    fn back_off_after(&self, times: u32) -> u64 {
        back_off_ms(self.ended.settings.backoff(), times, self.ended.chance)
    }
}

fn archived(how: Archived) -> Aftermath {
    match how {
        Archived::Sent => Aftermath::Committed,
        Archived::Found => Aftermath::Found,
    }
}

fn proven(outcome: &Outcome) -> Option<&ReceiptBody> {
    match outcome {
        Outcome::Committed { receipt } | Outcome::AlreadyCommitted { receipt } => Some(receipt),
        Outcome::Received
        | Outcome::Impostor
        | Outcome::Busy { .. }
        | Outcome::Conflict { .. }
        | Outcome::ParentMissing
        | Outcome::TooLarge
        | Outcome::OurDefect { .. }
        | Outcome::Rejected { .. }
        | Outcome::StationUnauthorized
        | Outcome::Forbidden { .. }
        | Outcome::Throttled { .. }
        | Outcome::Unavailable { .. }
        | Outcome::Unknown(_)
        | Outcome::Unreachable(_)
        | Outcome::Misdirected
        | Outcome::NotAsked => None,
    }
}

/// As many as fit into what is kept of an answer.
fn fitting(errors: &[FieldError]) -> Vec<&FieldError> {
    let mut left = ANSWER_KEPT_MAX_BYTES / 2;
    let fits = |error: &&FieldError| {
        let size = error.pointer.len() + error.code.len();
        let fits = size <= left;
        left = left.saturating_sub(size);
        fits
    };
    errors.iter().take(PROBLEMS_MAX).take_while(fits).collect()
}
