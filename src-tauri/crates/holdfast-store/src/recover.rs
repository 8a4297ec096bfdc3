//! Finding operations in flight that nobody is sending: at a start, and before a drain.
//!
//! Promise: each is pending again and in doubt (it may have arrived), and each is audited. What no look-up could find goes before a
//! person instead.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::ids::OperationId;
use holdfast_core::lane::State;
use holdfast_core::settle::{FoundInFlight, found_in_flight};
use holdfast_station::ports::Quarantine;
use serde_json::Value;

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
    let found = found_in_flight(standing.row.kind, standing.doubt, standing.next_step, turn.record.profile);
    let entry = Entry::new(EventKind::OperationRecovered).of(id);
    match found {
        FoundInFlight::Pending { doubt, next_step } => {
            operation::recover(&turn.tx, id, doubt, next_step)?;
            books::moved(&turn.tx, standing.outage, State::InFlight, State::Pending)?;
            let entry = entry.with("doubt", doubt.word()).with("next_step", next_step.word());
            turn.audit(entry.with("endpoint", standing.recorder().endpoint()))
        }
        FoundInFlight::Quarantined { doubt, reason } => {
            let failures = standing.failures;
            let outcome = "recovered";
            let quarantine = Quarantine { reason, doubt, failures, outcome, answer: Value::Null };
            operation::quarantine(&turn.tx, id, &quarantine)?;
            books::moved(&turn.tx, standing.outage, State::InFlight, State::Quarantined)?;
            turn.audit(entry.with("doubt", doubt.word()))?;
            let entry = Entry::new(EventKind::OperationQuarantined).of(id);
            turn.audit(entry.with("doubt", doubt.word()).with("reason", reason.word()))
        }
    }
}
