//! The table `counts`: counters that only rise.

use holdfast_core::blame::Mark;
use holdfast_core::ids::LocalSeq;
use holdfast_core::operation::OriginRoute;
use holdfast_station::ports::Counts;
use rusqlite::{Connection, Transaction};

use crate::columns::Count;
use crate::fault::Fault;
use crate::skipped;

pub(crate) fn insert(tx: &Transaction<'_>) -> Result<(), Fault> {
    tx.execute(
        "INSERT INTO counts (one, last_seq, mark, direct, probe, deferred, refused, failed) VALUES (1, 0, 0, 0, 0, 0, 0, 0)",
        [],
    )?;
    Ok(())
}

/// The last number that was given out, or passed over.
pub(crate) fn last_seq(conn: &Connection) -> Result<LocalSeq, Fault> {
    let accepted = conn.prepare_cached("SELECT last_seq FROM counts")?.query_row([], |row| row.get(0));
    let Count(accepted) = accepted?;
    Ok(LocalSeq(accepted + skipped::count(conn)?))
}

/// Number of the next one.
pub(crate) fn next_seq(conn: &Connection) -> Result<LocalSeq, Fault> {
    last_seq(conn).map(|LocalSeq(last)| LocalSeq(last + 1))
}

pub(crate) fn counts(conn: &Connection) -> Result<Counts, Fault> {
    let sql = "SELECT direct, probe, deferred, refused, failed FROM counts";
    Ok(conn.prepare_cached(sql)?.query_row([], |row| {
        let count = |column| row.get::<_, Count>(column).map(|Count(count)| count);
        Ok(Counts {
            direct: count(0)?,
            probe: count(1)?,
            deferred: count(2)?,
            refused: count(3)?,
            failed: count(4)?,
        })
    })?)
}

/// One operation more was accepted.
pub(crate) fn accepted(tx: &Transaction<'_>, route: OriginRoute) -> Result<(), Fault> {
    let sql = match route {
        OriginRoute::Direct => "UPDATE counts SET last_seq = last_seq + 1, direct = direct + 1",
        OriginRoute::Probe => "UPDATE counts SET last_seq = last_seq + 1, probe = probe + 1",
        OriginRoute::Defer => "UPDATE counts SET last_seq = last_seq + 1, deferred = deferred + 1",
    };
    tx.prepare_cached(sql)?.execute([])?;
    Ok(())
}

/// One refusal more.
pub(crate) fn refused(tx: &Transaction<'_>) -> Result<(), Fault> {
    tx.prepare_cached("UPDATE counts SET refused = refused + 1")?.execute([])?;
    Ok(())
}

/// So many attempts more ended in the verdict failure.
pub(crate) fn failed(tx: &Transaction<'_>, attempts: u32) -> Result<(), Fault> {
    if attempts > 0 {
        tx.prepare_cached("UPDATE counts SET failed = failed + ?1")?.execute([attempts])?;
    }
    Ok(())
}

/// The next position in the order of what this station has seen; each is given out once.
pub(crate) fn next_mark(tx: &Transaction<'_>) -> Result<Mark, Fault> {
    let sql = "UPDATE counts SET mark = mark + 1 RETURNING mark";
    let mark = tx.prepare_cached(sql)?.query_row([], |row| row.get(0));
    Ok(mark.map(|Count(mark)| Mark(mark))?)
}
