//! A person's decision about an operation: the facts, and carrying out what was decided from them.
//!
//! Promise: what is sent again keeps its bytes and its key; what is taken back goes to the archive as voided, and its lane,
//! its books and its application are right in the same transaction.

use holdfast_core::decision::{Behind, Decided, Heir};
use holdfast_core::ids::{ApplicationId, IdempotencyKey, OperationId};
use holdfast_core::lane::State;
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::{Body, Kind};
use holdfast_core::outcome::QuarantineReason;
use holdfast_station::ports::{
    AcceptAsk, Decide, DecideFacts, Finding, InLane, Keeping, Quarantine, Requeueing, Ruled, Ruling, Sought,
    Voiding,
};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde_json::Value;

use crate::columns::{Text, Word, text};
use crate::fault::Fault;
use crate::operation::Standing;
use crate::turn::Turn;
use crate::{
    accept, application, books, conflict, found_by, lane, operation, operation_record, replacing, twin,
};

pub(crate) fn decide(
    turn: &mut Turn<'_>,
    key: &IdempotencyKey,
    decide: Decide<DecideFacts, Ruling>,
) -> Result<Ruled, Fault> {
    let facts = DecideFacts { stamp: turn.trail.stamp(), sought: sought(turn, key)? };
    match (decide(&facts), facts.sought) {
        (Ruling::Requeue(requeueing), Sought::InLane(there)) => requeue(turn, requeueing, *there),
        (Ruling::Void(voiding), Sought::InLane(there)) => void(turn, *voiding, *there),
        (Ruling::TakeOurs(taking), Sought::InLane(there)) => conflict::take_ours(turn, *taking, *there),
        (Ruling::TakeTheirs(taking), Sought::InLane(there)) => conflict::take_theirs(turn, *taking, *there),
        (Ruling::TakeMerged(taking), Sought::InLane(_)) => conflict::take_merged(turn, *taking),
        (Ruling::Keep(keeping), Sought::InLane(there)) => keep(turn, *keeping, *there),
        (Ruling::Found(finding), Sought::InLane(there)) => found(turn, *finding, *there),
        (Ruling::Unknown, Sought::Unknown) => Ok(Ruled::Unknown),
        (Ruling::Refuse(mut refusal), _) => {
            refusal.entry.take().map_or(Ok(()), |entry| turn.audit(entry))?;
            Ok(Ruled::Refused(refusal))
        }
        (
            Ruling::Requeue(_)
            | Ruling::Void(_)
            | Ruling::Keep(_)
            | Ruling::Found(_)
            | Ruling::TakeOurs(_)
            | Ruling::TakeTheirs(_)
            | Ruling::TakeMerged(_),
            Sought::Unknown | Sought::Disposed { .. },
        )
        | (Ruling::Unknown, Sought::Disposed { .. } | Sought::InLane(_)) => {
            Err(Fault::Impossible { why: "a decision and an operation that do not belong together" })
        }
    }
}

fn sought(turn: &Turn<'_>, key: &IdempotencyKey) -> Result<Sought, Fault> {
    let tx = &turn.tx;
    let Some(record) = operation_record::by_key(tx, key)? else { return Ok(Sought::Unknown) };
    let receipt = record.receipt;
    match receipt.state {
        State::Committed | State::Voided => Ok(Sought::Disposed { operation_id: receipt.operation_id }),
        State::Pending | State::InFlight | State::Quarantined => {
            let (item, behind) = in_lane(tx, receipt.application_id, receipt.operation_id)?;
            let application = application::record(tx, receipt.application_id)?;
            let conflict = conflict::kept(tx, receipt.operation_id)?;
            let ask = AcceptAsk::of(receipt.operation_id, receipt.application_id);
            let accepting = conflict.as_ref().map(|_| accept::facts(turn, &ask)).transpose()?;
            Ok(Sought::InLane(Box::new(InLane {
                item,
                receipt_no: receipt.receipt_no,
                behind,
                application: application.ok_or_else(|| Fault::damaged("the application of an operation"))?,
                recorded: recorded(tx, receipt.application_id)?,
                twin: twin::record(tx, receipt.operation_id)?,
                conflict,
                accepting: accepting.map(Box::new),
                place: lane::place(tx, receipt.operation_id)?,
                said_behind: conflict::said_behind(tx, receipt.operation_id)?,
            })))
        }
    }
}

fn requeue(turn: &mut Turn<'_>, requeueing: Requeueing, there: InLane) -> Result<Ruled, Fault> {
    let Requeueing { operation_id, next_step, going_on, entry } = requeueing;
    let standing = waiting_for_person(turn, operation_id)?;
    operation::requeue(&turn.tx, operation_id, next_step)?;
    conflict::forget(&turn.tx, operation_id)?;
    twin::forget(&turn.tx, operation_id)?;
    books::moved(&turn.tx, standing.outage, State::Quarantined, State::Pending)?;
    turn.audit(entry)?;
    Ok(Ruled::Done { receipt_no: there.receipt_no, state: State::Pending, going_on, set_aside: 0 })
}

