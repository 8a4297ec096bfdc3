//! The tables `outage_try` and `outage_hold`: what was tried in an outage, and who held the endpoint in it.
//!
//! Promise: of the tries the first and the latest are kept, and their number whole: an outage of six weeks takes no more
//! room than one of a day, and says how many were left out.

use holdfast_core::ids::OutageId;
use holdfast_station::ports::{
    FIRST_TRIES_KEPT_ROWS, HOLDS_LISTED_MAX_ROWS, HeldTime, HoldChange, LATEST_TRIES_KEPT_ROWS, Try,
};
use rusqlite::{Connection, Row, Transaction, params};

use crate::columns::{Count, Text, Word, text};
use crate::fault::Fault;

/// Enters a try.
pub(crate) fn enter(tx: &Transaction<'_>, tried: &Try) -> Result<(), Fault> {
    let sql = "UPDATE outage SET tries = tries + 1, announced_until = coalesce(?2, announced_until)
               WHERE outage_id = ?1 RETURNING tries";
    let id = Text(tried.outage_id);
    let n: i64 =
        tx.prepare_cached(sql)?.query_row(params![id, tried.announced_until.map(Text)], |row| row.get(0))?;
    let sql = "INSERT INTO outage_try (outage_id, n, at, what, outcome, next_try_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    tx.prepare_cached(sql)?.execute(params![
        id,
        n,
        Text(tried.at),
        Word(tried.what),
        tried.outcome,
        tried.next_try_at.map(Text),
    ])?;
    let too_old = n - i64::from(LATEST_TRIES_KEPT_ROWS);
    if too_old > i64::from(FIRST_TRIES_KEPT_ROWS) {
        let sql = "DELETE FROM outage_try WHERE outage_id = ?1 AND n = ?2";
        tx.prepare_cached(sql)?.execute(params![id, too_old])?;
    }
    Ok(())
}

/// The tries of an outage that are kept, with their numbers.
pub(crate) fn all(conn: &Connection, id: OutageId) -> Result<Vec<(u64, Try)>, Fault> {
    let sql = "SELECT n, at, what, outcome, next_try_at FROM outage_try WHERE outage_id = ?1 ORDER BY n";
    let mut statement = conn.prepare_cached(sql)?;
    let rows = statement.query_map(params![Text(id)], |row| try_of(row, id))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn try_of(row: &Row<'_>, outage_id: OutageId) -> rusqlite::Result<(u64, Try)> {
    let tried = Try {
        outage_id,
        at: row.get::<_, Text<_>>(1)?.0,
        what: row.get::<_, Word<_>>(2)?.0,
        outcome: row.get(3)?,
        next_try_at: text(row.get(4)?),
        announced_until: None,
    };
    Ok((row.get::<_, Count>(0)?.0, tried))
}

/// Enters what became of a hold.
pub(crate) fn hold(tx: &Transaction<'_>, id: OutageId, change: &HoldChange) -> Result<(), Fault> {
    let at = match change {
        HoldChange::Placed(held) => held.held_at,
        HoldChange::Ended { at } => *at,
    };
    // One whose time is over has ended by itself.
    let sql = "UPDATE outage_hold SET ended_at = ?2 WHERE outage_id = ?1 AND ended_at IS NULL AND until > ?2";
    tx.execute(sql, params![Text(id), Text(at)])?;
    match change {
        HoldChange::Ended { .. } => Ok(()),
        HoldChange::Placed(held) => {
            let sql = "INSERT INTO outage_hold (outage_id, n, held_at, until, held_by, reason)
                       SELECT ?1, 1 + coalesce(max(n), 0), ?2, ?3, ?4, ?5 FROM outage_hold WHERE outage_id = ?1";
            let (held_at, until, by) = (Text(held.held_at), Text(held.until), Text(&held.by));
            tx.execute(sql, params![Text(id), held_at, until, by, held.reason])?;
            Ok(())
        }
    }
}

/// When persons held the endpoint; the latest of them.
pub(crate) fn holds(conn: &Connection, id: OutageId) -> Result<Vec<HeldTime>, Fault> {
    let sql = "SELECT held_at, until, held_by, reason, ended_at FROM
                 (SELECT * FROM outage_hold WHERE outage_id = ?1 ORDER BY n DESC LIMIT ?2) ORDER BY n";
    let mut statement = conn.prepare_cached(sql)?;
    let rows = statement.query_map(params![Text(id), HOLDS_LISTED_MAX_ROWS], held_of)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn held_of(row: &Row<'_>) -> rusqlite::Result<HeldTime> {
    Ok(HeldTime {
        held_at: row.get::<_, Text<_>>(0)?.0,
        until: row.get::<_, Text<_>>(1)?.0,
        by: row.get::<_, Text<_>>(2)?.0,
        reason: row.get(3)?,
        ended_at: text(row.get(4)?),
    })
}
