//! What is kept, and the port through which it is reached.
//!
//! Promise: each method is one transaction; [`Records::write`] writes effect, key, fingerprint and answer in one. The
//! methods block: they are called on threads where that is allowed.

mod sqlite;

use holdfast_core::holds::HoldType;
use holdfast_core::ids::{
    ActorId, ApplicationId, Digest, ETag, IdempotencyKey, LocalSeq, OperationId, PermitNum, RecordId,
    RoleName, SessionId, SorIdentity, StationId,
};
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::{Body, Kind};
use holdfast_core::people::SessionStatement;
use holdfast_core::sign::{KeyPair, PublicKey};
use holdfast_core::tags::TagLevel;
use holdfast_core::time::UtcMillis;
use serde::Serialize;
use serde_json::Value;

use crate::judge::Refusal;
use crate::password::PasswordHash;

pub(crate) use sqlite::SqliteRecords;

/// Why the records did not answer. Nothing of a request is repeated in it.
#[derive(Debug, thiserror::Error)]
pub enum RecordsFault {
    /// The database said no.
    #[error("the database failed")]
    Sqlite(#[from] rusqlite::Error),
    /// The file cannot be made.
    #[error("the database file cannot be made")]
    File(#[source] std::io::Error),
    /// A row that this program did not write like that.
    #[error("a stored {what} cannot be read")]
    Unreadable {
        /// What the row holds.
        what: &'static str,
    },
    /// Written by another version.
    #[error("the database has form {found}; this program knows {known}")]
    OtherForm {
        /// Its form.
        found: i64,
        /// The form of this program.
        known: i64,
    },
    /// SQLite before 3.51.3 can lose committed pages (<https://sqlite.org/wal.html#walresetbug>).
    #[error("this SQLite is too old to be trusted with records")]
    SqliteTooOld,
}

/// What was drawn once for this SoR and is kept.
pub(crate) struct Seal {
    pub(crate) identity: SorIdentity,
    /// Signs statements about sessions.
    pub(crate) sor_key: KeyPair,
    /// Signs contracts and attestations.
    pub(crate) office_key: KeyPair,
    /// Goes up with each restored backup.
    pub(crate) epoch: u64,
}

/// Entropy for a [`Seal`], used only when the database is new.
pub(crate) struct SealSeeds {
    pub(crate) identity: [u8; 4],
    pub(crate) sor_key: [u8; 32],
    pub(crate) office_key: [u8; 32],
}

/// A station that asks to be enrolled.
pub(crate) struct Enrolment<'a> {
    pub(crate) station: &'a StationId,
    pub(crate) key: &'a PublicKey,
    pub(crate) gate: Gate,
    pub(crate) at: UtcMillis,
}

/// What lets a new key in.
#[derive(Clone, Copy)]
pub(crate) enum Gate {
    /// Nothing is needed.
    Open,
    /// The code with this digest, if it is kept and unused.
    Code(Digest),
    /// No code was given.
    Shut,
}

/// How an enrolment ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Enrolled {
    /// The key is new.
    New(UtcMillis),
    /// The same station with the same key was enrolled before.
    Already(UtcMillis),
    /// No right to it.
    Refused,
}

/// A token to be kept, against the request that it answers.
pub(crate) struct TokenGrant<'a> {
    pub(crate) station: &'a StationId,
    pub(crate) jti: &'a str,
    /// From when on the request would be refused for its age.
    pub(crate) jti_until: UtcMillis,
    pub(crate) token: Digest,
    pub(crate) until: UtcMillis,
    pub(crate) at: UtcMillis,
}

/// Whether a token was granted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Granted {
    Granted,
    /// The request was used before.
    Replayed,
}

/// Somebody who may sign in.
pub(crate) struct Person {
    pub(crate) actor: ActorId,
    pub(crate) password: PasswordHash,
    pub(crate) roles: Vec<RoleName>,
}

/// An operation that may have its effect: proven and valid.
pub(crate) struct Submission<'a> {
    pub(crate) key: IdempotencyKey,
    pub(crate) body: &'a Body,
    /// As received.
    pub(crate) bytes: &'a [u8],
    pub(crate) body_digest: Digest,
    pub(crate) if_match: Option<&'a str>,
    pub(crate) arrived_at: UtcMillis,
}

/// The answer to an operation, as it was given and will be given again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredAnswer {
    pub(crate) body_digest: Digest,
    pub(crate) status: u16,
    pub(crate) etag: ETag,
    pub(crate) text: Vec<u8>,
}

/// How a write ended.
pub(crate) enum Written {
    /// With an effect.
    Applied(StoredAnswer),
    /// The key is known; nothing was done.
    Known(StoredAnswer),
    /// The operation's id is known with other contents; nothing was done.
    IdReused,
    /// Without an effect; `current` is the application as it stands.
    Refused { refusal: Refusal, current: Option<Box<ApplicationView>> },
}

