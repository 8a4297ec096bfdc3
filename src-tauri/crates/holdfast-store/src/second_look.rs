//! The table `second_look`: what is looked at once more after it was recorded, until that look has ended.
//!
//! Promise: due by the clock that nobody sets; a row that is due is found by an index, and one whose operation is recorded
//! no longer goes without a look.

use holdfast_core::ids::OperationId;
use holdfast_core::time::Now;
use holdfast_station::ports::{Decide, DueLook, JournalError, LookEnd, LookFacts, Said, SecondLooks};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use crate::columns::{Count, Text};
use crate::fault::Fault;
use crate::store::Store;
use crate::turn::Turn;
use crate::twin;
use crate::writer::WhenFull;

impl SecondLooks for Store {
    fn second_looks(&self, now: Now, rows_max: u32) -> Result<Vec<DueLook>, JournalError> {
        self.read(|tx| due(tx, now, rows_max))
    }

    fn end_second_look(
        &self,
        now: Now,
        operation: OperationId,
        decide: Decide<LookFacts, LookEnd>,
    ) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| end(turn, operation, decide))
    }

    fn keep_later_look(
        &self,
        now: Now,
        operation: OperationId,
        decide: Decide<LookFacts, LookEnd>,
    ) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| match later_facts(turn, operation)? {
            Some(facts) => carry_out(turn, operation, decide(&facts)),
            None => Ok(()),
        })
    }

    fn said(&self, operation: OperationId) -> Result<Said, JournalError> {
        self.read(|tx| twin::said(tx, operation))
    }
}

/// From `now` on so many milliseconds have to go by; a plan that is there already is replaced.
pub(crate) fn plan(tx: &Transaction<'_>, id: OperationId, now: Now, wait_ms: u64) -> Result<(), Fault> {
    let sql = "INSERT INTO second_look (operation_id, from_wall, from_boot, wait_ms, looks) VALUES (?1, ?2, ?3, ?4, 0)
               ON CONFLICT (operation_id) DO UPDATE SET from_wall = ?2, from_boot = ?3, wait_ms = ?4, looks = 0";
    let (wall, boot) = (now.wall.millis(), Count(now.boot.0));
    tx.prepare_cached(sql)?.execute(params![Text(id), wall, boot, Count(wait_ms)])?;
    Ok(())
}

/// The machine was started again since where its clock has gone back: all that it says has gone by since then.
const DUE: &str =
    "SELECT operation_id FROM second_look INDEXED BY second_look_due WHERE from_boot + wait_ms <= ?1 UNION ALL
     SELECT operation_id FROM second_look INDEXED BY second_look_from WHERE from_boot > ?1 AND wait_ms <= ?1";

fn due(conn: &Connection, now: Now, rows_max: u32) -> Result<Vec<DueLook>, Fault> {
    let sql = format!(
        "SELECT a.operation_id, a.application_id, a.kind, a.idempotency_key, a.payload_digest, a.record_id, a.body
         FROM operation_archive a WHERE a.state = 'committed' AND a.operation_id IN ({DUE})
         ORDER BY a.local_seq LIMIT ?2"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let rows = statement.query_map(params![Count(now.boot.0), rows_max], due_of)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn due_of(row: &Row<'_>) -> rusqlite::Result<DueLook> {
    Ok(DueLook {
        operation_id: row.get::<_, Text<_>>(0)?.0,
        application_id: row.get::<_, Text<_>>(1)?.0,
        kind: row.get::<_, Text<_>>(2)?.0,
        key: row.get::<_, Text<_>>(3)?.0,
        payload_digest: row.get::<_, Text<_>>(4)?.0,
        record_id: row.get::<_, Text<_>>(5)?.0,
        body: row.get(6)?,
    })
}

fn end(turn: &mut Turn<'_>, id: OperationId, decide: Decide<LookFacts, LookEnd>) -> Result<(), Fault> {
    let Some(facts) = facts(turn, id)? else { return forget(&turn.tx, id) };
    carry_out(turn, id, decide(&facts))
}

fn carry_out(turn: &mut Turn<'_>, id: OperationId, end: LookEnd) -> Result<(), Fault> {
    match end {
        LookEnd::Over { entry } => {
            forget(&turn.tx, id)?;
            turn.audit(entry)
        }
        LookEnd::Again { wait_ms } => again(turn, id, wait_ms),
        LookEnd::Twin { record_ids, entry } => {
            forget(&turn.tx, id)?;
            twin::found_recorded(turn, id, &record_ids)?;
            turn.audit(entry)
        }
    }
}

fn facts(turn: &Turn<'_>, id: OperationId) -> Result<Option<LookFacts>, Fault> {
    let sql = "SELECT l.looks, a.record_id FROM second_look l JOIN operation_archive a ON a.operation_id = l.operation_id
               WHERE l.operation_id = ?1 AND a.state = 'committed'";
    let stamp = turn.trail.stamp();
    let facts = turn.tx.prepare_cached(sql)?.query_row(params![Text(id)], |row| {
        Ok(LookFacts { stamp, looks: row.get(0)?, record_id: row.get::<_, Text<_>>(1)?.0 })
    });
    Ok(facts.optional()?)
}

/// Such looks are not counted.
fn later_facts(turn: &Turn<'_>, id: OperationId) -> Result<Option<LookFacts>, Fault> {
    let sql = "SELECT record_id FROM operation_archive WHERE operation_id = ?1 AND state = 'committed'
                 AND NOT EXISTS (SELECT 1 FROM twin WHERE operation_id = ?1)";
    let stamp = turn.trail.stamp();
    let facts = turn.tx.prepare_cached(sql)?.query_row(params![Text(id)], |row| {
        Ok(LookFacts { stamp, looks: 0, record_id: row.get::<_, Text<_>>(0)?.0 })
    });
    Ok(facts.optional()?)
}

fn again(turn: &Turn<'_>, id: OperationId, wait_ms: u64) -> Result<(), Fault> {
    let sql = "UPDATE second_look SET from_wall = ?2, from_boot = ?3, wait_ms = ?4, looks = looks + 1
               WHERE operation_id = ?1";
    let (wall, boot) = (turn.now.wall.millis(), Count(turn.now.boot.0));
    turn.tx.prepare_cached(sql)?.execute(params![Text(id), wall, boot, Count(wait_ms)])?;
    Ok(())
}

fn forget(tx: &Transaction<'_>, id: OperationId) -> Result<(), Fault> {
    tx.prepare_cached("DELETE FROM second_look WHERE operation_id = ?1")?.execute(params![Text(id)])?;
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::migrate::MIGRATIONS;

    #[test]
    fn what_is_due_is_found_by_indices() {
        let conn = Connection::open_in_memory().unwrap();
        for migration in MIGRATIONS {
            conn.execute_batch(migration.sql).unwrap();
        }
        let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {DUE}").replace("?1", "1")).unwrap();
        let lines = statement.query_map([], |row| row.get::<_, String>(3)).unwrap();
        let plan = lines.map(Result::unwrap).collect::<Vec<_>>().join("\n");
        assert!(plan.contains("second_look_due") && plan.contains("second_look_from"), "{plan}");
    }
}
