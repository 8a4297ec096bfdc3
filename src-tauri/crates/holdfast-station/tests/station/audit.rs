//! The audit of a whole journey: every event has the form of its schema, and every decision can be recomputed.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use holdfast_core::audit::Event;
use holdfast_core::canonical::canonical;
use holdfast_core::operation::Body;
use holdfast_core::outcome::{Answer, ReceiptState};
use holdfast_core::route::replay;
use holdfast_station::ports::Journal as _;
use holdfast_wire::Decision;
use serde_json::{Value, json};

use crate::answers::{asking, down, lost, receipt, recorded, replied, stranger, typed};
use crate::decide::{decide, quarantined};
use crate::desk::{Desk, application, refusal, settings};

/// Kinds that this journey does not come by: set-up is one event here, and the rest belongs to verbs of later.
const NOT_MET: &[&str] = &[
    "identity.pinned",
    "identity.mismatched",
    "contract.refused",
    "session.closed",
    "operation.settled",
    "operation.unsettled",
    "operation.twin_found",
    "operation.kept",
    "operation.found_by_person",
    "operation.replaced",
    "likeness.found",
    "likeness.kept",
    "breaker.held",
    "breaker.released",
    "breaker.retimed",
    "custody.held",
    "custody.refused",
    "custody.released",
    "import.finished",
    "numbers.asked",
    "numbers.leased",
    "numbers.refused",
    "numbers.low",
    "numbers.none_left",
    "numbers.void",
    "numbers.reported",
    "restore.noticed",
    "restore.looked_through",
    "restore.settled",
    "restore.refused",
    "operation.missing",
    "operation.returned",
    "operation.left",
    "station.restored",
    "station.strangers",
    "alarm.raised",
    "alarm.ended",
    "configuration.changed",
    "configuration.refused",
];

/// Something of everything, by the number of the attempt; then everything is recorded.
fn of_all_kinds(nth: u64, body: &Body) -> Answer {
    use holdfast_core::outcome::Content;
    let there = json!({
        "type": "https://holdfast.example/problems/already-committed",
        "operation": receipt(body, 1, ReceiptState::Applied),
    });
    match nth {
        // The journey's first day was a good one.
        1 => recorded(body, 1),
        2 => replied(409, Content::Problem(serde_json::from_value(there).unwrap())),
        3 => stranger(200),
        4 => lost(),
        5..=7 => down(),
        8 => typed(422, "validation"),
        9 => asking(2_000, stranger(429)),
        10 => replied(202, Content::Receipt(receipt(body, 1, ReceiptState::Received))),
        11 => typed(412, "version-conflict"),
        12 => typed(403, "forbidden"),
        _ => recorded(body, body.local_seq.0),
    }
}

/// A day with an outage, bad answers, refusals and an end in the middle of an attempt.
async fn journey() -> Desk {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.pass().await;
    for _ in 0..6 {
        let lane = desk.apply();
        desk.advance(&lane, "PrelimReview");
    }
    desk.sor.deliveries(of_all_kinds);
    desk.sor.takes_ms(10);
    desk.pass().await;
    desk.apply();
    desk.until_empty().await;
    desk.apply();

    desk.sor.takes_ms(3_000);
    assert!(tokio::time::timeout(Duration::from_secs(1), desk.until_empty()).await.is_err());
    let desk = desk.started_again(settings());
    desk.sor.takes_ms(0);
    desk.until_empty().await;

    desk.sign_in("inspector").await.unwrap();
    refusal(desk.submit(&application()));
    refusal(decide(&desk, &quarantined(&desk), Decision::Requeue));
    desk.sign_in("supervisor").await.unwrap();
    decide(&desk, &quarantined(&desk), Decision::Void).unwrap();
    decide(&desk, &quarantined(&desk), Decision::Requeue).unwrap();
    desk.clock.go_on_ms(25 * 3_600_000);
    refusal(desk.submit(&application()));
    desk.clock.go_on_ms(24 * 3_600_000);
    refusal(desk.submit(&application()));
    desk
}

fn events(desk: &Desk) -> Vec<Value> {
    desk.chain().iter().map(|text| serde_json::from_str(text).unwrap()).collect()
}

#[tokio::test(start_paused = true)]
async fn every_event_has_the_form_of_its_schema_and_the_one_text() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schemas/audit-event.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(schema).unwrap()).unwrap();
    let form = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    let desk = journey().await;
    let mut met = BTreeSet::new();
    for text in desk.chain() {
        let event: Value = serde_json::from_str(&text).unwrap();
        assert!(form.is_valid(&event), "{text}");
        assert_eq!(String::from_utf8(canonical(&event)).unwrap(), text);
        let read: Event = serde_json::from_str(&text).unwrap();
        assert_eq!(read.text(), text);
        assert!(!text.contains("OAK"), "no personal value stands in it: {text}");
        met.insert(read.kind.word());
    }
    let kinds = schema["properties"]["kind"]["enum"].as_array().unwrap();
    let missed: Vec<_> = kinds.iter().filter_map(Value::as_str).filter(|kind| !met.contains(kind)).collect();
    assert_eq!(missed, NOT_MET, "the journey comes by all others");
}

#[tokio::test(start_paused = true)]
async fn every_routing_decision_of_a_journey_is_recomputed_from_its_event() {
    let desk = journey().await;
    let mut accepted = 0;
    let mut routes = BTreeSet::new();
    for event in events(&desk) {
        let data = &event["data"];
        if event["kind"] != "operation.accepted" && data.get("inputs").is_none() {
            continue;
        }
        let replayed = replay(data).unwrap_or_else(|why| panic!("{why}: {event}"));
        assert!(replayed.agrees(), "{event}");
        routes.insert((replayed.recomputed.word(), replayed.recomputed.reason_word().unwrap_or("")));
        if event["kind"] == "operation.accepted" {
            accepted += 1;
            let row = desk.store.operation(&data["key"].as_str().unwrap().parse().unwrap()).unwrap().unwrap();
            assert_eq!(json!(row.receipt.route), replayed.recomputed.word(), "decided and done are one");
        }
    }
    assert_eq!(accepted, desk.station.status().unwrap().books.accepted);
    let told = json!(routes);
    for route in [
        ("direct", ""),
        ("defer", "lane"),
        ("defer", "backlog"),
        ("defer", "open"),
        ("refuse", "not_permitted"),
        ("refuse", "contract_stale"),
    ] {
        assert!(routes.contains(&route), "{route:?} in {told}");
    }
}
