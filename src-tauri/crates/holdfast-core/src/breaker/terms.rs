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
