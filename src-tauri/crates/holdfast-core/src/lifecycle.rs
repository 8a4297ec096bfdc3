//! The stages of an application and the steps between them.
//!
//! Promise: every move that is accepted here is one that the table of the lifecycle allows, and each refusal says why.
//! Who may make a move is decided by the roles; that the SoR has recorded it, by the outcome.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Where an application stands. The words are those that are stored and sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Stage {
    /// Taken in at the counter.
    Intake,
    /// Looked over for completeness.
    PrelimReview,
    /// The fee has been computed.
    FeeEstimated,
    /// Approved at the counter, not yet recorded as such.
    ConditionalApproval,
    /// The SoR has recorded the approval and everything before it. Never chosen, never sent.
    Committed,
    /// Back at intake, with a reason; a move names it as `Intake`.
    Returned,
    /// Withdrawn by the applicant.
    Withdrawn,
    /// Void.
    Voided,
}

/// Why a move is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoveRefused {
    /// No step leads from here to there.
    #[error("no step leads from {from} to {to}")]
    NoSuchStep {
        /// The stage now.
        from: Stage,
        /// The stage asked for.
        to: Stage,
    },
    /// Going back to intake needs a reason.
    #[error("a move from {from} to {to} needs a reason")]
    ReasonMissing {
        /// The stage now.
        from: Stage,
        /// The stage asked for.
        to: Stage,
    },
    /// The stage is the outcome of something, never a choice.
    #[error("{to} is never chosen")]
    NeverChosen {
        /// The stage asked for.
        to: Stage,
    },
    /// The application has ended.
    #[error("an application that is {at} moves no more")]
    Ended {
        /// The stage now.
        at: Stage,
    },
}

/// A text that is no stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a stage")]
pub struct NotAStage;

/// The stage that a move leads to, or why it is refused.
///
/// # Errors
/// [`MoveRefused`], when the table does not allow the move.
pub fn step(from: Stage, to: Stage, reason: Option<&str>) -> Result<Stage, MoveRefused> {
    match allowed(from, to)? {
        Needs::Nothing => Ok(arrival(from, to)),
        Needs::Reason if reason.is_some_and(|text| !text.trim().is_empty()) => Ok(arrival(from, to)),
        Needs::Reason => Err(MoveRefused::ReasonMissing { from, to }),
    }
}

/// The stage after the SoR has recorded a move to `recorded`: the conditional approval becomes `Committed`, unless the
/// application has moved on since.
#[must_use]
pub fn on_recorded(current: Stage, recorded: Stage) -> Stage {
    if current == Stage::ConditionalApproval && recorded == Stage::ConditionalApproval {
        Stage::Committed
    } else {
        current
    }
}

/// Every stage with the answer to choosing it from `from` (a reason taken as given), in the order of [`Stage::ALL`].
pub fn moves_from(from: Stage) -> [(Stage, Result<(), MoveRefused>); 8] {
    Stage::ALL.map(|to| (to, allowed(from, to).map(|_| ())))
}

impl Stage {
    /// All stages, in the order of the lifecycle.
    pub const ALL: [Self; 8] = [
        Self::Intake,
        Self::PrelimReview,
        Self::FeeEstimated,
        Self::ConditionalApproval,
        Self::Committed,
        Self::Returned,
        Self::Withdrawn,
        Self::Voided,
    ];

    /// The stage that a text names.
    ///
    /// # Errors
    /// [`NotAStage`] for any other text, other spellings included.
    pub fn parse(text: &str) -> Result<Self, NotAStage> {
        Self::ALL.into_iter().find(|stage| stage.as_str() == text).ok_or(NotAStage)
    }

    /// The stored and sent word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Intake => "Intake",
            Self::PrelimReview => "PrelimReview",
            Self::FeeEstimated => "FeeEstimated",
            Self::ConditionalApproval => "ConditionalApproval",
            Self::Committed => "Committed",
            Self::Returned => "Returned",
            Self::Withdrawn => "Withdrawn",
            Self::Voided => "Voided",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Stage {
    type Err = NotAStage;

    fn from_str(text: &str) -> Result<Self, NotAStage> {
        Self::parse(text)
    }
}

enum Needs {
    Nothing,
    Reason,
}

fn allowed(from: Stage, to: Stage) -> Result<Needs, MoveRefused> {
    match from {
        Stage::Voided => return Err(MoveRefused::Ended { at: from }),
        Stage::Withdrawn if to != Stage::Voided => return Err(MoveRefused::Ended { at: from }),
        Stage::Intake
        | Stage::PrelimReview
        | Stage::FeeEstimated
        | Stage::ConditionalApproval
        | Stage::Committed
        | Stage::Returned
        | Stage::Withdrawn => {}
    }
    match to {
        Stage::Committed | Stage::Returned => Err(MoveRefused::NeverChosen { to }),
        Stage::Voided => Ok(Needs::Nothing),
        Stage::Withdrawn if before_committed(from) => Ok(Needs::Nothing),
        Stage::Intake if may_go_back(from) => Ok(Needs::Reason),
        Stage::PrelimReview | Stage::FeeEstimated | Stage::ConditionalApproval if next(from) == Some(to) => {
            Ok(Needs::Nothing)
        }
        Stage::Intake
        | Stage::PrelimReview
        | Stage::FeeEstimated
        | Stage::ConditionalApproval
        | Stage::Withdrawn => Err(MoveRefused::NoSuchStep { from, to }),
    }
}

fn next(from: Stage) -> Option<Stage> {
    match from {
        Stage::Intake | Stage::Returned => Some(Stage::PrelimReview),
        Stage::PrelimReview => Some(Stage::FeeEstimated),
        Stage::FeeEstimated => Some(Stage::ConditionalApproval),
        Stage::ConditionalApproval | Stage::Committed | Stage::Withdrawn | Stage::Voided => None,
    }
}

fn before_committed(stage: Stage) -> bool {
    match stage {
        Stage::Intake
        | Stage::PrelimReview
        | Stage::FeeEstimated
        | Stage::ConditionalApproval
        | Stage::Returned => true,
        Stage::Committed | Stage::Withdrawn | Stage::Voided => false,
    }
}

fn may_go_back(stage: Stage) -> bool {
    match stage {
        Stage::PrelimReview | Stage::FeeEstimated | Stage::ConditionalApproval => true,
        Stage::Intake | Stage::Committed | Stage::Returned | Stage::Withdrawn | Stage::Voided => false,
    }
}

fn arrival(from: Stage, to: Stage) -> Stage {
    if to == Stage::Intake && may_go_back(from) { Stage::Returned } else { to }
}
