//! One outage in full, and holding an endpoint.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use validator::Validate;

use crate::oversight::OutageRow;

/// Nothing is sent to an endpoint until a time.
#[derive(Clone, Debug, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct HoldEndpointRequest {
    /// Its name.
    #[validate(length(min = 1, max = 32))]
    pub endpoint: String,
    /// Until when: RFC 3339, or without an offset as a clock here shows it (`2026-12-05T12:00`).
    #[validate(length(max = 40))]
    pub until: String,
    /// Why, in the person's words.
    #[validate(length(max = 500))]
    pub reason: String,
}

/// The hold of an endpoint ends now.
#[derive(Clone, Debug, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct ReleaseEndpointRequest {
    /// Its name.
    #[validate(length(min = 1, max = 32))]
    pub endpoint: String,
}

/// An endpoint after it was held or released.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EndpointSteered {
    /// Its name.
    pub endpoint: String,
    /// `closed`, `open` or `half_open`.
    pub state: String,
    /// When the next try may go.
    pub next_try_at: Option<String>,
    /// The hold in force.
    pub held: Option<HeldView>,
}

/// A time for which a person holds an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HeldView {
    /// From when on, RFC 3339 UTC.
    pub held_at: String,
    /// Until when at the latest.
    pub until: String,
    /// By whom.
    pub by: String,
    /// Why.
    pub reason: String,
    /// When a person ended it; none when its time ends it.
    pub ended_at: Option<String>,
}

/// One outage in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OutageView {
    /// Its row.
    pub outage: OutageRow,
    /// What was tried, oldest first: the first tries and the latest.
    pub tries: Vec<TryView>,
    /// How many tries are left out between them.
    pub left_out: u32,
    /// When persons held the endpoint, oldest first.
    pub holds: Vec<HeldView>,
}

/// One try in an outage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TryView {
    /// Its number in the outage, from 1.
    pub n: u32,
    /// When it ended.
    pub at: String,
    /// `operation`, `look_up` or `probe`.
    pub what: String,
    /// Word for what came of it.
    pub outcome: String,
    /// When the next one might go; none when it ended the outage.
    pub next_try_at: Option<String>,
}
