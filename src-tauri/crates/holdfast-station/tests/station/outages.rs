//! What surrounds the breaker: probes, holds, an SoR that says it is away, the register of it all, and the first drain.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use holdfast_core::wait::RetryAfter;
use holdfast_station::ports::NoLife;
use holdfast_station::{Settings, Stop};
use holdfast_wire::{
    ApiCode, DrainStop, HoldEndpointRequest, ListRequest, OutageView, ReleaseEndpointRequest,
};
use tokio::time::Instant;

use crate::answers::{asking, down, recorded, stranger, typed};
use crate::desk::{Desk, refusal, settings};
use crate::sor::Asked;

fn silent() -> Result<(), NoLife> {
    Err(NoLife::Silent { retry_after: None })
}

fn probes(desk: &Desk) -> usize {
    desk.sor.probed()
}

/// Looks until the breaker is in this state, as the loop behind a window does; for so long at the most.
async fn probe_until(desk: &Desk, state: &str, most: Duration) {
    let began = Instant::now();
    while desk.station.status().unwrap().breakers[0].state != state {
        assert!(began.elapsed() <= most, "the breaker is not {state} after {most:?}");
        let look = desk.station.probe_when_due().await.unwrap();
        tokio::time::sleep(Duration::from_millis(look.look_again_ms)).await;
    }
}

fn latest(desk: &Desk) -> OutageView {
    let all = desk.station.outages(ListRequest { skip: 0, rows: 10 }).unwrap();
    desk.station.outage(&all.rows[0].outage_id).unwrap()
}

fn hold(until: &str, reason: &str) -> HoldEndpointRequest {
    HoldEndpointRequest { endpoint: "primary".into(), until: until.into(), reason: reason.into() }
}

fn release() -> ReleaseEndpointRequest {
    ReleaseEndpointRequest { endpoint: "primary".into() }
}

#[tokio::test(start_paused = true)]
async fn an_idle_sor_that_goes_away_is_noticed_without_an_operation_and_noticed_again_when_it_is_back() {
    let desk = Desk::open(settings()).await;
    let before = desk.events();
    for _ in 0..20 {
        desk.station.probe_when_due().await.unwrap();
        tokio::time::sleep(Duration::from_secs(5)).await;
    }
    assert_eq!(probes(&desk), 19, "the first comes an interval after the start");
    assert_eq!(desk.events(), before, "one that is well leaves nothing behind");

    desk.sor.probes(|| (Duration::from_millis(5), silent()));
    probe_until(&desk, "open", Duration::from_secs(16)).await;
    let outage = latest(&desk);
    assert_eq!((outage.outage.cause.as_deref(), outage.outage.closed_at), (Some("probes_failed"), None));
    assert_eq!(desk.station.status().unwrap().mode, "degraded");
    let asked = probes(&desk);
    for _ in 0..5 {
        desk.station.probe_when_due().await.unwrap();
        tokio::time::sleep(Duration::from_secs(5)).await;
    }
    assert_eq!(probes(&desk), asked, "no probes while it is open");

    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(desk.pass().await.stopped_because, DrainStop::Empty);
    assert_eq!(desk.station.status().unwrap().breakers[0].state, "closed", "a sign of life was its canary");
    let outage = latest(&desk);
    let tried: Vec<_> =
        outage.tries.iter().map(|tried| (tried.what.as_str(), tried.outcome.as_str())).collect();
    assert_eq!(tried, [("probe", "alive")]);
    assert!(outage.outage.closed_at.is_some() && desk.clean());
}

#[tokio::test(start_paused = true)]
async fn one_that_is_too_slow_is_left_until_it_is_fast_again() {
    let desk = Desk::open(settings()).await;
    desk.sor.probes(|| (Duration::from_millis(900), Ok(())));
    probe_until(&desk, "open", Duration::from_secs(16)).await;
    assert_eq!(latest(&desk).outage.cause.as_deref(), Some("probes_slow"));
    desk.apply();
    desk.apply();
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.pending), (2, 0));
    // The canary is recorded; before the second operation goes, a sign of life shows that it is fast.
    let order = desk.sor.asked();
    assert!(matches!(order[0], Asked::Deliver { seq: 1, .. }), "{order:?}");
    assert_eq!(order[1], Asked::Health);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn a_slow_sor_that_records_is_not_given_up() {
    let desk = Desk::open(settings()).await;
    desk.sor.probes(|| (Duration::from_millis(900), Ok(())));
    for _ in 0..12 {
        desk.station.probe_when_due().await.unwrap();
        tokio::time::sleep(Duration::from_secs(2)).await;
        desk.apply();
        assert_eq!(desk.pass().await.committed, 1);
        tokio::time::sleep(Duration::from_secs(3)).await;
    }
    assert_eq!(desk.station.status().unwrap().breakers[0].state, "closed");
}

