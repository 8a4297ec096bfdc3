//! `status`: the mode first, then what it follows from.

use std::fmt::Write as _;

use holdfast_wire::{BreakerView, CertificateFault, ContractView, CustodyView, ModeCause, StatusView};

use crate::compose::Desk;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::{Table, or_dash};
use crate::verbs::parcels::plain_copy;

/// Modes in which the station does less than it should; the exit code says so to whoever watches it.
const DEGRADED: [&str; 3] = ["intake_paused", "held", "degraded"];

pub(crate) fn status(desk: &Desk, form: Form) -> Result<Exit, Failure> {
    let status = desk.open_to_read()?.station.status()?;
    form.show(&status, plain)?;
    let degraded = DEGRADED.contains(&status.mode.as_str()) || status.notices.iter().any(is_grave);
    Ok(if degraded { Exit::Degraded } else { Exit::Done })
}

fn plain(status: &StatusView) -> String {
    let (books, counts, backlog) = (&status.books, &status.counts, &status.backlog);
    let mut text = format!("mode      {}\n", status.mode);
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<8}  {value}");
    };
    line("backlog", format!("{} (oldest {})", backlog.count, or_dash(backlog.oldest_accepted_at.as_ref())));
    line(
        "books",
        format!(
            "accepted {} = pending {} + in flight {} + committed {} + quarantined {} + voided {}",
            books.accepted, books.pending, books.in_flight, books.committed, books.quarantined, books.voided
        ),
    );
    line(
        "counts",
        format!(
            "direct {}, probe {}, deferred {}, refused {}, failed {}",
            counts.direct, counts.probe, counts.deferred, counts.refused, counts.failed
        ),
    );
    if let Some(custody) = &status.custody {
        let CustodyView { held, waiting, refused } = custody;
        line(
            "custody",
            format!("{held} held at the mirror, {waiting} without a copy, {refused} refused there"),
        );
    }
    line("rules", plain_contract(&status.contract));
    line("room", format!("{} MiB free ({})", status.headroom.free_mib, status.headroom.class));
    if let Some(copy) = &status.parcels {
        line("parcels", plain_copy(copy));
    }
    line("outages", format!("{} open", status.outages_open));
    for notice in status.notices.iter().filter_map(plain_notice) {
        line("look at", notice);
    }
    text + "\n" + &plain_breakers(&status.breakers)
}

/// Whether less is done than should be until somebody looks.
fn is_grave(notice: &ModeCause) -> bool {
    match notice {
        ModeCause::RestoredOlder { .. } | ModeCause::Wedged { .. } | ModeCause::Drift { .. } => true,
        ModeCause::StationRestored { .. }
        | ModeCause::ConfigurationRefused { .. }
        | ModeCause::NumbersLow { .. }
        | ModeCause::NumbersNoneLeft
        | ModeCause::DiskFailed { .. }
        | ModeCause::RulesTooOld { .. }
        | ModeCause::RulesAbsent
        | ModeCause::RoomShort { .. }
        | ModeCause::CertificateRefused { .. }
        | ModeCause::StationRefused { .. }
        | ModeCause::SendingStopped { .. }
        | ModeCause::Maintenance { .. }
        | ModeCause::NotAnswering { .. }
        | ModeCause::CatchingUp { .. }
        | ModeCause::SessionEnds { .. }
        | ModeCause::NeedsDecision { .. }
        | ModeCause::OutageOver { .. } => false,
    }
}

fn plain_notice(notice: &ModeCause) -> Option<String> {
    match notice {
        ModeCause::RestoredOlder { missing } => Some(format!(
            "the permit system came back from an older copy; {missing} recorded are missing there so far and sending pauses: `holdfastctl reprove list`"
        )),
        ModeCause::StationRestored { at, first, last } => Some(format!(
            "this station came back from an older copy (noticed {at}); receipt numbers {first} to {last} are not given out again"
        )),
        ModeCause::Wedged { since, waiting } => Some(format!(
            "the permit system answers, and {waiting} lie here since {since}: does anything send?"
        )),
        ModeCause::Drift { pointer, count } => Some(format!(
            "the permit system rejected {count} for one reason (at `{pointer}`): have its rules changed?"
        )),
        ModeCause::ConfigurationRefused { file, problem, .. } => {
            Some(format!("a configuration is refused and the one before stays: {file}: {problem}"))
        }
        ModeCause::NumbersLow { left } => Some(format!(
            "{left} permit numbers are left here; more are fetched when the permit system answers"
        )),
        ModeCause::NumbersNoneLeft => Some(
            "no permit numbers are left here: applications are taken, and their numbers follow".to_owned(),
        ),
        ModeCause::CertificateRefused { fault, at, here } => Some(plain_certificate(*fault, at, here)),
        ModeCause::DiskFailed { .. }
        | ModeCause::RulesTooOld { .. }
        | ModeCause::RulesAbsent
        | ModeCause::RoomShort { .. }
        | ModeCause::StationRefused { .. }
        | ModeCause::SendingStopped { .. }
        | ModeCause::Maintenance { .. }
        | ModeCause::NotAnswering { .. }
        | ModeCause::CatchingUp { .. }
        | ModeCause::SessionEnds { .. }
        | ModeCause::NeedsDecision { .. }
        | ModeCause::OutageOver { .. } => None,
    }
}

fn plain_certificate(fault: CertificateFault, at: &str, here: &str) -> String {
    match fault {
        CertificateFault::ThisClock => format!(
            "this computer's clock is wrong (it says {here}), so that the permit system's certificate ({at}) is refused: set the clock"
        ),
        CertificateFault::Certificate => {
            format!("the permit system's certificate ended {at} and is refused: its office has to renew it")
        }
        CertificateFault::Unclear => format!(
            "the permit system's certificate ({at}) does not hold now: either it is over, or this computer's clock is wrong (it says {here})"
        ),
    }
}

fn plain_breakers(breakers: &[BreakerView]) -> String {
    let mut table = Table::new(&["ENDPOINT", "BREAKER", "SINCE", "NEXT TRY"]);
    for breaker in breakers {
        let BreakerView { endpoint, state, since, next_try_at } = breaker;
        table.row([endpoint.clone(), state.clone(), since.clone(), or_dash(next_try_at.as_ref())]);
    }
    table.text()
}

/// In one line.
pub(crate) fn plain_contract(contract: &ContractView) -> String {
    let (Some(version), Some(valid_as_of)) = (contract.version, &contract.valid_as_of) else {
        return "none; run `holdfastctl contract refresh`".to_owned();
    };
    let standing = if contract.valid { "valid" } else { "too old: intake is paused" };
    format!("version {version}, attested {valid_as_of}, {standing}")
}
