//! What went wrong in public for others who do the same job, tried on the drain. `docs/field-reports.md` says where each of
//! them was reported and what the right outcome is.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use holdfast_core::operation::Body;
use holdfast_core::outcome::Answer;
use holdfast_station::Settings;
use holdfast_wire::{Decision, DrainReport, DrainRequest, DrainStop, ListRequest};
use serde_json::json;
use tokio::time::Instant;

use crate::answers::{down, lost, receipt, recorded, replied, stranger, typed};
use crate::decide::{decide, quarantined};
use crate::desk::{Desk, application};

/// As a workstation has them when nobody changed anything.
async fn desk() -> Desk {
    Desk::open(Settings::default()).await
}

fn apply_times(desk: &Desk, times: u64) -> Vec<String> {
    (0..times).map(|_| desk.apply()).collect()
}

fn books(desk: &Desk) -> (u64, u64, u64) {
    let books = desk.station.status().unwrap().books;
    assert_eq!(
        books.accepted,
        books.pending + books.in_flight + books.committed + books.quarantined + books.voided
    );
    (books.pending + books.in_flight, books.committed, books.quarantined)
}

fn breaker(desk: &Desk) -> String {
    desk.station.status().unwrap().breakers[0].state.clone()
}

/// Records whatever `say` has nothing to say about.
fn except(desk: &Desk, mut say: impl FnMut(u64, &Body) -> Option<Answer> + Send + 'static) {
    desk.sor.deliveries(move |nth, body| say(nth, body).unwrap_or_else(|| recorded(body, body.local_seq.0)));
}

async fn for_seconds(desk: &Desk, seconds: u32) -> DrainReport {
    desk.drain(DrainRequest { until_empty: true, max_s: Some(seconds) }).await
}

#[tokio::test(start_paused = true)]
async fn an_sor_slower_than_the_limit_is_not_asked_faster_and_faster() {
    let desk = desk().await;
    desk.apply();
    let times = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&times);
    let began = Instant::now();
    desk.sor.takes_ms(5_000);
    // It commits after 20 s, and knows the key from then on.
    except(&desk, move |_, body| {
        told.lock().unwrap().push(began.elapsed());
        let is_there = began.elapsed() > Duration::from_secs(25);
        Some(if is_there { replied_before(body) } else { lost() })
    });
    let report = for_seconds(&desk, 600).await;
    assert_eq!((report.committed, report.already_committed, report.pending), (1, 0, 0));
    let times = times.lock().unwrap();
    assert!(times.len() <= 8, "{times:?}");
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= Duration::from_secs(6)), "{times:?}");
}

/// The first answer again.
fn replied_before(body: &Body) -> Answer {
    use holdfast_core::outcome::{Content, ReceiptState};
    replied(200, Content::Receipt(receipt(body, 1, ReceiptState::Applied)))
}

