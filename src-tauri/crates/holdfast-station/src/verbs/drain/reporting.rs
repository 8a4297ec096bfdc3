//! What a drain says when it ends, to whoever started it and to the audit.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::cascade::Recorder;
use holdfast_wire::{DrainReport, DrainStop};

use super::cascading::AtMirror;
use super::{DrainProgress, on_journal};
use crate::alarming::changed;
use crate::ports::JournalError;
use crate::station::Station;

impl Station {
    pub(super) async fn drain_report(
        &self,
        done: &DrainProgress,
        stopped: DrainStop,
        at_mirror: AtMirror,
    ) -> Result<DrainReport, JournalError> {
        let now = self.now();
        let done = *done;
        on_journal(&self.ports.journal, move |journal| {
            let books = journal.standing()?.books;
            let report = DrainReport {
                committed: done.committed,
                already_committed: done.already_committed,
                quarantined: done.quarantined,
                pending: books.pending + books.in_flight,
                stopped_because: stopped,
            };
            journal.note(now, [ending(&report), mirror_ending(at_mirror)].concat())?;
            if let Some((raised, entries)) = changed(&journal.notices()?, now) {
                journal.keep_alarms(now, raised, entries)?;
            }
            Ok(report)
        })
        .await
    }
}

/// A mirror that refuses this station has ended the part of the drain that was its own.
fn mirror_ending(at_mirror: AtMirror) -> Vec<Entry> {
    match at_mirror {
        AtMirror::NotDue | AtMirror::Due => Vec::new(),
        AtMirror::Refuses(stop) => {
            let entry = Entry::new(EventKind::DrainPaused).with("endpoint", Recorder::Mirror.endpoint());
            vec![entry.with("stopped_because", stop)]
        }
    }
}

/// A drain that did nothing leaves no event.
fn ending(report: &DrainReport) -> Vec<Entry> {
    let with = |entry: Entry| {
        entry
            .with("committed", report.committed)
            .with("already_committed", report.already_committed)
            .with("quarantined", report.quarantined)
            .with("pending", report.pending)
            .with("stopped_because", report.stopped_because)
    };
    let did = report.committed + report.already_committed + report.quarantined > 0;
    match report.stopped_because {
        DrainStop::Unauthorized | DrainStop::Paused => vec![with(Entry::new(EventKind::DrainPaused))],
        DrainStop::Empty | DrainStop::Time | DrainStop::Held | DrainStop::Pass if did => {
            vec![with(Entry::new(EventKind::DrainFinished))]
        }
        DrainStop::Empty | DrainStop::Time | DrainStop::Held | DrainStop::Pass => Vec::new(),
    }
}
