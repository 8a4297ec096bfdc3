//! What is being filled in and not handed in yet.
//!
//! Promise: a draft holds what was typed, as typed, and is judged by nobody. The operation's id is minted with it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use validator::Validate;

/// A form is opened.
#[derive(Clone, Debug, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct OpenDraftRequest {
    /// The kind of operation.
    #[validate(length(min = 1, max = 32))]
    pub kind: String,
    /// The application that it is about; none for a new one.
    #[validate(length(equal = 36))]
    pub application_id: Option<String>,
}

/// What was typed so far.
#[derive(Clone, Debug, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct KeepDraftRequest {
    /// The operation's id.
    #[validate(length(equal = 36))]
    pub operation_id: String,
    /// Fields by name, as typed; at most 256 KiB as JSON.
    #[ts(type = "Record<string, unknown>")]
    pub values: serde_json::Map<String, serde_json::Value>,
}

/// A draft is on the disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DraftKept {
    /// When, RFC 3339 UTC.
    pub saved_at: String,
}

/// One of the signed-in person's drafts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DraftRow {
    /// The operation's id.
    pub operation_id: String,
    /// Its kind.
    pub kind: String,
    /// The application that it is about; none for a new one.
    pub application_id: Option<String>,
    /// When it was last kept.
    pub saved_at: String,
    /// The site address in it, if one was typed.
    pub about: Option<String>,
}

/// One draft in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DraftView {
    /// The row.
    #[serde(flatten)]
    pub row: DraftRow,
    /// Fields by name, as typed.
    #[ts(type = "Record<string, unknown>")]
    pub values: serde_json::Map<String, serde_json::Value>,
}
