//! The first of each lane, kept up to date, and choosing among them without looking at a whole backlog.
//!
//! Promise: `head` marks the smallest (place, revision) of each application among what is neither committed nor voided,
//! and `lane_rank` says whether that lane holds an urgent operation; both change in the transaction that changes the lane.
//! What was recorded and is before a person all the same has left its lane.
//! The order is core's ([`holdfast_core::lane::order`]); the indices `operation_ready` and `operation_wait_*` follow it.

use holdfast_core::cascade::{InDoubt, Recorder};
use holdfast_core::ids::{ApplicationId, LocalSeq, OperationId};
use holdfast_core::lane::{Head, Place, Urgency};
use holdfast_core::limits::HEADS_WINDOW_ROWS;
use holdfast_core::time::Now;
use holdfast_station::ports::LaneTail;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use crate::columns::{Count, Text, Word};
use crate::fault::Fault;
use crate::operation;

/// Makes the first of a lane its head, and gives it back with the operation that it follows.
pub(crate) fn settle(
    tx: &Transaction<'_>,
    lane: ApplicationId,
) -> Result<Option<(OperationId, Option<OperationId>)>, Fault> {
    let sql = "SELECT local_seq, operation_id, after_op, head FROM operation WHERE application_id = ?1 AND out_of_lane = 0
               ORDER BY place, revision LIMIT 1";
    let first = tx.prepare_cached(sql)?.query_row(params![Text(lane)], |row| {
        let after = row.get::<_, Option<Text<OperationId>>>(2)?.map(|Text(id)| id);
        Ok((row.get::<_, i64>(0)?, row.get::<_, Text<OperationId>>(1)?.0, after, row.get::<_, bool>(3)?))
    });
    let Some((seq, id, after, is_head)) = first.optional()? else { return Ok(None) };
    if !is_head {
        let sql = "UPDATE operation SET head = 0 WHERE application_id = ?1 AND head = 1";
        tx.prepare_cached(sql)?.execute(params![Text(lane)])?;
        tx.prepare_cached("UPDATE operation SET head = 1 WHERE local_seq = ?1")?.execute([seq])?;
    }
    rank(tx, lane)?;
    Ok(Some((id, after)))
}

/// Lanes are short: their rows are few.
fn rank(tx: &Transaction<'_>, lane: ApplicationId) -> Result<(), Fault> {
    let sql = "SELECT min(CASE urgency WHEN 'urgent' THEN 0 ELSE 1 END) FROM operation WHERE application_id = ?1 AND out_of_lane = 0";
    let rank: i64 = tx.prepare_cached(sql)?.query_row(params![Text(lane)], |row| row.get(0))?;
    let sql = "UPDATE operation SET lane_rank = ?2 WHERE application_id = ?1 AND lane_rank <> ?2";
    tx.prepare_cached(sql)?.execute(params![Text(lane), rank])?;
    Ok(())
}

/// The last of a lane that is neither committed nor voided.
pub(crate) fn tail(conn: &Connection, lane: ApplicationId) -> Result<Option<LaneTail>, Fault> {
    let sql = "SELECT operation_id, state, place, revision FROM operation WHERE application_id = ?1 AND out_of_lane = 0
               ORDER BY place DESC, revision DESC LIMIT 1";
    let tail = conn.prepare_cached(sql)?.query_row(params![Text(lane)], |row| {
        Ok(LaneTail {
            operation_id: row.get::<_, Text<_>>(0)?.0,
            state: row.get::<_, Word<_>>(1)?.0,
            place: place_of(row, 2)?,
        })
    });
    Ok(tail.optional()?)
}

/// Where an operation stands in its lane.
pub(crate) fn place(conn: &Connection, id: OperationId) -> Result<Place, Fault> {
    let sql = "SELECT place, revision FROM operation WHERE operation_id = ?1";
    Ok(conn.prepare_cached(sql)?.query_row(params![Text(id)], |row| place_of(row, 0))?)
}

/// Ends the waits of heads that are over by either clock; so each is met once, however many wait.
pub(crate) fn end_waits_that_are_over(tx: &Transaction<'_>, now: Now) -> Result<(), Fault> {
    tx.prepare_cached(&end_over_sql())?.execute(params![now.wall.millis(), Count(now.boot.0)])?;
    Ok(())
}

/// A breaker closed: waits that were charged to its endpoint end.
pub(crate) fn end_endpoint_waits(tx: &Transaction<'_>, recorder: Recorder) -> Result<(), Fault> {
    tx.prepare_cached(END_ENDPOINT_WAITS)?.execute(params![Word(recorder)])?;
    Ok(())
}

