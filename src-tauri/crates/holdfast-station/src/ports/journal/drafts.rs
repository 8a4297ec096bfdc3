//! Drafts: what is being filled in, until it is handed in or thrown away.

use holdfast_core::ids::{ActorId, ApplicationId, OperationId};
use holdfast_core::operation::Kind;
use holdfast_core::time::UtcMillis;
use serde_json::{Map, Value};

use super::JournalError;

/// What was typed, field by field.
pub type Typed = Map<String, Value>;

/// A form that is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftAsk {
    /// Id of the operation that it may become.
    pub operation_id: OperationId,
    /// Its kind.
    pub kind: Kind,
    /// The application that it is about; none for a new one.
    pub application_id: Option<ApplicationId>,
    /// Whose it is.
    pub actor: ActorId,
    /// When.
    pub at: UtcMillis,
}

/// A draft without what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftHead {
    /// Id of the operation that it may become.
    pub operation_id: OperationId,
    /// Its kind.
    pub kind: Kind,
    /// The application that it is about; none for a new one.
    pub application_id: Option<ApplicationId>,
    /// When it was last kept.
    pub saved_at: UtcMillis,
    /// The site address in it, if one was typed.
    pub about: Option<String>,
}

/// A draft.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftRecord {
    /// All but its contents.
    pub head: DraftHead,
    /// Its contents.
    pub typed: Typed,
}

/// What became of opening one.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftOpening {
    /// It is open.
    Open(DraftRecord),
    /// The person has as many as may be.
    TooMany,
}

/// The part of the journal that keeps drafts. They are no acts, so the audit is not told; and each is its writer's alone:
/// asked for another's, the answer is that there is none.
pub trait Drafts {
    /// Opens a draft. One of the same kind about the same application in which nothing was typed is opened again instead,
    /// so that looking at a form leaves nothing behind; otherwise there may be `drafts_max` of the person's.
    ///
    /// # Errors
    /// None was opened.
    fn open_draft(&self, ask: DraftAsk, drafts_max: u32) -> Result<DraftOpening, JournalError>;

    /// Keeps what was typed, and says that it is on the disk; `None` when there is no such draft of this person's.
    ///
    /// # Errors
    /// What was kept before still is.
    fn keep_draft(
        &self,
        actor: &ActorId,
        id: OperationId,
        typed: Typed,
        at: UtcMillis,
    ) -> Result<Option<UtcMillis>, JournalError>;

    /// The person's drafts in which something was typed, the one that was kept last first.
    ///
    /// # Errors
    /// They cannot be read.
    fn drafts(&self, actor: &ActorId) -> Result<Vec<DraftHead>, JournalError>;

    /// One of the person's drafts.
    ///
    /// # Errors
    /// It cannot be read.
    fn draft(&self, actor: &ActorId, id: OperationId) -> Result<Option<DraftRecord>, JournalError>;

    /// Throws one of the person's drafts away, and gives it back; `None` when there is none.
    ///
    /// # Errors
    /// It is still there.
    fn discard_draft(&self, actor: &ActorId, id: OperationId) -> Result<Option<DraftRecord>, JournalError>;
}
