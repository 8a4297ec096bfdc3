//! Decisions about what waits for a person: sent again, taken back, refused; and what they leave of a lane.

use std::sync::{Arc, Mutex};

use holdfast_core::operation::Body;
use holdfast_core::outcome::Answer;
use holdfast_wire::{ApiCode, ApiError, DecideRequest, Decided, Decision, ListRequest};
use serde_json::{Value, json};

use crate::answers::{down, lost, recorded, stranger, typed};
use crate::desk::{Desk, refusal, settings};
use crate::sor::Asked;

pub(crate) fn decide(desk: &Desk, key: &str, decision: Decision) -> Result<Decided, ApiError> {
    let reason = "The address was checked by telephone".to_owned();
    desk.station.decide(DecideRequest { key: key.to_owned(), decision, reason })
}

/// The keys of what waits, in the order of work, with their states.
fn waiting(desk: &Desk) -> Vec<(String, String)> {
    let rows = desk.station.queue(ListRequest { skip: 0, rows: 100 }).unwrap();
    rows.into_iter().map(|row| (row.idempotency_key, row.state)).collect()
}

fn key(desk: &Desk, nth: usize) -> String {
    waiting(desk)[nth].0.clone()
}

/// The key of the first that waits for a person.
pub(crate) fn quarantined(desk: &Desk) -> String {
    waiting(desk).into_iter().find(|(_, state)| state == "quarantined").unwrap().0
}

fn stage(desk: &Desk, lane: &str) -> String {
    desk.station.application(lane).unwrap().row.stage
}

fn balanced(desk: &Desk) {
    let books = desk.station.status().unwrap().books;
    let sum = books.pending + books.in_flight + books.committed + books.quarantined + books.voided;
    assert_eq!(books.accepted, sum, "{books:?}");
}

/// Refuses the operations of these numbers, records the others.
fn refusing(desk: &Desk, refused: &'static [u64]) {
    desk.sor.deliveries(move |_, body| answer(body, refused));
}

fn answer(body: &Body, refused: &[u64]) -> Answer {
    let seq = body.local_seq.0;
    if refused.contains(&seq) { typed(422, "validation") } else { recorded(body, seq) }
}

/// The last event of a kind.
fn event(desk: &Desk, kind: &str) -> Value {
    let mut events = desk.chain().into_iter().map(|text| serde_json::from_str::<Value>(&text).unwrap());
    events.rfind(|event| event["kind"] == kind).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_requeued_item_is_sent_with_the_same_bytes() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sees = Arc::clone(&seen);
    desk.sor.deliveries(move |nth, body| {
        sees.lock().unwrap().push(body.bytes());
        if nth == 1 { typed(422, "validation") } else { recorded(body, body.local_seq.0) }
    });
    desk.pass().await;
    let refused = key(&desk, 0);
    let decided = decide(&desk, &refused, Decision::Requeue).unwrap();
    assert_eq!((decided.receipt_no.as_str(), decided.state.as_str()), ("front-1-1", "pending"));
    assert_eq!((decided.going_on, decided.set_aside), (1, 0));
    balanced(&desk);
    assert_eq!(desk.until_empty().await.committed, 2);
    let seen = seen.lock().unwrap();
    assert_eq!(seen[0], seen[1]);
    assert_eq!(desk.station.operation(&refused).unwrap().row.state, "committed");
}

#[tokio::test(start_paused = true)]
async fn a_requeued_item_that_may_have_arrived_is_asked_for_first() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|nth, body| match nth {
        1 => lost(),
        2 => typed(422, "key-reused"),
        _ => recorded(body, 1),
    });
    desk.until_empty().await;
    assert_eq!(waiting(&desk)[0].1, "quarantined");
    decide(&desk, &key(&desk, 0), Decision::Requeue).unwrap();
    assert_eq!(desk.station.queue(ListRequest { skip: 0, rows: 1 }).unwrap()[0].doubt, "sent");
    assert_eq!(desk.until_empty().await.committed, 1);
    let asked = desk.sor.asked();
    assert!(matches!(asked[2..], [Asked::LookUp, Asked::Deliver { .. }]), "{asked:?}");
}

