//! What only a demonstration asks for: an SoR that is broken on purpose, and a change of person.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How the SoR of a demonstration fails, until it is mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DemoFault {
    /// It takes the request and never answers.
    Timeout,
    /// Nothing listens at its address.
    Refuse,
    /// It answers 500 to everything.
    ServerError,
    /// A sign-in page of the network answers in its place.
    Portal,
    /// It records what it is sent, and answers when nobody waits any more.
    SucceedsLate,
}

/// Who a demonstration can be shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DemoPerson {
    /// At the permit counter.
    Clerk,
    /// In the field.
    Inspector,
    /// Answers for what happened.
    Supervisor,
}

impl DemoPerson {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Clerk, Self::Inspector, Self::Supervisor];

    /// The name at the SoR.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Clerk => "clerk",
            Self::Inspector => "inspector",
            Self::Supervisor => "supervisor",
        }
    }
}
