//! How many operations this station has on their way at once.
//!
//! Promise: kept in memory only, so that every process begins with one, as after an outage. The rule is core's.

use std::sync::{Mutex, PoisonError};

use holdfast_core::breaker::Verdict;
use holdfast_core::changes::Pace;
use holdfast_core::ramp::{Order, Ramp};

/// What has been seen of the SoR's pace, and in which order it takes operations.
pub(crate) struct Pacing(Mutex<(Ramp, Order)>);

impl Default for Pacing {
    /// An SoR that has not said otherwise keeps the order of arrival.
    fn default() -> Self {
        Self(Mutex::new((Ramp::default(), Order::OfArrival)))
    }
}

impl Pacing {
    /// How many may be on their way now.
    pub(crate) fn allowed(&self, most: u32) -> u32 {
        self.with(|ramp, order| ramp.allowed(*order, most))
    }

    /// An answer came after so many milliseconds.
    pub(crate) fn answered(&self, verdict: Verdict, took_ms: u64, most: u32) {
        self.with(|ramp, _| ramp.answered(verdict, took_ms, most));
    }

    /// The breaker has closed.
    pub(crate) fn closed(&self) {
        self.with(|ramp, _| ramp.closed());
    }

    /// Whether the SoR keeps pace.
    pub(crate) fn pace(&self) -> Pace {
        self.with(|ramp, _| if ramp.is_strained() { Pace::Strained } else { Pace::Calm })
    }

    /// It was left alone for a while.
    pub(crate) fn rested(&self) {
        self.with(|ramp, _| ramp.rested());
    }

    /// What the SoR said about its order when it was asked last.
    pub(crate) fn heard(&self, told: Option<Order>) {
        self.with(|_, order| *order = told.unwrap_or(Order::OfArrival));
    }

    /// What is behind the lock is replaced whole, so a panic elsewhere cannot leave it half-written.
    fn with<T>(&self, work: impl FnOnce(&mut Ramp, &mut Order) -> T) -> T {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (ramp, order) = &mut *kept;
        work(ramp, order)
    }
}
