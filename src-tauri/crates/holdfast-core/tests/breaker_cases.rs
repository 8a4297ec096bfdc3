//! The breaker, case by case.

#![allow(clippy::unwrap_used)]

use holdfast_core::breaker::probes::{Found, Probe, ProbeSettings, due_in_ms};
use holdfast_core::breaker::{
    Admission, Admitted, Breaker, BreakerSettings, Pass, Transition, TripCause, Verdict,
};
use holdfast_core::ids::LocalSeq;
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

const PROBES: ProbeSettings = ProbeSettings { interval_ms: 5_000, window: 3, rtt_max_ms: 800 };
const FAST: Found = Found::Alive { rtt_ms: 800 };
const SLOW: Found = Found::Alive { rtt_ms: 801 };

fn cause(change: Option<Transition>) -> Option<TripCause> {
    match change {
        Some(Transition::Tripped { cause, .. }) => Some(cause),
        Some(Transition::HalfOpened | Transition::Closed | Transition::ReOpened { .. }) | None => None,
    }
}

fn probed(breaker: &mut Breaker, now: Now, pass: &Pass, found: Found) -> Option<Transition> {
    let probe = Probe { at: now.wall, after: LocalSeq(0), found };
    breaker.record_probe(now, (&SETTINGS, &PROBES), pass, probe, None, Chance::MIDDLE)
}

fn sensed(breaker: &mut Breaker, now: Now, found: Found) -> Option<Transition> {
    let pass = breaker.probe_pass(now).unwrap();
    probed(breaker, now, &pass, found)
}

#[test]
fn the_last_probes_all_down_trip_it_and_one_that_is_up_empties_the_window() {
    let cases: [(&[Found], Option<TripCause>); 6] = [
        (&[Found::NoLife, Found::NoLife], None),
        (&[Found::NoLife, Found::NoLife, Found::NoLife], Some(TripCause::ProbesFailed)),
        (&[Found::NoLife, Found::NoLife, FAST, Found::NoLife], None),
        (&[Found::NoLife, Found::NotAsked, Found::NoLife, Found::NoLife], Some(TripCause::ProbesFailed)),
        (&[SLOW, SLOW, SLOW], Some(TripCause::ProbesSlow)),
        (&[Found::NoLife, SLOW, Found::NoLife], Some(TripCause::ProbesSlow)),
    ];
    for (probes, expected) in cases {
        let mut breaker = Breaker::new(at(0));
        let mut last = None;
        for found in probes {
            last = sensed(&mut breaker, at(1), *found);
        }
        assert_eq!(cause(last), expected, "{probes:?}");
    }
}

#[test]
fn slow_probes_trip_only_when_no_write_succeeded_among_them() {
    let mut breaker = Breaker::new(at(0));
    for round in 0..50 {
        assert_eq!(sensed(&mut breaker, at(round), SLOW), None, "{round}");
        assert_eq!(answer(&mut breaker, at(round), Success), None);
    }
    assert_eq!(sensed(&mut breaker, at(51), SLOW), None, "one succeeded before it");
    assert_eq!(sensed(&mut breaker, at(52), SLOW), None, "one succeeded in the window");
    assert_eq!(cause(sensed(&mut breaker, at(53), SLOW)), Some(TripCause::ProbesSlow));
    // A silent endpoint is gone, whatever was written before.
    let mut silent = Breaker::new(at(0));
    for round in 0..2 {
        sensed(&mut silent, at(round), Found::NoLife);
        answer(&mut silent, at(round), Success);
    }
    assert_eq!(cause(sensed(&mut silent, at(3), Found::NoLife)), Some(TripCause::ProbesFailed));
}

fn slow(now: Now) -> Breaker {
    let mut breaker = Breaker::new(now);
    for _ in 0..3 {
        sensed(&mut breaker, now, SLOW);
    }
    breaker
}

