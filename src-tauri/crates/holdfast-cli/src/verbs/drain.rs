//! `drain`: brings what waits to the SoR. Needs nobody signed in.

use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use holdfast_station::DrainProgress;
use holdfast_wire::{DrainReport, DrainRequest, DrainStop, LocalAnswer, LocalRequest, SentSoFar};

use crate::compose::{Desk, Open, WayToSor};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::progress::Progress;
use crate::signals::stop_on_signal;
use crate::writing::Writer;

/// Between two drains of a holder that is watched over.
const REST: Duration = Duration::from_secs(5);

pub(crate) fn drain(desk: &Desk, until_empty: bool, max_s: Option<u32>, form: Form) -> Result<Exit, Failure> {
    let until = if until_empty { Until::Empty } else { Until::PassEnds };
    drain_until(desk, until, max_s, form)
}

/// Goes on until it is asked to stop.
pub(crate) fn drain_on(desk: &Desk, max_s: Option<u32>, form: Form) -> Result<Exit, Failure> {
    drain_until(desk, Until::Asked, max_s, form)
}

fn drain_until(desk: &Desk, until: Until, max_s: Option<u32>, form: Form) -> Result<Exit, Failure> {
    let mut writer = desk.writer(WayToSor::Needed)?;
    let mut drain = Drain { until, max_s, began: Instant::now(), before: SentSoFar::default() };
    let report = loop {
        if let Some(open) = writer.here() {
            break drain.here(open)?;
        }
        if let Some(report) = drain.there(&mut writer)? {
            break report;
        }
    };
    tracing::info!(
        committed = report.committed,
        already_committed = report.already_committed,
        quarantined = report.quarantined,
        pending = report.pending,
        stopped_because = ?report.stopped_because,
        "drained"
    );
    form.show(&report, plain)?;
    Ok(exit_of(report.stopped_because))
}

/// Until when is drained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    PassEnds,
    Empty,
    Asked,
}

/// One drain, by whoever holds the lock from its beginning to its end.
struct Drain {
    until: Until,
    max_s: Option<u32>,
    began: Instant,
    /// What was done by holders that have ended since.
    before: SentSoFar,
}

impl Drain {
    fn request(&self) -> DrainRequest {
        DrainRequest {
            until_empty: self.until != Until::PassEnds,
            max_s: self.left_s().map(|left_s| left_s.max(1)),
        }
    }

    fn left_s(&self) -> Option<u32> {
        let gone_s = u32::try_from(self.began.elapsed().as_secs()).unwrap_or(u32::MAX);
        self.max_s.map(|max_s| max_s.saturating_sub(gone_s))
    }

    fn here(&self, open: &Open) -> Result<DrainReport, Failure> {
        let (handle, stop) =
            stop_on_signal().map_err(|cause| Failure::of_io("signals cannot be listened to", &cause))?;
        open.holder.ends_by(handle);
        let progress = Mutex::new(Progress::on_stderr());
        let watch = |at: DrainProgress| show(&progress, &at);
        let report = match self.until {
            Until::PassEnds | Until::Empty => {
                let draining = open.station.drain(self.request(), stop, &watch);
                let draining = open.station.while_looking_after_custody(draining);
                let draining = open.station.while_copying_parcels(draining);
                open.runtime.block_on(open.station.while_telling_board(draining))?
            }
            Until::Asked => {
                open.runtime.block_on(open.station.drain_on(self.request().max_s, stop, &watch))?
            }
        };
        drop(progress);
        Ok(self.with_before(report))
    }

    /// Follows the drain of the process that holds the lock; `None` when that ends before, and the lock is free.
    fn there(&mut self, writer: &mut Writer<'_>) -> Result<Option<DrainReport>, Failure> {
        let progress = Mutex::new(Progress::on_stderr());
        let mut last = SentSoFar::default();
        let request = LocalRequest::Drain(self.request());
        let answer = writer.drain_there(&request, &mut |so_far| {
            last = so_far;
            show(
                &progress,
                &DrainProgress {
                    committed: so_far.committed,
                    already_committed: so_far.already_committed,
                    quarantined: so_far.quarantined,
                    attempts: so_far.attempts,
                    pending: so_far.pending,
                },
            );
        })?;
        if let Some(LocalAnswer::Drained(report)) = answer {
            if self.until != Until::Asked || self.left_s() == Some(0) {
                return Ok(Some(self.with_before(report)));
            }
            last = SentSoFar {
                committed: report.committed,
                already_committed: report.already_committed,
                quarantined: report.quarantined,
                ..last
            };
            sleep(REST.min(self.left_s().map_or(REST, |left_s| Duration::from_secs(left_s.into()))));
        }
        self.before.committed += last.committed;
        self.before.already_committed += last.already_committed;
        self.before.quarantined += last.quarantined;
        Ok(None)
    }

    fn with_before(&self, report: DrainReport) -> DrainReport {
        DrainReport {
            committed: report.committed + self.before.committed,
            already_committed: report.already_committed + self.before.already_committed,
            quarantined: report.quarantined + self.before.quarantined,
            ..report
        }
    }
}

fn show(progress: &Mutex<Progress>, at: &DrainProgress) {
    let done = at.committed + at.already_committed + at.quarantined;
    let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
    progress.at(done, || {
        let recorded = at.committed + at.already_committed;
        format!(
            "recorded {recorded}, set aside {}, still {} ({} attempts)",
            at.quarantined, at.pending, at.attempts
        )
    });
}

fn exit_of(stopped: DrainStop) -> Exit {
    match stopped {
        DrainStop::Empty => Exit::Done,
        DrainStop::Time | DrainStop::Held | DrainStop::Unauthorized | DrainStop::Paused | DrainStop::Pass => {
            Exit::Degraded
        }
    }
}

fn plain(report: &DrainReport) -> String {
    let stopped = match report.stopped_because {
        DrainStop::Empty => "nothing is left",
        DrainStop::Time => "its time was over, or it was asked to stop",
        DrainStop::Held => "the endpoint is held by a person",
        DrainStop::Unauthorized => "the permit system refuses this station",
        DrainStop::Paused => "it paused by itself",
        DrainStop::Pass => "one pass is done, or nothing can be sent now",
    };
    format!(
        "recorded      {}\nfound there   {}\nset aside     {}\nstill waits   {}\nstopped       {stopped}\n",
        report.committed, report.already_committed, report.quarantined, report.pending,
    )
}
