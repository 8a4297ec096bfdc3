//! The decision before each attempt: what is sent next, if anything.
//!
//! Promise: the breaker is asked before each item; a half-open breaker lets exactly one canary out, and what was decided
//! is on the disk before anything is sent. Order is core's: urgent lanes first, then the oldest head that can be sent. Which of
//! the endpoints that record a head may go to is core's too, asked for each of them by itself.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::beside::MirrorPart;
use holdfast_core::breaker::{
    Admission, Admitted, Asked, BreakerDecision, BreakerSettings, ClosesOn, Pass, Transition,
};
use holdfast_core::cascade::{
    CascadeInputs, Cascaded, Gate, InDoubt, Mirror, MirrorKeys, Recorder, keeps_from,
};
use holdfast_core::ids::OperationId;
use holdfast_core::lane::{Canary, Head, pick, pick_canary};
use holdfast_core::outcome::NextStep;
use holdfast_core::replay::{BREAKER_DECISION, CASCADE_DECISION};
use holdfast_core::time::Now;

use crate::ports::{EndpointRecord, SendFacts, Sending, Step, Tried, Try};

/// What the drain does next.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// An operation is in flight: send it, or ask what became of it.
    Attempt { pass: Pass, what: NextStep },
    /// Ask for a sign of life, as the canary.
    Probe { pass: Pass },
    /// Nothing can be sent for so long.
    Wait { ms: u64 },
    /// Nothing can be sent before a person decides something.
    Stuck,
    /// A person holds the endpoint.
    Held,
    /// What the SoR lost has to be settled first.
    Paused,
    /// Nothing is left.
    Empty,
}

/// Decides for one endpoint. The step is what the journal keeps, the rest is what the loop does.
pub(crate) fn next(
    facts: &SendFacts,
    now: Now,
    settings: &BreakerSettings,
    keys: MirrorKeys,
) -> (Step, Next) {
    let mut drawn = Drawn::of(facts.endpoint.clone());
    let is_empty = facts.books.pending == 0 && facts.books.in_flight == 0;
    if is_empty && !wants_a_sign(&drawn.endpoint, now) {
        return drawn.rest(Next::Empty);
    }
    drawn.lapse(now, settings);
    let before = drawn.endpoint.breaker.clone();
    let offers = offers(facts, before.admission(now), now, keys);
    match drawn.endpoint.breaker.admit(now, settings) {
        Admitted::No(admission) => drawn.rest(if is_empty { Next::Empty } else { refused(admission, now) }),
        Admitted::Through(_) if is_empty => drawn.rest(Next::Empty),
        Admitted::Through(pass) => through((facts, &offers), now, drawn, pass),
        Admitted::Canary(pass) => {
            let decision = BreakerDecision::of(&before, now, settings, Asked::Admit);
            drawn.entries.push(transition_entry(&drawn.endpoint, &Transition::HalfOpened, &decision));
            canary((facts, &offers), now, drawn, pass)
        }
    }
}

/// Whether the mirror is to be asked what it has to do: something may go there, is owed an answer by it, or its canary is due.
/// `primary` is the primary after its own step.
pub(crate) fn is_mirror_due(facts: &SendFacts, primary: &EndpointRecord, now: Now) -> bool {
    let Some(mirror) = &facts.other else { return false };
    let stands_in = primary.breaker.admission(now) != Admission::Closed && facts.books.pending > 0;
    let owes = facts.heads.iter().any(|head| head.in_doubt == InDoubt::At(Recorder::Mirror));
    stands_in || owes || wants_a_sign(mirror, now)
}

/// Whether an endpoint may be asked something that is no operation; the endpoint, and what is kept of that.
pub(crate) fn admit(
    endpoint: &EndpointRecord,
    now: Now,
    settings: &BreakerSettings,
) -> (EndpointRecord, Option<Try>, Vec<Entry>, Admitted) {
    let mut drawn = Drawn::of(endpoint.clone());
    drawn.lapse(now, settings);
    let before = drawn.endpoint.breaker.clone();
    let admitted = drawn.endpoint.breaker.admit(now, settings);
    match &admitted {
        Admitted::No(_) | Admitted::Through(_) => {}
        Admitted::Canary(_) => {
            let decision = BreakerDecision::of(&before, now, settings, Asked::Admit);
            drawn.entries.push(transition_entry(&drawn.endpoint, &Transition::HalfOpened, &decision));
            drawn.endpoint.memory.canary_failed(None);
        }
    }
    let Drawn { endpoint, lost, entries } = drawn;
    (endpoint, lost, entries, admitted)
}

