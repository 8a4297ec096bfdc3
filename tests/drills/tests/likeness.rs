//! Applications that look alike, over the command line: all are kept and recorded, and somebody is told to look twice.

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use holdfast_drills::{Limits, Office};
use serde_json::{Value, json};

/// A receipt is there long before a slow SoR has answered; the machine may do much else.
const RECEIPT_MAX: Duration = Duration::from_secs(10);

fn file(office: &Office, applicant: &str) -> Value {
    let document = json!({"kind": "application", "payload": {
        "OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence",
        "ApplicantName": applicant}});
    office.desk.run_with(&["submit", "-"], document.to_string().as_bytes()).is(0).json()
}

fn pairs(office: &Office) -> Vec<Value> {
    office.desk.run(&["likeness", "list"]).is(0).json()["pairs"].as_array().unwrap().clone()
}

#[test]
fn a_second_filing_of_the_same_is_kept_marked_and_recorded() {
    let office = Office::at_work(&Limits::patient());
    office.sor.put(&[json!({"do": "slow", "delay_ms": 2_000, "on": {"path": "/v1/operations"}})]);
    let began = Instant::now();
    let first = file(&office, "Rosa Delgado");
    let again = file(&office, "ROSA  DELGADO");
    assert!(began.elapsed() < RECEIPT_MAX, "nobody waits for the SoR");
    assert!(first.get("looks_like").is_none(), "{first}");
    assert_eq!(again["looks_like"][0]["receipt_no"], first["receipt_no"], "{again}");
    let other = file(&office, "Ben Ortiz");
    assert!(other.get("looks_like").is_none(), "{other}");
    office.desk.drain_to_empty();
    assert_eq!(office.sor.effects(), 3, "nothing is merged and nothing dropped");
    let key = again["idempotency_key"].as_str().unwrap();
    let shown = office.desk.run_plain(&["queue", "show", key]);
    assert!(format!("{shown:?}").contains("looks like"), "{shown:?}");

    let found = pairs(&office);
    assert_eq!((found.len(), &found[0]["idempotency_key"]), (1, &again["idempotency_key"]), "{found:?}");
    let kept = office.desk.run(&["likeness", "keep", key, "--reason", "two gates"]).is(0).json();
    assert_eq!(kept["kept_beside"], json!([first["application_id"]]), "{kept}");
    assert_eq!(pairs(&office), Vec::<Value>::new());
    let none = office.desk.run(&["likeness", "keep", key, "--reason", "two gates"]).is(6).json();
    assert_eq!(none["problems"][0]["code"], "not-waiting", "{none}");
    office.desk.assert_audit_holds();
}

#[test]
fn one_of_two_that_look_alike_is_taken_back_and_the_mark_goes() {
    let office = Office::at_work(&Limits::default());
    office.desk.sign_in("supervisor");
    let (_, again) = (file(&office, "Rosa Delgado"), file(&office, "Rosa Delgado"));
    assert_eq!(pairs(&office).len(), 1);
    let void = json!({"kind": "void", "application_id": again["application_id"],
        "payload": {"of": again["operation_id"], "reason": "filed twice"}});
    let _ = office.desk.submit(&void);
    assert_eq!(pairs(&office), Vec::<Value>::new());
    office.desk.drain_to_empty();
    assert_eq!(office.sor.effects(), 1);
    office.desk.assert_audit_holds();
}
