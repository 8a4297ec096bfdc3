//! Leased permit numbers: the blocks, what is left of them, and what is reported as void.

use holdfast_core::ids::PermitNum;
use holdfast_core::numbers::FreeNumbers;
use holdfast_core::time::Now;
use uuid::Uuid;

use super::JournalError;

/// Numbers of one report, in entries.
pub const VOID_REPORT_MAX: u32 = 500;

/// What is kept of permit numbers. A block is asked for in two steps, so that an answer that was lost is asked for again
/// under the same id: first the asking is kept, then what came of it.
pub trait Numbers: Send + Sync {
    /// What there is.
    ///
    /// # Errors
    /// It cannot be read.
    fn number_stock(&self) -> Result<NumberStock, JournalError>;

    /// Keeps that a block is asked for; one that is asked for already is given back instead.
    ///
    /// # Errors
    /// Nothing may be asked for.
    fn ask_numbers(&self, now: Now, lease: NumberLease) -> Result<NumberLease, JournalError>;

    /// Keeps what came of the asking; a second time changes nothing.
    ///
    /// # Errors
    /// The block is still asked for.
    fn keep_numbers(&self, now: Now, lease_id: Uuid, came: LeaseCame) -> Result<(), JournalError>;

    /// Numbers that will not be given out any more.
    ///
    /// # Errors
    /// They still may.
    fn retire_numbers(&self, now: Now, which: RetiredNumbers) -> Result<(), JournalError>;

    /// The SoR knows that these are void.
    ///
    /// # Errors
    /// They are reported again.
    fn numbers_reported(&self, now: Now, numbers: Vec<PermitNum>) -> Result<(), JournalError>;
}

/// What there is of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberStock {
    /// A block that is asked for.
    pub asked: Option<NumberLease>,
    /// What is unused, by year.
    pub free: Vec<FreeNumbers>,
    /// What is void, and not reported: the first [`VOID_REPORT_MAX`].
    pub to_report: Vec<PermitNum>,
}

/// A block that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberLease {
    /// Under this id, for ever.
    pub lease_id: Uuid,
    /// Of this year.
    pub year: i16,
    /// So many numbers.
    pub count: u32,
}

/// What came of asking for a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaseCame {
    /// These numbers, in order.
    Leased(Vec<PermitNum>),
    /// The SoR refused; another block may be asked for.
    Refused,
}

/// Which numbers will not be given out any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetiredNumbers {
    /// Those of years before this one.
    Before(i16),
    /// All.
    All,
}