#[tokio::test(start_paused = true)]
async fn a_drain_that_waits_probes_meanwhile() {
    let desk = Desk::open(Settings { breaker_fail_max: 4, ..settings() }).await;
    desk.apply();
    // An operation that waits for its own time, and an SoR that goes away meanwhile.
    desk.sor
        .deliveries(|nth, body| if nth == 1 { asking(50, typed(423, "locked")) } else { recorded(body, 1) });
    desk.sor.probes(|| (Duration::from_millis(5), silent()));
    let (handle, stop) = Stop::new();
    let request = holdfast_wire::DrainRequest { until_empty: true, max_s: None };
    let asks = async {
        tokio::time::sleep(Duration::from_secs(20)).await;
        assert_eq!(desk.station.status().unwrap().breakers[0].state, "open");
        handle.ask();
    };
    let (report, ()) = tokio::join!(desk.station.drain(request, stop, &|_| ()), asks);
    assert_eq!(report.unwrap().pending, 1);
}

#[tokio::test(start_paused = true)]
async fn whoever_watches_goes_on_when_nothing_is_left_until_asked_to_stop() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    let (handle, stop) = Stop::new();
    let asks = async {
        tokio::time::sleep(Duration::from_secs(20)).await;
        desk.apply();
        tokio::time::sleep(Duration::from_secs(20)).await;
        handle.ask();
    };
    let (report, ()) = tokio::join!(desk.station.drain_on(None, stop, &|_| ()), asks);
    let report = report.unwrap();
    assert_eq!((report.committed, report.stopped_because), (2, DrainStop::Empty));
    assert!(probes(&desk) >= 6, "{}", probes(&desk));
    let began = Instant::now();
    let report = desk.station.drain_on(Some(3), Stop::new().1, &|_| ()).await.unwrap();
    assert_eq!((report.committed, began.elapsed().as_secs()), (0, 3));
}

