//! What was shown when operations were accepted, against the fingerprints that they are bound to.

use holdfast_core::operation::payload_digest;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::Value;

use super::{Finding, Findings};
use crate::columns::{Count, Json};
use crate::fault::Fault;

/// Every operation with the fingerprint of what it was accepted upon.
const BOUND: &str = "(SELECT local_seq, base_snapshot_digest AS digest FROM operation
     UNION ALL SELECT local_seq, base_snapshot_digest FROM operation_archive)";

pub(super) fn look(conn: &Connection, findings: &mut Findings) -> Result<(), Fault> {
    changed(conn, findings)?;
    gone(conn, findings)
}

/// One that nothing is bound to says nothing of anybody's decision.
fn changed(conn: &Connection, findings: &mut Findings) -> Result<(), Fault> {
    let mut statement = conn.prepare("SELECT digest, document FROM snapshot")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let kept: String = row.get(0)?;
        // A document that is none any more is no document of this fingerprint either.
        let is_it =
            row.get::<_, Json<Value>>(1).is_ok_and(|Json(shown)| payload_digest(&shown).to_string() == kept);
        let first = if is_it { None } else { first_bound_to(conn, &kept)? };
        first.into_iter().for_each(|local_seq| findings.add(Finding::Shown { local_seq }));
    }
    Ok(())
}

fn first_bound_to(conn: &Connection, digest: &str) -> Result<Option<u64>, Fault> {
    let sql = format!("SELECT local_seq FROM {BOUND} WHERE digest = ?1 ORDER BY local_seq LIMIT 1");
    let found = conn.prepare_cached(&sql)?.query_row(params![digest], |row| row.get::<_, Count>(0));
    Ok(found.optional()?.map(|Count(local_seq)| local_seq))
}

fn gone(conn: &Connection, findings: &mut Findings) -> Result<(), Fault> {
    let sql = format!(
        "SELECT min(local_seq) FROM {BOUND} b WHERE digest IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM snapshot s WHERE s.digest = b.digest) GROUP BY digest"
    );
    let mut statement = conn.prepare(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        findings.add(Finding::Shown { local_seq: row.get::<_, Count>(0)?.0 });
    }
    Ok(())
}
