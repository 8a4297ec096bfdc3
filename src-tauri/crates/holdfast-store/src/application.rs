//! The table `application`: every application as it stands here.

use holdfast_core::ids::{ApplicationId, ETag, PermitNum, ReceiptNo};
use holdfast_core::lifecycle::Stage;
use holdfast_core::outcome::ReceiptBody;
use holdfast_core::time::UtcMillis;
use holdfast_station::ports::{ApplicationChange, ApplicationRecord, Page, Taken};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::{Map, Value};

use crate::columns::{Json, Text, text};
use crate::fault::Fault;
use crate::find;

/// What [`record_of`] reads.
pub(crate) const NAMES: &str =
    "application_id, permit_num, stage, payload, etag, record_id, waiting, updated_at";

/// The next position in the order of changes.
const NEXT_CHANGE: &str = "(SELECT coalesce(max(changed), 0) + 1 FROM application)";

/// How the application stands after an acceptance: one operation more waits. `intake` is the receipt number, when that
/// operation is the one that took it in.
pub(crate) fn accepted(
    tx: &Transaction<'_>,
    change: &ApplicationChange,
    intake: Option<&ReceiptNo>,
    at: UtcMillis,
) -> Result<(), Fault> {
    let sql = format!(
        "INSERT INTO application (application_id, stage, payload, permit_num, waiting, updated_at, receipt_no, changed)
         VALUES (?1, ?2, coalesce(?3, '{{}}'), ?4, 1, ?5, ?6, {NEXT_CHANGE})
         ON CONFLICT (application_id) DO UPDATE SET stage = ?2, payload = coalesce(?3, payload),
           permit_num = coalesce(?4, permit_num), waiting = waiting + 1, updated_at = ?5,
           receipt_no = coalesce(receipt_no, ?6), changed = {NEXT_CHANGE}"
    );
    tx.prepare_cached(&sql)?.execute(params![
        Text(change.application_id),
        Text(change.stage),
        change.payload.as_ref().map(Json),
        change.permit_num.as_ref().map(Text),
        Text(at),
        intake.map(Text),
    ])?;
    find::refresh(tx, change.application_id)
}

/// How it stands after the SoR has recorded one of its operations: one less waits.
pub(crate) fn committed(
    tx: &Transaction<'_>,
    receipt: &ReceiptBody,
    stage: Option<Stage>,
    at: UtcMillis,
) -> Result<(), Fault> {
    let sql = format!(
        "UPDATE application SET stage = coalesce(?2, stage), permit_num = coalesce(?3, permit_num), etag = ?4,
           record_id = ?5, waiting = waiting - 1, updated_at = ?6, changed = {NEXT_CHANGE} WHERE application_id = ?1"
    );
    tx.prepare_cached(&sql)?.execute(params![
        Text(receipt.application_id),
        stage.map(Text),
        receipt.permit_num.as_ref().map(Text),
        Text(&receipt.etag),
        Text(&receipt.record_id),
        Text(at),
    ])?;
    match &receipt.permit_num {
        Some(_) => find::refresh(tx, receipt.application_id),
        None => Ok(()),
    }
}

/// Which record of several is the application's from now on.
pub(crate) fn is_record(tx: &Transaction<'_>, receipt: &ReceiptBody) -> Result<(), Fault> {
    let sql = "UPDATE application SET record_id = ?2 WHERE application_id = ?1";
    tx.prepare_cached(sql)?.execute(params![Text(receipt.application_id), Text(&receipt.record_id)])?;
    Ok(())
}

/// One operation less waits.
pub(crate) fn one_less(tx: &Transaction<'_>, id: ApplicationId) -> Result<(), Fault> {
    let sql = "UPDATE application SET waiting = waiting - 1 WHERE application_id = ?1";
    tx.prepare_cached(sql)?.execute(params![Text(id)])?;
    Ok(())
}

