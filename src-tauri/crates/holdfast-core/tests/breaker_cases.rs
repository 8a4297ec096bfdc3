//! The breaker, case by case.

#![allow(clippy::unwrap_used)]

use holdfast_core::breaker::{Admission, Admitted, Breaker, BreakerSettings, Pass, Transition, Verdict};
use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_core::wait::{Chance, RetryAfter};

use Verdict::{Alive, Failure, Neutral, Success};

const SETTINGS: BreakerSettings =
    BreakerSettings { fail_max: 4, reset_ms: 30_000, canary_deadline_ms: 5_000, retry_after_max_s: 900 };
const HOUR: i64 = 3_600_000;

fn wall(ms: i64) -> UtcMillis {
    UtcMillis::from_millis(1_800_000_000_000 + ms).unwrap()
}

fn at_clocks(wall_ms: i64, boot: u64) -> Now {
    Now { wall: wall(wall_ms), boot: BootMillis(boot) }
}

fn at(ms: u64) -> Now {
    at_clocks(i64::try_from(ms).unwrap(), 1_000_000 + ms)
}

fn pass(breaker: &mut Breaker, now: Now) -> Pass {
    match breaker.admit(now, &SETTINGS) {
        Admitted::Through(pass) | Admitted::Canary(pass) => pass,
        Admitted::No(why) => panic!("not admitted: {why:?}"),
    }
}

fn answer(breaker: &mut Breaker, now: Now, verdict: Verdict) -> Option<Transition> {
    let pass = pass(breaker, now);
    breaker.record(now, &SETTINGS, &pass, verdict, None, Chance::MIDDLE)
}

fn tripped(now: Now) -> Breaker {
    let mut breaker = Breaker::new(now);
    for _ in 1..SETTINGS.fail_max {
        assert_eq!(answer(&mut breaker, now, Failure), None);
    }
    assert!(matches!(answer(&mut breaker, now, Failure), Some(Transition::Tripped { failures: 4, .. })));
    breaker
}

#[test]
fn it_trips_at_exactly_so_many_failures_in_a_row() {
    let mut breaker = tripped(at(0));
    assert_eq!(breaker.state_word(at(0)), "open");
    assert_eq!(breaker.next_try_at(at(0)), Some(wall(30_000)));
    assert!(matches!(breaker.admit(at(29_999), &SETTINGS), Admitted::No(Admission::Open { .. })));
}

#[test]
fn three_failures_and_a_success_for_ever_never_trip_it() {
    let mut breaker = Breaker::new(at(0));
    for round in 0..1_000 {
        for verdict in [Failure, Failure, Failure, Success] {
            assert_eq!(answer(&mut breaker, at(round), verdict), None);
        }
    }
    assert_eq!(breaker.state_word(at(1_000)), "closed");
}

#[test]
fn alive_neutral_and_cancelled_neither_count_nor_forgive() {
    let mut breaker = Breaker::new(at(0));
    for verdict in [Failure, Alive, Failure, Neutral, Failure, Verdict::None] {
        assert_eq!(answer(&mut breaker, at(0), verdict), None);
    }
    assert!(answer(&mut breaker, at(0), Failure).is_some());
}

#[test]
fn one_canary_goes_out_and_a_second_waits_for_it() {
    let mut breaker = tripped(at(0));
    let canary = pass(&mut breaker, at(30_000));
    assert!(canary.is_canary());
    assert_eq!(breaker.state_word(at(30_001)), "half_open");
    let second = breaker.admit(at(34_999), &SETTINGS);
    assert_eq!(second, Admitted::No(Admission::CanaryOut { deadline: wall(35_000) }));
    let closed = breaker.record(at(34_999), &SETTINGS, &canary, Success, None, Chance::MIDDLE);
    assert_eq!(closed, Some(Transition::Closed));
    assert_eq!(breaker.state_word(at(35_000)), "closed");
}

#[test]
fn a_canary_closes_when_it_shows_life_and_opens_when_it_does_not() {
    for (verdict, word) in [
        (Success, "closed"),
        (Alive, "closed"),
        (Neutral, "open"),
        (Failure, "open"),
        (Verdict::None, "half_open"),
    ] {
        let mut breaker = tripped(at(0));
        answer(&mut breaker, at(30_000), verdict);
        assert_eq!(breaker.state_word(at(30_000)), word, "{verdict:?}");
    }
}

#[test]
fn a_cancelled_canary_gives_its_slot_to_the_next() {
    let mut breaker = tripped(at(0));
    let cancelled = pass(&mut breaker, at(30_000));
    breaker.record(at(30_001), &SETTINGS, &cancelled, Verdict::None, None, Chance::MIDDLE);
    let next = pass(&mut breaker, at(30_002));
    assert!(next.is_canary());
    assert_eq!(breaker.record(at(30_003), &SETTINGS, &cancelled, Success, None, Chance::MIDDLE), None);
    assert_eq!(breaker.state_word(at(30_003)), "half_open");
}

#[test]
fn a_lost_canary_failed_at_its_deadline() {
    let mut breaker = tripped(at(0));
    let lost = pass(&mut breaker, at(30_000));
    assert_eq!(breaker.admission(at(35_000)), Admission::Open { next_try_at: wall(65_000) });
    let noticed = breaker.lapse(at(36_000));
    assert_eq!(noticed, Some(Transition::ReOpened { next_try_at: wall(65_000) }));
    assert_eq!(breaker.lapse(at(36_000)), None);
    assert_eq!(breaker.record(at(37_000), &SETTINGS, &lost, Success, None, Chance::MIDDLE), None);
    assert_eq!(breaker.state_word(at(37_000)), "open");
    assert_eq!(breaker.admission(at(65_000)), Admission::Canary);
}

