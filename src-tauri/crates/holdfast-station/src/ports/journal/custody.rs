//! Copies at a mirror that holds them: which are wanted, which are there, and which are to be let go of.

use std::collections::BTreeSet;

use holdfast_core::audit::Entry;
use holdfast_core::custody::Copied;
use holdfast_core::ids::{IdempotencyKey, OperationId};
use holdfast_core::time::{Now, UtcMillis};

use super::JournalError;

/// An operation that the mirror is to hold a copy of.
#[derive(Clone, PartialEq, Eq)]
pub struct CopyDue {
    /// It.
    pub operation_id: OperationId,
    /// Its key.
    pub key: IdempotencyKey,
    /// When it was accepted.
    pub accepted_at: UtcMillis,
    /// The accepted bytes.
    pub body: Vec<u8>,
}

/// A copy that the mirror holds, or may hold, of an operation that is disposed of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReleaseDue {
    /// The operation.
    pub operation_id: OperationId,
    /// Its key.
    pub key: IdempotencyKey,
}

/// What of the operations that are not disposed of the mirror holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CustodyCounts {
    /// A copy is there.
    pub held: u64,
    /// None is there yet.
    pub waiting: u64,
    /// None is there, and the mirror refuses it.
    pub refused: u64,
}

/// What the journal knows of copies. A copy changes nothing of its operation.
pub trait CustodyCopies {
    /// The next operations to be copied, at most `rows`: urgent ones first, then the oldest. That the mirror may hold them
    /// from now on is written down.
    ///
    /// # Errors
    /// Nothing was written down.
    fn begin_copies(&self, copied: Copied, rows: u32) -> Result<Vec<CopyDue>, JournalError>;

    /// The mirror holds it.
    ///
    /// # Errors
    /// It is copied again.
    fn copy_held(&self, now: Now, id: OperationId, entry: Entry) -> Result<(), JournalError>;

    /// The mirror refuses it: it is not asked again.
    ///
    /// # Errors
    /// It is asked again.
    fn copy_refused(&self, now: Now, id: OperationId, entry: Entry) -> Result<(), JournalError>;

    /// Copies of what is disposed of, at most `rows`, oldest first.
    ///
    /// # Errors
    /// They cannot be read.
    fn releases_due(&self, rows: u32) -> Result<Vec<ReleaseDue>, JournalError>;

    /// The mirror holds it no longer. If the operation is waiting again meanwhile, it is copied again.
    ///
    /// # Errors
    /// It is released again.
    fn copy_released(&self, now: Now, id: OperationId, entry: Entry) -> Result<(), JournalError>;

    /// How many there are; none where no mirror holds copies.
    ///
    /// # Errors
    /// They cannot be read.
    fn custody_counts(&self) -> Result<Option<CustodyCounts>, JournalError>;

    /// Those of these operations that are not disposed of and that the mirror holds a copy of.
    ///
    /// # Errors
    /// They cannot be read.
    fn in_custody(&self, keys: &[IdempotencyKey]) -> Result<BTreeSet<IdempotencyKey>, JournalError>;
}
