//! What a supervisor sees and decides: set-aside items, outages, the backlog by its age.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use validator::Validate;

use crate::outage::HeldView;
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

/// What can be done with an item that waits for a person. `seen` is the version of the SoR's record that the person looked
/// at; without it, the one that is known here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Sent again, the same bytes under the same key.
    Requeue,
    /// Taken back; it is never sent.
    Void,
    /// Of what the SoR has twice: the one that is recorded stays; the others are to be voided there.
    Keep,
    /// Of what no look can find, or what is there more than once: the person has seen this record there, and it is the one.
    Found {
        /// The SoR's own name for the record, or its number.
        record: String,
    },
    /// Of a conflict: sent again as it is, upon the SoR's version.
    TakeOurs {
        /// See above.
        seen: Option<String>,
    },
    /// Of a conflict: taken back; the SoR's version holds.
    TakeTheirs {
        /// See above.
        seen: Option<String>,
    },
    /// Of a conflict: what was made of both is sent in its place. A field that is left out on purpose is `null`.
    Merge {
        /// See above.
        seen: Option<String>,
        /// All fields, as they shall be.
        #[ts(type = "Record<string, unknown>")]
        merged: serde_json::Map<String, serde_json::Value>,
    },
    /// Of a conflict: the fields of both are sent in its place. A field that both changed has to be chosen.
    Choose {
        /// See above.
        seen: Option<String>,
        /// Pointers of fields that shall be as the item says.
        ours: Vec<String>,
        /// Pointers of fields that shall be as the SoR has them.
        theirs: Vec<String>,
    },
}

impl Decision {
    /// Its word, without what it carries.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Requeue => "requeue",
            Self::Void => "void",
            Self::Keep => "keep",
            Self::Found { .. } => "found",
            Self::TakeOurs { .. } => "take_ours",
            Self::TakeTheirs { .. } => "take_theirs",
            Self::Merge { .. } => "merge",
            Self::Choose { .. } => "choose",
        }
    }
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
    /// Why: `failures`, `announced`, `probes_failed`, `probes_slow` or `held`; none for one of an older version.
    pub cause: Option<String>,
    /// Until when the endpoint said last that it would be away.
    pub announced_until: Option<String>,
    /// The latest time for which a person held the endpoint in it.
    pub held: Option<HeldView>,
    /// How often it was tried.
    pub tries: u32,
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
