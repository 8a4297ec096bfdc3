//! The drain: bringing the backlog to the SoR, one operation at a time, in order.
//!
//! Promise: before anything is sent the journal says that it is in flight, and after every answer it says what became of
//! it; so a kill at any point loses nothing and doubles nothing. The loop decides nothing: what is next, and what an
//! answer means, are pure functions. Between two attempts it can be stopped at once; an attempt ends within its limit.
//! Of several drains at once one sends and the others wait; what an earlier one has left in flight is put back first.

mod attempt;
mod errands;
mod on_the_way;
mod reporting;
mod watching;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use holdfast_core::breaker::Verdict;
use holdfast_core::time::Now;
use holdfast_wire::{ApiError, DrainReport, DrainRequest, DrainStop};
use validator::Validate as _;

use self::attempt::Attempted;
use self::errands::ErrandsDue;
use self::on_the_way::OnTheWay;
use crate::ports::{InFlight, Journal, JournalError};
use crate::sending::{Next, next};
use crate::settling::{Aftermath, BreakerNow, Came};
use crate::station::Station;
use crate::stop::Stop;
use crate::views;

/// Longest the loop sleeps before it looks again, in milliseconds.
const LOOK_AGAIN_MAX_MS: u64 = 60_000;

/// How far a drain has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrainProgress {
    /// Recorded now.
    pub committed: u64,
    /// Found to be recorded already.
    pub already_committed: u64,
    /// Put before a person.
    pub quarantined: u64,
    /// Attempts.
    pub attempts: u64,
    /// Still waiting.
    pub pending: u64,
}

impl DrainProgress {
    /// What was done after `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            committed: self.committed.saturating_sub(before.committed),
            already_committed: self.already_committed.saturating_sub(before.already_committed),
            quarantined: self.quarantined.saturating_sub(before.quarantined),
            attempts: self.attempts.saturating_sub(before.attempts),
            pending: self.pending,
        }
    }
}

impl Station {
    /// Brings the backlog to the SoR: one pass, or with `until_empty` through open breakers until nothing is left.
    /// Nobody needs to be signed in.
    ///
    /// `watch` is told after every attempt and every wait.
    ///
    /// # Errors
    /// The journal cannot be used; what was in flight is found at the next start.
    pub async fn drain(
        &self,
        request: DrainRequest,
        stop: Stop,
        watch: &(dyn Fn(DrainProgress) + Send + Sync),
    ) -> Result<DrainReport, ApiError> {
        request.validate().map_err(|_| views::error(holdfast_wire::ApiCode::Refused))?;
        let began = self.now();
        let mut run = Run {
            station: self,
            request,
            stop,
            began,
            progress: DrainProgress::default(),
            on_the_way: OnTheWay::default(),
            renewed: false,
            renewals: 0,
            errands_due: ErrandsDue::Now,
        };
        let told = Mutex::new(DrainProgress::default());
        let watch = |progress: DrainProgress| {
            let before =
                std::mem::replace(&mut *told.lock().unwrap_or_else(PoisonError::into_inner), progress);
            self.has_sent(&before, &progress);
            watch(progress);
        };
        let stopped = run.alone(&watch).await.map_err(|cause| views::journal_error(&cause))?;
        let report = self.drain_report(&run.progress, stopped).await;
        report.map_err(|cause| views::journal_error(&cause))
    }
}

/// One run of the drain.
struct Run<'a> {
    station: &'a Station,
    request: DrainRequest,
    stop: Stop,
    began: Now,
    progress: DrainProgress,
    on_the_way: OnTheWay<'a>,
    /// Whether the token was renewed since the last answer that was not about it.
    renewed: bool,
    /// How often it was.
    renewals: u32,
    errands_due: ErrandsDue,
}