/// How it stands after a person has seen what the SoR has, and chosen; `fields` when the SoR's are shown.
pub(crate) fn taken(
    tx: &Transaction<'_>,
    id: ApplicationId,
    taken: &Taken,
    fields: Option<&Map<String, Value>>,
) -> Result<(), Fault> {
    let sql = format!(
        "UPDATE application SET stage = ?2, payload = coalesce(?3, payload), permit_num = coalesce(?4, permit_num),
           etag = ?5, record_id = ?6, updated_at = ?7, changed = {NEXT_CHANGE} WHERE application_id = ?1"
    );
    let theirs = &taken.theirs;
    tx.prepare_cached(&sql)?.execute(params![
        Text(id),
        Text(taken.stage),
        fields.map(Json),
        theirs.permit_num.as_ref().map(Text),
        Text(&theirs.etag),
        Text(&theirs.record_id),
        Text(taken.at),
    ])?;
    find::refresh(tx, id)
}

/// How it stands after a person has taken one of its operations back: one less waits.
pub(crate) fn voided(
    tx: &Transaction<'_>,
    id: ApplicationId,
    stage: Stage,
    at: UtcMillis,
) -> Result<(), Fault> {
    let sql = format!(
        "UPDATE application SET stage = ?2, waiting = waiting - 1, updated_at = ?3, changed = {NEXT_CHANGE}
         WHERE application_id = ?1"
    );
    tx.prepare_cached(&sql)?.execute(params![Text(id), Text(stage), Text(at)])?;
    Ok(())
}

/// How it stands when so many of its recorded operations wait again: at the version before them, or, when its own intake is
/// among them, without a record.
pub(crate) fn unrecorded(
    tx: &Transaction<'_>,
    id: ApplicationId,
    count: u32,
    etag: Option<&ETag>,
    is_without_record: bool,
) -> Result<(), Fault> {
    let sql = format!(
        "UPDATE application SET waiting = waiting + ?2, etag = ?3, record_id = CASE WHEN ?4 THEN NULL ELSE record_id END,
           changed = {NEXT_CHANGE} WHERE application_id = ?1"
    );
    tx.prepare_cached(&sql)?.execute(params![Text(id), count, etag.map(Text), is_without_record])?;
    Ok(())
}

/// Its stage from now on.
pub(crate) fn stands(tx: &Transaction<'_>, id: ApplicationId, stage: Stage) -> Result<(), Fault> {
    let sql = "UPDATE application SET stage = ?2 WHERE application_id = ?1";
    tx.prepare_cached(sql)?.execute(params![Text(id), Text(stage)])?;
    Ok(())
}

/// What it says from now on.
pub(crate) fn says(tx: &Transaction<'_>, id: ApplicationId, payload: &Value) -> Result<(), Fault> {
    let sql =
        format!("UPDATE application SET payload = ?2, changed = {NEXT_CHANGE} WHERE application_id = ?1");
    tx.prepare_cached(&sql)?.execute(params![Text(id), Json(payload)])?;
    find::refresh(tx, id)
}

pub(crate) fn record(conn: &Connection, id: ApplicationId) -> Result<Option<ApplicationRecord>, Fault> {
    let mut statement =
        conn.prepare_cached(&format!("SELECT {NAMES} FROM application WHERE application_id = ?1"))?;
    Ok(statement.query_row(params![Text(id)], record_of).optional()?)
}

/// Latest change first.
pub(crate) fn page(conn: &Connection, page: Page) -> Result<Vec<ApplicationRecord>, Fault> {
    let sql = format!("SELECT {NAMES} FROM application ORDER BY changed DESC LIMIT ?1 OFFSET ?2");
    let mut statement = conn.prepare_cached(&sql)?;
    let rows = statement.query_map(params![page.rows, page.skip], record_of)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(crate) fn record_of(row: &Row<'_>) -> rusqlite::Result<ApplicationRecord> {
    Ok(ApplicationRecord {
        application_id: row.get::<_, Text<_>>(0)?.0,
        permit_num: text::<PermitNum>(row.get(1)?),
        stage: row.get::<_, Text<_>>(2)?.0,
        payload: row.get::<_, Json<_>>(3)?.0,
        etag: text(row.get(4)?),
        record_id: text(row.get(5)?),
        waiting: row.get(6)?,
        updated_at: row.get::<_, Text<_>>(7)?.0,
    })
}
