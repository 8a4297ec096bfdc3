//! The decision after each answer: what becomes of the operation, and what the breaker learns.
//!
//! Promise: core's outcome table and its rule of whose fault a failure is are applied here, whole, in one place, to the
//! facts of one transaction. Nothing is guessed: what is in doubt stays in doubt until the SoR has said what is true.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::blame::{AfterCharge, Charge, ItemFailures, Pause, after_charge, charge};
use holdfast_core::breaker::{Pass, Transition, Verdict};
use holdfast_core::ids::OutageId;
use holdfast_core::lifecycle::on_recorded;
use holdfast_core::limits::PROBLEMS_MAX;
use holdfast_core::look_up::{LookUp, judge_look_up};
use holdfast_core::outcome::{
    Answer, Archived, Disposition, Doubt, ForbiddenStep, Item, Look, NextStep, Outcome, QuarantineReason,
    ReceiptBody, Sent, WaitKind, dispose, doubt_after, judge, next_step_after,
};
use holdfast_core::profile::Profile;
use holdfast_core::time::Now;
use holdfast_core::wait::{Chance, RetryAfter, Wait, WaitCause, asked_ms, back_off_ms, longest_back_off_ms};
use serde_json::{Value, json};

use crate::ports::{
    Commit, EndpointRecord, EndpointWaits, ItemChange, ItemFacts, OutageChange, Quarantine, SettleFacts,
    Settlement, StillPending,
};
use crate::sending::transition_entry;
use crate::settings::Settings;

/// One attempt that has ended, and what it is judged by.
pub(crate) struct Ended {
    pub(crate) now: Now,
    pub(crate) pass: Pass,
    pub(crate) profile: Profile,
    pub(crate) settings: Settings,
    pub(crate) chance: Chance,
    /// Used if an outage begins.
    pub(crate) new_outage: OutageId,
    /// What the SoR said is kept under this salt, by its digest only.
    pub(crate) salt: [u8; 32],
}

/// What the loop has to know of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aftermath {
    /// Recorded by this send.
    Committed,
    /// Found to be recorded.
    Found,
    /// Waits for a person, with so many others.
    Quarantined { items: u64 },
    /// Waits.
    Waits,
    /// The token was refused.
    TokenRefused,
    /// Three lanes in a row were forbidden: the drain pauses.
    Paused,
}

/// Whether the breaker closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BreakerNow {
    /// It closed in this transaction.
    JustClosed,
    /// It did not.
    AsBefore,
}

/// What was judged about an operation, by either table.
enum Judged {
    Send { outcome: Outcome, disposition: Disposition },
    LookUp(LookUp),
}

/// Settles the attempt of an operation.
pub(crate) fn settle_item(
    ended: &Ended,
    facts: &SettleFacts,
    item: &ItemFacts,
    answer: &Answer,
    sent: &Sent,
) -> (Settlement, Aftermath, BreakerNow) {
    let judged = judged(ended, item, answer, sent);
    let mut endpoint = facts.endpoint.clone();
    let verdict = judged.verdict();
    let charged = judged
        .is_failure_after_sending()
        .then(|| charge(&endpoint.memory, item.application_id, &item.failures));
    let charged = charged.unwrap_or(Charge::Endpoint);
    endpoint.memory.answered(item.application_id, verdict, facts.mark);

    let told = charged.verdict(verdict, ended.pass.is_canary());
    let learned = teach(ended, facts, &mut endpoint, told, judged.retry_after());
    if matches!(learned.transition, Some(Transition::ReOpened { .. })) {
        endpoint.memory.canary_failed(Some(item.application_id));
    }
    let forbidden = judged.outcome().map_or(ForbiddenStep::Nothing, |outcome| {
        endpoint.forbidden.after(item.operation_id, item.application_id, outcome)
    });

    let weighing = Weighing { ended, facts, item, verdict, charged };
    let (change, aftermath) = weighing.item_change(&judged, &forbidden);
    let set_aside = weighing.set_aside(&forbidden);
    let entry = weighing.entry(&judged, &change, answer);
    let mut settlement = learned.settlement(endpoint, verdict);
    settlement.item = Some(change);
    settlement.entries.insert(0, entry);
    settlement.entries.extend(set_aside.iter().map(|(id, quarantine)| quarantine_entry(quarantine).of(*id)));
    settlement.set_aside = set_aside;
    (settlement, aftermath, learned.breaker)
}

