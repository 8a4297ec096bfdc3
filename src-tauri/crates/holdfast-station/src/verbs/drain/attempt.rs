//! One attempt: an operation is sent or asked after, and what came back is written down.
//!
//! Promise: nothing is decided here; what an answer means is `settling`'s, in the transaction that keeps it.

use std::sync::{Arc, Mutex, PoisonError};

use holdfast_core::breaker::{Pass, Verdict};
use holdfast_core::outcome::{Answer, NextStep, Sent};
use holdfast_wire::DrainStop;

use super::{Run, on_journal};
use crate::ports::{Delivery, InFlight, JournalError, Sockets};
use crate::settling::{Aftermath, BreakerNow, Came, Ended, settle_item, settle_probe};
use crate::station::Station;
use crate::welcome::Reception;

/// An attempt that has ended, and is written down.
pub(super) struct Attempted {
    pub(super) came: Came,
    /// How often the token had been renewed when it began.
    pub(super) renewals: u32,
    /// From its beginning to its answer, in milliseconds.
    pub(super) took_ms: u64,
}

impl Station {
    pub(super) async fn attempt(
        &self,
        in_flight: InFlight,
        pass: Pass,
        what: NextStep,
        renewals: u32,
    ) -> Result<Attempted, JournalError> {
        let asked = self.now();
        let answer = self.ask(&in_flight, &pass, what).await;
        let ended = Ended { asked, ..self.ended(&pass) };
        let took_ms = ended.now.millis_since(asked);
        let sent = Sent {
            key: in_flight.key,
            operation_id: in_flight.operation_id,
            application_id: in_flight.application_id,
            payload_digest: in_flight.payload_digest,
        };
        let at = ended.now.wall;
        let came = self.settle(ended, &in_flight, answer, sent).await?;
        self.welcomed(|welcome| welcome.after(came.reception, at));
        Ok(Attempted { came, renewals, took_ms })
    }

    async fn ask(&self, in_flight: &InFlight, pass: &Pass, what: NextStep) -> Answer {
        let sor = &self.ports.sor;
        let sockets = sockets(pass);
        let delivery = delivery(in_flight);
        match what {
            NextStep::LookUp => sor.look_up(&delivery, sockets).await,
            NextStep::Send => sor.deliver(&delivery, sockets).await,
        }
    }

    async fn settle(
        &self,
        ended: Ended,
        in_flight: &InFlight,
        answer: Answer,
        sent: Sent,
    ) -> Result<Came, JournalError> {
        let operation_id = in_flight.operation_id;
        let nothing = Came {
            of_it: Aftermath::Waits,
            set_aside: 0,
            verdict: Verdict::None,
            breaker: BreakerNow::AsBefore,
            reception: Reception::Unsaid,
        };
        let result = Arc::new(Mutex::new(nothing));
        let told = Arc::clone(&result);
        on_journal(&self.ports.journal, move |journal| {
            journal.settle(
                ended.now,
                Some(operation_id),
                Box::new(move |facts| {
                    let item = facts
                        .item
                        .as_ref()
                        .expect("the journal gives the facts of the operation it was asked for");
                    let (settlement, came) = settle_item(&ended, facts, item, &answer, &sent);
                    *told.lock().unwrap_or_else(PoisonError::into_inner) = came;
                    settlement
                }),
            )
        })
        .await?;
        let result = *result.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(result)
    }
}

impl Run<'_> {
    /// A sign of life as the canary: nothing of the queue moves.
    pub(super) async fn probe(&mut self, pass: &Pass) -> Result<Option<DrainStop>, JournalError> {
        let sign = self.station.sign_of_life(sockets(pass)).await;
        let ended = self.station.ended(pass);
        let now = ended.now;
        let result = Arc::new(Mutex::new(BreakerNow::AsBefore));
        let told = Arc::clone(&result);
        on_journal(&self.station.ports.journal, move |journal| {
            let decide = Box::new(move |facts: &crate::ports::SettleFacts| {
                let (settlement, breaker) = settle_probe(&ended, facts, sign);
                *told.lock().unwrap_or_else(PoisonError::into_inner) = breaker;
                settlement
            });
            journal.settle(now, None, decide)
        })
        .await?;
        let breaker = *result.lock().unwrap_or_else(PoisonError::into_inner);
        self.after(breaker);
        Ok(None)
    }
}

fn sockets(pass: &Pass) -> Sockets {
    if pass.is_canary() { Sockets::Fresh } else { Sockets::Kept }
}

fn delivery(in_flight: &InFlight) -> Delivery {
    Delivery {
        key: in_flight.key,
        kind: in_flight.kind,
        operation_id: in_flight.operation_id,
        application_id: in_flight.application_id,
        record_id: in_flight.record_id.clone(),
        body: in_flight.body.clone(),
        if_match: in_flight.if_match.clone(),
    }
}
