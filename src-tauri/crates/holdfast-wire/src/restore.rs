//! What a supervisor sees and decides when the SoR, or this station, came back from an older copy.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use validator::Validate;

/// The last return of the SoR from an older copy, and what it lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RestoreView {
    /// None when it never happened.
    pub restore: Option<RestoreInfo>,
    /// What is missing, or was, in the order in which it was accepted.
    pub rows: Vec<MissingRow>,
    /// Numbers that were passed over since this station itself came back from an older copy.
    pub skipped: Vec<SkippedNumbers>,
}

/// A return of the SoR from an older copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RestoreInfo {
    /// How far it is.
    pub stage: RestoreStage,
    /// By what it was noticed.
    pub sign: RestoreSign,
    /// When, RFC 3339 UTC.
    pub noticed_at: String,
    /// Recorded operations that were looked for and are there.
    pub found: u32,
    /// Those that are missing.
    pub missing: u32,
    /// How many of the missing have an official number, which may stand on paper.
    pub official: u32,
}

/// How far the proving is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RestoreStage {
    /// Recorded operations are being looked for; sending pauses.
    Looking,
    /// A supervisor is asked; sending pauses.
    Asking,
    /// Nothing was missing.
    NothingMissing,
    /// What was missing was sent again.
    SentAgain,
    /// What was missing was left so.
    Left,
}

/// By what it was noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RestoreSign {
    /// The SoR is of another epoch.
    Epoch,
    /// It has not applied what it had applied.
    Sequence,
    /// It holds fewer than were recorded.
    Count,
    /// One of the last that were recorded is not there.
    Sample,
}

/// A recorded operation that the SoR no longer has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MissingRow {
    /// The operation.
    pub operation_id: String,
    /// Its application.
    pub application_id: String,
    /// Its receipt number.
    pub receipt_no: String,
    /// Its kind.
    pub kind: String,
    /// When it was accepted.
    pub accepted_at: String,
    /// When it had been recorded.
    pub recorded_at: String,
    /// The official number that it had, and that may stand on paper.
    pub permit_num: Option<String>,
    /// The number that its application has now, when it is another one.
    pub permit_num_now: Option<String>,
}

/// Numbers that were passed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SkippedNumbers {
    /// The first.
    pub first: u32,
    /// The last.
    pub last: u32,
    /// When it was noticed.
    pub noticed_at: String,
}

/// A decision about everything that the SoR lacks.
#[derive(Clone, Debug, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct RestoreRequest {
    /// What is done.
    pub decision: RestoreDecision,
    /// Why, in the person's words.
    #[validate(length(min = 1, max = 2_000))]
    pub reason: String,
}

/// What can be done about what the SoR lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RestoreDecision {
    /// It is sent again, the same bytes under the same keys, in order.
    SendAgain,
    /// It is left missing; nothing of it is sent.
    Leave,
}

/// A decision about what the SoR lacks was carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RestoreDecided {
    /// What was done.
    pub decision: RestoreDecision,
    /// With how many.
    pub count: u32,
}
