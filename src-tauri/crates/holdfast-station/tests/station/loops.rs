//! How the loop of a drain waits, stops and reports.

use std::sync::Mutex;
use std::time::Duration;

use holdfast_station::{DrainProgress, Settings, Stop};
use holdfast_wire::{ApiCode, DrainReport, DrainRequest, DrainStop};
use tokio::time::Instant;

use crate::answers::{asking, down, recorded, stranger, typed};
use crate::desk::{Desk, refusal, settings};

const ON: DrainRequest = DrainRequest { until_empty: true, max_s: None };

#[tokio::test(start_paused = true)]
async fn a_pass_brings_a_batch_and_a_drain_brings_all() {
    let desk = Desk::open(Settings { reconcile_batch: 3, ..settings() }).await;
    for _ in 0..7 {
        desk.apply();
    }
    let mut done = Vec::new();
    for _ in 0..3 {
        let DrainReport { committed, pending, stopped_because, .. } = desk.pass().await;
        done.push((committed, pending, stopped_because));
    }
    assert_eq!(done, [(3, 4, DrainStop::Pass), (3, 1, DrainStop::Pass), (1, 0, DrainStop::Empty)]);

    for _ in 0..7 {
        desk.apply();
    }
    let all = desk.until_empty().await;
    assert_eq!((all.committed, all.stopped_because), (7, DrainStop::Empty));
}

#[tokio::test(start_paused = true)]
async fn a_pass_waits_for_nothing() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|_, _| down());
    let began = Instant::now();
    assert_eq!(desk.pass().await.stopped_because, DrainStop::Pass, "the operation waits");
    desk.apply();
    assert_eq!(desk.pass().await.stopped_because, DrainStop::Pass, "the breaker is open");
    assert_eq!(began.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_request_to_stop_is_heard_in_the_middle_of_a_wait() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.apply();
    desk.sor.deliveries(|_, _| down());
    let (handle, stop) = Stop::new();
    let began = Instant::now();
    let asks = async {
        tokio::time::sleep(Duration::from_millis(12_345)).await;
        handle.ask();
    };
    let (report, ()) = tokio::join!(desk.station.drain(ON, stop, &|_| ()), asks);
    assert_eq!(report.unwrap().stopped_because, DrainStop::Time);
    assert!(began.elapsed() < Duration::from_millis(12_400), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_request_to_stop_lets_what_is_in_flight_end() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.apply();
    desk.sor.takes_ms(3_000);
    let (handle, stop) = Stop::new();
    let asks = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        handle.ask();
    };
    let (report, ()) = tokio::join!(desk.station.drain(ON, stop, &|_| ()), asks);
    let report = report.unwrap();
    assert_eq!((report.committed, report.pending, report.stopped_because), (1, 1, DrainStop::Time));
}

#[tokio::test(start_paused = true)]
async fn one_that_was_asked_before_it_began_sends_nothing() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    let (handle, stop) = Stop::new();
    handle.ask();
    let report = desk.station.drain(ON, stop, &|_| ()).await.unwrap();
    assert_eq!((report.committed, report.stopped_because), (0, DrainStop::Time));
    assert_eq!(desk.sor.asked(), []);
}

#[tokio::test(start_paused = true)]
async fn its_time_ends_it_in_the_middle_of_a_wait_too() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.apply();
    desk.sor.deliveries(|_, _| down());
    let began = Instant::now();
    let report = desk.drain(DrainRequest { until_empty: true, max_s: Some(7) }).await;
    assert_eq!(report.stopped_because, DrainStop::Time);
    assert!((7..8).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());

    let wrong = DrainRequest { until_empty: true, max_s: Some(0) };
    assert_eq!(refusal(desk.station.drain(wrong, Stop::new().1, &|_| ()).await).0, ApiCode::Refused);
}

#[tokio::test(start_paused = true)]
async fn after_an_outage_not_all_stations_begin_at_once() {
    let desk = Desk::open(Settings { first_drain_jitter_s: 30.0, ..settings() }).await;
    for _ in 0..4 {
        desk.apply();
    }
    let sent = std::sync::Arc::new(Mutex::new(Vec::new()));
    let times = std::sync::Arc::clone(&sent);
    desk.sor.deliveries(move |nth, body| {
        times.lock().unwrap().push(Instant::now());
        if nth <= 2 { down() } else { recorded(body, body.local_seq.0) }
    });
    assert_eq!(desk.until_empty().await.committed, 4);
    let sent = sent.lock().unwrap();
    let gaps: Vec<_> = sent.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(gaps[2] > Duration::ZERO && gaps[2] < Duration::from_secs(30), "after the canary: {gaps:?}");
    assert!(gaps[3..].iter().all(Duration::is_zero), "and then no more: {gaps:?}");
}

