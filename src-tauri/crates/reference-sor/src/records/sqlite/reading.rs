//! Reading: applications, inspections, the ledger.

use holdfast_core::ids::{ApplicationId, IdempotencyKey, LocalSeq, StationId};
use rusqlite::{OptionalExtension as _, Row, Transaction, params};

use super::super::{
    Answer, ApplicationCopy, ApplicationRow, ApplicationView, InspectionRow, InspectionState, InspectionsAsk,
    LedgerEntry, OperationRow, Order,
};
use super::codec::{self, stored};
use super::entries;
use super::operations::inspection_id;
use crate::judge::shown_stage;

/// Operations that one application's view names.
const OPERATIONS_MAX_ROWS: u32 = 500;

pub(super) fn applications(
    tx: &Transaction<'_>,
    after: Option<i64>,
    order: Order,
    limit_rows: u32,
) -> Answer<Vec<ApplicationCopy>> {
    let mut select = tx.prepare_cached(match order {
        Order::OldestFirst => {
            "SELECT n, application_id, record_id, permit_num, etag, stage, updated_at, payload FROM applications
             WHERE ?1 IS NULL OR n > ?1 ORDER BY n LIMIT ?2"
        }
        Order::LatestFirst => {
            "SELECT n, application_id, record_id, permit_num, etag, stage, updated_at, payload FROM applications
             WHERE ?1 IS NULL OR n < ?1 ORDER BY n DESC LIMIT ?2"
        }
    })?;
    let rows = select.query_map(params![after, limit_rows], |row| {
        Ok(ApplicationCopy { row: application_row(row)?, payload: codec::json(row, 7)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn application(tx: &Transaction<'_>, id: ApplicationId) -> Answer<Option<ApplicationView>> {
    let mut select = tx.prepare_cached(
        "SELECT n, application_id, record_id, permit_num, etag, stage, updated_at, payload FROM applications
         WHERE application_id = ?1",
    )?;
    let found = select.query_row([stored(&id)], |row| Ok((application_row(row)?, codec::json(row, 7)?)));
    let Some((row, payload)) = found.optional()? else { return Ok(None) };
    Ok(Some(ApplicationView {
        row,
        payload,
        operations: operations(tx, id)?,
        beside: entries::beside(tx, id)?,
    }))
}

pub(super) fn inspections(
    tx: &Transaction<'_>,
    ask: &InspectionsAsk<'_>,
    limit_rows: u32,
) -> Answer<Vec<InspectionRow>> {
    let mut select = tx.prepare_cached(
        "SELECT i.n, i.application_id, a.record_id, a.permit_num, i.assignee, i.date, i.state,
                a.payload ->> '$.OriginalAddress1', i.payload
         FROM inspections i JOIN applications a ON a.application_id = i.application_id
         WHERE i.state <> 'voided' AND (?1 IS NULL OR i.assignee = ?1) AND (?2 IS NULL OR i.date = ?2)
           AND (?3 IS NULL OR (i.state = 'scheduled' AND i.date <= ?3) OR (i.state = 'done' AND i.date = ?4))
         ORDER BY i.date, i.n LIMIT ?5",
    )?;
    let InspectionsAsk { assignee, date, open_until, done_on } = *ask;
    let params = params![assignee, date, open_until, done_on, limit_rows];
    let rows = select.query_map(params, inspection_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn ledger(tx: &Transaction<'_>) -> Answer<Vec<LedgerEntry>> {
    let mut select = tx.prepare_cached(&format!("{LEDGER} ORDER BY o.n"))?;
    let rows = select.query_map([], ledger_entry)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn operations_of(
    tx: &Transaction<'_>,
    station: &StationId,
    after: LocalSeq,
    limit_rows: u32,
) -> Answer<Vec<LedgerEntry>> {
    let mut select = tx.prepare_cached(&format!(
        "{LEDGER} WHERE o.station_id = ?1 AND o.local_seq > ?2 ORDER BY o.local_seq LIMIT ?3"
    ))?;
    let rows =
        select.query_map(params![station.as_str(), codec::integer(after.0), limit_rows], ledger_entry)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

const LEDGER: &str =
    "SELECT o.key, o.application_id, a.permit_num, o.kind, o.local_seq, o.accepted_at, o.actor, o.station_id,
            o.arrived_at, o.body_digest
     FROM operations o JOIN applications a ON a.application_id = o.application_id";

fn ledger_entry(row: &Row<'_>) -> rusqlite::Result<LedgerEntry> {
    Ok(LedgerEntry {
        key: row.get(0).map(IdempotencyKey::from_bytes)?,
        application_id: codec::text(row, 1)?,
        permit_num: codec::text(row, 2)?,
        kind: codec::text(row, 3)?,
        local_seq: codec::count(row, 4).map(LocalSeq)?,
        accepted_at: codec::time(row, 5)?,
        actor: codec::text(row, 6)?,
        station_id: codec::text(row, 7)?,
        arrived_at: codec::time(row, 8)?,
        body_digest: codec::digest(row, 9)?,
    })
}

/// Effects are never deleted, so that the last row's number is their count.
pub(super) fn effects(tx: &Transaction<'_>) -> Answer<u64> {
    let mut select = tx.prepare_cached("SELECT coalesce(max(n), 0) FROM operations")?;
    Ok(select.query_row([], |row| codec::count(row, 0))?)
}

fn operations(tx: &Transaction<'_>, id: ApplicationId) -> Answer<Vec<OperationRow>> {
    let mut select = tx.prepare_cached(
        "SELECT key, operation_id, kind, accepted_at, arrived_at FROM operations
         WHERE application_id = ?1 ORDER BY n LIMIT ?2",
    )?;
    let rows = select.query_map(params![stored(&id), OPERATIONS_MAX_ROWS], |row| {
        Ok(OperationRow {
            idempotency_key: row.get(0).map(IdempotencyKey::from_bytes)?,
            operation_id: codec::text(row, 1)?,
            kind: codec::text(row, 2)?,
            accepted_at: codec::time(row, 3)?,
            applied_at: codec::time(row, 4)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn application_row(row: &Row<'_>) -> rusqlite::Result<ApplicationRow> {
    Ok(ApplicationRow {
        n: row.get(0)?,
        application_id: codec::text(row, 1)?,
        record_id: codec::text(row, 2)?,
        permit_num: codec::text(row, 3)?,
        etag: codec::text(row, 4)?,
        stage: shown_stage(codec::text(row, 5)?),
        updated_at: codec::time(row, 6)?,
    })
}

fn inspection_row(row: &Row<'_>) -> rusqlite::Result<InspectionRow> {
    let state = match row.get_ref(6)?.as_str()? {
        "done" => InspectionState::Done,
        "voided" => InspectionState::Voided,
        _ => InspectionState::Scheduled,
    };
    Ok(InspectionRow {
        inspection_id: inspection_id(row.get(0)?),
        application_id: codec::text(row, 1)?,
        record_id: codec::text(row, 2)?,
        permit_num: codec::text(row, 3)?,
        assignee: row.get(4)?,
        date: row.get(5)?,
        state,
        address: row.get(7)?,
        payload: codec::json(row, 8)?,
    })
}
