//! Audit verify and replay: does everything that is stored still hold, and do its decisions follow from their inputs?
//!
//! Promise: the first thing that does not hold is named (the event, or the page of the file), and a tail that was cut off
//! is found by the head kept outside. It must work when the store itself cannot be opened, so it is no verb of an open
//! station but of a folder.

use holdfast_core::audit::{ChainFault, Event};
use holdfast_core::ids::Digest;
use holdfast_core::replay::{Recomputed, recompute};
use holdfast_wire::{AuditReport, ReplayReport};

/// One thing that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// In words, without personal values.
    pub what: String,
    /// Number of the event it is about.
    pub event: Option<u64>,
    /// Number of the page it is about, from 1.
    pub page: Option<u64>,
}

/// What a walk through the trail saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditWalk {
    /// Events read and found whole, up to the first finding.
    pub events: u64,
    /// Hash of the last of them.
    pub hash: Option<Digest>,
    /// Number of the event named by the head kept outside.
    pub head_seq: Option<u64>,
    /// What does not hold, the first first.
    pub findings: Vec<Finding>,
}

/// The report on a walk.
#[must_use]
pub fn audit_report(walk: &AuditWalk) -> AuditReport {
    let first = walk.findings.first();
    AuditReport {
        events: walk.events,
        whole: first.is_none(),
        first_fault: first.map(|finding| finding.what.clone()),
        event: first.and_then(|finding| finding.event),
        page: first.and_then(|finding| finding.page),
        head_seq: walk.head_seq,
        hash: walk.hash.map(|hash| hash.to_string()),
    }
}

/// Recomputes the decisions of a chain, event by event.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    events: u64,
    decisions: u64,
    unknown: u64,
    first: Option<Difference>,
}

/// A decision that does not follow from its inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Difference {
    event: u64,
    recorded: String,
    recomputed: String,
}

impl Replay {
    /// Takes the next event.
    pub fn take(&mut self, event: &Event) {
        self.events += 1;
        match recompute(event) {
            Recomputed::NoDecision => {}
            Recomputed::Agrees => self.decisions += 1,
            Recomputed::Differs { recorded, recomputed } => self.differs(event.seq, recorded, recomputed),
            Recomputed::Unreadable => self.differs(event.seq, "unreadable".to_owned(), String::new()),
            Recomputed::UnknownVersion(_) => {
                self.decisions += 1;
                self.unknown += 1;
            }
        }
    }

    /// The report, once the walk has ended; `broken` is where the chain does not hold.
    #[must_use]
    pub fn report(self, broken: Option<&ChainFault>) -> ReplayReport {
        let Self { events, decisions, unknown, first } = self;
        let agrees = first.is_none() && unknown == 0 && broken.is_none();
        let (event, written) = first.map(|first| (first.event, (first.recorded, first.recomputed))).unzip();
        let (recorded, recomputed) = written.unzip();
        let broken = broken.map(ToString::to_string);
        ReplayReport { events, decisions, unknown, agrees, event, recorded, recomputed, broken }
    }

    fn differs(&mut self, event: u64, recorded: String, recomputed: String) {
        self.decisions += 1;
        self.first.get_or_insert(Difference { event, recorded, recomputed });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_names_the_first_thing_that_does_not_hold() {
        let finding = |what: &str, event, page| Finding { what: what.to_owned(), event, page };
        let table = [
            (vec![], true, None, None, None),
            (vec![finding("event 7", Some(7), None)], false, Some("event 7"), Some(7), None),
            (
                vec![finding("page 3", None, Some(3)), finding("event 7", Some(7), None)],
                false,
                Some("page 3"),
                None,
                Some(3),
            ),
        ];
        for (findings, whole, first_fault, event, page) in table {
            let report = audit_report(&AuditWalk { events: 9, hash: None, head_seq: Some(9), findings });
            assert_eq!((report.whole, report.first_fault.as_deref()), (whole, first_fault));
            assert_eq!(
                (report.event, report.page, report.events, report.head_seq),
                (event, page, 9, Some(9))
            );
        }
    }
}
