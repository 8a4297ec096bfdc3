//! `likeness`: applications that look like another one, and that both are kept.

use holdfast_wire::{KeepLikenessRequest, LikeView, LikenessKept, LikenessRow};
use serde::Serialize;

use crate::arguments::Likeness;
use crate::compose::{Desk, WayToSor};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::{Table, or_dash};

#[derive(Serialize)]
struct Pairs {
    pairs: Vec<LikenessRow>,
}

pub(crate) fn likeness(desk: &Desk, command: Likeness, form: Form) -> Result<Exit, Failure> {
    match command {
        Likeness::List(paging) => {
            let pairs = desk.open_to_read()?.station.like_pairs(paging.into())?;
            form.show(&Pairs { pairs }, |list| plain_pairs(&list.pairs))?;
        }
        Likeness::Keep { of, reason } => {
            let ask = KeepLikenessRequest { of, reason };
            form.show(&desk.writer(WayToSor::None)?.keep_likeness(&ask)?, plain_kept)?;
        }
    }
    Ok(Exit::Done)
}

/// A line for each other application that one looks like, and what can be done.
pub(crate) fn plain_likes(likes: &[LikeView]) -> String {
    let line = |like: &LikeView| format!("looks like    {} of {}\n", name(like), like.filed_at);
    let lines: String = likes.iter().map(line).collect();
    let ways = "              both are kept; `likeness keep` when that is right, a void to take one back\n";
    if likes.is_empty() { lines } else { format!("{lines}{ways}") }
}

/// By the number that a person has in hand.
pub(crate) fn name(like: &LikeView) -> String {
    let number = like.receipt_no.as_ref().or(like.permit_num.as_ref());
    number.unwrap_or(&like.application_id).clone()
}

fn plain_pairs(pairs: &[LikenessRow]) -> String {
    let mut table = Table::new(&["APPLICATION", "PERMIT", "FILED", "LOOKS LIKE", "FILED", "KEY"]);
    for pair in pairs {
        table.row([
            pair.receipt_no.clone().unwrap_or_else(|| pair.application_id.clone()),
            or_dash(pair.permit_num.as_ref()),
            pair.filed_at.clone(),
            name(&pair.looks_like),
            pair.looks_like.filed_at.clone(),
            pair.idempotency_key.clone().unwrap_or_else(|| pair.application_id.clone()),
        ]);
    }
    table.text()
}

fn plain_kept(kept: &LikenessKept) -> String {
    format!("{} is kept beside {}\n", kept.application_id, kept.kept_beside.join(", "))
}
