//! What is on its way: as many attempts at once as the pace allows, each of another lane.
//!
//! Promise: an attempt that was begun is ended, whatever ends the drain; what is decided about one never waits for another.
//! Which lanes those are is the journal's and core's matter: of a lane whose head is in flight nothing else is offered.

use std::pin::Pin;

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use holdfast_core::breaker::Pass;
use holdfast_core::outcome::NextStep;

use super::attempt::Attempted;
use crate::ports::{InFlight, JournalError};
use crate::station::Station;

type Attempt<'a> = Pin<Box<dyn Future<Output = Result<Attempted, JournalError>> + Send + 'a>>;

/// Attempts that have begun and not ended.
#[derive(Default)]
pub(super) struct OnTheWay<'a> {
    attempts: FuturesUnordered<Attempt<'a>>,
    begun: u64,
}

impl<'a> OnTheWay<'a> {
    /// Sends one, or asks after it. `renewals` is how often the token had been renewed by then.
    pub(super) fn begin(
        &mut self,
        station: &'a Station,
        in_flight: InFlight,
        pass: Pass,
        what: NextStep,
        renewals: u32,
    ) {
        self.begun += 1;
        self.attempts.push(Box::pin(station.attempt(in_flight, pass, what, renewals)));
    }

    /// The next one that ends; none when nothing is on its way.
    pub(super) async fn next_ended(&mut self) -> Option<Result<Attempted, JournalError>> {
        self.attempts.next().await
    }

    pub(super) fn is_empty(&self) -> bool {
        self.attempts.is_empty()
    }

    /// Whether so many are on their way already.
    pub(super) fn is_full(&self, allowed: u32) -> bool {
        u32::try_from(self.attempts.len()).is_ok_and(|out| out >= allowed)
    }

    /// How many were begun in all.
    pub(super) fn begun(&self) -> u64 {
        self.begun
    }
}