/// Heads that may be the next at an endpoint: in order, at most [`HEADS_WINDOW_ROWS`] that wait for nothing, and behind them
/// as many that wait for an endpoint, since such a wait does not keep back a canary, nor an operation from the other
/// endpoint. What is in doubt at the mirror has a window of its own, so that neither hides the other; whether it may go,
/// core says.
pub(crate) fn candidates(conn: &Connection, recorder: Recorder) -> Result<Vec<Head>, Fault> {
    let windows: &[&str] = match recorder {
        Recorder::Primary => &[READY, WAITING_FOR_ENDPOINT, IN_DOUBT_AT_MIRROR],
        Recorder::Mirror => &[
            READY_AND_CERTAIN,
            WAITING_AND_CERTAIN,
            ASKED_TO_WAIT_BY_PRIMARY,
            IN_DOUBT_AT_MIRROR,
            IN_DOUBT_AT_PRIMARY,
        ],
    };
    let mut found = Vec::new();
    for which in windows {
        found.extend(heads(conn, which)?);
    }
    Ok(found)
}

/// Whether there is a head that waits for nothing, or only for the endpoint. One row of an index, however many there are.
pub(crate) fn any_sendable(conn: &Connection) -> Result<bool, Fault> {
    Ok(conn.prepare_cached(ANY_SENDABLE)?.query_row([], |row| row.get(0))?)
}

fn heads(conn: &Connection, which: &str) -> Result<Vec<Head>, Fault> {
    let mut statement = conn.prepare_cached(&heads_sql(which))?;
    let rows = statement.query_map([], head_of)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// How long the shortest wait of a head still is, in milliseconds.
pub(crate) fn next_wake_ms(conn: &Connection, now: Now) -> Result<Option<u64>, Fault> {
    let first = |end: &str| -> Result<Option<i64>, Fault> {
        let mut statement = conn.prepare_cached(&first_end_sql(end))?;
        Ok(statement.query_row([], |row| row.get(0)).optional()?)
    };
    let wall = first("wait_from_wall + wait_ms")?.map(|end| end.saturating_sub(now.wall.millis()));
    let boot_now = i64::try_from(now.boot.0).unwrap_or(i64::MAX);
    let boot = first("wait_from_boot + wait_ms")?.map(|end| end.saturating_sub(boot_now));
    let left = wall.into_iter().chain(boot).min();
    Ok(left.map(|left| u64::try_from(left).unwrap_or(0)))
}

/// The condition of the indices `operation_wait_*`.
const WAITING_HEADS: &str = "FROM operation WHERE head = 1 AND state = 'pending' AND wait_ms IS NOT NULL";

const END_ENDPOINT_WAITS: &str =
    "UPDATE operation SET wait_from_wall = NULL, wait_from_boot = NULL, wait_ms = NULL, wait_cause = NULL, wait_at = NULL
     WHERE wait_cause = 'endpoint' AND coalesce(wait_at, 'primary') = ?1";

fn end_over_sql() -> String {
    format!(
        "UPDATE operation SET wait_from_wall = NULL, wait_from_boot = NULL, wait_ms = NULL, wait_cause = NULL,
           wait_at = NULL
         WHERE local_seq IN (
           SELECT local_seq {WAITING_HEADS} AND wait_from_wall + wait_ms <= ?1 UNION ALL
           SELECT local_seq {WAITING_HEADS} AND wait_from_boot + wait_ms <= ?2 UNION ALL
           SELECT local_seq {WAITING_HEADS} AND wait_from_wall > ?1 AND wait_from_boot > ?2)"
    )
}

const ANY_SENDABLE: &str = "SELECT EXISTS (SELECT 1 FROM operation INDEXED BY operation_ready
     WHERE wait_ms IS NULL AND head = 1 AND state = 'pending')
   OR EXISTS (SELECT 1 FROM operation INDEXED BY operation_wait_cause
     WHERE wait_cause = 'endpoint' AND head = 1 AND state = 'pending')";

const READY: &str = "operation_ready WHERE wait_ms IS NULL AND doubt_at IS NOT 'mirror'";

/// Few, since each of them was attempted while the breaker was not open.
const WAITING_FOR_ENDPOINT: &str =
    "operation_wait_cause WHERE wait_cause = 'endpoint' AND doubt_at IS NOT 'mirror'";

