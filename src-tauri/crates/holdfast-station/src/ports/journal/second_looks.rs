//! Looking once more at what was recorded, and what was found more than once.

use holdfast_core::audit::Entry;
use holdfast_core::ids::{ActorId, ApplicationId, Digest, IdempotencyKey, OperationId, RecordId};
use holdfast_core::operation::Kind;
use holdfast_core::outcome::{ReceiptBody, Warning};
use holdfast_core::time::{Now, UtcMillis};

use super::{Decide, JournalError, Stamp};

/// Commits at an SoR without keys that are looked at once more.
pub trait SecondLooks: Send + Sync {
    /// Those that are due, at most `rows_max`, in the order in which they became due.
    ///
    /// # Errors
    /// They cannot be read.
    fn second_looks(&self, now: Now, rows_max: u32) -> Result<Vec<DueLook>, JournalError>;

    /// Keeps what a look came to. Of an operation that is recorded no longer nothing is asked: its look goes.
    ///
    /// # Errors
    /// It is due again.
    fn end_second_look(
        &self,
        now: Now,
        operation: OperationId,
        decide: Decide<LookFacts, LookEnd>,
    ) -> Result<(), JournalError>;

    /// Keeps what a look came to that was made for another reason. Of an operation that is recorded no longer, and of one
    /// of which a person has said what stays, nothing is asked.
    ///
    /// # Errors
    /// Nothing was kept.
    fn keep_later_look(
        &self,
        now: Now,
        operation: OperationId,
        decide: Decide<LookFacts, LookEnd>,
    ) -> Result<(), JournalError>;

    /// What the SoR has said of an operation beside its receipt.
    ///
    /// # Errors
    /// It cannot be read.
    fn said(&self, operation: OperationId) -> Result<Said, JournalError>;
}

/// A commit that is to be looked at.
#[derive(Clone, PartialEq)]
pub struct DueLook {
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
    /// The record of its receipt.
    pub record_id: RecordId,
    /// The accepted bytes.
    pub body: Vec<u8>,
}

/// What the end of a look is decided from.
#[derive(Clone, Debug)]
pub struct LookFacts {
    /// Time of this transaction.
    pub stamp: Stamp,
    /// How often it was looked at before.
    pub looks: u32,
    /// The record of its receipt.
    pub record_id: RecordId,
}

/// What is done after a look.
#[derive(Clone, Debug)]
pub enum LookEnd {
    /// There is nothing to look for any more.
    Over {
        /// The audit event.
        entry: Entry,
    },
    /// It is looked at again.
    Again {
        /// After so many milliseconds.
        wait_ms: u64,
    },
    /// It is there more than once: from the archive it goes before a person.
    Twin {
        /// What carries its reference.
        record_ids: Vec<RecordId>,
        /// The audit event.
        entry: Entry,
    },
}

/// What the SoR has said of an operation beside its receipt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// Remarks about what it recorded.
    pub warnings: Vec<Warning>,
    /// What it has more than once.
    pub twin: Option<TwinRecord>,
    /// By whom it was found there, if a person said so.
    pub found: Option<FoundBy>,
}

/// A person has looked at the SoR, and found an operation there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundBy {
    /// What was seen.
    pub record_id: RecordId,
    /// Who.
    pub actor: ActorId,
    /// When that was said.
    pub at: UtcMillis,
}

/// What the SoR has more than once.
#[derive(Clone, Debug, PartialEq)]
pub struct TwinRecord {
    /// What carries the reference, in the order in which it was found.
    pub record_ids: Vec<RecordId>,
    /// The receipt of the one that stays, as far as there is one.
    pub receipt: Option<ReceiptBody>,
    /// The one that stays, if a person has said which.
    pub stays: Option<RecordId>,
    /// Whether it had been recorded here before it was found.
    pub was: TwinWas,
    /// When it was found.
    pub found_at: UtcMillis,
    /// When a person decided that one of them stays; the others have to be voided at the SoR.
    pub kept_at: Option<UtcMillis>,
}

/// How far an operation had come when it was found more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwinWas {
    /// In its lane, in doubt: those behind it wait for it.
    InLane,
    /// Recorded, and out of its lane.
    Recorded {
        /// When.
        at: UtcMillis,
    },
}

/// A person keeps one of a twin, or has both looked for again.
#[derive(Clone, Debug)]
pub struct Keeping {
    /// The operation.
    pub operation_id: OperationId,
    /// The receipt that it is recorded with.
    pub receipt: ReceiptBody,
    /// The one that stays.
    pub stays: Option<RecordId>,
    /// How it stood.
    pub was: TwinWas,
    /// When.
    pub at: UtcMillis,
    /// Whether it is looked at again.
    pub then: AfterKeeping,
    /// How many of its lane go on.
    pub going_on: u32,
    /// The audit event.
    pub entry: Entry,
}

/// What follows for an operation that goes back among the recorded ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterKeeping {
    /// Nothing: a person has said which one stays.
    Stays,
    /// The next drain looks at it again: a person has voided the others.
    LooksAgain,
}
