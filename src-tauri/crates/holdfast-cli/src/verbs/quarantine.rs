//! `quarantine`: what waits for a person, and the two decisions that this version knows. Whether they may be made, and by
//! whom, the station says.

use holdfast_wire::{
    DecideRequest, Decided, Decision, ItemOrder, ItemRow, ItemsOf, ItemsRequest, QueueItemView,
};
use serde::Serialize;

use crate::arguments::{Paging, Quarantine, Resolution};
use crate::compose::Desk;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::{Table, or_dash};

#[derive(Serialize)]
struct Items {
    items: Vec<ItemRow>,
    all: u32,
}

pub(crate) fn quarantine(desk: &Desk, command: Quarantine, form: Form) -> Result<Exit, Failure> {
    match command {
        Quarantine::List(paging) => list(desk, paging, form),
        Quarantine::Show { key } => {
            let item = desk.open_to_read()?.station.operation(&key.to_string())?;
            form.show(&item, plain_item)?;
            Ok(Exit::Done)
        }
        Quarantine::Resolve { key, resolution, reason } => {
            let decision = decision(resolution);
            let ask = DecideRequest { key: key.to_string(), decision, reason };
            let decided = desk.open_counter()?.station.decide(ask)?;
            form.show(&decided, plain_decided)?;
            Ok(Exit::Done)
        }
    }
}

fn list(desk: &Desk, paging: Paging, form: Form) -> Result<Exit, Failure> {
    let Paging { skip, rows } = paging;
    let ask = ItemsRequest {
        of: ItemsOf::Decisions,
        text: String::new(),
        order: ItemOrder::OldestFirst,
        skip,
        rows,
    };
    let found = desk.open_to_read()?.station.items(ask)?;
    form.show(&Items { items: found.rows, all: found.all }, |items| plain_rows(&items.items))?;
    Ok(Exit::Done)
}

fn decision(resolution: Resolution) -> Decision {
    if resolution.requeue { Decision::Requeue } else { Decision::Void }
}

fn plain_rows(items: &[ItemRow]) -> String {
    let mut table = Table::new(&["RECEIPT", "KIND", "REASON", "ACCEPTED", "BY", "KEY"]);
    for item in items {
        table.row([
            item.row.receipt_no.clone(),
            item.row.kind.clone(),
            or_dash(item.row.reason.as_ref()),
            item.row.accepted_at.clone(),
            item.actor.clone(),
            item.row.idempotency_key.clone(),
        ]);
    }
    table.text()
}

fn plain_item(item: &QueueItemView) -> String {
    let body = serde_json::to_string_pretty(&item.body).unwrap_or_default();
    let row = &item.row;
    format!("{}  {}  {}\n\n{body}\n", row.receipt_no, row.kind, or_dash(row.reason.as_ref()))
}

fn plain_decided(decided: &Decided) -> String {
    format!(
        "{} is {}; of its application {} go on, {} need a decision of their own\n",
        decided.receipt_no, decided.state, decided.going_on, decided.set_aside,
    )
}
