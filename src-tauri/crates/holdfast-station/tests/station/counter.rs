//! Submitting, on the real journal: receipts, twins, refusals that change nothing, and what a restart finds.

use holdfast_station::Settings;
use holdfast_station::ports::{Clock, Journal, SendFacts, Step};
use holdfast_wire::{ApiCode, ListRequest};
use serde_json::json;

use crate::desk::{Desk, application, refusal, settings};

const OPERATION: &str = "01932c6f-8f0a-7cc3-98a1-0242ac120002";

fn named(operation_id: &str, address: &str) -> serde_json::Value {
    let payload = json!({ "OriginalAddress1": address, "PIN": ["0010-22-417"] });
    json!({ "kind": "application", "operation_id": operation_id, "payload": payload })
}

#[tokio::test(start_paused = true)]
async fn nothing_is_asked_of_the_record_system_by_whoever_submits() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    assert_eq!(desk.sor.asked(), []);
}

#[tokio::test(start_paused = true)]
async fn receipts_are_numbered_without_gaps_whatever_is_refused_between() {
    let desk = Desk::open(settings()).await;
    let mut numbers = Vec::new();
    for _ in 0..3 {
        numbers.push(desk.submit(&application()).unwrap().receipt_no);
        desk.submit(&json!({ "kind": "application", "payload": {} })).unwrap_err();
    }
    assert_eq!(numbers, ["front-1-1", "front-1-2", "front-1-3"]);
}

#[tokio::test(start_paused = true)]
async fn a_double_click_meets_the_same_receipt_and_four_equal_permits_are_four() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&named(OPERATION, "12 OAK ST")).unwrap();
    assert_eq!(desk.submit(&named(OPERATION, "12 OAK ST")).unwrap(), first);
    let (code, problems) = refusal(desk.submit(&named(OPERATION, "14 OAK ST")));
    assert_eq!((code, problems[0].0.as_str()), (ApiCode::Refused, "/operation_id"));
    for _ in 0..3 {
        desk.apply();
    }
    assert_eq!(desk.station.status().unwrap().books.accepted, 4);

    // Recorded and archived since, it is still met.
    desk.until_empty().await;
    let again = desk.submit(&named(OPERATION, "12 OAK ST")).unwrap();
    assert_eq!((again.receipt_no, again.state.as_str()), (first.receipt_no, "committed"));
}

