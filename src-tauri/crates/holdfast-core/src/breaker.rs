//! The breaker of one endpoint: when a request may go out, and what its answer changes.
//!
//! Promise: it opens after exactly `fail_max` failures without a success between them, lets one canary out per half-open
//! and judges only results of its own generation, whatever the clocks do. It is persisted whole.
//!
//! Not here: what a result says (`judging`), the window of health probes (`probes`), and who is the canary (see
//! [`crate::lane::pick_canary`]).

mod judging;
pub mod probes;
mod replay;
mod retiming;
mod terms;

pub use replay::{Asked, BREAKER_VERSION, BreakerDecision, ReplayedBreaker, replay};
pub use terms::{
    Admission, Admitted, BreakerSettings, ClosesOn, Generation, Pass, Transition, TripCause, Verdict,
};

use serde::{Deserialize, Serialize};

use self::judging::longest_own_ms;
use self::probes::ProbeWindow;
use crate::ids::ActorId;
use crate::time::{Now, UtcMillis};
use crate::wait::{end_of, left_ms};

/// A breaker, as it is persisted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breaker {
    state: BreakerState,
    since: UtcMillis,
    generation: Generation,
    hold: Option<Hold>,
    #[serde(default)]
    probes: ProbeWindow,
}

/// The state, with what belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
enum BreakerState {
    /// Requests go out.
    Closed {
        /// Failures since the last success.
        failures: u32,
    },
    /// No request goes out until the cool-down is over.
    Open {
        /// When the cool-down began.
        from: Now,
        /// Its length in milliseconds.
        cool_down_ms: u64,
        /// What it takes to close it.
        #[serde(default)]
        closes_on: ClosesOn,
    },
    /// One canary goes out, or is out.
    HalfOpen {
        /// The canary that is out, if one is.
        canary: Option<CanaryOut>,
        /// The cool-down to go back to when the canary is lost, in milliseconds.
        cool_down_ms: u64,
        /// What it takes to close it.
        #[serde(default)]
        closes_on: ClosesOn,
    },
}

/// A canary that has taken the only slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct CanaryOut {
    /// When it went out.
    from: Now,
    /// How long it may take, in milliseconds.
    deadline_ms: u64,
}

/// A person (or an outside signal) holds the endpoint open. Outranks the state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// When it began.
    pub from: Now,
    /// Until when, by the wall clock as it was then.
    pub until: UtcMillis,
    /// Why.
    pub reason: String,
    /// Who.
    pub by: ActorId,
}

impl Breaker {
    /// A closed breaker.
    #[must_use]
    pub fn new(now: Now) -> Self {
        let state = BreakerState::Closed { failures: 0 };
        let probes = ProbeWindow::default();
        Self { state, since: now.wall, generation: Generation(0), hold: None, probes }
    }

    /// What a request would be told now. Changes nothing.
    #[must_use]
    pub fn admission(&self, now: Now) -> Admission {
        if let Some(until) = self.held_until(now) {
            return Admission::Held { until };
        }
        match self.state_at(now) {
            BreakerState::Closed { .. } => Admission::Closed,
            BreakerState::Open { from, cool_down_ms, .. } if left_ms(from, cool_down_ms, now) == 0 => {
                Admission::Canary
            }
            BreakerState::Open { from, cool_down_ms, .. } => {
                Admission::Open { next_try_at: end_of(from, cool_down_ms, now) }
            }
            BreakerState::HalfOpen { canary: None, .. } => Admission::Canary,
            BreakerState::HalfOpen { canary: Some(out), .. } => {
                Admission::CanaryOut { deadline: end_of(out.from, out.deadline_ms, now) }
            }
        }
    }

    /// Asks to send one request. A canary takes the only slot until its deadline.
    pub fn admit(&mut self, now: Now, settings: &BreakerSettings) -> Admitted {
        match self.admission(now) {
            Admission::Closed => {
                Admitted::Through(Pass { generation: self.generation, canary_deadline: None })
            }
            Admission::Canary => Admitted::Canary(self.let_canary_out(now, settings)),
            refused @ (Admission::Open { .. } | Admission::CanaryOut { .. } | Admission::Held { .. }) => {
                Admitted::No(refused)
            }
        }
    }

    /// Writes down what time alone has changed: a canary that is past its deadline is lost and counts as failed. Called
    /// before [`Breaker::admit`], so that the change is audited and a clock set back afterwards does not undo it.
    pub fn lapse(&mut self, now: Now) -> Option<Transition> {
        let state = self.state_at(now);
        if state == self.state {
            return None;
        }
        self.enter(state, now);
        Some(Transition::ReOpened { next_try_at: self.next_try_at(now).unwrap_or(now.wall) })
    }

    /// Holds the endpoint open until a time. The next request after that is a canary.
    pub fn hold(&mut self, now: Now, until: UtcMillis, reason: String, by: ActorId) {
        let closes_on = self.closes_on().unwrap_or(ClosesOn::Canary).anew();
        self.enter(BreakerState::Open { from: now, cool_down_ms: 0, closes_on }, now);
        self.hold = Some(Hold { from: now, until, reason, by });
    }

    /// Until when it stays open because the endpoint asked for more than the cool-down; `None` while it does not.
    #[must_use]
    pub fn asked_to_wait(&self, now: Now, settings: &BreakerSettings) -> Option<UtcMillis> {
        let Admission::Open { next_try_at } = self.admission(now) else { return None };
        match self.state {
            BreakerState::Open { cool_down_ms, .. } => {
                (cool_down_ms > longest_own_ms(settings)).then_some(next_try_at)
            }
            BreakerState::Closed { .. } | BreakerState::HalfOpen { .. } => None,
        }
    }

