//! What waits is corrected in its place or taken back, and the SoR never hears of the first.

#![allow(clippy::unwrap_used)]

use holdfast_drills::{Limits, Office};
use serde_json::{Value, json};

fn hand_in(office: &Office, document: &Value) -> Value {
    office.desk.run_with(&["submit", "-"], document.to_string().as_bytes()).is(0).json()
}

fn apply(office: &Office, address: &str) -> Value {
    hand_in(office, &json!({ "kind": "application", "payload": payload(address) }))
}

fn payload(address: &str) -> Value {
    json!({ "OriginalAddress1": address, "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence" })
}

fn advance(office: &Office, of: &Value, to: &str) -> Value {
    let lane = &of["application_id"];
    hand_in(office, &json!({ "kind": "stage", "application_id": lane, "payload": { "to": to } }))
}

fn correction(of: &Value, operation_id: &str, payload: &Value) -> Value {
    json!({ "kind": "correction", "operation_id": operation_id, "application_id": of["application_id"],
        "payload": { "of": of["operation_id"], "payload": payload } })
}

fn void(of: &Value, operation_id: &str) -> Value {
    json!({ "kind": "void", "operation_id": operation_id, "application_id": of["application_id"],
        "payload": { "of": of["operation_id"], "reason": "Taken in twice" } })
}

/// The keys of the effects at the SoR, in the order in which they came.
fn recorded(office: &Office) -> Vec<Value> {
    office.sor.ledger().effects.iter().map(|effect| json!(effect.key)).collect()
}

fn show(office: &Office, receipt: &Value) -> Value {
    office.desk.run(&["queue", "show", receipt["idempotency_key"].as_str().unwrap()]).is(0).json()
}

const FIRST: &str = "01932c6f-8f0a-7cc3-98a1-0242ac12bb01";
const SECOND: &str = "01932c6f-8f0a-7cc3-98a1-0242ac12bb02";

#[test]
fn an_application_is_corrected_during_an_outage_and_only_the_corrected_one_is_recorded_at_its_place() {
    let office = Office::at_work(&Limits::patient());
    office.sor.cut();
    let wrong = apply(&office, "1 ELM ST");
    let moved = advance(&office, &wrong, "PrelimReview");
    let other = apply(&office, "2 ELM ST");
    let correction = correction(&wrong, FIRST, &payload("1 OAK ST"));
    let right = hand_in(&office, &correction);
    assert_eq!((&right["kind"], &right["receipt_no"]), (&json!("application"), &json!("front-1-4")));
    assert_eq!(hand_in(&office, &correction), right, "the same again has the same receipt");
    let other_words = json!({ "kind": "correction", "operation_id": FIRST, "application_id": wrong["application_id"],
        "payload": { "of": wrong["operation_id"], "payload": payload("3 ELM ST") } });
    let refused = office.desk.run_with(&["submit", "-"], other_words.to_string().as_bytes()).is(6).json();
    assert_eq!(refused["problems"][0]["code"], "changed");
    // A clerk may not take anything back, online or not.
    let refused =
        office.desk.run_with(&["submit", "-"], void(&other, SECOND).to_string().as_bytes()).is(6).json();
    assert_eq!(refused["problems"][0]["code"], "forbidden");

    office.sor.mend();
    let drained = office.desk.drain_to_empty();
    assert_eq!((&drained["committed"], &drained["quarantined"]), (&json!(3), &json!(0)), "{drained}");
    let keys = [&right, &moved, &other].map(|receipt| receipt["idempotency_key"].clone());
    assert_eq!(recorded(&office), keys, "oldest place first, and nothing of the first application");
    assert_eq!(show(&office, &wrong)["replaced_by"], "front-1-4");
    assert_eq!(show(&office, &right)["replaces"], "front-1-1");
    let books =
        json!({ "accepted": 4, "pending": 0, "in_flight": 0, "committed": 3, "quarantined": 0, "voided": 1 });
    assert_eq!(office.desk.status()["books"], books);
    office.desk.assert_audit_holds();
}

#[test]
fn a_poison_item_first_stops_only_its_own_and_goes_with_them_once_it_is_corrected() {
    let office = Office::at_work(&Limits::patient());
    office.sor.cut();
    let poison = apply(&office, "1 ELM ST");
    let moved = advance(&office, &poison, "PrelimReview");
    let others = [apply(&office, "2 ELM ST"), apply(&office, "3 ELM ST")];
    let refusal = json!({ "type": "validation", "problems": [{ "pointer": "/ContractorStateLic", "code": "expired" }] });
    let key = &poison["idempotency_key"];
    office.sor.put(&[json!({ "do": "status", "status": 422, "body": refusal, "on": { "key": key } })]);
    let drained = office.desk.run(&["drain", "--until-empty", "--max-s", "50"]).is(3).json();
    assert_eq!((&drained["committed"], &drained["quarantined"]), (&json!(2), &json!(1)), "{drained}");
    assert_eq!(office.desk.breaker(), "closed", "a business error opens no breaker");
    assert_eq!(recorded(&office), others.each_ref().map(|receipt| receipt["idempotency_key"].clone()));

    let right = hand_in(&office, &correction(&poison, FIRST, &payload("1 OAK ST")));
    let drained = office.desk.drain_to_empty();
    assert_eq!((&drained["committed"], &drained["quarantined"]), (&json!(2), &json!(0)), "{drained}");
    let keys = [&others[0], &others[1], &right, &moved].map(|receipt| receipt["idempotency_key"].clone());
    assert_eq!(recorded(&office), keys);
    office.desk.assert_audit_holds();
}

#[test]
fn what_a_supervisor_takes_back_is_never_sent() {
    let office = Office::at_work(&Limits::patient());
    office.desk.sign_in("supervisor");
    office.sor.cut();
    let kept = apply(&office, "1 ELM ST");
    let twice = apply(&office, "1 ELM ST");
    let gone = hand_in(&office, &void(&twice, FIRST));
    assert_eq!((&gone["kind"], &gone["state"]), (&json!("void"), &json!("voided")));
    assert_eq!(gone["receipt_no"], twice["receipt_no"], "a void draws no number");
    assert_eq!(hand_in(&office, &void(&twice, FIRST)), gone);
    office.sor.mend();
    assert_eq!(office.desk.drain_to_empty()["committed"], 1);
    assert_eq!(recorded(&office), [kept["idempotency_key"].clone()]);
    let books =
        json!({ "accepted": 2, "pending": 0, "in_flight": 0, "committed": 1, "quarantined": 0, "voided": 1 });
    assert_eq!(office.desk.status()["books"], books);
    office.desk.assert_audit_holds();
}
