//! Opening a connection, and what every connection is set to.
//!
//! Promise: the key is the first thing a connection is told, SQLCipher writes nothing to the terminal, and a write is on
//! the disk when the engine says so (`synchronous=FULL` in WAL mode).

use std::path::Path;
use std::sync::Once;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::keys::DatabaseKey;

/// How long a connection waits for another one's lock, in milliseconds. Only a checkpoint of another process takes one.
const BUSY_MS: u64 = 5_000;
/// To what size the write-ahead log is cut after a checkpoint, in bytes.
const JOURNAL_SIZE_LIMIT_BYTES: u32 = 16 * 1024 * 1024;
/// Pages kept in memory per connection, in KiB.
const CACHE_KIB: u32 = 16 * 1024;
/// Statements kept ready per connection.
const STATEMENTS_MAX: usize = 128;
/// How often it is tried whether the cipher takes a key, and the wait between two tries, in milliseconds.
const CIPHER_TRIES_MAX: u32 = 1_000;
const CIPHER_WAIT_MS: u64 = 1;

/// Done once, by the first connection of this process; the others wait for it.
static CIPHER_READY: Once = Once::new();

/// What a connection may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everything, on a file that exists.
    Write,
    /// Reading, beside a writer. SQLite makes `-wal` and `-shm` files of its own when there are none.
    Read,
    /// Reading a file that nobody writes, without locks and without any other file.
    Frozen,
}

/// Opens a connection with its key and its settings, which reads the tables' descriptions.
pub(crate) fn connect(path: &Path, key: &DatabaseKey, access: Access) -> rusqlite::Result<Connection> {
    let conn = connect_unread(path, key, access)?;
    conn.busy_timeout(Duration::from_millis(BUSY_MS))?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    harden(&conn)?;
    match access {
        Access::Write => set_for_writing(&conn)?,
        Access::Read | Access::Frozen => conn.execute_batch("PRAGMA query_only = ON;")?,
    }
    Ok(conn)
}

/// Opens a connection with its key alone: no page is read yet.
pub(crate) fn connect_unread(path: &Path, key: &DatabaseKey, access: Access) -> rusqlite::Result<Connection> {
    CIPHER_READY.call_once(await_cipher);
    let conn = match access {
        Access::Write => Connection::open_with_flags(path, writing()),
        Access::Read => Connection::open_with_flags(path, reading()),
        Access::Frozen => {
            Connection::open_with_flags(frozen_uri(path), reading() | OpenFlags::SQLITE_OPEN_URI)
        }
    }?;
    conn.execute_batch(&key.pragma())?;
    conn.execute_batch("PRAGMA cipher_log_level = NONE;")?;
    Ok(conn)
}

/// SQLite calls itself ready a moment before SQLCipher is, so the second of two first connections could be told a key that
/// nobody takes yet. What is not ready within the limit is said by the connection itself.
fn await_cipher() {
    for _ in 0..CIPHER_TRIES_MAX {
        let try_one = "PRAGMA cipher_log_level = NONE; PRAGMA key = 'of nothing';";
        if Connection::open_in_memory().and_then(|conn| conn.execute_batch(try_one)).is_ok() {
            return;
        }
        std::thread::sleep(Duration::from_millis(CIPHER_WAIT_MS));
    }
}

fn writing() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

fn reading() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

/// What a forged file could use against its reader.
fn harden(conn: &Connection) -> rusqlite::Result<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    conn.execute_batch("PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;")?;
    conn.execute_batch(&format!("PRAGMA cache_size = -{CACHE_KIB};"))
}

fn set_for_writing(conn: &Connection) -> rusqlite::Result<()> {
    let mode: String = conn.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if !mode.eq_ignore_ascii_case("wal") {
        return Err(rusqlite::Error::InvalidQuery);
    }
    conn.execute_batch("PRAGMA synchronous = FULL;")?;
    conn.query_row(&format!("PRAGMA journal_size_limit = {JOURNAL_SIZE_LIMIT_BYTES}"), [], |_| Ok(()))
}

/// The path as a URI (<https://sqlite.org/uri.html>): every byte but letters, digits and `/` is escaped.
fn frozen_uri(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || *byte == b'/' {
            uri.push(char::from(*byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri + "?mode=ro&immutable=1"
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_escaped_whatever_it_holds() {
        let uri = frozen_uri(Path::new("/a b/c#d?e%f'g/ü.db"));
        assert_eq!(uri, "file:/a%20b/c%23d%3Fe%25f%27g/%C3%BC%2Edb?mode=ro&immutable=1");
    }
}