impl Run<'_> {
    /// Runs when no other drain does; waits for its turn as long as it waits for anything.
    async fn alone(
        &mut self,
        watch: &(dyn Fn(DrainProgress) + Send + Sync),
    ) -> Result<DrainStop, JournalError> {
        let station = self.station;
        let longest = self.at_most(LOOK_AGAIN_MAX_MS);
        let _turn = tokio::select! {
            biased;
            turn = station.draining.lock() => turn,
            () = self.stop.wait(longest) => return Ok(DrainStop::Time),
        };
        // One that was dropped in the middle of an attempt, or whose answer the disk did not take, left it in flight.
        let now = station.now();
        on_journal(&station.ports.journal, move |journal| journal.recover(now)).await?;
        self.run(watch).await
    }

    /// Every turn of the loop begins an attempt or ends one, or is one probe or one wait; the time limit and `stop` end it.
    /// What is on its way then is waited for: each attempt ends within its own limit.
    async fn run(
        &mut self,
        watch: &(dyn Fn(DrainProgress) + Send + Sync),
    ) -> Result<DrainStop, JournalError> {
        let stopped = loop {
            let turned = match self.is_over() {
                Some(stopped) => break stopped,
                None => self.turn().await?,
            };
            watch(self.progress);
            if let Some(stopped) = turned {
                break stopped;
            }
        };
        while let Some(ended) = self.on_the_way.next_ended().await {
            self.take_in(ended?);
            watch(self.progress);
        }
        Ok(stopped)
    }

    fn is_over(&self) -> Option<DrainStop> {
        if self.stop.is_asked() || self.time_left() == Some(Duration::ZERO) {
            return Some(DrainStop::Time);
        }
        self.pass_is_done().then_some(DrainStop::Pass)
    }

    async fn turn(&mut self) -> Result<Option<DrainStop>, JournalError> {
        if self.on_the_way.is_full(self.station.pacing.allowed(self.most_at_once())) {
            return self.end_one().await;
        }
        if self.on_the_way.is_empty()
            && let Some(stopped) = self.errands().await?
        {
            return Ok(Some(stopped));
        }
        let (in_flight, next) = self.begin().await?;
        match (next, in_flight) {
            (Next::Attempt { pass, what }, Some(in_flight)) => {
                self.on_the_way.begin(self.station, in_flight, pass, what, self.renewals);
                Ok(None)
            }
            (Next::Probe { pass }, _) => self.probe(&pass).await,
            // Whatever else there is to do, what is on its way may change it.
            _ if !self.on_the_way.is_empty() => self.end_one().await,
            // There is nothing else to do: what is due is looked at to the end.
            (Next::Empty, _) if self.errands_due == ErrandsDue::Now => Ok(None),
            (Next::Empty, _) => Ok(Some(DrainStop::Empty)),
            (Next::Held, _) => Ok(Some(DrainStop::Held)),
            (Next::Paused, _) => Ok(Some(DrainStop::Paused)),
            (Next::Stuck, _) if self.request.until_empty => Ok(Some(DrainStop::Paused)),
            (Next::Wait { .. } | Next::Stuck, _) if !self.request.until_empty => Ok(Some(DrainStop::Pass)),
            (Next::Wait { ms }, _) => {
                self.errands_due = ErrandsDue::Now;
                self.sleep(ms).await
            }
            // The row vanished between decision and write: look again.
            (Next::Attempt { .. } | Next::Stuck, _) => self.sleep(1).await,
        }
    }

    /// Waits for the next one that ends.
    async fn end_one(&mut self) -> Result<Option<DrainStop>, JournalError> {
        match self.on_the_way.next_ended().await {
            Some(ended) => Ok(self.take_in(ended?)),
            None => Ok(None),
        }
    }

    fn take_in(&mut self, ended: Attempted) -> Option<DrainStop> {
        let Attempted { came, renewals, took_ms } = ended;
        self.progress.attempts += 1;
        self.station.pacing.answered(came.verdict, took_ms, self.most_at_once());
        if matches!(came.verdict, Verdict::Success | Verdict::Alive) && self.station.may_be_compared_again() {
            self.errands_due = ErrandsDue::Now;
        }
        self.after(came.breaker);
        self.count(came, renewals)
    }

    fn most_at_once(&self) -> u32 {
        self.station.settings().drain_in_flight_max
    }

    async fn begin(&mut self) -> Result<(Option<InFlight>, Next), JournalError> {
        let now = self.station.now();
        let settings = self.station.settings().breaker();
        let decided = Arc::new(Mutex::new((Next::Stuck, 0)));
        let told = Arc::clone(&decided);
        let in_flight = on_journal(&self.station.ports.journal, move |journal| {
            journal.begin(
                now,
                Box::new(move |facts| {
                    let (step, next) = next(facts, now, &settings);
                    *told.lock().unwrap_or_else(PoisonError::into_inner) = (next, facts.books.pending);
                    step
                }),
            )
        })
        .await?;
        let (next, pending) = decided.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.progress.pending = pending;
        Ok((in_flight, next))
    }

    /// When the breaker has closed, there may be errands.
    fn after(&mut self, breaker: BreakerNow) {
        match breaker {
            BreakerNow::AsBefore => {}
            BreakerNow::JustClosed => {
                self.station.pacing.closed();
                self.errands_due = ErrandsDue::Now;
            }
        }
    }

    /// `renewals` is how often the token had been renewed when the attempt began: of several that were on their way with the
    /// same token, the first refusal alone says something.
    fn count(&mut self, came: Came, renewals: u32) -> Option<DrainStop> {
        self.progress.quarantined += came.set_aside;
        if came.of_it == Aftermath::TokenRefused && renewals < self.renewals {
            return None;
        }
        let renewed = std::mem::take(&mut self.renewed);
        match came.of_it {
            Aftermath::Committed => self.progress.committed += 1,
            Aftermath::Found => self.progress.already_committed += 1,
            Aftermath::Quarantined => {
                self.progress.quarantined += 1;
                // Whoever decides has to see what the SoR has.
                self.errands_due = ErrandsDue::Now;
            }
            Aftermath::Waits => {}
            Aftermath::Paused => return Some(self.refused(DrainStop::Paused)),
            Aftermath::TokenRefused if renewed => return Some(self.refused(DrainStop::Unauthorized)),
            Aftermath::TokenRefused => {
                self.station.ports.sor.forget_token();
                self.renewed = true;
                self.renewals = self.renewals.saturating_add(1);
            }
        }
        None
    }

    /// The drain stops because the SoR refuses this station.
    fn refused(&self, stop: DrainStop) -> DrainStop {
        let at = self.station.now().wall;
        self.station.welcomed(|welcome| welcome.stopped(at));
        stop
    }

    /// Meanwhile the endpoint is probed, so that one that goes away is noticed although nothing is sent.
    async fn sleep(&mut self, ms: u64) -> Result<Option<DrainStop>, JournalError> {
        let length = self.at_most(ms.min(LOOK_AGAIN_MAX_MS));
        let station = self.station;
        tokio::select! {
            () = self.stop.wait(length) => {}
            never = station.probe_on() => match never {},
        }
        Ok(None)
    }

    /// So long, or until the drain's time is over.
    fn at_most(&self, ms: u64) -> Duration {
        let length = Duration::from_millis(ms);
        self.time_left().map_or(length, |left| left.min(length))
    }

    fn time_left(&self) -> Option<Duration> {
        let max_ms = u64::from(self.request.max_s?) * 1_000;
        let gone_ms = self.station.now().millis_since(self.began);
        Some(Duration::from_millis(max_ms.saturating_sub(gone_ms)))
    }

    fn pass_is_done(&self) -> bool {
        !self.request.until_empty
            && self.on_the_way.begun() >= u64::from(self.station.settings().reconcile_batch)
    }
}

/// The journal blocks for a disk write; the runtime's own threads must not.
pub(crate) async fn on_journal<T: Send + 'static>(
    journal: &Arc<dyn Journal>,
    work: impl FnOnce(&dyn Journal) -> Result<T, JournalError> + Send + 'static,
) -> Result<T, JournalError> {
    let journal = Arc::clone(journal);
    let done = tokio::task::spawn_blocking(move || work(&*journal)).await;
    done.unwrap_or_else(|lost| Err(JournalError::Failed(Box::new(lost))))
}
