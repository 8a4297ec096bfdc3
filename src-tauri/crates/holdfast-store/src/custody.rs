//! The table `custody`, and what of its copy stands beside an operation.
//!
//! Promise: whatever the mirror may hold is written down before it is asked, and stays written down until it has let go of it:
//! nothing that is recorded, or was taken back, is left lying there. What is next is found by an index, however many wait.

use std::collections::BTreeSet;

use holdfast_core::audit::Entry;
use holdfast_core::beside::MirrorPart;
use holdfast_core::custody::Copied;
use holdfast_core::ids::{IdempotencyKey, OperationId};
use holdfast_core::lane::Urgency;
use holdfast_core::time::Now;
use holdfast_station::ports::{CopyDue, CustodyCopies, CustodyCounts, JournalError, ReleaseDue};
use rusqlite::{Connection, Row, Transaction, params};

use crate::beside;
use crate::columns::{Count, Text, Word};
use crate::fault::Fault;
use crate::store::Store;
use crate::turn::Turn;
use crate::writer::WhenFull;

impl CustodyCopies for Store {
    fn begin_copies(&self, copied: Copied, rows: u32) -> Result<Vec<CopyDue>, JournalError> {
        // Most looks find nothing, and then the writer is left alone.
        if self.read(|tx| due(tx, copied, 1))?.is_empty() {
            return Ok(Vec::new());
        }
        self.write_untold(move |tx| begin(tx, copied, rows))
    }

    fn copy_held(&self, now: Now, id: OperationId, entry: Entry) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| held(turn, id, entry))
    }

    fn copy_refused(&self, now: Now, id: OperationId, entry: Entry) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| refused(turn, id, entry))
    }

    fn releases_due(&self, rows: u32) -> Result<Vec<ReleaseDue>, JournalError> {
        self.read(|tx| leaving(tx, rows))
    }

    fn copy_released(&self, now: Now, id: OperationId, entry: Entry) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| {
            forget(&turn.tx, id)?;
            turn.audit(entry)
        })
    }

    fn custody_counts(&self) -> Result<Option<CustodyCounts>, JournalError> {
        self.read(|tx| match beside::mirror_part(tx)? {
            Some(MirrorPart::Custody) => counts(tx).map(Some),
            Some(MirrorPart::Authoritative) | None => Ok(None),
        })
    }

    fn in_custody(&self, keys: &[IdempotencyKey]) -> Result<BTreeSet<IdempotencyKey>, JournalError> {
        self.read(|tx| {
            let sql = "SELECT 1 FROM custody WHERE idempotency_key = ?1 AND state = 'held'";
            let mut select = tx.prepare_cached(sql)?;
            let mut found = BTreeSet::new();
            for key in keys {
                if select.exists([Text(key)])? {
                    found.insert(*key);
                }
            }
            Ok(found)
        })
    }
}

/// An operation leaves the backlog: the mirror is to let go of what it holds, or may hold, of it.
pub(crate) fn leave(tx: &Transaction<'_>, id: OperationId) -> Result<(), Fault> {
    let sql = "UPDATE custody SET state = 'leaving' WHERE operation_id = ?1";
    tx.prepare_cached(sql)?.execute([Text(id)])?;
    Ok(())
}

fn begin(tx: &Transaction<'_>, copied: Copied, rows: u32) -> Result<Vec<CopyDue>, Fault> {
    let due = due(tx, copied, rows)?;
    // What is to be released and waits again is no longer to be released.
    let sql = "INSERT INTO custody (local_seq, operation_id, idempotency_key, state)
               SELECT local_seq, operation_id, idempotency_key, 'asked' FROM operation WHERE operation_id = ?1
               ON CONFLICT (local_seq) DO UPDATE SET state = 'asked'";
    let mut enter = tx.prepare_cached(sql)?;
    for copy in &due {
        enter.execute([Text(copy.operation_id)])?;
    }
    Ok(due)
}

const DUE: &str =
    "SELECT operation_id, idempotency_key, accepted_at, body FROM operation INDEXED BY operation_uncopied
                   WHERE copy IS NULL AND out_of_lane = 0 AND urgency = ?1 ORDER BY local_seq LIMIT ?2";

