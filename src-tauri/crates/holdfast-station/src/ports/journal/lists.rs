//! Lists: records and items as a person looks for them, a page at a time.

use holdfast_core::ids::{ActorId, ApplicationId, OperationId, PermitNum, ReceiptNo};
use holdfast_core::time::UtcMillis;
use serde_json::Value;

use super::{ApplicationRecord, JournalError, OperationRecord, Page, Replacements};

/// Items of one application that are read when it is opened, in entries; the latest of them.
pub const ITEMS_OF_RECORD_MAX: u32 = 1_000;

/// What is looked for, in the form in which texts are compared ([`holdfast_core::search`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Every one of these has to be there.
    pub words: Vec<String>,
    /// A record with this number goes first.
    pub number: String,
}

/// An application with what a list says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundRecord {
    /// The application.
    pub record: ApplicationRecord,
    /// Receipt number of its intake, when it was taken in here.
    pub receipt_no: Option<ReceiptNo>,
    /// When it was last copied from the SoR.
    pub copied_at: Option<UtcMillis>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The page.
    pub rows: Vec<FoundRecord>,
    /// How many match.
    pub matching: u32,
    /// How many are known here.
    pub known: u32,
    /// When any was last copied from the SoR.
    pub copied_at: Option<UtcMillis>,
}

/// Which operations are listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemsWanted {
    /// Pending or in flight.
    Waiting,
    /// In quarantine.
    Decisions,
    /// In quarantine, and accepted by this person.
    SentBack(ActorId),
    /// Accepted by this person, the archived ones included.
    Own(ActorId),
}

/// In which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemsOrder {
    /// The order of work; where the archive is listed as well, the order of acceptance.
    OfWork,
    /// The latest acceptance first.
    LatestFirst,
}

/// A page of a list of operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemsAsk {
    /// Which.
    pub of: ItemsWanted,
    /// Words that have to be in the receipt number or in what the application is found by.
    pub words: Vec<String>,
    /// Order.
    pub order: ItemsOrder,
    /// Page.
    pub page: Page,
}

/// One operation with what a list says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemRecord {
    /// The operation.
    pub operation: OperationRecord,
    /// The permit number of its application, if known.
    pub permit_num: Option<PermitNum>,
    /// Address of its application.
    pub address: Option<String>,
    /// The one before it in its lane that is neither committed nor voided.
    pub behind: Option<ReceiptNo>,
    /// What it has to do with others at its place.
    pub replacements: Replacements,
    /// What the SoR remarked when it recorded it, in entries.
    pub remarks: u32,
}

/// A page of operations.
#[derive(Clone, Debug, PartialEq)]
pub struct Items {
    /// The page.
    pub rows: Vec<ItemRecord>,
    /// How many have the words.
    pub matching: u32,
    /// How many there are without them.
    pub all: u32,
    /// When any operation was last recorded.
    pub last_recorded_at: Option<UtcMillis>,
}

/// One operation, opened.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenedItem {
    /// The operation.
    pub item: ItemRecord,
    /// Those behind it in its lane.
    pub followers: u32,
    /// What is kept of the answer that put it before a person.
    pub answer: Option<Value>,
}

/// The part of the journal that lists and finds. Each method reads one moment.
pub trait Lists {
    /// Finds applications: the one of that number first, then the latest change first.
    ///
    /// # Errors
    /// They cannot be read.
    fn find(&self, wanted: &Wanted, page: Page) -> Result<Found, JournalError>;

    /// One application with its operations, the latest first, [`ITEMS_OF_RECORD_MAX`] at the most.
    ///
    /// # Errors
    /// It cannot be read.
    fn found_record(&self, id: ApplicationId)
    -> Result<Option<(FoundRecord, Vec<ItemRecord>)>, JournalError>;

    /// A page of operations.
    ///
    /// # Errors
    /// They cannot be read.
    fn items(&self, ask: &ItemsAsk) -> Result<Items, JournalError>;

    /// One operation, waiting or archived.
    ///
    /// # Errors
    /// It cannot be read.
    fn item(&self, id: OperationId) -> Result<Option<OpenedItem>, JournalError>;

    /// How many operations of a person's wait for a person.
    ///
    /// # Errors
    /// They cannot be counted.
    fn sent_back(&self, actor: &ActorId) -> Result<u64, JournalError>;
}
