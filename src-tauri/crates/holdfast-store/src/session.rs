//! The tables `session`, who is signed in, and `statement`, every session that was opened here. The session's key lies in
//! the table `secret`.

use holdfast_core::people::SignedStatement;
use holdfast_station::ports::KeptSession;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use crate::columns::{Json, Text};
use crate::fault::Fault;

pub(crate) fn keep(tx: &Transaction<'_>, session: &KeptSession) -> Result<(), Fault> {
    let sql = "INSERT INTO session (one, signed, opened_at) VALUES (1, ?1, ?2)
               ON CONFLICT (one) DO UPDATE SET signed = ?1, opened_at = ?2";
    tx.execute(sql, params![Json(&session.signed), Text(session.opened_at)])?;
    let sql = "INSERT INTO statement (sid, signed, opened_at) VALUES (?1, ?2, ?3)
               ON CONFLICT (sid) DO UPDATE SET signed = ?2, opened_at = ?3";
    let sid = Text(session.signed.statement.sid);
    tx.execute(sql, params![sid, Json(&session.signed), Text(session.opened_at)])?;
    Ok(())
}

/// The last sessions that were opened here, the latest first.
pub(crate) fn statements(conn: &Connection, rows: u32) -> Result<Vec<SignedStatement>, Fault> {
    let sql = "SELECT signed FROM statement ORDER BY opened_at DESC LIMIT ?1";
    let mut statement = conn.prepare_cached(sql)?;
    let rows = statement.query_map([rows], |row| row.get::<_, Json<SignedStatement>>(0))?;
    Ok(rows.map(|row| row.map(|Json(signed)| signed)).collect::<rusqlite::Result<_>>()?)
}

/// Nobody is signed in any more.
pub(crate) fn close(tx: &Transaction<'_>) -> Result<(), Fault> {
    tx.execute("DELETE FROM session", [])?;
    Ok(())
}

pub(crate) fn session(conn: &Connection) -> Result<Option<KeptSession>, Fault> {
    let mut statement = conn.prepare_cached("SELECT signed, opened_at FROM session")?;
    let kept = statement.query_row([], |row| {
        Ok(KeptSession { signed: row.get::<_, Json<_>>(0)?.0, opened_at: row.get::<_, Text<_>>(1)?.0 })
    });
    Ok(kept.optional()?)
}