#[tokio::test(start_paused = true)]
async fn one_poisoned_operation_of_ten_stops_none_of_the_others() {
    let desk = desk().await;
    apply_times(&desk, 10);
    except(&desk, |_, body| (body.local_seq.0 == 3).then(|| typed(422, "validation")));
    let report = desk.pass().await;
    assert_eq!((report.committed, report.quarantined, report.pending), (9, 1, 0));
    assert_eq!(desk.sor.delivered(), (1..=10).collect::<Vec<_>>(), "in order, each once");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_is_locked_for_two_minutes_is_recorded_without_anybody() {
    let desk = desk().await;
    desk.apply();
    let began = Instant::now();
    except(&desk, move |_, _| (began.elapsed() < Duration::from_secs(120)).then(|| typed(423, "locked")));
    assert_eq!(desk.until_empty().await.committed, 1);
    assert_eq!((books(&desk), breaker(&desk)), ((0, 1, 0), "closed".to_owned()));
    assert!(desk.sor.delivered().len() <= 30, "{:?}", desk.sor.delivered());
}

#[tokio::test(start_paused = true)]
async fn after_an_outage_the_drain_begins_by_itself_and_soon() {
    let desk = desk().await;
    apply_times(&desk, 3);
    let ended_at = Arc::new(Mutex::new(None));
    let ends = Arc::clone(&ended_at);
    let began = Instant::now();
    except(&desk, move |_, _| {
        let is_down = began.elapsed() < Duration::from_secs(300);
        if !is_down {
            ends.lock().unwrap().get_or_insert(began.elapsed());
        }
        is_down.then(|| stranger(500))
    });
    desk.sor.healths(move || {
        if began.elapsed() < Duration::from_secs(300) {
            Err(holdfast_station::ports::NoLife::Silent { retry_after: None })
        } else {
            Ok(())
        }
    });
    assert_eq!(desk.until_empty().await.committed, 3);
    let first = ended_at.lock().unwrap().unwrap();
    assert!(first <= Duration::from_secs(300 + 33 + 30 + 60), "cool-down, jitter, one back-off: {first:?}");
}

#[tokio::test(start_paused = true)]
async fn nothing_that_waits_is_given_up_for_its_age() {
    let mut desk = desk().await;
    apply_times(&desk, 10);
    except(&desk, |_, body| Some(if body.local_seq.0 <= 5 { typed(422, "validation") } else { down() }));
    desk.pass().await;
    for days in [8_u64, 32] {
        desk.clock.go_on_ms(days * 24 * 3_600_000);
        desk = desk.started_again(Settings::default());
        desk.pass().await;
        assert_eq!(books(&desk), (5, 0, 5), "after {days} days more");
    }
}

#[tokio::test(start_paused = true)]
async fn one_press_after_the_budget_is_spent_is_a_real_attempt() {
    let desk = Desk::open(Settings { attempt_backoff_max_s: 2.0, ..Settings::default() }).await;
    apply_times(&desk, 20);
    desk.sor.takes_ms(500);
    except(&desk, |_, body| (body.local_seq.0 == 1).then(|| stranger(500)));
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.quarantined), (19, 1));
    let key = quarantined(&desk);
    let item = desk.station.operation(&key).unwrap();
    assert_eq!(item.row.reason.as_deref(), Some("fails-alone"), "the reason is shown");

    let attempts = desk.sor.delivered().len();
    except(&desk, |_, _| None);
    decide(&desk, &key, Decision::Requeue).unwrap();
    assert_eq!(desk.pass().await.committed, 1);
    assert_eq!(desk.sor.delivered().len(), attempts + 1);
}

#[tokio::test(start_paused = true)]
async fn what_is_refused_for_ever_keeps_no_breaker_open_and_holds_up_nobody_else() {
    for (always, reason) in
        [(stranger(500), "fails-alone"), (stranger(403), "fails-alone"), (stranger(413), "too-large")]
    {
        let desk = Desk::open(Settings { attempt_backoff_max_s: 2.0, ..Settings::default() }).await;
        apply_times(&desk, 20);
        desk.sor.takes_ms(500);
        except(&desk, move |_, body| (body.local_seq.0 == 1).then(|| always.clone()));
        let report = desk.until_empty().await;
        assert_eq!((report.committed, report.quarantined, report.pending), (19, 1, 0), "{reason}");
        let item = desk.station.operation(&quarantined(&desk)).unwrap();
        assert_eq!(item.row.reason.as_deref(), Some(reason));
        let outages = desk.station.outages(ListRequest { skip: 0, rows: 9 }).unwrap().all;
        assert_eq!((breaker(&desk), outages), ("closed".to_owned(), 0), "{reason}");
    }
}

#[tokio::test(start_paused = true)]
async fn one_that_is_never_answered_holds_up_its_own_record_and_no_other() {
    let desk = desk().await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    apply_times(&desk, 18);
    except(&desk, |_, body| (body.local_seq.0 == 1).then(lost));
    let report = for_seconds(&desk, 60).await;
    assert_eq!((report.committed, books(&desk)), (18, (2, 18, 0)));
    assert!(!desk.sor.delivered().contains(&2), "its follower waits");
}

