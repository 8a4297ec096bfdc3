//! What a supervisor decides and sees: items that wait for a person, the outage register, the backlog by its age.

use holdfast_core::audit::Entry;
use holdfast_core::books::Books;
use holdfast_core::decision::{Behind, Decided, Heir};
use holdfast_core::ids::{EndpointName, IdempotencyKey, OperationId, OutageId, ReceiptNo};
use holdfast_core::lane::{Place, State};
use holdfast_core::lifecycle::Stage;
use holdfast_core::outcome::{NextStep, ReceiptBody};
use holdfast_core::time::{Now, UtcMillis};

use super::{
    AcceptFacts, ApplicationRecord, Decide, FoundBy, HeldTime, JournalError, Keeping, KeptConflict,
    OutageCause, Page, Refusal, Stamp, TakingMerged, TakingOurs, TakingTheirs, TwinRecord,
};

/// Decisions of persons, and what they are made from.
pub trait Decisions: Send + Sync {
    /// Carries out a decision about an operation, or refuses it.
    ///
    /// # Errors
    /// Nothing was decided.
    fn decide(
        &self,
        now: Now,
        key: IdempotencyKey,
        decide: Decide<DecideFacts, Ruling>,
    ) -> Result<Ruled, JournalError>;

    /// The outage register, latest first, and how many outages it holds.
    ///
    /// # Errors
    /// It cannot be read.
    fn outages(&self, page: Page) -> Result<(Vec<OutageRecord>, u32), JournalError>;

    /// How many wait by the hour in which they were accepted: the latest `hours_max` hours that have any, oldest first.
    ///
    /// # Errors
    /// They cannot be read.
    fn backlog(&self, hours_max: u32) -> Result<Backlog, JournalError>;
}

/// What a decision is made from.
#[derive(Clone, Debug)]
pub struct DecideFacts {
    /// Time of this decision.
    pub stamp: Stamp,
    /// The operation.
    pub sought: Sought,
}

/// The operation that a decision is about.
#[derive(Clone, Debug)]
pub enum Sought {
    /// There is none of this key.
    Unknown,
    /// It is committed or voided.
    Disposed {
        /// Which it is.
        operation_id: OperationId,
    },
    /// It is in its lane.
    InLane(Box<InLane>),
}

/// An operation with its lane and its application.
#[derive(Clone, Debug)]
pub struct InLane {
    /// The operation.
    pub item: Decided,
    /// Its receipt number.
    pub receipt_no: ReceiptNo,
    /// Those behind it, in their order.
    pub behind: Vec<Behind>,
    /// Its application.
    pub application: ApplicationRecord,
    /// The last move of the application that is recorded.
    pub recorded: Option<Stage>,
    /// The versions of its record, if it waits because of them.
    pub conflict: Option<KeptConflict>,
    /// Whether one behind it says all of the application's fields.
    pub said_behind: bool,
    /// Its records at the SoR, if they are more than one.
    pub twin: Option<TwinRecord>,
    /// Its place.
    pub place: Place,
    /// What an acceptance is decided from, where something can be accepted in its place.
    pub accepting: Option<Box<AcceptFacts>>,
}

/// What is decided about an operation.
#[derive(Clone, Debug)]
pub enum Ruling {
    /// It is sent again.
    Requeue(Requeueing),
    /// It is taken back.
    Void(Box<Voiding>),
    /// It is sent again upon the SoR's version.
    TakeOurs(Box<TakingOurs>),
    /// It is taken back, and the SoR's version holds.
    TakeTheirs(Box<TakingTheirs>),
    /// What was made of both versions stands in its place.
    TakeMerged(Box<TakingMerged>),
    /// One of its records at the SoR stays, or they are looked for again.
    Keep(Box<Keeping>),
    /// It is recorded, on a person's word.
    Found(Box<Finding>),
    /// There is nothing to decide about.
    Unknown,
    /// Nothing is done.
    Refuse(Refusal),
}

/// An operation that is sent again.
#[derive(Clone, Debug)]
pub struct Requeueing {
    /// The operation.
    pub operation_id: OperationId,
    /// What the next attempt is.
    pub next_step: NextStep,
    /// How many behind it go on with it.
    pub going_on: u32,
    /// The audit event.
    pub entry: Entry,
}

/// An operation that a person has found at the SoR.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The operation.
    pub operation_id: OperationId,
    /// The receipt that it is recorded with.
    pub receipt: ReceiptBody,
    /// What was seen, and by whom.
    pub found: FoundBy,
    /// How many of its lane go on.
    pub going_on: u32,
    /// The audit event.
    pub entry: Entry,
}

/// An operation that is taken back.
#[derive(Clone, Debug)]
pub struct Voiding {
    /// The operation.
    pub operation_id: OperationId,
    /// The next one of the lane, with what it builds on from now on.
    pub heir: Option<Heir>,
    /// Those that can never be sent without it: they wait for a decision from now on.
    pub set_aside: Vec<OperationId>,
    /// How many behind it go on.
    pub going_on: u32,
    /// Stage of the application afterwards.
    pub stage: Stage,
    /// Where the application stands before each move behind it.
    pub stood: Vec<(OperationId, Stage)>,
    /// When.
    pub at: UtcMillis,
    /// Audit events.
    pub entries: Vec<Entry>,
}

/// What became of a decision.
#[derive(Clone, Debug)]
pub enum Ruled {
    /// It was carried out.
    Done {
        /// Receipt number of the operation.
        receipt_no: ReceiptNo,
        /// Its state now.
        state: State,
        /// How many of its lane go on.
        going_on: u32,
        /// How many of its lane wait for a decision of their own from now on.
        set_aside: u32,
    },
    /// There is no operation of this key.
    Unknown,
    /// Nothing was done.
    Refused(Refusal),
}

/// An interval in which an endpoint was down.
#[derive(Clone, Debug, PartialEq)]
pub struct OutageRecord {
    /// The outage.
    pub outage_id: OutageId,
    /// The endpoint.
    pub endpoint: EndpointName,
    /// The first failure that was counted.
    pub first_failure_at: UtcMillis,
    /// When the breaker tripped.
    pub tripped_at: UtcMillis,
    /// When it closed; none while the outage goes on.
    pub closed_at: Option<UtcMillis>,
    /// Why it began; none for one from before that was kept.
    pub cause: Option<OutageCause>,
    /// Until when the endpoint said last that it would be away.
    pub announced_until: Option<UtcMillis>,
    /// The latest time for which a person held the endpoint in it.
    pub held: Option<HeldTime>,
    /// How many tries there were.
    pub tries: u64,
    /// What was accepted in it.
    pub books: Books,
}

/// What waits, by the hour of its acceptance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// The beginning of each hour that has any, and how many; oldest first.
    pub hours: Vec<(UtcMillis, u64)>,
    /// Those from before these hours.
    pub earlier: u64,
}
