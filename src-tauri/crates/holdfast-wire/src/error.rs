//! What the station answers when it does not do what was asked: a code with its data, never a sentence to match.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::view::ProblemView;

/// Why something was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ApiCode {
    /// The input is not one JSON object within the limits.
    NotAnObject,
    /// Understood, and refused; the problems say why.
    Refused,
    /// Too many are waiting to be accepted; nothing was saved.
    Busy,
    /// Nobody is signed in here.
    NotSignedIn,
    /// The signed-in person may not do this.
    NotPermitted,
    /// Intake is paused: the rules are too old, or there are none.
    RulesOutOfDate,
    /// Intake is paused: too little room on the disk.
    DiskFull,
    /// The SoR did not answer.
    NotAnswering,
    /// What answered is not the SoR.
    Impostor,
    /// The SoR answered and refused.
    SystemRefused,
    /// There is no such thing here.
    NotFound,
    /// The store cannot be used.
    Storage,
    /// What is stored does not hold.
    Integrity,
    /// Another process writes here.
    InUse,
    /// There is no station behind the window yet; `start` says why.
    NotStarted,
}

/// The answer in place of a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[error("{code:?}")]
pub struct ApiError {
    /// Why.
    pub code: ApiCode,
    /// What was wrong with the input, if it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ProblemView>,
}
