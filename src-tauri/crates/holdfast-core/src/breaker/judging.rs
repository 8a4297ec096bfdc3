//! What a result says to a breaker: of a request that went through it, and of a probe.
//!
//! Promise: the count of failed writes and the window of probes are two counts that never touch each other; either trips.
//! An endpoint that says itself that it will be away for longer than the breaker would wait, and for a minute at least, is believed at once.

use super::probes::{Found, Probe, ProbeSettings, WindowSays};
use super::{Breaker, BreakerSettings, BreakerState, ClosesOn, Pass, Transition, TripCause, Verdict};
use crate::time::Now;
use crate::wait::{Chance, RetryAfter, end_of};

/// An endpoint that asks for less is busy; one that asks for as much says that it is away, in milliseconds.
const ANNOUNCED_MIN_MS: u64 = 60_000;

impl Breaker {
    /// Brings back the result of a request. A result of an older generation changes nothing.
    pub fn record(
        &mut self,
        now: Now,
        settings: &BreakerSettings,
        pass: &Pass,
        verdict: Verdict,
        retry_after: Option<RetryAfter>,
        chance: Chance,
    ) -> Option<Transition> {
        let lapsed = self.lapse(now);
        if pass.generation != self.generation {
            return lapsed;
        }
        let cool_down_ms = cool_down_ms(settings, retry_after, chance);
        match self.state {
            BreakerState::Closed { failures } if is_announced(settings, verdict, retry_after) => {
                Some(self.trip(now, TripCause::Announced, failures.saturating_add(1), cool_down_ms))
            }
            BreakerState::Closed { failures } => {
                self.judge_closed(now, settings, failures, verdict, cool_down_ms)
            }
            BreakerState::HalfOpen { closes_on, .. } => {
                self.judge_canary(now, closes_on, verdict, cool_down_ms)
            }
            // Every way into this state raises the generation, and no pass is given out in it.
            BreakerState::Open { .. } => None,
        }
    }

    /// The right to send a probe that is no canary; none unless it is closed.
    #[must_use]
    pub fn probe_pass(&self, now: Now) -> Option<Pass> {
        match (self.held(now), self.state) {
            (None, BreakerState::Closed { .. }) => {
                Some(Pass { generation: self.generation, canary_deadline: None })
            }
            (Some(_), _) | (None, BreakerState::Open { .. } | BreakerState::HalfOpen { .. }) => None,
        }
    }

    /// Brings back what came of a probe, be it one of a closed breaker or the canary. One of an older generation changes
    /// nothing.
    pub fn record_probe(
        &mut self,
        now: Now,
        limits: (&BreakerSettings, &ProbeSettings),
        pass: &Pass,
        probe: Probe,
        retry_after: Option<RetryAfter>,
        chance: Chance,
    ) -> Option<Transition> {
        let (settings, probes) = limits;
        let lapsed = self.lapse(now);
        if pass.generation != self.generation {
            return lapsed;
        }
        let cool_down_ms = cool_down_ms(settings, retry_after, chance);
        match self.state {
            BreakerState::Closed { failures } => {
                let cause = match self.probes.take_in(probe, probes) {
                    WindowSays::Wait => return None,
                    WindowSays::Gone if asks_for_longer(settings, retry_after) => TripCause::Announced,
                    WindowSays::Gone => TripCause::ProbesFailed,
                    WindowSays::Slow => TripCause::ProbesSlow,
                };
                Some(self.trip(now, cause, failures, cool_down_ms))
            }
            BreakerState::HalfOpen { closes_on, .. } => {
                let verdict = as_canary(probe.found, closes_on, probes);
                // One that is fast enough has shown both.
                let left = if verdict == Verdict::Alive { ClosesOn::Canary } else { closes_on };
                self.judge_canary(now, left, verdict, cool_down_ms)
            }
            BreakerState::Open { .. } => None,
        }
    }

