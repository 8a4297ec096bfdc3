//! Proving again: what was agreed on with the SoR, what it no longer has, and what a person decides about that.

use holdfast_core::audit::Entry;
use holdfast_core::ids::{
    ApplicationId, Digest, IdempotencyKey, LocalSeq, OperationId, PermitNum, ReceiptNo, RecordId,
};
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::Kind;
use holdfast_core::outcome::QuarantineReason;
use holdfast_core::people::SignedStatement;
use holdfast_core::reprove::{Agreed, Known, Link, Made, Recollection, Seen, Sign, StationWentBack, Walk};
use holdfast_core::time::{Now, UtcMillis};

use super::{Decide, JournalError, Page, Refusal, Stamp};

/// What has to be proven again, and how far that has come.
pub trait Reprovals: Send + Sync {
    /// How things stand with the SoR's memory.
    ///
    /// # Errors
    /// It cannot be read.
    fn reproving(&self) -> Result<Reproving, JournalError>;

    /// Keeps what both sides agree on, if it is anything new.
    ///
    /// # Errors
    /// What was agreed on before stays.
    fn keep_agreed(&self, now: Now, agreement: Agreement) -> Result<(), JournalError>;

    /// It was noticed that the SoR came back from an older copy: nothing is sent from here on.
    ///
    /// # Errors
    /// It is noticed again.
    fn notice_restore(&self, now: Now, noticed: Noticed) -> Result<(), JournalError>;

    /// Numbers that were given out before this station came back from an older copy are passed over.
    ///
    /// # Errors
    /// It is noticed again.
    fn skip_numbers(
        &self,
        now: Now,
        through: LocalSeq,
        decide: Decide<StationWentBack, Vec<Entry>>,
    ) -> Result<(), JournalError>;

    /// The latest commits, the latest first; none of those that a person has left missing.
    ///
    /// # Errors
    /// They cannot be read.
    fn latest_commits(&self, rows: u32) -> Result<Vec<Commitment>, JournalError>;

    /// The next commit to be looked for, from the latest back.
    ///
    /// # Errors
    /// It cannot be read.
    fn next_to_look_for(&self) -> Result<Option<Commitment>, JournalError>;

    /// What a look found is kept before the next one.
    ///
    /// # Errors
    /// It is looked for again.
    fn keep_look(&self, now: Now, look: Look) -> Result<(), JournalError>;

    /// All that has to be looked for was.
    ///
    /// # Errors
    /// It goes on.
    fn end_looking(&self, now: Now, decide: Decide<RestoreRecord, LookingEnded>) -> Result<(), JournalError>;

    /// What the SoR no longer has, in the order in which it was accepted; of the restore that is open, else of the last.
    ///
    /// # Errors
    /// It cannot be read.
    fn missing(&self, page: Page) -> Result<(Option<RestoreRecord>, Vec<MissingRecord>), JournalError>;

    /// Carries out a person's decision about what is missing, or refuses it.
    ///
    /// # Errors
    /// Nothing was decided.
    fn decide_missing(
        &self,
        now: Now,
        decide: Decide<MissingFacts, MissingRuling>,
    ) -> Result<MissingRuled, JournalError>;

    /// The last sessions that were opened here, as the SoR stated them, the latest first.
    ///
    /// # Errors
    /// They cannot be read.
    fn statements(&self, rows: u32) -> Result<Vec<SignedStatement>, JournalError>;

    /// The numbers that were passed over, in their order.
    ///
    /// # Errors
    /// They cannot be read.
    fn skipped(&self) -> Result<Vec<SkippedRecord>, JournalError>;
}

/// How things stand with the SoR's memory.
#[derive(Clone, Debug)]
pub struct Reproving {
    /// What is known here.
    pub known: Known,
    /// The latest commit, so far as it is known.
    pub through: Option<CommitPlace>,
    /// The restore that is not settled.
    pub restore: Option<RestoreRecord>,
}

/// Where in the order of commits one stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommitPlace {
    /// When it was committed here.
    pub at: UtcMillis,
    /// Its number.
    pub local_seq: LocalSeq,
}

/// What both sides agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// What.
    pub agreed: Agreed,
    /// The latest commit that it holds for.
    pub through: Option<CommitPlace>,
}

/// That the SoR came back from an older copy.
#[derive(Clone, Debug)]
pub struct Noticed {
    /// By what.
    pub sign: Sign,
    /// What it told.
    pub told: Recollection,
    /// Audit events.
    pub entries: Vec<Entry>,
}

/// An SoR's return from an older copy.
#[derive(Clone, Debug, PartialEq)]
pub struct RestoreRecord {
    /// By what it was noticed.
    pub sign: Sign,
    /// What the SoR told then.
    pub told: Recollection,
    /// When it was noticed.
    pub noticed_at: UtcMillis,
    /// How far it is.
    pub stage: RestoreStage,
    /// How far the looking has come.
    pub walk: Walk,
    /// How many of the missing have an official number.
    pub official: u64,
}

