//! The journal: everything that is accepted, and what became of it.
//!
//! Each method is one transaction. Where a decision is needed, the journal reads the facts inside the transaction, hands
//! them to the caller's function, and carries out what it answers, or nothing: so facts and consequences cannot drift
//! apart, and the journal itself decides nothing. A method that returns `Ok` has put its effects on the disk.

use holdfast_core::audit::Entry;
use holdfast_core::blame::{EndpointMemory, ItemFailures, Mark};
use holdfast_core::books::Books;
use holdfast_core::breaker::Breaker;
use holdfast_core::contract::{Attested, Bundle, SignedAttestation};
use holdfast_core::headroom::{DiskSpace, HeadroomClass};
use holdfast_core::ids::{
    ApplicationId, DbId, Digest, ETag, EndpointName, IdempotencyKey, LocalSeq, OperationId, OutageId,
    PermitNum, ReceiptNo, RecordId, SorIdentity, StationId,
};
use holdfast_core::lane::{Head, Place, State, Urgency};
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::{Body, ClockTrust, Kind, OriginRoute};
use holdfast_core::outcome::{Doubt, ForbiddenRun, NextStep, QuarantineReason, ReceiptBody};
use holdfast_core::people::SignedStatement;
use holdfast_core::problem::Problem;
use holdfast_core::profile::Profile;
use holdfast_core::sign::PublicKey;
use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_core::wait::Wait;
use serde_json::Value;

/// A decision, made inside a transaction from the facts read there.
pub type Decide<F, D> = Box<dyn FnOnce(&F) -> D + Send>;

/// Why the journal did not do it. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// More are waiting for the writer than it takes.
    #[error("{waiting_max} are waiting already")]
    Busy {
        /// The limit.
        waiting_max: usize,
    },
    /// No room on the disk.
    #[error("the disk is full")]
    DiskFull,
    /// What is stored does not hold.
    #[error("the stored data is damaged: {what}")]
    Damaged {
        /// What, in words without personal values.
        what: String,
    },
    /// This process opened the folder for reading only.
    #[error("opened for reading only")]
    ReadOnly,
    /// A write failed earlier; nothing more is accepted until the next start.
    #[error("the store stopped accepting after a failed write")]
    Stopped,
    /// Anything else the engine says.
    #[error("the store failed")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// What never changes about a data folder.
#[derive(Clone, Debug, PartialEq)]
pub struct StationRecord {
    /// The station.
    pub station_id: StationId,
    /// The database.
    pub db_id: DbId,
    /// Address of the primary endpoint.
    pub sor_url: String,
    /// Its identity, pinned.
    pub identity: SorIdentity,
    /// Its key that signs session statements, pinned.
    pub sor_key: PublicKey,
    /// What it can do.
    pub profile: Profile,
    /// When the folder was set up.
    pub created_at: UtcMillis,
}

/// A moment that is never before the last audit event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// For the statute and for the audit.
    pub at: UtcMillis,
    /// Boot clock.
    pub boot: BootMillis,
    /// Whether the wall clock could be believed.
    pub clock: ClockTrust,
}

/// What is known and remembered of an endpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct EndpointRecord {
    /// Its name.
    pub name: EndpointName,
    /// Its breaker.
    pub breaker: Breaker,
    /// Who was answered last, for the question whose fault a failure is.
    pub memory: EndpointMemory,
    /// How many lanes in a row were forbidden.
    pub forbidden: ForbiddenRun,
    /// Everything accepted up to here was accepted before the breaker last closed.
    pub recovering_through: Option<LocalSeq>,
    /// The first of the failures that the breaker counts at the moment.
    pub first_failure_at: Option<UtcMillis>,
    /// The outage going on.
    pub outage: Option<OutageId>,
}

/// What is asked for an acceptance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptAsk {
    /// The operation.
    pub operation_id: OperationId,
    /// The lane.
    pub application_id: ApplicationId,
}

