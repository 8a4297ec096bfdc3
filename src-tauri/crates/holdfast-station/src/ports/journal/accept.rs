//! Accepting: the facts read in the accepting transaction, what may be decided from them, and what is written.

use holdfast_core::audit::Entry;
use holdfast_core::compare::Snapshot;
use holdfast_core::headroom::{DiskSpace, HeadroomClass};
use holdfast_core::ids::{
    ApplicationId, Digest, ETag, IdempotencyKey, LocalSeq, OperationId, PermitNum, ReceiptNo,
};
use holdfast_core::lane::{Place, State, Urgency};
use holdfast_core::lifecycle::Stage;
use holdfast_core::numbers::FreeNumbers;
use holdfast_core::operation::{Body, Kind};
use holdfast_core::parcel::Pin;
use holdfast_core::problem::Problem;
use serde_json::Value;

use super::{ApplicationRecord, EndpointRecord, Like, LikenessAsk, ParcelFacts, Receipt, SeenParcel, Stamp};

/// What is asked for an acceptance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptAsk {
    /// The operation.
    pub operation_id: OperationId,
    /// The lane.
    pub application_id: ApplicationId,
    /// What it is compared by with others, if it is a new application.
    pub likeness: Option<LikenessAsk>,
    /// The parcels that it names, at most [`holdfast_core::parcel::PINS_MAX`].
    pub pins: Vec<Pin>,
}

impl AcceptAsk {
    /// An operation that is compared with no other.
    #[must_use]
    pub fn of(operation_id: OperationId, application_id: ApplicationId) -> Self {
        Self { operation_id, application_id, likeness: None, pins: Vec::new() }
    }
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
    /// Whether an operation of any lane is in flight, could be sent now, or could be once the endpoint answers. One that
    /// waits for its own time, or behind one that waits for a person, is ahead of nobody else's.
    pub older_sendable: bool,
    /// The primary endpoint.
    pub endpoint: EndpointRecord,
    /// Permit numbers that this station may give out.
    pub free_numbers: Vec<FreeNumbers>,
    /// What a new application looks like, the nearest in time first.
    pub looks_like: Vec<Like>,
    /// What is known of its parcels; none where there are none to look for, or no GIS.
    pub parcels: Option<ParcelFacts>,
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
    /// Its kind as it was handed in: a correction that took a place has another one since.
    pub kind: Kind,
    /// Fingerprint of its payload as it was handed in.
    pub payload_digest: Digest,
}

impl Twin {
    /// Whether the same is handed in again.
    #[must_use]
    pub fn meets(&self, kind: Kind, payload_digest: Digest) -> bool {
        self.kind == kind && self.payload_digest == payload_digest
    }
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
    /// Version of the record that the person saw, whatever it is bound to.
    pub seen_etag: Option<ETag>,
    /// What the application was shown as, for who compares later.
    pub base_snapshot: Option<Snapshot>,
    /// The operation it follows in its lane.
    pub after_op: Option<OperationId>,
    /// How the application stands afterwards.
    pub application: ApplicationChange,
    /// The number that it is given from this station's block, if it is given one.
    pub leasing: Option<Leasing>,
    /// What a new application is compared by, and what it looks like.
    pub likeness: Option<Likeness>,
    /// What was seen of its parcels.
    pub parcels: Vec<SeenParcel>,
    /// Class of the room on the disk.
    pub headroom: HeadroomClass,
    /// The audit event.
    pub entry: Entry,
}

/// What a new application is compared by from now on, and what it looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Likeness {
    /// See [`holdfast_core::likeness::likeness`].
    pub digests: Vec<Digest>,
    /// Those that it looks like.
    pub looks_like: Vec<ApplicationId>,
}

/// A number that is given out.
#[derive(Clone, Debug)]
pub struct Leasing {
    /// The number.
    pub permit_num: PermitNum,
    /// The audit event, when that reaches the low mark or the end.
    pub entry: Option<Entry>,
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
