//! What is on its way: as many attempts at once as the pace allows, each of another lane.
//!
//! Promise: an attempt that was begun is ended, whatever ends the drain; what is decided about one never waits for another.
//! Which lanes those are is the journal's and core's matter: of a lane whose head is in flight nothing else is offered.

use std::pin::Pin;

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use holdfast_core::breaker::Pass;
use holdfast_core::cascade::Recorder;
use holdfast_core::outcome::NextStep;

use super::attempt::Attempted;
use crate::ports::{InFlight, JournalError};
use crate::station::Station;

type Attempt<'a> = Pin<Box<dyn Future<Output = Result<Attempted, JournalError>> + Send + 'a>>;

/// What an attempt is.
#[derive(Clone, Copy)]
pub(super) struct Trial {
    /// Where.
    pub(super) recorder: Recorder,
    /// Its way through the breaker there.
    pub(super) pass: Pass,
    /// Whether it is sent, or asked after.
    pub(super) what: NextStep,
    /// How often the token had been renewed by then.
    pub(super) renewals: u32,
}

/// Attempts that have begun and not ended.
#[derive(Default)]
pub(super) struct OnTheWay<'a> {
    attempts: FuturesUnordered<Attempt<'a>>,
    at_primary: u32,
    at_mirror: u32,
    begun: u64,
}

impl<'a> OnTheWay<'a> {
    /// Sends one, or asks after it.
    pub(super) fn begin(&mut self, station: &'a Station, in_flight: InFlight, trial: Trial) {
        self.begun += 1;
        *self.out_at(trial.recorder) += 1;
        self.attempts.push(Box::pin(station.attempt(in_flight, trial)));
    }

    /// The next one that ends; none when nothing is on its way.
    pub(super) async fn next_ended(&mut self) -> Option<Result<Attempted, JournalError>> {
        let ended = self.attempts.next().await;
        if let Some(Ok(attempted)) = &ended {
            let out = self.out_at(attempted.trial.recorder);
            *out = out.saturating_sub(1);
        }
        ended
    }

    fn out_at(&mut self, recorder: Recorder) -> &mut u32 {
        match recorder {
            Recorder::Primary => &mut self.at_primary,
            Recorder::Mirror => &mut self.at_mirror,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.attempts.is_empty()
    }

    /// Whether so many are on their way to this endpoint already.
    pub(super) fn is_full(&self, recorder: Recorder, allowed: u32) -> bool {
        match recorder {
            Recorder::Primary => self.at_primary >= allowed,
            Recorder::Mirror => self.at_mirror >= allowed,
        }
    }

    /// How many were begun in all.
    pub(super) fn begun(&self) -> u64 {
        self.begun
    }
}