/// What an acceptance is decided from.
#[derive(Clone, Debug)]
pub struct AcceptFacts {
    /// The operation of the same id, if it was accepted before, with what it said.
    pub twin: Option<Twin>,
    /// Time of this acceptance.
    pub stamp: Stamp,
    /// Its number, if it is accepted.
    pub next_seq: LocalSeq,
    /// The application as it stands here.
    pub application: Option<ApplicationRecord>,
    /// The last operation of the lane that is neither committed nor voided.
    pub lane_tail: Option<LaneTail>,
    /// Whether an operation of any lane is pending or in flight.
    pub older_waits: bool,
    /// The primary endpoint.
    pub endpoint: EndpointRecord,
    /// Class at the last assessment.
    pub headroom: HeadroomClass,
    /// Room on the disk now.
    pub space: DiskSpace,
}

/// An operation that was accepted before under the same id.
#[derive(Clone, Debug, PartialEq)]
pub struct Twin {
    /// Its receipt, as it stands now.
    pub receipt: Receipt,
    /// Fingerprint of its payload.
    pub payload_digest: Digest,
}

/// End of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneTail {
    /// The operation.
    pub operation_id: OperationId,
    /// Its state.
    pub state: State,
    /// Its place.
    pub place: Place,
}

/// A receipt, read back from the row.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    /// The operation's key.
    pub idempotency_key: IdempotencyKey,
    /// The operation.
    pub operation_id: OperationId,
    /// The lane.
    pub application_id: ApplicationId,
    /// `{station}-{n}`.
    pub receipt_no: ReceiptNo,
    /// If known.
    pub permit_num: Option<PermitNum>,
    /// What was accepted.
    pub kind: Kind,
    /// When.
    pub accepted_at: UtcMillis,
    /// Its number.
    pub local_seq: LocalSeq,
    /// Which way it was headed.
    pub route: OriginRoute,
    /// Its state now.
    pub state: State,
}

/// What is decided about an acceptance.
#[derive(Clone, Debug)]
pub enum AcceptDecision {
    /// Accept it.
    Accept(Box<Acceptance>),
    /// It is accepted already, with the same content.
    Already,
    /// Refuse it; the attempt is audited.
    Refuse(Refusal),
}

/// All that is written when an operation is accepted.
#[derive(Clone, Debug)]
pub struct Acceptance {
    /// The operation.
    pub body: Body,
    /// Its bytes, stored and sent unchanged.
    pub bytes: Vec<u8>,
    /// Its key.
    pub key: IdempotencyKey,
    /// Fingerprint of its payload.
    pub payload_digest: Digest,
    /// Its receipt number.
    pub receipt_no: ReceiptNo,
    /// If known.
    pub permit_num: Option<PermitNum>,
    /// Whether it goes before ordinary lanes.
    pub urgency: Urgency,
    /// Order in the lane.
    pub place: Place,
    /// Entity tag that its first attempt requires.
    pub base_etag: Option<ETag>,
    /// Fingerprint of the copy it was based on.
    pub base_snapshot_digest: Option<Digest>,
    /// The operation it follows in its lane.
    pub after_op: Option<OperationId>,
    /// How the application stands afterwards.
    pub application: ApplicationChange,
    /// Class of the room on the disk.
    pub headroom: HeadroomClass,
    /// The audit event.
    pub entry: Entry,
}

/// How an application stands after an acceptance.
#[derive(Clone, Debug, PartialEq)]
pub struct ApplicationChange {
    /// The application.
    pub application_id: ApplicationId,
    /// Its stage.
    pub stage: Stage,
    /// Its permit number, if known.
    pub permit_num: Option<PermitNum>,
    /// Its payload, when this operation brought one.
    pub payload: Option<Value>,
}

/// A refusal at the counter.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Why.
    pub reason: RefusalReason,
    /// What was wrong with the input.
    pub problems: Vec<Problem>,
    /// The audit event; a refused input alone is not audited.
    pub entry: Option<Entry>,
}

/// Why something was refused at the counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalReason {
    /// The input breaks the rules; the problems say where.
    Invalid,
    /// The same id was accepted with other content.
    Changed,
    /// The person may not do this.
    NotPermitted,
    /// Nobody is signed in, or the session has ended.
    NotSignedIn,
    /// The rules are too old, or there are none.
    RulesOutOfDate,
    /// Too little room on the disk.
    DiskFull,
}

