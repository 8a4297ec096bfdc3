//! Applications that look alike: marks beside them, which say that somebody should look twice and nothing more.

use std::collections::BTreeMap;

use holdfast_core::audit::Entry;
use holdfast_core::ids::{ActorId, ApplicationId, Digest, IdempotencyKey, OperationId, PermitNum, ReceiptNo};
use holdfast_core::time::{Now, UtcMillis};

use super::{Decide, JournalError, Page, Refusal, Stamp};

/// What an application is compared by, and with which others: those filed from one time to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LikenessAsk {
    /// See [`holdfast_core::likeness::likeness`].
    pub digests: Vec<Digest>,
    /// From then.
    pub from: UtcMillis,
    /// Until then.
    pub to: UtcMillis,
}

/// An application that another one looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Like {
    /// It.
    pub application_id: ApplicationId,
    /// Receipt number of its intake, when it was taken in here.
    pub receipt_no: Option<ReceiptNo>,
    /// Its permit number, if known.
    pub permit_num: Option<PermitNum>,
    /// When it was filed.
    pub filed_at: UtcMillis,
}

/// Two that look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LikePair {
    /// The one that came later.
    pub later: Like,
    /// The intake of that one, when it was taken in here.
    pub intake: Option<IdempotencyKey>,
    /// The one before it.
    pub earlier: Like,
    /// When that was noticed.
    pub noticed_at: UtcMillis,
}

/// What it is decided from that both are kept.
#[derive(Clone, Debug)]
pub struct LikenessFacts {
    /// Time of this decision.
    pub stamp: Stamp,
    /// The application; none of an unknown one.
    pub application: Option<ApplicationId>,
    /// Its intake, when it was taken in here.
    pub intake: Option<OperationId>,
    /// What it is said to look like.
    pub looks_like: Vec<Like>,
}

/// What is decided about the marks of an application.
#[derive(Clone, Debug)]
pub enum LikenessRuling {
    /// All of them go.
    Keep {
        /// Who says so.
        by: ActorId,
        /// The audit event.
        entry: Entry,
    },
    /// There is no such application.
    Unknown,
    /// They stay.
    Refuse(Refusal),
}

/// What became of it.
#[derive(Clone, Debug)]
pub enum LikenessRuled {
    /// They are gone.
    Kept {
        /// The application.
        application: ApplicationId,
        /// Those that it is no longer said to look like.
        beside: Vec<ApplicationId>,
    },
    /// There is no such application.
    Unknown,
    /// They stay.
    Refused(Refusal),
}

/// The part of the journal that knows what looks alike.
pub trait Likenesses {
    /// What each of these looks like, the nearest in time first; those that look like none are left out.
    ///
    /// # Errors
    /// It cannot be read.
    fn looks_like(&self, ids: &[ApplicationId]) -> Result<BTreeMap<ApplicationId, Vec<Like>>, JournalError>;

    /// All pairs that nobody has looked at, the latest first.
    ///
    /// # Errors
    /// They cannot be read.
    fn like_pairs(&self, page: Page) -> Result<Vec<LikePair>, JournalError>;

    /// Takes the marks of an application away, or does not.
    ///
    /// # Errors
    /// They stay.
    fn keep_likeness(
        &self,
        now: Now,
        of: ApplicationId,
        decide: Decide<LikenessFacts, LikenessRuling>,
    ) -> Result<LikenessRuled, JournalError>;
}
