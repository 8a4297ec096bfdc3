//! The breaker against a simple model, in ten thousand made-up histories with clocks that jump.

#![allow(clippy::unwrap_used)]

use holdfast_core::breaker::{Admission, Admitted, Breaker, BreakerSettings, Pass, Transition, Verdict};
use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_core::wait::Chance;
use proptest::prelude::*;

const SETTINGS: BreakerSettings =
    BreakerSettings { fail_max: 3, reset_ms: 30_000, canary_deadline_ms: 5_000, retry_after_max_s: 900 };
const START_MS: i64 = 1_800_000_000_000;

#[derive(Debug, Clone)]
enum Step {
    Pass { ms: u64 },
    SetClock { by_ms: i64 },
    Restart,
    Admit,
    Answer { which: usize, verdict: Verdict },
    Notice,
    Store,
}

fn a_verdict() -> impl Strategy<Value = Verdict> {
    use Verdict::{Alive, Failure, Neutral, Success};
    prop_oneof![4 => Just(Failure), 2 => Just(Success), 1 => Just(Alive), 1 => Just(Neutral), 1 => Just(Verdict::None)]
}

fn a_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0_u64..12_000).prop_map(|ms| Step::Pass { ms }),
        1 => (20_000_u64..40_000).prop_map(|ms| Step::Pass { ms }),
        1 => (-100_000_i64..100_000).prop_map(|by_ms| Step::SetClock { by_ms }),
        1 => Just(Step::Restart),
        6 => Just(Step::Admit),
        6 => (any::<usize>(), a_verdict()).prop_map(|(which, verdict)| Step::Answer { which, verdict }),
        1 => Just(Step::Notice),
        1 => Just(Step::Store),
    ]
}

/// What the breaker ought to be, in the plainest terms.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ought {
    Closed { failures: u32 },
    Open { from: Now },
    HalfOpen { out_since: Option<Now> },
}

/// One history: the breaker, the model, and every pass that is out with the period that it was given in.
struct History {
    breaker: Breaker,
    ought: Ought,
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

impl History {
    fn new() -> Self {
        let now = Now { wall: UtcMillis::from_millis(START_MS).unwrap(), boot: BootMillis(1_000_000) };
        Self {
            breaker: Breaker::new(now),
            ought: Ought::Closed { failures: 0 },
            period: 0,
            out: Vec::new(),
            now,
        }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Pass { ms } => self.now = self.now.plus_millis(*ms),
            Step::SetClock { by_ms } => self.now.wall = self.now.wall.plus_millis(*by_ms),
            Step::Restart => self.now.boot = BootMillis(0),
            Step::Admit => self.admit(),
            Step::Answer { which, verdict } => self.answer(*which, *verdict),
            Step::Notice => self.notice(),
            Step::Store => {
                let stored = serde_json::to_string(&self.breaker).unwrap();
                self.breaker = serde_json::from_str(&stored).unwrap();
            }
        }
    }

    fn enter(&mut self, ought: Ought) {
        self.ought = ought;
        self.period += 1;
    }

    /// A canary past its deadline has failed.
    fn lose_canary(&mut self) -> bool {
        match self.ought {
            Ought::HalfOpen { out_since: Some(from) }
                if since(self.now, from) >= SETTINGS.canary_deadline_ms =>
            {
                self.enter(Ought::Open { from: from.plus_millis(SETTINGS.canary_deadline_ms) });
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
            Admitted::Canary(pass) => {
                match self.ought {
                    Ought::Open { from } => assert!(since(self.now, from) >= SETTINGS.reset_ms, "too early"),
                    Ought::HalfOpen { out_since: None } => {}
                    Ought::Closed { .. } | Ought::HalfOpen { .. } => {
                        panic!("a canary while {:?}", self.ought)
                    }
                }
                self.enter(Ought::HalfOpen { out_since: Some(self.now) });
                self.out.push((pass, self.period));
            }
            Admitted::No(why) => self.refused(why),
        }
    }

    fn refused(&self, why: Admission) {
        match (self.ought, why) {
            (Ought::Open { from }, Admission::Open { next_try_at }) => {
                let left = SETTINGS.reset_ms - since(self.now, from);
                assert_eq!(next_try_at, self.now.plus_millis(left).wall, "the published next try");
            }
            (Ought::HalfOpen { out_since: Some(_) }, Admission::CanaryOut { .. }) => {}
            (ought, why) => panic!("refused as {why:?} while {ought:?}"),
        }
    }

    fn notice(&mut self) {
        let lost = self.lose_canary();
        assert_eq!(self.breaker.lapse(self.now).is_some(), lost);
    }

    fn answer(&mut self, which: usize, verdict: Verdict) {
        if self.out.is_empty() {
            return;
        }
        let (pass, period) = self.out.swap_remove(which % self.out.len());
        let lost = self.lose_canary();
        let before = self.breaker.clone();
        let change = self.breaker.record(self.now, &SETTINGS, &pass, verdict, None, Chance::MIDDLE);
        if period != self.period {
            assert_eq!(change.is_some(), lost, "a stale result changes nothing");
            assert!(lost || self.breaker == before);
            return;
        }
        match (self.expected(verdict), change) {
            (None, None) => {}
            (Some("tripped"), Some(Transition::Tripped { failures, .. })) => {
                assert_eq!(failures, SETTINGS.fail_max)
            }
            (Some("closed"), Some(Transition::Closed))
            | (Some("reopened"), Some(Transition::ReOpened { .. })) => {}
            (expected, change) => panic!("{expected:?}, but {change:?}"),
        }
    }

    fn expected(&mut self, verdict: Verdict) -> Option<&'static str> {
        match (self.ought, verdict) {
            (Ought::Closed { .. }, Verdict::Success) => self.ought = Ought::Closed { failures: 0 },
            (Ought::Closed { failures }, Verdict::Failure) if failures + 1 == SETTINGS.fail_max => {
                self.enter(Ought::Open { from: self.now });
                return Some("tripped");
            }
            (Ought::Closed { failures }, Verdict::Failure) => {
                self.ought = Ought::Closed { failures: failures + 1 };
            }
            (Ought::Closed { .. }, Verdict::Alive | Verdict::Neutral | Verdict::None) => {}
            (Ought::HalfOpen { .. }, Verdict::Success | Verdict::Alive) => {
                self.enter(Ought::Closed { failures: 0 });
                return Some("closed");
            }
            (Ought::HalfOpen { .. }, Verdict::Failure | Verdict::Neutral) => {
                self.enter(Ought::Open { from: self.now });
                return Some("reopened");
            }
            (Ought::HalfOpen { .. }, Verdict::None) => self.enter(Ought::HalfOpen { out_since: None }),
            (Ought::Open { .. }, _) => panic!("a pass of an open period"),
        }
        None
    }

    /// Of the passes that are out, at most one is a canary whose result would still count.
    fn has_at_most_one_canary(&self) -> bool {
        let live = |(pass, period): &&(Pass, u64)| pass.is_canary() && *period == self.period;
        self.out.iter().filter(live).count() <= 1
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn in_every_history_it_does_what_the_model_does(steps in prop::collection::vec(a_step(), 1..60)) {
        let mut history = History::new();
        for step in &steps {
            history.take(step);
            prop_assert!(history.has_at_most_one_canary());
        }
    }
}