fn due(conn: &Connection, copied: Copied, rows: u32) -> Result<Vec<CopyDue>, Fault> {
    let mut found = Vec::new();
    for urgency in [Urgency::Urgent, Urgency::Ordinary] {
        let left = rows.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
        let mut statement = conn.prepare_cached(DUE)?;
        let next = statement.query_map(params![Word(urgency), left], due_of)?;
        let next: Vec<CopyDue> = next.collect::<rusqlite::Result<_>>()?;
        // Times of acceptance rise with the numbers: behind one that is too young there is none that is old enough.
        found.extend(next.into_iter().take_while(|copy| copied.covers(copy.accepted_at)));
    }
    Ok(found)
}

fn due_of(row: &Row<'_>) -> rusqlite::Result<CopyDue> {
    Ok(CopyDue {
        operation_id: row.get::<_, Text<_>>(0)?.0,
        key: row.get::<_, Text<_>>(1)?.0,
        accepted_at: row.get::<_, Text<_>>(2)?.0,
        body: row.get(3)?,
    })
}

/// An operation that was disposed of while the mirror was asked is released next.
fn held(turn: &mut Turn<'_>, id: OperationId, entry: Entry) -> Result<(), Fault> {
    let (tx, at) = (&turn.tx, turn.trail.stamp().at);
    let sql = "UPDATE custody SET state = 'held', held_at = ?2 WHERE operation_id = ?1 AND state = 'asked'";
    if tx.prepare_cached(sql)?.execute(params![Text(id), Text(at)])? == 1 {
        stands(tx, id, "held")?;
    }
    turn.audit(entry)
}

fn refused(turn: &mut Turn<'_>, id: OperationId, entry: Entry) -> Result<(), Fault> {
    forget(&turn.tx, id)?;
    stands(&turn.tx, id, "refused")?;
    turn.audit(entry)
}

/// Nothing to do when the operation is no longer here.
fn stands(tx: &Transaction<'_>, id: OperationId, copy: &str) -> Result<(), Fault> {
    let sql = "UPDATE operation SET copy = ?2 WHERE operation_id = ?1";
    tx.prepare_cached(sql)?.execute(params![Text(id), copy])?;
    Ok(())
}

fn forget(tx: &Transaction<'_>, id: OperationId) -> Result<(), Fault> {
    tx.prepare_cached("DELETE FROM custody WHERE operation_id = ?1 AND state <> 'held'")?
        .execute([Text(id)])?;
    Ok(())
}

const LEAVING: &str =
    "SELECT operation_id, idempotency_key FROM custody WHERE state = 'leaving' ORDER BY local_seq LIMIT ?1";

fn leaving(conn: &Connection, rows: u32) -> Result<Vec<ReleaseDue>, Fault> {
    let mut statement = conn.prepare_cached(LEAVING)?;
    let rows = statement.query_map([rows], |row| {
        Ok(ReleaseDue { operation_id: row.get::<_, Text<_>>(0)?.0, key: row.get::<_, Text<_>>(1)?.0 })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

const HELD: &str = "SELECT count(*) FROM custody WHERE state = 'held'";
const WAITING: &str = "SELECT count(*) FROM operation WHERE copy IS NULL AND out_of_lane = 0";
const REFUSED: &str = "SELECT count(*) FROM operation WHERE copy = 'refused'";

fn counts(conn: &Connection) -> Result<CustodyCounts, Fault> {
    let count = |sql: &str| -> Result<u64, Fault> {
        Ok(conn.prepare_cached(sql)?.query_row([], |row| row.get::<_, Count>(0))?.0)
    };
    Ok(CustodyCounts { held: count(HELD)?, waiting: count(WAITING)?, refused: count(REFUSED)? })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::migrate::MIGRATIONS;

    #[test]
    fn what_is_next_is_found_by_an_index_and_never_sorted_however_many_wait() {
        let conn = Connection::open_in_memory().unwrap();
        for migration in MIGRATIONS {
            conn.execute_batch(migration.sql).unwrap();
        }
        for (sql, index) in [
            (DUE, "operation_uncopied (urgency=?)"),
            (LEAVING, "custody_state (state=?)"),
            (HELD, "custody_state (state=?)"),
            (WAITING, "COVERING INDEX operation_uncopied"),
            (REFUSED, "COVERING INDEX operation_copy_refused"),
        ] {
            let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let plan = statement.raw_query().mapped(|row| row.get::<_, String>(3)).map(Result::unwrap);
            let plan = plan.collect::<Vec<_>>().join("\n");
            assert!(plan.contains(index) && !plan.contains("TEMP B-TREE"), "{index} in {plan}");
        }
    }
}