#[test]
fn a_late_success_of_a_lost_canary_does_not_close_it_even_unnoticed() {
    let mut breaker = tripped(at(0));
    let lost = pass(&mut breaker, at(30_000));
    let late = breaker.record(at(35_000), &SETTINGS, &lost, Success, None, Chance::MIDDLE);
    assert!(matches!(late, Some(Transition::ReOpened { .. })));
}

#[test]
fn results_from_before_the_trip_change_nothing() {
    let mut breaker = Breaker::new(at(0));
    let early = pass(&mut breaker, at(0));
    for _ in 0..4 {
        answer(&mut breaker, at(0), Failure);
    }
    let before = breaker.clone();
    for verdict in [Success, Failure] {
        assert_eq!(breaker.record(at(1), &SETTINGS, &early, verdict, None, Chance::MIDDLE), None);
        assert_eq!(breaker, before);
    }
}

#[test]
fn the_cool_down_is_the_reset_within_a_tenth() {
    for (share, millis) in [(0.0, 27_000), (0.5, 30_000), (0.999_999, 33_000)] {
        let mut breaker = Breaker::new(at(0));
        let settings = BreakerSettings { fail_max: 1, ..SETTINGS };
        let pass = pass(&mut breaker, at(0));
        breaker.record(at(0), &settings, &pass, Failure, None, Chance::new(share).unwrap());
        assert_eq!(breaker.next_try_at(at(0)), Some(wall(millis)), "{share}");
    }
}

#[test]
fn a_retry_after_lengthens_the_cool_down_and_never_shortens_it() {
    for (asked_s, millis) in [(1_u64, 30_000), (120, 121_500), (900, 900_000), (99_999_999_999, 900_000)] {
        let mut breaker = Breaker::new(at(0));
        let settings = BreakerSettings { fail_max: 1, ..SETTINGS };
        let pass = pass(&mut breaker, at(0));
        let asked = RetryAfter::parse(&[&asked_s.to_string()], None);
        breaker.record(at(0), &settings, &pass, Failure, asked, Chance::MIDDLE);
        assert_eq!(breaker.next_try_at(at(0)), Some(wall(millis)), "{asked_s}");
    }
}

#[test]
fn neither_sleep_nor_a_clock_set_back_nor_a_restart_freezes_it() {
    let cases = [
        ("slept", at_clocks(30_000, 1_000_001)),
        ("set back", at_clocks(-HOUR, 1_030_000)),
        ("restarted", at_clocks(30_000, 7)),
        ("restarted and set back", at_clocks(-HOUR, 7)),
    ];
    for (name, later) in cases {
        assert_eq!(tripped(at(0)).admission(later), Admission::Canary, "{name}");
    }
}

#[test]
fn the_next_try_is_published_by_the_clock_as_it_is_now() {
    let breaker = tripped(at(0));
    let set_back = at_clocks(-HOUR, 1_010_000);
    assert_eq!(breaker.next_try_at(set_back), Some(wall(20_000 - HOUR)));
}

#[test]
fn it_survives_being_stored() {
    let mut breaker = tripped(at(0));
    for now in [at(0), at(30_000)] {
        breaker.admit(now, &SETTINGS);
        let stored = serde_json::to_string(&breaker).unwrap();
        assert_eq!(serde_json::from_str::<Breaker>(&stored).unwrap(), breaker);
    }
    breaker.hold(at(0), wall(HOUR), "maintenance".into(), "supervisor".parse().unwrap());
    let stored = serde_json::to_string(&breaker).unwrap();
    assert_eq!(serde_json::from_str::<Breaker>(&stored).unwrap(), breaker);
}

#[test]
fn a_hold_outranks_the_state_and_ends_with_a_canary() {
    let mut breaker = Breaker::new(at(0));
    breaker.hold(at(0), wall(HOUR), "maintenance".into(), "supervisor".parse().unwrap());
    assert_eq!(breaker.admit(at(1), &SETTINGS), Admitted::No(Admission::Held { until: wall(HOUR) }));
    assert_eq!(breaker.state_word(at(1)), "open");
    assert_eq!(breaker.next_try_at(at(1)), Some(wall(HOUR)));
    let over = at(3_600_000);
    assert!(pass(&mut breaker, over).is_canary());
    assert_eq!(breaker.held(at_clocks(5, 3)), None, "a clock set back does not bring it to life");
}

#[test]
fn a_released_hold_lets_a_canary_out_at_once() {
    let mut breaker = Breaker::new(at(0));
    breaker.hold(at(0), wall(HOUR), "maintenance".into(), "supervisor".parse().unwrap());
    assert_eq!(breaker.release().unwrap().reason, "maintenance");
    assert!(pass(&mut breaker, at(2)).is_canary());
}

#[test]
fn a_threshold_that_changes_while_it_runs_counts_from_the_next_failure() {
    let mut breaker = Breaker::new(at(0));
    answer(&mut breaker, at(0), Failure);
    answer(&mut breaker, at(0), Failure);
    let stricter = BreakerSettings { fail_max: 2, ..SETTINGS };
    let pass = pass(&mut breaker, at(0));
    assert!(breaker.record(at(0), &stricter, &pass, Failure, None, Chance::MIDDLE).is_some());
}
