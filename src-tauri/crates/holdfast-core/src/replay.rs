//! Recomputing what an audit event says was decided.
//!
//! Promise: a decision is recomputed from the inputs that its own event holds, by the rules of the version that it names,
//! and from nothing else; one of a version that is not known here is said to be so and never guessed. Whether the event
//! itself is unchanged is the chain's matter ([`crate::audit::Verifier`]).

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::audit::{Event, EventKind};
use crate::breaker::replay as replay_breaker;
use crate::cascade::{Goes, Recorder, replay as replay_cascade};
use crate::custody::{CUSTODY_DECISION, replay as replay_custody};
use crate::outcome::NextStep;
use crate::parcel::{PARCEL_DECISION, replay as replay_parcels};
use crate::reprove::{PROVING_VERSION, Sign, sor_went_back};
use crate::route::{NotReplayable, replay as replay_route};

/// Member of an event's data that holds the decision about a breaker.
pub const BREAKER_DECISION: &str = "decision";

/// Member of an event's data that holds the decision where an operation goes.
pub const CASCADE_DECISION: &str = "cascade";

/// What tells of a breaker.
const BREAKER_EVENTS: [EventKind; 4] = [
    EventKind::BreakerTripped,
    EventKind::BreakerHalfOpen,
    EventKind::BreakerClosed,
    EventKind::BreakerRetimed,
];

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
        return match route_of(event) {
            Recomputed::Agrees => parcels_of(event).unwrap_or(Recomputed::Agrees),
            other @ (Recomputed::NoDecision
            | Recomputed::Differs { .. }
            | Recomputed::UnknownVersion(_)
            | Recomputed::Unreadable) => other,
        };
    }
    if BREAKER_EVENTS.contains(&event.kind) {
        return breaker_of(event);
    }
    if event.kind == EventKind::RestoreNoticed {
        return restore_of(event);
    }
    if event.kind == EventKind::OperationSent {
        return sent_of(event);
    }
    if event.kind == EventKind::CustodyHeld {
        return custody_of(event);
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

/// Whether it went where the inputs lead to. A canary of what is in doubt is its look-up, whatever was to be done; what may only
/// be looked up is never sent. Events from before there was more than one endpoint to go to hold no decision.
fn sent_of(event: &Event) -> Recomputed {
    let Some(recorded) = event.data.get(CASCADE_DECISION) else { return Recomputed::NoDecision };
    match replay_cascade(recorded) {
        Ok((written, goes)) if written.goes == goes && is_what_was_asked(event, goes) => Recomputed::Agrees,
        Ok((written, goes)) => {
            let member = |name| event.data.get(name).cloned().unwrap_or_default();
            let recorded = format!("{:?}, {} at {}", written.goes, member("what"), member("endpoint"));
            Recomputed::Differs { recorded, recomputed: format!("{goes:?}") }
        }
        Err(NotReplayable::UnknownVersion(version)) => Recomputed::UnknownVersion(version),
        Err(NotReplayable::NotADecision(_)) => Recomputed::Unreadable,
    }
}

fn is_what_was_asked(event: &Event, goes: Goes) -> bool {
    let said = |name: &str| event.data.get(name).and_then(Value::as_str);
    let step = match goes {
        Goes::Primary(step) | Goes::Mirror(step) => step,
        Goes::Wait => return false,
    };
    let asked = said("what").is_some_and(|what| match step {
        NextStep::LookUp => what == "look_up",
        NextStep::Send => what == "send" || what == "look_up",
    });
    asked && said("endpoint") == goes.recorder().map(Recorder::word)
}

/// Whether what the mirror was given is what was to be copied.
fn custody_of(event: &Event) -> Recomputed {
    let accepted_at = event.data.get("accepted_at").and_then(|at| serde_json::from_value(at.clone()).ok());
    let (Some(recorded), Some(accepted_at)) = (event.data.get(CUSTODY_DECISION), accepted_at) else {
        return Recomputed::Unreadable;
    };
    match replay_custody(recorded) {
        Ok((recorded, recomputed)) if recorded == recomputed && recomputed.covers(accepted_at) => {
            Recomputed::Agrees
        }
        Ok((recorded, recomputed)) => {
            Recomputed::Differs { recorded: format!("{recorded:?}"), recomputed: format!("{recomputed:?}") }
        }
        Err(NotReplayable::UnknownVersion(version)) => Recomputed::UnknownVersion(version),
        Err(NotReplayable::NotADecision(_)) => Recomputed::Unreadable,
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

/// What was decided about parcels, where the event says that something was.
fn parcels_of(event: &Event) -> Option<Recomputed> {
    let recorded = event.data.get(PARCEL_DECISION)?;
    Some(match replay_parcels(recorded) {
        Ok((recorded, recomputed)) if recorded == recomputed => Recomputed::Agrees,
        Ok((recorded, recomputed)) => {
            Recomputed::Differs { recorded: format!("{recorded:?}"), recomputed: format!("{recomputed:?}") }
        }
        Err(NotReplayable::UnknownVersion(version)) => Recomputed::UnknownVersion(version),
        Err(NotReplayable::NotADecision(_)) => Recomputed::Unreadable,
    })
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