    /// Ends a hold whose time is over, so that it is told once.
    pub fn end_hold_that_is_over(&mut self, now: Now) -> Option<Hold> {
        self.hold.take_if(|hold| hold.is_over(now))
    }

    /// Ends a hold. The next request is a canary.
    pub fn release(&mut self) -> Option<Hold> {
        self.hold.take()
    }

    /// The hold that is in force, if one is.
    #[must_use]
    pub fn held(&self, now: Now) -> Option<&Hold> {
        self.hold.as_ref().filter(|hold| !hold.is_over(now))
    }

    /// What it takes to close it; none while it is closed.
    #[must_use]
    pub fn closes_on(&self) -> Option<ClosesOn> {
        match self.state {
            BreakerState::Closed { .. } => None,
            BreakerState::Open { closes_on, .. } | BreakerState::HalfOpen { closes_on, .. } => {
                Some(closes_on)
            }
        }
    }

    /// The probes since the last one that was up; those that tripped it, as long as it is not closed.
    #[must_use]
    pub fn probes(&self) -> &ProbeWindow {
        &self.probes
    }

    /// Whether it is closed and knows of no failure and of no probe that was down.
    #[must_use]
    pub fn is_calm(&self) -> bool {
        match self.state {
            BreakerState::Closed { failures } => failures == 0 && self.probes.probes().is_empty(),
            BreakerState::Open { .. } | BreakerState::HalfOpen { .. } => false,
        }
    }

    /// The present generation.
    #[must_use]
    pub fn generation(&self) -> Generation {
        self.generation
    }

    /// `closed`, `open` or `half_open`.
    #[must_use]
    pub fn state_word(&self, now: Now) -> &'static str {
        if self.held(now).is_some() {
            return "open";
        }
        match self.state_at(now) {
            BreakerState::Closed { .. } => "closed",
            BreakerState::Open { .. } => "open",
            BreakerState::HalfOpen { .. } => "half_open",
        }
    }

    /// Since when it is in its state.
    #[must_use]
    pub fn since(&self) -> UtcMillis {
        self.since
    }

    /// When the next canary may go, by the wall clock; `None` while closed, and while a canary is out.
    #[must_use]
    pub fn next_try_at(&self, now: Now) -> Option<UtcMillis> {
        match self.admission(now) {
            Admission::Closed | Admission::CanaryOut { .. } => None,
            Admission::Canary => Some(now.wall),
            Admission::Open { next_try_at } => Some(next_try_at),
            Admission::Held { until } => Some(until),
        }
    }

    /// As it is, without what a person wrote about a hold.
    pub(crate) fn without_words(&self) -> Self {
        let hold = self.hold.clone().map(|hold| Hold { reason: String::new(), ..hold });
        Self { hold, ..self.clone() }
    }

    /// The state as it was set, whatever time has made of it.
    pub(crate) fn state(&self) -> &'static str {
        match self.state {
            BreakerState::Closed { .. } => "closed",
            BreakerState::Open { .. } => "open",
            BreakerState::HalfOpen { .. } => "half_open",
        }
    }

    fn held_until(&self, now: Now) -> Option<UtcMillis> {
        self.held(now).map(|hold| hold.until)
    }

    /// The state as time alone has made it: a lost canary has opened the breaker again at its deadline.
    fn state_at(&self, now: Now) -> BreakerState {
        match self.state {
            BreakerState::HalfOpen { canary: Some(out), cool_down_ms, closes_on }
                if left_ms(out.from, out.deadline_ms, now) == 0 =>
            {
                let from = out.from.plus_millis(out.deadline_ms);
                BreakerState::Open { from, cool_down_ms, closes_on: closes_on.anew() }
            }
            unchanged @ (BreakerState::Closed { .. }
            | BreakerState::Open { .. }
            | BreakerState::HalfOpen { .. }) => unchanged,
        }
    }

    fn let_canary_out(&mut self, now: Now, settings: &BreakerSettings) -> Pass {
        let (cool_down_ms, closes_on) = match self.state_at(now) {
            BreakerState::Open { cool_down_ms, closes_on, .. }
            | BreakerState::HalfOpen { cool_down_ms, closes_on, .. } => (cool_down_ms, closes_on),
            BreakerState::Closed { .. } => (settings.reset_ms, ClosesOn::Canary),
        };
        let out = CanaryOut { from: now, deadline_ms: settings.canary_deadline_ms };
        // A hold that is over must not come back to life when a clock is set back.
        self.hold = None;
        self.enter(BreakerState::HalfOpen { canary: Some(out), cool_down_ms, closes_on }, now);
        Pass { generation: self.generation, canary_deadline: Some(end_of(now, out.deadline_ms, now)) }
    }

    /// Every change of state goes through here, so that none keeps the generation.
    fn enter(&mut self, state: BreakerState, now: Now) {
        if std::mem::discriminant(&state) != std::mem::discriminant(&self.state) {
            self.since = now.wall;
        }
        if matches!(state, BreakerState::Closed { .. }) {
            self.probes.empty();
        }
        self.state = state;
        self.generation = Generation(self.generation.0 + 1);
    }
}

impl Hold {
    /// Whether its time has come, by either clock.
    #[must_use]
    pub fn is_over(&self, now: Now) -> bool {
        let length = self.until.millis_since(self.from.wall);
        left_ms(self.from, u64::try_from(length).unwrap_or(0), now) == 0
    }
}
