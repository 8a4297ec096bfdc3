//! The breaker against a simple model, in ten thousand made-up histories with clocks that jump, restarts in every state,
//! probes, holds and announced absences. The histories are the same in every run.

#![allow(clippy::unwrap_used)]

use holdfast_core::breaker::probes::{Found, Probe, ProbeSettings};
use holdfast_core::breaker::{
    Admission, Admitted, Breaker, BreakerSettings, ClosesOn, Pass, Transition, TripCause, Verdict,
};
use holdfast_core::ids::LocalSeq;
use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_core::wait::{Chance, RetryAfter};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

const SETTINGS: BreakerSettings =
    BreakerSettings { fail_max: 3, reset_ms: 30_000, canary_deadline_ms: 5_000, retry_after_max_s: 900 };
const PROBES: ProbeSettings = ProbeSettings { interval_ms: 5_000, window: 3, rtt_max_ms: 800 };
const START_MS: i64 = 1_800_000_000_000;
const HISTORIES: u32 = 10_000;

#[derive(Debug, Clone)]
enum Step {
    Pass { ms: u64 },
    SetClock { by_ms: i64 },
    Restart,
    Admit,
    Sense,
    Answer { which: usize, verdict: Verdict, asked_s: Option<u64> },
    Probed { which: usize, found: Found, asked_s: Option<u64> },
    Hold { ms: u64 },
    Release,
    Notice,
    Store,
}

fn a_verdict() -> impl Strategy<Value = Verdict> {
    use Verdict::{Alive, Failure, Neutral, Success};
    prop_oneof![4 => Just(Failure), 2 => Just(Success), 1 => Just(Alive), 1 => Just(Neutral), 1 => Just(Verdict::None)]
}

fn a_finding() -> impl Strategy<Value = Found> {
    prop_oneof![
        4 => Just(Found::NoLife),
        4 => (801_u64..5_000).prop_map(|rtt_ms| Found::Alive { rtt_ms }),
        2 => (0_u64..=800).prop_map(|rtt_ms| Found::Alive { rtt_ms }),
        1 => Just(Found::NotAsked),
    ]
}

fn an_asking() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![8 => Just(None), 1 => (1_u64..59).prop_map(Some), 1 => (60_u64..100_000).prop_map(Some)]
}

fn a_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0_u64..12_000).prop_map(|ms| Step::Pass { ms }),
        1 => (20_000_u64..40_000).prop_map(|ms| Step::Pass { ms }),
        1 => (-100_000_i64..100_000).prop_map(|by_ms| Step::SetClock { by_ms }),
        1 => Just(Step::Restart),
        6 => Just(Step::Admit),
        5 => Just(Step::Sense),
        6 => (any::<usize>(), a_verdict(), an_asking())
            .prop_map(|(which, verdict, asked_s)| Step::Answer { which, verdict, asked_s }),
        6 => (any::<usize>(), a_finding(), an_asking())
            .prop_map(|(which, found, asked_s)| Step::Probed { which, found, asked_s }),
        1 => (0_u64..100_000).prop_map(|ms| Step::Hold { ms }),
        1 => Just(Step::Release),
        1 => Just(Step::Notice),
        1 => Just(Step::Store),
    ]
}

