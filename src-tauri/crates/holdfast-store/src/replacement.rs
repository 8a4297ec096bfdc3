//! The table `replacement`: corrections and voids of operations that waited, as they were handed in.
//!
//! Promise: the same correction or void handed in again meets what it was, although a correction's row has another kind and
//! a void has no row. A void's receipt has the number of what it took back, since it draws none of its own.

use holdfast_core::ids::{IdempotencyKey, OperationId, ReceiptNo};
use holdfast_core::lane::State;
use holdfast_core::operation::{Kind, OriginRoute};
use holdfast_core::time::UtcMillis;
use holdfast_station::ports::{HandedIn, Receipt, Replacements, Twin};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use crate::columns::{Text, Word};
use crate::fault::Fault;
use crate::operation_record::{self, receipt_no_of};

/// Keeps what was handed in about `target`.
pub(crate) fn keep(tx: &Transaction<'_>, handed_in: &HandedIn, target: OperationId) -> Result<(), Fault> {
    let sql =
        "INSERT INTO replacement (operation_id, kind, idempotency_key, payload_digest, target_id, accepted_at,
           origin_route) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    tx.prepare_cached(sql)?.execute(params![
        Text(handed_in.operation_id),
        Text(handed_in.kind),
        Text(handed_in.key),
        Text(handed_in.payload_digest),
        Text(target),
        Text(handed_in.at),
        Word(handed_in.route),
    ])?;
    Ok(())
}

/// What was handed in under this id, with its receipt as it stands now.
pub(crate) fn twin(conn: &Connection, id: OperationId) -> Result<Option<Twin>, Fault> {
    let Some((handed_in, target)) = handed_in(conn, id)? else { return Ok(None) };
    let receipt = match handed_in.kind {
        Kind::Void => void_receipt(&handed_in, receipt(conn, target)?),
        Kind::Correction
        | Kind::Application
        | Kind::Stage
        | Kind::Inspection
        | Kind::Hold
        | Kind::Notice
        | Kind::Fee
        | Kind::Note
        | Kind::Tag
        | Kind::Attachment => receipt(conn, id)?,
    };
    Ok(Some(Twin { receipt, kind: handed_in.kind, payload_digest: handed_in.payload_digest }))
}

/// The receipt of a void that has no row: it says what was taken back by its number.
pub(crate) fn void_receipt(handed_in: &HandedIn, target: Receipt) -> Receipt {
    Receipt {
        idempotency_key: handed_in.key,
        operation_id: handed_in.operation_id,
        kind: handed_in.kind,
        accepted_at: handed_in.at,
        route: handed_in.route,
        state: State::Voided,
        ..target
    }
}

/// The receipt of an operation, wherever it is.
pub(crate) fn receipt(conn: &Connection, id: OperationId) -> Result<Receipt, Fault> {
    let found = operation_record::by_id(conn, id)?;
    found.map(|record| record.receipt).ok_or_else(|| Fault::damaged("an operation that was replaced"))
}

/// What a void of this key took back.
pub(crate) fn taken_back_by(conn: &Connection, key: &IdempotencyKey) -> Result<Option<OperationId>, Fault> {
    let sql = "SELECT target_id FROM replacement WHERE idempotency_key = ?1 AND kind = 'void'";
    let target = conn.prepare_cached(sql)?.query_row(params![Text(key)], |row| row.get::<_, Text<_>>(0));
    Ok(target.optional()?.map(|Text(id)| id))
}

/// What an operation replaces, and what replaced it.
pub(crate) fn replacements(conn: &Connection, id: OperationId) -> Result<Replacements, Fault> {
    Ok(Replacements { replaces: number(conn, REPLACES, id)?, replaced_by: number(conn, REPLACED_BY, id)? })
}

const REPLACES: &str = "SELECT a.receipt_no FROM operation o JOIN operation_archive a ON a.operation_id = o.replaces
       WHERE o.operation_id = ?1
     UNION ALL SELECT a.receipt_no FROM operation_archive o JOIN operation_archive a ON a.operation_id = o.replaces
       WHERE o.operation_id = ?1";

const REPLACED_BY: &str = "SELECT receipt_no FROM operation WHERE replaces = ?1
     UNION ALL SELECT receipt_no FROM operation_archive WHERE replaces = ?1";

fn number(conn: &Connection, sql: &str, id: OperationId) -> Result<Option<ReceiptNo>, Fault> {
    let found: Option<String> =
        conn.prepare_cached(sql)?.query_row(params![Text(id)], |row| row.get(0)).optional()?;
    Ok(found.as_deref().and_then(receipt_no_of))
}

fn handed_in(conn: &Connection, id: OperationId) -> Result<Option<(HandedIn, OperationId)>, Fault> {
    let sql =
        "SELECT operation_id, kind, idempotency_key, payload_digest, accepted_at, origin_route, target_id
               FROM replacement WHERE operation_id = ?1";
    let found = conn.prepare_cached(sql)?.query_row(params![Text(id)], |row| {
        let handed_in = HandedIn {
            operation_id: row.get::<_, Text<_>>(0)?.0,
            kind: row.get::<_, Text<_>>(1)?.0,
            key: row.get::<_, Text<_>>(2)?.0,
            payload_digest: row.get::<_, Text<_>>(3)?.0,
            at: row.get::<_, Text<UtcMillis>>(4)?.0,
            route: row.get::<_, Word<OriginRoute>>(5)?.0,
        };
        Ok((handed_in, row.get::<_, Text<OperationId>>(6)?.0))
    });
    Ok(found.optional()?)
}
