//! The SoR, as the station speaks to it.
//!
//! An adapter builds requests and reports what came back; what that means is judged by `holdfast_core::outcome`.

use async_trait::async_trait;
use holdfast_core::certificate::CertificateSays;
use holdfast_core::contract::{Bundle, SignedAttestation};
use holdfast_core::copies::Visit;
use holdfast_core::ids::{
    ActorId, ApplicationId, ETag, FeedCursor, IdempotencyKey, LocalSeq, OperationId, PermitNum, RecordId,
};
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::Kind;
use holdfast_core::outcome::Answer;
use holdfast_core::people::SignedStatement;
use holdfast_core::reprove::Recollection;
use holdfast_core::sign::PublicKey;
use holdfast_core::time::{Date, UtcMillis};
use holdfast_core::wait::RetryAfter;
use serde_json::Value;

use super::NumberLease;

/// Which connections an attempt may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sockets {
    /// Connections that are open already.
    Kept,
    /// New ones only: a canary must not fail on a connection that died in the outage.
    Fresh,
}

/// One operation on its way: the accepted bytes, and what may differ between attempts. An SoR with keys needs the key
/// alone to find it again; one without needs to know where to look.
#[derive(Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its key; at an SoR without keys the reference that travels in a field.
    pub key: IdempotencyKey,
    /// Its kind.
    pub kind: Kind,
    /// The operation.
    pub operation_id: OperationId,
    /// Its application.
    pub application_id: ApplicationId,
    /// The application's record at the SoR, once it is known here.
    pub record_id: Option<RecordId>,
    /// The accepted bytes.
    pub body: Vec<u8>,
    /// Entity tag of the predecessor's receipt, or of the copy it was based on.
    pub if_match: Option<ETag>,
}

/// Who wants to sign in.
pub struct SessionAsk<'a> {
    /// The person's name.
    pub user: &'a str,
    /// The password; goes over the wire and nowhere else.
    pub password: &'a str,
    /// Public half of the session's new key pair.
    pub key: PublicKey,
}

/// What the SoR said about the contract.
#[derive(Clone, Debug, PartialEq)]
pub enum ContractAnswer {
    /// A contract.
    Bundle(Box<Bundle>),
    /// The one in use still holds, with a fresh attestation if one came along.
    Unchanged(Option<SignedAttestation>),
}

/// Whose inspections are asked for, and of which days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitsAsk {
    /// Whose.
    pub assignee: ActorId,
    /// Where nobody has been: planned for this day or an earlier one.
    pub open_until: Date,
    /// Where somebody was: on this day.
    pub done_on: Date,
}

/// An inspection as the SoR gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct CopiedVisit {
    /// Its application.
    pub application_id: ApplicationId,
    /// What is planned.
    pub visit: Visit,
}

/// An application as the SoR gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct CopiedRecord {
    /// The application.
    pub application_id: ApplicationId,
    /// The SoR's own record.
    pub record_id: RecordId,
    /// Its number.
    pub permit_num: Option<PermitNum>,
    /// Its version.
    pub etag: ETag,
    /// Where it stands.
    pub stage: Stage,
    /// When it last changed there.
    pub updated_at: UtcMillis,
    /// BLDS fields.
    pub payload: Value,
    /// Open holds, as it shows them.
    pub holds: Vec<Value>,
    /// Notes, as it shows them.
    pub notes: Vec<Value>,
}

/// A part of the SoR's list of applications.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordsPage {
    /// The records, the latest first.
    pub records: Vec<CopiedRecord>,
    /// How the SoR calls the next page; none after the last.
    pub next: Option<String>,
}

/// What the SoR's feed of changes answered.
#[derive(Clone, Debug, PartialEq)]
pub enum ChangesAnswer {
    /// A part of it.
    Page(ChangesPage),
    /// The place is not known there (any more): copies are fetched whole once more.
    BeginAnew,
    /// It has no such feed.
    NotOffered,
}

/// A part of the SoR's feed of changes.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangesPage {
    /// The records as they are there now, in the order of their last changes.
    pub records: Vec<CopiedRecord>,
    /// Those that are there no longer.
    pub gone: Vec<ApplicationId>,
    /// Where the feed goes on.
    pub next: FeedCursor,
    /// Whether there is more already.
    pub rest: FeedRest,
}

/// Whether a feed has more already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedRest {
    /// It has.
    More,
    /// That was all.
    All,
}

/// Operations of one list of what the SoR holds, in rows.
pub const HELD_LIST_MAX_ROWS: u32 = 1_000;

