//! The loop behind the window that brings the backlog to the SoR.
//!
//! Promise: it runs pass after pass until the desk is asked to stop, is woken by new work, and otherwise looks again after
//! a bounded time; when to send what is the station's decision. A drain is told as one only when it brought something.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use holdfast_station::DrainProgress;
use holdfast_wire::{ApiError, DrainReport, DrainRequest, DrainStop, Told, Topic};

use crate::desk::Desk;

/// One pass; waits are this loop's, so that new work need not wait for an old one's back-off.
const ONE_PASS: DrainRequest = DrainRequest { until_empty: false, max_s: None };
/// Until something that waits may be due.
const LOOK_AGAIN_MS: u64 = 500;
/// Until the next look when nothing is left.
const REST_MS: u64 = 5_000;
/// Until the next look when sending is stopped or the store failed.
const STOPPED_MS: u64 = 10_000;

/// Sends until the desk is asked to stop; an attempt that is under way is finished first.
pub async fn send_on(desk: Desk) {
    let mut stop = desk.stop();
    while !stop.is_asked() {
        let teller = Teller::new(&desk);
        let report = desk.drain(ONE_PASS, &|progress| teller.hear(progress)).await;
        teller.end(report.as_ref().ok());
        tokio::select! {
            () = desk.work() => {}
            () = stop.wait(Duration::from_millis(pause_ms(&report))) => {}
        }
    }
}

fn pause_ms(report: &Result<DrainReport, ApiError>) -> u64 {
    match report.as_ref().map(|report| report.stopped_because) {
        Ok(DrainStop::Pass | DrainStop::Time) => LOOK_AGAIN_MS,
        Ok(DrainStop::Empty) => REST_MS,
        Ok(DrainStop::Held | DrainStop::Unauthorized | DrainStop::Paused) | Err(_) => STOPPED_MS,
    }
}

/// Turns the progress of one pass into what a window is told.
struct Teller<'a> {
    desk: &'a Desk,
    last: Mutex<DrainProgress>,
}

impl<'a> Teller<'a> {
    fn new(desk: &'a Desk) -> Self {
        Self { desk, last: Mutex::new(DrainProgress::default()) }
    }

    fn hear(&self, progress: DrainProgress) {
        let before = {
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *last, progress)
        };
        for told in steps(&before, &progress) {
            self.desk.tell(told);
        }
    }

    fn end(&self, report: Option<&DrainReport>) {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if brought(&last) > 0 {
            let waiting = report.map_or(last.pending, |report| report.pending);
            self.desk.tell(Told::DrainEnded {
                recorded: shown(brought(&last)),
                decisions: shown(last.quarantined),
                waiting: shown(waiting),
            });
        }
    }
}

/// What one step of a drain is told as.
fn steps(before: &DrainProgress, now: &DrainProgress) -> Vec<Told> {
    if now.attempts == before.attempts {
        return Vec::new();
    }
    let mut told = Vec::new();
    if brought(now) > brought(before) {
        let of = shown(brought(before) + now.pending);
        if brought(before) == 0 {
            told.push(Told::DrainBegan { of });
        }
        told.push(Told::DrainGoesOn { recorded: shown(brought(now)), of });
    }
    told.push(Told::Changed { topics: vec![Topic::Standing, Topic::Queue, Topic::Applications] });
    told
}

fn brought(progress: &DrainProgress) -> u64 {
    progress.committed + progress.already_committed
}

/// A window has no use for more.
fn shown(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn progress(attempts: u64, committed: u64, pending: u64) -> DrainProgress {
        DrainProgress { attempts, committed, pending, ..DrainProgress::default() }
    }

    #[test]
    fn a_drain_begins_when_it_brings_the_first_and_a_failure_is_no_drain() {
        let idle = DrainProgress::default();
        let failed = progress(1, 0, 3);
        let changed = Told::Changed { topics: vec![Topic::Standing, Topic::Queue, Topic::Applications] };
        assert_eq!(steps(&idle, &idle), []);
        assert_eq!(steps(&idle, &failed), vec![changed.clone()]);
        assert_eq!(
            steps(&failed, &progress(2, 1, 3)),
            [Told::DrainBegan { of: 3 }, Told::DrainGoesOn { recorded: 1, of: 3 }, changed.clone()]
        );
        let next = steps(&progress(2, 1, 3), &progress(3, 2, 2));
        assert_eq!(next, [Told::DrainGoesOn { recorded: 2, of: 3 }, changed]);
    }
}
