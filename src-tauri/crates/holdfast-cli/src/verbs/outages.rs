//! `outages`: the intervals in which an endpoint was down, with the books of what was accepted in each.

use std::fmt::Write as _;

use holdfast_wire::{OutageRow, OutageView, OutagesView};

use crate::arguments::{Outages, Paging};
use crate::compose::Desk;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::{Table, or_dash, printable};

pub(crate) fn outages(desk: &Desk, command: &Outages, form: Form) -> Result<Exit, Failure> {
    let station = desk.open_to_read()?.station;
    match command {
        Outages::List(paging) => {
            let found: OutagesView = station.outages(Paging::into(*paging))?;
            form.show(&found, |found| plain_rows(&found.rows))?;
        }
        Outages::Show { id } => form.show(&station.outage(id)?, plain)?,
    }
    Ok(Exit::Done)
}

fn plain(outage: &OutageView) -> String {
    let mut text = plain_rows(std::slice::from_ref(&outage.outage));
    for held in &outage.holds {
        let until = held.ended_at.as_ref().unwrap_or(&held.until);
        let _ =
            writeln!(text, "\nheld {} to {until} by {}: {}", held.held_at, held.by, printable(&held.reason));
    }
    let mut tries = Table::new(&["TRY", "AT", "WHAT", "OUTCOME", "NEXT"]);
    for tried in &outage.tries {
        tries.row([
            tried.n.to_string(),
            tried.at.clone(),
            tried.what.clone(),
            tried.outcome.clone(),
            or_dash(tried.next_try_at.as_ref()),
        ]);
    }
    let _ = write!(text, "\n{}", tries.text());
    if outage.left_out > 0 {
        let _ = writeln!(text, "{} tries are left out between the first and the latest", outage.left_out);
    }
    text
}

fn plain_rows(rows: &[OutageRow]) -> String {
    let mut table = Table::new(&[
        "ENDPOINT",
        "WHY",
        "FIRST FAILURE",
        "STOPPED",
        "ENDED",
        "TRIES",
        "ACCEPTED",
        "RECORDED",
        "DECIDE",
        "ID",
    ]);
    for row in rows {
        table.row([
            row.endpoint.clone(),
            or_dash(row.cause.as_ref()),
            row.first_failure_at.clone(),
            row.tripped_at.clone(),
            or_dash(row.closed_at.as_ref()),
            row.tries.to_string(),
            row.books.accepted.to_string(),
            row.books.committed.to_string(),
            row.books.quarantined.to_string(),
            row.outage_id.clone(),
        ]);
    }
    table.text()
}