const READY_AND_CERTAIN: &str = "operation_ready WHERE wait_ms IS NULL AND doubt = 'none'";
const WAITING_AND_CERTAIN: &str = "operation_wait_cause WHERE wait_cause = 'endpoint' AND doubt = 'none'";
/// Few, too: an endpoint that says how long it is away is asked nothing meanwhile.
const ASKED_TO_WAIT_BY_PRIMARY: &str =
    "operation_wait_cause WHERE wait_cause = 'retry_after' AND doubt = 'none' AND wait_at IS NOT 'mirror'";

/// Few: one at a time goes there.
const IN_DOUBT_AT_MIRROR: &str = "operation_in_doubt WHERE doubt_at = 'mirror'";
const IN_DOUBT_AT_PRIMARY: &str = "operation_in_doubt WHERE doubt_at = 'primary'";

fn heads_sql(which: &str) -> String {
    format!(
        "SELECT operation_id, application_id, place, revision, lane_rank, next_step, doubt,
                wait_from_wall, wait_from_boot, wait_ms, coalesce(wait_for, wait_cause), doubt_at, wait_at
         FROM operation INDEXED BY {which} AND head = 1 AND state = 'pending'
         ORDER BY lane_rank, place, revision LIMIT {HEADS_WINDOW_ROWS}"
    )
}

fn first_end_sql(end: &str) -> String {
    format!("SELECT {end} {WAITING_HEADS} ORDER BY {end} LIMIT 1")
}

fn head_of(row: &Row<'_>) -> rusqlite::Result<Head> {
    let doubt = row.get::<_, Word<_>>(6)?.0;
    Ok(Head {
        operation_id: row.get::<_, Text<_>>(0)?.0,
        application_id: row.get::<_, Text<_>>(1)?.0,
        place: place_of(row, 2)?,
        lane_urgency: if row.get(4)? { Urgency::Ordinary } else { Urgency::Urgent },
        wait: operation::wait_of(row, 7)?,
        next_step: row.get::<_, Word<_>>(5)?.0,
        doubt,
        in_doubt: InDoubt::of(doubt, operation::recorder_of(row, 11)?),
        wait_charged_to: operation::recorder_of(row, 12)?.unwrap_or(Recorder::Primary),
    })
}

fn place_of(row: &Row<'_>, first: usize) -> rusqlite::Result<Place> {
    Ok(Place { place: LocalSeq(row.get::<_, Count>(first)?.0), revision: row.get(first + 1)? })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::migrate::MIGRATIONS;

    /// What the engine means to do.
    fn plan(sql: &str) -> String {
        let conn = Connection::open_in_memory().unwrap();
        for migration in MIGRATIONS {
            conn.execute_batch(migration.sql).unwrap();
        }
        let sql = format!("EXPLAIN QUERY PLAN {sql}").replace("?1", "1").replace("?2", "2");
        let mut statement = conn.prepare(&sql).unwrap();
        let lines = statement.query_map([], |row| row.get::<_, String>(3)).unwrap();
        lines.map(Result::unwrap).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn choosing_looks_at_indices_and_never_at_the_whole_backlog() {
        let over = plan(&end_over_sql());
        for index in ["operation_wait_wall", "operation_wait_boot", "operation_wait_from"] {
            assert!(over.contains(index), "{index} in {over}");
        }
        for (sql, index) in [
            (heads_sql(READY), "operation_ready"),
            (heads_sql(READY_AND_CERTAIN), "operation_ready"),
            (heads_sql(IN_DOUBT_AT_MIRROR), "operation_in_doubt"),
            (heads_sql(IN_DOUBT_AT_PRIMARY), "operation_in_doubt"),
            (ANY_SENDABLE.to_owned(), "operation_ready"),
            (ANY_SENDABLE.to_owned(), "operation_wait_cause"),
            (first_end_sql("wait_from_wall + wait_ms"), "operation_wait_wall"),
            (first_end_sql("wait_from_boot + wait_ms"), "operation_wait_boot"),
            (END_ENDPOINT_WAITS.to_owned(), "operation_wait_cause"),
        ] {
            let plan = plan(&sql);
            assert!(plan.contains(index) && !plan.contains("TEMP B-TREE"), "{index} in {plan}");
        }
        for which in [WAITING_FOR_ENDPOINT, WAITING_AND_CERTAIN, ASKED_TO_WAIT_BY_PRIMARY] {
            let waiting = plan(&heads_sql(which));
            assert!(waiting.contains("operation_wait_cause"), "{waiting}");
        }
    }
}
