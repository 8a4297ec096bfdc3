//! Sixty-four callers at the instant at which the cool-down ends: one canary goes out, in every round.

#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "the callers are threads; core itself starts none")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread;

use holdfast_core::breaker::{Admitted, Breaker, BreakerSettings, Pass, Verdict};
use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_core::wait::Chance;

const CALLERS: usize = 64;
const ROUNDS: u64 = 1_000;
const SETTINGS: BreakerSettings =
    BreakerSettings { fail_max: 1, reset_ms: 30_000, canary_deadline_ms: 11_000, retry_after_max_s: 900 };
/// Longer than a cool-down with its jitter.
const ROUND_MS: u64 = 40_000;

fn at(ms: u64) -> Now {
    let wall = UtcMillis::from_millis(1_800_000_000_000 + i64::try_from(ms).unwrap()).unwrap();
    Now { wall, boot: BootMillis(1_000_000 + ms) }
}

fn tripped() -> Breaker {
    let mut breaker = Breaker::new(at(0));
    let Admitted::Through(pass) = breaker.admit(at(0), &SETTINGS) else { panic!("it is closed") };
    breaker.record(at(0), &SETTINGS, &pass, Verdict::Failure, None, Chance::MIDDLE).unwrap();
    breaker
}

/// What one caller of a round got: the canary, or nothing.
fn call(breaker: &Mutex<Breaker>, now: Now) -> Option<Pass> {
    match breaker.lock().unwrap().admit(now, &SETTINGS) {
        Admitted::Canary(pass) => Some(pass),
        Admitted::No(_) => None,
        Admitted::Through(_) => panic!("it is not closed"),
    }
}

#[test]
fn of_sixty_four_callers_one_is_the_canary_in_a_thousand_of_a_thousand_rounds() {
    let breaker = Mutex::new(tripped());
    let canaries: Vec<AtomicU32> = (0..ROUNDS).map(|_| AtomicU32::new(0)).collect();
    let start = Barrier::new(CALLERS);
    let judged = Barrier::new(CALLERS);
    thread::scope(|scope| {
        for _ in 0..CALLERS {
            scope.spawn(|| {
                for round in 0..ROUNDS {
                    let now = at((round + 1) * ROUND_MS);
                    start.wait();
                    let pass = call(&breaker, now);
                    // All have asked before the canary's answer comes.
                    judged.wait();
                    if let Some(pass) = pass {
                        canaries[usize::try_from(round).unwrap()].fetch_add(1, Ordering::Relaxed);
                        let mut breaker = breaker.lock().unwrap();
                        breaker.record(now, &SETTINGS, &pass, Verdict::Failure, None, Chance::MIDDLE);
                    }
                }
            });
        }
    });
    let exact = canaries.iter().filter(|count| count.load(Ordering::Relaxed) == 1).count();
    assert_eq!(exact, usize::try_from(ROUNDS).unwrap());
}
