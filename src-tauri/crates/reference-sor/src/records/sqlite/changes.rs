//! What changed: each application at the place of its last change.
//!
//! Promise: whatever gives an application another version, an operation or somebody at city hall, moves it to the end.
//! Positions only rise, and nothing is ever taken out, so that who reads on from a position misses nothing.

use rusqlite::{Transaction, params};

use super::super::{Answer, ApplicationCopy, ChangedApplication};
use super::codec;
use super::reading::application_row;

/// The next position in the order of changes.
pub(super) const NEXT_CHANGE: &str = "(SELECT coalesce(max(changed), 0) + 1 FROM applications)";

pub(super) fn after(tx: &Transaction<'_>, since: i64, limit_rows: u32) -> Answer<Vec<ChangedApplication>> {
    let mut select = tx.prepare_cached(
        "SELECT n, application_id, record_id, permit_num, etag, stage, updated_at, payload, changed FROM applications
         WHERE changed > ?1 ORDER BY changed LIMIT ?2",
    )?;
    let rows = select.query_map(params![since, limit_rows], |row| {
        let copy = ApplicationCopy { row: application_row(row)?, payload: codec::json(row, 7)? };
        Ok(ChangedApplication { changed: row.get(8)?, copy })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn last(tx: &Transaction<'_>) -> Answer<i64> {
    let mut select = tx.prepare_cached("SELECT coalesce(max(changed), 0) FROM applications")?;
    Ok(select.query_row([], |row| row.get(0))?)
}
