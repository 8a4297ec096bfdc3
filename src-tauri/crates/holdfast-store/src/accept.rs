//! Accepting an operation: the facts, and carrying out what was decided from them.
//!
//! Promise: a receipt is what was read back from the row, byte for byte the operation that was to be accepted, in the
//! transaction that puts it on the disk.

use holdfast_core::ids::OperationId;
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::Kind;
use holdfast_station::ports::{
    AcceptAsk, AcceptDecision, AcceptFacts, Acceptance, Accepting, Decide, Receipt, Refusal, Twin,
};

use crate::fault::Fault;
use crate::turn::Turn;
use crate::{
    application, archive, books, counts, draft, endpoint, folder, lane, likeness, meta, number, operation,
    operation_record, parcel, replacement, snapshot,
};

pub(crate) fn accept(
    turn: &mut Turn<'_>,
    ask: &AcceptAsk,
    decide: Decide<AcceptFacts, AcceptDecision>,
) -> Result<Accepting, Fault> {
    let facts = facts(turn, ask)?;
    match (decide(&facts), facts.twin) {
        (AcceptDecision::Accept(acceptance), None) => {
            let expected = acceptance.body.local_seq == facts.next_seq;
            if !expected || acceptance.body.operation_id != ask.operation_id {
                return Err(Fault::Impossible { why: "not the operation that was asked for" });
            }
            let stood = facts.application.map(|application| application.stage);
            lay_down(turn, *acceptance, stood).map(Accepting::Accepted)
        }
        (AcceptDecision::Already, Some(Twin { receipt, .. })) => Ok(Accepting::Already(receipt)),
        (AcceptDecision::Refuse(refusal), _) => refuse(turn, refusal),
        (AcceptDecision::Accept(_), Some(_)) => {
            Err(Fault::Impossible { why: "an operation of this id was accepted before" })
        }
        (AcceptDecision::Already, None) => {
            Err(Fault::Impossible { why: "no operation of this id was accepted before" })
        }
    }
}

pub(crate) fn facts(turn: &Turn<'_>, ask: &AcceptAsk) -> Result<AcceptFacts, Fault> {
    let tx = &turn.tx;
    let books = books::station(tx)?;
    Ok(AcceptFacts {
        twin: twin(turn, ask.operation_id)?,
        stamp: turn.trail.stamp(),
        next_seq: counts::next_seq(tx)?,
        application: application::record(tx, ask.application_id)?,
        lane_tail: lane::tail(tx, ask.application_id)?,
        older_sendable: books.in_flight > 0 || lane::any_sendable(tx)?,
        endpoint: endpoint::primary(tx)?,
        free_numbers: number::free(tx)?,
        looks_like: likeness::found(tx, ask)?,
        parcels: parcel::facts(tx, turn.now, &ask.pins)?,
        headroom: meta::headroom(tx)?,
        space: folder::space(turn.folder)?,
    })
}

/// A correction or a void is known by what it was handed in as, whatever became of it.
fn twin(turn: &Turn<'_>, id: OperationId) -> Result<Option<Twin>, Fault> {
    let tx = &turn.tx;
    if let Some(twin) = replacement::twin(tx, id)? {
        return Ok(Some(twin));
    }
    operation::twin(tx, id)?.map_or_else(|| archive::twin(tx, id), |twin| Ok(Some(twin)))
}

/// `stood` is where the application stood until now.
pub(crate) fn lay_down(
    turn: &mut Turn<'_>,
    acceptance: Acceptance,
    stood: Option<Stage>,
) -> Result<Receipt, Fault> {
    let tx = &turn.tx;
    let body = &acceptance.body;
    let intake = Some(&acceptance.receipt_no).filter(|_| body.kind == Kind::Application);
    application::accepted(tx, &acceptance.application, intake, body.accepted_at)?;
    acceptance.base_snapshot.iter().try_for_each(|shown| snapshot::keep(tx, shown))?;
    operation::insert(tx, &acceptance, stood.filter(|_| body.kind == Kind::Stage))?;
    draft::handed_in(tx, body.operation_id)?;
    lane::settle(tx, body.application_id)?;
    books::accepted(tx, body.outage_id)?;
    counts::accepted(tx, body.origin_route)?;
    meta::keep_headroom(tx, acceptance.headroom)?;
    let (application, at) = (body.application_id, body.accepted_at);
    acceptance.likeness.iter().try_for_each(|one| likeness::keep(tx, application, at, one))?;
    parcel::keep_seen(tx, body, &acceptance.parcels)?;
    acceptance.leasing.iter().try_for_each(|given| number::take(tx, &given.permit_num, body.operation_id))?;
    let receipt = read_back(turn, &acceptance)?;
    turn.audit(acceptance.entry)?;
    turn.audit_all(acceptance.leasing.and_then(|given| given.entry).into_iter().collect())?;
    Ok(receipt)
}

/// What the engine holds, not what it was given.
pub(crate) fn read_back(turn: &Turn<'_>, acceptance: &Acceptance) -> Result<Receipt, Fault> {
    let row = operation_record::by_key(&turn.tx, &acceptance.key)?;
    row.filter(|row| row.body == acceptance.bytes && row.receipt.operation_id == acceptance.body.operation_id)
        .map(|row| row.receipt)
        .ok_or_else(|| Fault::damaged("an accepted operation cannot be read back"))
}

pub(crate) fn refuse(turn: &mut Turn<'_>, mut refusal: Refusal) -> Result<Accepting, Fault> {
    counts::refused(&turn.tx)?;
    if let Some(entry) = refusal.entry.take() {
        turn.audit(entry)?;
    }
    Ok(Accepting::Refused(refusal))
}
