//! A drain as a person is told of it: one pass or several.
//!
//! Promise: a drain begins when it has brought the first, is told once as begun and once as over, and one that brings nothing
//! is none. How it is told is the window's matter.

use holdfast_wire::{DrainReport, DrainStop, Told, Topic};

use crate::verbs::drain::DrainProgress;

/// A drain as a window is told of it: one pass or several.
#[derive(Clone, Copy, Debug, Default)]
pub struct ToldDrain {
    /// What the passes before this one did.
    before: DrainProgress,
    /// With what this one has done so far.
    last: DrainProgress,
}

impl ToldDrain {
    /// What is told of a step of the pass under way.
    #[must_use]
    pub fn went_on(&mut self, pass: DrainProgress) -> Vec<Told> {
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
    #[must_use]
    pub fn ended(&mut self, report: Option<&DrainReport>) -> Option<Told> {
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
        let _ = drain.went_on(progress(100, 100, 1));
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
            let _ = drain.went_on(progress(5, 5, 45));
            assert_eq!(drain.ended(Some(&report(40, DrainStop::Pass))), None);
            let _ = drain.went_on(pass);
            let ended = Told::DrainEnded { recorded: 5, decisions: 0, waiting: 40 };
            assert_eq!(drain.ended(stopped.as_ref()), Some(ended), "{stopped:?}");
        }
    }
}
