//! The next step of a drain: the facts, and putting an operation in flight before it is sent.

use holdfast_core::cascade::Recorder;
use holdfast_core::ids::OperationId;
use holdfast_core::lane::State;
use holdfast_core::outcome::NextStep;
use holdfast_station::ports::{Decide, InFlight, SendFacts, Sending, Step};

use crate::fault::Fault;
use crate::turn::Turn;
use crate::{beside, books, counts, endpoint, lane, operation, outage_try, reproving};

pub(crate) fn begin(
    turn: &mut Turn<'_>,
    recorder: Recorder,
    decide: Decide<SendFacts, Step>,
) -> Result<Option<InFlight>, Fault> {
    lane::end_waits_that_are_over(&turn.tx, turn.now)?;
    let facts = facts(turn, recorder)?;
    match decide(&facts) {
        Step::Attempt { operation_id, what, endpoint, lost, entries } => {
            lost.iter().try_for_each(|lost| outage_try::enter(&turn.tx, lost))?;
            endpoint::keep_changed(&turn.tx, &facts.endpoint, &endpoint)?;
            turn.audit_all(entries)?;
            put_in_flight(turn, operation_id, (recorder, what)).map(Some)
        }
        Step::Rest { endpoint, lost, entries } => {
            lost.iter().try_for_each(|lost| outage_try::enter(&turn.tx, lost))?;
            endpoint::keep_changed(&turn.tx, &facts.endpoint, &endpoint)?;
            turn.audit_all(entries)?;
            Ok(None)
        }
    }
}

fn facts(turn: &Turn<'_>, recorder: Recorder) -> Result<SendFacts, Fault> {
    let tx = &turn.tx;
    Ok(SendFacts {
        recorder,
        endpoint: beside::recording(tx, recorder, turn.now)?,
        other: beside::other_recording(tx, recorder, turn.now)?,
        mirror_part: beside::mirror_part(tx)?,
        heads: lane::candidates(tx, recorder)?,
        next_wake_ms: lane::next_wake_ms(tx, turn.now)?,
        books: books::station(tx)?,
        last_seq: counts::last_seq(tx)?,
        sending: if reproving::is_open(tx)? { Sending::Pauses } else { Sending::Goes },
    })
}

fn put_in_flight(turn: &Turn<'_>, id: OperationId, whereto: (Recorder, NextStep)) -> Result<InFlight, Fault> {
    let standing =
        operation::standing(&turn.tx, id)?.ok_or(Fault::Impossible { why: "no such operation waits" })?;
    operation::send(&turn.tx, id, whereto, turn.trail.stamp().at, turn.now)?;
    books::moved(&turn.tx, standing.outage, State::Pending, State::InFlight)?;
    Ok(standing.row)
}
