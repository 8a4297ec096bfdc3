//! The loop behind the window that brings the backlog to the SoR.
//!
//! Promise: it runs pass after pass until the desk is asked to stop, is woken by new work, and otherwise looks again after
//! a bounded time; when to send what is the station's decision, and so is what a
//! window is told of it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use holdfast_station::{DrainProgress, Station, ToldDrain};
use holdfast_wire::{ApiError, DrainReport, DrainRequest};

use crate::desk::Desk;

/// One pass; waits are this loop's, so that new work need not wait for an old one's back-off.
const ONE_PASS: DrainRequest = DrainRequest { until_empty: false, max_s: None };
/// Until the next look when the store failed, in milliseconds.
const AFTER_FAULT_MS: u64 = 10_000;

/// Sends from the station's opening on until the desk is asked to stop; an attempt that is under way is finished first.
pub(crate) async fn send_on(desk: Desk) {
    if !desk.is_at_work().await {
        return;
    }
    let Ok(mut work) = desk.station().map(Station::work) else { return };
    let mut stop = desk.stop();
    let teller = Teller::new(&desk);
    while !stop.is_asked() {
        let report = desk.drain(ONE_PASS, &|progress| teller.hear(progress)).await;
        teller.end_pass(report.as_ref().ok());
        tokio::select! {
            () = work.came() => {}
            () = stop.wait(Duration::from_millis(pause_ms(&desk, &report).await)) => {}
        }
    }
}

async fn pause_ms(desk: &Desk, report: &Result<DrainReport, ApiError>) -> u64 {
    let Ok(DrainReport { stopped_because, .. }) = *report else { return AFTER_FAULT_MS };
    desk.ask(move |station| Ok(station.pause_ms(stopped_because))).await.unwrap_or(AFTER_FAULT_MS)
}

/// Turns the progress of passes into what a window is told.
struct Teller<'a> {
    desk: &'a Desk,
    told: Mutex<ToldDrain>,
}

impl<'a> Teller<'a> {
    fn new(desk: &'a Desk) -> Self {
        Self { desk, told: Mutex::new(ToldDrain::default()) }
    }

    fn hear(&self, progress: DrainProgress) {
        for told in self.drain().went_on(progress) {
            self.desk.tell(told);
        }
    }

    fn end_pass(&self, report: Option<&DrainReport>) {
        if let Some(told) = self.drain().ended(report) {
            self.desk.tell(told);
        }
    }

    fn drain(&self) -> MutexGuard<'_, ToldDrain> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
