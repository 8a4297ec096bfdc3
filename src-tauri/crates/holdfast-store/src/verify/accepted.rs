//! The chain against the rows: every operation that an event says was accepted is there, and no other.
//!
//! Whoever takes an operation out and makes the books fit has still to explain its event, which only a whole new chain
//! under another head could do.

use rusqlite::Connection;

use super::{Finding, Findings};
use crate::columns::Count;
use crate::fault::Fault;

/// The operation of an event that accepted one. Of a text that is no JSON any more the chain tells already.
const ACCEPTED: &str =
    "SELECT seq, CASE WHEN json_valid(text) AND json_extract(text, '$.kind') = 'operation.accepted'
    THEN json_extract(text, '$.operation_id') END AS operation_id FROM audit_event";

const ROWS: &str = "SELECT local_seq, operation_id FROM operation
    UNION ALL SELECT local_seq, operation_id FROM operation_archive";

pub(super) fn look(conn: &Connection, findings: &mut Findings) -> Result<(), Fault> {
    let gone = format!(
        "SELECT seq FROM ({ACCEPTED}) e WHERE operation_id IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM operation o WHERE o.operation_id = e.operation_id)
           AND NOT EXISTS (SELECT 1 FROM operation_archive a WHERE a.operation_id = e.operation_id) ORDER BY seq"
    );
    for_each(conn, &gone, |seq| findings.add(Finding::OperationGone { seq }))?;
    let unheard_of = format!(
        "SELECT local_seq FROM ({ROWS}) WHERE operation_id NOT IN
           (SELECT operation_id FROM ({ACCEPTED}) WHERE operation_id IS NOT NULL) ORDER BY local_seq"
    );
    for_each(conn, &unheard_of, |local_seq| {
        let finding = Finding::Operation { local_seq };
        // One whose id was changed is named already.
        if !findings.found().contains(&finding) {
            findings.add(finding);
        }
    })
}

fn for_each(conn: &Connection, sql: &str, mut tell: impl FnMut(u64)) -> Result<(), Fault> {
    let mut statement = conn.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        tell(row.get::<_, Count>(0)?.0);
    }
    Ok(())
}
