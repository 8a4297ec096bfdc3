//! Succeeded late, at an SoR without keys: what it has is found and not written again; what it got twice is named.

#![allow(clippy::unwrap_used)]

use holdfast_drills::{Limits, Office, PASSPHRASE, Receipt, long, until};
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
    let (settle_s, after_ms) = if long() { (30, 20_000) } else { (3, 1_500) };
    let office = Office::with_old_vendor(&limits(settle_s));
    let receipt = office.desk.submit_application("12 OAK ST");
    office.sor.put(&[late(after_ms)]);
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

/// Work on a recorded application, of every kind that such an SoR takes; `of` made the application.
fn of_each_kind(of: &str) -> Vec<(&'static str, Value)> {
    let visit = json!({"InspType": "Footing", "ResultMapped": "Passed", "InspectedDate": "2026-11-30"});
    let other = json!({"OriginalAddress1": "14 OAK ST", "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence"});
    vec![
        ("note", json!({"text": "Applicant called."})),
        ("notice", json!({"id": "N-417", "type": "incomplete", "printed": "2026-11-30"})),
        ("fee", json!({"type": "payment", "code": "PLAN-REVIEW", "amount": "185.00", "method": "check"})),
        ("tag", json!({"level": "restricted", "reason": "North wall leans."})),
        ("hold", json!({"type": "notice", "reason": "Call the owner first."})),
        ("inspection", visit),
        ("correction", json!({"of": of, "payload": other})),
        ("stage", json!({"to": "PrelimReview"})),
        ("void", json!({"of": of, "reason": "Handed in twice."})),
    ]
}

fn about(of: &Receipt, kind: &str, payload: &Value) -> Value {
    json!({"kind": kind, "application_id": of.application_id, "payload": payload})
}

/// A recorded application, and the id of the operation that made it.
fn recorded(office: &Office) -> (Receipt, String) {
    let document = json!({"kind": "application", "payload": {
        "OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence"}});
    let receipt = office.desk.run_with(&["submit", "-"], document.to_string().as_bytes()).is(0).json();
    office.desk.drain_to_empty();
    let of = receipt["operation_id"].as_str().unwrap().to_owned();
    (serde_json::from_value(receipt).unwrap(), of)
}

#[test]
fn every_kind_is_recorded_once_and_in_order_at_an_old_vendors_system() {
    let office = Office::with_old_vendor(&limits(1));
    office.desk.sign_in("supervisor");
    let (application, of) = recorded(&office);
    let mut receipts = vec![application.clone()];
    for (kind, payload) in of_each_kind(&of) {
        receipts.push(office.desk.submit(&about(&application, kind, &payload)));
    }
    office.desk.drain_to_empty();
    office.assert_all_recorded(&receipts);
    let came: Vec<_> = office.sor.ledger().effects.into_iter().map(|effect| effect.key).collect();
    let handed_in: Vec<_> = receipts.iter().map(|receipt| receipt.key.clone()).collect();
    assert_eq!(came, handed_in);
}

#[test]
fn what_nobody_can_look_for_is_written_once_and_waits_for_a_person_when_its_answer_is_lost() {
    let office = Office::with_old_vendor(&limits(1));
    let (application, _) = recorded(&office);
    let note = office.desk.submit(&about(&application, "note", &json!({"text": "Applicant called."})));
    let other = office.desk.submit_application("14 OAK ST");
    let lost =
        json!({"do": "commit_then_drop", "on": {"path": "/records", "method": "POST", "key": note.key}});
    office.sor.put(&[lost]);
    office.desk.drain_to_empty();
    let shown = office.desk.run(&["queue", "show", &note.key]).is(0).json();
    assert_eq!((&shown["state"], &shown["reason"]), (&json!("quarantined"), &json!("unprovable")), "{shown}");
    office.sor.ledger().assert_exactly([&application, &note, &other].map(|receipt| receipt.key.as_str()));
    // A person has looked there, and says so.
    office.desk.sign_in("supervisor");
    let resolve = ["quarantine", "resolve", &note.key, "--reason", "seen there"];
    let nowhere = office.desk.run(&[&resolve[..], &["--found", "two words"]].concat()).is(6).json();
    assert_eq!(nowhere["problems"][0]["pointer"], "/decision/record", "{nowhere}");
    let decided = office.desk.run(&[&resolve[..], &["--found", "C-4711"]].concat()).is(0).json();
    assert_eq!(decided["state"], "committed");
    let shown = office.desk.run(&["queue", "show", &note.key]).is(0).json();
    assert_eq!(shown["said"]["found"]["record_id"], "C-4711", "{shown}");
    assert_eq!(events(&office, "operation.found_by_person").len(), 1);
    office.desk.drain_to_empty();
    office.sor.ledger().assert_exactly([&application, &note, &other].map(|receipt| receipt.key.as_str()));
    office.desk.assert_audit_holds();
}

/// What is looked for in the lists of its record: a hold, a tag, a correction.
#[test]
fn an_answer_about_a_line_of_a_record_lost_at_any_point_leaves_one_effect() {
    let office = Office::with_old_vendor(&limits(1));
    office.desk.sign_in("supervisor");
    for fault in [
        json!({"do": "reset"}),
        json!({"do": "timeout"}),
        json!({"do": "timeout", "commit_after_ms": 500}),
        json!({"do": "commit_then_drop"}),
        json!({"do": "half_body"}),
        json!({"do": "portal"}),
    ] {
        let (application, of) = recorded(&office);
        let lines =
            of_each_kind(&of).into_iter().filter(|(kind, _)| ["hold", "tag", "correction"].contains(kind));
        let lines: Vec<_> =
            lines.map(|(kind, payload)| office.desk.submit(&about(&application, kind, &payload))).collect();
        let lose = |line: &Receipt| {
            let mut lose = fault.clone();
            lose["on"] = json!({"path": "/records", "method": "POST", "key": line.key});
            lose["count"] = json!(1);
            lose
        };
        office.sor.put(&lines.iter().map(lose).collect::<Vec<_>>());
        office.desk.drain_to_empty();
        office.sor.mend();
        for line in &lines {
            assert_eq!(effects_of(&office, line), 1, "{fault}");
        }
        let status = office.desk.status();
        assert_eq!(
            (&status["books"]["quarantined"], &status["books"]["pending"]),
            (&json!(0), &json!(0)),
            "{fault}"
        );
    }
    office.desk.assert_audit_holds();
}
