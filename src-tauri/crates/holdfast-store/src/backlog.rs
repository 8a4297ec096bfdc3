//! The backlog by its age: what waits, by the hour in which it was accepted.

use holdfast_core::time::UtcMillis;
use holdfast_station::ports::Backlog;
use rusqlite::{Connection, params};

use crate::books;
use crate::columns::Count;
use crate::fault::Fault;

/// The latest hours that have any, from an index that holds nothing else, however long the backlog is.
const HOURS: &str =
    "SELECT substr(accepted_at, 1, 13) AS hour, count(*) FROM operation WHERE quarantine_reason IS NULL
     GROUP BY substr(accepted_at, 1, 13) ORDER BY substr(accepted_at, 1, 13) DESC LIMIT ?1";

pub(crate) fn by_hour(conn: &Connection, hours_max: u32) -> Result<Backlog, Fault> {
    let mut statement = conn.prepare_cached(HOURS)?;
    let rows = statement
        .query_map(params![hours_max], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Count>(1)?.0)))?;
    let mut hours = Vec::new();
    for row in rows {
        let (hour, waiting) = row?;
        hours.push((beginning(&hour)?, waiting));
    }
    hours.reverse();
    let books = books::station(conn)?;
    let shown: u64 = hours.iter().map(|(_, waiting)| waiting).sum();
    Ok(Backlog { hours, earlier: (books.pending + books.in_flight).saturating_sub(shown) })
}

fn beginning(hour: &str) -> Result<UtcMillis, Fault> {
    format!("{hour}:00:00.000Z").parse().map_err(|_| Fault::damaged("the time of an acceptance"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::migrate::MIGRATIONS;

    #[test]
    fn the_hours_are_read_from_their_index_alone() {
        let conn = Connection::open_in_memory().unwrap();
        for migration in MIGRATIONS {
            conn.execute_batch(migration.sql).unwrap();
        }
        let sql = format!("EXPLAIN QUERY PLAN {HOURS}").replace("?1", "24");
        let mut statement = conn.prepare(&sql).unwrap();
        let lines = statement.query_map([], |row| row.get::<_, String>(3)).unwrap();
        let plan = lines.map(Result::unwrap).collect::<Vec<_>>().join("\n");
        assert!(plan.contains("operation_hour") && !plan.contains("TEMP B-TREE"), "{plan}");
    }
}
