//! The records in one SQLite file.
//!
//! Promise: WAL with `synchronous = FULL`, so that what was answered is on the disk; one writer at a time; readers see
//! whole transactions and wait for nobody's disk.

mod amendments;
mod board;
mod changes;
mod city_hall;
mod codec;
mod custody;
mod demo;
mod entries;
mod legacy;
mod numbers;
mod operations;
mod parcels;
mod reading;
mod seal;
mod stations;

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use holdfast_core::ids::{
    ActorId, ApplicationId, Digest, ETag, IdempotencyKey, LocalSeq, PermitNum, SessionId, StationId,
};
use holdfast_core::operation::Kind;
use holdfast_core::people::SessionStatement;
use holdfast_core::sign::PublicKey;
use holdfast_core::time::UtcMillis;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::{
    Answer, ApplicationCopy, ApplicationView, BlockRow, ChangedApplication, CityHall, Enrolled, Enrolment,
    Granted, InspectionRow, InspectionsAsk, Lease, Leased, LedgerEntry, Order, Person, PlantedApplication,
    Records, RecordsFault, Seal, SealSeeds, StoredAnswer, Submission, TokenGrant, Unused, Written,
};

/// The form of the database that this program writes.
const FORM: i64 = 3;
/// 3.51.3, see [`RecordsFault::SqliteTooOld`].
const SQLITE_MIN: i32 = 3_051_003;
/// How long one connection waits for another's lock, in milliseconds.
const LOCK_WAIT_MS: u64 = 5_000;
/// Prepared statements kept by each connection.
const STATEMENTS_KEPT: usize = 64;
/// Connections that only read.
const READERS: usize = 2;

/// One SQLite file.
pub(crate) struct SqliteRecords {
    writer: Mutex<Connection>,
    readers: [Mutex<Connection>; READERS],
}

impl SqliteRecords {
    /// Opens the file, and makes it when it is not there.
    ///
    /// # Errors
    /// [`RecordsFault`]
    pub(crate) fn open(path: &Path) -> Result<Self, RecordsFault> {
        if rusqlite::version_number() < SQLITE_MIN {
            return Err(RecordsFault::SqliteTooOld);
        }
        make_private(path)?;
        let mut writer = connect(path)?;
        create(&mut writer)?;
        let reader = || connect(path).map(Mutex::new);
        Ok(Self { writer: Mutex::new(writer), readers: [reader()?, reader()?] })
    }