#[tokio::test(start_paused = true)]
async fn a_void_adds_no_row_and_keeps_the_books_balanced() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    let note = json!({ "kind": "inspection", "application_id": lane, "payload": {
        "InspType": "FTG", "InspTypeMapped": "Footing", "Result": "OK", "ResultMapped": "Passed",
        "InspectedDate": "2026-11-30", "InspectedTime": "08:00" } });
    desk.submit(&note).unwrap();
    refusing(&desk, &[2]);
    desk.pass().await;
    let before = desk.station.status().unwrap().books;
    let refused = key(&desk, 0);
    let decided = decide(&desk, &refused, Decision::Void).unwrap();
    assert_eq!((decided.state.as_str(), decided.going_on, decided.set_aside), ("voided", 1, 0));
    let after = desk.station.status().unwrap().books;
    assert_eq!((after.accepted, after.quarantined, after.voided), (before.accepted, 0, 1));
    balanced(&desk);

    // The next one builds on what the voided one built on.
    assert_eq!(desk.until_empty().await.committed, 1);
    let Some(Asked::Deliver { seq: 3, if_match, .. }) = desk.sor.asked().pop() else { panic!() };
    assert_eq!(if_match.as_deref(), Some("\"v1\""));
    let voided = desk.station.operation(&refused).unwrap();
    assert_eq!((voided.row.state.as_str(), voided.committed_at), ("voided", None));
    assert_eq!(desk.station.application(&lane).unwrap().row.waiting, 0);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn what_may_have_arrived_is_not_voided() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|nth, _| if nth == 1 { lost() } else { typed(422, "key-reused") });
    desk.until_empty().await;
    let before = desk.station.status().unwrap();
    let (code, problems) = refusal(decide(&desk, &key(&desk, 0), Decision::Void));
    assert_eq!((code, problems), (ApiCode::Refused, vec![("/key".to_owned(), "in-doubt".to_owned())]));
    assert_eq!(desk.station.status().unwrap().books, before.books);
    assert_eq!(event(&desk, "decision.refused")["data"]["reason"], "in-doubt");
}

#[tokio::test(start_paused = true)]
async fn followers_of_a_voided_application_wait_for_a_decision_of_their_own() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    desk.advance(&lane, "FeeEstimated");
    refusing(&desk, &[1]);
    desk.pass().await;
    let decided = decide(&desk, &key(&desk, 0), Decision::Void).unwrap();
    assert_eq!((decided.going_on, decided.set_aside), (0, 2));
    let rows = desk.station.queue(ListRequest { skip: 0, rows: 9 }).unwrap();
    assert!(rows.iter().all(|row| row.reason.as_deref() == Some("parent-voided")), "{rows:?}");
    assert_eq!(stage(&desk, &lane), "Voided");
    balanced(&desk);

    let follower = key(&desk, 0);
    let (_, problems) = refusal(decide(&desk, &follower, Decision::Requeue));
    assert_eq!(problems[0].1, "base-missing", "it could never be recorded");
    decide(&desk, &follower, Decision::Void).unwrap();
    decide(&desk, &key(&desk, 0), Decision::Void).unwrap();
    assert_eq!((waiting(&desk), stage(&desk, &lane).as_str()), (vec![], "Voided"));
    balanced(&desk);
    assert_eq!(desk.until_empty().await.committed, 0);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn the_stage_after_a_void_is_what_the_lane_says() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    for to in ["PrelimReview", "FeeEstimated", "ConditionalApproval"] {
        desk.advance(&lane, to);
    }
    refusing(&desk, &[3, 4]);
    desk.pass().await;
    decide(&desk, &key(&desk, 0), Decision::Void).unwrap();
    // The approval is left and leads nowhere from here.
    assert_eq!(stage(&desk, &lane), "PrelimReview");
    desk.pass().await;
    decide(&desk, &key(&desk, 0), Decision::Void).unwrap();
    assert_eq!(stage(&desk, &lane), "PrelimReview");

    // And from there work goes on.
    desk.advance(&lane, "FeeEstimated");
    assert_eq!(desk.until_empty().await.committed, 1);
    assert_eq!(stage(&desk, &lane), "FeeEstimated");
}

#[tokio::test(start_paused = true)]
async fn only_who_may_void_decides_and_every_refusal_is_audited() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    refusing(&desk, &[1]);
    desk.pass().await;
    let refused = key(&desk, 0);
    for user in ["clerk", "inspector"] {
        desk.sign_in(user).await.unwrap();
        for decision in [Decision::Requeue, Decision::Void] {
            let (code, problems) = refusal(decide(&desk, &refused, decision));
            assert_eq!((code, problems[0].1.as_str()), (ApiCode::NotPermitted, "forbidden"));
            let event = event(&desk, "decision.refused");
            assert_eq!(
                (&event["actor_id"], &event["data"]["reason"]),
                (&json!(user), &json!("not_permitted"))
            );
        }
    }
    desk.sign_in("supervisor").await.unwrap();
    desk.clock.go_on_ms(72 * 3_600_000);
    assert_eq!(refusal(decide(&desk, &refused, Decision::Void)).0, ApiCode::NotSignedIn);
    assert_eq!(waiting(&desk)[0].1, "quarantined");
}