/// What became of an acceptance.
#[derive(Clone, Debug)]
pub enum Accepting {
    /// It is on the disk.
    Accepted(Receipt),
    /// It was before.
    Already(Receipt),
    /// Nothing was accepted.
    Refused(Refusal),
}

/// What the next step of a drain is decided from.
#[derive(Clone, Debug)]
pub struct SendFacts {
    /// The primary endpoint.
    pub endpoint: EndpointRecord,
    /// Heads of lanes that are pending and whose wait is over, in order, at most
    /// [`holdfast_core::limits::HEADS_WINDOW_ROWS`].
    pub heads: Vec<Head>,
    /// The shortest wait of the other heads, in milliseconds from now.
    pub next_wake_ms: Option<u64>,
    /// The books.
    pub books: Books,
    /// Number of the last accepted operation.
    pub last_seq: LocalSeq,
}

/// The next step of a drain. `endpoint` is kept as given, before anything is sent.
#[derive(Clone, Debug)]
pub enum Step {
    /// Send an operation, or ask what became of it: it is in flight from here on.
    Attempt {
        /// Which.
        operation_id: OperationId,
        /// What to do.
        what: NextStep,
        /// The endpoint after the decision.
        endpoint: Box<EndpointRecord>,
        /// Audit events.
        entries: Vec<Entry>,
    },
    /// Nothing of the queue moves; the endpoint may have changed.
    Rest {
        /// The endpoint after the decision.
        endpoint: Box<EndpointRecord>,
        /// Audit events.
        entries: Vec<Entry>,
    },
}

/// An operation that is in flight now.
#[derive(Clone, PartialEq)]
pub struct InFlight {
    /// The operation.
    pub operation_id: OperationId,
    /// Its lane.
    pub application_id: ApplicationId,
    /// Its kind.
    pub kind: Kind,
    /// Its key.
    pub key: IdempotencyKey,
    /// Fingerprint of its payload.
    pub payload_digest: Digest,
    /// The accepted bytes.
    pub body: Vec<u8>,
    /// Entity tag that this attempt requires.
    pub if_match: Option<ETag>,
}

/// What an answer is weighed with.
#[derive(Clone, Debug)]
pub struct SettleFacts {
    /// The primary endpoint.
    pub endpoint: EndpointRecord,
    /// The operation that was in flight, if one was.
    pub item: Option<ItemFacts>,
    /// Rises with every transaction.
    pub mark: Mark,
    /// Time of this transaction.
    pub stamp: Stamp,
    /// Number of the last accepted operation.
    pub last_seq: LocalSeq,
}

/// What is known of the operation that was in flight.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemFacts {
    /// The operation.
    pub operation_id: OperationId,
    /// Its lane.
    pub application_id: ApplicationId,
    /// Its kind.
    pub kind: Kind,
    /// Whether it may have arrived earlier.
    pub doubt: Doubt,
    /// What was to be done.
    pub next_step: NextStep,
    /// Failures charged to it.
    pub failures: ItemFailures,
    /// Attempts so far, this one included.
    pub attempts: u32,
    /// How often it waited for its parent.
    pub parent_waits: u32,
    /// Stage of its application, and the stage it moves to, if it is a move.
    pub stage: Option<(Stage, Stage)>,
}

/// What is done about an answer.
#[derive(Clone, Debug)]
pub struct Settlement {
    /// The endpoint afterwards.
    pub endpoint: Box<EndpointRecord>,
    /// The operation afterwards.
    pub item: Option<ItemChange>,
    /// Pending operations that had been set aside and wait for a person from now on.
    pub set_aside: Vec<(OperationId, Quarantine)>,
    /// Whether waits charged to the endpoint end now.
    pub endpoint_waits: EndpointWaits,
    /// Attempts that ended in the verdict failure.
    pub failed_attempts: u32,
    /// Change of the outage register.
    pub outage: OutageChange,
    /// Audit events.
    pub entries: Vec<Entry>,
}

/// What becomes of waits that were charged to the endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndpointWaits {
    /// They go on.
    GoOn,
    /// They end: the breaker closed.
    End,
}