/// An application in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ApplicationRow {
    /// Position in the order of recording; the cursor of a list.
    #[serde(skip)]
    pub(crate) n: i64,
    pub(crate) application_id: ApplicationId,
    pub(crate) record_id: RecordId,
    pub(crate) permit_num: PermitNum,
    pub(crate) etag: ETag,
    pub(crate) stage: Stage,
    pub(crate) updated_at: UtcMillis,
}

/// One application whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ApplicationView {
    #[serde(flatten)]
    pub(crate) row: ApplicationRow,
    pub(crate) payload: Value,
    pub(crate) operations: Vec<OperationRow>,
    #[serde(flatten)]
    pub(crate) beside: Beside,
}

/// What is kept of an application beside its fields; the latest first, and open holds before released ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Beside {
    pub(crate) open_holds: usize,
    pub(crate) holds: Vec<HoldRow>,
    /// For each building the strictest of its tags.
    pub(crate) tags_shown: Vec<TagShown>,
    pub(crate) tags: Vec<EntryRow>,
    pub(crate) notices: Vec<EntryRow>,
    pub(crate) fees: Vec<EntryRow>,
    pub(crate) notes: Vec<EntryRow>,
}

/// A hold, open or released.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct HoldRow {
    pub(crate) hold_id: String,
    #[serde(rename = "type")]
    pub(crate) kind: HoldType,
    pub(crate) reason: String,
    pub(crate) placed_by: String,
    pub(crate) placed_at: UtcMillis,
    pub(crate) released_at: Option<UtcMillis>,
}

/// A notice, a fee, a note or a tag.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct EntryRow {
    pub(crate) operation_id: OperationId,
    #[serde(skip)]
    pub(crate) kind: Kind,
    pub(crate) payload: Value,
    pub(crate) actor: ActorId,
    pub(crate) accepted_at: UtcMillis,
    pub(crate) voided_at: Option<UtcMillis>,
}

/// The tag that is shown of a building.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct TagShown {
    pub(crate) building: Option<String>,
    pub(crate) level: TagLevel,
}

/// What people at city hall do to a record, for drills.
pub(crate) enum CityHall {
    /// A hold is placed.
    Hold { hold_id: String, kind: HoldType, reason: String },
    /// A hold is released.
    Release { hold_id: String },
    /// Fields are merged into the application's; null takes one away.
    Fields(Value),
}

/// A block of numbers that a station asks for.
pub(crate) struct Lease<'a> {
    pub(crate) station: &'a StationId,
    pub(crate) lease_id: &'a str,
    pub(crate) year: i32,
    pub(crate) count: u32,
    pub(crate) at: UtcMillis,
}

/// A block that is handed out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct BlockRow {
    pub(crate) lease_id: String,
    pub(crate) year: i32,
    pub(crate) leased_at: UtcMillis,
    /// How many there are, how many of them are an application's, and how many were reported as void.
    pub(crate) numbers: u64,
    pub(crate) used: u64,
    pub(crate) void: u64,
    /// In order; not in a list of blocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) permit_nums: Vec<PermitNum>,
}

/// How the asking for a block ended.
pub(crate) enum Leased {
    Block(BlockRow),
    /// The id is that of another station's block.
    OfAnother,
}

/// How a report of unused numbers ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unused {
    /// So many are void, and so many are an application's.
    Void { void: usize, in_use: usize },
    /// One of them is not of this station; nothing was done.
    OfAnother,
}

/// An operation that was applied to an application.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct OperationRow {
    pub(crate) idempotency_key: IdempotencyKey,
    pub(crate) operation_id: OperationId,
    pub(crate) kind: Kind,
    pub(crate) accepted_at: UtcMillis,
    pub(crate) applied_at: UtcMillis,
}

/// An application in a list that is read to keep copies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ApplicationCopy {
    #[serde(flatten)]
    pub(crate) row: ApplicationRow,
    pub(crate) payload: Value,
}

/// An application that changed, with its position in the order of changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ChangedApplication {
    #[serde(skip)]
    pub(crate) changed: i64,
    #[serde(flatten)]
    pub(crate) copy: ApplicationCopy,
}

/// From which end applications are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// In the order of recording.
    OldestFirst,
    /// The other way round, for who cannot keep all of them.
    LatestFirst,
}

/// Which inspections are asked for; what is not said does not matter.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InspectionsAsk<'a> {
    pub(crate) assignee: Option<&'a str>,
    /// Of this day.
    pub(crate) date: Option<&'a str>,
    /// Open ones up to this day, whatever their day, and of the ones that are done those of `done_on`.
    pub(crate) open_until: Option<&'a str>,
    pub(crate) done_on: Option<&'a str>,
}

/// An inspection in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct InspectionRow {
    pub(crate) inspection_id: String,
    pub(crate) application_id: ApplicationId,
    pub(crate) record_id: RecordId,
    pub(crate) permit_num: PermitNum,
    pub(crate) assignee: Option<String>,
    pub(crate) date: String,
    pub(crate) state: InspectionState,
    pub(crate) address: Option<String>,
    pub(crate) payload: Value,
}

/// Whether somebody has been there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum InspectionState {
    Scheduled,
    Done,
    Voided,
}

