//! `drain`: brings what waits to the SoR. Needs nobody signed in.

use std::sync::{Mutex, PoisonError};

use holdfast_station::DrainProgress;
use holdfast_wire::{DrainReport, DrainRequest, DrainStop};

use crate::compose::Desk;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::progress::Progress;
use crate::signals::stop_on_signal;

pub(crate) fn drain(desk: &Desk, until_empty: bool, max_s: Option<u32>, form: Form) -> Result<Exit, Failure> {
    let open = desk.open_to_send()?;
    let stop = stop_on_signal(&open.runtime)
        .map_err(|cause| Failure::of_io("signals cannot be listened to", &cause))?;
    let progress = Mutex::new(Progress::on_stderr());
    let watch = |at: DrainProgress| show(&progress, &at);
    let request = DrainRequest { until_empty, max_s };
    let report = open.runtime.block_on(open.station.drain(request, stop, &watch))?;
    drop(progress);
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
