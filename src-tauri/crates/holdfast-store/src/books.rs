//! The table `books`: kept counters, of the station and of each outage. Core says what an entry does to them; a row that
//! does not balance is refused by the table itself.

use std::collections::BTreeMap;

use holdfast_core::books::Books;
use holdfast_core::ids::{LocalSeq, OutageId};
use holdfast_core::lane::State;
use rusqlite::{Connection, Row, Transaction, params};

use crate::columns::{Count, Text, Word};
use crate::fault::Fault;

/// The books of everything that this station accepted.
pub(crate) const STATION: &str = "station";

/// Lays down the station's books.
pub(crate) fn open_station(tx: &Transaction<'_>) -> Result<(), Fault> {
    open(tx, STATION)
}

/// Lays down empty books.
pub(crate) fn open(tx: &Transaction<'_>, scope: &str) -> Result<(), Fault> {
    let sql = "INSERT INTO books (scope, accepted, pending, in_flight, committed, quarantined, voided)
               VALUES (?1, 0, 0, 0, 0, 0, 0)";
    tx.execute(sql, [scope])?;
    Ok(())
}

/// The station's books.
pub(crate) fn station(conn: &Connection) -> Result<Books, Fault> {
    read(conn, STATION)
}

/// All books by their scope.
pub(crate) fn all(conn: &Connection) -> Result<BTreeMap<String, Books>, Fault> {
    let sql = "SELECT accepted, pending, in_flight, committed, quarantined, voided, scope FROM books";
    let mut statement = conn.prepare(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(6)?, books_of(row)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Enters an acceptance, in the station's books and in those of the outage that it falls into.
pub(crate) fn accepted(tx: &Transaction<'_>, outage: Option<OutageId>) -> Result<(), Fault> {
    for_each(tx, outage, |books| Ok(books.accepted_one()))
}

/// Takes into an outage's books what is in no outage's yet: what was accepted after `after`, and what waits for the SoR now,
/// though it was accepted before. Its bytes stay as they are.
pub(crate) fn take_in(tx: &Transaction<'_>, outage: OutageId, after: LocalSeq) -> Result<(), Fault> {
    let mut books = read(tx, &outage.to_string())?;
    let waits = "local_seq > ?2 OR state IN ('pending', 'in_flight')";
    for (table, belongs) in [("operation", waits), ("operation_archive", "local_seq > ?2")] {
        let sql = format!(
            "UPDATE {table} SET counted_in = ?1 WHERE ({belongs}) AND outage_id IS NULL AND counted_in IS NULL
             RETURNING state"
        );
        let mut statement = tx.prepare(&sql)?;
        let states =
            statement.query_map(params![Text(outage), Count(after.0)], |row| row.get::<_, Word<State>>(0))?;
        for state in states {
            books = books.with_one(state?.0);
        }
    }
    keep(tx, &outage.to_string(), books)
}

/// Enters a move from one state to another.
pub(crate) fn moved(
    tx: &Transaction<'_>,
    outage: Option<OutageId>,
    from: State,
    to: State,
) -> Result<(), Fault> {
    for_each(tx, outage, |books| {
        books.moved(from, to).map_err(|error| Fault::damaged(format!("the books: {error}")))
    })
}

fn for_each(
    tx: &Transaction<'_>,
    outage: Option<OutageId>,
    entry: impl Fn(Books) -> Result<Books, Fault>,
) -> Result<(), Fault> {
    keep(tx, STATION, entry(read(tx, STATION)?)?)?;
    let Some(outage) = outage.map(|id| id.to_string()) else { return Ok(()) };
    keep(tx, &outage, entry(read(tx, &outage)?)?)
}

fn read(conn: &Connection, scope: &str) -> Result<Books, Fault> {
    let sql =
        "SELECT accepted, pending, in_flight, committed, quarantined, voided FROM books WHERE scope = ?1";
    Ok(conn.prepare_cached(sql)?.query_row([scope], books_of)?)
}

/// The counters in the first six columns of a row.
pub(crate) fn books_of(row: &Row<'_>) -> rusqlite::Result<Books> {
    let count = |column| row.get::<_, Count>(column).map(|Count(count)| count);
    Ok(Books {
        accepted: count(0)?,
        pending: count(1)?,
        in_flight: count(2)?,
        committed: count(3)?,
        quarantined: count(4)?,
        voided: count(5)?,
    })
}

fn keep(tx: &Transaction<'_>, scope: &str, books: Books) -> Result<(), Fault> {
    let sql =
        "UPDATE books SET accepted = ?2, pending = ?3, in_flight = ?4, committed = ?5, quarantined = ?6,
               voided = ?7 WHERE scope = ?1";
    tx.prepare_cached(sql)?.execute(params![
        scope,
        Count(books.accepted),
        Count(books.pending),
        Count(books.in_flight),
        Count(books.committed),
        Count(books.quarantined),
        Count(books.voided),
    ])?;
    Ok(())
}
