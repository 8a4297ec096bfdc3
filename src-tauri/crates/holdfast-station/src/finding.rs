//! The decision about what a person has found at the SoR by looking there: nobody's look but a person's could.
//!
//! Promise: an operation is recorded on a person's word only where no look of this station can find it, or where it cannot
//! tell which of several stays. The record of the application stays the one that is known here: what a person has seen may
//! be called by another name there, and is kept beside it. Who may say so was decided before ([`crate::deciding`]).

use holdfast_core::decision::{Decided, Find, NotDecided, find};
use holdfast_core::ids::{ETag, IdempotencyKey, RecordId};
use holdfast_core::operation::Kind;
use holdfast_core::outcome::{ReceiptBody, ReceiptState};
use holdfast_core::time::UtcMillis;

use crate::ports::InLane;

/// What was found.
pub(crate) enum Found<'a> {
    /// What no look can find: it is recorded with this.
    There(ReceiptBody),
    /// This one of several stays.
    OneOfSeveral(&'a RecordId),
}

/// What a person's word comes to, who has seen `seen` there.
pub(crate) fn found<'a>(
    there: &InLane,
    seen: &'a RecordId,
    key: IdempotencyKey,
    at: UtcMillis,
) -> Result<Found<'a>, NotDecided> {
    match find(&there.item)? {
        Find::There => receipt(there, key, at).map(Found::There),
        Find::OneOfSeveral => {
            let several = there.twin.as_ref().map_or(&[][..], |twin| &twin.record_ids);
            if several.contains(seen) { Ok(Found::OneOfSeveral(seen)) } else { Err(NotDecided::NoneOfThem) }
        }
    }
}

/// What it is recorded with: the record of its application, at the version that is known here. Whatever comes behind it is
/// bound to that one, so that a change that is not known here is met as a conflict and never written over.
fn receipt(
    there: &InLane,
    idempotency_key: IdempotencyKey,
    at: UtcMillis,
) -> Result<ReceiptBody, NotDecided> {
    let application = &there.application;
    let known = application.record_id.clone().zip(application.etag.clone());
    let (record_id, etag): (RecordId, ETag) = known.ok_or(NotDecided::NoRecord)?;
    Ok(ReceiptBody {
        idempotency_key,
        operation_id: there.item.operation_id,
        application_id: application.application_id,
        record_id,
        permit_num: application.permit_num.clone(),
        etag,
        state: ReceiptState::Applied,
        applied_at: at,
        warnings: Vec::new(),
    })
}

/// The receipt of the one of several that stays. Where each is a record of its own, it is that record's from now on.
pub(crate) fn of_the_one(item: &Decided, receipt: ReceiptBody, stays: &RecordId) -> ReceiptBody {
    if item.kind == Kind::Application { ReceiptBody { record_id: stays.clone(), ..receipt } } else { receipt }
}