/// Settles a health probe that was the canary.
pub(crate) fn settle_probe(ended: &Ended, facts: &SettleFacts, verdict: Verdict) -> (Settlement, BreakerNow) {
    let mut endpoint = facts.endpoint.clone();
    let learned = teach(ended, facts, &mut endpoint, verdict, None);
    match learned.transition {
        Some(Transition::Closed) => endpoint.memory.closed_by_probe(facts.mark),
        Some(Transition::ReOpened { .. }) => endpoint.memory.canary_failed(None),
        Some(Transition::Tripped { .. } | Transition::HalfOpened) | None => {}
    }
    let breaker = learned.breaker;
    (learned.settlement(endpoint, verdict), breaker)
}

/// What the endpoint's record has learned.
struct Learned {
    transition: Option<Transition>,
    breaker: BreakerNow,
    outage: OutageChange,
    entries: Vec<Entry>,
}

/// Tells the breaker, and keeps the outage register by what it does.
fn teach(
    ended: &Ended,
    facts: &SettleFacts,
    endpoint: &mut EndpointRecord,
    told: Verdict,
    retry_after: Option<RetryAfter>,
) -> Learned {
    let settings = ended.settings.breaker();
    let at = facts.stamp.at;
    match told {
        Verdict::Failure => endpoint.first_failure_at = endpoint.first_failure_at.or(Some(at)),
        Verdict::Success => endpoint.first_failure_at = None,
        Verdict::Alive | Verdict::Neutral | Verdict::None => {}
    }
    let pass = &ended.pass;
    let transition = endpoint.breaker.record(ended.now, &settings, pass, told, retry_after, ended.chance);
    let mut breaker = BreakerNow::AsBefore;
    let mut outage = OutageChange::None;
    match &transition {
        Some(Transition::Tripped { .. }) => {
            let first_failure_at = endpoint.first_failure_at.unwrap_or(at);
            endpoint.outage = Some(ended.new_outage);
            outage = OutageChange::Opened { outage_id: ended.new_outage, first_failure_at, tripped_at: at };
        }
        Some(Transition::Closed) => {
            breaker = BreakerNow::JustClosed;
            endpoint.memory.closed();
            endpoint.first_failure_at = None;
            endpoint.recovering_through = Some(facts.last_seq);
            if let Some(outage_id) = endpoint.outage.take() {
                outage = OutageChange::Ended { outage_id, closed_at: at };
            }
        }
        Some(Transition::HalfOpened | Transition::ReOpened { .. }) | None => {}
    }
    let entries = transition.iter().map(|transition| transition_entry(endpoint, transition)).collect();
    Learned { transition, breaker, outage, entries }
}

impl Learned {
    fn settlement(&self, endpoint: EndpointRecord, verdict: Verdict) -> Settlement {
        Settlement {
            endpoint: Box::new(endpoint),
            item: None,
            set_aside: Vec::new(),
            endpoint_waits: match self.breaker {
                BreakerNow::JustClosed => EndpointWaits::End,
                BreakerNow::AsBefore => EndpointWaits::GoOn,
            },
            failed_attempts: u32::from(verdict == Verdict::Failure),
            outage: self.outage.clone(),
            entries: self.entries.clone(),
        }
    }
}

fn judged(ended: &Ended, item: &ItemFacts, answer: &Answer, sent: &Sent) -> Judged {
    match item.next_step {
        NextStep::LookUp => Judged::LookUp(judge_look_up(answer, sent)),
        NextStep::Send => {
            let outcome = judge(answer, sent);
            let known = Item {
                parent_waits: item.parent_waits,
                parent_waits_max: ended.settings.parent_waits_max,
                look: Look::Provable,
            };
            let disposition = dispose(&outcome, &known, ended.profile);
            Judged::Send { outcome, disposition }
        }
    }
}

impl Judged {
    fn verdict(&self) -> Verdict {
        match self {
            Judged::Send { outcome, .. } => outcome.verdict(),
            Judged::LookUp(found) => found.verdict(),
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Judged::Send { outcome, .. } => outcome.word(),
            Judged::LookUp(found) => found.word(),
        }
    }

    /// The outcome of a send, for the questions that only sends answer.
    fn outcome(&self) -> Option<&Outcome> {
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
            Judged::LookUp(LookUp::AlreadyCommitted { .. } | LookUp::Received | LookUp::Absent) => None,
        }
    }

    fn retry_after(&self) -> Option<RetryAfter> {
        self.any_outcome().and_then(Outcome::retry_after)
    }

    /// A failure can be an operation's own fault only if the operation, or its look-up, was sent at all.
    fn is_failure_after_sending(&self) -> bool {
        let sent = !matches!(self.any_outcome(), Some(Outcome::Unreachable(_)));
        sent && self.verdict() == Verdict::Failure
    }
}

