//! A data folder, opened.
//!
//! Promise: one process at a time writes in a folder, decided before the database is touched; whoever only reads takes no
//! lock and can do so beside it. When a store is closed cleanly its database is one file again.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use holdfast_core::ids::DbId;
use holdfast_core::time::{Now, UtcMillis};
use holdfast_station::ports::{JournalError, OsUser, StationRecord};
use rusqlite::{Connection, Transaction};

use crate::fault::{Fault, is_damage};
use crate::files::DATABASE_FILE;
use crate::folder::{self, FolderError};
use crate::head::{self, HeadFault};
use crate::keys::{DatabaseKey, KeysError, KeysFile, Unlock};
use crate::local_key::LocalKey;
use crate::lock::{LockError, WriteLock};
use crate::migrate::{MIGRATIONS, MigrateError, migrate, version};
use crate::open::{Access, connect};
use crate::turn::Turn;
use crate::version_gate::{self, TooOld};
use crate::writer::{Desk, WhenFull, Writer};
use crate::{find, meta, recover, restored, session, sharing};

/// The journal and the vault of one data folder.
pub struct Store {
    // In this order: the reading connection is closed before the writer ends, so that the write-ahead log can go.
    reader: Mutex<Connection>,
    writer: Option<Writer>,
    record: StationRecord,
    folder: PathBuf,
    local_key: LocalKey,
}

/// Why a folder was not opened. Nothing in it was changed, but where a migration failed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no store.
    #[error("{} is not set up", .folder.display())]
    NotSetUp {
        /// The folder.
        folder: PathBuf,
    },
    /// The keys are there and the database is not.
    #[error("the database is missing in {}", .folder.display())]
    DatabaseMissing {
        /// The folder.
        folder: PathBuf,
    },
    /// Another process writes there.
    #[error("another process writes in {}", .folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// The key is right and the database cannot be read all the same.
    #[error("the stored data is damaged: {what}")]
    Damaged {
        /// What, in words without personal values.
        what: String,
    },
    /// There is no key.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The engine cannot be used.
    #[error(transparent)]
    Engine(#[from] TooOld),
    /// The tables are not those of this program.
    #[error(transparent)]
    Migrate(MigrateError),
    /// Anything else the journal says.
    #[error("the store could not be opened")]
    Journal(#[source] JournalError),
    /// The file system says so.
    #[error("the store could not be opened")]
    Io(#[from] io::Error),
}

impl From<MigrateError> for OpenError {
    /// That a page cannot be read is damage, whoever was the first to meet it.
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::Sql(cause) if is_damage(&cause) => of_fault(Fault::from(cause)),
            MigrateError::Newer { .. }
            | MigrateError::Changed { .. }
            | MigrateError::Backup(_)
            | MigrateError::Sql(_) => OpenError::Migrate(error),
        }
    }
}

impl Store {
    /// Opens a folder for writing: brings its tables up to date, and puts back what was in flight.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open<'a>(path: &Path, unlock: impl Into<Unlock<'a>>, now: Now) -> Result<Self, OpenError> {
        version_gate::admit(rusqlite::version_number())?;
        let (folder, keys) = find(path)?;
        let lock = take_lock(&folder)?;
        let key = keys.unlock(unlock.into())?;
        sharing::settle(&folder)?;
        Self::start(folder, &keys, &key, lock, now)
    }

    /// Opens a folder for reading only, also while another process writes there.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open_beside<'a>(path: &Path, unlock: impl Into<Unlock<'a>>) -> Result<Self, OpenError> {
        version_gate::admit(rusqlite::version_number())?;
        let (folder, keys) = find(path)?;
        let key = keys.unlock(unlock.into())?;
        let reader = connect(&folder.join(DATABASE_FILE), &key, Access::Read)
            .map_err(|error| unreadable(error, &folder, &keys))?;
        version(&reader)?;
        let record = record_of(&reader, &keys)?;
        let local_key = LocalKey::of(&key, keys.db_id);
        Ok(Self { reader: Mutex::new(reader), writer: None, record, folder, local_key })
    }

    /// Ends what was begun and closes the folder.
    ///
    /// # Errors
    /// The last checkpoint or the head was not written; everything that was accepted is on the disk all the same.
    pub fn close(self) -> Result<(), JournalError> {
        let Self { reader, writer, .. } = self;
        drop(reader);
        writer.map_or(Ok(()), |mut writer| writer.close())
    }

    /// Everything after the lock and the key.
    pub(crate) fn start(
        folder: PathBuf,
        keys: &KeysFile,
        key: &DatabaseKey,
        lock: WriteLock,
        now: Now,
    ) -> Result<Self, OpenError> {
        let path = folder.join(DATABASE_FILE);
        let mut conn =
            connect(&path, key, Access::Write).map_err(|error| unreadable(error, &folder, keys))?;
        let copy = migrate(&mut conn, &path, MIGRATIONS, now.wall)?;
        if let Some(copy) = copy {
            tracing::info!(copy = %copy.display(), "the tables were brought up to date");
        }
        find::fill_missing(&mut conn).map_err(of_fault)?;
        let record = record_of(&conn, keys)?;
        let mut desk =
            Desk { conn, record: record.clone(), folder: folder.clone(), head_seq: None, latest: now, lock };
        let maker = OsUser(path.metadata()?.uid());
        desk.untold(|tx| session::give_to(tx, maker)).map_err(of_fault)?;
        desk.turn(now, restored::notice).map_err(of_fault)?;
        desk.turn(now, recover::recover).map_err(of_fault)?;
        let reader = connect(&path, key, Access::Read).map_err(damage)?;
        let writer = Writer::start(desk)?;
        let local_key = LocalKey::of(key, keys.db_id);
        Ok(Self { reader: Mutex::new(reader), writer: Some(writer), record, folder, local_key })
    }

    pub(crate) fn record(&self) -> &StationRecord {
        &self.record
    }

    /// What other processes of this folder are told by.
    #[must_use]
    pub fn local_key(&self) -> &LocalKey {
        &self.local_key
    }

    /// Where the data lie.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// One transaction of the writer.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        now: Now,
        when_full: WhenFull,
        work: impl FnOnce(&mut Turn<'_>) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, JournalError> {
        self.writer()?.run(when_full, move |desk| desk.turn(now, work))
    }

    /// One transaction of the writer that is not told to the audit.
    pub(crate) fn write_untold<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, JournalError> {
        self.writer()?.run(WhenFull::Wait, move |desk| desk.untold(work))
    }

    /// When a write failed after which nothing more is accepted.
    pub(crate) fn stopped_at(&self) -> Option<UtcMillis> {
        self.writer.as_ref().and_then(Writer::stopped_at)
    }

    fn writer(&self) -> Result<&Writer, JournalError> {
        self.writer.as_ref().ok_or(JournalError::ReadOnly)
    }

    /// One reading transaction: everything in it is of one moment.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, JournalError> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let read = reader.transaction().map_err(Fault::from).and_then(|tx| work(&tx));
        read.map_err(JournalError::from)
    }
}

