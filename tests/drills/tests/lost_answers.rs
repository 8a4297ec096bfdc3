//! Answers lost at every point, at an SoR with keys and at one without: each operation has one effect, whatever was lost; and
//! a twin is kept, or looked for again, over the command line.

#![allow(clippy::unwrap_used)]

use holdfast_drills::{Limits, Office, Receipt, long, until};
use serde_json::{Value, json};

/// Seconds within which every late commit of these drills is there, and how late two of them are, in milliseconds; in the long
/// form as late as an SoR may be that nobody wants.
fn lateness() -> (u32, [u64; 2]) {
    if long() { (30, [20_000, 15_000]) } else { (3, [1_500, 1_000]) }
}

/// Every way in which the n-th write and its answer can go wrong, once each.
fn lost_at_every_point(path: &str) -> Vec<Value> {
    let (_, late_ms) = lateness();
    let on = |nth: usize| json!({"path": path, "method": "POST", "nth": nth});
    let faults = [
        json!({"do": "reset"}),
        json!({"do": "timeout"}),
        json!({"do": "timeout", "commit_after_ms": late_ms[0]}),
        json!({"do": "reset", "commit_after_ms": late_ms[1]}),
        json!({"do": "commit_then_drop"}),
        json!({"do": "half_body"}),
        json!({"do": "status", "status": 500}),
        json!({"do": "portal"}),
        json!({"do": "redirect"}),
    ];
    let nth = |(n, mut fault): (usize, Value)| {
        fault["on"] = on(n + 1);
        fault
    };
    faults.into_iter().enumerate().map(nth).collect()
}

fn work(office: &Office) -> Vec<Receipt> {
    let first = office.desk.submit_application("1 ELM ST");
    let mut receipts = vec![first.clone(), office.desk.submit_stage(&first, "PrelimReview")];
    receipts.extend((2..=8).map(|n| office.desk.submit_application(&format!("{n} ELM ST"))));
    receipts
}

/// Until all is recorded, with the time that late commits take.
fn drain_however_late(office: &Office) {
    let max_s = if long() { "900" } else { "50" };
    let _ = office.desk.run(&["drain", "--until-empty", "--max-s", max_s]).is(0);
}

fn limits() -> Limits {
    Limits::default().with_count("settle_s", lateness().0).with("breaker_reset_s", 0.3)
}

#[test]
fn with_keys_answers_lost_at_every_point_leave_one_effect_of_each_operation() {
    let office = Office::at_work(&limits());
    let receipts = work(&office);
    office.sor.put(&lost_at_every_point("/v1/operations"));
    drain_however_late(&office);
    office.assert_all_recorded(&receipts);
    office.desk.assert_audit_holds();
}

#[test]
fn without_keys_answers_lost_at_every_point_leave_one_effect_of_each_operation() {
    let office = Office::with_old_vendor(&limits());
    let receipts = work(&office);
    office.sor.put(&lost_at_every_point("/records"));
    drain_however_late(&office);
    office.assert_all_recorded(&receipts);
    office.desk.assert_audit_holds();
}

#[test]
fn a_request_that_comes_again_while_the_first_is_worked_on_waits_and_has_one_effect() {
    let office = Office::at_work(&limits().with("sor_timeout_s", 1.0));
    let receipt = office.desk.submit_application("1 ELM ST");
    let held = json!({"do": "timeout", "commit_after_ms": 4_000, "under_way": true, "count": 1,
        "on": {"path": "/v1/operations", "method": "POST"}});
    office.sor.put(&[held]);
    office.desk.drain_to_empty();
    office.assert_all_recorded(std::slice::from_ref(&receipt));
    assert!(office.sor.requests() >= 3, "held open, told that it is worked on, and answered");
    let item = shown(&office, &receipt);
    assert_eq!((&item["state"], &item["reason"]), (&json!("committed"), &Value::Null), "{item}");
    office.desk.assert_audit_holds();
}

fn shown(office: &Office, receipt: &Receipt) -> Value {
    office.desk.run(&["queue", "show", &receipt.key]).is(0).json()
}

#[test]
fn a_supervisor_sees_both_records_of_a_twin_and_keeps_the_recorded_one() {
    let office = Office::with_old_vendor(&Limits::default().with_count("settle_s", 4));
    office.desk.sign_in("supervisor");
    let receipt = office.desk.submit_application("12 OAK ST");
    let late = json!({"do": "timeout", "commit_after_ms": 7_000, "count": 1,
        "on": {"path": "/records", "method": "POST"}});
    office.sor.put(&[late]);
    office.desk.drain_to_empty();
    let twin = until("the twin is found", || {
        let _ = office.desk.run(&["drain"]);
        let item = shown(&office, &receipt);
        (item["reason"] == "twin").then_some(item)
    });
    let said = &twin["said"]["twin"];
    assert_eq!(said["record_ids"].as_array().map(Vec::len), Some(2), "{twin}");
    assert_eq!(said["voids"].as_array().map(Vec::len), Some(1), "{twin}");
    let plain = office.desk.run_plain(&["quarantine", "show", &receipt.key]);
    assert!(format!("{plain:?}").contains("to be voided"), "{plain:?}");

    let resolve =
        ["quarantine", "resolve", &receipt.key, "--keep", "--reason", "the other is voided by hand"];
    let decided = office.desk.run(&resolve).is(0).json();
    assert_eq!(decided["state"], "committed");
    let kept = shown(&office, &receipt);
    assert_eq!((&kept["state"], &kept["record_id"]), (&json!("committed"), &said["stays"]), "{kept}");
    assert!(kept["said"]["twin"]["kept_at"].is_string(), "{kept}");
    let books = office.desk.status()["books"].clone();
    assert_eq!((&books["committed"], &books["quarantined"]), (&json!(1), &json!(0)));
    office.desk.assert_audit_holds();
}