/// One effect of `POST /v1/operations`, for drills.
#[derive(Serialize)]
pub(crate) struct LedgerEntry {
    pub(crate) key: IdempotencyKey,
    pub(crate) application_id: ApplicationId,
    pub(crate) permit_num: PermitNum,
    pub(crate) kind: Kind,
    pub(crate) local_seq: LocalSeq,
    pub(crate) accepted_at: UtcMillis,
    pub(crate) actor: ActorId,
    pub(crate) station_id: StationId,
    pub(crate) arrived_at: UtcMillis,
    pub(crate) body_digest: Digest,
}

/// An application that was there before any station.
pub(crate) struct PlantedApplication {
    pub(crate) application_id: ApplicationId,
    pub(crate) stage: Stage,
    pub(crate) payload: Value,
    pub(crate) inspections: Vec<Value>,
}

type Answer<T> = Result<T, RecordsFault>;

/// The records of a city.
pub(crate) trait Records: Send + Sync {
    /// What was drawn once; drawn from `seeds` when the database is new.
    fn seal(&self, seeds: &SealSeeds) -> Answer<Seal>;
    /// The version of the contract whose files have this digest: the same for the same files, one more for others.
    fn contract_version(&self, files: &Digest) -> Answer<u64>;

    /// Adds one-time codes, by digest; those known are left as they are.
    fn add_codes(&self, codes: &[Digest]) -> Answer<()>;
    /// Enrols a station.
    fn enrol(&self, enrolment: &Enrolment<'_>) -> Answer<Enrolled>;
    /// The key of an enrolled station.
    fn station_key(&self, station: &StationId) -> Answer<Option<PublicKey>>;
    /// Keeps a token.
    fn grant(&self, grant: &TokenGrant<'_>) -> Answer<Granted>;
    /// Whose token this is, if it holds.
    fn token_station(&self, token: &Digest, at: UtcMillis) -> Answer<Option<StationId>>;
    /// The largest `local_seq` applied from a station.
    fn last_local_seq(&self, station: &StationId) -> Answer<Option<LocalSeq>>;
    /// How many operations of a station are held.
    fn held_of(&self, station: &StationId) -> Answer<u64>;
    /// Those of them with larger numbers than `after`, by their numbers.
    fn operations_of(
        &self,
        station: &StationId,
        after: LocalSeq,
        limit_rows: u32,
    ) -> Answer<Vec<LedgerEntry>>;
    /// The records came back from a copy: the epoch goes up by one.
    fn come_back(&self) -> Answer<()>;

    /// Somebody who may sign in.
    fn person(&self, actor: &ActorId) -> Answer<Option<Person>>;
    /// Keeps a session for ever: operations are proven by it long after its end.
    fn open_session(&self, statement: &SessionStatement) -> Answer<()>;
    /// A session.
    fn session(&self, sid: SessionId) -> Answer<Option<SessionStatement>>;

    /// The answer kept under a key.
    fn answer_to(&self, key: IdempotencyKey) -> Answer<Option<StoredAnswer>>;
    /// Applies an operation, or says why not.
    fn write(&self, submission: &Submission<'_>) -> Answer<Written>;

    /// The kind of the operation that an `of` names.
    fn kind_of(&self, of: &str) -> Answer<Option<Kind>>;

    /// Leases a block of numbers; the same block for the same id.
    fn lease(&self, lease: &Lease<'_>) -> Answer<Leased>;
    /// Numbers of a station that will never be used.
    fn void_numbers(&self, station: &StationId, numbers: &[PermitNum], at: UtcMillis) -> Answer<Unused>;
    /// A station's blocks.
    fn blocks(&self, station: &StationId) -> Answer<Vec<BlockRow>>;

    /// What city hall does to a record; `version` names the new version.
    fn at_city_hall(
        &self,
        id: ApplicationId,
        change: &CityHall,
        version: [u8; 32],
        at: UtcMillis,
    ) -> Answer<Option<ETag>>;

    /// Applications after a position, in this order.
    fn applications(&self, after: Option<i64>, order: Order, limit_rows: u32)
    -> Answer<Vec<ApplicationCopy>>;
    /// One application.
    fn application(&self, id: ApplicationId) -> Answer<Option<ApplicationView>>;
    /// Inspections, by their day.
    fn inspections(&self, ask: &InspectionsAsk<'_>, limit_rows: u32) -> Answer<Vec<InspectionRow>>;

    /// Applications that changed after a position, in the order of their last changes.
    fn changes(&self, since: i64, limit_rows: u32) -> Answer<Vec<ChangedApplication>>;
    /// The position of the last change; 0 before the first.
    fn last_change(&self) -> Answer<i64>;

    /// Every effect in order.
    fn ledger(&self) -> Answer<Vec<LedgerEntry>>;
    /// How many effects there are.
    fn effects(&self) -> Answer<u64>;

    /// Fills an empty database; one that holds people is left alone.
    fn plant(&self, people: &[Person], applications: &[PlantedApplication], at: UtcMillis) -> Answer<()>;
}
