//! Setting up a data folder.
//!
//! Promise: a folder is set up whole or not at all. Keys and database are made beside their places and then renamed, the
//! database last, so that a setup that was cut off is told from a store and can be begun anew.

use std::io;
use std::path::Path;

use holdfast_core::audit::Entry;
use holdfast_core::sign::PublicKey;
use holdfast_core::time::Now;
use holdfast_station::ports::{BesideRecord, SecretName, StationRecord};
use zeroize::Zeroizing;

use crate::fault::Fault;
use crate::files::{DATABASE_FILE, KEYS_FILE, sync_folder, unfinished, write_new};
use crate::folder::prepare;
use crate::keys::{ArgonCost, DatabaseKey, KeysFile};
use crate::migrate::{MIGRATIONS, migrate};
use crate::open::{Access, connect};
use crate::store::{OpenError, Store, of_fault, take_lock};
use crate::turn::Turn;
use crate::version_gate;
use crate::{audit, beside, books, counts, endpoint, head, meta, secret};

/// What a new folder is made of.
pub struct NewStore {
    /// What never changes about it.
    pub record: StationRecord,
    /// The key that signs contracts, when it is given; else the first one seen is pinned.
    pub office_key: Option<PublicKey>,
    /// The endpoints beside the primary.
    pub beside: Vec<BesideRecord>,
    /// Seed of the station's own key pair.
    pub station_key: Zeroizing<[u8; 32]>,
    /// What opens the folder from now on.
    pub passphrase: Zeroizing<Vec<u8>>,
    /// What deriving a key from the passphrase costs.
    pub argon: ArgonCost,
    /// The first audit events.
    pub entries: Vec<Entry>,
    /// When.
    pub now: Now,
}

impl Store {
    /// Sets up a folder and opens it for writing.
    ///
    /// # Errors
    /// See [`OpenError`]; [`crate::FolderError::AlreadySetUp`] when there is a store.
    pub fn create(path: &Path, new: NewStore) -> Result<Self, OpenError> {
        version_gate::admit(rusqlite::version_number())?;
        let folder = prepare(path)?;
        let lock = take_lock(&folder)?;
        // Again, now that nobody else can be at it.
        let folder = prepare(&folder)?;
        let now = new.now;
        let key = DatabaseKey::generate();
        let keys = KeysFile::new(new.record.db_id, &key, &new.passphrase, new.argon)?;
        clear_unfinished(&folder)?;
        write_new(&unfinished(&folder.join(KEYS_FILE)), &keys.bytes())?;
        make_database(&folder, &key, new)?;
        put_in_place(&folder)?;
        Self::start(folder, &keys, &key, lock, now)
    }
}

/// What a setup that was cut off has left; no operation was ever accepted into it.
fn clear_unfinished(folder: &Path) -> io::Result<()> {
    let database = unfinished(&folder.join(DATABASE_FILE));
    let beside = ["-wal", "-shm", "-journal"].map(|suffix| {
        let mut name = database.as_os_str().to_owned();
        name.push(suffix);
        name.into()
    });
    for path in [unfinished(&folder.join(KEYS_FILE)), database].into_iter().chain(beside) {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

fn make_database(folder: &Path, key: &DatabaseKey, new: NewStore) -> Result<(), OpenError> {
    let path = unfinished(&folder.join(DATABASE_FILE));
    let sql = |error| of_fault(Fault::from(error));
    // An empty file of this user alone, before the engine makes one that others may read.
    write_new(&path, b"")?;
    let mut conn = connect(&path, key, Access::Write).map_err(sql)?;
    migrate(&mut conn, &path, MIGRATIONS, new.now.wall)?;
    let record = new.record.clone();
    let mut turn = Turn::begin(&mut conn, &record, folder, new.now).map_err(of_fault)?;
    fill(&mut turn, new).map_err(of_fault)?;
    turn.commit().map_err(of_fault)?;
    // The head is there before the database is: a start that is cut off must not look like a head that was taken away.
    let tail = audit::tail(&conn, &record).map_err(of_fault)?;
    head::write(&conn, &record, folder, &tail).map_err(of_fault)?;
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(sql)?;
    conn.close().map_err(|(_, error)| sql(error))?;
    Ok(std::fs::File::open(&path)?.sync_all()?)
}

fn fill(turn: &mut Turn<'_>, new: NewStore) -> Result<(), Fault> {
    meta::insert(&turn.tx, &new.record, new.office_key)?;
    books::open_station(&turn.tx)?;
    counts::insert(&turn.tx)?;
    endpoint::insert_primary(&turn.tx, new.now)?;
    new.beside.iter().try_for_each(|record| beside::insert(&turn.tx, record, new.now))?;
    secret::keep(&turn.tx, SecretName::StationKey, new.station_key.as_slice())?;
    turn.audit_all(new.entries)
}

fn put_in_place(folder: &Path) -> io::Result<()> {
    for name in [KEYS_FILE, DATABASE_FILE] {
        let path = folder.join(name);
        std::fs::rename(unfinished(&path), &path)?;
        sync_folder(&path)?;
    }
    Ok(())
}