    fn judge_closed(
        &mut self,
        now: Now,
        settings: &BreakerSettings,
        failures: u32,
        verdict: Verdict,
        cool_down_ms: u64,
    ) -> Option<Transition> {
        match verdict {
            Verdict::Success => {
                self.state = BreakerState::Closed { failures: 0 };
                self.probes.write_succeeded();
            }
            Verdict::Alive | Verdict::Neutral | Verdict::None => {}
            Verdict::Failure => {
                let failures = failures.saturating_add(1);
                if failures >= settings.fail_max {
                    return Some(self.trip(now, TripCause::Failures, failures, cool_down_ms));
                }
                self.state = BreakerState::Closed { failures };
            }
        }
        None
    }

    fn judge_canary(
        &mut self,
        now: Now,
        closes_on: ClosesOn,
        verdict: Verdict,
        cool_down_ms: u64,
    ) -> Option<Transition> {
        match (verdict, closes_on.after_canary()) {
            (Verdict::Success | Verdict::Alive, None) => {
                self.enter(BreakerState::Closed { failures: 0 }, now);
                Some(Transition::Closed)
            }
            (Verdict::Success | Verdict::Alive, Some(closes_on)) => {
                self.enter(BreakerState::HalfOpen { canary: None, cool_down_ms, closes_on }, now);
                None
            }
            (Verdict::Failure | Verdict::Neutral, _) => {
                let closes_on = closes_on.anew();
                self.enter(BreakerState::Open { from: now, cool_down_ms, closes_on }, now);
                Some(Transition::ReOpened { next_try_at: end_of(now, cool_down_ms, now) })
            }
            (Verdict::None, _) => {
                self.enter(BreakerState::HalfOpen { canary: None, cool_down_ms, closes_on }, now);
                None
            }
        }
    }

    fn trip(&mut self, now: Now, cause: TripCause, failures: u32, cool_down_ms: u64) -> Transition {
        let closes_on = match cause {
            TripCause::ProbesSlow => ClosesOn::CanaryAndFastProbe,
            TripCause::Failures | TripCause::Announced | TripCause::ProbesFailed => ClosesOn::Canary,
        };
        self.enter(BreakerState::Open { from: now, cool_down_ms, closes_on }, now);
        Transition::Tripped { cause, failures, next_try_at: end_of(now, cool_down_ms, now) }
    }
}

/// What a probe that was the canary says; a slow one is no life where a fast one is asked for.
fn as_canary(found: Found, closes_on: ClosesOn, settings: &ProbeSettings) -> Verdict {
    match (found, found.down(settings), closes_on) {
        (Found::NotAsked, _, _) => Verdict::None,
        (Found::NoLife, _, _) => Verdict::Failure,
        (Found::Alive { .. }, Some(_), ClosesOn::CanaryAndFastProbe | ClosesOn::FastProbe) => {
            Verdict::Failure
        }
        (Found::Alive { .. }, Some(_), ClosesOn::Canary) | (Found::Alive { .. }, None, _) => Verdict::Alive,
    }
}

fn is_announced(settings: &BreakerSettings, verdict: Verdict, retry_after: Option<RetryAfter>) -> bool {
    verdict == Verdict::Failure && asks_for_longer(settings, retry_after)
}

fn asks_for_longer(settings: &BreakerSettings, retry_after: Option<RetryAfter>) -> bool {
    retry_after.is_some_and(|asked| asked.ms() >= ANNOUNCED_MIN_MS.max(longest_own_ms(settings)))
}

/// The longest cool-down that nobody asked for, in milliseconds.
pub(super) fn longest_own_ms(settings: &BreakerSettings) -> u64 {
    settings.reset_ms + settings.reset_ms / 10
}

/// `reset` ±10 %; longer, with the jitter on top, when the answer asked for it.
fn cool_down_ms(settings: &BreakerSettings, retry_after: Option<RetryAfter>, chance: Chance) -> u64 {
    let tenth = settings.reset_ms / 10;
    let jittered = settings.reset_ms - tenth + chance.share_of(2 * tenth + 1);
    let most = u64::from(settings.retry_after_max_s) * 1000;
    let asked = retry_after.map_or(0, |asked| asked.ms().saturating_add(chance.share_of(tenth)).min(most));
    jittered.max(asked)
}
