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
use crate::files::{sync_folder, unfinished, write_new};

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
pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration { number: 1, sql: include_str!("../migrations/0001_foundation.sql") },
    Migration { number: 2, sql: include_str!("../migrations/0002_drafts.sql") },
    Migration { number: 3, sql: include_str!("../migrations/0003_copies.sql") },
    Migration { number: 4, sql: include_str!("../migrations/0004_decisions.sql") },
    Migration { number: 5, sql: include_str!("../migrations/0005_proving.sql") },
    Migration { number: 6, sql: include_str!("../migrations/0006_replacing.sql") },
    Migration { number: 7, sql: include_str!("../migrations/0007_alarms.sql") },
    Migration { number: 8, sql: include_str!("../migrations/0008_conflicts.sql") },
    Migration { number: 9, sql: include_str!("../migrations/0009_outage_register.sql") },
    Migration { number: 10, sql: include_str!("../migrations/0010_statements.sql") },
    Migration { number: 11, sql: include_str!("../migrations/0011_settling.sql") },
    Migration { number: 12, sql: include_str!("../migrations/0012_numbers.sql") },
    Migration { number: 13, sql: include_str!("../migrations/0013_beside.sql") },
    Migration { number: 14, sql: include_str!("../migrations/0014_likeness.sql") },
    Migration { number: 15, sql: include_str!("../migrations/0015_found.sql") },
    Migration { number: 16, sql: include_str!("../migrations/0016_cascade.sql") },
    Migration { number: 17, sql: include_str!("../migrations/0017_board.sql") },
    Migration { number: 18, sql: include_str!("../migrations/0018_parcels.sql") },
    Migration { number: 19, sql: include_str!("../migrations/0019_user_sessions.sql") },
    Migration { number: 20, sql: include_str!("../migrations/0020_changes.sql") },
    Migration { number: 21, sql: include_str!("../migrations/0021_custody.sql") },
    Migration { number: 22, sql: include_str!("../migrations/0022_configuration.sql") },
];

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
    let version = version(conn)?;
    let missing = missing(conn, version, migrations)?;
    let Some(last) = missing.last() else { return Ok(None) };
    let copy = if version == 0 { None } else { Some(back_up(conn, path, version)?) };
    apply(conn, &missing, last.number.max(version % MAJOR_FACTOR), at)?;
    Ok(copy)
}

/// The version of a database, if it is one that this program understands; 0 before the first migration.
pub(crate) fn version(conn: &Connection) -> Result<u32, MigrateError> {
    let version: u32 = conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let found = version / MAJOR_FACTOR;
    if found > STORE_MAJOR {
        return Err(MigrateError::Newer { found, known: STORE_MAJOR });
    }
    Ok(version)
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
    // `VACUUM INTO` takes an empty file, which by then is readable by this user alone.
    write_new(&new, b"").map_err(MigrateError::Backup)?;
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::keys::DatabaseKey;
    use crate::open::{Access, connect};
    use crate::scratch::{now, scratch};

    const FIRST: Migration = Migration { number: 1, sql: "CREATE TABLE a (n INTEGER) STRICT;" };
    const SECOND: Migration = Migration { number: 2, sql: "CREATE TABLE b (n INTEGER) STRICT;" };
    const BROKEN: Migration = Migration { number: 2, sql: "CREATE TABLE b (n INTEGER) STRICT; BROKEN;" };

    struct Scene {
        _folder: tempfile::TempDir,
        path: PathBuf,
        key: DatabaseKey,
        conn: Connection,
    }

    fn scene() -> Scene {
        let folder = scratch();
        let path = folder.path().join("a name with 'quotes'.db");
        let key = DatabaseKey::generate();
        write_new(&path, b"").unwrap();
        let mut conn = connect(&path, &key, Access::Write).unwrap();
        assert_eq!(migrate(&mut conn, &path, &[FIRST], now().wall).unwrap(), None, "nothing to copy");
        conn.execute_batch("INSERT INTO a VALUES (42)").unwrap();
        Scene { _folder: folder, path, key, conn }
    }

    #[test]
    fn a_database_is_copied_encrypted_before_it_is_changed() {
        let mut scene = scene();
        let copy = migrate(&mut scene.conn, &scene.path, &[FIRST, SECOND], now().wall).unwrap().unwrap();
        assert!(!std::fs::read(&copy).unwrap().starts_with(b"SQLite format 3"));
        assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
        let old = connect(&copy, &scene.key, Access::Frozen).unwrap();
        assert_eq!(old.query_row("SELECT n FROM a", [], |row| row.get::<_, u32>(0)).unwrap(), 42);
        assert!(old.query_row("SELECT n FROM b", [], |_| Ok(())).is_err());
        let other = DatabaseKey::generate();
        let stranger = connect(&copy, &other, Access::Frozen)
            .and_then(|conn| conn.query_row("SELECT n FROM a", [], |_| Ok(())));
        assert!(stranger.is_err());
        scene.conn.execute_batch("INSERT INTO b VALUES (1)").unwrap();
        let again = migrate(&mut scene.conn, &scene.path, &[FIRST, SECOND], now().wall).unwrap();
        assert_eq!(again, None, "each once");
    }

    #[test]
    fn a_migration_that_breaks_leaves_the_database_as_it_was() {
        let mut scene = scene();
        let broken = migrate(&mut scene.conn, &scene.path, &[FIRST, BROKEN], now().wall);
        assert!(matches!(broken, Err(MigrateError::Sql(_))));
        assert!(scene.conn.execute_batch("SELECT n FROM b").is_err());
        migrate(&mut scene.conn, &scene.path, &[FIRST, SECOND], now().wall).unwrap();
    }

    #[test]
    fn a_newer_major_version_is_refused_and_a_newer_minor_one_is_not() {
        let mut scene = scene();
        scene.conn.execute_batch("PRAGMA user_version = 1007").unwrap();
        assert_eq!(migrate(&mut scene.conn, &scene.path, &[FIRST], now().wall).unwrap(), None);
        scene.conn.execute_batch("PRAGMA user_version = 2001").unwrap();
        let newer = migrate(&mut scene.conn, &scene.path, &[FIRST], now().wall);
        assert!(matches!(newer, Err(MigrateError::Newer { found: 2, known: 1 })));
    }

    #[test]
    fn a_migration_that_was_applied_in_another_form_is_noticed() {
        let mut scene = scene();
        let changed = Migration { number: 1, sql: "CREATE TABLE a (m INTEGER) STRICT;" };
        let noticed = migrate(&mut scene.conn, &scene.path, &[changed], now().wall);
        assert!(matches!(noticed, Err(MigrateError::Changed { number: 1 })));
    }
}
