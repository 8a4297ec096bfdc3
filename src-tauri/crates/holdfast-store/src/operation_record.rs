//! Reading operations for a person: the same columns of the waiting and of the archived ones.

use holdfast_core::ids::{ApplicationId, IdempotencyKey, LocalSeq, OperationId, ReceiptNo, StationId};
use holdfast_station::ports::{OperationRecord, Receipt};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::columns::{Count, Text, Word, text};
use crate::fault::Fault;
use crate::operation::wait_of;

/// What is read of a waiting one.
pub(crate) const WAITING: &str =
    "SELECT idempotency_key, operation_id, application_id, receipt_no, permit_num, kind, accepted_at, local_seq,
       origin_route, state, doubt, attempts, last_outcome, wait_from_wall, wait_from_boot, wait_ms,
       coalesce(wait_for, wait_cause), quarantine_reason, NULL AS committed_at, NULL AS record_id, body";

/// The same of an archived one.
pub(crate) const ARCHIVED: &str =
    "SELECT idempotency_key, operation_id, application_id, receipt_no, permit_num, kind, accepted_at, local_seq,
       origin_route, state, doubt, attempts, last_outcome, NULL AS wait_from_wall, NULL AS wait_from_boot,
       NULL AS wait_ms, NULL AS wait_cause, NULL AS quarantine_reason, committed_at, record_id, body";

/// One operation, wherever it is.
pub(crate) fn by_key(conn: &Connection, key: &IdempotencyKey) -> Result<Option<OperationRecord>, Fault> {
    for table in [WAITING_BY_KEY, ARCHIVED_BY_KEY] {
        let sql = format!("{} {}", table.0, table.1);
        let found = conn.prepare_cached(&sql)?.query_row(params![Text(key)], record_of).optional()?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// One operation by its id, wherever it is.
pub(crate) fn by_id(conn: &Connection, id: OperationId) -> Result<Option<OperationRecord>, Fault> {
    for (columns, table) in [(WAITING, "operation"), (ARCHIVED, "operation_archive")] {
        let sql = format!("{columns} FROM {table} WHERE operation_id = ?1");
        let found = conn.prepare_cached(&sql)?.query_row(params![Text(id)], record_of).optional()?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

const WAITING_BY_KEY: (&str, &str) = (WAITING, "FROM operation WHERE idempotency_key = ?1");
const ARCHIVED_BY_KEY: (&str, &str) = (ARCHIVED, "FROM operation_archive WHERE idempotency_key = ?1");

/// The operations of an application, oldest first.
pub(crate) fn of_application(conn: &Connection, id: ApplicationId) -> Result<Vec<OperationRecord>, Fault> {
    let sql = format!(
        "{ARCHIVED} FROM operation_archive WHERE application_id = ?1
         UNION ALL {WAITING} FROM operation WHERE application_id = ?1 ORDER BY local_seq"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let rows = statement.query_map(params![Text(id)], record_of)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(crate) fn record_of(row: &Row<'_>) -> rusqlite::Result<OperationRecord> {
    Ok(OperationRecord {
        receipt: receipt_of(row)?,
        doubt: row.get::<_, Word<_>>(10)?.0,
        attempts: row.get(11)?,
        last_outcome: row.get(12)?,
        wait: wait_of(row, 13)?,
        reason: row.get::<_, Option<Word<_>>>(17)?.map(|Word(reason)| reason),
        committed_at: text(row.get(18)?),
        record_id: text(row.get(19)?),
        body: row.get(20)?,
    })
}

pub(crate) fn receipt_of(row: &Row<'_>) -> rusqlite::Result<Receipt> {
    let local_seq = LocalSeq(row.get::<_, Count>(7)?.0);
    Ok(Receipt {
        idempotency_key: row.get::<_, Text<_>>(0)?.0,
        operation_id: row.get::<_, Text<_>>(1)?.0,
        application_id: row.get::<_, Text<_>>(2)?.0,
        receipt_no: receipt_no(&row.get::<_, String>(3)?, local_seq)?,
        permit_num: text(row.get(4)?),
        kind: row.get::<_, Text<_>>(5)?.0,
        accepted_at: row.get::<_, Text<_>>(6)?.0,
        local_seq,
        route: row.get::<_, Word<_>>(8)?.0,
        state: row.get::<_, Word<_>>(9)?.0,
    })
}

/// `{station}-{n}`: read through its one maker.
pub(crate) fn receipt_no_of(stored: &str) -> Option<ReceiptNo> {
    let (station, n) = stored.rsplit_once('-')?;
    let made = ReceiptNo::new(&station.parse::<StationId>().ok()?, LocalSeq(n.parse().ok()?));
    (made.as_str() == stored).then_some(made)
}

/// The same, of the operation with this number.
fn receipt_no(stored: &str, seq: LocalSeq) -> rusqlite::Result<ReceiptNo> {
    receipt_no_of(stored)
        .filter(|_| stored.ends_with(&format!("-{}", seq.0)))
        .ok_or_else(|| rusqlite::Error::InvalidColumnType(3, "receipt_no".to_owned(), Type::Text))
}
