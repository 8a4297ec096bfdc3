//! The board: what is told there, and what it said.

use holdfast_core::audit::{Entry, SignedHead};
use holdfast_core::board::{AgreedHead, BoardRow, OwnChain, WaitingTold};
use holdfast_core::books::Books;
use holdfast_core::ids::{Digest, LocalSeq};
use holdfast_core::reprove::StationWentBack;
use holdfast_core::sign::PublicKey;
use holdfast_core::time::{Now, UtcMillis};

use super::{Decide, JournalError};

/// Stations of which a copy of the board's list is kept, in rows.
pub const BOARD_STATIONS_MAX_ROWS: usize = 500;

/// What is told there and what it said.
pub trait Boards {
    /// What there is to tell, from one moment; at most `rows` of what waits, the oldest first.
    ///
    /// # Errors
    /// It cannot be read.
    fn board_reading(&self, now: Now, rows: u32) -> Result<BoardReading, JournalError>;

    /// This station's own chain beside a head with that number.
    ///
    /// # Errors
    /// It cannot be read.
    fn own_chain(&self, seq: u64) -> Result<ChainReading, JournalError>;

    /// Both sides have this head.
    ///
    /// # Errors
    /// The one before stays.
    fn keep_agreed_head(&self, agreed: AgreedHead) -> Result<(), JournalError>;

    /// The board has a head that this folder does not: numbers that may have been given out are passed over, once per head.
    ///
    /// # Errors
    /// It is noticed again.
    fn notice_older_copy(
        &self,
        now: Now,
        head: Digest,
        through: LocalSeq,
        decide: Decide<StationWentBack, Vec<Entry>>,
    ) -> Result<(), JournalError>;

    /// The last copy of the board's list.
    ///
    /// # Errors
    /// It cannot be read.
    fn board_copy(&self) -> Result<Option<BoardCopy>, JournalError>;

    /// Keeps a copy in place of the last.
    ///
    /// # Errors
    /// The last one stays.
    fn keep_board_copy(&self, copy: BoardCopy) -> Result<(), JournalError>;
}

/// What there is to tell.
#[derive(Clone, Debug)]
pub struct BoardReading {
    /// The moment, never before the last audit event.
    pub at: UtcMillis,
    /// The books.
    pub books: Books,
    /// What waits, the oldest first.
    pub waiting: Vec<WaitingTold>,
    /// The head of the audit.
    pub head: SignedHead,
}

/// This station's own chain, beside a head.
#[derive(Clone, Debug)]
pub struct ChainReading {
    /// The chain.
    pub chain: OwnChain,
    /// The head of it now.
    pub head: SignedHead,
    /// The key that signs it.
    pub key: PublicKey,
    /// The head by which an older copy was noticed last.
    pub noticed: Option<Digest>,
}

/// A copy of the board's list.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardCopy {
    /// By the board's clock.
    pub as_of: UtcMillis,
    /// By this machine's.
    pub copied_at: UtcMillis,
    /// The stations, by their names.
    pub rows: Vec<BoardRow>,
}
