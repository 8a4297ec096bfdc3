//! Whose fault a failure is: one bad operation stops neither the counter nor the others, and an outage is nobody's.

#![allow(clippy::unwrap_used)]

use holdfast_drills::{Limits, Office, Receipt, Sample};
use serde_json::{Value, json};

/// Failures that are charged to an operation before it waits for a person.
const ITEM_FAILURES_MAX: u32 = 5;

/// An office with `count` applications waiting.
fn with_waiting(count: usize) -> (Office, Vec<Receipt>) {
    let office = Office::at_work(&Limits::patient());
    let receipts = (1..=count).map(|n| office.desk.submit_application(&format!("{n} BAY ST"))).collect();
    (office, receipts)
}

fn on(receipt: &Receipt, mut fault: Value) -> Value {
    fault["on"] = json!({"key": receipt.key, "method": "POST"});
    fault
}

fn row_of(office: &Office, receipt: &Receipt) -> Value {
    let rows = office.desk.queue();
    rows.into_iter().find(|row| row["idempotency_key"] == receipt.key.as_str()).unwrap()
}

#[test]
fn an_operation_that_fails_alone_is_set_aside_and_the_others_are_recorded() {
    let office = Office::at_work(&Limits::default());
    let _ = office.desk.import(&Sample::committed().file);
    let receipts = office.desk.waiting();
    let (poison, others) = receipts.split_first().unwrap();
    // Late, so that others are recorded between any two of its failures.
    let late = json!({"do": "slow", "delay_ms": 20, "on": {"path": "/v1/operations", "method": "POST"}});
    office.sor.put(&[on(poison, json!({"do": "status", "status": 500})), late]);
    let report = office.desk.drain_to_empty();
    assert_eq!((&report["committed"], &report["quarantined"]), (&json!(others.len()), &json!(1)), "{report}");
    let row = row_of(&office, poison);
    assert_eq!((&row["state"], &row["reason"]), (&json!("quarantined"), &json!("fails-alone")), "{row}");
    assert!(
        row["attempts"].as_u64().unwrap() > u64::from(ITEM_FAILURES_MAX),
        "the first is the endpoint's: {row}"
    );
    office.sor.ledger().assert_exactly(others.iter().map(|receipt| receipt.key.as_str()));
    assert_eq!(office.desk.breaker(), "closed", "one bad operation is no outage");
    office.desk.assert_audit_holds();
}

#[test]
fn an_operation_with_no_other_beside_it_is_never_set_aside_for_an_outage() {
    let (office, receipts) = with_waiting(1);
    for fault in [json!({"do": "status", "status": 500}), json!({"do": "reset"}), json!({"do": "portal"})] {
        office.sor.put(&[fault]);
        let report = office.desk.run(&["drain", "--until-empty", "--max-s", "3"]).is(3).json();
        assert_eq!((&report["pending"], &report["quarantined"]), (&json!(1), &json!(0)), "{report}");
    }
    office.sor.mend();
    office.desk.drain_to_empty();
    office.assert_all_recorded(&receipts);
}

#[test]
fn an_sor_that_is_still_at_it_is_asked_again_and_nobody_is_to_blame() {
    let (office, receipts) = with_waiting(3);
    let busy = json!({"do": "status", "status": 409, "body": {"type": "in-progress"}, "count": 10});
    office.sor.put(&[on(&receipts[0], busy)]);
    let report = office.desk.drain_to_empty();
    assert_eq!((&report["committed"], &report["quarantined"]), (&json!(3), &json!(0)), "{report}");
    assert_eq!(office.desk.status()["counts"]["failed"], 0, "busy is a sign of life");
    assert_eq!(office.sor.requests(), 13);
    office.assert_all_recorded(&receipts);
}
