//! The migrator: numbered SQL, each file once, in one transaction.
//!
//! Promise: an existing database is copied (encrypted under the same key) before it is changed; a kill in between leaves
//! it as it was; within a major version tables and columns are only added, so that an older program still works; a newer
//! major version is refused. What was applied is kept with its checksum, so that a changed file is noticed.

use std::path::{Path, PathBuf};

use holdfast_core::canonical::sha256;
use holdfast_core::ids::Digest;
use holdfast_core::time::UtcMillis;
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

use crate::columns::Text;
use crate::files::{sync_folder, unfinished};

/// Version of the tables: a new one is not understood by older programs.
pub(crate) const STORE_MAJOR: u32 = 1;
/// Place of the major version in `user_version`.
const MAJOR_FACTOR: u32 = 1000;

/// One file of SQL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Migration {
    pub(crate) number: u32,
    pub(crate) sql: &'static str,
}

/// All of them, in order.
pub(crate) const MIGRATIONS: &[Migration] =
    &[Migration { number: 1, sql: include_str!("../migrations/0001_foundation.sql") }];

/// Why a database was not brought up to date. It is as it was.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// A newer program has been here.
    #[error("the database has version {found}; this program understands {known}")]
    Newer {
        /// Its major version.
        found: u32,
        /// The newest that is understood.
        known: u32,
    },
    /// What was applied is not what this program would have applied.
    #[error("migration {number} of this database is not the one that this program knows")]
    Changed {
        /// The file.
        number: u32,
    },
    /// The copy could not be made.
    #[error("the database cannot be copied before it is changed")]
    Backup(#[source] std::io::Error),
    /// The engine says so.
    #[error("the database cannot be brought up to date")]
    Sql(#[from] rusqlite::Error),
}

/// Applies what is missing. Gives the copy that was made, if there was something to copy and something to do.
pub(crate) fn migrate(
    conn: &mut Connection,
    path: &Path,
    migrations: &[Migration],
    at: UtcMillis,
) -> Result<Option<PathBuf>, MigrateError> {
    let version: u32 = conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let found = version / MAJOR_FACTOR;
    if found > STORE_MAJOR {
        return Err(MigrateError::Newer { found, known: STORE_MAJOR });
    }
    let missing = missing(conn, version, migrations)?;
    let Some(last) = missing.last() else { return Ok(None) };
    let copy = if version == 0 { None } else { Some(back_up(conn, path, version)?) };
    apply(conn, &missing, last.number.max(version % MAJOR_FACTOR), at)?;
    Ok(copy)
}

/// Those not applied yet; those that were are compared.
fn missing(
    conn: &Connection,
    version: u32,
    migrations: &[Migration],
) -> Result<Vec<Migration>, MigrateError> {
    let mut missing = Vec::new();
    for migration in migrations {
        let known = if version == 0 { None } else { applied(conn, migration.number)? };
        match known {
            None => missing.push(*migration),
            Some(checksum) if checksum == checksum_of(migration) => {}
            Some(_) => return Err(MigrateError::Changed { number: migration.number }),
        }
    }
    Ok(missing)
}

fn applied(conn: &Connection, number: u32) -> rusqlite::Result<Option<Digest>> {
    conn.query_row("SELECT checksum FROM migration WHERE number = ?1", [number], |row| {
        row.get(0).map(|Text(checksum)| checksum)
    })
    .optional()
}

fn apply(
    conn: &mut Connection,
    missing: &[Migration],
    minor: u32,
    at: UtcMillis,
) -> Result<(), MigrateError> {
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute_batch(
        "CREATE TABLE IF NOT EXISTS migration (
           number INTEGER PRIMARY KEY CHECK (number > 0), checksum TEXT NOT NULL CHECK (length(checksum) = 64),
           applied_at TEXT NOT NULL) STRICT;",
    )?;
    for migration in missing {
        tx.execute_batch(migration.sql)?;
        let row = params![migration.number, Text(checksum_of(migration)), Text(at)];
        tx.execute("INSERT INTO migration (number, checksum, applied_at) VALUES (?1, ?2, ?3)", row)?;
    }
    tx.execute_batch(&format!("PRAGMA user_version = {};", STORE_MAJOR * MAJOR_FACTOR + minor))?;
    tx.commit()?;
    Ok(())
}

/// A copy beside the database, named for the version it has. `VACUUM INTO` keeps the key.
fn back_up(conn: &Connection, path: &Path, version: u32) -> Result<PathBuf, MigrateError> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".before-{version}"));
    let copy = PathBuf::from(name);
    let new = unfinished(&copy);
    if new.exists() {
        std::fs::remove_file(&new).map_err(MigrateError::Backup)?;
    }
    let target =
        new.to_str().ok_or_else(|| MigrateError::Backup(std::io::ErrorKind::InvalidFilename.into()))?;
    conn.execute("VACUUM INTO ?1", [target])?;
    finish(&new, &copy).map_err(MigrateError::Backup)?;
    Ok(copy)
}

fn finish(new: &Path, copy: &Path) -> std::io::Result<()> {
    std::fs::File::open(new)?.sync_all()?;
    std::fs::rename(new, copy)?;
    sync_folder(copy)
}

fn checksum_of(migration: &Migration) -> Digest {
    sha256(migration.sql.as_bytes())
}
