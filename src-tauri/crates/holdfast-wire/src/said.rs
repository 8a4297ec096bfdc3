//! What the SoR has said of an operation beside its receipt.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Remarks about what it recorded, and what it has more than once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SaidView {
    /// Its remarks, in its own words.
    pub remarks: Vec<RemarkView>,
    /// Its records of the operation, if they are more than one.
    pub twin: Option<TwinView>,
    /// By whom it was found there, if a person said so and no look could.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub found: Option<FoundView>,
}

/// A person has looked at the SoR.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundView {
    /// Who.
    pub by: String,
    /// When that was said.
    pub at: String,
    /// The record that was seen.
    pub record_id: String,
}

/// A remark of the SoR about what it recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RemarkView {
    /// Stable code.
    pub code: String,
    /// Text for a person; may hold personal data.
    pub text: String,
}

/// What the SoR has more than once. Every void is work to be done at the SoR, by its record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TwinView {
    /// What carries the operation's reference there.
    pub record_ids: Vec<String>,
    /// The one that stays.
    pub stays: Option<String>,
    /// Those that are to be voided.
    pub voids: Vec<String>,
    /// When they were found.
    pub found_at: String,
    /// When a person decided that the one stays.
    pub kept_at: Option<String>,
}
