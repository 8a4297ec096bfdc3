//! `custody`: the copies of this station's work, as the mirror that holds them says.

use holdfast_wire::CustodyCopiesView;

use crate::arguments::Custody;
use crate::compose::Desk;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::Table;

pub(crate) fn custody(desk: &Desk, command: &Custody, form: Form) -> Result<Exit, Failure> {
    match command {
        Custody::List => {
            let (station, runtime) = desk.reading_with_sor()?;
            form.show(&runtime.block_on(station.copies_in_custody())?, plain)?;
        }
    }
    Ok(Exit::Done)
}

fn plain(list: &CustodyCopiesView) -> String {
    let mut table = Table::new(&["RECEIPT", "KIND", "ACCEPTED", "BY", "HELD SINCE", "KEY"]);
    for copy in &list.copies {
        table.row([
            copy.receipt_no.clone(),
            copy.kind.clone(),
            copy.accepted_at.clone(),
            copy.actor.clone(),
            copy.held_at.clone(),
            copy.idempotency_key.clone(),
        ]);
    }
    table.text()
}
