//! Finding operations in flight that nobody is sending: at a start, and before a drain.
//!
//! Promise: each is pending again and in doubt (it may have arrived), and each is audited.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::ids::OperationId;
use holdfast_core::lane::State;
use holdfast_core::outcome::{NextStep, Outcome, UnknownCause, next_step_after};

use crate::fault::Fault;
use crate::turn::Turn;
use crate::{books, operation};

pub(crate) fn recover(turn: &mut Turn<'_>) -> Result<(), Fault> {
    for id in operation::in_flight(&turn.tx)? {
        put_back(turn, id)?;
    }
    Ok(())
}

fn put_back(turn: &mut Turn<'_>, id: OperationId) -> Result<(), Fault> {
    let standing =
        operation::standing(&turn.tx, id)?.ok_or(Fault::Impossible { why: "no such operation waits" })?;
    let doubt = standing.doubt.or_sent();
    let next_step = match standing.next_step {
        NextStep::LookUp => NextStep::LookUp,
        NextStep::Send => next_step_after(&Outcome::Unknown(UnknownCause::Unanswered), turn.record.profile),
    };
    operation::recover(&turn.tx, id, doubt, next_step)?;
    books::moved(&turn.tx, standing.outage, State::InFlight, State::Pending)?;
    let entry = Entry::new(EventKind::OperationRecovered).of(id);
    turn.audit(entry.with("doubt", doubt.word()).with("next_step", next_step.word()))
}
