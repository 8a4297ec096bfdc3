//! The decision before each attempt: what is sent next, if anything.
//!
//! Promise: the breaker is asked before each item; a half-open breaker lets exactly one canary out, and what was decided
//! is on the disk before anything is sent. Order is core's: urgent lanes first, then the oldest head that can be sent.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::breaker::{Admission, Admitted, BreakerSettings, Pass, Transition};
use holdfast_core::ids::OperationId;
use holdfast_core::lane::{Canary, pick, pick_canary};
use holdfast_core::outcome::NextStep;
use holdfast_core::time::Now;

use crate::ports::{EndpointRecord, SendFacts, Sending, Step};

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

/// Decides. The step is what the journal keeps, the rest is what the loop does.
pub(crate) fn next(facts: &SendFacts, now: Now, settings: &BreakerSettings) -> (Step, Next) {
    let mut endpoint = facts.endpoint.clone();
    if facts.books.pending == 0 && facts.books.in_flight == 0 {
        return rest(endpoint, Vec::new(), Next::Empty);
    }
    let mut entries = Vec::new();
    if let Some(lapsed) = endpoint.breaker.lapse(now) {
        // Its lane was remembered when it went out.
        entries.push(transition_entry(&endpoint, &lapsed));
    }
    match endpoint.breaker.admit(now, settings) {
        Admitted::No(admission) => {
            let next = refused(admission, now);
            rest(endpoint, entries, next)
        }
        Admitted::Through(pass) => through(facts, now, endpoint, entries, pass),
        Admitted::Canary(pass) => {
            entries.push(transition_entry(&endpoint, &Transition::HalfOpened));
            canary(facts, now, endpoint, entries, pass)
        }
    }
}

fn through(
    facts: &SendFacts,
    now: Now,
    endpoint: EndpointRecord,
    entries: Vec<Entry>,
    pass: Pass,
) -> (Step, Next) {
    match facts.sending {
        Sending::Goes => {}
        Sending::Pauses => return rest(endpoint, entries, Next::Paused),
    }
    match pick(&facts.heads, now) {
        Some(head) => attempt(endpoint, entries, pass, head.operation_id, head.next_step),
        None => {
            let next = facts.next_wake_ms.map_or(Next::Stuck, |ms| Next::Wait { ms });
            rest(endpoint, entries, next)
        }
    }
}

/// A canary counts as failed from here on until its answer says otherwise: so the lane of one that is lost is known.
fn canary(
    facts: &SendFacts,
    now: Now,
    mut endpoint: EndpointRecord,
    entries: Vec<Entry>,
    pass: Pass,
) -> (Step, Next) {
    let canary = match facts.sending {
        Sending::Goes => pick_canary(&facts.heads, now, endpoint.memory.failed_canary()),
        Sending::Pauses => Canary::HealthProbe,
    };
    let (id, what) = match canary {
        Canary::Operation(id) => (id, NextStep::Send),
        Canary::LookUp(id) => (id, NextStep::LookUp),
        Canary::HealthProbe => {
            endpoint.memory.canary_failed(None);
            return rest(endpoint, entries, Next::Probe { pass });
        }
    };
    let lane = facts.heads.iter().find(|head| head.operation_id == id).map(|head| head.application_id);
    endpoint.memory.canary_failed(lane);
    attempt(endpoint, entries, pass, id, what)
}

fn attempt(
    endpoint: EndpointRecord,
    mut entries: Vec<Entry>,
    pass: Pass,
    operation_id: OperationId,
    what: NextStep,
) -> (Step, Next) {
    let entry = Entry::new(EventKind::OperationSent)
        .of(operation_id)
        .with("endpoint", &endpoint.name)
        .with("what", what)
        .with("canary", pass.is_canary())
        .with("generation", pass.generation);
    entries.push(entry);
    let step = Step::Attempt { operation_id, what, endpoint: Box::new(endpoint), entries };
    (step, Next::Attempt { pass, what })
}

fn rest(endpoint: EndpointRecord, entries: Vec<Entry>, next: Next) -> (Step, Next) {
    (Step::Rest { endpoint: Box::new(endpoint), entries }, next)
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

/// The audit event of a breaker's transition.
pub(crate) fn transition_entry(endpoint: &EndpointRecord, transition: &Transition) -> Entry {
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
    entry.with("generation", endpoint.breaker.generation())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
