//! Conflicts: what a person compares before deciding, and what is written once a version was chosen.
//!
//! What was shown when an operation was accepted is kept with it. What the SoR has is fetched afterwards and kept until the
//! decision; neither is an act, so the audit is not told of them, only of what was chosen and upon which version.

use holdfast_core::audit::Entry;
use holdfast_core::compare::{Base, Effect, Snapshot};
use holdfast_core::decision::Heir;
use holdfast_core::ids::{ApplicationId, ETag, OperationId, PermitNum, RecordId};
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::Kind;
use holdfast_core::time::UtcMillis;
use serde_json::{Map, Value};

use super::{Acceptance, ApplicationRecord, JournalError};
use crate::ports::CopiedRecord;

/// The part of the journal that keeps the versions of conflicts.
pub trait Conflicts {
    /// Conflicts of which it is not known here what the SoR has, oldest first.
    ///
    /// # Errors
    /// They cannot be read.
    fn unfetched(&self, rows: u32) -> Result<Vec<Unfetched>, JournalError>;

    /// Keeps what the SoR has, in place of what it had; nothing when the conflict is decided by now.
    ///
    /// # Errors
    /// What was known stays.
    fn keep_theirs(&self, id: OperationId, record: CopiedRecord, at: UtcMillis) -> Result<(), JournalError>;

    /// What is known of an operation whose record changed; none for any other.
    ///
    /// # Errors
    /// It cannot be read.
    fn conflict(&self, id: OperationId) -> Result<Option<KeptConflict>, JournalError>;
}

/// A conflict of which it is not known what the SoR has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfetched {
    /// The operation.
    pub operation_id: OperationId,
    /// The record that it is about.
    pub application_id: ApplicationId,
}

/// What is known of a conflict.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptConflict {
    /// The operation's kind.
    pub kind: Kind,
    /// What it says.
    pub payload: Map<String, Value>,
    /// The kind of the operation that it corrects, if it corrects one.
    pub target: Option<Kind>,
    /// What was shown when it was accepted.
    pub shown: Option<Snapshot>,
    /// What the SoR has, once it is known.
    pub theirs: Option<Theirs>,
}

/// The record as the SoR has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Theirs {
    /// Its version.
    pub etag: ETag,
    /// The SoR's own name for it.
    pub record_id: RecordId,
    /// Its number.
    pub permit_num: Option<PermitNum>,
    /// What it says.
    pub record: Snapshot,
    /// When it last changed there.
    pub updated_at: UtcMillis,
    /// When it was fetched.
    pub fetched_at: UtcMillis,
}

/// The operation is sent again, upon the SoR's version.
#[derive(Clone, Debug)]
pub struct TakingOurs {
    /// The operation.
    pub operation_id: OperationId,
    /// For a move: where the application stood before it.
    pub stood: Option<Stage>,
    /// How the application stands from now on.
    pub taken: Taken,
    /// How many behind it go on with it.
    pub going_on: u32,
    /// Audit event.
    pub entry: Entry,
}

/// The operation is taken back, and the SoR's version holds.
#[derive(Clone, Debug)]
pub struct TakingTheirs {
    /// The operation.
    pub operation_id: OperationId,
    /// The next one of the lane, with what it builds on from now on.
    pub heir: Option<Heir>,
    /// Those that join the decision.
    pub joined: Vec<OperationId>,
    /// How the application stands from now on.
    pub taken: Taken,
    /// How many behind it go on.
    pub going_on: u32,
    /// Audit events.
    pub entries: Vec<Entry>,
}

/// What was made of both versions stands in the place of the operation.
#[derive(Clone, Debug)]
pub struct TakingMerged {
    /// The operation that goes.
    pub replaced: OperationId,
    /// The one that stands in its place.
    pub acceptance: Acceptance,
    /// For a move: where the application stood before it.
    pub stood: Option<Stage>,
    /// The next one of the lane, which comes behind the new one.
    pub heir: Option<Heir>,
    /// How the application stands from now on.
    pub taken: Taken,
    /// How many behind it go on with it.
    pub going_on: u32,
    /// Audit events.
    pub entries: Vec<Entry>,
}

/// How an application stands here once a version was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    /// What the SoR has: the version that whatever is sent next is bound to.
    pub theirs: Theirs,
    /// The stage, with what waits here.
    pub stage: Stage,
    /// Where it stands before each move that waits.
    pub stood: Vec<(OperationId, Stage)>,
    /// Whose fields are shown.
    pub fields: FieldsOf,
    /// When.
    pub at: UtcMillis,
}

/// Whose fields an application shows.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldsOf {
    /// Those of an operation that waits here, as before.
    TheLane,
    /// The SoR's.
    TheSor,
    /// Those that were made of both.
    TheMerge(Map<String, Value>),
}

impl ApplicationRecord {
    /// The application as it is shown here.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let payload = self.payload.as_object().cloned().unwrap_or_default();
        Snapshot { etag: self.etag.clone(), stage: self.stage, payload, holds: Vec::new(), notes: Vec::new() }
    }
}

impl KeptConflict {
    /// What was before the person's eyes.
    #[must_use]
    pub fn base(&self) -> Base<'_> {
        match (&self.shown, self.kind) {
            (Some(shown), _) => Base::Shown(shown),
            (None, Kind::Application) => Base::Nothing,
            (
                None,
                Kind::Stage
                | Kind::Inspection
                | Kind::Correction
                | Kind::Void
                | Kind::Hold
                | Kind::Notice
                | Kind::Fee
                | Kind::Note
                | Kind::Tag
                | Kind::Attachment,
            ) => Base::Unknown,
        }
    }

    /// What the operation makes of the record.
    #[must_use]
    pub fn effect(&self) -> Effect<'_> {
        Effect::of(self.kind, &self.payload, self.target)
    }
}
