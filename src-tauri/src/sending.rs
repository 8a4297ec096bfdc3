//! The loop behind the window that brings the backlog to the SoR.
//!
//! Promise: it runs pass after pass until the desk is asked to stop, is woken by new work, and otherwise looks again after
//! a bounded time; when to send what is the station's decision. A drain is told as one only when it brought something: from
//! the first that it brought until nothing is left, or until a pass brings nothing more.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use holdfast_station::{DrainProgress, Station};
use holdfast_wire::{ApiError, DrainReport, DrainRequest, DrainStop, Told, Topic};

use crate::desk::Desk;

/// One pass; waits are this loop's, so that new work need not wait for an old one's back-off.
const ONE_PASS: DrainRequest = DrainRequest { until_empty: false, max_s: None };
/// Until the next look when the store failed, in milliseconds.
const AFTER_FAULT_MS: u64 = 10_000;

/// Sends from the station's opening on until the desk is asked to stop; an attempt that is under way is finished first.
pub(crate) async fn send_on(desk: Desk) {
    if !desk.is_at_work().await {
        return;
    }
    let Ok(mut work) = desk.station().map(Station::work) else { return };
    let mut stop = desk.stop();
    let teller = Teller::new(&desk);
    while !stop.is_asked() {
        let report = desk.drain(ONE_PASS, &|progress| teller.hear(progress)).await;
        teller.end_pass(report.as_ref().ok());
        tokio::select! {
            () = work.came() => {}
            () = stop.wait(Duration::from_millis(pause_ms(&desk, &report).await)) => {}
        }
    }
}

async fn pause_ms(desk: &Desk, report: &Result<DrainReport, ApiError>) -> u64 {
    let Ok(DrainReport { stopped_because, .. }) = *report else { return AFTER_FAULT_MS };
    desk.ask(move |station| Ok(station.pause_ms(stopped_because))).await.unwrap_or(AFTER_FAULT_MS)
}

/// Turns the progress of passes into what a window is told.
struct Teller<'a> {
    desk: &'a Desk,
    told: Mutex<ToldDrain>,
}

/// A drain as a window is told of it: one pass or several.
#[derive(Clone, Copy, Default)]
struct ToldDrain {
    /// What the passes before this one did.
    before: DrainProgress,
    /// With what this one has done so far.
    last: DrainProgress,
}

impl<'a> Teller<'a> {
    fn new(desk: &'a Desk) -> Self {
        Self { desk, told: Mutex::new(ToldDrain::default()) }
    }

    fn hear(&self, progress: DrainProgress) {
        for told in self.drain().went_on(progress) {
            self.desk.tell(told);
        }
    }

    fn end_pass(&self, report: Option<&DrainReport>) {
        if let Some(told) = self.drain().ended(report) {
            self.desk.tell(told);
        }
    }

    fn drain(&self) -> MutexGuard<'_, ToldDrain> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ToldDrain {
    /// What is told of a step of the pass under way.
    fn went_on(&mut self, pass: DrainProgress) -> Vec<Told> {
        let now = DrainProgress {
            committed: self.before.committed + pass.committed,
            already_committed: self.before.already_committed + pass.already_committed,
            quarantined: self.before.quarantined + pass.quarantined,
            attempts: self.before.attempts + pass.attempts,
            pending: pass.pending,
        };
        let told = steps(&self.last, &now);
        self.last = now;
        told
    }

    /// What is told at the end of a pass, none when the pass failed: that the drain is over, unless more of it may come.
    fn ended(&mut self, report: Option<&DrainReport>) -> Option<Told> {
        let brought_more = brought(&self.last) > brought(&self.before);
        if brought_more && report.is_some_and(|report| report.stopped_because == DrainStop::Pass) {
            self.before = self.last;
            return None;
        }
        let Self { last, .. } = std::mem::take(self);
        let waiting = report.map_or(last.pending, |report| report.pending);
        (brought(&last) > 0).then(|| Told::DrainEnded {
            recorded: shown(brought(&last)),
            decisions: shown(last.quarantined),
            waiting: shown(waiting),
        })
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

    fn report(pending: u64, stopped_because: DrainStop) -> DrainReport {
        DrainReport { committed: 0, already_committed: 0, quarantined: 0, pending, stopped_because }
    }

    #[test]
    fn a_drain_of_several_passes_begins_once_and_ends_once() {
        let mut drain = ToldDrain::default();
        let began = |told: &[Told]| told.iter().any(|told| matches!(told, Told::DrainBegan { .. }));
        assert!(began(&drain.went_on(progress(200, 200, 300))));
        assert_eq!(drain.ended(Some(&report(100, DrainStop::Pass))), None, "the next pass goes on with it");
        let next = drain.went_on(progress(1, 1, 100));
        assert!(!began(&next) && next.contains(&Told::DrainGoesOn { recorded: 201, of: 300 }), "{next:?}");
        drain.went_on(progress(100, 100, 1));
        let ended = Told::DrainEnded { recorded: 300, decisions: 0, waiting: 0 };
        assert_eq!(drain.ended(Some(&report(0, DrainStop::Empty))), Some(ended));
        assert_eq!(drain.ended(Some(&report(0, DrainStop::Empty))), None, "it is told once");
    }

    #[test]
    fn a_drain_that_stops_half_way_is_told_with_what_still_waits() {
        for (stopped, pass) in [
            (Some(report(40, DrainStop::Pass)), progress(2, 0, 40)),
            (Some(report(40, DrainStop::Unauthorized)), progress(1, 0, 40)),
            (None, progress(1, 0, 40)),
        ] {
            let mut drain = ToldDrain::default();
            drain.went_on(progress(5, 5, 45));
            assert_eq!(drain.ended(Some(&report(40, DrainStop::Pass))), None);
            drain.went_on(pass);
            let ended = Told::DrainEnded { recorded: 5, decisions: 0, waiting: 40 };
            assert_eq!(drain.ended(stopped.as_ref()), Some(ended), "{stopped:?}");
        }
    }
}
