//! The table `operation_archive`: what is committed or voided, with the facts that it was accepted with.

use holdfast_core::cascade::Recorder;
use holdfast_core::ids::{ETag, OperationId};
use holdfast_station::ports::{Commit, Twin};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use crate::columns::{Json, Text, Word};
use crate::custody;
use crate::fault::Fault;
use crate::operation::twin_of;
use crate::operation_record::ARCHIVED;

/// Moves an operation here that this endpoint has recorded.
pub(crate) fn commit(
    tx: &Transaction<'_>,
    id: OperationId,
    recorder: Recorder,
    commit: &Commit,
) -> Result<(), Fault> {
    let sql = "INSERT INTO operation_archive (local_seq, operation_id, idempotency_key, application_id, kind, body,
           payload_digest, accepted_at, receipt_no, permit_num, outage_id, replaces, urgency, base_snapshot_digest,
           origin_route, state, doubt, place, revision, base_etag, after_op, attempts, failures_charged, failures_alone,
           failures, last_sent_at, last_outcome, committed_at, record_id, etag, warnings, stage_before,
           counted_in, seen_etag, recorder)
         SELECT local_seq, operation_id, idempotency_key, application_id, kind, body, payload_digest, accepted_at,
           receipt_no, coalesce(?2, permit_num), outage_id, replaces, urgency, base_snapshot_digest, origin_route,
           'committed', 'none', place, revision, base_etag, after_op, attempts, failures_charged, failures_alone,
           failures, last_sent_at, ?3, ?4, ?5, ?6, ?7, stage_before, counted_in, seen_etag, ?8
         FROM operation WHERE operation_id = ?1";
    let receipt = &commit.receipt;
    let rows = tx.prepare_cached(sql)?.execute(params![
        Text(id),
        receipt.permit_num.as_ref().map(Text),
        commit.outcome,
        Text(commit.at),
        Text(&receipt.record_id),
        Text(&receipt.etag),
        Json(&receipt.warnings),
        Word(recorder),
    ])?;
    leave(tx, id, rows)
}

/// How a recorded operation came to be recorded, where that was known before it was put back here.
pub(crate) fn came_by(tx: &Transaction<'_>, id: OperationId, outcome: &str) -> Result<(), Fault> {
    let sql = "UPDATE operation_archive SET last_outcome = ?2 WHERE operation_id = ?1";
    tx.prepare_cached(sql)?.execute(params![Text(id), outcome])?;
    Ok(())
}

/// Moves an operation here that a person has taken back.
pub(crate) fn void(tx: &Transaction<'_>, id: OperationId) -> Result<(), Fault> {
    let sql = "INSERT INTO operation_archive (local_seq, operation_id, idempotency_key, application_id, kind, body,
           payload_digest, accepted_at, receipt_no, permit_num, outage_id, replaces, urgency, base_snapshot_digest,
           origin_route, state, doubt, place, revision, base_etag, after_op, attempts, failures_charged, failures_alone,
           failures, last_sent_at, last_outcome, counted_in, seen_etag, doubt_at)
         SELECT local_seq, operation_id, idempotency_key, application_id, kind, body, payload_digest, accepted_at,
           receipt_no, permit_num, outage_id, replaces, urgency, base_snapshot_digest, origin_route, 'voided', doubt,
           place, revision, base_etag, after_op, attempts, failures_charged, failures_alone, failures, last_sent_at,
           last_outcome, counted_in, seen_etag, doubt_at
         FROM operation WHERE operation_id = ?1";
    let rows = tx.prepare_cached(sql)?.execute(params![Text(id)])?;
    leave(tx, id, rows)
}

/// Binds a follower to the version that its predecessor left.
pub(crate) fn bind(tx: &Transaction<'_>, follower: OperationId, etag: &ETag) -> Result<(), Fault> {
    let sql = "UPDATE operation SET base_etag = ?2 WHERE operation_id = ?1";
    tx.prepare_cached(sql)?.execute(params![Text(follower), Text(etag)])?;
    Ok(())
}

/// The operation of an id, if it is archived.
pub(crate) fn twin(conn: &Connection, id: OperationId) -> Result<Option<Twin>, Fault> {
    let sql = format!("{ARCHIVED}, payload_digest FROM operation_archive WHERE operation_id = ?1");
    Ok(conn.prepare_cached(&sql)?.query_row(params![Text(id)], twin_of).optional()?)
}

/// What is archived waits no longer; `archived` rows of it are here.
fn leave(tx: &Transaction<'_>, id: OperationId, archived: usize) -> Result<(), Fault> {
    custody::leave(tx, id)?;
    let sql = "DELETE FROM operation WHERE operation_id = ?1";
    let deleted = tx.prepare_cached(sql)?.execute(params![Text(id)])?;
    if (archived, deleted) == (1, 1) {
        Ok(())
    } else {
        Err(Fault::Impossible { why: "the operation is not there to be archived" })
    }
}