/// One answer with everything that it is weighed with.
struct Weighing<'a> {
    ended: &'a Ended,
    facts: &'a SettleFacts,
    item: &'a ItemFacts,
    verdict: Verdict,
    charged: Charge,
}

impl Weighing<'_> {
    fn item_change(&self, judged: &Judged, forbidden: &ForbiddenStep) -> (ItemChange, Aftermath) {
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
                self.after_failure(doubt, next_step, word)
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

    fn after_look_up(&self, found: &LookUp) -> (ItemChange, Aftermath) {
        let word = found.word();
        let doubt = found.doubt_after(self.item.doubt);
        match found {
            LookUp::AlreadyCommitted { receipt } => (self.commit(receipt, word), Aftermath::Found),
            LookUp::Received => {
                let wait = self.wait(WaitCause::Received, self.back_off());
                (self.pending(doubt, found.next_step(), Some(wait), word), Aftermath::Waits)
            }
            LookUp::Absent => (self.pending(doubt, found.next_step(), None, word), Aftermath::Waits),
            LookUp::StillInDoubt { why: Outcome::StationUnauthorized } => {
                (self.pending(doubt, found.next_step(), None, word), Aftermath::TokenRefused)
            }
            LookUp::StillInDoubt { why } => match (self.verdict, why.retry_after()) {
                (Verdict::Failure, None) => self.after_failure(doubt, found.next_step(), word),
                (_, asked) => {
                    let kind = asked.map_or(WaitKind::Backoff, WaitKind::Until);
                    self.waiting(kind, doubt, found.next_step(), word)
                }
            },
        }
    }

    fn waiting(
        &self,
        kind: WaitKind,
        doubt: Doubt,
        next_step: NextStep,
        word: &'static str,
    ) -> (ItemChange, Aftermath) {
        match (kind, self.verdict) {
            (WaitKind::Until(asked), _) => {
                let ms = asked_ms(asked, self.ended.settings.backoff(), self.tries(), self.ended.chance);
                let most = u64::from(self.ended.settings.retry_after_max_s) * 1_000;
                let wait = self.wait(WaitCause::RetryAfter, ms.min(most));
                (self.pending(doubt, next_step, Some(wait), word), Aftermath::Waits)
            }
            (WaitKind::Backoff, Verdict::Failure) => self.after_failure(doubt, next_step, word),
            (WaitKind::Backoff, Verdict::Success | Verdict::Alive | Verdict::Neutral | Verdict::None) => {
                let wait = self.wait(WaitCause::Item, self.back_off());
                (self.pending(doubt, next_step, Some(wait), word), Aftermath::Waits)
            }
        }
    }

    /// A failure: whoever is charged decides for how long it waits, and whether it waits for a person.
    fn after_failure(
        &self,
        doubt: Doubt,
        next_step: NextStep,
        word: &'static str,
    ) -> (ItemChange, Aftermath) {
        let failures = self.failures();
        let settings = self.ended.settings.backoff();
        let longest = || longest_back_off_ms(settings, self.ended.chance);
        let wait = match after_charge(self.charged, &failures, self.ended.settings.item_failures_max) {
            AfterCharge::FailsAlone => {
                let quarantine = self.quarantined(QuarantineReason::FailsAlone, doubt, word, Value::Null);
                return (ItemChange::Quarantined(quarantine), Aftermath::Quarantined { items: 1 });
            }
            AfterCharge::NeedsPerson => self.wait(WaitCause::Item, longest()),
            AfterCharge::Wait(cause, Pause::Longest) => self.wait(cause, longest()),
            AfterCharge::Wait(cause, Pause::Backoff) => {
                self.wait(cause, back_off_ms(settings, failures.failures, self.ended.chance))
            }
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
    fn set_aside(&self, forbidden: &ForbiddenStep) -> Vec<(holdfast_core::ids::OperationId, Quarantine)> {
        let ForbiddenStep::Quarantine(items) = forbidden else { return Vec::new() };
        let others = items.iter().filter(|id| **id != self.item.operation_id);
        let quarantine = Quarantine {
            reason: QuarantineReason::Forbidden,
            doubt: Doubt::None,
            failures: ItemFailures::default(),
            outcome: "forbidden",
            answer: Value::Null,
        };
        others.map(|id| (*id, quarantine.clone())).collect()
    }

    fn quarantine(
        &self,
        reason: QuarantineReason,
        doubt: Doubt,
        outcome: &Outcome,
    ) -> (ItemChange, Aftermath) {
        let quarantine = self.quarantined(reason, doubt, outcome.word(), kept(outcome));
        (ItemChange::Quarantined(quarantine), Aftermath::Quarantined { items: 1 })
    }

    fn quarantined(
        &self,
        reason: QuarantineReason,
        doubt: Doubt,
        outcome: &'static str,
        answer: Value,
    ) -> Quarantine {
        Quarantine { reason, doubt, failures: self.failures(), outcome, answer }
    }

    fn commit(&self, receipt: &ReceiptBody, outcome: &'static str) -> ItemChange {
        ItemChange::Committed(Commit {
            receipt: receipt.clone(),
            at: self.facts.stamp.at,
            stage: self.item.stage.map(|(current, recorded)| on_recorded(current, recorded)),
            outcome,
        })
    }

    fn pending(
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

    fn wait(&self, cause: WaitCause, length_ms: u64) -> Wait {
        Wait { from: self.ended.now, length_ms, cause }
    }

    fn tries(&self) -> u32 {
        self.item.attempts.max(1)
    }

    fn back_off(&self) -> u64 {
        self.back_off_after(self.tries())
    }

    fn back_off_after(&self, times: u32) -> u64 {
        back_off_ms(self.ended.settings.backoff(), times, self.ended.chance)
    }

    fn entry(&self, judged: &Judged, change: &ItemChange, answer: &Answer) -> Entry {
        let entry = match change {
            ItemChange::Committed(commit) => self.commit_entry(judged, commit),
            ItemChange::Quarantined(quarantine) => quarantine_entry(quarantine),
            ItemChange::Pending(still) => pending_entry(still),
        };
        let entry = entry.of(self.item.operation_id).with("endpoint", &self.facts.endpoint.name);
        let entry = entry.with("outcome", judged.word()).with("attempt", self.item.attempts);
        match reply_status(answer) {
            Some(status) => entry.with("status", status),
            None => entry,
        }
    }

    fn commit_entry(&self, judged: &Judged, commit: &Commit) -> Entry {
        let kind = match judged {
            Judged::Send { outcome: Outcome::AlreadyCommitted { .. }, .. } | Judged::LookUp(_) => {
                EventKind::OperationFound
            }
            Judged::Send { .. } => EventKind::OperationCommitted,
        };
        let receipt = &commit.receipt;
        let entry = Entry::new(kind).with("record_id", &receipt.record_id).with("etag", &receipt.etag);
        let entry = entry.with("applied_at", receipt.applied_at);
        let entry = receipt.permit_num.iter().fold(entry, |entry, number| entry.with("permit_num", number));
        if receipt.warnings.is_empty() {
            return entry;
        }
        // Texts of the SoR may hold personal values: the chain gets their salted digest only.
        let texts = serde_json::to_string(&receipt.warnings).unwrap_or_default();
        entry.with_private("warnings", self.ended.salt, texts)
    }
}

fn quarantine_entry(quarantine: &Quarantine) -> Entry {
    let entry = Entry::new(EventKind::OperationQuarantined).with("reason", quarantine.reason.word());
    entry.with("doubt", quarantine.doubt).with("answer", &quarantine.answer)
}

fn pending_entry(still: &StillPending) -> Entry {
    let kind = match still.doubt {
        Doubt::None => EventKind::OperationWaiting,
        Doubt::Sent => EventKind::OperationInDoubt,
        Doubt::Received => EventKind::OperationReceived,
    };
    let entry = Entry::new(kind).with("next_step", still.next_step).with("doubt", still.doubt);
    match &still.wait {
        Some(wait) => entry.with("wait_ms", wait.length_ms).with("wait_cause", wait.cause),
        None => entry,
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

/// Of an answer only the problem's type, pointers and codes are kept: its texts may repeat personal values.
fn kept(outcome: &Outcome) -> Value {
    outcome.problem().map_or(Value::Null, |problem| {
        let errors: Vec<_> = problem.errors.iter().take(PROBLEMS_MAX).collect();
        json!({ "type": problem.kind.name(), "errors": errors, "etag": problem.etag })
    })
}

fn reply_status(answer: &Answer) -> Option<u16> {
    match answer {
        Answer::Replied(reply) => Some(reply.status),
        Answer::NotAsked | Answer::Unreachable(_) | Answer::Lost(_) => None,
    }
}
