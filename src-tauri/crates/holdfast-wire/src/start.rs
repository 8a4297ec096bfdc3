//! How the program began: at work, or with a problem that a person has to solve first.
//!
//! Promise: each problem says what is intact by its kind; nothing destructive is offered here.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whether there is a station behind the window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "start", rename_all = "snake_case")]
pub enum StartView {
    /// There is.
    Ready,
    /// There is none, and why.
    Problem {
        /// Why.
        problem: StartProblem,
        /// The data folder.
        folder: String,
        /// Whom to call, if the configuration could be read.
        contact: Option<String>,
    },
}

/// Why there is no station behind the window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum StartProblem {
    /// Nobody has set this computer up.
    NotSetUp,
    /// The keyring holds no key for this folder.
    KeyAbsent,
    /// The keyring is locked.
    KeyLocked,
    /// The key does not open this folder.
    KeyWrong,
    /// The keyring does not answer.
    KeyringMute,
    /// There is no keyring on this desktop.
    KeyringNone,
    /// Another process of the same user works here.
    InUse,
    /// Another user of this computer works here.
    OtherUser,
    /// The stored data is damaged; it was not touched.
    Damaged,
    /// The data was written by a newer version.
    NewerVersion,
    /// The folder cannot be used.
    Folder,
    /// A value of the configuration is wrong.
    Configuration {
        /// Which.
        key: String,
    },
    /// Anything else; the log says it.
    Failed,
}