#[tokio::test(start_paused = true)]
async fn refused_input_changes_nothing_but_the_count() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    let before = desk.station.status().unwrap();
    let (events, rows) =
        (desk.events(), desk.station.applications(ListRequest { skip: 0, rows: 9 }).unwrap());
    let inputs = [
        json!({ "kind": "application", "payload": { "EstProjectCost": 7 } }),
        json!({ "kind": "stage", "application_id": lane, "payload": { "to": "FeeEstimated" } }),
        json!({ "kind": "stage", "application_id": OPERATION, "payload": { "to": "PrelimReview" } }),
        json!({ "kind": "correction", "application_id": lane, "payload": {} }),
    ];
    for input in &inputs {
        assert_eq!(refusal(desk.submit(input)).0, ApiCode::Refused, "{input}");
    }
    let mut after = desk.station.status().unwrap();
    assert_eq!(after.counts.refused, before.counts.refused + inputs.len() as u64);
    after.counts = before.counts;
    after.headroom = before.headroom.clone();
    assert_eq!(after, before);
    assert_eq!(desk.events(), events, "nothing to audit");
    assert_eq!(desk.station.applications(ListRequest { skip: 0, rows: 9 }).unwrap(), rows);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_without_the_right_is_refused_and_audited_in_every_mode() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    desk.advance(&lane, "FeeEstimated");
    desk.sign_in("clerk").await.unwrap();
    let approve =
        json!({ "kind": "stage", "application_id": lane, "payload": { "to": "ConditionalApproval" } });
    let inspect = json!({ "kind": "inspection", "application_id": lane, "payload": {} });
    for outage in [false, true] {
        if outage {
            desk.sor.deliveries(|_, _| crate::answers::down());
            desk.pass().await;
            desk.clock.go_on_ms(60_000);
            desk.pass().await;
        }
        for (what, pointer) in [(&approve, "/payload/to"), (&inspect, "/kind")] {
            let events = desk.events();
            let (code, problems) = refusal(desk.submit(what));
            assert_eq!((code, problems[0].0.as_str()), (ApiCode::NotPermitted, pointer), "{outage}");
            assert_eq!(desk.events(), events + 1, "{outage}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_accepted_is_there_after_a_restart_with_its_stage() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    let receipt = desk.advance(&lane, "PrelimReview");
    let desk = desk.started_again(settings());
    let application = desk.station.application(&lane).unwrap();
    assert_eq!((application.row.stage.as_str(), application.row.waiting), ("PrelimReview", 2));
    assert_eq!(application.payload["OriginalAddress1"], "12 OAK ST");
    let kept = desk.station.operation(&receipt.idempotency_key).unwrap();
    assert_eq!((kept.row.state.as_str(), &kept.body["actor"]), ("pending", &json!("supervisor")));
    let queued: Vec<_> = desk.station.queue(ListRequest { skip: 0, rows: 9 }).unwrap();
    assert_eq!(queued.iter().map(|row| row.kind.as_str()).collect::<Vec<_>>(), ["application", "stage"]);
}

#[tokio::test(start_paused = true)]
async fn inspections_go_on_under_stale_rules_and_the_counter_does_not() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.clock.go_on_ms(24 * 3_600_000 + 1);
    assert_eq!(refusal(desk.submit(&application())).0, ApiCode::RulesOutOfDate);
    let inspection = json!({ "kind": "inspection", "application_id": lane, "payload": {
        "InspType": "FTG", "InspTypeMapped": "Footing", "Result": "OK", "ResultMapped": "Passed",
        "InspectedDate": "2026-12-01", "InspectedTime": "08:00" } });
    let receipt = desk.submit(&inspection).unwrap();
    assert_eq!((receipt.kind.as_str(), receipt.route.as_str()), ("inspection", "defer"));
    let bad = json!({ "kind": "inspection", "application_id": lane, "payload": { "Result": 7 } });
    assert_eq!(refusal(desk.submit(&bad)).0, ApiCode::Refused, "judged by the rules that are there");
    assert_eq!(desk.station.status().unwrap().mode, "intake_paused");
}

#[tokio::test(start_paused = true)]
async fn work_that_cannot_be_sent_now_is_ahead_of_nobody_elses() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    desk.sor.deliveries(|_, _| crate::answers::typed(422, "validation"));
    desk.pass().await;
    let routes = || desk.submit(&application()).unwrap().route;
    assert_eq!(routes(), "direct", "one waits for a person, and one behind it");
    assert_eq!(routes(), "defer", "an older one is next");
    assert_eq!(desk.advance(&lane, "FeeEstimated").route, "defer", "behind its own lane");
}

#[tokio::test(start_paused = true)]
async fn whoever_comes_second_in_an_outage_is_not_promised_to_be_the_canary() {
    let desk = Desk::open(settings()).await;
    desk.sor.deliveries(|_, _| crate::answers::down());
    let lane = desk.apply();
    desk.drain(holdfast_wire::DrainRequest { until_empty: true, max_s: Some(20) }).await;
    desk.clock.go_on_ms(20_000);
    assert_eq!(desk.submit(&application()).unwrap().route, "defer", "{lane} would be");
}

#[tokio::test(start_paused = true)]
async fn one_more_than_may_wait_is_told_at_once_and_changes_nothing() {
    let desk = Desk::open(Settings { accepts_waiting_max: 1, ..settings() }).await;
    let (go_on, waits) = std::sync::mpsc::channel::<()>();
    let (entered, is_in) = std::sync::mpsc::channel::<()>();
    let store = std::sync::Arc::clone(&desk.store);
    let now = desk.clock.now();
    let writer = std::thread::spawn(move || {
        let decide = move |facts: &SendFacts| {
            entered.send(()).unwrap();
            waits.recv().unwrap();
            Step::Rest { endpoint: Box::new(facts.endpoint.clone()), lost: None, entries: Vec::new() }
        };
        store.begin(now, holdfast_core::cascade::Recorder::Primary, Box::new(decide)).unwrap();
    });
    is_in.recv().unwrap();
    let (tell, told) = std::sync::mpsc::channel();
    for _ in 0..2 {
        let (station, tell) = (std::sync::Arc::clone(&desk.station), tell.clone());
        std::thread::spawn(move || tell.send(station.submit(application().to_string().as_bytes())).unwrap());
    }
    // The one that finds no place is told so while the writer is still busy with something else.
    assert_eq!(refusal(told.recv().unwrap()).0, ApiCode::Busy);
    go_on.send(()).unwrap();
    assert_eq!(told.recv().unwrap().unwrap().receipt_no, "front-1-1");
    writer.join().unwrap();
    assert_eq!(desk.apply().len(), 36, "there is a place again");
    assert_eq!(desk.station.status().unwrap().books.accepted, 2);
}