#[tokio::test(start_paused = true)]
async fn whatever_state_an_operation_is_in_it_is_counted_everywhere() {
    let desk = desk().await;
    apply_times(&desk, 6);
    except(&desk, |_, body| match body.local_seq.0 {
        1 | 2 => None,
        3 | 4 => Some(typed(422, "validation")),
        _ => Some(down()),
    });
    desk.pass().await;
    let key = quarantined(&desk);
    decide(&desk, &key, Decision::Void).unwrap();
    let books = desk.station.status().unwrap().books;
    assert_eq!(
        (books.accepted, books.pending, books.in_flight, books.committed, books.quarantined, books.voided),
        (6, 2, 0, 2, 1, 1)
    );
    let listed = desk.station.queue(ListRequest { skip: 0, rows: 100 }).unwrap();
    assert_eq!(listed.len() as u64, books.pending + books.in_flight + books.quarantined);
    let told = |kind: &str| {
        desk.chain().iter().filter(|text| text.contains(&format!("\"kind\":\"{kind}\""))).count()
    };
    assert_eq!(
        (told("operation.accepted"), told("operation.committed"), told("operation.voided")),
        (6, 2, 1)
    );
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn too_many_requests_cost_nobody_a_decision_and_slow_the_drain() {
    let desk = desk().await;
    apply_times(&desk, 5);
    let began = Instant::now();
    let answers = [replied(429, holdfast_core::outcome::Content::Other), stranger(429)];
    except(&desk, move |nth, _| {
        (began.elapsed() < Duration::from_secs(90)).then(|| answers[usize::from(nth % 2 == 0)].clone())
    });
    assert_eq!(desk.until_empty().await.committed, 5);
    assert_eq!((books(&desk), breaker(&desk)), ((0, 5, 0), "closed".to_owned()));
    let asked = desk.sor.delivered().len();
    assert!(asked <= 5 * 12, "{asked} requests in a minute and a half");
}

#[tokio::test(start_paused = true)]
async fn what_belongs_to_an_application_is_not_sent_before_it_is_recorded() {
    let desk = desk().await;
    let lane = desk.apply();
    desk.submit(&json!({
        "kind": "inspection", "application_id": lane,
        "payload": { "InspType": "Footing", "Result": "Passed", "InspectedDate": "2026-11-30" },
    }))
    .unwrap();
    except(&desk, |nth, _| (nth == 1).then(lost));
    assert_eq!(desk.until_empty().await.committed, 2);
    assert_eq!(desk.sor.delivered(), [1, 1, 2]);
}

#[tokio::test(start_paused = true)]
async fn a_thousand_that_are_all_doomed_by_the_login_cost_a_handful_of_requests() {
    let desk = desk().await;
    apply_times(&desk, 1_000);
    except(&desk, |_, _| Some(typed(401, "unauthorized")));
    let report = desk.until_empty().await;
    assert_eq!(
        (report.stopped_because, report.pending, report.quarantined),
        (DrainStop::Unauthorized, 1_000, 0)
    );
    assert!(desk.sor.delivered().len() <= 3, "{:?}", desk.sor.delivered());
}

#[tokio::test(start_paused = true)]
async fn a_drain_whose_last_part_failed_says_how_many_remain() {
    let desk = desk().await;
    apply_times(&desk, 40);
    except(&desk, |_, body| (body.local_seq.0 > 30).then(lost));
    let report = desk.pass().await;
    assert_eq!((report.committed, report.pending), (30, 10));
    assert_ne!(report.stopped_because, DrainStop::Empty);
    assert_eq!(desk.station.status().unwrap().backlog.count, 10);
}

#[tokio::test(start_paused = true)]
async fn ten_refused_forms_in_a_row_are_no_outage() {
    let desk = desk().await;
    apply_times(&desk, 10);
    except(&desk, |nth, _| {
        let (status, kind) =
            [(400, "validation"), (404, "unknown-operation"), (422, "validation")][nth as usize % 3];
        Some(typed(status, kind))
    });
    assert_eq!(desk.pass().await.quarantined, 10);
    assert_eq!((breaker(&desk), desk.station.status().unwrap().outages_open), ("closed".to_owned(), 0));
}

#[tokio::test(start_paused = true)]
async fn a_quiet_counter_notices_an_outage_at_its_fourth_failure() {
    let desk = desk().await;
    except(&desk, |_, _| Some(down()));
    let mut states = Vec::new();
    for _ in 0..4 {
        desk.clock.go_on_ms(20 * 60_000);
        assert_eq!(desk.submit(&application()).unwrap().state, "pending", "nobody waits for it");
        desk.pass().await;
        states.push(breaker(&desk));
        if states.last().is_some_and(|state| state == "open") {
            break;
        }
    }
    assert_eq!(states.last().map(String::as_str), Some("open"), "{states:?}");
    assert_eq!(desk.station.status().unwrap().counts.failed, 4);
}

#[tokio::test(start_paused = true)]
async fn failures_with_a_success_after_every_third_never_open_it() {
    let desk = desk().await;
    for round in 0..50 {
        desk.clock.go_on_ms(15 * 60_000);
        desk.apply();
        except(&desk, |nth, _| (nth % 4 != 0).then(|| stranger(500)));
        let report = for_seconds(&desk, 900).await;
        assert_eq!((report.committed, breaker(&desk)), (1, "closed".to_owned()), "round {round}");
    }
}
