//! Corrections and voids: what is decided from the operation that they are about, and what is written.

use holdfast_core::audit::Entry;
use holdfast_core::decision::{Behind, Decided, Heir};
use holdfast_core::ids::{ApplicationId, Digest, IdempotencyKey, OperationId, ReceiptNo};
use holdfast_core::lane::Place;
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::{Kind, OriginRoute};
use holdfast_core::outcome::NextStep;
use holdfast_core::parcel::Pin;
use holdfast_core::time::{Now, UtcMillis};
use serde_json::Value;

use super::{
    AcceptFacts, Acceptance, Accepting, ApplicationRecord, Decide, JournalError, LikenessAsk, Refusal,
    Voiding,
};

/// The part of the journal in which one operation takes the place of another, or takes it back.
pub trait Replacing: Send + Sync {
    /// Accepts a correction or a void, or refuses it.
    ///
    /// # Errors
    /// Nothing was accepted.
    fn change(
        &self,
        now: Now,
        ask: ChangeAsk,
        decide: Decide<ChangeFacts, ChangeDecision>,
    ) -> Result<Accepting, JournalError>;

    /// The operation that a correction or a void would be about, as it stands now.
    ///
    /// # Errors
    /// It cannot be read.
    fn target(&self, id: OperationId) -> Result<TargetFacts, JournalError>;

    /// What an operation replaces, and what it was replaced by or taken back with.
    ///
    /// # Errors
    /// It cannot be read.
    fn replacements(&self, id: OperationId) -> Result<Replacements, JournalError>;

    /// The operation that a void took back, by the void's own key: such a void has no row.
    ///
    /// # Errors
    /// It cannot be read.
    fn taken_back_by(&self, key: &IdempotencyKey) -> Result<Option<OperationId>, JournalError>;
}

/// What is asked for a correction or a void.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeAsk {
    /// The correction or void.
    pub operation_id: OperationId,
    /// The lane.
    pub application_id: ApplicationId,
    /// The operation that it is about.
    pub target: OperationId,
    /// What a corrected application is compared by with others.
    pub likeness: Option<LikenessAsk>,
    /// The parcels that it names, at most [`holdfast_core::parcel::PINS_MAX`].
    pub pins: Vec<Pin>,
}

/// What a correction or a void is decided from.
#[derive(Clone, Debug)]
pub struct ChangeFacts {
    /// What every acceptance is decided from.
    pub accepting: AcceptFacts,
    /// The operation that it is about.
    pub target: TargetFacts,
}

/// The operation that a correction or a void is about.
#[derive(Clone, Debug)]
pub enum TargetFacts {
    /// There is none.
    Unknown,
    /// The SoR has recorded it.
    Committed {
        /// Its application.
        application_id: ApplicationId,
        /// Its kind.
        kind: Kind,
    },
    /// It was taken back or replaced.
    Voided {
        /// Its application.
        application_id: ApplicationId,
        /// Its kind.
        kind: Kind,
    },
    /// It is in its lane.
    InLane(Box<TargetInLane>),
}

/// The operation with its lane.
#[derive(Clone, Debug)]
pub struct TargetInLane {
    /// It.
    pub item: Decided,
    /// What its next attempt is.
    pub next_step: NextStep,
    /// Its place.
    pub place: Place,
    /// Its receipt number.
    pub receipt_no: ReceiptNo,
    /// Those behind it, in their order.
    pub behind: Vec<Behind>,
    /// Its application.
    pub application: ApplicationRecord,
    /// The last move of the application that is recorded.
    pub recorded: Option<Stage>,
}

/// What is decided about a correction or a void.
#[derive(Clone, Debug)]
pub enum ChangeDecision {
    /// It follows as an operation of its own.
    Follow(Box<Following>),
    /// What it says stands in the place of the operation.
    Replace(Box<Replacement>),
    /// The operation is taken back.
    TakeBack(Box<TakingBack>),
    /// It is accepted already, with the same content.
    Already,
    /// Refuse it.
    Refuse(Refusal),
}

/// A correction or a void of something recorded.
#[derive(Clone, Debug)]
pub struct Following {
    /// The operation.
    pub acceptance: Acceptance,
    /// What the application said before it, when it says something else from now on.
    pub payload_before: Option<Value>,
}

/// An operation that takes the place of another. The one that it replaces is archived as voided, and never sent.
///
/// A permit number that the application has stays with it: what replaces its intake draws no other.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// The one that goes.
    pub target: OperationId,
    /// The one that stands in its place.
    pub acceptance: Acceptance,
    /// For a move: where the application stood before it.
    pub stood: Option<Stage>,
    /// The next one of the lane, which comes behind the new one.
    pub heir: Option<Heir>,
    /// Where the application stands before each move behind it.
    pub behind_stood: Vec<(OperationId, Stage)>,
    /// As what it came.
    pub handed_in: HandedIn,
    /// The audit event of what it replaces.
    pub entry: Entry,
}

/// A void that adds no row.
#[derive(Clone, Debug)]
pub struct TakingBack {
    /// What is written.
    pub voiding: Voiding,
    /// As what it came.
    pub handed_in: HandedIn,
}

/// A correction or a void as it was handed in, where no row of its kind tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandedIn {
    /// The correction or void.
    pub operation_id: OperationId,
    /// Which it is.
    pub kind: Kind,
    /// Its key as such.
    pub key: IdempotencyKey,
    /// Fingerprint of its payload as such.
    pub payload_digest: Digest,
    /// When it was accepted.
    pub at: UtcMillis,
    /// Which way it would have been headed.
    pub route: OriginRoute,
}

/// What an operation has to do with others at its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replacements {
    /// Receipt number of the one that it replaces.
    pub replaces: Option<ReceiptNo>,
    /// Receipt number of the one that replaced it.
    pub replaced_by: Option<ReceiptNo>,
}
