//! The table `twin`: what the SoR has more than once, and the way of an operation between the archive and a person.
//!
//! Promise: one that was recorded leaves the archive for a person and comes back with the same receipt; its lane, those
//! behind it and its application stay as they are, and the books are right in the same transaction.

use holdfast_core::cascade::Recorder;
use holdfast_core::ids::{OperationId, OutageId, RecordId};
use holdfast_core::lane::State;
use holdfast_core::lifecycle::on_recorded;
use holdfast_core::operation::Kind;
use holdfast_core::outcome::{ReceiptBody, ReceiptState, Warning};
use holdfast_core::time::UtcMillis;
use holdfast_station::ports::{AfterKeeping, Commit, Doubled, Keeping, Said, TwinRecord, TwinWas};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use crate::columns::{Json, Text, text};
use crate::fault::Fault;
use crate::operation::{InLane, Standing};
use crate::turn::Turn;
use crate::{application, archive, books, found_by, second_look, settle};

/// The outcome of an operation that a person keeps after it was found more than once.
pub(crate) const FOUND: &str = "already_committed";

/// What the SoR has said of an operation: its remarks lie in the archive, or with the receipt of what left it.
pub(crate) fn said(conn: &Connection, id: OperationId) -> Result<Said, Fault> {
    let sql = "SELECT warnings FROM operation_archive WHERE operation_id = ?1 AND warnings IS NOT NULL";
    let archived = conn.prepare_cached(sql)?.query_row(params![Text(id)], |row| row.get::<_, Json<_>>(0));
    let (twin, found) = (record(conn, id)?, found_by::of(conn, id)?);
    let warnings = match archived.optional()? {
        Some(Json(warnings)) => warnings,
        None => twin.iter().flat_map(|twin| &twin.receipt).flat_map(|kept| kept.warnings.clone()).collect(),
    };
    Ok(Said { warnings, twin, found })
}

/// What is known of one.
pub(crate) fn record(conn: &Connection, id: OperationId) -> Result<Option<TwinRecord>, Fault> {
    let sql = "SELECT record_ids, receipt, committed_at, found_at, kept_at, stays FROM twin WHERE operation_id = ?1";
    Ok(conn.prepare_cached(sql)?.query_row(params![Text(id)], record_of).optional()?)
}

fn record_of(row: &Row<'_>) -> rusqlite::Result<TwinRecord> {
    let committed_at: Option<UtcMillis> = text(row.get(2)?);
    Ok(TwinRecord {
        record_ids: row.get::<_, Json<_>>(0)?.0,
        receipt: row.get::<_, Option<Json<_>>>(1)?.map(|Json(receipt)| receipt),
        was: committed_at.map_or(TwinWas::InLane, |at| TwinWas::Recorded { at }),
        found_at: row.get::<_, Text<_>>(3)?.0,
        kept_at: text(row.get(4)?),
        stays: text(row.get(5)?),
    })
}

/// A look before a resend has found it: it waits for a person where it stands.
pub(crate) fn found_in_lane(turn: &Turn<'_>, id: OperationId, doubled: &Doubled) -> Result<(), Fault> {
    keep(turn, id, &doubled.record_ids, doubled.receipt.as_ref(), None, FOUND)
}

/// A second look has found what was recorded: from the archive it goes before a person.
pub(crate) fn found_recorded(turn: &Turn<'_>, id: OperationId, record_ids: &[RecordId]) -> Result<(), Fault> {
    let archived = archived(&turn.tx, id)?;
    let receipt = Some(&archived.receipt);
    keep(turn, id, record_ids, receipt, Some(archived.committed_at), &archived.outcome)?;
    unarchive(&turn.tx, id)?;
    books::moved(&turn.tx, archived.outage, State::Committed, State::Quarantined)
}

/// A person keeps one of them: it is recorded, with the receipt that it had.
pub(crate) fn keep_one(turn: &mut Turn<'_>, keeping: Keeping) -> Result<(), Fault> {
    let Keeping { operation_id, receipt, stays, was, at, then, entry, .. } = keeping;
    let standing = crate::decide::waiting_for_person(turn, operation_id)?;
    let by = entry.actor_id.clone();
    let commit =
        |at, stage| Commit { receipt: receipt.clone(), at, stage, outcome: FOUND, second_look_ms: None };
    match (standing.lane, was) {
        (InLane::Left, TwinWas::Recorded { at }) => {
            let outcome = outcome(&turn.tx, operation_id)?;
            if standing.row.kind == Kind::Application {
                application::is_record(&turn.tx, &receipt)?;
            }
            archive::commit(&turn.tx, operation_id, Recorder::Primary, &commit(at, None))?;
            archive::came_by(&turn.tx, operation_id, &outcome)?;
        }
        (InLane::Stands, TwinWas::InLane) => {
            let stage = stage_after(turn, &standing)?;
            settle::archive_it(turn, &standing, &commit(at, stage))?;
        }
        (InLane::Left, TwinWas::InLane) | (InLane::Stands, TwinWas::Recorded { .. }) => {
            return Err(Fault::Impossible { why: "a twin that is not where it was found" });
        }
    }
    books::moved(&turn.tx, standing.outage, State::Quarantined, State::Committed)?;
    match then {
        AfterKeeping::Stays => {
            let sql = "UPDATE twin SET kept_at = ?2, kept_by = ?3, stays = ?4 WHERE operation_id = ?1";
            let (by, stays) = (by.as_ref().map(Text), stays.as_ref().map(Text));
            turn.tx.prepare_cached(sql)?.execute(params![Text(operation_id), Text(at), by, stays])?;
        }
        AfterKeeping::LooksAgain => {
            forget(&turn.tx, operation_id)?;
            second_look::plan(&turn.tx, operation_id, turn.now, 0)?;
        }
    }
    turn.audit(entry)
}

