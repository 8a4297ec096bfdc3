//! Two versions of a record side by side, with what was shown before either.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// What a person compares before deciding about a conflict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ConflictView {
    /// The record as it was shown when the item was accepted; none when there was none, or when it was not kept.
    pub base: Option<VersionView>,
    /// What the item says.
    #[ts(type = "Record<string, unknown>")]
    pub ours: Value,
    /// The record as the SoR has it; none while that is not known.
    pub theirs: Option<TheirsView>,
    /// How the two changes meet: `apart`, `clash`, `held_back` or `base_unknown`; none while the SoR's is not known.
    pub meeting: Option<String>,
    /// What may be proposed when they do not meet: `ours`, or `merge`.
    pub proposal: Option<String>,
    /// Whether the fields can be chosen one by one.
    pub by_field: bool,
    /// Every field of each version.
    pub rows: Vec<ConflictRow>,
}

/// A version of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct VersionView {
    /// Its entity tag.
    pub etag: Option<String>,
    /// Where it stands.
    pub stage: String,
    /// BLDS fields.
    #[ts(type = "Record<string, unknown>")]
    pub payload: Value,
    /// Open holds.
    #[ts(type = "unknown[]")]
    pub holds: Vec<Value>,
    /// Notes.
    #[ts(type = "unknown[]")]
    pub notes: Vec<Value>,
}

/// The version that the SoR has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TheirsView {
    /// It.
    #[serde(flatten)]
    pub version: VersionView,
    /// The SoR's own name for the record.
    pub record_id: String,
    /// When it last changed there.
    pub updated_at: String,
    /// When it was fetched.
    pub fetched_at: String,
}

/// One field in three versions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ConflictRow {
    /// RFC 6901 pointer: `/stage`, `/payload/…`, `/holds/…`, `/notes/…`, and for what the item adds `/{kind}/…`.
    pub pointer: String,
    /// As it was shown; `null` where it was not there.
    #[ts(type = "unknown")]
    pub base: Value,
    /// As the item makes it.
    #[ts(type = "unknown")]
    pub ours: Value,
    /// As the SoR has it.
    #[ts(type = "unknown")]
    pub theirs: Value,
    /// `nobody`, `by_us`, `by_them`, `by_both_alike` or `by_both_differently`.
    pub changed: String,
}
