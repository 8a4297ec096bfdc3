//! Reading and changing a database behind the store's back, with its key. For tests only (feature `test-tamper`).
//!
//! What is done here is what somebody with the passphrase and an SQLite could do.

use std::path::Path;

use crate::fault::Fault;
use crate::files::DATABASE_FILE;
use crate::open::{Access, connect};
use crate::store::{OpenError, find, of_fault};

/// Something that nobody should do to a store.
#[derive(Clone, Debug)]
pub enum Tampering {
    /// Changes the text of an event, and leaves its hash.
    ChangeEvent(u64),
    /// Takes an event out.
    DropEvent(u64),
    /// Puts two events in each other's place.
    SwapEvents(u64, u64),
    /// Takes out every event after this one, as if the end had been lost.
    CutAfter(u64),
    /// Changes a personal value that an event refers to.
    ChangePrivate(u64),
    /// Changes a letter of what was accepted under this number.
    ChangeBody(u64),
    /// Adds one to a counter on both sides, so that it balances.
    CookBooks,
    /// Any SQL.
    Run(String),
}

/// Opens a closed folder and does it.
///
/// # Errors
/// See [`OpenError`].
pub fn tamper(folder: &Path, passphrase: &[u8], tampering: &Tampering) -> Result<(), OpenError> {
    let (folder, keys) = find(folder)?;
    let key = keys.unlock(passphrase.into())?;
    let sql = |error| of_fault(Fault::from(error));
    let conn = connect(&folder.join(DATABASE_FILE), &key, Access::Write).map_err(sql)?;
    let batch = format!("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE; {} COMMIT;", statement(tampering));
    conn.execute_batch(&batch).map_err(sql)
}

/// The text of every event, in the order of the chain.
///
/// # Errors
/// See [`OpenError`].
pub fn events(folder: &Path, passphrase: &[u8]) -> Result<Vec<String>, OpenError> {
    let (folder, keys) = find(folder)?;
    let key = keys.unlock(passphrase.into())?;
    let sql = |error| of_fault(Fault::from(error));
    let conn = connect(&folder.join(DATABASE_FILE), &key, Access::Read).map_err(sql)?;
    let mut statement = conn.prepare("SELECT text FROM audit_event ORDER BY seq").map_err(sql)?;
    let rows = statement.query_map([], |row| row.get(0)).map_err(sql)?;
    rows.collect::<rusqlite::Result<_>>().map_err(sql)
}

fn statement(tampering: &Tampering) -> String {
    match tampering {
        Tampering::ChangeEvent(seq) => {
            format!("UPDATE audit_event SET text = replace(text, '\"v\":1', '\"v\":2') WHERE seq = {seq};")
        }
        Tampering::DropEvent(seq) => format!("DELETE FROM audit_event WHERE seq = {seq};"),
        Tampering::SwapEvents(a, b) => format!(
            "UPDATE audit_event SET seq = 4000000000 WHERE seq = {a};
             UPDATE audit_event SET seq = {a} WHERE seq = {b};
             UPDATE audit_event SET seq = {b} WHERE seq = 4000000000;"
        ),
        Tampering::CutAfter(seq) => format!(
            "DELETE FROM audit_private WHERE seq > {seq}; DELETE FROM audit_event WHERE seq > {seq};"
        ),
        Tampering::ChangePrivate(seq) => {
            format!("UPDATE audit_private SET text = text || '!' WHERE seq = {seq};")
        }
        Tampering::ChangeBody(seq) => format!(
            "UPDATE operation SET body = CAST(replace(CAST(body AS TEXT), 'OAK', 'ELM') AS BLOB) WHERE local_seq = {seq};
             UPDATE operation_archive SET body = CAST(replace(CAST(body AS TEXT), 'OAK', 'ELM') AS BLOB)
               WHERE local_seq = {seq};"
        ),
        Tampering::CookBooks => {
            "UPDATE books SET accepted = accepted + 1, committed = committed + 1;".to_owned()
        }
        Tampering::Run(sql) => format!("{sql};"),
    }
}