/// What the breaker ought to be, in the plainest terms.
#[derive(Debug, Clone, PartialEq)]
enum Ought {
    Closed { failures: u32, downs: Vec<OughtDown> },
    Open { from: Now, for_ms: u64, slow: bool },
    HalfOpen { out_since: Option<Now>, for_ms: u64, slow: bool, canary_done: bool },
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct OughtDown {
    slow: bool,
    written_since: bool,
}

/// One history: the breaker, the model, and every pass that is out with the period that it was given in.
struct History {
    breaker: Breaker,
    ought: Ought,
    held: Option<(Now, u64)>,
    period: u64,
    out: Vec<(Pass, u64)>,
    now: Now,
}

/// The larger of both clocks; a beginning ahead of both can't be measured, and is long ago.
fn since(now: Now, from: Now) -> u64 {
    if now.wall < from.wall && now.boot < from.boot {
        return u64::MAX;
    }
    let wall = u64::try_from(now.wall.millis() - from.wall.millis()).unwrap_or(0);
    wall.max(now.boot.0.saturating_sub(from.boot.0))
}

/// With the chance in the middle: the reset, or what was asked for and half a tenth of the reset, within the limit.
fn cool_down(asked_s: Option<u64>) -> u64 {
    asked_s.map_or(0, |asked| (asked * 1_000 + 1_500).min(900_000)).max(30_000)
}

fn is_away(asked_s: Option<u64>) -> bool {
    asked_s.is_some_and(|asked| asked >= 60)
}

impl History {
    fn new() -> Self {
        let now = Now { wall: UtcMillis::from_millis(START_MS).unwrap(), boot: BootMillis(1_000_000) };
        let ought = Ought::Closed { failures: 0, downs: Vec::new() };
        Self { breaker: Breaker::new(now), ought, held: None, period: 0, out: Vec::new(), now }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Pass { ms } => self.now = self.now.plus_millis(*ms),
            Step::SetClock { by_ms } => self.now.wall = self.now.wall.plus_millis(*by_ms),
            Step::Restart => {
                self.now.boot = BootMillis(0);
                self.store();
            }
            Step::Admit => self.admit(),
            Step::Sense => self.sense(),
            Step::Answer { which, verdict, asked_s } => self.answer(*which, *verdict, *asked_s),
            Step::Probed { which, found, asked_s } => self.probed(*which, *found, *asked_s),
            Step::Hold { ms } => self.hold(*ms),
            Step::Release => self.release(),
            Step::Notice => self.notice(),
            Step::Store => self.store(),
        }
    }

    fn store(&mut self) {
        let stored = serde_json::to_string(&self.breaker).unwrap();
        self.breaker = serde_json::from_str(&stored).unwrap();
    }

    fn enter(&mut self, ought: Ought) {
        self.ought = ought;
        self.period += 1;
    }

    fn is_held(&self) -> bool {
        self.held.is_some_and(|(from, length)| since(self.now, from) < length)
    }

    /// A canary past its deadline has failed.
    fn lose_canary(&mut self) -> bool {
        match self.ought {
            Ought::HalfOpen { out_since: Some(from), for_ms, slow, .. }
                if since(self.now, from) >= SETTINGS.canary_deadline_ms =>
            {
                let from = from.plus_millis(SETTINGS.canary_deadline_ms);
                self.enter(Ought::Open { from, for_ms, slow });
                true
            }
            Ought::Closed { .. } | Ought::Open { .. } | Ought::HalfOpen { .. } => false,
        }
    }

    /// As the drain does: what time alone has changed is noticed first.
    fn admit(&mut self) {
        self.notice();
        match self.breaker.admit(self.now, &SETTINGS) {
            Admitted::Through(pass) => {
                assert!(matches!(self.ought, Ought::Closed { .. }), "through while {:?}", self.ought);
                self.out.push((pass, self.period));
            }
            Admitted::Canary(pass) => self.canary(pass),
            Admitted::No(why) => self.refused(why),
        }
    }

    fn canary(&mut self, pass: Pass) {
        assert!(!self.is_held(), "a canary while it is held");
        let (for_ms, slow, canary_done) = match self.ought {
            Ought::Open { from, for_ms, slow } => {
                assert!(since(self.now, from) >= for_ms, "too early");
                (for_ms, slow, false)
            }
            Ought::HalfOpen { out_since: None, for_ms, slow, canary_done } => (for_ms, slow, canary_done),
            Ought::Closed { .. } | Ought::HalfOpen { .. } => panic!("a canary while {:?}", self.ought),
        };
        self.held = None;
        self.enter(Ought::HalfOpen { out_since: Some(self.now), for_ms, slow, canary_done });
        let wants = match (slow, canary_done) {
            (false, _) => ClosesOn::Canary,
            (true, false) => ClosesOn::CanaryAndFastProbe,
            (true, true) => ClosesOn::FastProbe,
        };
        assert_eq!(self.breaker.closes_on(), Some(wants));
        self.out.push((pass, self.period));
    }

