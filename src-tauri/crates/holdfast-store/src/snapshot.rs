//! The table `snapshot`: applications as they were shown when an operation was accepted, once for each fingerprint.

use holdfast_core::compare::Snapshot;
use holdfast_core::ids::Digest;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use crate::columns::{Json, Text};
use crate::fault::Fault;

/// Keeps one; the same again changes nothing.
pub(crate) fn keep(tx: &Transaction<'_>, shown: &Snapshot) -> Result<(), Fault> {
    let sql = "INSERT INTO snapshot (digest, document) VALUES (?1, ?2) ON CONFLICT (digest) DO NOTHING";
    tx.prepare_cached(sql)?.execute(params![Text(shown.digest()), Json(shown)])?;
    Ok(())
}

/// The one of a fingerprint.
pub(crate) fn of(conn: &Connection, digest: &Digest) -> Result<Option<Snapshot>, Fault> {
    let sql = "SELECT document FROM snapshot WHERE digest = ?1";
    let found = conn.prepare_cached(sql)?.query_row(params![Text(digest)], |row| row.get::<_, Json<_>>(0));
    Ok(found.optional()?.map(|Json(shown)| shown))
}
