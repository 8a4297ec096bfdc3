//! The drain: bringing the backlog to the SoR, one operation at a time, in order.
//!
//! Promise: before anything is sent the journal says that it is in flight, and after every answer it says what became of
//! it; so a kill at any point loses nothing and doubles nothing. The loop decides nothing: what is next, and what an
//! answer means, are pure functions. Between two attempts it can be stopped at once; an attempt ends within its limit.
//! Of several drains at once one sends and the others wait; what an earlier one has left in flight is put back first. When the
//! primary has nothing to do for now, its mirror is asked in the same turn.

mod attempt;
mod cascading;
mod errands;
mod on_the_way;
mod reporting;
mod watching;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use holdfast_core::breaker::Verdict;
use holdfast_core::cascade::Recorder;
use holdfast_core::time::Now;
use holdfast_wire::{ApiError, DrainReport, DrainRequest, DrainStop};
use validator::Validate as _;

use self::attempt::Attempted;
use self::cascading::{AtMirror, Token, Turned, rest_of_both};
use self::errands::ErrandsDue;
use self::on_the_way::{OnTheWay, Trial};
use crate::ports::{InFlight, Journal, JournalError};
use crate::sending::{Next, is_mirror_due, next};
use crate::settling::{Aftermath, BreakerNow, Came};
use crate::station::Station;
use crate::stop::Stop;
use crate::views;
use crate::waking::Work;