#[tokio::test(start_paused = true)]
async fn whoever_watches_is_told_after_every_attempt_the_last_one_too() {
    let desk = Desk::open(settings()).await;
    for _ in 0..3 {
        desk.apply();
    }
    desk.sor.deliveries(|nth, body| if nth == 2 { stranger(500) } else { recorded(body, body.local_seq.0) });
    let told = Mutex::new(Vec::new());
    let watch = |progress: DrainProgress| told.lock().unwrap().push(progress);
    let report = desk.station.drain(ON, Stop::new().1, &watch).await.unwrap();
    let told = told.into_inner().unwrap();
    assert!(told.is_sorted_by_key(|progress| progress.attempts), "{told:?}");
    let last = told.last().unwrap();
    assert_eq!((last.attempts, last.committed, last.pending), (4, 3, 0));
    assert_eq!((report.committed, report.already_committed, report.quarantined), (3, 0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_drain_that_did_nothing_leaves_no_event() {
    let desk = Desk::open(settings()).await;
    let events = desk.events();
    assert_eq!(desk.pass().await.stopped_because, DrainStop::Empty);
    assert_eq!(desk.events(), events);
    desk.apply();
    desk.pass().await;
    assert_eq!(desk.events(), events + 4, "accepted, sent, committed, finished");
}

#[tokio::test(start_paused = true)]
async fn of_drains_at_once_one_sends_and_the_others_wait_for_it() {
    let desk = Desk::open(settings()).await;
    for _ in 0..6 {
        desk.apply();
    }
    desk.sor.takes_ms(100);
    let answered = std::sync::Arc::new(Mutex::new(Vec::new()));
    let times = std::sync::Arc::clone(&answered);
    desk.sor.deliveries(move |_, body| {
        times.lock().unwrap().push(Instant::now());
        recorded(body, body.local_seq.0)
    });
    let (first, second, third) = tokio::join!(desk.until_empty(), desk.until_empty(), desk.pass());
    assert_eq!(first.committed + second.committed + third.committed, 6);
    assert_eq!(desk.sor.delivered(), [1, 2, 3, 4, 5, 6]);
    let answered = answered.lock().unwrap();
    let apart = answered.windows(2).all(|pair| pair[1] - pair[0] >= Duration::from_millis(100));
    assert!(apart, "never two at once: {answered:?}");
}

#[tokio::test(start_paused = true)]
async fn one_that_waits_for_another_hears_a_request_to_stop_and_its_own_time() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.takes_ms(30_000);
    let hurried = DrainRequest { until_empty: true, max_s: Some(2) };
    let (handle, stop) = Stop::new();
    let asks = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        handle.ask();
    };
    let began = Instant::now();
    let waiting = async {
        let (of_time, of_stop, ()) =
            tokio::join!(desk.drain(hurried), desk.station.drain(ON, stop, &|_| ()), asks);
        assert_eq!((of_time.stopped_because, of_time.committed), (DrainStop::Time, 0));
        assert_eq!(of_stop.unwrap().stopped_because, DrainStop::Time);
        assert_eq!(began.elapsed().as_secs(), 2);
    };
    let (sent, ()) = tokio::join!(desk.until_empty(), waiting);
    assert_eq!(sent.committed, 1);
}

#[tokio::test(start_paused = true)]
async fn what_a_drain_left_in_flight_is_sent_by_the_next_one_without_a_new_start() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.takes_ms(3_000);
    let cut = tokio::time::timeout(Duration::from_secs(1), desk.until_empty()).await;
    assert!(cut.is_err(), "its task was dropped in the middle of the attempt");
    assert_eq!(desk.station.status().unwrap().books.in_flight, 1);
    desk.sor.takes_ms(0);
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.stopped_because), (1, DrainStop::Empty));
    assert_eq!(desk.sor.delivered(), [1, 1], "the same bytes, under the same key");
}

#[tokio::test(start_paused = true)]
async fn work_that_is_handed_in_while_a_drain_waits_for_something_else_is_sent_at_once() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    let began = Instant::now();
    let sent = std::sync::Arc::new(Mutex::new(Vec::new()));
    let times = std::sync::Arc::clone(&sent);
    desk.sor.deliveries(move |_, body| {
        times.lock().unwrap().push((body.local_seq.0, began.elapsed()));
        if body.local_seq.0 == 1 {
            asking(600, typed(423, "locked"))
        } else {
            recorded(body, body.local_seq.0)
        }
    });
    let (handle, stop) = Stop::new();
    let comes = async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        desk.apply();
        tokio::time::sleep(Duration::from_secs(1)).await;
        handle.ask();
    };
    let (report, ()) = tokio::join!(desk.station.drain(ON, stop, &|_| ()), comes);
    assert_eq!(report.unwrap().committed, 1);
    let sent = sent.lock().unwrap();
    assert_eq!(sent.iter().map(|(seq, _)| *seq).collect::<Vec<_>>(), [1, 2]);
    assert!(sent[1].1 < Duration::from_secs(6), "{sent:?}");
}

#[tokio::test(start_paused = true)]
async fn a_thousand_that_are_handed_in_while_a_drain_waits_wake_it_a_few_times() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.apply();
    desk.sor.deliveries(|_, _| down());
    let (handle, stop) = Stop::new();
    let turns = Mutex::new(0_u32);
    let comes = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        for _ in 0..1_000 {
            desk.station.work_came();
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        handle.ask();
    };
    let watch = |_: DrainProgress| *turns.lock().unwrap() += 1;
    let (report, ()) = tokio::join!(desk.station.drain(ON, stop, &watch), comes);
    assert_eq!(report.unwrap().stopped_because, DrainStop::Time);
    assert!(*turns.lock().unwrap() < 20, "{turns:?}");
}
