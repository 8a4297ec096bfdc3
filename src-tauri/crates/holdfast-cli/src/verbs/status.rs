//! `status`: the mode first, then what it follows from.

use std::fmt::Write as _;

use holdfast_wire::{BreakerView, ContractView, StatusView};

use crate::compose::Desk;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::{Table, or_dash};

/// Modes in which the station does less than it should; the exit code says so to whoever watches it.
const DEGRADED: [&str; 3] = ["intake_paused", "held", "degraded"];

pub(crate) fn status(desk: &Desk, form: Form) -> Result<Exit, Failure> {
    let status = desk.open_to_read()?.station.status()?;
    form.show(&status, plain)?;
    Ok(if DEGRADED.contains(&status.mode.as_str()) { Exit::Degraded } else { Exit::Done })
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
    line("rules", plain_contract(&status.contract));
    line("room", format!("{} MiB free ({})", status.headroom.free_mib, status.headroom.class));
    line("outages", format!("{} open", status.outages_open));
    text + "\n" + &plain_breakers(&status.breakers)
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