/// Whether it is asked for a sign of life although nothing waits: its canary is due, or one was lost. So an outage does not
/// outlast itself because nobody works.
fn wants_a_sign(endpoint: &EndpointRecord, now: Now) -> bool {
    match endpoint.breaker.admission(now) {
        Admission::Canary => true,
        Admission::Closed | Admission::Open { .. } | Admission::CanaryOut { .. } | Admission::Held { .. } => {
            false
        }
    }
}

/// A head that may go to the endpoint, as it stands there, and why it may.
struct Offer {
    head: Head,
    decided: Cascaded,
}

/// Of the heads those that may go to this endpoint, whose breaker says `admission`. What is asked about one is what core says;
/// and what keeps it from the other endpoint only does not keep it from this one.
fn offers(facts: &SendFacts, admission: Admission, now: Now, keys: MirrorKeys) -> Vec<Offer> {
    let here = facts.recorder;
    let (primary, mirror) = gates(facts, admission, now);
    let offer = |head: &Head| {
        let Head { in_doubt, next_step, .. } = *head;
        let decided = CascadeInputs { primary, mirror, in_doubt, keys, next_step }.decided();
        let next_step = decided.goes.to(here)?;
        let wait = head.wait.filter(|wait| keeps_from(here, wait.cause, head.wait_charged_to));
        Some(Offer { head: Head { next_step, wait, ..*head }, decided })
    };
    facts.heads.iter().filter_map(offer).collect()
}

/// Both endpoints as they are at this decision.
fn gates(facts: &SendFacts, admission: Admission, now: Now) -> (Gate, Mirror) {
    let here = Gate::from(admission);
    let other = facts.other.as_ref().map(|other| Gate::from(other.breaker.admission(now)));
    let (primary, mirror) = match facts.recorder {
        Recorder::Primary => (Some(here), other),
        Recorder::Mirror => (other, Some(here)),
    };
    let mirror = match facts.mirror_part {
        None => Mirror::None,
        Some(MirrorPart::Custody) => Mirror::Custody,
        Some(MirrorPart::Authoritative) => mirror.map_or(Mirror::None, Mirror::Authoritative),
    };
    // The mirror records nothing while it is not known that the primary is away.
    (primary.unwrap_or(Gate::Closed), mirror)
}

fn heads(offers: &[Offer]) -> Vec<Head> {
    offers.iter().map(|offer| offer.head).collect()
}

/// What is being put together for the journal.
struct Drawn {
    endpoint: EndpointRecord,
    lost: Option<Try>,
    entries: Vec<Entry>,
}

impl Drawn {
    fn of(endpoint: EndpointRecord) -> Self {
        Self { endpoint, lost: None, entries: Vec::new() }
    }

    /// What time alone has changed: a hold is over, or a canary is lost. Its lane was remembered when it went out.
    fn lapse(&mut self, now: Now, settings: &BreakerSettings) {
        if let Some(hold) = self.endpoint.breaker.end_hold_that_is_over(now) {
            let entry = Entry::new(EventKind::BreakerReleased).with("endpoint", &self.endpoint.name);
            self.entries.push(entry.with("because", "time").with("until", hold.until));
        }
        let before = self.endpoint.breaker.clone();
        let Some(lapsed) = self.endpoint.breaker.lapse(now) else { return };
        let decision = BreakerDecision::of(&before, now, settings, Asked::Lapse);
        self.entries.push(transition_entry(&self.endpoint, &lapsed, &decision));
        self.lost = self.endpoint.outage.map(|outage_id| Try {
            outage_id,
            at: now.wall,
            what: self.endpoint.memory.failed_canary().map_or(Tried::Probe, |_| Tried::Operation),
            outcome: "lost".to_owned(),
            next_try_at: self.endpoint.breaker.next_try_at(now),
            announced_until: None,
        });
    }

    fn rest(self, next: Next) -> (Step, Next) {
        let Self { endpoint, lost, entries } = self;
        (Step::Rest { endpoint: Box::new(endpoint), lost, entries }, next)
    }
}

