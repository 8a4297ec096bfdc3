//! Recomputing what an audit event says was decided.
//!
//! Promise: a decision is recomputed from the inputs that its own event holds, by the rules of the version that it names,
//! and from nothing else; one of a version that is not known here is said to be so and never guessed. Whether the event
//! itself is unchanged is the chain's matter ([`crate::audit::Verifier`]).

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::audit::{Event, EventKind};
use crate::breaker::replay as replay_breaker;
use crate::reprove::{PROVING_VERSION, Sign, sor_went_back};
use crate::route::{NotReplayable, replay as replay_route};

/// Member of an event's data that holds the decision about a breaker.
pub const BREAKER_DECISION: &str = "decision";

/// What tells of a breaker.
const BREAKER_EVENTS: [EventKind; 3] =
    [EventKind::BreakerTripped, EventKind::BreakerHalfOpen, EventKind::BreakerClosed];

/// What came of recomputing one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recomputed {
    /// The event tells of nothing that was decided by rules.
    NoDecision,
    /// The inputs lead to what is written.
    Agrees,
    /// They lead to something else.
    Differs {
        /// What is written.
        recorded: String,
        /// What the rules say.
        recomputed: String,
    },
    /// It was decided by rules that are not known here.
    UnknownVersion(u32),
    /// The event ought to hold a decision, and what it holds is none.
    Unreadable,
}

/// Recomputes the decision of an event.
#[must_use]
pub fn recompute(event: &Event) -> Recomputed {
    let is_routed = event.kind == EventKind::OperationRefused && event.data.contains_key("inputs");
    if event.kind == EventKind::OperationAccepted || is_routed {
        return route_of(event);
    }
    if BREAKER_EVENTS.contains(&event.kind) {
        return breaker_of(event);
    }
    if event.kind == EventKind::RestoreNoticed {
        return restore_of(event);
    }
    Recomputed::NoDecision
}

/// Whether the sign follows from what was known and told. That one of the last commits is missing was looked up, and only
/// where nothing else was told.
fn restore_of(event: &Event) -> Recomputed {
    fn member<T: DeserializeOwned>(event: &Event, name: &str) -> Option<T> {
        serde_json::from_value(event.data.get(name)?.clone()).ok()
    }
    match member(event, "proving_version") {
        Some(PROVING_VERSION) => {}
        Some(version) => return Recomputed::UnknownVersion(version),
        None => return Recomputed::Unreadable,
    }
    let read = || Some((member(event, "known")?, member(event, "told")?, member::<Sign>(event, "sign")?));
    let Some((known, told, recorded)) = read() else { return Recomputed::Unreadable };
    let recomputed = sor_went_back(&known, &told);
    match (recorded, recomputed) {
        (Sign::Sample { .. }, None) => Recomputed::Agrees,
        (recorded, Some(recomputed)) if recorded == recomputed => Recomputed::Agrees,
        (recorded, recomputed) => {
            Recomputed::Differs { recorded: format!("{recorded:?}"), recomputed: format!("{recomputed:?}") }
        }
    }
}

fn route_of(event: &Event) -> Recomputed {
    match replay_route(&Value::Object(event.data.clone())) {
        Ok(replayed) if replayed.agrees() => Recomputed::Agrees,
        Ok(replayed) => Recomputed::Differs {
            recorded: format!("{:?}", replayed.recorded),
            recomputed: format!("{:?}", replayed.recomputed),
        },
        Err(NotReplayable::UnknownVersion(version)) => Recomputed::UnknownVersion(version),
        Err(NotReplayable::NotADecision(_)) => Recomputed::Unreadable,
    }
}

/// Events from before breakers wrote their inputs down hold none.
fn breaker_of(event: &Event) -> Recomputed {
    let Some(recorded) = event.data.get(BREAKER_DECISION) else { return Recomputed::NoDecision };
    match replay_breaker(recorded) {
        Ok(replayed) if replayed.agrees() => Recomputed::Agrees,
        Ok(replayed) => Recomputed::Differs {
            recorded: replayed.recorded.state().to_owned(),
            recomputed: replayed.recomputed.state().to_owned(),
        },
        Err(NotReplayable::UnknownVersion(version)) => Recomputed::UnknownVersion(version),
        Err(NotReplayable::NotADecision(_)) => Recomputed::Unreadable,
    }
}
