//! Draining on: pass after pass, for whoever watches over a backlog where nobody is signed in.
//!
//! Promise: it ends when it is asked to, or when its time is over, and says then what it did in all. Between two passes it
//! waits no longer than until the published next try or until work comes, and probes meanwhile.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use holdfast_core::cascade::Recorder;
use holdfast_wire::{ApiError, DrainReport, DrainRequest, DrainStop};

use super::DrainProgress;
use crate::station::Station;

const ONE_PASS: DrainRequest = DrainRequest { until_empty: false, max_s: None };
/// Until something that waits may be due, in milliseconds.
const LOOK_AGAIN_MS: u64 = 500;
/// Until the next look when nothing is left, in milliseconds.
const REST_MS: u64 = 5_000;
/// Until the next look when sending is stopped, in milliseconds.
const STOPPED_MS: u64 = 10_000;
/// Shortest pause, in milliseconds.
const PAUSE_MIN_MS: u64 = 10;

impl Station {
    /// Brings what waits to the SoR until it is asked to stop, or for so many seconds.
    ///
    /// # Errors
    /// The journal cannot be used.
    pub async fn drain_on(
        &self,
        max_s: Option<u32>,
        stop: crate::Stop,
        watch: &(dyn Fn(DrainProgress) + Send + Sync),
    ) -> Result<DrainReport, ApiError> {
        // Beside the passes, so that no pause's end gives up a probe that is under way.
        let draining = async {
            tokio::select! {
                report = Box::pin(self.pass_after_pass(max_s, stop, watch)) => report,
                never = Box::pin(self.probe_on()) => match never {},
            }
        };
        let draining = self.while_looking_after_custody(draining);
        self.while_telling_board(self.while_copying_parcels(draining)).await
    }

    async fn pass_after_pass(
        &self,
        max_s: Option<u32>,
        mut stop: crate::Stop,
        watch: &(dyn Fn(DrainProgress) + Send + Sync),
    ) -> Result<DrainReport, ApiError> {
        let began = self.now();
        let mut done = DrainProgress::default();
        let mut work = self.work();
        loop {
            let pass = Mutex::new(DrainProgress::default());
            let before = done;
            let tell = |progress: DrainProgress| {
                *pass.lock().unwrap_or_else(PoisonError::into_inner) = progress;
                watch(sum(&before, &progress));
            };
            let report = self.drain(ONE_PASS, stop.clone(), &tell).await?;
            done = sum(&before, &pass.into_inner().unwrap_or_else(PoisonError::into_inner));
            let left_ms =
                max_s.map(|max_s| (u64::from(max_s) * 1_000).saturating_sub(self.now().millis_since(began)));
            if stop.is_asked() || left_ms == Some(0) {
                return Ok(in_all(&done, &report));
            }
            let pause =
                Duration::from_millis(self.pause_ms(report.stopped_because).min(left_ms.unwrap_or(u64::MAX)));
            tokio::select! {
                () = stop.wait(pause) => {}
                () = work.came() => {}
            }
        }
    }

    /// How long whoever drains pass by pass rests after one that stopped because of this, in milliseconds; never past the
    /// published next try.
    #[must_use]
    pub fn pause_ms(&self, stopped: DrainStop) -> u64 {
        let most = match stopped {
            DrainStop::Pass | DrainStop::Time => LOOK_AGAIN_MS,
            DrainStop::Empty => REST_MS,
            DrainStop::Held | DrainStop::Unauthorized | DrainStop::Paused => STOPPED_MS,
        };
        self.next_try_in_ms().map_or(most, |ms| most.min(ms.max(PAUSE_MIN_MS)))
    }

    /// Until the next try at an endpoint that records; none while their breakers are closed.
    fn next_try_in_ms(&self) -> Option<u64> {
        let now = self.now();
        let endpoints = self.ports.journal.standing().ok()?.endpoints;
        let asked = Recorder::ALL.into_iter().filter(|recorder| self.recording(*recorder).is_some());
        let tries = asked.filter_map(|recorder| {
            let name = recorder.endpoint();
            let endpoint = endpoints.iter().find(|endpoint| endpoint.name == name)?;
            endpoint.breaker.next_try_at(now)
        });
        Some(u64::try_from(tries.min()?.millis_since(now.wall)).unwrap_or(0))
    }
}

fn sum(before: &DrainProgress, pass: &DrainProgress) -> DrainProgress {
    DrainProgress {
        committed: before.committed + pass.committed,
        already_committed: before.already_committed + pass.already_committed,
        quarantined: before.quarantined + pass.quarantined,
        attempts: before.attempts + pass.attempts,
        pending: pass.pending,
    }
}

fn in_all(done: &DrainProgress, last: &DrainReport) -> DrainReport {
    DrainReport {
        committed: done.committed,
        already_committed: done.already_committed,
        quarantined: done.quarantined,
        pending: last.pending,
        stopped_because: if last.pending == 0 { DrainStop::Empty } else { DrainStop::Time },
    }
}
