//! One attempt: an operation is sent or asked after, and what came back is written down.
//!
//! Promise: nothing is decided here; what an answer means is `settling`'s, in the transaction that keeps it.

use std::sync::{Arc, Mutex, PoisonError};

use holdfast_core::breaker::{Pass, Verdict};
use holdfast_core::cascade::Recorder;
use holdfast_core::outcome::{Answer, NextStep, Sent};
use holdfast_wire::DrainStop;

use super::on_the_way::Trial;
use super::{Run, on_journal};
use crate::ports::{Delivery, InFlight, JournalError, RecordSystem, Sockets};
use crate::settling::{Aftermath, BreakerNow, Came, Ended, settle_item, settle_probe};
use crate::station::Station;
use crate::welcome::Reception;

/// An attempt that has ended, and is written down.
pub(super) struct Attempted {
    pub(super) came: Came,
    /// What it was.
    pub(super) trial: Trial,
    /// From its beginning to its answer, in milliseconds.
    pub(super) took_ms: u64,
}

impl Station {
    pub(super) async fn attempt(&self, in_flight: InFlight, trial: Trial) -> Result<Attempted, JournalError> {
        let asked = self.now();
        let answer = self.ask(&in_flight, &trial).await;
        let ended = Ended { asked, ..self.ended(&trial.recorder.endpoint(), &trial.pass) };
        let took_ms = ended.now.millis_since(asked);
        let sent = Sent {
            key: in_flight.key,
            operation_id: in_flight.operation_id,
            application_id: in_flight.application_id,
            payload_digest: in_flight.payload_digest,
        };
        let at = ended.now.wall;
        let came = self.settle((ended, trial.recorder), &in_flight, answer, sent).await?;
        match trial.recorder {
            Recorder::Primary => self.welcomed(|welcome| welcome.after(came.reception, at)),
            // How this station stands with the SoR the primary says.
            Recorder::Mirror => {}
        }
        Ok(Attempted { came, trial, took_ms })
    }

    async fn ask(&self, in_flight: &InFlight, trial: &Trial) -> Answer {
        let Some(system) = self.recording(trial.recorder) else { return Answer::NotAsked };
        let sockets = sockets(&trial.pass);
        let delivery = delivery(in_flight);
        match (trial.what, trial.recorder) {
            (NextStep::LookUp, Recorder::Primary | Recorder::Mirror) => {
                system.look_up(&delivery, sockets).await
            }
            (NextStep::Send, Recorder::Primary) => system.deliver(&delivery, sockets).await,
            (NextStep::Send, Recorder::Mirror) => match self.introduce(&**system, in_flight).await {
                Ok(()) => system.deliver(&delivery, sockets).await,
                Err(unreachable) => unreachable,
            },
        }
    }

    /// The way to one that records.
    pub(crate) fn recording(&self, recorder: Recorder) -> Option<&Arc<dyn RecordSystem>> {
        match recorder {
            Recorder::Primary => Some(&self.ports.sor),
            Recorder::Mirror => self.ports.beside.mirror.as_ref(),
        }
    }

    async fn settle(
        &self,
        (ended, recorder): (Ended, Recorder),
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
                recorder,
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
    pub(super) async fn probe(
        &mut self,
        recorder: Recorder,
        pass: &Pass,
    ) -> Result<Option<DrainStop>, JournalError> {
        let sign = self.station.sign_of_life(recorder, sockets(pass)).await;
        let ended = self.station.ended(&recorder.endpoint(), pass);
        let now = ended.now;
        let result = Arc::new(Mutex::new(BreakerNow::AsBefore));
        let told = Arc::clone(&result);
        on_journal(&self.station.ports.journal, move |journal| {
            let decide = Box::new(move |facts: &crate::ports::SettleFacts| {
                let (settlement, breaker) = settle_probe(&ended, facts, sign);
                *told.lock().unwrap_or_else(PoisonError::into_inner) = breaker;
                settlement
            });
            journal.settle(now, recorder, None, decide)
        })
        .await?;
        let breaker = *result.lock().unwrap_or_else(PoisonError::into_inner);
        self.after(recorder, breaker);
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
