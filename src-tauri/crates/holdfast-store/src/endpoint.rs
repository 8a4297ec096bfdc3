//! The table `endpoint`: each endpoint's breaker and what is remembered of it.

use holdfast_core::blame::EndpointMemory;
use holdfast_core::breaker::Breaker;
use holdfast_core::ids::{EndpointName, LocalSeq};
use holdfast_core::outcome::ForbiddenRun;
use holdfast_core::time::Now;
use holdfast_station::ports::EndpointRecord;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use crate::columns::{Count, Json, Text, text};
use crate::fault::Fault;

const COLUMNS: &str =
    "SELECT name, breaker, memory, forbidden, recovering_through, first_failure_at, outage_id, first_failure_after,
       first_drain FROM endpoint";

pub(crate) fn insert_primary(tx: &Transaction<'_>, now: Now) -> Result<(), Fault> {
    keep(
        tx,
        &EndpointRecord {
            name: EndpointName::primary(),
            breaker: Breaker::new(now),
            memory: EndpointMemory::default(),
            forbidden: ForbiddenRun::default(),
            recovering_through: None,
            first_failure_at: None,
            first_failure_after: None,
            first_drain: None,
            outage: None,
        },
    )
}

/// Keeps an endpoint as it is now.
pub(crate) fn keep(tx: &Transaction<'_>, endpoint: &EndpointRecord) -> Result<(), Fault> {
    let sql = "INSERT INTO endpoint (name, breaker, memory, forbidden, recovering_through, first_failure_at, outage_id,
           first_failure_after, first_drain)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (name) DO UPDATE SET breaker = ?2, memory = ?3, forbidden = ?4, recovering_through = ?5,
           first_failure_at = ?6, outage_id = ?7, first_failure_after = ?8, first_drain = ?9";
    tx.prepare_cached(sql)?.execute(params![
        Text(&endpoint.name),
        Json(&endpoint.breaker),
        Json(&endpoint.memory),
        Json(&endpoint.forbidden),
        endpoint.recovering_through.map(|seq| Count(seq.0)),
        endpoint.first_failure_at.map(Text),
        endpoint.outage.map(Text),
        endpoint.first_failure_after.map(|seq| Count(seq.0)),
        endpoint.first_drain.map(Json),
    ])?;
    Ok(())
}

/// Keeps it if it is not as it was, so that an idle drain writes nothing.
pub(crate) fn keep_changed(
    tx: &Transaction<'_>,
    before: &EndpointRecord,
    endpoint: &EndpointRecord,
) -> Result<(), Fault> {
    if before == endpoint { Ok(()) } else { keep(tx, endpoint) }
}

pub(crate) fn primary(conn: &Connection) -> Result<EndpointRecord, Fault> {
    named(conn, &EndpointName::primary())?.ok_or_else(|| Fault::damaged("the primary endpoint is missing"))
}

pub(crate) fn named(conn: &Connection, name: &EndpointName) -> Result<Option<EndpointRecord>, Fault> {
    let mut statement = conn.prepare_cached(&format!("{COLUMNS} WHERE name = ?1"))?;
    Ok(statement.query_row(params![Text(name)], record_of).optional()?)
}

/// The primary first.
pub(crate) fn all(conn: &Connection) -> Result<Vec<EndpointRecord>, Fault> {
    let mut statement = conn.prepare_cached(&format!("{COLUMNS} ORDER BY name <> 'primary', name"))?;
    let rows = statement.query_map([], record_of)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn record_of(row: &Row<'_>) -> rusqlite::Result<EndpointRecord> {
    Ok(EndpointRecord {
        name: row.get::<_, Text<_>>(0)?.0,
        breaker: row.get::<_, Json<_>>(1)?.0,
        memory: row.get::<_, Json<_>>(2)?.0,
        forbidden: row.get::<_, Json<_>>(3)?.0,
        recovering_through: row.get::<_, Option<Count>>(4)?.map(|Count(seq)| LocalSeq(seq)),
        first_failure_at: text(row.get(5)?),
        outage: text(row.get(6)?),
        first_failure_after: row.get::<_, Option<Count>>(7)?.map(|Count(seq)| LocalSeq(seq)),
        first_drain: row.get::<_, Option<Json<_>>>(8)?.map(|Json(interval)| interval),
    })
}
