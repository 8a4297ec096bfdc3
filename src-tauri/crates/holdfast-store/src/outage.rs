//! The table `outage`: the register of intervals in which an endpoint was down.

use holdfast_core::ids::{EndpointName, OutageId};
use holdfast_core::time::UtcMillis;
use holdfast_station::ports::{OutageChange, OutageInFull, OutageRecord, Page};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use crate::columns::{Count, Text, Word, text};
use crate::fault::Fault;
use crate::{books, outage_try};

/// Enters a change; a new outage gets books of its own.
pub(crate) fn enter(
    tx: &Transaction<'_>,
    endpoint: &EndpointName,
    change: &OutageChange,
) -> Result<(), Fault> {
    match change {
        OutageChange::None => Ok(()),
        OutageChange::Opened {
            outage_id,
            cause,
            first_failure_at,
            accepted_after,
            tripped_at,
            announced_until,
        } => {
            tx.execute(
                "INSERT INTO outage (outage_id, endpoint, first_failure_at, tripped_at, cause, announced_until)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    Text(outage_id),
                    Text(endpoint),
                    Text(first_failure_at),
                    Text(tripped_at),
                    cause.word(),
                    announced_until.map(Text),
                ],
            )?;
            books::open(tx, &outage_id.to_string())?;
            // What waits for the SoR is in the books of the SoR's outages, whatever else is away.
            match accepted_after.filter(|_| *endpoint == EndpointName::primary()) {
                Some(after) => books::take_in(tx, *outage_id, after),
                None => Ok(()),
            }
        }
        OutageChange::Ended { outage_id, closed_at } => {
            let sql = "UPDATE outage SET closed_at = ?2 WHERE outage_id = ?1 AND closed_at IS NULL";
            match tx.execute(sql, params![Text(outage_id), Text(closed_at)])? {
                1 => Ok(()),
                _ => Err(Fault::Impossible { why: "no such outage goes on" }),
            }
        }
    }
}

/// How many go on.
pub(crate) fn open_count(conn: &Connection) -> Result<u32, Fault> {
    let sql = "SELECT count(*) FROM outage WHERE closed_at IS NULL";
    Ok(conn.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// All of them, latest first, and how many there are.
pub(crate) fn page(conn: &Connection, page: Page) -> Result<(Vec<OutageRecord>, u32), Fault> {
    let sql = format!("{REGISTER} ORDER BY o.tripped_at DESC, o.rowid DESC LIMIT ?1 OFFSET ?2");
    let mut statement = conn.prepare_cached(&sql)?;
    let rows = statement.query_map(params![page.rows, page.skip], record_of)?;
    let rows = rows.map(|row| with_hold(conn, row?)).collect::<Result<_, Fault>>()?;
    let all = conn.prepare_cached("SELECT count(*) FROM outage")?.query_row([], |row| row.get(0))?;
    Ok((rows, all))
}

/// The one of an endpoint that ended last.
pub(crate) fn last_ended(conn: &Connection, endpoint: &EndpointName) -> Result<Option<OutageRecord>, Fault> {
    let sql = format!(
        "{REGISTER} WHERE o.endpoint = ?1 AND o.closed_at IS NOT NULL ORDER BY o.closed_at DESC, o.rowid DESC LIMIT 1"
    );
    Ok(conn.prepare_cached(&sql)?.query_row(params![Text(endpoint)], record_of).optional()?)
}

/// Until when an endpoint said that it would be away, in the outage that goes on.
pub(crate) fn announced_until(
    conn: &Connection,
    endpoint: &EndpointName,
) -> Result<Option<UtcMillis>, Fault> {
    let sql = "SELECT max(announced_until) FROM outage WHERE endpoint = ?1 AND closed_at IS NULL";
    Ok(text(conn.prepare_cached(sql)?.query_row(params![Text(endpoint)], |row| row.get(0))?))
}

/// One of them in full.
pub(crate) fn in_full(conn: &Connection, id: OutageId) -> Result<Option<OutageInFull>, Fault> {
    let sql = format!("{REGISTER} WHERE o.outage_id = ?1");
    let record = conn.prepare_cached(&sql)?.query_row(params![Text(id)], record_of).optional()?;
    let Some(record) = record else { return Ok(None) };
    let record = with_hold(conn, record)?;
    Ok(Some(OutageInFull { record, tries: outage_try::all(conn, id)?, holds: outage_try::holds(conn, id)? }))
}

fn with_hold(conn: &Connection, record: OutageRecord) -> Result<OutageRecord, Fault> {
    let held = outage_try::holds(conn, record.outage_id)?.pop();
    Ok(OutageRecord { held, ..record })
}

const REGISTER: &str =
    "SELECT b.accepted, b.pending, b.in_flight, b.committed, b.quarantined, b.voided, o.outage_id, o.endpoint,
            o.first_failure_at, o.tripped_at, o.closed_at, o.cause, o.announced_until, o.tries
     FROM outage o JOIN books b ON b.scope = o.outage_id";

fn record_of(row: &Row<'_>) -> rusqlite::Result<OutageRecord> {
    Ok(OutageRecord {
        outage_id: row.get::<_, Text<_>>(6)?.0,
        endpoint: row.get::<_, Text<_>>(7)?.0,
        first_failure_at: row.get::<_, Text<_>>(8)?.0,
        tripped_at: row.get::<_, Text<_>>(9)?.0,
        closed_at: text(row.get(10)?),
        cause: row.get::<_, Option<Word<_>>>(11)?.map(|Word(cause)| cause),
        announced_until: text(row.get(12)?),
        held: None,
        tries: row.get::<_, Count>(13)?.0,
        books: books::books_of(row)?,
    })
}