    fn refused(&self, why: Admission) {
        match (&self.ought, why) {
            (_, Admission::Held { .. }) => assert!(self.is_held()),
            (Ought::Open { from, for_ms, .. }, Admission::Open { next_try_at }) => {
                let left = for_ms - since(self.now, *from);
                assert_eq!(next_try_at, self.now.plus_millis(left).wall, "the published next try");
            }
            (Ought::HalfOpen { out_since: Some(_), .. }, Admission::CanaryOut { .. }) => {}
            (ought, why) => panic!("refused as {why:?} while {ought:?}"),
        }
    }

    /// No probes while it is open, half-open or held.
    fn sense(&mut self) {
        let pass = self.breaker.probe_pass(self.now);
        let closed = matches!(self.ought, Ought::Closed { .. });
        assert_eq!(pass.is_some(), closed && !self.is_held(), "{:?}", self.ought);
        self.out.extend(pass.map(|pass| (pass, self.period)));
    }

    fn hold(&mut self, ms: u64) {
        let until = self.now.wall.plus_millis(i64::try_from(ms).unwrap());
        self.breaker.hold(self.now, until, "maintenance".into(), "supervisor".parse().unwrap());
        let slow = match self.ought {
            Ought::Closed { .. } => false,
            Ought::Open { slow, .. } | Ought::HalfOpen { slow, .. } => slow,
        };
        self.held = Some((self.now, ms));
        self.enter(Ought::Open { from: self.now, for_ms: 0, slow });
    }

    fn release(&mut self) {
        let held = self.is_held();
        assert_eq!(self.breaker.held(self.now).is_some(), held);
        self.breaker.release();
        self.held = None;
    }

    fn notice(&mut self) {
        let lost = self.lose_canary();
        assert_eq!(self.breaker.lapse(self.now).is_some(), lost);
    }

    fn answer(&mut self, which: usize, verdict: Verdict, asked_s: Option<u64>) {
        let Some((pass, period)) = self.picked(which) else { return };
        let asked = asked_s.map(|asked| RetryAfter::from_ms(asked * 1_000));
        self.told(
            period,
            |breaker, now| breaker.record(now, &SETTINGS, &pass, verdict, asked, Chance::MIDDLE),
            |ought| ought.expected(verdict, asked_s),
        );
    }

    fn probed(&mut self, which: usize, found: Found, asked_s: Option<u64>) {
        let Some((pass, period)) = self.picked(which) else { return };
        let asked = asked_s.map(|asked| RetryAfter::from_ms(asked * 1_000));
        let probe = Probe { at: self.now.wall, after: LocalSeq(1), found };
        let limits = (&SETTINGS, &PROBES);
        self.told(
            period,
            |breaker, now| breaker.record_probe(now, limits, &pass, probe, asked, Chance::MIDDLE),
            |ought| ought.expected_of_probe(found, asked_s),
        );
    }

    fn picked(&mut self, which: usize) -> Option<(Pass, u64)> {
        (!self.out.is_empty()).then(|| self.out.swap_remove(which % self.out.len()))
    }

    fn told(
        &mut self,
        period: u64,
        tell: impl FnOnce(&mut Breaker, Now) -> Option<Transition>,
        expect: impl FnOnce(&mut Self) -> Option<Expected>,
    ) {
        let lost = self.lose_canary();
        let before = self.breaker.clone();
        let change = tell(&mut self.breaker, self.now);
        if period != self.period {
            assert_eq!(change.is_some(), lost, "a stale result changes nothing");
            assert!(lost || self.breaker == before);
            return;
        }
        let happened = change.map(|change| match change {
            Transition::Tripped { cause, .. } => Expected::Tripped(cause),
            Transition::Closed => Expected::Closed,
            Transition::ReOpened { .. } => Expected::ReOpened,
            Transition::HalfOpened => panic!("a result opens nothing half"),
        });
        assert_eq!(happened, expect(self));
    }

    fn trip(&mut self, cause: TripCause, asked_s: Option<u64>) -> Option<Expected> {
        let slow = cause == TripCause::ProbesSlow;
        self.enter(Ought::Open { from: self.now, for_ms: cool_down(asked_s), slow });
        Some(Expected::Tripped(cause))
    }

