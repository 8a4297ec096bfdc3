//! What a supervisor sees and decides: set-aside items, outages, the backlog by its age.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use validator::Validate;

use crate::view::BooksView;

/// A decision about an item that waits for a person.
#[derive(Clone, Debug, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct DecideRequest {
    /// The item's key.
    #[validate(length(equal = 64))]
    pub key: String,
    /// What is done with it.
    pub decision: Decision,
    /// Why, in the person's words.
    #[validate(length(min = 1, max = 2_000))]
    pub reason: String,
}

/// What can be done with an item that waits for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Sent again, the same bytes under the same key.
    Requeue,
    /// Taken back; it is never sent.
    Void,
}

/// A decision was carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Decided {
    /// The item's receipt number.
    pub receipt_no: String,
    /// Its state now.
    pub state: String,
    /// Items of its lane that now go on.
    pub going_on: u32,
    /// Items of its lane that now wait for a decision of their own.
    pub set_aside: u32,
}

/// The outage register, latest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OutagesView {
    /// The rows.
    pub rows: Vec<OutageRow>,
    /// How many there are.
    pub all: u32,
}

/// One interval in which an endpoint was down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OutageRow {
    /// The outage.
    pub outage_id: String,
    /// The endpoint.
    pub endpoint: String,
    /// The first failure that was counted.
    pub first_failure_at: String,
    /// When sending stopped because of it.
    pub tripped_at: String,
    /// When it ended; none while it goes on.
    pub closed_at: Option<String>,
    /// What was accepted in it, and what became of that.
    pub books: BooksView,
}

/// What waits, by the hour in which it was accepted, oldest first; hours without any are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BacklogHours {
    /// The latest hours.
    pub hours: Vec<BacklogHour>,
    /// What waits from before them.
    pub earlier: u32,
}

/// One hour of the backlog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BacklogHour {
    /// Its beginning, RFC 3339 UTC.
    pub from: String,
    /// Accepted in it and still waiting.
    pub waiting: u32,
}