fn through((facts, offers): (&SendFacts, &[Offer]), now: Now, drawn: Drawn, pass: Pass) -> (Step, Next) {
    match facts.sending {
        Sending::Goes => {}
        Sending::Pauses => return drawn.rest(Next::Paused),
    }
    match drawn.endpoint.first_drain.map_or(0, |wait| wait.left_ms(now)) {
        0 => {}
        ms => return drawn.rest(Next::Wait { ms }),
    }
    match pick(&heads(offers), now) {
        Some(head) => attempt(drawn, pass, offers, (head.operation_id, head.next_step)),
        None => drawn.rest(facts.next_wake_ms.map_or(Next::Stuck, |ms| Next::Wait { ms })),
    }
}

/// A canary counts as failed from here on until its answer says otherwise: so the lane of one that is lost is known.
fn canary((facts, offers): (&SendFacts, &[Offer]), now: Now, mut drawn: Drawn, pass: Pass) -> (Step, Next) {
    let canary = match (facts.sending, drawn.endpoint.breaker.closes_on()) {
        (Sending::Pauses, _) | (Sending::Goes, Some(ClosesOn::FastProbe)) => Canary::HealthProbe,
        (Sending::Goes, Some(ClosesOn::Canary | ClosesOn::CanaryAndFastProbe) | None) => {
            pick_canary(&heads(offers), now, drawn.endpoint.memory.failed_canary())
        }
    };
    let (id, what) = match canary {
        Canary::Operation(id) => (id, NextStep::Send),
        Canary::LookUp(id) => (id, NextStep::LookUp),
        Canary::HealthProbe => {
            drawn.endpoint.memory.canary_failed(None);
            return drawn.rest(Next::Probe { pass });
        }
    };
    let offer = offers.iter().find(|offer| offer.head.operation_id == id);
    drawn.endpoint.memory.canary_failed(offer.map(|offer| offer.head.application_id));
    attempt(drawn, pass, offers, (id, what))
}

fn attempt(
    drawn: Drawn,
    pass: Pass,
    offers: &[Offer],
    (operation_id, what): (OperationId, NextStep),
) -> (Step, Next) {
    let decided = offers.iter().find(|offer| offer.head.operation_id == operation_id);
    let Drawn { endpoint, lost, mut entries } = drawn;
    let entry = Entry::new(EventKind::OperationSent)
        .of(operation_id)
        .with("endpoint", &endpoint.name)
        .with("what", what)
        .with("canary", pass.is_canary())
        .with("generation", pass.generation)
        .with(CASCADE_DECISION, decided.map(|offer| offer.decided));
    entries.push(entry);
    let step = Step::Attempt { operation_id, what, endpoint: Box::new(endpoint), lost, entries };
    (step, Next::Attempt { pass, what })
}

fn refused(admission: Admission, now: Now) -> Next {
    let until = |at: holdfast_core::time::UtcMillis| Next::Wait {
        ms: u64::try_from(at.millis_since(now.wall)).unwrap_or(0).max(1),
    };
    match admission {
        Admission::Held { .. } => Next::Held,
        Admission::Open { next_try_at } => until(next_try_at),
        Admission::CanaryOut { deadline } => until(deadline),
        // `admit` lets both of these through.
        Admission::Closed | Admission::Canary => Next::Wait { ms: 1 },
    }
}

/// The audit event of a breaker's transition, with what it was decided from.
pub(crate) fn transition_entry(
    endpoint: &EndpointRecord,
    transition: &Transition,
    decision: &BreakerDecision,
) -> Entry {
    let entry = |kind| Entry::new(kind).with("endpoint", &endpoint.name);
    let entry = match transition {
        Transition::Tripped { cause, failures, next_try_at } => entry(EventKind::BreakerTripped)
            .with("cause", cause.word())
            .with("failures", failures)
            .with("next_try_at", next_try_at),
        Transition::ReOpened { next_try_at } => {
            entry(EventKind::BreakerTripped).with("canary", "failed").with("next_try_at", next_try_at)
        }
        Transition::HalfOpened => entry(EventKind::BreakerHalfOpen),
        Transition::Closed => entry(EventKind::BreakerClosed),
    };
    entry.with("generation", endpoint.breaker.generation()).with(BREAKER_DECISION, decision)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