/// An operation of this station that the SoR holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldThere {
    /// Its key.
    pub key: IdempotencyKey,
    /// Its number.
    pub local_seq: LocalSeq,
    /// Its kind.
    pub kind: Kind,
    /// Its application.
    pub application_id: ApplicationId,
    /// The application's number.
    pub permit_num: Option<PermitNum>,
}

/// Why a request other than an operation came to nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SorFault {
    /// No answer within the limits, or no connection.
    #[error("the permit system does not answer")]
    NotAnswering,
    /// An answer that does not come from the SoR that was pinned.
    #[error("what answered is not the permit system (a sign-in page of the network?)")]
    Impostor,
    /// The SoR does not know this station, or no longer.
    #[error("the permit system refuses this station")]
    StationUnauthorized,
    /// The SoR refused, with its problem type.
    #[error("the permit system refused: {problem}")]
    Refused {
        /// Name of the problem type.
        problem: String,
    },
    /// The SoR answered with something that cannot be read.
    #[error("the permit system's answer cannot be read")]
    Unreadable,
}

/// Why there is no sign of life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoLife {
    /// It was not asked, for want of something on this machine.
    NotAsked,
    /// The SoR gave none.
    Silent {
        /// What the answer asked for, if one came and asked.
        retry_after: Option<RetryAfter>,
    },
    /// Somebody else answered.
    Stranger,
    /// Its certificate does not hold now, by this computer's clock: nothing was asked.
    Certificate(CertificateSays),
}

/// The SoR. Every call ends within the configured limits.
#[async_trait]
pub trait RecordSystem: Send + Sync {
    /// Sends an operation, its token fetched first if need be.
    async fn deliver(&self, delivery: &Delivery, sockets: Sockets) -> Answer;

    /// Asks what became of an operation.
    async fn look_up(&self, delivery: &Delivery, sockets: Sockets) -> Answer;

    /// Asks for a sign of life that cannot be forged: `nonce` must come back with the pinned identity.
    ///
    /// # Errors
    /// There is none, or it cannot be believed.
    async fn health(&self, nonce: &str, sockets: Sockets) -> Result<(), NoLife>;

    /// Asks what the SoR remembers of this station; `nonce` must come back with the pinned identity. An SoR that tells
    /// nothing of the kind gives an empty answer.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn recall(&self, nonce: &str) -> Result<Recollection, SorFault> {
        let _ = nonce;
        Ok(Recollection::default())
    }

    /// Lists what the SoR holds of this station with higher numbers than `after`, as far as it can say; the first
    /// [`HELD_LIST_MAX_ROWS`] of them.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn held_after(&self, after: LocalSeq) -> Result<Vec<HeldThere>, SorFault> {
        let _ = after;
        Ok(Vec::new())
    }

    /// Shows the SoR a statement of its own about a session that it may have forgotten, so that what was accepted under it is
    /// proven. An SoR that keeps no sessions takes it as it is.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn show_session(&self, signed: &SignedStatement) -> Result<(), SorFault> {
        let _ = signed;
        Ok(())
    }

    /// Asks for a block of permit numbers; asked again, the SoR gives the same block. One that leases none refuses.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn lease_numbers(&self, lease: &NumberLease) -> Result<Vec<PermitNum>, SorFault> {
        let _ = lease;
        Err(SorFault::Refused { problem: "no-number-blocks".to_owned() })
    }

    /// Tells the SoR that these numbers will never be used.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn void_numbers(&self, numbers: &[PermitNum]) -> Result<(), SorFault> {
        let _ = numbers;
        Err(SorFault::Refused { problem: "no-number-blocks".to_owned() })
    }

    /// Forgets the station's token, so that the next request fetches a new one.
    fn forget_token(&self);

    /// Signs a person in.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn open_session(&self, ask: &SessionAsk<'_>) -> Result<SignedStatement, SorFault>;

    /// Fetches the contract, or a fresh attestation of the one named by `known`.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn contract(&self, known: Option<&ETag>) -> Result<ContractAnswer, SorFault>;

    /// Fetches all inspections that are asked for, whole or not at all; [`SorFault::Unreadable`] when they are more than a
    /// copy may have.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn visits(&self, ask: &VisitsAsk) -> Result<Vec<CopiedVisit>, SorFault>;

    /// Fetches a page of applications; `after` is what the page before called it.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn records(&self, after: Option<&str>) -> Result<RecordsPage, SorFault>;

    /// Fetches what changed since a place in the SoR's feed; without one, nothing but where the feed stands now.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn changes(&self, since: Option<&FeedCursor>) -> Result<ChangesAnswer, SorFault> {
        let _ = since;
        Ok(ChangesAnswer::NotOffered)
    }

    /// Fetches one application.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn record(&self, id: ApplicationId) -> Result<CopiedRecord, SorFault>;
}