#[tokio::test(start_paused = true)]
async fn a_decision_is_audited_with_what_it_was_made_from_and_its_reason_by_digest_only() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    refusing(&desk, &[1]);
    desk.pass().await;
    decide(&desk, &key(&desk, 0), Decision::Void).unwrap();
    let event = event(&desk, "operation.voided");
    let data = &event["data"];
    assert_eq!(event["actor_id"], "supervisor");
    assert_eq!(
        (&data["because"], &data["doubt"], &data["role"]),
        (&json!("rejected"), &json!("none"), &json!("supervisor"))
    );
    assert_eq!(data["reason"].as_str().unwrap().len(), 64);
    assert!(!desk.chain().concat().contains("telephone"));
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_no_decision_is_not_decided() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    let it = key(&desk, 0);
    let not_waiting = |decision| refusal(decide(&desk, &it, decision)).1[0].1.clone();
    assert_eq!(not_waiting(Decision::Void), "not-waiting", "it waits for the SoR");
    desk.until_empty().await;
    assert_eq!(not_waiting(Decision::Requeue), "not-waiting", "it is recorded");
    assert_eq!(refusal(decide(&desk, &"0".repeat(64), Decision::Void)).0, ApiCode::NotFound);
    let none = DecideRequest { key: it.clone(), decision: Decision::Requeue, reason: String::new() };
    assert_eq!(refusal(desk.station.decide(none)).1, [("/reason".to_owned(), "missing".to_owned())]);
    let blank = DecideRequest { key: it.clone(), decision: Decision::Void, reason: "  ".into() };
    assert_eq!(refusal(desk.station.decide(blank)).1, [("/reason".to_owned(), "missing".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn the_books_of_an_outage_balance() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|_, _| down());
    desk.drain(holdfast_wire::DrainRequest { until_empty: true, max_s: Some(20) }).await;
    let lanes = [desk.apply(), desk.apply(), desk.apply()];
    desk.advance(&lanes[0], "PrelimReview");
    let outages = || desk.station.outages(ListRequest { skip: 0, rows: 9 }).unwrap();
    let open = outages();
    assert_eq!((open.all, open.rows[0].closed_at.as_ref(), open.rows[0].books.accepted), (1, None, 5));
    assert!(open.rows[0].first_failure_at <= open.rows[0].tripped_at);

    refusing(&desk, &[3, 4]);
    desk.until_empty().await;
    let refused: Vec<_> = waiting(&desk).into_iter().map(|(key, _)| key).collect();
    decide(&desk, &refused[0], Decision::Void).unwrap();
    let row = &outages().rows[0];
    let books = &row.books;
    assert!(row.closed_at.is_some());
    assert_eq!((books.accepted, books.committed, books.quarantined, books.voided), (5, 3, 1, 1), "{books:?}");
    assert_eq!((books.pending, books.in_flight), (0, 0));

    // A second one is a row of its own, and the latest comes first.
    desk.sor.deliveries(|_, _| stranger(500));
    desk.apply();
    desk.drain(holdfast_wire::DrainRequest { until_empty: true, max_s: Some(20) }).await;
    let both = outages();
    assert_eq!((both.all, both.rows[0].closed_at.as_ref(), both.rows[0].books.accepted), (2, None, 1));
    assert_eq!(desk.station.outages(ListRequest { skip: 1, rows: 9 }).unwrap().rows, both.rows[1..]);
    assert!(desk.clean());
}

#[tokio::test]
async fn the_backlog_is_told_by_the_hours_in_which_it_was_accepted() {
    let desk = Desk::open(settings()).await;
    assert_eq!(desk.station.backlog_hours().unwrap().hours, []);
    for hour in 0..30_u64 {
        (0..=hour % 2).for_each(|_| drop(desk.apply()));
        desk.clock.go_on_ms(3_600_000);
        desk.sor.contracts(move |_| {
            let morning = crate::desk::wall(crate::desk::MORNING).plus_millis(3_600_000 * (hour as i64 + 1));
            let bundle = crate::office::bundle(7, morning);
            Ok(holdfast_station::ports::ContractAnswer::Bundle(Box::new(bundle)))
        });
        desk.station.refresh_contract().await.unwrap();
    }
    let told = desk.station.backlog_hours().unwrap();
    assert_eq!((told.hours.len(), told.earlier), (24, 9));
    assert_eq!(told.hours[0].from, "2026-11-30T14:00:00.000Z");
    assert_eq!(told.hours.iter().map(|hour| hour.waiting).sum::<u32>(), 36);
}
