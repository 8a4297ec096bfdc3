//! The table `skipped`: numbers that had been given out before this folder came back from an older copy.
//!
//! Promise: none of them is given out again. Receipts are without gaps but for these, and each gap is told in the audit.

use holdfast_core::ids::LocalSeq;
use holdfast_core::reprove::StationWentBack;
use holdfast_station::ports::{Decide, NoticedBy, RetiredNumbers, SkippedRecord};
use rusqlite::{Connection, params};

use crate::columns::{Count, Text, Word};
use crate::fault::Fault;
use crate::turn::Turn;
use crate::{counts, number};

/// Passes over everything from the next number through `through`; nothing when that was given out here.
pub(crate) fn skip(
    turn: &mut Turn<'_>,
    through: LocalSeq,
    by: NoticedBy,
    decide: Decide<StationWentBack, Vec<holdfast_core::audit::Entry>>,
) -> Result<(), Fault> {
    let first = counts::next_seq(&turn.tx)?;
    if through < first {
        return Ok(());
    }
    let numbers = StationWentBack { first, last: through };
    let sql = "INSERT INTO skipped (first, last, noticed_at, noticed_by) VALUES (?1, ?2, ?3, ?4)";
    let at = turn.trail.stamp().at;
    turn.tx.execute(sql, params![Count(first.0), Count(through.0), Text(at), Word(by)])?;
    turn.audit_all(decide(&numbers))?;
    // Which of its permit numbers were given out since that copy, this station does not know.
    number::retire(turn, RetiredNumbers::All)
}

/// How many were passed over.
pub(crate) fn count(conn: &Connection) -> Result<u64, Fault> {
    let sql = "SELECT coalesce(sum(last - first + 1), 0) FROM skipped";
    Ok(conn.prepare_cached(sql)?.query_row([], |row| row.get::<_, Count>(0))?.0)
}

/// All of them, in their order.
pub(crate) fn all(conn: &Connection) -> Result<Vec<SkippedRecord>, Fault> {
    let mut statement =
        conn.prepare_cached("SELECT first, last, noticed_at, noticed_by FROM skipped ORDER BY first")?;
    let rows = statement.query_map([], |row| {
        let number = |column| row.get::<_, Count>(column).map(|Count(seq)| LocalSeq(seq));
        Ok(SkippedRecord {
            numbers: StationWentBack { first: number(0)?, last: number(1)? },
            noticed_at: row.get::<_, Text<_>>(2)?.0,
            by: row.get::<_, Word<_>>(3)?.0,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
