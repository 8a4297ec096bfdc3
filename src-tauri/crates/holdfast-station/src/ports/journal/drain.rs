//! Draining: what the next step and a settlement are decided from, and what is written for them.

use holdfast_core::audit::Entry;
use holdfast_core::beside::MirrorPart;
use holdfast_core::blame::{ItemFailures, Mark};
use holdfast_core::books::Books;
use holdfast_core::cascade::Recorder;
use holdfast_core::ids::{
    ApplicationId, Digest, ETag, IdempotencyKey, LocalSeq, OperationId, OutageId, RecordId,
};
use holdfast_core::lane::Head;
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::Kind;
use holdfast_core::outcome::{Doubt, NextStep, QuarantineReason, ReceiptBody};
use holdfast_core::time::{Now, UtcMillis};
use holdfast_core::wait::Wait;
use serde_json::Value;

use super::{EndpointRecord, OutageCause, Stamp, Try};

/// What the next step of a drain is decided from.
#[derive(Clone, Debug)]
pub struct SendFacts {
    /// The endpoint that the step is taken at.
    pub recorder: Recorder,
    /// Its record.
    pub endpoint: EndpointRecord,
    /// The other one whose receipt commits, if there is one.
    pub other: Option<EndpointRecord>,
    /// What the mirror is for, if there is one.
    pub mirror_part: Option<MirrorPart>,
    /// Heads of lanes that are pending: in order those whose wait is over, then those that wait for an endpoint, then those
    /// that are in doubt at the mirror, or elsewhere; at most [`holdfast_core::limits::HEADS_WINDOW_ROWS`] of each.
    pub heads: Vec<Head>,
    /// The shortest wait of the other heads, in milliseconds from now.
    pub next_wake_ms: Option<u64>,
    /// The books.
    pub books: Books,
    /// Number of the last accepted operation.
    pub last_seq: LocalSeq,
    /// Whether operations may go.
    pub sending: Sending,
}

/// Whether operations may go, as far as the SoR's memory is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    /// They may.
    Goes,
    /// The SoR came back from an older copy, and that is not settled: nothing but signs of life.
    Pauses,
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
        /// A try in an outage of which nothing was heard again.
        lost: Option<Try>,
        /// Audit events.
        entries: Vec<Entry>,
    },
    /// Nothing of the queue moves; the endpoint may have changed.
    Rest {
        /// The endpoint after the decision.
        endpoint: Box<EndpointRecord>,
        /// A try in an outage of which nothing was heard again.
        lost: Option<Try>,
        /// Audit events.
        entries: Vec<Entry>,
    },
}

impl Step {
    /// The endpoint after the decision.
    #[must_use]
    pub fn endpoint(&self) -> &EndpointRecord {
        match self {
            Self::Attempt { endpoint, .. } | Self::Rest { endpoint, .. } => endpoint,
        }
    }
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
    /// The application's record at the SoR, once it is known here.
    pub record_id: Option<RecordId>,
    /// The accepted bytes.
    pub body: Vec<u8>,
    /// Entity tag that this attempt requires.
    pub if_match: Option<ETag>,
}

/// What an answer is weighed with.
#[derive(Clone, Debug)]
pub struct SettleFacts {
    /// The endpoint that was asked.
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
    /// The endpoint where the last of them was.
    pub failed_at: Recorder,
    /// Attempts so far, this one included.
    pub attempts: u32,
    /// How often it waited for its parent.
    pub parent_waits: u32,
    /// When its last send began, as it was written down before.
    pub last_sent: Option<Now>,
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
    pub set_aside: Vec<SetAside>,
    /// Whether waits charged to the endpoint end now.
    pub endpoint_waits: EndpointWaits,
    /// Attempts that ended in the verdict failure.
    pub failed_attempts: u32,
    /// Change of the outage register.
    pub outage: OutageChange,
    /// The try that this was, in an outage.
    pub tried: Option<Try>,
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
        /// Why.
        cause: OutageCause,
        /// When the first failure of the run was.
        first_failure_at: UtcMillis,
        /// What was accepted after this one, and before the trip, belongs to it too.
        accepted_after: Option<LocalSeq>,
        /// When the breaker tripped.
        tripped_at: UtcMillis,
        /// Until when the endpoint said that it would be away.
        announced_until: Option<UtcMillis>,
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
    /// The SoR has it more than once: it waits for a person.
    Twin(Box<Doubled>),
}

/// An operation that an SoR has more than once, found before it was recorded here.
#[derive(Clone, Debug)]
pub struct Doubled {
    /// How it stands.
    pub quarantine: Quarantine,
    /// What carries its reference.
    pub record_ids: Vec<RecordId>,
    /// The receipt of the one that would stay, as far as it was read.
    pub receipt: Option<ReceiptBody>,
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
    /// After how many milliseconds the SoR is looked at once more, if it is.
    pub second_look_ms: Option<u64>,
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

/// A pending operation that had been set aside and waits for a person from now on. Its doubt and its failures stay as they
/// are; one that is no longer pending is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// Which.
    pub operation_id: OperationId,
    /// Why.
    pub reason: QuarantineReason,
    /// Word for the outcome.
    pub outcome: &'static str,
}