#[test]
fn a_breaker_tripped_by_slow_probes_closes_on_a_canary_and_a_fast_probe() {
    let mut breaker = slow(at(0));
    assert_eq!(answer(&mut breaker, at(30_000), Success), None, "it answers; is it fast?");
    let probe = pass(&mut breaker, at(30_001));
    assert!(probe.is_canary());
    assert!(matches!(probed(&mut breaker, at(31_000), &probe, SLOW), Some(Transition::ReOpened { .. })));
    assert_eq!(answer(&mut breaker, at(61_000), Success), None, "both are asked for again");
    let probe = pass(&mut breaker, at(61_001));
    assert_eq!(probed(&mut breaker, at(61_002), &probe, FAST), Some(Transition::Closed));
    assert!(breaker.probes().probes().is_empty(), "closing empties the window");
    // With nothing to send a fast sign of life has shown both.
    let mut idle = slow(at(0));
    let probe = pass(&mut idle, at(30_000));
    assert_eq!(probed(&mut idle, at(30_001), &probe, FAST), Some(Transition::Closed));
}

#[test]
fn a_slow_sign_of_life_closes_a_breaker_that_failures_opened() {
    let mut breaker = tripped(at(0));
    let canary = pass(&mut breaker, at(30_000));
    assert_eq!(probed(&mut breaker, at(34_000), &canary, SLOW), Some(Transition::Closed));
}

#[test]
fn no_probe_goes_out_while_it_is_open_and_a_late_one_changes_nothing() {
    let mut breaker = Breaker::new(at(0));
    let late = breaker.probe_pass(at(0)).unwrap();
    for _ in 0..4 {
        answer(&mut breaker, at(0), Failure);
    }
    assert_eq!(breaker.probe_pass(at(1)), None);
    let before = breaker.clone();
    assert_eq!(probed(&mut breaker, at(2), &late, FAST), None);
    assert_eq!(breaker, before);
    pass(&mut breaker, at(30_000));
    assert_eq!(breaker.probe_pass(at(30_001)), None, "a canary is out");
    let mut held = Breaker::new(at(0));
    held.hold(at(0), wall(HOUR), "maintenance".into(), "supervisor".parse().unwrap());
    assert_eq!(held.probe_pass(at(1)), None);
}

#[test]
fn probes_never_change_the_count_of_failed_writes() {
    let mut breaker = Breaker::new(at(0));
    for found in [Found::NoLife, FAST, Found::NoLife] {
        answer(&mut breaker, at(0), Failure);
        assert_eq!(sensed(&mut breaker, at(0), found), None);
    }
    assert_eq!(cause(answer(&mut breaker, at(0), Failure)), Some(TripCause::Failures), "the fourth");
}

#[test]
fn an_endpoint_that_says_it_is_away_is_believed_at_once_and_one_that_is_busy_is_counted() {
    for (asked_s, verdict, expected) in [
        (3_600, Failure, Some(TripCause::Announced)),
        (60, Failure, Some(TripCause::Announced)),
        (59, Failure, None),
        (3_600, Neutral, None),
    ] {
        let mut breaker = Breaker::new(at(0));
        let pass = pass(&mut breaker, at(0));
        let asked = Some(RetryAfter::from_ms(asked_s * 1_000));
        let change = breaker.record(at(0), &SETTINGS, &pass, verdict, asked, Chance::MIDDLE);
        assert_eq!(cause(change), expected, "{asked_s} {verdict:?}");
    }
    // And no sooner than the breaker's own pause, where that is longer.
    let patient = BreakerSettings { reset_ms: 600_000, ..SETTINGS };
    let mut breaker = Breaker::new(at(0));
    let pass = pass(&mut breaker, at(0));
    let asked = Some(RetryAfter::from_ms(120_000));
    assert_eq!(breaker.record(at(0), &patient, &pass, Failure, asked, Chance::MIDDLE), None);
}

#[test]
fn a_probe_is_due_after_its_interval_by_either_clock() {
    assert_eq!(due_in_ms(None, at(0), &PROBES), 0);
    assert_eq!(due_in_ms(Some(at(0)), at(4_999), &PROBES), 1);
    assert_eq!(due_in_ms(Some(at(0)), at_clocks(5_000, 1_000_001), &PROBES), 0, "slept");
    assert_eq!(due_in_ms(Some(at(0)), at_clocks(-HOUR, 1_005_000), &PROBES), 0, "set back");
    assert_eq!(due_in_ms(Some(at(0)), at_clocks(-HOUR, 7), &PROBES), 0, "restarted and set back");
}
