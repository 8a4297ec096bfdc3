//! The SoR's feed of changes, as far as it was followed here.
//!
//! A place in the feed is kept in the transaction that keeps what came before it: cut off in between, the same part comes
//! again, and none is skipped. What came while work on it waited is owed: it is fetched once more when none waits.

use holdfast_core::changes::Backlog;
use holdfast_core::ids::{ApplicationId, FeedCursor};
use holdfast_core::time::UtcMillis;

use super::{JournalError, RecordsCopy};
use crate::ports::FeedRest;

/// How far the feed was followed, and what stands in its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedRecord {
    /// The place; none before copies were fetched whole.
    pub cursor: Option<FeedCursor>,
    /// Whether anything could be sent now.
    pub backlog: Backlog,
    /// A record that is owed and has no work waiting any more.
    pub owed: Option<ApplicationId>,
}

/// Where the feed stands with a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedMove {
    /// It begins there: copies were fetched whole after the SoR had named that place.
    Begins(FeedCursor),
    /// It went on to there.
    Goes {
        /// The place.
        next: FeedCursor,
        /// Whether there is more already.
        rest: FeedRest,
    },
    /// It stays: a record that was owed has come.
    Stays,
    /// There is none: the SoR has no such feed.
    Ends,
}

/// What came, and where the feed stands with it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangesCopy {
    /// The records.
    pub copy: RecordsCopy,
    /// Those that are there no longer.
    pub gone: Vec<ApplicationId>,
    /// The feed.
    pub feed: FeedMove,
}

/// The part of the journal that follows the feed.
pub trait Changes {
    /// How far it was followed.
    ///
    /// # Errors
    /// It cannot be read.
    fn feed(&self) -> Result<FeedRecord, JournalError>;

    /// Keeps what came, all or none of it, with the place.
    ///
    /// # Errors
    /// Nothing was kept, and the place is the one before.
    fn keep_changes(&self, changes: ChangesCopy) -> Result<(), JournalError>;

    /// The place is not known there any more.
    ///
    /// # Errors
    /// It is still kept.
    fn forget_feed(&self) -> Result<(), JournalError>;

    /// Owed no longer: it cannot be fetched.
    ///
    /// # Errors
    /// It still is.
    fn forgive(&self, id: ApplicationId) -> Result<(), JournalError>;

    /// Those of them that are not known here.
    ///
    /// # Errors
    /// They cannot be read.
    fn unknown_here(&self, ids: Vec<ApplicationId>) -> Result<Vec<ApplicationId>, JournalError>;

    /// When a record changed there under work that waits here, if it did.
    ///
    /// # Errors
    /// It cannot be read.
    fn changed_there(&self, id: ApplicationId) -> Result<Option<UtcMillis>, JournalError>;
}
