//! Applications that look alike: what is shown of the other one, and that a person keeps both.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use validator::Validate;

/// An application that another one looks like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LikeView {
    /// It.
    pub application_id: String,
    /// Receipt number of its intake, when it was taken in here.
    pub receipt_no: Option<String>,
    /// Its permit number, if known.
    pub permit_num: Option<String>,
    /// When it was filed: accepted here, or recorded there.
    pub filed_at: String,
}

/// Two that look alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LikenessRow {
    /// The one that came later.
    pub application_id: String,
    /// Receipt number of its intake, when it was taken in here.
    pub receipt_no: Option<String>,
    /// Its permit number, if known.
    pub permit_num: Option<String>,
    /// Key of its intake, when it was taken in here.
    pub idempotency_key: Option<String>,
    /// When it was filed.
    pub filed_at: String,
    /// The one before it.
    pub looks_like: LikeView,
    /// When that was noticed.
    pub noticed_at: String,
}

/// Both of two that look alike are kept: the mark goes.
#[derive(Clone, Debug, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct KeepLikenessRequest {
    /// One of them: the id of the application, or the key of its intake.
    #[validate(length(min = 36, max = 64))]
    pub of: String,
    /// Why, in the person's words.
    #[validate(length(min = 1, max = 1000))]
    pub reason: String,
}

/// What became of a mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LikenessKept {
    /// The application.
    pub application_id: String,
    /// Those that it is no longer said to look like.
    pub kept_beside: Vec<String>,
}
