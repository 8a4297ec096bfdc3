//! What an old vendor's system keeps, and the port through which it is reached.
//!
//! Promise: a write is one transaction, and is done as often as it is sent: nothing here knows that it has been here
//! before. What is written is beside the tables of applications and inspections, so that the lists for copies show it too.

use holdfast_core::lifecycle::Stage;
use holdfast_core::time::UtcMillis;
use serde::Serialize;
use serde_json::Value;

use crate::records::RecordsFault;

type Answer<T> = Result<T, RecordsFault>;

/// The lists of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    /// The records themselves.
    Records,
    /// Changes of status and of fields.
    History,
    /// Inspections.
    Inspections,
    /// Conditions: holds and tags.
    Conditions,
    /// Comments. Not to be read by others.
    Comments,
    /// Fees. Not to be read by others.
    Fees,
}

/// Who sent a write, as its sender says; a vendor believes it.
#[derive(Clone, Debug)]
pub(crate) struct Entered {
    /// What the sender calls it.
    pub(crate) kind: String,
    pub(crate) by: String,
    pub(crate) at: String,
    pub(crate) sequence: u64,
    /// From the token.
    pub(crate) station: String,
    pub(crate) arrived_at: UtcMillis,
    /// SHA-256 of the request's body, in hex.
    pub(crate) body_digest: String,
}

/// The texts by which a write can be found again; whatever was sent, kept as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    pub(crate) reference: Option<String>,
    pub(crate) comment: Option<String>,
    pub(crate) external_id: Option<String>,
}

/// A new record.
pub(crate) struct NewRecord {
    /// The sender's own name of it; a second record of the same name gets another one for its copies.
    pub(crate) application_id: Option<String>,
    pub(crate) fields: Value,
}

/// What happens to a record.
pub(crate) enum Change {
    /// It gets another status.
    Status(Stage),
    /// Its fields are others.
    Fields(Value),
    /// It has one more inspection, or a result for one.
    Inspection(Value),
    /// One more line in a list.
    Line(List, Value),
}

/// A record, as it is shown.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct RecordView {
    pub(crate) id: String,
    pub(crate) number: String,
    pub(crate) status: Stage,
    pub(crate) application_id: String,
    /// Those of the write that made it.
    pub(crate) reference: Option<String>,
    pub(crate) external_id: Option<String>,
    pub(crate) created: String,
    /// The only version that there is.
    pub(crate) modified: String,
    pub(crate) fields: Value,
}

/// A line of a list, as it is shown.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LineView {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) reference: Option<String>,
    pub(crate) comment: Option<String>,
    pub(crate) external_id: Option<String>,
    /// The record's version after it.
    pub(crate) modified: String,
}

/// How a change ended.
pub(crate) enum Changed {
    Done(LineView),
    NoSuchRecord,
    StatusNotAllowed,
}

/// A record with one of its lists, the latest line first.
pub(crate) struct Listed {
    pub(crate) record: RecordView,
    pub(crate) lines: Vec<LineView>,
}

/// By what records are found.
pub(crate) enum Search<'a> {
    Reference(&'a str),
    Application(&'a str),
}

/// One effect of a write, for drills.
#[derive(Serialize)]
pub(crate) struct Effect {
    /// The reference as it was received.
    pub(crate) key: String,
    pub(crate) application_id: String,
    pub(crate) permit_num: String,
    pub(crate) kind: String,
    pub(crate) local_seq: u64,
    pub(crate) accepted_at: String,
    pub(crate) actor: String,
    pub(crate) station_id: String,
    pub(crate) arrived_at: UtcMillis,
    pub(crate) body_digest: String,
}

/// The records of a city with an old vendor's system.
pub(crate) trait LegacyRecords: Send + Sync {
    /// Lays out the tables beside the others; what was planted gets a version of this system's form.
    fn prepare(&self) -> Answer<()>;
    /// Makes a record.
    fn create(&self, new: &NewRecord, marks: &Marks, entered: &Entered) -> Answer<RecordView>;
    /// Records that a search finds, the oldest first.
    fn search(&self, search: &Search<'_>, limit_rows: u32) -> Answer<Vec<RecordView>>;
    /// One record.
    fn record(&self, id: &str) -> Answer<Option<RecordView>>;
    /// Changes a record.
    fn change(&self, id: &str, change: &Change, marks: &Marks, entered: &Entered) -> Answer<Changed>;
    /// A record with one of its lists.
    fn list(&self, id: &str, list: List, limit_rows: u32) -> Answer<Option<Listed>>;
    /// Every effect in order.
    fn legacy_ledger(&self) -> Answer<Vec<Effect>>;
}

impl List {
    /// The stored word, and the last step of its path.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::History => "history",
            Self::Inspections => "inspections",
            Self::Conditions => "conditions",
            Self::Comments => "comments",
            Self::Fees => "fees",
        }
    }
}
