//! A person holds an endpoint or releases it: the facts, and carrying out what was decided.

use holdfast_core::ids::{EndpointName, OutageId};
use holdfast_core::time::Now;
use holdfast_station::ports::{
    Decide, HeldOutage, JournalError, OutageCause, OutageChange, OutageInFull, Outages, Steer, SteerFacts,
    Steered, Steering,
};

use crate::fault::Fault;
use crate::store::Store;
use crate::turn::Turn;
use crate::writer::WhenFull;
use crate::{counts, endpoint, outage, outage_try};

impl Outages for Store {
    fn steer(
        &self,
        now: Now,
        endpoint: EndpointName,
        decide: Decide<SteerFacts, Steering>,
    ) -> Result<Steered, JournalError> {
        self.write(now, WhenFull::Wait, move |turn| steer(turn, &endpoint, decide))
    }

    fn outage(&self, id: OutageId) -> Result<Option<OutageInFull>, JournalError> {
        self.read(|tx| outage::in_full(tx, id))
    }
}

fn steer(
    turn: &mut Turn<'_>,
    name: &EndpointName,
    decide: Decide<SteerFacts, Steering>,
) -> Result<Steered, Fault> {
    let facts = SteerFacts {
        stamp: turn.trail.stamp(),
        endpoint: endpoint::named(&turn.tx, name)?,
        last_seq: counts::last_seq(&turn.tx)?,
    };
    match decide(&facts) {
        Steering::Steer(steer) => carry_out(turn, *steer),
        Steering::Unknown => Ok(Steered::Unknown),
        Steering::Refuse(mut refusal) => {
            if let Some(entry) = refusal.entry.take() {
                turn.audit(entry)?;
            }
            Ok(Steered::Refused(refusal))
        }
    }
}

fn carry_out(turn: &mut Turn<'_>, steer: Steer) -> Result<Steered, Fault> {
    let tx = &turn.tx;
    match steer.outage {
        HeldOutage::GoesOn => {}
        HeldOutage::Begins(at) => {
            let change = OutageChange::Opened {
                outage_id: steer.outage_id,
                cause: OutageCause::Held,
                first_failure_at: at,
                accepted_after: None,
                tripped_at: at,
                announced_until: None,
            };
            outage::enter(tx, &steer.endpoint.name, &change)?;
        }
    }
    outage_try::hold(tx, steer.outage_id, &steer.hold)?;
    endpoint::keep(tx, &steer.endpoint)?;
    turn.audit_all(steer.entries)?;
    Ok(Steered::Done(Box::new(steer.endpoint)))
}
