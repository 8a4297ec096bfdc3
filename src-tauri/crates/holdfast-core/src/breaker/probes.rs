//! The window of health probes: what the signs of life between two operations say about an endpoint.
//!
//! Promise: a closed breaker trips when the last `window` probes were all down, and at no other probe; slow ones trip it
//! only if no write succeeded among them. A probe that is up empties the window, and so does closing: only the trailing run
//! of probes that were down is kept, so an endpoint that is well has nothing to keep. The count of failed writes is never
//! touched from here.
//!
//! Not here: when a request for a sign of life is sent, and by whom.

use serde::{Deserialize, Serialize};

use crate::ids::LocalSeq;
use crate::time::{Now, UtcMillis};
use crate::wait::left_ms;

/// The limits of probes. They may change while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeSettings {
    /// Between two probes, in milliseconds (`probe_interval_s`).
    pub interval_ms: u64,
    /// So many in a row that are down trip the breaker (`probe_window`), at least 1.
    pub window: u32,
    /// A round trip that is longer counts as down, in milliseconds (`probe_rtt_max_ms`).
    pub rtt_max_ms: u64,
}

/// What came of one probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "found", rename_all = "snake_case")]
pub enum Found {
    /// An authentic sign of life.
    Alive {
        /// From asking to the end of the answer, in milliseconds.
        rtt_ms: u64,
    },
    /// None came, or not an authentic one.
    NoLife,
    /// It was not sent, for want of something on this machine.
    NotAsked,
}

/// A probe that has ended, with its place among what happened here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// When it ended.
    pub at: UtcMillis,
    /// The last operation that had been accepted by then.
    pub after: LocalSeq,
    /// What came of it.
    #[serde(flatten)]
    pub found: Found,
}

/// How a probe was down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "down", rename_all = "snake_case")]
pub enum Down {
    /// It answered, but too slowly.
    Slow {
        /// From asking to the end of the answer, in milliseconds.
        rtt_ms: u64,
    },
    /// It gave no authentic sign of life.
    Failed,
}

/// One probe of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DownProbe {
    /// When it ended.
    pub at: UtcMillis,
    /// The last operation that had been accepted by then.
    pub after: LocalSeq,
    /// How it was down.
    #[serde(flatten)]
    pub how: Down,
    /// What was seen of writes between it and the next one.
    pub then: Writes,
}

/// Whether a write succeeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Writes {
    /// None did.
    None,
    /// One did, at least.
    Succeeded,
}

/// The probes since the last one that was up, as they are persisted with the breaker; the latest `window` of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProbeWindow(Vec<DownProbe>);

/// What a full window of probes says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WindowSays {
    /// Nothing yet.
    Wait,
    /// Nobody is there.
    Gone,
    /// It answers too slowly, and nothing is written.
    Slow,
}

/// How long until the next probe is due, in milliseconds; `last` is when the last one was sent, or the endpoint was last seen
/// not to be probed.
#[must_use]
pub fn due_in_ms(last: Option<Now>, now: Now, settings: &ProbeSettings) -> u64 {
    last.map_or(0, |last| left_ms(last, settings.interval_ms, now))
}

impl Found {
    /// How it is down; `None` when it is up, or says nothing.
    #[must_use]
    pub fn down(self, settings: &ProbeSettings) -> Option<Down> {
        match self {
            Self::Alive { rtt_ms } if rtt_ms > settings.rtt_max_ms => Some(Down::Slow { rtt_ms }),
            Self::NoLife => Some(Down::Failed),
            Self::Alive { .. } | Self::NotAsked => None,
        }
    }
}

impl ProbeWindow {
    /// The probes in it, oldest first.
    #[must_use]
    pub fn probes(&self) -> &[DownProbe] {
        &self.0
    }

    pub(super) fn empty(&mut self) {
        self.0.clear();
    }

    /// A write succeeded.
    pub(super) fn write_succeeded(&mut self) {
        if let Some(last) = self.0.last_mut() {
            last.then = Writes::Succeeded;
        }
    }

    pub(super) fn take_in(&mut self, probe: Probe, settings: &ProbeSettings) -> WindowSays {
        match (probe.found, probe.found.down(settings)) {
            (_, Some(how)) => self.push(probe, how, settings.window),
            (Found::Alive { .. }, None) => self.empty(),
            // It has shown nothing.
            (Found::NotAsked | Found::NoLife, None) => return WindowSays::Wait,
        }
        self.says(settings.window)
    }

    fn push(&mut self, probe: Probe, how: Down, window: u32) {
        self.0.push(DownProbe { at: probe.at, after: probe.after, how, then: Writes::None });
        let too_many = self.0.len().saturating_sub(size(window));
        self.0.drain(..too_many);
    }

    fn says(&self, window: u32) -> WindowSays {
        if self.0.len() < size(window) {
            return WindowSays::Wait;
        }
        let slow = self.0.iter().any(|probe| matches!(probe.how, Down::Slow { .. }));
        let written = self.0.iter().any(|probe| probe.then == Writes::Succeeded);
        match (slow, written) {
            (false, _) => WindowSays::Gone,
            (true, false) => WindowSays::Slow,
            (true, true) => WindowSays::Wait,
        }
    }
}

fn size(window: u32) -> usize {
    usize::try_from(window.max(1)).unwrap_or(usize::MAX)
}