/// How far the proving is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RestoreStage {
    /// Commits are looked for.
    Looking,
    /// A person is asked.
    Asking,
    /// Nothing was missing.
    NothingMissing,
    /// What was missing was sent again.
    SentAgain,
    /// What was missing was left so.
    Left,
}

/// A committed operation, as it is looked for.
#[derive(Clone, PartialEq)]
pub struct Commitment {
    /// Its place among the commits.
    pub place: CommitPlace,
    /// Seen from the last comparison.
    pub made: Made,
    /// The operation.
    pub operation_id: OperationId,
    /// Its application.
    pub application_id: ApplicationId,
    /// Its kind.
    pub kind: Kind,
    /// Its key.
    pub key: IdempotencyKey,
    /// Fingerprint of its payload.
    pub payload_digest: Digest,
    /// The SoR's record.
    pub record_id: Option<RecordId>,
    /// The accepted bytes.
    pub body: Vec<u8>,
}

/// What a look for a commit found.
#[derive(Clone, Debug)]
pub struct Look {
    /// Which.
    pub place: CommitPlace,
    /// What.
    pub seen: Seen,
    /// How far the looking has come with it.
    pub walk: Walk,
    /// Audit events.
    pub entries: Vec<Entry>,
}

/// What follows when all was looked for.
#[derive(Clone, Debug)]
pub enum LookingEnded {
    /// Nothing is missing: the drain goes on.
    NothingMissing {
        /// What is agreed on.
        agreed: Agreed,
        /// Audit events.
        entries: Vec<Entry>,
    },
    /// A person is asked.
    Ask {
        /// Audit events.
        entries: Vec<Entry>,
    },
}

/// A recorded operation that the SoR no longer has.
#[derive(Clone, Debug, PartialEq)]
pub struct MissingRecord {
    /// The operation.
    pub operation_id: OperationId,
    /// Its application.
    pub application_id: ApplicationId,
    /// Its kind.
    pub kind: Kind,
    /// Its number.
    pub local_seq: LocalSeq,
    /// `{station}-{n}`.
    pub receipt_no: ReceiptNo,
    /// When it was accepted.
    pub accepted_at: UtcMillis,
    /// When it had been recorded.
    pub committed_at: UtcMillis,
    /// The official number that it had, and that may stand on paper.
    pub permit_num: Option<PermitNum>,
    /// The number that it has now.
    pub permit_num_now: Option<PermitNum>,
}

/// What a decision about the missing is made from.
#[derive(Clone, Debug)]
pub struct MissingFacts {
    /// Time of this decision.
    pub stamp: Stamp,
    /// How many are committed, the missing included.
    pub committed: u64,
    /// The restore that is not settled, if there is one.
    pub restore: Option<RestoreRecord>,
    /// The lanes that something is missing of.
    pub lanes: Vec<LaneMissing>,
}

/// A lane that something is missing of.
#[derive(Clone, Debug)]
pub struct LaneMissing {
    /// The application.
    pub application_id: ApplicationId,
    /// Where it stands here.
    pub stage: Stage,
    /// Where the missing moves lead.
    pub moves: Vec<Stage>,
    /// The missing and those that wait, in the order of places.
    pub links: Vec<Link>,
    /// Those of them that wait for a person.
    pub set_aside: Vec<(OperationId, QuarantineReason)>,
}

/// What is decided about the missing.
#[derive(Clone, Debug)]
pub enum MissingRuling {
    /// They wait again, and are sent again.
    SendAgain(Box<SendingAgain>),
    /// They are left missing.
    Leave {
        /// What is agreed on.
        agreed: Agreed,
        /// Audit events.
        entries: Vec<Entry>,
    },
    /// Nothing is done.
    Refuse(Refusal),
}

/// Operations that come back from the archive.
#[derive(Clone, Debug)]
pub struct SendingAgain {
    /// What is agreed on.
    pub agreed: Agreed,
    /// What they and those behind them build on, where that changes.
    pub relinked: Vec<Link>,
    /// Those that waited for a person and go on with them.
    pub requeued: Vec<OperationId>,
    /// Where applications stand from now on, where that changes.
    pub stages: Vec<(ApplicationId, Stage)>,
    /// Audit events.
    pub entries: Vec<Entry>,
}

/// What became of a decision about the missing.
#[derive(Clone, Debug)]
pub enum MissingRuled {
    /// So many wait again.
    SentAgain {
        /// How many.
        count: u64,
    },
    /// So many are left missing.
    Left {
        /// How many.
        count: u64,
    },
    /// Nothing was done.
    Refused(Refusal),
}

/// Numbers that were passed over, since they had been given out before this station came back from an older copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedRecord {
    /// Which.
    pub numbers: StationWentBack,
    /// When it was noticed.
    pub noticed_at: UtcMillis,
    /// By what.
    pub by: NoticedBy,
}

/// By what it was noticed that this station came back from an older copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticedBy {
    /// The SoR has applied higher numbers.
    Sequence,
    /// The signed head beside the database names an event that is not there.
    Head,
}
