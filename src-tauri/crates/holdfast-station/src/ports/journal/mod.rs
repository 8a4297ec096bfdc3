//! The journal: everything that is accepted, and what became of it.
//!
//! Each method is one transaction. Where a decision is needed, the journal reads the facts inside the transaction, hands
//! them to the caller's function, and carries out what it answers, or nothing: so facts and consequences cannot drift
//! apart, and the journal itself decides nothing. A method that returns `Ok` has put its effects on the disk.

mod accept;
mod alarms;
mod besides;
mod boards;
mod changes;
mod configurations;
mod conflicts;
mod copies;
mod custody;
mod decisions;
mod drafts;
mod drain;
mod likenesses;
mod lists;
mod numbers;
mod outages;
mod parcels;
mod replacing;
mod reprovals;
mod second_looks;
mod standing;

pub use accept::*;
pub use alarms::*;
pub use besides::*;
pub use boards::*;
pub use changes::*;
pub use configurations::*;
pub use conflicts::*;
pub use copies::*;
pub use custody::*;
pub use decisions::*;
pub use drafts::*;
pub use drain::*;
pub use likenesses::*;
pub use lists::*;
pub use numbers::*;
pub use outages::*;
pub use parcels::*;
pub use replacing::*;
pub use reprovals::*;
pub use second_looks::*;
pub use standing::*;

use holdfast_core::audit::Entry;
use holdfast_core::cascade::Recorder;
use holdfast_core::headroom::DiskSpace;
use holdfast_core::ids::{ApplicationId, IdempotencyKey, OperationId};
use holdfast_core::sign::PublicKey;
use holdfast_core::time::Now;

/// A decision, made inside a transaction from the facts read there.
pub type Decide<F, D> = Box<dyn FnOnce(&F) -> D + Send>;

/// Why the journal did not do it. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// More are waiting for the writer than it takes. Only an acceptance is told so; everything else waits its turn.
    #[error("{waiting_max} are waiting already")]
    Busy {
        /// The limit.
        waiting_max: usize,
    },
    /// No room on the disk.
    #[error("the disk is full")]
    DiskFull,
    /// What is stored does not hold.
    #[error("the stored data is damaged: {what}")]
    Damaged {
        /// What, in words without personal values.
        what: String,
    },
    /// This process opened the folder for reading only.
    #[error("opened for reading only")]
    ReadOnly,
    /// A write failed earlier; nothing more is accepted until the next start.
    #[error("the store stopped accepting after a failed write")]
    Stopped,
    /// Anything else the engine says.
    #[error("the store failed")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The journal. See the module's promise.
pub trait Journal:
    Alarms
    + Besides
    + Boards
    + Changes
    + Configurations
    + Conflicts
    + Copies
    + CustodyCopies
    + Decisions
    + Drafts
    + Replacing
    + Likenesses
    + Lists
    + Numbers
    + Outages
    + ParcelCopies
    + Reprovals
    + SecondLooks
    + Send
    + Sync
{
    /// What never changes about this folder.
    fn station(&self) -> &StationRecord;

    /// Whose process this is.
    fn own_user(&self) -> OsUser;

    /// Accepts an operation, or refuses it.
    ///
    /// # Errors
    /// Nothing was accepted.
    fn accept(
        &self,
        now: Now,
        ask: AcceptAsk,
        decide: Decide<AcceptFacts, AcceptDecision>,
    ) -> Result<Accepting, JournalError>;

    /// Puts back what is in flight although nobody is sending it: pending again, and in doubt. Asked before a drain begins,
    /// by whoever holds the only one; a start does the same by itself.
    ///
    /// # Errors
    /// It is still in flight.
    fn recover(&self, now: Now) -> Result<(), JournalError>;

    /// Takes the next step of a drain at an endpoint that records; `Some` when an operation is in flight there now.
    ///
    /// # Errors
    /// Nothing is in flight.
    fn begin(
        &self,
        now: Now,
        recorder: Recorder,
        decide: Decide<SendFacts, Step>,
    ) -> Result<Option<InFlight>, JournalError>;

    /// Ends what `begin` began at that endpoint: `operation` is the one in flight, or none after a health probe.
    ///
    /// # Errors
    /// It is still in flight; the next drain, or the next start, finds it so.
    fn settle(
        &self,
        now: Now,
        recorder: Recorder,
        operation: Option<OperationId>,
        decide: Decide<SettleFacts, Settlement>,
    ) -> Result<(), JournalError>;

    /// Adds audit events.
    ///
    /// # Errors
    /// None was added.
    fn note(&self, now: Now, entries: Vec<Entry>) -> Result<(), JournalError>;

    /// Keeps a contract, or a fresh attestation of the same one, and pins its key.
    ///
    /// # Errors
    /// The old one stays.
    fn keep_contract(
        &self,
        now: Now,
        contract: KeptContract,
        entries: Vec<Entry>,
    ) -> Result<(), JournalError>;

    /// Keeps who is signed in for a user of this computer, in place of who was; the others' sessions stay.
    ///
    /// # Errors
    /// Who was signed in still is.
    fn keep_session(&self, now: Now, session: KeptSession, entries: Vec<Entry>) -> Result<(), JournalError>;

    /// Nobody is signed in for this user from here on.
    ///
    /// # Errors
    /// Who was signed in still is.
    fn close_session(&self, now: Now, user: OsUser, entries: Vec<Entry>) -> Result<(), JournalError>;

    /// The contract in use.
    ///
    /// # Errors
    /// It cannot be read.
    fn contract(&self) -> Result<Option<KeptContract>, JournalError>;

    /// The pinned key that signs contracts.
    ///
    /// # Errors
    /// It cannot be read.
    fn office_key(&self) -> Result<Option<PublicKey>, JournalError>;

    /// Who is signed in.
    ///
    /// # Errors
    /// It cannot be read.
    fn session(&self, user: OsUser) -> Result<Option<KeptSession>, JournalError>;

    /// The whole standing.
    ///
    /// # Errors
    /// It cannot be read.
    fn standing(&self) -> Result<Standing, JournalError>;

    /// Operations that are not disposed of, in the order of work.
    ///
    /// # Errors
    /// They cannot be read.
    fn waiting(&self, page: Page) -> Result<Vec<OperationRecord>, JournalError>;

    /// One operation, waiting or archived.
    ///
    /// # Errors
    /// It cannot be read.
    fn operation(&self, key: &IdempotencyKey) -> Result<Option<OperationRecord>, JournalError>;

    /// Applications, latest change first.
    ///
    /// # Errors
    /// They cannot be read.
    fn applications(&self, page: Page) -> Result<Vec<ApplicationRecord>, JournalError>;

    /// One application with its operations, oldest first.
    ///
    /// # Errors
    /// It cannot be read.
    fn application(
        &self,
        id: ApplicationId,
    ) -> Result<Option<(ApplicationRecord, Vec<OperationRecord>)>, JournalError>;

    /// Room on the disk of the data folder, as available to this user.
    ///
    /// # Errors
    /// It cannot be read.
    fn space(&self) -> Result<DiskSpace, JournalError>;
}
