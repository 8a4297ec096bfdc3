//! The table `outage`: the register of intervals in which an endpoint was down.

use holdfast_core::ids::EndpointName;
use holdfast_station::ports::OutageChange;
use rusqlite::{Connection, Transaction, params};

use crate::books;
use crate::columns::Text;
use crate::fault::Fault;

/// Enters a change; a new outage gets books of its own.
pub(crate) fn enter(
    tx: &Transaction<'_>,
    endpoint: &EndpointName,
    change: &OutageChange,
) -> Result<(), Fault> {
    match change {
        OutageChange::None => Ok(()),
        OutageChange::Opened { outage_id, first_failure_at, tripped_at } => {
            tx.execute(
                "INSERT INTO outage (outage_id, endpoint, first_failure_at, tripped_at) VALUES (?1, ?2, ?3, ?4)",
                params![Text(outage_id), Text(endpoint), Text(first_failure_at), Text(tripped_at)],
            )?;
            books::open(tx, &outage_id.to_string())
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
