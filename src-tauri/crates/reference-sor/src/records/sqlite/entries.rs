//! What is kept of an application beside its fields: holds, notices, fees, notes and tags.
//!
//! Promise: everything that was recorded stays; a release and a void say that it ended, and a correction what it says now.

use holdfast_core::holds::HoldType;
use holdfast_core::ids::ApplicationId;
use holdfast_core::operation::{Body, Kind};
use holdfast_core::tags::{self, TagLevel};
use holdfast_core::time::UtcMillis;
use rusqlite::{Row, Transaction, params};
use serde_json::Value;

use super::super::{Answer, Beside, EntryRow, HoldRow, TagShown};
use super::codec::{self, stored};
use crate::judge::OpenHolds;

/// Holds and entries that one application's view names, in rows each.
const ENTRIES_MAX_ROWS: u32 = 500;

/// A hold that is placed.
pub(super) struct NewHold {
    pub(super) hold_id: String,
    pub(super) application_id: ApplicationId,
    pub(super) kind: HoldType,
    pub(super) reason: String,
    pub(super) placed_by: String,
    pub(super) placed_at: UtcMillis,
}

pub(super) fn place(tx: &Transaction<'_>, hold: &NewHold) -> Answer<()> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO holds (hold_id, application_id, type, reason, placed_by, placed_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    insert.execute(params![
        hold.hold_id,
        stored(&hold.application_id),
        hold.kind.word(),
        hold.reason,
        hold.placed_by,
        hold.placed_at.millis(),
    ])?;
    Ok(())
}

/// How many were open until now: one or none.
pub(super) fn release(tx: &Transaction<'_>, hold_id: &str, at: UtcMillis) -> Answer<usize> {
    let mut update =
        tx.prepare_cached("UPDATE holds SET released_at = ?2 WHERE hold_id = ?1 AND released_at IS NULL")?;
    Ok(update.execute(params![hold_id, at.millis()])?)
}

pub(super) fn open_holds(tx: &Transaction<'_>, id: ApplicationId) -> Answer<OpenHolds> {
    let mut select = tx.prepare_cached(
        "SELECT 1 FROM holds
         WHERE application_id = ?1 AND released_at IS NULL AND type IN ('stop-work', 'hold')",
    )?;
    Ok(if select.exists([stored(&id)])? { OpenHolds::KeepBack } else { OpenHolds::None })
}

pub(super) fn add(tx: &Transaction<'_>, body: &Body) -> Answer<()> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO entries (operation_id, application_id, kind, payload, actor, accepted_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    insert.execute(params![
        stored(&body.operation_id),
        stored(&body.application_id),
        body.kind.word(),
        body.payload.to_string(),
        body.actor.as_str(),
        body.accepted_at.millis(),
    ])?;
    Ok(())
}

/// All of it, as an application's view shows it.
pub(super) fn beside(tx: &Transaction<'_>, id: ApplicationId) -> Answer<Beside> {
    let holds = holds(tx, id)?;
    let entries = entries(tx, id)?;
    let of = |kind: Kind| entries.iter().filter(|entry| entry.kind == kind).cloned().collect::<Vec<_>>();
    let tags = of(Kind::Tag);
    Ok(Beside {
        open_holds: holds.iter().filter(|hold| hold.released_at.is_none()).count(),
        tags_shown: shown(&tags),
        holds,
        tags,
        notices: of(Kind::Notice),
        fees: of(Kind::Fee),
        notes: of(Kind::Note),
    })
}

/// For each building the strictest of its tags that hold.
fn shown(tags: &[EntryRow]) -> Vec<TagShown> {
    let building = |tag: &EntryRow| tag.payload.get("building").and_then(Value::as_str).map(str::to_owned);
    let mut buildings: Vec<_> = tags.iter().map(building).collect();
    buildings.sort();
    buildings.dedup();
    let strictest = |wanted: &Option<String>| {
        let of_it = tags.iter().filter(|tag| tag.voided_at.is_none() && building(tag) == *wanted);
        tags::shown(of_it.filter_map(|tag| TagLevel::of(&tag.payload)))
    };
    let shown = buildings.into_iter().map(|building| (strictest(&building), building));
    shown.filter_map(|(level, building)| level.map(|level| TagShown { building, level })).collect()
}

fn holds(tx: &Transaction<'_>, id: ApplicationId) -> Answer<Vec<HoldRow>> {
    let mut select = tx.prepare_cached(
        "SELECT hold_id, type, reason, placed_by, placed_at, released_at FROM holds
         WHERE application_id = ?1 ORDER BY released_at IS NOT NULL, n LIMIT ?2",
    )?;
    let rows = select.query_map(params![stored(&id), ENTRIES_MAX_ROWS], |row| {
        let kind = HoldType::from_word(row.get_ref(1)?.as_str()?);
        Ok(HoldRow {
            hold_id: row.get(0)?,
            kind: kind.ok_or(rusqlite::Error::InvalidQuery)?,
            reason: row.get(2)?,
            placed_by: row.get(3)?,
            placed_at: codec::time(row, 4)?,
            released_at: ended(row, 5)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn entries(tx: &Transaction<'_>, id: ApplicationId) -> Answer<Vec<EntryRow>> {
    let mut select = tx.prepare_cached(
        "SELECT operation_id, kind, payload, actor, accepted_at, voided_at FROM entries
         WHERE application_id = ?1 ORDER BY n DESC LIMIT ?2",
    )?;
    let rows = select.query_map(params![stored(&id), ENTRIES_MAX_ROWS], |row| {
        Ok(EntryRow {
            operation_id: codec::text(row, 0)?,
            kind: codec::text(row, 1)?,
            payload: codec::json(row, 2)?,
            actor: codec::text(row, 3)?,
            accepted_at: codec::time(row, 4)?,
            voided_at: ended(row, 5)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn ended(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<UtcMillis>> {
    let at: Option<i64> = row.get(column)?;
    at.map(|_| codec::time(row, column)).transpose()
}