/// It is looked for again where it stands.
pub(crate) fn forget(tx: &Transaction<'_>, id: OperationId) -> Result<(), Fault> {
    tx.prepare_cached("DELETE FROM twin WHERE operation_id = ?1")?.execute(params![Text(id)])?;
    Ok(())
}

pub(crate) fn stage_after(
    turn: &Turn<'_>,
    standing: &Standing,
) -> Result<Option<holdfast_core::lifecycle::Stage>, Fault> {
    if standing.row.kind != Kind::Stage {
        return Ok(None);
    }
    let (current, recorded) = settle::stages(turn, standing)?;
    Ok(Some(on_recorded(current, recorded)))
}

fn outcome(conn: &Connection, id: OperationId) -> Result<String, Fault> {
    let sql = "SELECT outcome FROM twin WHERE operation_id = ?1";
    Ok(conn.prepare_cached(sql)?.query_row(params![Text(id)], |row| row.get(0))?)
}

fn keep(
    turn: &Turn<'_>,
    id: OperationId,
    record_ids: &[RecordId],
    receipt: Option<&ReceiptBody>,
    committed_at: Option<UtcMillis>,
    outcome: &str,
) -> Result<(), Fault> {
    let sql = "INSERT INTO twin (operation_id, record_ids, receipt, committed_at, outcome, found_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)
               ON CONFLICT (operation_id) DO UPDATE SET record_ids = ?2, receipt = ?3, committed_at = ?4, outcome = ?5,
                 found_at = ?6, kept_at = NULL, kept_by = NULL, stays = NULL";
    turn.tx.prepare_cached(sql)?.execute(params![
        Text(id),
        Json(record_ids),
        receipt.map(Json),
        committed_at.map(Text),
        outcome,
        Text(turn.trail.stamp().at),
    ])?;
    Ok(())
}

/// What the archive knows of a recorded one.
struct Archived {
    receipt: ReceiptBody,
    committed_at: UtcMillis,
    outcome: String,
    outage: Option<OutageId>,
}

fn archived(conn: &Connection, id: OperationId) -> Result<Archived, Fault> {
    let sql = "SELECT idempotency_key, application_id, record_id, permit_num, etag, committed_at, warnings, last_outcome,
                 coalesce(counted_in, outage_id)
               FROM operation_archive WHERE operation_id = ?1 AND state = 'committed'";
    Ok(conn.prepare_cached(sql)?.query_row(params![Text(id)], |row| {
        let committed_at = row.get::<_, Text<UtcMillis>>(5)?.0;
        let warnings = row.get::<_, Option<Json<Vec<Warning>>>>(6)?;
        Ok(Archived {
            receipt: ReceiptBody {
                idempotency_key: row.get::<_, Text<_>>(0)?.0,
                operation_id: id,
                application_id: row.get::<_, Text<_>>(1)?.0,
                record_id: row.get::<_, Text<_>>(2)?.0,
                permit_num: text(row.get(3)?),
                etag: row.get::<_, Text<_>>(4)?.0,
                state: ReceiptState::Applied,
                applied_at: committed_at,
                warnings: warnings.map(|Json(warnings)| warnings).unwrap_or_default(),
            },
            committed_at,
            outcome: row.get::<_, Option<String>>(7)?.unwrap_or_else(|| FOUND.to_owned()),
            outage: text(row.get(8)?),
        })
    })?)
}

/// It is in doubt from now on: nothing may take its place, and nobody may take it back as if it were not there.
fn unarchive(tx: &Transaction<'_>, id: OperationId) -> Result<(), Fault> {
    let sql =
        "INSERT INTO operation (local_seq, operation_id, idempotency_key, application_id, kind, body, payload_digest,
           accepted_at, receipt_no, permit_num, outage_id, replaces, urgency, base_snapshot_digest, origin_route, state,
           doubt, next_step, place, revision, base_etag, after_op, attempts, failures_charged, failures_alone, failures,
           parent_waits, last_sent_at, last_outcome, quarantine_reason, head, lane_rank, stage_before, seen_etag,
           counted_in, out_of_lane)
         SELECT local_seq, operation_id, idempotency_key, application_id, kind, body, payload_digest, accepted_at,
           receipt_no, permit_num, outage_id, replaces, urgency, base_snapshot_digest, origin_route, 'quarantined', 'sent',
           'look_up', place, revision, base_etag, after_op, attempts, failures_charged, failures_alone, failures, 0,
           last_sent_at, 'twin', 'twin', 0, 1, stage_before, seen_etag, counted_in, 1
         FROM operation_archive WHERE operation_id = ?1";
    let inserted = tx.prepare_cached(sql)?.execute(params![Text(id)])?;
    let sql = "DELETE FROM operation_archive WHERE operation_id = ?1";
    match (inserted, tx.prepare_cached(sql)?.execute(params![Text(id)])?) {
        (1, 1) => Ok(()),
        _ => Err(Fault::Impossible { why: "the operation is not there to come back" }),
    }
}