/// Change of the outage register.
#[derive(Clone, Debug, PartialEq)]
pub enum OutageChange {
    /// None.
    None,
    /// An outage has begun.
    Opened {
        /// Its id.
        outage_id: OutageId,
        /// When the first failure of the run was.
        first_failure_at: UtcMillis,
        /// When the breaker tripped.
        tripped_at: UtcMillis,
    },
    /// It is over.
    Ended {
        /// Its id.
        outage_id: OutageId,
        /// When.
        closed_at: UtcMillis,
    },
}

/// How an operation stands after an answer.
#[derive(Clone, Debug)]
pub enum ItemChange {
    /// The SoR has it: it goes to the archive, and its follower gets the receipt's entity tag.
    Committed(Commit),
    /// It stays pending.
    Pending(StillPending),
    /// It waits for a person.
    Quarantined(Quarantine),
}

/// A committed operation.
#[derive(Clone, Debug)]
pub struct Commit {
    /// The SoR's receipt.
    pub receipt: ReceiptBody,
    /// When it was committed here.
    pub at: UtcMillis,
    /// Stage of the application afterwards, if it changes.
    pub stage: Option<Stage>,
    /// Word for the outcome.
    pub outcome: &'static str,
}

/// An operation that goes on waiting.
#[derive(Clone, Debug)]
pub struct StillPending {
    /// Whether it may have arrived.
    pub doubt: Doubt,
    /// What is to be done next.
    pub next_step: NextStep,
    /// Until when it waits.
    pub wait: Option<Wait>,
    /// Failures charged to it.
    pub failures: ItemFailures,
    /// How often it waited for its parent.
    pub parent_waits: u32,
    /// Word for the outcome.
    pub outcome: &'static str,
}

/// An operation that waits for a person.
#[derive(Clone, Debug)]
pub struct Quarantine {
    /// Why.
    pub reason: QuarantineReason,
    /// Whether it may have arrived.
    pub doubt: Doubt,
    /// Failures charged to it.
    pub failures: ItemFailures,
    /// Word for the outcome.
    pub outcome: &'static str,
    /// What is kept of the answer: status, problem type, pointers and codes.
    pub answer: Value,
}

/// The contract in use.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptContract {
    /// The contract.
    pub bundle: Bundle,
    /// Its last attestation.
    pub attestation: SignedAttestation,
    /// What validity counts from.
    pub attested: Attested,
    /// The key that it was checked with, pinned.
    pub office_key: PublicKey,
}

/// Who is signed in.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptSession {
    /// The SoR's statement.
    pub signed: SignedStatement,
    /// When the person signed in.
    pub opened_at: UtcMillis,
}

/// The whole standing, read in one transaction.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Every endpoint.
    pub endpoints: Vec<EndpointRecord>,
    /// The books.
    pub books: Books,
    /// What was counted.
    pub counts: Counts,
    /// The oldest operation not disposed of.
    pub oldest: Option<(LocalSeq, UtcMillis)>,
    /// Version and attestation of the contract in use.
    pub contract: Option<(u64, Attested)>,
    /// Class at the last assessment.
    pub headroom: HeadroomClass,
    /// Outages going on.
    pub outages_open: u32,
}

/// Counted since the folder was set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Accepted with the route direct.
    pub direct: u64,
    /// Accepted with the route probe.
    pub probe: u64,
    /// Accepted with the route defer.
    pub deferred: u64,
    /// Refused at the counter.
    pub refused: u64,
    /// Attempts that ended in the verdict failure.
    pub failed: u64,
}

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Rows to pass over.
    pub skip: u32,
    /// Rows wanted.
    pub rows: u32,
}

/// One operation with what lies beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationRecord {
    /// Its receipt.
    pub receipt: Receipt,
    /// Whether it may have arrived.
    pub doubt: Doubt,
    /// Attempts so far.
    pub attempts: u32,
    /// Word for the last outcome.
    pub last_outcome: Option<String>,
    /// Until when it waits.
    pub wait: Option<Wait>,
    /// Why it waits for a person.
    pub reason: Option<QuarantineReason>,
    /// When it was committed.
    pub committed_at: Option<UtcMillis>,
    /// The SoR's record.
    pub record_id: Option<RecordId>,
    /// The stored bytes.
    pub body: Vec<u8>,
}