    fn expected(&mut self, verdict: Verdict, asked_s: Option<u64>) -> Option<Expected> {
        let (failures, downs) = match self.ought.clone() {
            Ought::Closed { failures, downs } => (failures, downs),
            Ought::HalfOpen { slow, canary_done, .. } => {
                let alive = matches!(verdict, Verdict::Success | Verdict::Alive);
                let none = verdict == Verdict::None;
                return self.half_open((alive, none), (slow, canary_done), asked_s);
            }
            Ought::Open { .. } => panic!("a pass of an open period"),
        };
        match verdict {
            Verdict::Failure if is_away(asked_s) => self.trip(TripCause::Announced, asked_s),
            Verdict::Failure if failures + 1 == SETTINGS.fail_max => self.trip(TripCause::Failures, asked_s),
            Verdict::Failure => {
                self.ought = Ought::Closed { failures: failures + 1, downs };
                None
            }
            Verdict::Success => {
                let mut downs = downs;
                downs.iter_mut().last().into_iter().for_each(|down| down.written_since = true);
                self.ought = Ought::Closed { failures: 0, downs };
                None
            }
            Verdict::Alive | Verdict::Neutral | Verdict::None => None,
        }
    }

    fn expected_of_probe(&mut self, found: Found, asked_s: Option<u64>) -> Option<Expected> {
        let slow_now = matches!(found, Found::Alive { rtt_ms } if rtt_ms > 800);
        let (failures, mut downs) = match self.ought.clone() {
            Ought::Closed { failures, downs } => (failures, downs),
            Ought::HalfOpen { slow, canary_done, .. } => {
                let alive = matches!(found, Found::Alive { .. }) && !(slow && slow_now);
                let none = found == Found::NotAsked;
                // A fast one has shown all there is to show.
                return self.half_open((alive, none), (slow && !alive, canary_done), asked_s);
            }
            Ought::Open { .. } => panic!("a pass of an open period"),
        };
        match found {
            Found::NotAsked => return None,
            Found::Alive { .. } if !slow_now => downs.clear(),
            Found::Alive { .. } | Found::NoLife => {
                downs.push(OughtDown { slow: slow_now, written_since: false });
            }
        }
        let last: Vec<_> = downs.iter().rev().take(PROBES.window as usize).copied().collect();
        self.ought = Ought::Closed { failures, downs };
        if last.len() < PROBES.window as usize {
            return None;
        }
        match (last.iter().any(|down| down.slow), last.iter().any(|down| down.written_since)) {
            (false, _) if is_away(asked_s) => self.trip(TripCause::Announced, asked_s),
            (false, _) => self.trip(TripCause::ProbesFailed, asked_s),
            (true, false) => self.trip(TripCause::ProbesSlow, asked_s),
            (true, true) => None,
        }
    }

    fn half_open(
        &mut self,
        (alive, none): (bool, bool),
        (slow, canary_done): (bool, bool),
        asked_s: Option<u64>,
    ) -> Option<Expected> {
        let cool_ms = cool_down(asked_s);
        if none {
            self.enter(Ought::HalfOpen { out_since: None, for_ms: cool_ms, slow, canary_done });
            None
        } else if alive && slow {
            self.enter(Ought::HalfOpen { out_since: None, for_ms: cool_ms, slow, canary_done: true });
            None
        } else if alive {
            self.enter(Ought::Closed { failures: 0, downs: Vec::new() });
            Some(Expected::Closed)
        } else {
            self.enter(Ought::Open { from: self.now, for_ms: cool_ms, slow });
            Some(Expected::ReOpened)
        }
    }

    /// Of the passes that are out, at most one is a canary whose result would still count.
    fn has_at_most_one_canary(&self) -> bool {
        let live = |(pass, period): &&(Pass, u64)| pass.is_canary() && *period == self.period;
        self.out.iter().filter(live).count() <= 1
    }
}

/// What a result ought to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Tripped(TripCause),
    Closed,
    ReOpened,
}

#[test]
fn in_every_history_it_does_what_the_model_does() {
    let config = ProptestConfig { cases: HISTORIES, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let histories = prop::collection::vec(a_step(), 1..80);
    let judged = runner.run(&histories, |steps| {
        let mut history = History::new();
        for step in &steps {
            history.take(step);
            prop_assert!(history.has_at_most_one_canary());
        }
        Ok(())
    });
    judged.unwrap();
}
