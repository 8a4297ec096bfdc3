//! Looking for damage and tampering in a whole data folder.
//!
//! Promise: what was changed on the disk or through the key is found and named: the page, the event, the operation, the
//! counter, or the events that are missing at the end. Works also when the database cannot be opened at all. A missing
//! folder, a missing key and a wrong passphrase are errors and no findings.
//!
//! Nothing that counts is changed, and nobody is kept from writing. When the write-ahead log is empty the file is read as
//! immutable and SQLite touches nothing else; if somebody writes meanwhile, that look is thrown away. Otherwise SQLite
//! reads beside the writer, or beside what a killed writer has left: then it may make or refresh the `-shm` file, which is
//! an index of the log and holds nothing of its own; a connection that only reads never checkpoints, and never deletes or
//! cuts the log.

mod accepted;
mod chain;
mod finding;
mod log;
mod pages;
mod rows;
mod shown;

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use holdfast_station::ports::StationRecord;
use rusqlite::Connection;

pub use finding::{Finding, Findings, Part};

use crate::fault::Fault;
use crate::files::DATABASE_FILE;
use crate::keys::{DatabaseKey, Unlock};
use crate::migrate::{MigrateError, version};
use crate::open::{Access, connect, connect_unread};
use crate::store::{OpenError, find};
use crate::version_gate;
use crate::{head, meta};

/// Findings that are listed; what lies beyond is only counted.
pub const FINDINGS_MAX: usize = 1_000;

/// Why nothing could be looked at.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct VerifyError(#[from] OpenError);

impl VerifyError {
    /// What was in the way.
    #[must_use]
    pub fn reason(&self) -> &OpenError {
        &self.0
    }

    /// What was in the way, for keeps.
    #[must_use]
    pub fn into_reason(self) -> OpenError {
        self.0
    }
}

/// Looks at everything. `progress` is told how many rows are done and how many there are.
///
/// # Errors
/// [`VerifyError`]: the folder, the keys or the passphrase; never the contents.
pub fn verify<'a>(
    path: &Path,
    unlock: impl Into<Unlock<'a>>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Findings, VerifyError> {
    version_gate::admit(rusqlite::version_number()).map_err(OpenError::from)?;
    let (folder, keys) = find(path)?;
    let key = keys.unlock(unlock.into()).map_err(OpenError::from)?;
    let database = folder.join(DATABASE_FILE);
    let look = |access| Look { folder: &folder, database: &database, key: &key, access };
    let before = Still::of(&database);
    if before.is_at_rest() {
        let findings = look(Access::Frozen).at_everything(progress);
        if Still::of(&database) == before {
            return Ok(findings?);
        }
        // Somebody began to write meanwhile: what was seen means nothing.
    }
    Ok(look(Access::Read).at_everything(progress)?)
}

/// What tells whether a database was written: sizes of file and log, and the file's time of change.
#[derive(PartialEq, Eq)]
pub(crate) struct Still {
    file_bytes: Option<u64>,
    changed_at: Option<SystemTime>,
    log_bytes: u64,
}

impl Still {
    pub(crate) fn of(database: &Path) -> Self {
        let file = std::fs::metadata(database).ok();
        Self {
            file_bytes: file.as_ref().map(Metadata::len),
            changed_at: file.and_then(|file| file.modified().ok()),
            log_bytes: std::fs::metadata(log_of(database)).map_or(0, |log| log.len()),
        }
    }

    /// Everything is in the file itself.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.log_bytes == 0
    }
}

/// Where to look, and how.
struct Look<'a> {
    folder: &'a Path,
    database: &'a Path,
    key: &'a DatabaseKey,
    access: Access,
}

impl Look<'_> {
    fn at_everything(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<Findings, OpenError> {
        let mut findings = Findings::default();
        if !pages::look(self, &mut findings) {
            return Ok(findings);
        }
        self.is_understood()?;
        if let Err(fault) = self.at_contents(&mut findings, progress) {
            findings.add(finding::unreadable(Part::Station, &fault));
        }
        Ok(findings)
    }

    /// What a newer program has laid down is not damage. That a version cannot be read is told by what follows.
    fn is_understood(&self) -> Result<(), MigrateError> {
        match self.connect().map_err(MigrateError::Sql).and_then(|conn| version(&conn)) {
            Err(newer @ MigrateError::Newer { .. }) => Err(newer),
            Ok(_) | Err(MigrateError::Changed { .. } | MigrateError::Backup(_) | MigrateError::Sql(_)) => {
                Ok(())
            }
        }
    }

    fn at_contents(&self, findings: &mut Findings, progress: &mut dyn FnMut(u64, u64)) -> Result<(), Fault> {
        // Before the transaction: what the head names now was committed before that begins.
        let head = head::read(self.folder);
        let conn = self.connect()?;
        let tx = conn.unchecked_transaction()?;
        let record: StationRecord = meta::station(&tx)?;
        let mut steps = Steps { done: 0, total: rows::count(&tx)?, progress };
        chain::look(&tx, &record, head, findings, &mut steps);
        rows::look(&tx, findings, &mut steps);
        steps.end();
        Ok(())
    }

    /// A new connection: one that has met a damaged page reads nothing more.
    fn connect(&self) -> rusqlite::Result<Connection> {
        connect(self.database, self.key, self.access)
    }

    fn log(&self) -> PathBuf {
        log_of(self.database)
    }

    /// One for which no page has to be readable.
    fn connect_unread(&self) -> rusqlite::Result<Connection> {
        connect_unread(self.database, self.key, self.access)
    }
}

/// Rows done.
struct Steps<'a> {
    done: u64,
    total: u64,
    progress: &'a mut dyn FnMut(u64, u64),
}

impl Steps<'_> {
    fn one(&mut self) {
        const TOLD_EVERY_ROWS: u64 = 1_000;
        self.done += 1;
        if self.done.is_multiple_of(TOLD_EVERY_ROWS) {
            (self.progress)(self.done, self.total.max(self.done));
        }
    }

    fn end(&mut self) {
        (self.progress)(self.done, self.done);
    }
}

/// The write-ahead log of a database.
fn log_of(database: &Path) -> PathBuf {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    PathBuf::from(log)
}
