//! What the journal holds, as it is read: the folder, the endpoints, operations, applications, and the whole standing.

use holdfast_core::blame::EndpointMemory;
use holdfast_core::books::Books;
use holdfast_core::breaker::Breaker;
use holdfast_core::contract::{Attested, Bundle, SignedAttestation};
use holdfast_core::headroom::HeadroomClass;
use holdfast_core::ids::{
    ApplicationId, DbId, ETag, EndpointName, IdempotencyKey, LocalSeq, OperationId, OutageId, PermitNum,
    ReceiptNo, RecordId, SorIdentity, StationId,
};
use holdfast_core::lane::State;
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::{ClockTrust, Kind, OriginRoute};
use holdfast_core::outcome::{Doubt, ForbiddenRun, QuarantineReason};
use holdfast_core::people::SignedStatement;
use holdfast_core::profile::Profile;
use holdfast_core::sign::PublicKey;
use holdfast_core::time::{BootMillis, UtcMillis};
use holdfast_core::wait::{Interval, Wait};
use serde_json::Value;

use super::OutageRecord;

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
    /// The last operation that had been accepted before it.
    pub first_failure_after: Option<LocalSeq>,
    /// The wait between the breaker's closing and the first that is sent.
    pub first_drain: Option<Interval>,
    /// The outage going on.
    pub outage: Option<OutageId>,
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

/// A user of this computer, by the number that its operating system gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OsUser(pub u32);

/// Who is signed in, for one user of this computer.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptSession {
    /// Whose processes act under it.
    pub user: OsUser,
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
    /// The oldest operation that is pending or in flight.
    pub oldest: Option<(LocalSeq, UtcMillis)>,
    /// Version and attestation of the contract in use.
    pub contract: Option<(u64, Attested)>,
    /// Class at the last assessment.
    pub headroom: HeadroomClass,
    /// Outages going on.
    pub outages_open: u32,
    /// The last outage of the primary that is over.
    pub last_outage: Option<OutageRecord>,
    /// Until when the primary said that it would be away, in the outage that goes on.
    pub announced_until: Option<UtcMillis>,
    /// When a write failed: nothing is accepted from then until the next start.
    pub stopped_at: Option<UtcMillis>,
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
