//! One file per command. Each opens what it needs, calls one verb of the station, and shows what came of it.

mod applications;
mod audit;
mod configuration;
mod contract;
mod copies;
mod custody;
mod drain;
mod endpoint;
mod import;
mod init;
pub(crate) mod likeness;
mod outages;
pub(crate) mod parcels;
mod quarantine;
mod queue;
mod reprove;
mod sign_in;
mod stations;
mod status;
mod submit;

use holdfast_wire::{ListRequest, ProblemView};

use crate::arguments::{Arguments, Command, Paging};
use crate::compose::Desk;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::printable;

/// Carries out the command.
///
/// # Errors
/// It came to nothing.
pub(crate) fn carry_out(arguments: Arguments, form: Form) -> Result<Exit, Failure> {
    // What opens the data is not asked for where nothing is opened.
    if let Command::Configuration(crate::arguments::Configuration::Show) = arguments.command {
        let read = holdfast_machine::configuration(arguments.common.config.as_deref())?;
        return configuration::show(&read.configured, form);
    }
    let desk = Desk::prepare(&arguments.common)?;
    match arguments.command {
        Command::Configuration(crate::arguments::Configuration::Show) => {
            configuration::show(&desk.configuration.configured, form)
        }
        Command::Init(init) => init::init(&desk, &init, form),
        Command::SignIn { user } => sign_in::sign_in(&desk, user, form),
        Command::Contract(contract) => contract::contract(&desk, &contract, form),
        Command::Submit { file } => submit::submit(&desk, &file, form),
        Command::Import { file, limit } => import::import(&desk, &file, limit, form),
        Command::Status => status::status(&desk, form),
        Command::Queue(queue) => queue::queue(&desk, &queue, form),
        Command::Drain { watch: true, max_s, .. } => drain::drain_on(&desk, max_s, form),
        Command::Drain { until_empty, max_s, watch: false } => drain::drain(&desk, until_empty, max_s, form),
        Command::Endpoint(command) => endpoint::endpoint(&desk, command, form),
        Command::Applications(applications) => applications::applications(&desk, &applications, form),
        Command::Quarantine(command) => quarantine::quarantine(&desk, command, form),
        Command::Custody(command) => custody::custody(&desk, &command, form),
        Command::Likeness(command) => likeness::likeness(&desk, command, form),
        Command::Reprove(command) => reprove::reprove(&desk, command, form),
        Command::Parcels(command) => parcels::parcels(&desk, &command, form),
        Command::Copies(command) => copies::copies(&desk, command, form),
        Command::Stations(command) => stations::stations(&desk, &command, form),
        Command::Outages(command) => outages::outages(&desk, &command, form),
        Command::Audit(crate::arguments::Audit::Verify) => audit::verify(&desk, form),
        Command::Audit(crate::arguments::Audit::Replay) => audit::replay(&desk, form),
    }
}

/// One line for each problem.
pub(crate) fn plain_problems(problems: &[ProblemView]) -> String {
    problems.iter().map(|problem| format!("{}\n", plain_problem(problem))).collect()
}

fn plain_problem(problem: &ProblemView) -> String {
    let pointer = printable(&problem.pointer);
    if pointer.is_empty() { problem.message.clone() } else { format!("{pointer}: {}", problem.message) }
}

impl From<Paging> for ListRequest {
    fn from(paging: Paging) -> Self {
        ListRequest { skip: paging.skip, rows: paging.rows }
    }
}
