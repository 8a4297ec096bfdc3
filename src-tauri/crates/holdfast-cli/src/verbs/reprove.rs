//! `reprove`: what the SoR lacks since it came back from an older copy, and the two decisions about it. Whether they may be
//! made, and by whom, the station says.

use std::fmt::Write as _;

use holdfast_wire::{
    MissingRow, RestoreDecided, RestoreDecision, RestoreInfo, RestoreRequest, RestoreSign, RestoreStage,
    RestoreView,
};

use crate::arguments::{Paging, Reprove};
use crate::compose::{Desk, WayToSor};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::{Table, or_dash};

pub(crate) fn reprove(desk: &Desk, command: Reprove, form: Form) -> Result<Exit, Failure> {
    match command {
        Reprove::List(paging) => {
            let view = desk.open_to_read()?.station.restore(Paging::into(paging))?;
            form.show(&view, plain)?;
            Ok(Exit::Done)
        }
        Reprove::Agree { reason } => settle(desk, RestoreDecision::SendAgain, reason, form),
        Reprove::Leave { reason } => settle(desk, RestoreDecision::Leave, reason, form),
    }
}

fn settle(desk: &Desk, decision: RestoreDecision, reason: String, form: Form) -> Result<Exit, Failure> {
    let decided = desk.writer(WayToSor::None)?.settle_restore(&RestoreRequest { decision, reason })?;
    form.show(&decided, plain_decided)?;
    Ok(Exit::Done)
}

fn plain(view: &RestoreView) -> String {
    let mut text = view.restore.as_ref().map_or_else(
        || "the permit system never came back from an older copy\n".to_owned(),
        |restore| plain_info(restore) + "\n" + &plain_rows(&view.rows),
    );
    for numbers in &view.skipped {
        let (first, last) = (numbers.first, numbers.last);
        let _ = writeln!(
            text,
            "receipt numbers {first} to {last} are not given out again: this station came back from an older copy (noticed {})",
            numbers.noticed_at
        );
    }
    text
}

fn plain_info(restore: &RestoreInfo) -> String {
    let sign = match restore.sign {
        RestoreSign::Epoch => "it says so",
        RestoreSign::Sequence => "it has not applied what it had applied",
        RestoreSign::Count => "it holds less than was recorded",
        RestoreSign::Sample => "one of the last that were recorded is not there",
    };
    let next = match restore.stage {
        RestoreStage::Looking => "sending pauses; `holdfastctl drain` goes on looking for what was recorded",
        RestoreStage::Asking => {
            "sending pauses; a supervisor decides: `holdfastctl reprove agree --reason R` or `reprove leave --reason R`"
        }
        RestoreStage::NothingMissing => "nothing was missing",
        RestoreStage::SentAgain => "what was missing was sent again",
        RestoreStage::Left => "what was missing was left so",
    };
    format!(
        "noticed   {} ({sign})\nfound     {}\nmissing   {}, {} of them with an official number\nnow       {next}\n",
        restore.noticed_at, restore.found, restore.missing, restore.official
    )
}

fn plain_rows(rows: &[MissingRow]) -> String {
    let mut table = Table::new(&["RECEIPT", "KIND", "ACCEPTED", "RECORDED", "PERMIT", "NOW"]);
    for row in rows {
        table.row([
            row.receipt_no.clone(),
            row.kind.clone(),
            row.accepted_at.clone(),
            row.recorded_at.clone(),
            or_dash(row.permit_num.as_ref()),
            or_dash(row.permit_num_now.as_ref()),
        ]);
    }
    table.text()
}

fn plain_decided(decided: &RestoreDecided) -> String {
    match decided.decision {
        RestoreDecision::SendAgain => format!("{} wait again and are sent in order\n", decided.count),
        RestoreDecision::Leave => format!("{} are left missing there\n", decided.count),
    }
}
