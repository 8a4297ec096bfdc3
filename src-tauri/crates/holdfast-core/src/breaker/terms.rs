//! What goes between a breaker and those who ask it: thresholds, admissions, passes, verdicts, transitions.

use serde::{Deserialize, Serialize};

use crate::time::UtcMillis;

/// The thresholds of a breaker. They may change while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BreakerSettings {
    /// Failures in a row that trip it (`breaker_fail_max`), at least 1.
    pub fail_max: u32,
    /// Cool-down before the next try, in milliseconds, without jitter (`breaker_reset_s`).
    pub reset_ms: u64,
    /// How long a canary may be out before it counts as failed, in milliseconds.
    pub canary_deadline_ms: u64,
    /// Longest cool-down that an answer's `Retry-After` may lead to, in seconds (`retry_after_max_s`).
    pub retry_after_max_s: u32,
}

/// Rises with every change of state, so that a late result is told from a present one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Generation(pub u64);

/// What the breaker says to a request. Goes into the audit of a routing decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "admission", rename_all = "snake_case")]
pub enum Admission {
    /// It may go.
    Closed,
    /// It would be the canary.
    Canary,
    /// Not before this time.
    Open {
        /// When the next canary may go.
        next_try_at: UtcMillis,
    },
    /// A canary is out.
    CanaryOut {
        /// When that canary counts as lost.
        deadline: UtcMillis,
    },
    /// A person holds the endpoint open.
    Held {
        /// Until when.
        until: UtcMillis,
    },
}

/// What a request that asked to go got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admitted {
    /// It goes.
    Through(Pass),
    /// It goes as the canary: the breaker is half-open from now on.
    Canary(Pass),
    /// It does not go.
    No(Admission),
}

/// What it takes to close a breaker that is not closed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClosesOn {
    /// A canary that shows life.
    #[default]
    Canary,
    /// That, and a probe that is fast: it was too slow for use, and an answer alone does not show that it no longer is.
    CanaryAndFastProbe,
    /// The canary has shown life; the fast probe is still to come.
    FastProbe,
}

/// Why a breaker tripped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TripCause {
    /// So many failures in a row.
    Failures,
    /// The endpoint itself said that it is away, for longer than the breaker would wait by itself.
    Announced,
    /// The last probes gave no sign of life.
    ProbesFailed,
    /// The last probes were too slow, and nothing was written meanwhile.
    ProbesSlow,
}

/// The right to send one request. Its result is brought back with [`Breaker::record`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pass {
    /// The generation it belongs to.
    pub generation: Generation,
    /// For a canary, the wall-clock time at which it counts as lost.
    pub canary_deadline: Option<UtcMillis>,
}

/// What an answer says about the endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It works.
    Success,
    /// It answers, although it did not do what was asked.
    Alive,
    /// Nothing either way.
    Neutral,
    /// It does not work.
    Failure,
    /// Nothing was asked.
    None,
}

/// A change of state, for the audit and the screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "transition", rename_all = "snake_case")]
pub enum Transition {
    /// Closed → open.
    Tripped {
        /// Why.
        cause: TripCause,
        /// Failures in a row.
        failures: u32,
        /// When the next canary may go.
        next_try_at: UtcMillis,
    },
    /// Open → half-open.
    HalfOpened,
    /// Half-open → closed.
    Closed,
    /// Half-open → open.
    ReOpened {
        /// When the next canary may go.
        next_try_at: UtcMillis,
    },
}

impl Pass {
    /// Whether this request is the canary.
    #[must_use]
    pub fn is_canary(&self) -> bool {
        self.canary_deadline.is_some()
    }
}

impl ClosesOn {
    /// The same, with nothing shown yet.
    pub(super) fn anew(self) -> Self {
        match self {
            Self::Canary => Self::Canary,
            Self::CanaryAndFastProbe | Self::FastProbe => Self::CanaryAndFastProbe,
        }
    }

    /// What is left of it after a canary that has shown life; `None` when nothing is.
    pub(super) fn after_canary(self) -> Option<Self> {
        match self {
            Self::Canary => None,
            Self::CanaryAndFastProbe | Self::FastProbe => Some(Self::FastProbe),
        }
    }
}

impl TripCause {
    /// The stored word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Failures => "failures",
            Self::Announced => "announced",
            Self::ProbesFailed => "probes_failed",
            Self::ProbesSlow => "probes_slow",
        }
    }
}
