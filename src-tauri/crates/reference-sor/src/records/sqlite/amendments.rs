//! Corrections and voids of what is recorded: what an `of` names, and what becomes of it.
//!
//! Promise: `of` names something of the same application, by the id of its operation or by its key; a hold that was placed
//! here without an operation by its own id.

use holdfast_core::holds::HoldType;
use holdfast_core::ids::{ApplicationId, IdempotencyKey};
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::{Body, Kind};
use holdfast_core::time::UtcMillis;
use rusqlite::{OptionalExtension as _, Transaction, params};
use serde_json::Value;

use super::super::Answer;
use super::codec::{self, stored};
use super::entries;
use crate::judge::Named;

const INSPECTION: &str = "SELECT n, state = 'voided' FROM inspections WHERE operation_id = ?1";
const ENTRY: &str = "SELECT n, voided_at IS NOT NULL FROM entries WHERE operation_id = ?1";

/// What the operation names.
pub(super) fn named(tx: &Transaction<'_>, body: &Body) -> Answer<Named> {
    let names = match body.kind {
        Kind::Correction | Kind::Void => true,
        Kind::Hold => HoldType::of(&body.payload) == Some(HoldType::Release),
        Kind::Application
        | Kind::Stage
        | Kind::Inspection
        | Kind::Notice
        | Kind::Fee
        | Kind::Note
        | Kind::Tag
        | Kind::Attachment => false,
    };
    let of = body.payload.get("of").and_then(Value::as_str).filter(|_| names);
    let Some(of) = of else { return Ok(Named::Nothing) };
    match operation(tx, of)? {
        Some((_, application_id, _)) if application_id != body.application_id => Ok(Named::Nothing),
        Some((operation_id, _, kind)) => of_operation(tx, &operation_id, kind),
        None => Ok(hold(tx, of, Some(body.application_id))?.unwrap_or(Named::Nothing)),
    }
}

/// The kind of the operation that an `of` names.
pub(super) fn kind_of(tx: &Transaction<'_>, of: &str) -> Answer<Option<Kind>> {
    Ok(operation(tx, of)?.map(|(_, _, kind)| kind))
}

/// What is named says from now on what the correction's payload says.
pub(super) fn correct(tx: &Transaction<'_>, body: &Body, named: &Named) -> Answer<()> {
    let payload = body.payload.get("payload").cloned().unwrap_or_default();
    let field = |name: &str| payload.get(name).and_then(Value::as_str);
    let text = payload.to_string();
    match named {
        Named::Application => tx.execute(
            "UPDATE applications SET payload = ?2 WHERE application_id = ?1",
            params![stored(&body.application_id), text],
        )?,
        Named::Inspection(n) => {
            let day = field("InspectedDate").or(field("ScheduledDate"));
            let update =
                "UPDATE inspections SET payload = json_patch(payload, ?2), date = coalesce(?4, date),
                 insp_type = coalesce(?3, insp_type), assignee = coalesce(?5, assignee) WHERE n = ?1";
            tx.execute(update, params![n, text, field("InspType"), day, field("Inspector")])?
        }
        Named::Hold(id) => tx.execute(
            "UPDATE holds SET type = coalesce(?2, type), reason = coalesce(?3, reason) WHERE hold_id = ?1",
            params![id, field("type"), field("reason")],
        )?,
        Named::Entry(n) => tx.execute("UPDATE entries SET payload = ?2 WHERE n = ?1", params![n, text])?,
        Named::Nothing | Named::Ended | Named::Fixed => 0,
    };
    Ok(())
}

/// What is named does not hold any more; the stage, if that makes the application another one.
pub(super) fn void(tx: &Transaction<'_>, named: &Named, at: UtcMillis) -> Answer<Option<Stage>> {
    match named {
        Named::Application => return Ok(Some(Stage::Voided)),
        Named::Inspection(n) => tx.execute("UPDATE inspections SET state = 'voided' WHERE n = ?1", [n])?,
        Named::Hold(id) => entries::release(tx, id, at)?,
        Named::Entry(n) => {
            tx.execute("UPDATE entries SET voided_at = ?2 WHERE n = ?1", params![n, at.millis()])?
        }
        Named::Nothing | Named::Ended | Named::Fixed => 0,
    };
    Ok(None)
}

fn operation(tx: &Transaction<'_>, of: &str) -> Answer<Option<(String, ApplicationId, Kind)>> {
    let key: Option<IdempotencyKey> = of.parse().ok();
    let mut select = tx.prepare_cached(
        "SELECT operation_id, application_id, kind FROM operations WHERE operation_id = ?1 OR key = ?2",
    )?;
    let found = select.query_row(params![of, key.as_ref().map(IdempotencyKey::bytes)], |row| {
        Ok((row.get(0)?, codec::text(row, 1)?, codec::text(row, 2)?))
    });
    Ok(found.optional()?)
}

fn of_operation(tx: &Transaction<'_>, operation_id: &str, kind: Kind) -> Answer<Named> {
    // Where there is no row any more, a later result has taken its place: what it said is told by that one.
    match kind {
        Kind::Application => Ok(Named::Application),
        Kind::Inspection => row_of(tx, INSPECTION, operation_id, Named::Inspection),
        Kind::Hold => Ok(hold(tx, operation_id, None)?.unwrap_or(Named::Fixed)),
        Kind::Notice | Kind::Fee | Kind::Note | Kind::Tag => row_of(tx, ENTRY, operation_id, Named::Entry),
        Kind::Stage | Kind::Correction | Kind::Void | Kind::Attachment => Ok(Named::Fixed),
    }
}

fn row_of(tx: &Transaction<'_>, select: &str, id: &str, named: fn(i64) -> Named) -> Answer<Named> {
    let mut select = tx.prepare_cached(select)?;
    let found: Option<(i64, bool)> =
        select.query_row([id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    Ok(found.map_or(Named::Fixed, |(n, ended)| if ended { Named::Ended } else { named(n) }))
}

fn hold(tx: &Transaction<'_>, hold_id: &str, of: Option<ApplicationId>) -> Answer<Option<Named>> {
    let mut select = tx.prepare_cached(
        "SELECT released_at IS NOT NULL FROM holds WHERE hold_id = ?1 AND (?2 IS NULL OR application_id = ?2)",
    )?;
    let found = select.query_row(params![hold_id, of.as_ref().map(stored)], |row| row.get(0)).optional()?;
    Ok(found.map(|ended: bool| if ended { Named::Ended } else { Named::Hold(hold_id.to_owned()) }))
}
