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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::UtcMillis;

    fn later() -> UtcMillis {
        "2026-11-30T08:07:31.042Z".parse().unwrap()
    }

    fn recovering(oldest_waiting: Option<u64>, through: Option<u64>) -> ModeInputs {
        ModeInputs {
            intake: Intake::Open,
            primary: Admission::Closed,
            recovering_through: through.map(LocalSeq),
            oldest_waiting: oldest_waiting.map(LocalSeq),
        }
    }

    #[test]
    fn the_gravest_mode_that_holds_is_shown() {
        let table = [
            (Admission::Held { until: later() }, Mode::Held),
            (Admission::Open { next_try_at: later() }, Mode::Degraded),
            (Admission::Canary, Mode::Degraded),
            (Admission::CanaryOut { deadline: later() }, Mode::Degraded),
            (Admission::Closed, Mode::Recovering),
        ];
        for (primary, expected) in table {
            let inputs = ModeInputs { primary, ..recovering(Some(1), Some(1)) };
            assert_eq!(mode(&inputs), expected, "{primary:?}");
            assert_eq!(mode(&ModeInputs { intake: Intake::Paused, ..inputs }), Mode::IntakePaused);
        }
    }

    #[test]
    fn it_recovers_while_something_from_before_the_close_waits() {
        let cases = [
            (Some(7), Some(7), Mode::Recovering),
            (Some(3), Some(7), Mode::Recovering),
            (Some(8), Some(7), Mode::Normal),
            (None, Some(7), Mode::Normal),
            (Some(7), None, Mode::Normal),
            (None, None, Mode::Normal),
        ];
        for (oldest, through, expected) in cases {
            assert_eq!(mode(&recovering(oldest, through)), expected, "{oldest:?} {through:?}");
        }
    }

    #[test]
    fn a_mode_is_stored_as_the_word_that_is_shown() {
        for mode in [Mode::IntakePaused, Mode::Held, Mode::Degraded, Mode::Recovering, Mode::Normal] {
            assert_eq!(serde_json::to_string(&mode).unwrap(), format!("\"{}\"", mode.word()));
        }
    }
}
