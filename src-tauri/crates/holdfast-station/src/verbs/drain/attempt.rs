//! One attempt: an operation is sent or asked after, and what came back is written down.
//!
//! Promise: nothing is decided here; what an answer means is `settling`'s, in the transaction that keeps it.

use std::sync::{Arc, Mutex, PoisonError};

use holdfast_core::blame::Heard;
use holdfast_core::breaker::{Pass, Verdict};
use holdfast_core::outcome::{Answer, NextStep, Sent};
use holdfast_wire::DrainStop;

use super::{Run, on_journal};
use crate::ports::{Delivery, InFlight, JournalError, Sockets, SorFault, random_id};
use crate::settling::{Aftermath, BreakerNow, Came, Ended, settle_item, settle_probe};
use crate::welcome::Reception;

impl Run<'_> {
    pub(super) async fn attempt(
        &mut self,
        in_flight: &InFlight,
        pass: &Pass,
        what: NextStep,
    ) -> Result<Option<DrainStop>, JournalError> {
        let answer = self.ask(in_flight, pass, what).await;
        self.progress.attempts += 1;
        let ended = self.ended(pass);
        let sent = Sent {
            key: in_flight.key,
            operation_id: in_flight.operation_id,
            application_id: in_flight.application_id,
            payload_digest: in_flight.payload_digest,
        };
        let at = ended.now.wall;
        let came = self.settle(ended, in_flight, answer, sent).await?;
        self.station.welcomed(|welcome| welcome.after(came.reception, at));
        match self.count(came) {
            Some(stopped) => Ok(Some(stopped)),
            None => self.after(came.breaker).await,
        }
    }

    async fn ask(&self, in_flight: &InFlight, pass: &Pass, what: NextStep) -> Answer {
        let sor = &self.station.ports.sor;
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
            breaker: BreakerNow::AsBefore,
            reception: Reception::Unsaid,
        };
        let result = Arc::new(Mutex::new(nothing));
        let told = Arc::clone(&result);
        on_journal(&self.station.ports.journal, move |journal| {
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

    /// A sign of life as the canary: nothing of the queue moves.
    pub(super) async fn probe(&mut self, pass: &Pass) -> Result<Option<DrainStop>, JournalError> {
        let nonce = random_id(&*self.station.ports.entropy, self.station.now()).to_string();
        let (verdict, heard) = match self.station.ports.sor.health(&nonce, sockets(pass)).await {
            Ok(()) => (Verdict::Alive, Heard::Itself),
            Err(SorFault::Impostor) => (Verdict::Failure, Heard::Stranger),
            Err(
                SorFault::NotAnswering
                | SorFault::StationUnauthorized
                | SorFault::Refused { .. }
                | SorFault::Unreadable,
            ) => (Verdict::Failure, Heard::Nobody),
        };
        let ended = self.ended(pass);
        let now = ended.now;
        let result = Arc::new(Mutex::new(BreakerNow::AsBefore));
        let told = Arc::clone(&result);
        on_journal(&self.station.ports.journal, move |journal| {
            let decide = Box::new(move |facts: &crate::ports::SettleFacts| {
                let (mut settlement, breaker) = settle_probe(&ended, facts, verdict);
                settlement.endpoint.memory.hear(heard);
                *told.lock().unwrap_or_else(PoisonError::into_inner) = breaker;
                settlement
            });
            journal.settle(now, None, decide)
        })
        .await?;
        let breaker = *result.lock().unwrap_or_else(PoisonError::into_inner);
        self.after(breaker).await
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
