//! The parcels of an application that is being accepted: what the copy says about each, as it is kept and told.
//!
//! Promise: nothing is refused because of a parcel, and nothing of the route depends on one; the GIS is not asked. The audit
//! is told counts and the age of the copy, and no parcel number.

use std::iter::successors;

use holdfast_core::audit::Entry;
use holdfast_core::limits::JSON_MAX_LEVELS;
use holdfast_core::operation::Kind;
use holdfast_core::parcel::{LookInputs, PARCEL_DECISION, Parcel, ParcelDecision, Pin, look, pins};
use serde_json::Value;

use super::Intake;
use crate::ports::{AcceptFacts, LookedAt, ParcelFacts, SeenParcel};

/// The parcels that an operation names: an application does, and what corrects one.
pub(crate) fn named(kind: Kind, payload: &Value) -> Vec<Pin> {
    match kind {
        Kind::Application => pins(payload),
        Kind::Correction => corrected(payload),
        Kind::Stage
        | Kind::Inspection
        | Kind::Void
        | Kind::Hold
        | Kind::Notice
        | Kind::Fee
        | Kind::Note
        | Kind::Tag
        | Kind::Attachment => Vec::new(),
    }
}

/// A correction carries the whole payload of what it corrects, which may be a correction itself.
fn corrected(payload: &Value) -> Vec<Pin> {
    let inside = successors(payload.get("payload"), |payload| payload.get("payload"));
    inside.take(JSON_MAX_LEVELS).map(pins).find(|pins| !pins.is_empty()).unwrap_or_default()
}

/// What the copy says about each of them; none where nothing was looked for.
pub(super) fn looked_at(intake: &Intake, facts: &AcceptFacts) -> Option<LookedAt> {
    let pins = named(intake.kind, &intake.payload);
    let known = facts.parcels.as_ref().filter(|_| !pins.is_empty())?;
    let found = |pin: &Pin| known.found.iter().find(|parcel| parcel.pin == *pin).cloned();
    let seen = |pin: &Pin, parcel: Option<Parcel>| SeenParcel {
        pin: pin.clone(),
        seen: look(known.copied, parcel, intake.now, intake.parcels_max_h),
        at: facts.stamp.at,
    };
    let parcels: Vec<_> = pins.iter().map(|pin| seen(pin, found(pin))).collect();
    let decision = ParcelDecision::of(inputs(intake, known, &pins));
    Some(LookedAt { parcels, decision })
}

fn inputs(intake: &Intake, known: &ParcelFacts, pins: &[Pin]) -> LookInputs {
    let found = pins.iter().filter(|pin| known.found.iter().any(|parcel| parcel.pin == **pin)).count();
    let counted = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    LookInputs {
        asked: counted(pins.len()),
        found: counted(found),
        copied: known.copied,
        now: intake.now,
        max_h: intake.parcels_max_h,
        breaker: known.breaker,
    }
}

/// The decision goes into the event with its inputs, so that it can be recomputed years later.
pub(super) fn told(entry: Entry, looked_at: Option<&LookedAt>) -> Entry {
    looked_at.into_iter().fold(entry, |entry, looked| entry.with(PARCEL_DECISION, &looked.decision))
}
