//! `contract`: which rules are in use, and getting others.

use holdfast_wire::{ApiCode, ApiError, ContractView};

use crate::arguments::Contract;
use crate::compose::{Desk, WayToSor};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::read_document;
use crate::output::Form;
use crate::verbs::status::plain_contract;
use crate::writing::NotDone;

/// A contract as one document: up to 64 files of rules with their signatures.
const CONTRACT_MAX_BYTES: usize = 16 * 1024 * 1024;

pub(crate) fn contract(desk: &Desk, command: &Contract, form: Form) -> Result<Exit, Failure> {
    let view: ContractView = match command {
        Contract::Status => desk.open_to_read()?.station.contract()?,
        Contract::Refresh => desk.writer(WayToSor::Needed)?.refresh_contract().map_err(not_taken_by_any)?,
        Contract::Load { file } => {
            let document = read_document(file, CONTRACT_MAX_BYTES)?;
            if document.len() > CONTRACT_MAX_BYTES {
                return Err(Failure::usage(format!("a contract has at most {CONTRACT_MAX_BYTES} bytes")));
            }
            desk.writer(WayToSor::None)?.load_contract(&document).map_err(not_taken_by_any)?
        }
    };
    form.show(&view, |view| format!("rules     {}\n", plain_contract(view)))?;
    Ok(Exit::Done)
}

fn not_taken_by_any(not_done: NotDone) -> Failure {
    match not_done {
        NotDone::Refused(error) => not_taken(error),
        NotDone::Failed(failure) => failure,
    }
}

/// A contract that does not hold is nobody's input to correct; the reason is in the log and in the audit.
pub(crate) fn not_taken(error: ApiError) -> Failure {
    if error.code != ApiCode::Refused {
        return error.into();
    }
    let why = error.problems.first().map_or("they do not hold", |problem| &problem.message);
    let sentence = format!("the rules were not taken, and nothing has changed: {why}");
    Failure { sentence, ..error.into() }
}