/// Under which name the keyring holds what opens a folder.
///
/// # Errors
/// There is no store, or the keyring is no way to open it.
pub fn keyring_name(path: &Path) -> Result<DbId, OpenError> {
    let (_, keys) = find(path)?;
    keys.is_in_keyring()?;
    Ok(keys.db_id)
}

/// The folder and its keys.
pub(crate) fn find(path: &Path) -> Result<(PathBuf, KeysFile), OpenError> {
    if !path.exists() {
        return Err(OpenError::NotSetUp { folder: path.to_owned() });
    }
    let folder = folder::find(path)?;
    let database = folder.join(DATABASE_FILE).exists();
    match KeysFile::read(&folder) {
        Err(KeysError::Missing) if !database => Err(OpenError::NotSetUp { folder }),
        Ok(_) if !database => Err(OpenError::DatabaseMissing { folder }),
        keys => Ok((folder, keys?)),
    }
}

pub(crate) fn take_lock(folder: &Path) -> Result<WriteLock, OpenError> {
    WriteLock::take(folder).map_err(|error| match error {
        LockError::InUse => OpenError::InUse { folder: folder.to_owned() },
        LockError::Io(error) => OpenError::Io(error),
    })
}

/// The key was proven by the canary, so a database that cannot be read is a damaged one.
fn damage(error: rusqlite::Error) -> OpenError {
    of_fault(Fault::from(error))
}

/// The same of a database that does not open at all, unless the audit's head names it: then the keys are another one's.
fn unreadable(error: rusqlite::Error, folder: &Path, keys: &KeysFile) -> OpenError {
    match head::read(folder) {
        Ok(signed) if signed.head.db_id != keys.db_id => OpenError::Keys(KeysError::Foreign),
        Ok(_) | Err(HeadFault::Missing | HeadFault::Unreadable) => damage(error),
    }
}

pub(crate) fn of_fault(fault: Fault) -> OpenError {
    match JournalError::from(fault) {
        JournalError::Damaged { what } => OpenError::Damaged { what },
        other @ (JournalError::Busy { .. }
        | JournalError::DiskFull
        | JournalError::ReadOnly
        | JournalError::Stopped
        | JournalError::Failed(_)) => OpenError::Journal(other),
    }
}

