//! `outages`: the intervals in which an endpoint was down, with the books of what was accepted in each.

use holdfast_wire::{OutageRow, OutagesView};

use crate::arguments::{Outages, Paging};
use crate::compose::Desk;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::{Table, or_dash};

pub(crate) fn outages(desk: &Desk, command: &Outages, form: Form) -> Result<Exit, Failure> {
    let Outages::List(paging) = command;
    let found: OutagesView = desk.open_to_read()?.station.outages(Paging::into(*paging))?;
    form.show(&found, |found| plain_rows(&found.rows))?;
    Ok(Exit::Done)
}

fn plain_rows(rows: &[OutageRow]) -> String {
    let mut table =
        Table::new(&["ENDPOINT", "FIRST FAILURE", "STOPPED", "ENDED", "ACCEPTED", "RECORDED", "DECIDE"]);
    for row in rows {
        table.row([
            row.endpoint.clone(),
            row.first_failure_at.clone(),
            row.tripped_at.clone(),
            or_dash(row.closed_at.as_ref()),
            row.books.accepted.to_string(),
            row.books.committed.to_string(),
            row.books.quarantined.to_string(),
        ]);
    }
    table.text()
}