#[tokio::test(start_paused = true)]
async fn an_sor_that_says_it_is_away_is_in_the_register_from_the_first_answer_on() {
    let desk = Desk::open(Settings { breaker_fail_max: 4, ..settings() }).await;
    desk.apply();
    desk.apply();
    let began = Instant::now();
    desk.sor.deliveries(move |_, body| {
        if began.elapsed() < Duration::from_secs(1_000) {
            asking(3_600, stranger(503))
        } else {
            recorded(body, body.local_seq.0)
        }
    });
    assert_eq!(desk.pass().await.stopped_because, DrainStop::Pass);
    assert_eq!(desk.sor.delivered(), [1], "the second is not even offered");
    let status = desk.station.status().unwrap();
    assert_eq!((status.mode.as_str(), status.outages_open), ("degraded", 1));
    assert_eq!(
        status.breakers[0].next_try_at.as_deref(),
        Some("2026-11-30T08:15:00.000Z"),
        "no later than 15 minutes"
    );
    let outage = latest(&desk).outage;
    assert_eq!(outage.cause.as_deref(), Some("announced"));
    assert_eq!(outage.announced_until.as_deref(), Some("2026-11-30T09:00:00.000Z"));

    assert_eq!(desk.until_empty().await.committed, 2);
    let outage = latest(&desk);
    let tried: Vec<_> =
        outage.tries.iter().map(|tried| (tried.what.as_str(), tried.outcome.as_str())).collect();
    assert_eq!(tried, [("operation", "unavailable"), ("operation", "committed")]);
    assert_eq!(outage.outage.books.accepted, 2, "both waited through it");
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn a_sign_of_life_that_says_it_is_away_is_obeyed_too() {
    let desk = Desk::open(settings()).await;
    let away = || Err(NoLife::Silent { retry_after: Some(RetryAfter::from_ms(3_600_000)) });
    desk.sor.probes(move || (Duration::ZERO, away()));
    desk.sor.healths(away);
    probe_until(&desk, "open", Duration::from_secs(16)).await;
    let status = desk.station.status().unwrap();
    let next = status.breakers[0].next_try_at.clone().unwrap();
    assert!(next.as_str() >= "2026-11-30T08:15:00.000Z", "{next}");
    assert_eq!(latest(&desk).outage.cause.as_deref(), Some("announced"));
    desk.clock.go_on_ms(900_000);
    desk.pass().await;
    let outage = latest(&desk);
    assert_eq!((outage.tries.len(), outage.tries[0].outcome.as_str()), (1, "no-life"));
    assert!(outage.tries[0].next_try_at.clone().unwrap().as_str() >= "2026-11-30T08:30:00.000Z");
}

#[tokio::test(start_paused = true)]
async fn what_waits_when_it_trips_and_what_came_after_the_first_failure_is_in_the_books_of_the_outage() {
    let desk = Desk::open(Settings { breaker_fail_max: 3, ..settings() }).await;
    desk.apply();
    desk.apply();
    let desk = two_more_after_the_first_failure(desk).await;
    let outage = latest(&desk);
    assert_eq!((outage.outage.books.accepted, outage.outage.books.pending), (4, 4));
    assert!(desk.clean(), "the books are what can be counted, and no accepted byte has changed");
    desk.apply();
    assert_eq!(latest(&desk).outage.books.accepted, 5);
    let report = desk.until_empty().await;
    assert_eq!(report.pending, 0);
    let books = latest(&desk).outage.books;
    assert_eq!((books.accepted, books.committed, books.pending), (5, 5, 0));
    assert!(desk.clean());
}

/// The drain fails three times; two operations are accepted after the first failure.
async fn two_more_after_the_first_failure(desk: Desk) -> Desk {
    let accept = Arc::new(Mutex::new(0));
    let times = Arc::clone(&accept);
    let station = Arc::clone(&desk.station);
    desk.sor.deliveries(move |nth, body| {
        // The answer to the second attempt comes after two more were accepted.
        if nth == 2 {
            for _ in 0..2 {
                let document = crate::desk::application().to_string();
                station.submit(document.as_bytes()).unwrap();
                *times.lock().unwrap() += 1;
            }
        }
        if nth <= 3 { down() } else { recorded(body, body.local_seq.0) }
    });
    for _ in 0..3 {
        desk.pass().await;
        tokio::time::sleep(Duration::from_secs(5)).await;
    }
    assert_eq!(*accept.lock().unwrap(), 2);
    assert_eq!(desk.station.status().unwrap().breakers[0].state, "open");
    desk
}

#[tokio::test(start_paused = true)]
async fn a_held_endpoint_gets_nothing_says_why_and_is_tried_when_its_time_is_over() {
    let desk = Desk::open(settings()).await;
    let steered = desk.station.hold_endpoint(hold("2026-11-30T04:00", "the vendor updates it")).unwrap();
    let held = steered.held.unwrap();
    assert_eq!(
        (held.until.as_str(), held.by.as_str()),
        ("2026-11-30T09:00:00.000Z", "supervisor"),
        "the clock here"
    );
    desk.apply();
    assert_eq!(desk.until_empty().await.stopped_because, DrainStop::Held);
    let status = desk.station.status().unwrap();
    assert_eq!((status.mode.as_str(), status.outages_open), ("held", 1));
    let causes = serde_json::to_string(&desk.station.standing().unwrap().causes).unwrap();
    assert!(causes.contains("the vendor updates it") && causes.contains("supervisor"), "{causes}");
    assert_eq!(probes(&desk), 0, "it is left alone");
    let outage = latest(&desk);
    assert_eq!((outage.outage.cause.as_deref(), outage.outage.books.accepted), (Some("held"), 1));
    assert_eq!(outage.holds[0].reason, "the vendor updates it");

    let desk = desk.started_again(settings());
    assert_eq!(desk.pass().await.stopped_because, DrainStop::Held, "a restart does not end it");
    desk.clock.go_on_ms(3_600_000);
    assert_eq!(desk.until_empty().await.committed, 1);
    let outage = latest(&desk);
    assert!(outage.outage.closed_at.is_some());
    assert_eq!(outage.outage.books.committed, 1);
    assert!(desk.chain().iter().any(|event| event.contains("breaker.held")));
    assert!(
        !desk.chain().iter().any(|event| event.contains("vendor")),
        "a person's words are no part of the chain"
    );
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn a_release_is_followed_by_a_try_at_once() {
    let desk = Desk::open(settings()).await;
    desk.station.hold_endpoint(hold("2026-11-30T09:00:00Z", "maintenance")).unwrap();
    desk.station.hold_endpoint(hold("2026-11-30T10:00:00Z", "it takes longer")).unwrap();
    desk.apply();
    let released = desk.station.release_endpoint(release()).unwrap();
    assert_eq!(released.held, None);
    assert_eq!(desk.until_empty().await.committed, 1);
    let holds = latest(&desk).holds;
    assert_eq!(holds.len(), 2);
    assert!(
        holds.iter().all(|held| held.ended_at.as_deref() == Some("2026-11-30T08:00:00.000Z")),
        "{holds:?}"
    );
    let again = refusal(desk.station.release_endpoint(release()));
    assert_eq!(again, (ApiCode::Refused, vec![("/endpoint".into(), "not-waiting".into())]));
}

#[tokio::test(start_paused = true)]
async fn a_hold_in_an_outage_is_part_of_it_and_works_in_it() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.apply();
    desk.sor.deliveries(|_, _| down());
    desk.pass().await;
    assert_eq!(desk.station.status().unwrap().mode, "degraded");
    desk.station.hold_endpoint(hold("2026-11-30T12:00:00Z", "they called")).unwrap();
    let outage = latest(&desk);
    assert_eq!((outage.outage.cause.as_deref(), outage.holds.len()), (Some("failures"), 1));
    assert_eq!(desk.station.status().unwrap().outages_open, 1);
}

#[tokio::test(start_paused = true)]
async fn who_may_not_hold_an_endpoint_does_not_and_nothing_holds_it_for_ever() {
    let desk = Desk::open(settings()).await;
    let cases = [
        ("2026-11-30T09:00:00Z", " ", "/reason", "missing"),
        ("soon", "maintenance", "/until", "format"),
        ("2026-11-30T07:59:59Z", "maintenance", "/until", "out-of-range"),
        ("2026-12-07T08:00:01Z", "maintenance", "/until", "out-of-range"),
    ];
    for (until, reason, pointer, code) in cases {
        let refused = refusal(desk.station.hold_endpoint(hold(until, reason)));
        assert_eq!(refused, (ApiCode::Refused, vec![(pointer.into(), code.into())]), "{until}");
    }
    let elsewhere = HoldEndpointRequest { endpoint: "moon".into(), ..hold("2026-11-30T09:00:00Z", "x") };
    assert_eq!(refusal(desk.station.hold_endpoint(elsewhere)).0, ApiCode::NotFound);
    desk.sign_in("clerk").await.unwrap();
    let refused = refusal(desk.station.hold_endpoint(hold("2026-11-30T09:00:00Z", "lunch")));
    assert_eq!(refused, (ApiCode::NotPermitted, vec![("/endpoint".into(), "forbidden".into())]));
    assert_eq!(desk.station.status().unwrap().mode, "normal");
    assert!(desk.chain().iter().any(|event| event.contains("decision.refused")));
}

#[tokio::test(start_paused = true)]
async fn the_random_wait_after_an_outage_outlasts_passes_and_restarts() {
    let limits = Settings { first_drain_jitter_s: 30.0, ..settings() };
    let desk = Desk::open(limits.clone()).await;
    for _ in 0..4 {
        desk.apply();
    }
    desk.sor.deliveries(|nth, body| if nth <= 2 { down() } else { recorded(body, body.local_seq.0) });
    desk.pass().await;
    desk.clock.go_on_ms(40_000);
    assert_eq!(desk.pass().await.committed, 1, "the canary");
    let closed = desk.clock.clone();
    let began = holdfast_station::ports::Clock::now(&*closed);
    assert_eq!(desk.pass().await.committed, 0, "and no more in the next pass");
    let desk = desk.started_again(limits);
    assert_eq!(desk.pass().await.committed, 0, "nor after a restart");
    assert_eq!(desk.until_empty().await.committed, 3);
    let waited = holdfast_station::ports::Clock::now(&*desk.clock).millis_since(began);
    assert!((1..30_000).contains(&waited), "{waited}");
}

#[tokio::test(start_paused = true)]
async fn a_canary_that_empties_the_queue_without_closing_is_followed_by_a_sign_of_life() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|nth, _| if nth <= 2 { down() } else { stranger(413) });
    let report = desk.until_empty().await;
    assert_eq!((report.quarantined, report.pending, report.stopped_because), (1, 0, DrainStop::Empty));
    assert_eq!(
        desk.station.status().unwrap().breakers[0].state,
        "open",
        "too large says nothing about the SoR"
    );
    desk.pass().await;
    assert_eq!(desk.station.status().unwrap().breakers[0].state, "open", "not before its time");
    desk.clock.go_on_ms(40_000);
    assert_eq!(desk.pass().await.stopped_because, DrainStop::Empty);
    assert_eq!(desk.station.status().unwrap().breakers[0].state, "closed");
}

#[tokio::test(start_paused = true)]
async fn of_a_long_outage_the_first_tries_and_the_latest_are_kept_and_all_are_counted() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|_, _| down());
    desk.sor.healths(silent);
    let request = holdfast_wire::DrainRequest { until_empty: true, max_s: Some(600 * 33) };
    desk.drain(request).await;
    let outage = latest(&desk);
    let kept: Vec<u32> = outage.tries.iter().map(|tried| tried.n).collect();
    assert!(outage.outage.tries > 520, "{}", outage.outage.tries);
    assert_eq!(outage.left_out, outage.outage.tries - 500);
    assert_eq!((kept.len(), kept[0], kept[99], kept[499]), (500, 1, 100, outage.outage.tries));
}