fn void(turn: &mut Turn<'_>, voiding: Voiding, there: InLane) -> Result<Ruled, Fault> {
    waiting_for_person(turn, voiding.operation_id)?;
    let set_aside = u32::try_from(voiding.set_aside.len()).unwrap_or(u32::MAX);
    let going_on = voiding.going_on;
    replacing::take_back(turn, voiding)?;
    Ok(Ruled::Done { receipt_no: there.receipt_no, state: State::Voided, going_on, set_aside })
}

fn keep(turn: &mut Turn<'_>, keeping: Keeping, there: InLane) -> Result<Ruled, Fault> {
    let going_on = keeping.going_on;
    twin::keep_one(turn, keeping)?;
    Ok(Ruled::Done { receipt_no: there.receipt_no, state: State::Committed, going_on, set_aside: 0 })
}

fn found(turn: &mut Turn<'_>, finding: Finding, there: InLane) -> Result<Ruled, Fault> {
    let going_on = finding.going_on;
    found_by::record(turn, finding)?;
    Ok(Ruled::Done { receipt_no: there.receipt_no, state: State::Committed, going_on, set_aside: 0 })
}

pub(crate) fn waiting_for_person(turn: &Turn<'_>, id: OperationId) -> Result<Standing, Fault> {
    operation::standing(&turn.tx, id)?
        .filter(|standing| standing.state == State::Quarantined)
        .ok_or(Fault::Impossible { why: "the operation does not wait for a person" })
}

pub(crate) fn hand_over(turn: &Turn<'_>, heir: &Heir) -> Result<(), Fault> {
    operation::build_on(&turn.tx, heir.operation_id, heir.after_op, heir.base.as_ref())
}

/// What it builds on is gone; its doubt and its failures stay as they are.
pub(crate) fn set_aside(turn: &Turn<'_>, id: OperationId) -> Result<(), Fault> {
    let missing = Fault::Impossible { why: "no such operation waits behind it" };
    let standing = operation::standing(&turn.tx, id)?.ok_or(missing)?;
    let reason = QuarantineReason::ParentVoided;
    let quarantine = Quarantine {
        reason,
        doubt: standing.doubt,
        failures: standing.failures,
        outcome: reason.word(),
        answer: Value::Null,
    };
    operation::quarantine(&turn.tx, id, &quarantine)?;
    books::moved(&turn.tx, standing.outage, State::Pending, State::Quarantined)
}

/// An operation, and those behind it. Lanes are short.
pub(crate) fn in_lane(
    conn: &Connection,
    application: ApplicationId,
    id: OperationId,
) -> Result<(Decided, Vec<Behind>), Fault> {
    let sql =
        "SELECT operation_id, kind, state, quarantine_reason, doubt, after_op, base_etag, stage_before, body
               FROM operation WHERE application_id = ?1 AND (out_of_lane = 0 OR operation_id = ?2)
               ORDER BY place, revision";
    let mut statement = conn.prepare_cached(sql)?;
    let rows = statement.query_map(params![Text(application), Text(id)], row_of)?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let mut from_it = rows.into_iter().skip_while(|(item, _)| item.operation_id != id);
    let (item, _) = from_it.next().ok_or_else(|| Fault::damaged("the lane of an operation"))?;
    let behind = from_it.map(|(item, body)| behind_of(item, &body)).collect::<Result<_, _>>()?;
    Ok((item, behind))
}

fn row_of(row: &Row<'_>) -> rusqlite::Result<(Decided, Vec<u8>)> {
    let item = Decided {
        operation_id: row.get::<_, Text<_>>(0)?.0,
        kind: row.get::<_, Text<_>>(1)?.0,
        state: row.get::<_, Word<_>>(2)?.0,
        reason: row.get::<_, Option<Word<_>>>(3)?.map(|Word(reason)| reason),
        doubt: row.get::<_, Word<_>>(4)?.0,
        after_op: text(row.get(5)?),
        base: text(row.get(6)?),
        stood: text(row.get(7)?),
    };
    Ok((item, row.get(8)?))
}

fn behind_of(item: Decided, body: &[u8]) -> Result<Behind, Fault> {
    let Decided { operation_id, state, after_op, kind, .. } = item;
    let moves = if kind == Kind::Stage { Some(move_of(body)?) } else { None };
    Ok(Behind { operation_id, state, after_op, moves })
}

/// The last move of an application that the SoR has.
pub(crate) fn recorded(conn: &Connection, application: ApplicationId) -> Result<Option<Stage>, Fault> {
    let sql =
        "SELECT body FROM operation_archive WHERE application_id = ?1 AND kind = 'stage' AND state = 'committed'
               ORDER BY place DESC, revision DESC LIMIT 1";
    let body =
        conn.prepare_cached(sql)?.query_row(params![Text(application)], |row| row.get(0)).optional()?;
    body.map(|body: Vec<u8>| move_of(&body).map(|(to, _)| to)).transpose()
}

fn move_of(body: &[u8]) -> Result<(Stage, Option<String>), Fault> {
    let unreadable = || Fault::damaged("the body of an operation");
    let body: Body = serde_json::from_slice(body).map_err(|_| unreadable())?;
    let word = |name| body.payload.get(name).and_then(Value::as_str);
    let to = word("to").and_then(|to| Stage::parse(to).ok()).ok_or_else(unreadable)?;
    Ok((to, word("reason").map(str::to_owned)))
}
