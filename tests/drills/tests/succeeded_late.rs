//! Succeeded late, at an SoR without keys: what it has is found and not written again; what it got twice is named.

#![allow(clippy::unwrap_used)]

use holdfast_drills::{Limits, Office, PASSPHRASE, Receipt, until};
use serde_json::{Value, json};

/// One write is not answered, and applied so much later.
fn late(after_ms: u64) -> Value {
    json!({"do": "timeout", "commit_after_ms": after_ms, "count": 1, "on": {"path": "/records", "method": "POST"}})
}

fn limits(settle_s: u32) -> Limits {
    Limits::default().with_count("settle_s", settle_s)
}

/// The events of one kind about an operation.
fn events(office: &Office, kind: &str) -> Vec<Value> {
    let chain = holdfast_store::tamper::events(&office.desk.data(), PASSPHRASE.as_bytes()).unwrap();
    let events = chain.iter().map(|text| serde_json::from_str::<Value>(text).unwrap());
    events.filter(|event| event["kind"] == kind).collect()
}

fn effects_of(office: &Office, receipt: &Receipt) -> usize {
    office.sor.ledger().effects.iter().filter(|effect| effect.key == receipt.key).count()
}

#[test]
fn what_succeeded_late_is_found_and_not_written_again() {
    let office = Office::with_old_vendor(&limits(3));
    let receipt = office.desk.submit_application("12 OAK ST");
    office.sor.put(&[late(1_500)]);
    office.desk.drain_to_empty();
    office.sor.ledger().assert_exactly([receipt.key.as_str()]);
    assert_eq!(office.sor.requests(), 1, "written once, and never again");
    assert_eq!(events(&office, "operation.found").len(), 1);
    assert_eq!(events(&office, "operation.committed").len(), 0);
    office.desk.assert_audit_holds();
}

#[test]
fn what_was_lost_on_the_way_is_written_again_after_the_settle_time_and_its_lane_goes_on() {
    let office = Office::with_old_vendor(&limits(1));
    let first = office.desk.submit_application("12 OAK ST");
    let second = office.desk.submit_stage(&first, "PrelimReview");
    let lost = json!({"do": "reset", "count": 1, "on": {"path": "/records", "method": "POST"}});
    office.sor.put(&[lost]);
    office.desk.drain_to_empty();
    office.assert_all_recorded(&[first, second]);
    assert_eq!(office.sor.requests(), 3);
}

#[test]
fn an_answer_lost_at_any_point_leaves_one_effect_of_each_operation() {
    let office = Office::with_old_vendor(&limits(1));
    let first = office.desk.submit_application("1 ELM ST");
    let mut receipts = vec![first.clone(), office.desk.submit_stage(&first, "PrelimReview")];
    receipts.extend((2..=6).map(|n| office.desk.submit_application(&format!("{n} ELM ST"))));
    let on = |nth: u64| json!({"path": "/records", "method": "POST", "nth": nth});
    office.sor.put(&[
        json!({"do": "commit_then_drop", "on": on(1)}),
        json!({"do": "half_body", "on": on(2)}),
        json!({"do": "script_abort", "on": on(3)}),
        json!({"do": "script_error", "on": on(4)}),
        json!({"do": "portal", "on": on(5)}),
        json!({"do": "status", "status": 429, "on": on(6)}),
    ]);
    office.desk.drain_to_empty();
    office.sor.mend();
    office.assert_all_recorded(&receipts);
}

#[test]
fn a_commit_later_than_the_settle_time_is_found_as_a_twin_and_named() {
    let office = Office::with_old_vendor(&limits(4));
    let receipt = office.desk.submit_application("12 OAK ST");
    // The first write is believed lost after 4 s and the attempt's own second; it comes after the second write.
    office.sor.put(&[late(7_000)]);
    office.desk.drain_to_empty();
    until("the late commit is there", || (effects_of(&office, &receipt) == 2).then_some(()));
    until("the twin is named", || {
        let _ = office.desk.run(&["drain"]);
        (!events(&office, "operation.twin_found").is_empty()).then_some(())
    });
    let named = events(&office, "operation.twin_found");
    assert_eq!(named.len(), 1, "{named:?}");
    assert_eq!(named[0]["data"]["record_ids"].as_array().map(Vec::len), Some(2), "{named:?}");
    office.desk.assert_audit_holds();
}