/// One application as it stands here.
#[derive(Clone, Debug, PartialEq)]
pub struct ApplicationRecord {
    /// The application.
    pub application_id: ApplicationId,
    /// Its permit number, if known.
    pub permit_num: Option<PermitNum>,
    /// Its stage, with what was accepted here.
    pub stage: Stage,
    /// The payload as last accepted.
    pub payload: Value,
    /// Entity tag of the last receipt.
    pub etag: Option<ETag>,
    /// The SoR's record.
    pub record_id: Option<RecordId>,
    /// Operations that still wait.
    pub waiting: u32,
    /// When it last changed.
    pub updated_at: UtcMillis,
}

/// The journal. See the module's promise.
pub trait Journal: Send + Sync {
    /// What never changes about this folder.
    fn station(&self) -> &StationRecord;

    /// Accepts an operation, or refuses it.
    ///
    /// # Errors
    /// Nothing was accepted.
    fn accept(
        &self,
        now: Now,
        ask: AcceptAsk,
        decide: Decide<AcceptFacts, AcceptDecision>,
    ) -> Result<Accepting, JournalError>;

    /// Takes the next step of a drain; `Some` when an operation is in flight now.
    ///
    /// # Errors
    /// Nothing is in flight.
    fn begin(&self, now: Now, decide: Decide<SendFacts, Step>) -> Result<Option<InFlight>, JournalError>;

    /// Ends what `begin` began: `operation` is the one in flight, or none after a health probe.
    ///
    /// # Errors
    /// It is still in flight; the next start will find it so.
    fn settle(
        &self,
        now: Now,
        operation: Option<OperationId>,
        decide: Decide<SettleFacts, Settlement>,
    ) -> Result<(), JournalError>;

    /// Adds audit events.
    ///
    /// # Errors
    /// None was added.
    fn note(&self, now: Now, entries: Vec<Entry>) -> Result<(), JournalError>;

    /// Keeps a contract, or a fresh attestation of the same one, and pins its key.
    ///
    /// # Errors
    /// The old one stays.
    fn keep_contract(
        &self,
        now: Now,
        contract: KeptContract,
        entries: Vec<Entry>,
    ) -> Result<(), JournalError>;

    /// Keeps who is signed in, in place of who was.
    ///
    /// # Errors
    /// Who was signed in still is.
    fn keep_session(&self, now: Now, session: KeptSession, entries: Vec<Entry>) -> Result<(), JournalError>;

    /// The contract in use.
    ///
    /// # Errors
    /// It cannot be read.
    fn contract(&self) -> Result<Option<KeptContract>, JournalError>;

    /// The pinned key that signs contracts.
    ///
    /// # Errors
    /// It cannot be read.
    fn office_key(&self) -> Result<Option<PublicKey>, JournalError>;

    /// Who is signed in.
    ///
    /// # Errors
    /// It cannot be read.
    fn session(&self) -> Result<Option<KeptSession>, JournalError>;

    /// The whole standing.
    ///
    /// # Errors
    /// It cannot be read.
    fn standing(&self) -> Result<Standing, JournalError>;

    /// Operations that are not disposed of, in the order of work.
    ///
    /// # Errors
    /// They cannot be read.
    fn waiting(&self, page: Page) -> Result<Vec<OperationRecord>, JournalError>;

    /// One operation, waiting or archived.
    ///
    /// # Errors
    /// It cannot be read.
    fn operation(&self, key: &IdempotencyKey) -> Result<Option<OperationRecord>, JournalError>;

    /// Applications, latest change first.
    ///
    /// # Errors
    /// They cannot be read.
    fn applications(&self, page: Page) -> Result<Vec<ApplicationRecord>, JournalError>;

    /// One application with its operations, oldest first.
    ///
    /// # Errors
    /// It cannot be read.
    fn application(
        &self,
        id: ApplicationId,
    ) -> Result<Option<(ApplicationRecord, Vec<OperationRecord>)>, JournalError>;

    /// Room on the disk of the data folder, as available to this user.
    ///
    /// # Errors
    /// It cannot be read.
    fn space(&self) -> Result<DiskSpace, JournalError>;
}