    fn write_with<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Answer<T>) -> Answer<T> {
        // A panic inside a transaction has rolled it back: the connection is as good as before.
        let mut connection = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = work(&transaction)?;
        transaction.commit()?;
        Ok(result)
    }

    fn read_with<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Answer<T>) -> Answer<T> {
        let mut connection = self.reader();
        let snapshot = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
        let result = work(&snapshot)?;
        snapshot.commit()?;
        Ok(result)
    }

    /// A free reader; the last one is waited for.
    fn reader(&self) -> MutexGuard<'_, Connection> {
        let free = self.readers.iter().find_map(|reader| reader.try_lock().ok());
        free.unwrap_or_else(|| self.readers[READERS - 1].lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Records for SqliteRecords {
    fn seal(&self, seeds: &SealSeeds) -> Answer<Seal> {
        self.write_with(|tx| seal::seal(tx, seeds))
    }

    fn contract_version(&self, files: &Digest) -> Answer<u64> {
        self.write_with(|tx| seal::contract_version(tx, files))
    }

    fn add_codes(&self, codes: &[Digest]) -> Answer<()> {
        self.write_with(|tx| stations::add_codes(tx, codes))
    }

    fn enrol(&self, enrolment: &Enrolment<'_>) -> Answer<Enrolled> {
        self.write_with(|tx| stations::enrol(tx, enrolment))
    }

    fn station_key(&self, station: &StationId) -> Answer<Option<PublicKey>> {
        self.read_with(|tx| stations::key(tx, station))
    }

    fn grant(&self, grant: &TokenGrant<'_>) -> Answer<Granted> {
        self.write_with(|tx| stations::grant(tx, grant))
    }

    fn token_station(&self, token: &Digest, at: UtcMillis) -> Answer<Option<StationId>> {
        self.read_with(|tx| stations::of_token(tx, token, at))
    }

    fn last_local_seq(&self, station: &StationId) -> Answer<Option<LocalSeq>> {
        self.read_with(|tx| stations::last_local_seq(tx, station))
    }

    fn held_of(&self, station: &StationId) -> Answer<u64> {
        self.read_with(|tx| stations::held_of(tx, station))
    }

    fn operations_of(
        &self,
        station: &StationId,
        after: LocalSeq,
        limit_rows: u32,
    ) -> Answer<Vec<LedgerEntry>> {
        self.read_with(|tx| reading::operations_of(tx, station, after, limit_rows))
    }

    fn come_back(&self) -> Answer<()> {
        self.write_with(seal::come_back)
    }

    fn person(&self, actor: &ActorId) -> Answer<Option<Person>> {
        self.read_with(|tx| stations::person(tx, actor))
    }

    fn open_session(&self, statement: &SessionStatement) -> Answer<()> {
        self.write_with(|tx| stations::open_session(tx, statement))
    }

    fn session(&self, sid: SessionId) -> Answer<Option<SessionStatement>> {
        self.read_with(|tx| stations::session(tx, sid))
    }

    fn answer_to(&self, key: IdempotencyKey) -> Answer<Option<StoredAnswer>> {
        self.read_with(|tx| operations::answer_to(tx, key))
    }

    fn write(&self, submission: &Submission<'_>) -> Answer<Written> {
        self.write_with(|tx| operations::write(tx, submission))
    }

    fn kind_of(&self, of: &str) -> Answer<Option<Kind>> {
        self.read_with(|tx| amendments::kind_of(tx, of))
    }

    fn lease(&self, lease: &Lease<'_>) -> Answer<Leased> {
        self.write_with(|tx| numbers::lease(tx, lease))
    }

    fn void_numbers(&self, station: &StationId, numbers: &[PermitNum], at: UtcMillis) -> Answer<Unused> {
        self.write_with(|tx| numbers::void(tx, station, numbers, at))
    }

    fn blocks(&self, station: &StationId) -> Answer<Vec<BlockRow>> {
        self.read_with(|tx| numbers::blocks(tx, station))
    }

    fn at_city_hall(
        &self,
        id: ApplicationId,
        change: &CityHall,
        version: [u8; 32],
        at: UtcMillis,
    ) -> Answer<Option<ETag>> {
        self.write_with(|tx| city_hall::change(tx, id, change, version, at))
    }

    fn applications(
        &self,
        after: Option<i64>,
        order: Order,
        limit_rows: u32,
    ) -> Answer<Vec<ApplicationCopy>> {
        self.read_with(|tx| reading::applications(tx, after, order, limit_rows))
    }

    fn application(&self, id: ApplicationId) -> Answer<Option<ApplicationView>> {
        self.read_with(|tx| reading::application(tx, id))
    }

    fn inspections(&self, ask: &InspectionsAsk<'_>, limit_rows: u32) -> Answer<Vec<InspectionRow>> {
        self.read_with(|tx| reading::inspections(tx, ask, limit_rows))
    }

    fn changes(&self, since: i64, limit_rows: u32) -> Answer<Vec<ChangedApplication>> {
        self.read_with(|tx| changes::after(tx, since, limit_rows))
    }

    fn last_change(&self) -> Answer<i64> {
        self.read_with(changes::last)
    }

    fn ledger(&self) -> Answer<Vec<LedgerEntry>> {
        self.read_with(reading::ledger)
    }

    fn effects(&self) -> Answer<u64> {
        self.read_with(reading::effects)
    }

    fn plant(&self, people: &[Person], applications: &[PlantedApplication], at: UtcMillis) -> Answer<()> {
        self.write_with(|tx| demo::plant(tx, people, applications, at))
    }
}

/// Keys and people are in the file: it is its owner's alone, and so are the files that SQLite lays beside it.
fn make_private(path: &Path) -> Answer<()> {
    let made = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path);
    made.map(drop).map_err(RecordsFault::File)
}

fn connect(path: &Path) -> Answer<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_millis(LOCK_WAIT_MS))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    Ok(connection)
}

fn create(connection: &mut Connection) -> Answer<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found == 0 {
        tx.execute_batch(include_str!("schema.sql"))?;
        tx.pragma_update(None, "user_version", FORM)?;
    } else if found != FORM {
        return Err(RecordsFault::OtherForm { found, known: FORM });
    }
    tx.commit()?;
    Ok(())
}
