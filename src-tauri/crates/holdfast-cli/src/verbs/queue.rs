//! `queue`: what waits to be recorded by the SoR, in the order of work.

use holdfast_wire::{CopyInCustody, QueueItemView, QueueRow, RemarkView, SaidView};
use serde::Serialize;

use crate::arguments::Queue;
use crate::compose::Desk;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::{Table, or_dash};
use crate::verbs::likeness::{name, plain_likes};
use crate::verbs::parcels::plain_parcels;

#[derive(Serialize)]
struct Operations {
    operations: Vec<QueueRow>,
}

pub(crate) fn queue(desk: &Desk, command: &Queue, form: Form) -> Result<Exit, Failure> {
    let station = desk.open_to_read()?.station;
    match command {
        Queue::List(paging) => {
            let operations = station.queue((*paging).into())?;
            form.show(&Operations { operations }, |list| plain_rows(&list.operations))?;
        }
        Queue::Show { key } => form.show(&station.operation(&key.to_string())?, plain_item)?,
    }
    Ok(Exit::Done)
}

/// One line for each operation.
pub(crate) fn plain_rows(rows: &[QueueRow]) -> String {
    let header = [
        "RECEIPT",
        "KIND",
        "STATE",
        "ACCEPTED",
        "TRIES",
        "LAST",
        "WAITS UNTIL",
        "REASON",
        "LOOKS LIKE",
        "COPY",
        "KEY",
    ];
    let mut table = Table::new(&header);
    for row in rows {
        table.row([
            row.receipt_no.clone(),
            row.kind.clone(),
            state(row),
            row.accepted_at.clone(),
            row.attempts.to_string(),
            or_dash(row.last_outcome.as_ref()),
            or_dash(row.waits_until.as_ref()),
            or_dash(row.reason.as_ref()),
            or_dash(row.looks_like.first().map(name).as_ref()),
            or_dash(row.copy.map(copy).as_ref()),
            row.idempotency_key.clone(),
        ]);
    }
    table.text()
}

fn copy(copy: CopyInCustody) -> String {
    match copy {
        CopyInCustody::Held => "at the mirror".to_owned(),
    }
}

fn state(row: &QueueRow) -> String {
    match row.doubt.as_str() {
        "none" => row.state.clone(),
        doubt => format!("{} ({doubt})", row.state),
    }
}

fn plain_item(item: &QueueItemView) -> String {
    let body = serde_json::to_string_pretty(&item.body).unwrap_or_default();
    let likes = plain_likes(&item.row.looks_like);
    format!(
        "{}\napplication   {}\npermit        {}\nrecord        {}\ncommitted at  {}\nreplaces      {}\nreplaced by   {}\n{likes}{}{}\n{body}\n",
        plain_rows(std::slice::from_ref(&item.row)),
        item.row.application_id,
        or_dash(item.permit_num.as_ref()),
        or_dash(item.record_id.as_ref()),
        or_dash(item.committed_at.as_ref()),
        or_dash(item.replaces.as_ref()),
        or_dash(item.replaced_by.as_ref()),
        item.said.as_ref().map_or_else(String::new, plain_said),
        plain_parcels(&item.parcels),
    )
}

/// A line for each remark of the record system, and what it has more than once.
pub(crate) fn plain_said(said: &SaidView) -> String {
    let remark = |remark: &RemarkView| format!("remark        {}: {}\n", remark.code, remark.text);
    let remarks: String = said.remarks.iter().map(remark).collect();
    let twin = said.twin.as_ref().map_or_else(String::new, |twin| {
        let stays = or_dash(twin.stays.as_ref());
        format!(
            "found twice   {}\nstays         {stays}\nto be voided  {} (at the record system)\n",
            twin.record_ids.join(", "),
            twin.voids.join(", ")
        )
    });
    let found = said.found.as_ref().map_or_else(String::new, |found| {
        format!("found by      {}, who saw {}\n", found.by, found.record_id)
    });
    format!("{remarks}{twin}{found}")
}
