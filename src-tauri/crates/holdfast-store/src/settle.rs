//! Ending what a begin began: the facts that an answer is weighed with, and carrying out what was decided.

use holdfast_core::cascade::Recorder;
use holdfast_core::ids::{ETag, OperationId};
use holdfast_core::lane::{Follower, Predecessor, State, follower};
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::{Body, Kind};
use holdfast_station::ports::{
    Commit, Decide, EndpointWaits, ItemChange, ItemFacts, Quarantine, SetAside, SettleFacts, Settlement,
};
use serde_json::Value;

use crate::fault::Fault;
use crate::operation::Standing;
use crate::turn::Turn;
use crate::{
    application, archive, beside, books, counts, endpoint, lane, operation, outage, outage_try, second_look,
    twin,
};

pub(crate) fn settle(
    turn: &mut Turn<'_>,
    recorder: Recorder,
    id: Option<OperationId>,
    decide: Decide<SettleFacts, Settlement>,
) -> Result<(), Fault> {
    let standing = id.map(|id| in_flight(turn, recorder, id)).transpose()?;
    let facts = facts(turn, recorder, standing.as_ref())?;
    let settlement = decide(&facts);
    settlement.tried.iter().try_for_each(|tried| outage_try::enter(&turn.tx, tried))?;
    outage::enter(&turn.tx, &settlement.endpoint.name, &settlement.outage)?;
    // An outage that begins may have taken it into its books.
    let standing = id.map(|id| in_flight(turn, recorder, id)).transpose()?;
    endpoint::keep_changed(&turn.tx, &facts.endpoint, &settlement.endpoint)?;
    match settlement.endpoint_waits {
        EndpointWaits::GoOn => {}
        EndpointWaits::End => lane::end_endpoint_waits(&turn.tx, recorder)?,
    }
    match (standing, settlement.item) {
        (None, None) => {}
        (Some(standing), Some(change)) => change_item(turn, &standing, &change)?,
        (Some(_), None) | (None, Some(_)) => {
            return Err(Fault::Impossible { why: "an answer and an operation that do not belong together" });
        }
    }
    for item in &settlement.set_aside {
        set_aside(turn, item)?;
    }
    counts::failed(&turn.tx, settlement.failed_attempts)?;
    turn.audit_all(settlement.entries)
}

fn in_flight(turn: &Turn<'_>, recorder: Recorder, id: OperationId) -> Result<Standing, Fault> {
    operation::standing(&turn.tx, id)?
        .filter(|standing| standing.state == State::InFlight && standing.recorder() == recorder)
        .ok_or(Fault::Impossible { why: "the operation is not in flight there" })
}

fn facts(turn: &Turn<'_>, recorder: Recorder, standing: Option<&Standing>) -> Result<SettleFacts, Fault> {
    let tx = &turn.tx;
    Ok(SettleFacts {
        endpoint: beside::recording(tx, recorder, turn.now)?,
        item: standing.map(|standing| item_facts(turn, standing)).transpose()?,
        mark: counts::next_mark(tx)?,
        stamp: turn.trail.stamp(),
        last_seq: counts::last_seq(tx)?,
    })
}

fn item_facts(turn: &Turn<'_>, standing: &Standing) -> Result<ItemFacts, Fault> {
    let row = &standing.row;
    Ok(ItemFacts {
        operation_id: row.operation_id,
        application_id: row.application_id,
        kind: row.kind,
        doubt: standing.doubt,
        next_step: standing.next_step,
        failures: standing.failures,
        failed_at: standing.failed_at,
        attempts: standing.attempts,
        parent_waits: standing.parent_waits,
        last_sent: standing.last_sent,
        stage: if row.kind == Kind::Stage { Some(stages(turn, standing)?) } else { None },
    })
}

/// Where the application stands, and where the move leads.
pub(crate) fn stages(turn: &Turn<'_>, standing: &Standing) -> Result<(Stage, Stage), Fault> {
    let unreadable = || Fault::damaged("the body of an operation");
    let body: Body = serde_json::from_slice(&standing.row.body).map_err(|_| unreadable())?;
    let to = body.payload.get("to").and_then(|to| to.as_str()).and_then(|to| Stage::parse(to).ok());
    let application = application::record(&turn.tx, standing.row.application_id)?;
    let at = application.map(|application| application.stage);
    at.zip(to).ok_or_else(unreadable)
}

fn change_item(turn: &Turn<'_>, standing: &Standing, change: &ItemChange) -> Result<(), Fault> {
    let id = standing.row.operation_id;
    let to = match change {
        ItemChange::Committed(commit) => {
            archive_it(turn, standing, commit)?;
            State::Committed
        }
        ItemChange::Pending(still) => {
            operation::keep_pending(&turn.tx, id, standing.recorder(), still)?;
            State::Pending
        }
        ItemChange::Quarantined(quarantine) => {
            operation::quarantine(&turn.tx, id, quarantine)?;
            State::Quarantined
        }
        ItemChange::Twin(doubled) => {
            operation::quarantine(&turn.tx, id, &doubled.quarantine)?;
            twin::found_in_lane(turn, id, doubled)?;
            State::Quarantined
        }
    };
    books::moved(&turn.tx, standing.outage, State::InFlight, to)
}

/// It is recorded: it leaves its lane to the one behind it.
pub(crate) fn archive_it(turn: &Turn<'_>, standing: &Standing, commit: &Commit) -> Result<(), Fault> {
    let row = &standing.row;
    if commit.receipt.application_id != row.application_id {
        return Err(Fault::Impossible { why: "the receipt of another application" });
    }
    archive::commit(&turn.tx, row.operation_id, standing.recorder(), commit)?;
    if let Some(wait_ms) = commit.second_look_ms {
        second_look::plan(&turn.tx, row.operation_id, turn.now, wait_ms)?;
    }
    application::committed(&turn.tx, &commit.receipt, commit.stage, commit.at)?;
    match lane::settle(&turn.tx, row.application_id)? {
        Some((next, Some(after))) if after == row.operation_id => bind(turn, next, &commit.receipt.etag),
        Some((_, Some(_) | None)) | None => Ok(()),
    }
}

/// What the one behind it is bound to from now on.
fn bind(turn: &Turn<'_>, next: OperationId, etag: &ETag) -> Result<(), Fault> {
    match follower(&Predecessor::Committed { etag: etag.clone() }) {
        Follower::Sendable { if_match: Some(etag) } => archive::bind(&turn.tx, next, &etag),
        Follower::Sendable { if_match: None }
        | Follower::Waits
        | Follower::TakesOver { .. }
        | Follower::ParentVoided => Ok(()),
    }
}

/// One that no longer waits is left alone.
fn set_aside(turn: &Turn<'_>, item: &SetAside) -> Result<(), Fault> {
    let standing = operation::standing(&turn.tx, item.operation_id)?;
    let Some(standing) = standing.filter(|standing| standing.state == State::Pending) else { return Ok(()) };
    let quarantine = Quarantine {
        reason: item.reason,
        doubt: standing.doubt,
        failures: standing.failures,
        outcome: item.outcome,
        answer: Value::Null,
    };
    operation::quarantine(&turn.tx, item.operation_id, &quarantine)?;
    books::moved(&turn.tx, standing.outage, State::Pending, State::Quarantined)
}
