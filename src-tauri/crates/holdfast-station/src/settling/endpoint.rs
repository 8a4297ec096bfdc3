//! What the endpoint's record learns from an answer or a probe: the breaker, and the outage register by what the breaker
//! does.
//!
//! Promise: an outage belongs to the register from its first failure on, with what was accepted since; every try in it is
//! entered with its outcome and when the next one may go. What a breaker decided is in the audit with its inputs.

use holdfast_core::audit::Entry;
use holdfast_core::breaker::probes::Probe;
use holdfast_core::breaker::{Asked, BreakerDecision, Transition, Verdict};
use holdfast_core::ids::LocalSeq;
use holdfast_core::time::UtcMillis;
use holdfast_core::wait::{Interval, RetryAfter};

use super::{BreakerNow, Ended};
use crate::ports::{EndpointRecord, EndpointWaits, OutageChange, SettleFacts, Settlement, Tried, Try};
use crate::sending::transition_entry;

/// What came back, as the breaker is told of it.
#[derive(Clone, Copy)]
pub(super) enum Lesson {
    /// Of an operation or a look-up.
    Request(Verdict),
    /// Of a probe.
    Probe(Probe),
}

/// What a try was, and the word for what came of it.
#[derive(Clone, Copy)]
pub(super) struct TryWord {
    pub(super) what: Tried,
    pub(super) outcome: &'static str,
}

/// What the endpoint's record has learned.
pub(super) struct Learned {
    pub(super) transition: Option<Transition>,
    pub(super) breaker: BreakerNow,
    outage: OutageChange,
    tried: Option<Try>,
    entries: Vec<Entry>,
}

/// Tells the breaker, and keeps the outage register by what it does.
pub(super) fn teach(
    ended: &Ended,
    facts: &SettleFacts,
    endpoint: &mut EndpointRecord,
    lesson: Lesson,
    retry_after: Option<RetryAfter>,
    word: TryWord,
) -> Learned {
    let at = facts.stamp.at;
    let announced_until = announced(at, retry_after);
    note_failure(endpoint, lesson, at, facts.last_seq);
    let going_on = endpoint.outage;
    let before = endpoint.breaker.clone();
    let transition = tell(ended, endpoint, lesson, retry_after);
    let mut breaker = BreakerNow::AsBefore;
    let mut outage = OutageChange::None;
    match &transition {
        Some(Transition::Tripped { cause, .. }) => {
            let (first_failure_at, accepted_after) = beginning(endpoint, at, facts.last_seq);
            endpoint.first_failure_at = Some(first_failure_at);
            endpoint.outage = Some(ended.new_outage);
            outage = OutageChange::Opened {
                outage_id: ended.new_outage,
                cause: (*cause).into(),
                first_failure_at,
                accepted_after,
                tripped_at: at,
                announced_until,
            };
        }
        Some(Transition::Closed) => {
            breaker = BreakerNow::JustClosed;
            outage = close(ended, facts, endpoint);
        }
        Some(Transition::HalfOpened | Transition::ReOpened { .. }) | None => {}
    }
    if endpoint.breaker.is_calm() {
        (endpoint.first_failure_at, endpoint.first_failure_after) = (None, None);
    }
    let tried = going_on.filter(|_| ended.pass.is_canary()).map(|outage_id| Try {
        outage_id,
        at,
        what: word.what,
        outcome: word.outcome.to_owned(),
        next_try_at: endpoint.breaker.next_try_at(ended.now),
        announced_until,
    });
    let decided = |transition: &Transition| {
        let asked = asked(ended, lesson, retry_after);
        let decision = BreakerDecision::of(&before, ended.now, &ended.settings.breaker(), asked);
        transition_entry(endpoint, transition, &decision)
    };
    let entries = transition.iter().map(decided).collect();
    Learned { transition, breaker, outage, tried, entries }
}

fn tell(
    ended: &Ended,
    endpoint: &mut EndpointRecord,
    lesson: Lesson,
    retry_after: Option<RetryAfter>,
) -> Option<Transition> {
    let (settings, probes) = (ended.settings.breaker(), ended.settings.probes());
    let breaker = &mut endpoint.breaker;
    match lesson {
        Lesson::Request(told) => {
            breaker.record(ended.now, &settings, &ended.pass, told, retry_after, ended.chance)
        }
        Lesson::Probe(probe) => {
            let limits = (&settings, &probes);
            breaker.record_probe(ended.now, limits, &ended.pass, probe, retry_after, ended.chance)
        }
    }
}

fn asked(ended: &Ended, lesson: Lesson, retry_after: Option<RetryAfter>) -> Asked {
    let (pass, chance_bits) = (ended.pass, ended.chance.bits_53());
    match lesson {
        Lesson::Request(verdict) => Asked::Record { pass, verdict, retry_after, chance_bits },
        Lesson::Probe(probe) => {
            Asked::Probed { pass, probe, limits: ended.settings.probes(), retry_after, chance_bits }
        }
    }
}

/// The first failure of a run is remembered, with what had been accepted by then. Probes have their window for that.
fn note_failure(endpoint: &mut EndpointRecord, lesson: Lesson, at: UtcMillis, last: LocalSeq) {
    match lesson {
        Lesson::Request(Verdict::Failure) if endpoint.first_failure_at.is_none() => {
            endpoint.first_failure_at = Some(at);
            endpoint.first_failure_after = Some(last);
        }
        Lesson::Request(Verdict::Success) => {
            (endpoint.first_failure_at, endpoint.first_failure_after) = (None, None);
        }
        Lesson::Request(Verdict::Failure | Verdict::Alive | Verdict::Neutral | Verdict::None)
        | Lesson::Probe(_) => {}
    }
}

/// When an outage that trips now began, and what had been accepted by then: with the first failed write or the first probe
/// that was down, whichever was earlier.
fn beginning(endpoint: &EndpointRecord, at: UtcMillis, last: LocalSeq) -> (UtcMillis, Option<LocalSeq>) {
    let write = endpoint.first_failure_at.map(|at| (at, endpoint.first_failure_after));
    let probe = endpoint.breaker.probes().probes().first().map(|probe| (probe.at, Some(probe.after)));
    let first = write.into_iter().chain(probe).min_by_key(|(at, _)| *at);
    first.unwrap_or((at, Some(last)))
}

/// The breaker has closed: after an outage not all stations begin at once, and a restart does not change when this one does.
fn close(ended: &Ended, facts: &SettleFacts, endpoint: &mut EndpointRecord) -> OutageChange {
    endpoint.memory.closed();
    endpoint.recovering_through = Some(facts.last_seq);
    let length_ms = ended.chance.share_of(ended.settings.first_drain_jitter_ms());
    endpoint.first_drain = (length_ms > 0).then_some(Interval { from: ended.now, length_ms });
    match endpoint.outage.take() {
        Some(outage_id) => OutageChange::Ended { outage_id, closed_at: facts.stamp.at },
        None => OutageChange::None,
    }
}

/// Until when the endpoint says that it is away; none when it says nothing, or nothing that can be written down.
fn announced(at: UtcMillis, retry_after: Option<RetryAfter>) -> Option<UtcMillis> {
    let ms = i64::try_from(retry_after?.ms()).ok()?;
    Some(at.plus_millis(ms)).filter(|until| *until > at)
}

impl Learned {
    pub(super) fn settlement(&self, endpoint: EndpointRecord, verdict: Verdict) -> Settlement {
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
            tried: self.tried.clone(),
            entries: self.entries.clone(),
        }
    }
}