/// Longest the loop sleeps before it looks again, in milliseconds.
const LOOK_AGAIN_MAX_MS: u64 = 60_000;
/// Between work that comes and the look at it, in milliseconds: a thousand rows of an import wake the loop a few times.
const GATHER_MS: u64 = 250;

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
            token_at_primary: Token::default(),
            token_at_mirror: Token::default(),
            at_mirror: AtMirror::NotDue,
            errands_due: ErrandsDue::Now,
            work: self.work(),
        };
        let told = Mutex::new(DrainProgress::default());
        let watch = |progress: DrainProgress| {
            let before =
                std::mem::replace(&mut *told.lock().unwrap_or_else(PoisonError::into_inner), progress);
            self.has_sent(&before, &progress);
            watch(progress);
        };
        let stopped = Box::pin(run.alone(&watch)).await.map_err(|cause| views::journal_error(&cause))?;
        let report = self.drain_report(&run.progress, stopped, run.at_mirror).await;
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
    token_at_primary: Token,
    token_at_mirror: Token,
    at_mirror: AtMirror,
    errands_due: ErrandsDue,
    work: Work,
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
        if self.on_the_way.is_empty()
            && let Some(stopped) = Box::pin(self.errands()).await?
        {
            return Ok(Some(stopped));
        }
        let mut rest = [None, None];
        for (recorder, next) in Recorder::ALL.into_iter().zip(&mut rest) {
            match Box::pin(self.turn_at(recorder)).await? {
                Turned::Moved(stopped) => return Ok(stopped),
                Turned::Rests(rests) => *next = rests,
            }
        }
        if !self.on_the_way.is_empty() {
            // Whatever else there is to do, what is on its way may change it.
            return self.end_one().await;
        }
        let [primary, mirror] = rest;
        self.rest(rest_of_both(primary, mirror)).await
    }

    /// Nothing is on its way, and nothing can go.
    async fn rest(&mut self, next: Next) -> Result<Option<DrainStop>, JournalError> {
        match next {
            // There is nothing else to do: what is due is looked at to the end.
            Next::Empty if self.errands_due == ErrandsDue::Now => Ok(None),
            Next::Empty => Ok(Some(DrainStop::Empty)),
            Next::Held => Ok(Some(DrainStop::Held)),
            Next::Paused => Ok(Some(DrainStop::Paused)),
            Next::Stuck if self.request.until_empty => Ok(Some(DrainStop::Paused)),
            Next::Wait { .. } | Next::Stuck if !self.request.until_empty => Ok(Some(DrainStop::Pass)),
            Next::Wait { ms } => {
                self.errands_due = ErrandsDue::Now;
                self.sleep(ms).await
            }
            Next::Attempt { .. } | Next::Probe { .. } | Next::Stuck => self.sleep(1).await,
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
        let Attempted { came, trial, took_ms } = ended;
        self.progress.attempts += 1;
        match trial.recorder {
            Recorder::Primary => {
                self.station.pacing.answered(came.verdict, took_ms, self.most_at_once());
                let heard = matches!(came.verdict, Verdict::Success | Verdict::Alive);
                if heard && self.station.may_be_compared_again() {
                    self.errands_due = ErrandsDue::Now;
                }
            }
            Recorder::Mirror => {}
        }
        self.after(trial.recorder, came.breaker);
        self.count(came, &trial)
    }

    fn most_at_once(&self) -> u32 {
        self.station.settings_at(&Recorder::Primary.endpoint()).drain_in_flight_max
    }

    async fn begin(&mut self, recorder: Recorder) -> Result<(Option<InFlight>, Next), JournalError> {
        let now = self.station.now();
        let settings = self.station.settings_at(&recorder.endpoint());
        let (breaker, keys) = (settings.breaker(), settings.mirror_keys());
        let decided = Arc::new(Mutex::new((Next::Stuck, 0, false)));
        let told = Arc::clone(&decided);
        let in_flight = on_journal(&self.station.ports.journal, move |journal| {
            journal.begin(
                now,
                recorder,
                Box::new(move |facts| {
                    let (step, next) = next(facts, now, &breaker, keys);
                    let mirror = is_mirror_due(facts, step.endpoint(), now);
                    *told.lock().unwrap_or_else(PoisonError::into_inner) =
                        (next, facts.books.pending, mirror);
                    step
                }),
            )
        })
        .await?;
        let (next, pending, mirror) = decided.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.progress.pending = pending;
        match recorder {
            Recorder::Primary => self.mirror_is(mirror),
            Recorder::Mirror => {}
        }
        Ok((in_flight, next))
    }

    /// When the primary's breaker has closed, there may be errands.
    fn after(&mut self, recorder: Recorder, breaker: BreakerNow) {
        match (breaker, recorder) {
            (BreakerNow::AsBefore, Recorder::Primary | Recorder::Mirror)
            | (BreakerNow::JustClosed, Recorder::Mirror) => {}
            (BreakerNow::JustClosed, Recorder::Primary) => {
                self.station.pacing.closed();
                self.errands_due = ErrandsDue::Now;
            }
        }
    }

    /// Of several that were on their way with the same token, the first refusal alone says something.
    fn count(&mut self, came: Came, trial: &Trial) -> Option<DrainStop> {
        let recorder = trial.recorder;
        self.progress.quarantined += came.set_aside;
        if came.of_it == Aftermath::TokenRefused && trial.renewals < self.token(recorder).renewals {
            return None;
        }
        let renewed = std::mem::take(&mut self.token(recorder).renewed);
        match came.of_it {
            Aftermath::Committed => self.progress.committed += 1,
            Aftermath::Found => self.progress.already_committed += 1,
            Aftermath::Quarantined => {
                self.progress.quarantined += 1;
                // Whoever decides has to see what the SoR has.
                self.errands_due = ErrandsDue::Now;
            }
            Aftermath::Waits => {}
            Aftermath::Paused => return self.refused(recorder, DrainStop::Paused),
            Aftermath::TokenRefused if renewed => return self.refused(recorder, DrainStop::Unauthorized),
            Aftermath::TokenRefused => {
                if let Some(system) = self.station.recording(recorder) {
                    system.forget_token();
                }
                let token = self.token(recorder);
                token.renewed = true;
                token.renewals = token.renewals.saturating_add(1);
            }
        }
        None
    }

    /// Work that comes ends it. Meanwhile the endpoint is probed, so that one that goes away is noticed although nothing is sent.
    async fn sleep(&mut self, ms: u64) -> Result<Option<DrainStop>, JournalError> {
        let length = self.at_most(ms.min(LOOK_AGAIN_MAX_MS));
        let station = self.station;
        tokio::select! {
            () = self.stop.wait(length) => {}
            () = self.work.came() => self.stop.wait(length.min(Duration::from_millis(GATHER_MS))).await,
            never = Box::pin(station.probe_on()) => match never {},
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
