//! `quarantine`: what waits for a person, the versions of a record side by side, and the decisions. Whether they may be
//! made, and by whom, the station says.

use std::path::Path;

use holdfast_core::canonical::parse_object;
use holdfast_core::limits::JSON_MAX_BYTES;

use holdfast_wire::{
    ConflictView, DecideRequest, Decided, Decision, ItemOrder, ItemRow, ItemsOf, ItemsRequest, QueueItemView,
};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::arguments::{Paging, Quarantine, Resolution, Side};
use crate::compose::{Desk, WayToSor};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::read_document;
use crate::output::Form;
use crate::table::{Table, or_dash};
use crate::verbs::queue::plain_said;

/// Longest value in a column, in characters; all of it is in the JSON.
const VALUE_MAX_CHARS: usize = 40;

#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    item: QueueItemView,
    conflict: Option<ConflictView>,
}

#[derive(Serialize)]
struct Items {
    items: Vec<ItemRow>,
    all: u32,
}

pub(crate) fn quarantine(desk: &Desk, command: Quarantine, form: Form) -> Result<Exit, Failure> {
    match command {
        Quarantine::List(paging) => list(desk, paging, form),
        Quarantine::Show { key, fetch } => {
            form.show(&shown(desk, &key.to_string(), fetch)?, plain_shown)?;
            Ok(Exit::Done)
        }
        Quarantine::Resolve { key, resolution, reason } => {
            let decision = decision(resolution)?;
            let ask = DecideRequest { key: key.to_string(), decision, reason };
            let decided = desk.writer(WayToSor::None)?.decide(&ask)?;
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

fn shown(desk: &Desk, key: &str, fetch: bool) -> Result<Shown, Failure> {
    if fetch {
        let conflict = desk.writer(WayToSor::Needed)?.fetch_theirs(key)?;
        let item = desk.open_to_read()?.station.operation(key)?;
        return Ok(Shown { item, conflict: Some(conflict) });
    }
    let station = desk.open_to_read()?.station;
    Ok(Shown { item: station.operation(key)?, conflict: station.conflict(key)? })
}

/// Nobody says here which version was seen: it is the one that is known when the decision is made.
fn decision(resolution: Resolution) -> Result<Decision, Failure> {
    let seen = None;
    if let Some(record) = resolution.found {
        return Ok(Decision::Found { record });
    }
    match (resolution.take, resolution.merge) {
        (Some(Side::Ours), _) => Ok(Decision::TakeOurs { seen }),
        (Some(Side::Theirs), _) => Ok(Decision::TakeTheirs { seen }),
        (None, Some(file)) => Ok(Decision::Merge { seen, merged: merged(&file)? }),
        (None, None) if resolution.keep => Ok(Decision::Keep),
        (None, None) => Ok(if resolution.requeue { Decision::Requeue } else { Decision::Void }),
    }
}

fn merged(file: &Path) -> Result<Map<String, Value>, Failure> {
    let document = read_document(file, JSON_MAX_BYTES)?;
    parse_object(&document).map_err(|fault| Failure::usage(format!("{}: {fault}", file.display())))
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
    let said = item.said.as_ref().map_or_else(String::new, plain_said);
    format!("{}  {}  {}\n{said}\n{body}\n", row.receipt_no, row.kind, or_dash(row.reason.as_ref()))
}

fn plain_shown(shown: &Shown) -> String {
    let item = plain_item(&shown.item);
    shown.conflict.as_ref().map_or(item.clone(), |conflict| format!("{item}\n{}", plain_conflict(conflict)))
}

/// Each field that somebody changed, in three columns.
fn plain_conflict(conflict: &ConflictView) -> String {
    let mut table = Table::new(&["FIELD", "BEFORE", "OURS", "THEIRS", "CHANGED"]);
    for row in conflict.rows.iter().filter(|row| row.changed != "nobody") {
        let theirs = if conflict.theirs.is_some() { value(&row.theirs) } else { "?".to_owned() };
        let changed = row.changed.replace('_', " ");
        table.row([row.pointer.clone(), value(&row.base), value(&row.ours), theirs, changed]);
    }
    let known = match &conflict.theirs {
        Some(theirs) => format!("theirs fetched {}, changed {}", theirs.fetched_at, theirs.updated_at),
        None => "what the record system has is not known here yet".to_owned(),
    };
    format!("{}{known}\n{}", table.text(), plain_meeting(conflict))
}

fn plain_meeting(conflict: &ConflictView) -> &'static str {
    match (conflict.meeting.as_deref(), conflict.proposal.as_deref()) {
        (Some("apart"), Some("merge")) => "the changes do not meet: both can hold (--merge FILE)\n",
        (Some("apart"), _) => "the changes do not meet: both can hold (--take ours)\n",
        (Some("clash"), _) => "both changed the same field\n",
        (Some("held_back"), _) => "a hold that came since keeps this back\n",
        (Some("base_unknown"), _) => "what was shown here before was not kept\n",
        (_, _) => "",
    }
}

fn value(value: &Value) -> String {
    let text = match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    };
    match text.char_indices().nth(VALUE_MAX_CHARS) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

fn plain_decided(decided: &Decided) -> String {
    format!(
        "{} is {}; of its application {} go on, {} need a decision of their own\n",
        decided.receipt_no, decided.state, decided.going_on, decided.set_aside,
    )
}
