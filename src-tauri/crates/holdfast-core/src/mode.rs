//! The mode that every screen and `status` name.
//!
//! Promise: it is the first of the modes that holds, gravest first, from facts alone; nothing is chosen by hand.

use serde::{Deserialize, Serialize};

use crate::breaker::Admission;
use crate::ids::LocalSeq;

/// How the station stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// No new work is taken in.
    IntakePaused,
    /// A person holds the primary open.
    Held,
    /// The primary's breaker is not closed.
    Degraded,
    /// It is closed, and work from before it closed still waits.
    Recovering,
    /// None of these.
    Normal,
}

/// Whether new work is taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intake {
    /// It is.
    Open,
    /// It is not: the rules are stale, the disk is full or the store is damaged.
    Paused,
}

/// What the mode follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModeInputs {
    /// Whether new work is taken in.
    pub intake: Intake,
    /// What the primary's breaker says.
    pub primary: Admission,
    /// The last operation that was accepted before the breaker closed, while an outage is being worked off.
    pub recovering_through: Option<LocalSeq>,
    /// The oldest operation that still waits to be sent.
    pub oldest_waiting: Option<LocalSeq>,
}

/// The mode.
#[must_use]
pub fn mode(inputs: &ModeInputs) -> Mode {
    match (inputs.intake, inputs.primary) {
        (Intake::Paused, _) => Mode::IntakePaused,
        (Intake::Open, Admission::Held { .. }) => Mode::Held,
        (Intake::Open, Admission::Open { .. } | Admission::Canary | Admission::CanaryOut { .. }) => {
            Mode::Degraded
        }
        (Intake::Open, Admission::Closed) if is_recovering(inputs) => Mode::Recovering,
        (Intake::Open, Admission::Closed) => Mode::Normal,
    }
}

impl Mode {
    /// The stored and shown word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::IntakePaused => "intake_paused",
            Self::Held => "held",
            Self::Degraded => "degraded",
            Self::Recovering => "recovering",
            Self::Normal => "normal",
        }
    }
}

fn is_recovering(inputs: &ModeInputs) -> bool {
    match (inputs.oldest_waiting, inputs.recovering_through) {
        (Some(oldest), Some(through)) => oldest <= through,
        (None, _) | (_, None) => false,
    }
}
