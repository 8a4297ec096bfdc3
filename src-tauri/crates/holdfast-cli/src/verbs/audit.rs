//! `audit verify`: does everything that is stored still hold? `audit replay`: do its decisions follow from their inputs?
//! Both change nothing, and work while another process writes.

use holdfast_core::audit::{ChainFault, Event};
use holdfast_station::{AuditWalk, Finding, Replay, audit_report};
use holdfast_store::{Finding as Found, Findings};
use holdfast_wire::{AuditReport, ReplayReport};

use crate::compose::Desk;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::progress::Progress;
use crate::table::or_dash;

pub(crate) fn verify(desk: &Desk, form: Form) -> Result<Exit, Failure> {
    let mut progress = Progress::on_stderr();
    let findings = holdfast_store::verify(&desk.data_dir, desk.key()?.unlock(), &mut |done, all| {
        progress.at(done, || format!("verified {done} of {all} rows"));
    })?;
    drop(progress);
    let report = audit_report(&walk(&findings));
    form.show(&report, plain)?;
    Ok(if report.whole { Exit::Done } else { Exit::Integrity })
}

pub(crate) fn replay(desk: &Desk, form: Form) -> Result<Exit, Failure> {
    let mut progress = Progress::on_stderr();
    let mut take = |replay: &mut Replay, event: &Event| {
        replay.take(event);
        progress.at(event.seq, || format!("recomputed {} events", event.seq));
    };
    let (replay, broken) = holdfast_store::walk(&desk.data_dir, desk.key()?.unlock(), &mut take)?;
    drop(progress);
    let report = replay.report(broken.as_ref());
    form.show(&report, plain_replay)?;
    Ok(if report.agrees { Exit::Done } else { Exit::Integrity })
}

fn plain_replay(report: &ReplayReport) -> String {
    let verdict = match (&report.broken, report.event, report.unknown) {
        (Some(fault), _, _) => format!("BROKEN: {fault}"),
        (None, Some(event), _) => format!("DIFFERS at event {event}: {}", difference(report)),
        (None, None, 0) => "every decision follows from its inputs".to_owned(),
        (None, None, unknown) => format!("{unknown} decided by rules that this version does not know"),
    };
    format!("replay     {verdict}\nevents     {}\ndecisions  {}\n", report.events, report.decisions)
}

fn difference(report: &ReplayReport) -> String {
    let written = or_dash(report.recorded.as_ref());
    format!("written {written}, recomputed {}", or_dash(report.recomputed.as_ref()))
}

fn walk(findings: &Findings) -> AuditWalk {
    AuditWalk {
        events: findings.events,
        hash: findings.hash,
        head_seq: findings.head_seq,
        findings: findings.found().iter().map(located).collect(),
    }
}

/// The finding in words, with the event or the page that it is about.
fn located(found: &Found) -> Finding {
    let (event, page) = match found {
        Found::Header => (None, Some(1)),
        Found::Page { page } => (None, Some(*page)),
        Found::Chain(
            ChainFault::Gap { seq }
            | ChainFault::Unreadable { seq }
            | ChainFault::Changed { seq }
            | ChainFault::PrivateChanged { seq },
        )
        | Found::HeadDiffers { seq }
        | Found::OperationGone { seq } => (Some(*seq), None),
        Found::EventsLost { from, .. } => (Some(*from), None),
        Found::Structure { .. }
        | Found::Unreadable { .. }
        | Found::HeadMissing
        | Found::HeadUnreadable
        | Found::HeadForged
        | Found::Operation { .. }
        | Found::Shown { .. }
        | Found::Lane { .. }
        | Found::Books { .. } => (None, None),
    };
    Finding { what: found.to_string(), event, page }
}

fn plain(report: &AuditReport) -> String {
    let verdict = match &report.first_fault {
        None => "whole".to_owned(),
        Some(fault) => format!("DOES NOT HOLD: {fault}"),
    };
    let hash = or_dash(report.hash.as_ref());
    format!("audit   {verdict}\nevents  {}\nhash    {hash}\n", report.events)
}
