//! `contract`: which rules are in use, and getting others.

use holdfast_wire::ContractView;

use crate::arguments::Contract;
use crate::compose::Desk;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::read_document;
use crate::output::Form;
use crate::verbs::status::plain_contract;

/// A contract as one document: up to 64 files of rules with their signatures.
const CONTRACT_MAX_BYTES: usize = 16 * 1024 * 1024;

pub(crate) fn contract(desk: &Desk, command: &Contract, form: Form) -> Result<Exit, Failure> {
    let view: ContractView = match command {
        Contract::Status => desk.open_to_read()?.station.contract()?,
        Contract::Refresh => {
            let open = desk.open_to_write()?;
            open.runtime.block_on(open.station.refresh_contract())?
        }
        Contract::Load { file } => {
            let document = read_document(file, CONTRACT_MAX_BYTES)?;
            if document.len() > CONTRACT_MAX_BYTES {
                return Err(Failure::usage(format!("a contract has at most {CONTRACT_MAX_BYTES} bytes")));
            }
            desk.open_to_write()?.station.load_contract(&document)?
        }
    };
    form.show(&view, |view| format!("rules     {}\n", plain_contract(view)))?;
    Ok(Exit::Done)
}