fn record_of(conn: &Connection, keys: &KeysFile) -> Result<StationRecord, OpenError> {
    let record = meta::station(conn).map_err(of_fault)?;
    if record.db_id == keys.db_id {
        Ok(record)
    } else {
        Err(OpenError::Damaged { what: "keys.json belongs to another database".to_owned() })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use holdfast_core::audit::{Entry, EventKind};
    use holdfast_station::ports::Journal as _;
    use rusqlite::ffi;

    use super::*;
    use crate::scratch::{now, scratch, store_in};

    fn note(store: &Store) -> Result<(), JournalError> {
        let entry = Entry::new(EventKind::DrainFinished).with("filler", "x".repeat(2_000));
        store.note(now(), vec![entry])
    }

    fn limit_pages(store: &Store, pages: u32) {
        let sql = format!("PRAGMA max_page_count = {pages}");
        store.write_untold(move |tx| Ok(tx.query_row(&sql, [], |_| Ok(()))?)).unwrap();
    }

    #[test]
    fn a_full_disk_is_named_and_does_not_stop_the_store() {
        let folder = scratch();
        let store = store_in(folder.path());
        limit_pages(&store, 60);
        let refused = (0..1_000).find_map(|_| note(&store).err()).unwrap();
        assert!(matches!(refused, JournalError::DiskFull), "{refused}");
        limit_pages(&store, 10_000);
        note(&store).unwrap();
        store.close().unwrap();
        assert!(crate::verify(folder.path(), b"words", &mut |_, _| {}).unwrap().is_clean());
    }

    #[test]
    fn after_one_failed_write_nothing_is_accepted_until_the_next_start() {
        let folder = scratch();
        let store = store_in(folder.path());
        let failed = rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_IOERR_FSYNC), None);
        let first = store.write_untold::<()>(move |_| Err(failed.into()));
        assert!(matches!(first, Err(JournalError::Failed(_))));
        assert!(matches!(note(&store), Err(JournalError::Stopped)));
        assert_eq!(store.standing().unwrap().stopped_at, Some(now().wall), "reading goes on");
        drop(store);
        let store = Store::open(folder.path(), b"words", now()).unwrap();
        note(&store).unwrap();
    }

    #[test]
    fn another_passphrase_opens_the_same_database() {
        let folder = scratch();
        store_in(folder.path()).close().unwrap();
        let cheap = crate::ArgonCost { memory_kib: 64, passes: 1, lanes: 1 };
        crate::change_passphrase(folder.path(), b"words", b"new words", cheap).unwrap();
        let old = Store::open(folder.path(), b"words", now());
        assert!(matches!(old, Err(OpenError::Keys(KeysError::WrongPassphrase))));
        Store::open(folder.path(), b"new words", now()).unwrap().close().unwrap();
    }

    #[test]
    fn a_newer_major_version_is_refused_by_whoever_opens_it() {
        let folder = scratch();
        let store = store_in(folder.path());
        store.write_untold(|tx| Ok(tx.execute_batch("PRAGMA user_version = 2001")?)).unwrap();
        store.close().unwrap();
        for opened in [
            Store::open(folder.path(), b"words", now()).err(),
            Store::open_beside(folder.path(), b"words").err(),
            crate::verify(folder.path(), b"words", &mut |_, _| {}).err().map(|error| error.into_reason()),
        ] {
            let error = opened.unwrap();
            assert!(
                matches!(error, OpenError::Migrate(MigrateError::Newer { found: 2, known: 1 })),
                "{error}"
            );
        }
    }

    #[test]
    fn every_file_belongs_to_this_user_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = scratch();
        let store = store_in(folder.path());
        note(&store).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(folder.path()), 0o700);
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let path = entry.unwrap().path();
            assert_eq!(mode(&path), 0o600, "{}", path.display());
        }
    }

    #[test]
    fn in_a_folder_that_was_given_to_a_group_every_file_is_the_groups() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        let folder = scratch();
        store_in(folder.path()).close().unwrap();
        let give = |mode| std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(mode));
        let modes = || {
            let files = std::fs::read_dir(folder.path()).unwrap();
            files.map(|entry| entry.unwrap().metadata().unwrap().mode() & 0o777).collect::<Vec<_>>()
        };
        give(0o2770).unwrap();
        let store = Store::open(folder.path(), b"words", now()).unwrap();
        note(&store).unwrap();
        assert!(modes().len() > 4 && modes().iter().all(|mode| *mode == 0o660), "{:?}", modes());
        store.close().unwrap();

        give(0o755).unwrap();
        Store::open(folder.path(), b"words", now()).unwrap().close().unwrap();
        assert!(modes().iter().all(|mode| *mode == 0o600), "{:?}", modes());
        assert_eq!(
            folder.path().metadata().unwrap().mode() & 0o7777,
            0o700,
            "taken back, it is one user's again"
        );

        give(0o2775).unwrap();
        let refused = Store::open(folder.path(), b"words", now()).err().unwrap().to_string();
        assert!(refused.contains("open to everybody"), "{refused}");
    }

    #[test]
    fn a_setup_that_was_cut_off_can_be_begun_anew() {
        let folder = scratch();
        store_in(folder.path()).close().unwrap();
        let database = folder.path().join(DATABASE_FILE);
        std::fs::rename(&database, crate::files::unfinished(&database)).unwrap();
        assert!(matches!(
            Store::open(folder.path(), b"words", now()),
            Err(OpenError::DatabaseMissing { .. })
        ));
        store_in(folder.path()).close().unwrap();
    }
}
