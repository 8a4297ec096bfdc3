//! What the endpoint's record learns from an answer: the breaker, and the outage register by what the breaker does.

use holdfast_core::audit::Entry;
use holdfast_core::breaker::{Transition, Verdict};
use holdfast_core::wait::RetryAfter;

use super::{BreakerNow, Ended};
use crate::ports::{EndpointRecord, EndpointWaits, OutageChange, SettleFacts, Settlement};
use crate::sending::transition_entry;

/// What the endpoint's record has learned.
pub(super) struct Learned {
    pub(super) transition: Option<Transition>,
    pub(super) breaker: BreakerNow,
    outage: OutageChange,
    entries: Vec<Entry>,
}

/// Tells the breaker, and keeps the outage register by what it does.
pub(super) fn teach(
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
            entries: self.entries.clone(),
        }
    }
}
