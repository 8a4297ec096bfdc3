//! Forms and looks at them: from the rules in use, for whoever sits there.

use holdfast_wire::{ApiCode, CheckRequest, FieldControl, FieldNeed};
use serde_json::{Value, json};

use crate::desk::{Desk, refusal, settings};

fn asks(kind: &str, payload: Value, pointers: &[&str]) -> CheckRequest {
    let Value::Object(payload) = payload else { panic!("no object") };
    CheckRequest {
        kind: kind.to_owned(),
        payload,
        pointers: pointers.iter().map(|pointer| (*pointer).to_owned()).collect(),
    }
}

#[tokio::test]
async fn the_window_draws_what_the_contract_lays_out() {
    let desk = Desk::open(settings()).await;
    let form = desk.station.form("application").unwrap();
    assert_eq!((form.kind.as_str(), form.contract_version), ("application", 7));
    let ids: Vec<&str> = form.groups.iter().map(|group| group.id.as_str()).collect();
    assert_eq!(ids, ["site", "work", "people", "money"]);
    let address = &form.groups[0].fields[0];
    assert_eq!((address.pointer.as_str(), address.need), ("/payload/OriginalAddress1", FieldNeed::Required));
    assert_eq!(address.control, FieldControl::Address { limit: 250 });
    let FieldControl::Parcels { reason_pointer, .. } = &form.groups[0].fields[3].control else {
        panic!("no parcels")
    };
    assert_eq!(reason_pointer, "/payload/NoParcelReason");
}

#[tokio::test]
async fn without_rules_there_is_no_form_and_no_verdict() {
    let desk = Desk::bare(settings());
    let request = asks("application", json!({}), &["/payload"]);
    assert_eq!(refusal(desk.station.form("application")).0, ApiCode::RulesOutOfDate);
    assert_eq!(refusal(desk.station.check(&request)).0, ApiCode::RulesOutOfDate);
}

#[tokio::test]
async fn a_kind_that_the_rules_do_not_know_has_no_form() {
    let desk = Desk::open(settings()).await;
    for kind in ["attachment", "party", "", "../application"] {
        assert_eq!(refusal(desk.station.form(kind)).0, ApiCode::NotFound, "{kind}");
    }
}

#[tokio::test]
async fn a_look_tells_what_is_wrong_with_a_value_and_what_the_rule_is() {
    let desk = Desk::open(settings()).await;
    let payload = json!({"EstProjectCost": "12,5", "ApplicantName": "x".repeat(251)});
    let found =
        desk.station.check(&asks("application", payload.clone(), &["/payload/ApplicantName"])).unwrap();
    assert_eq!(found.problems.len(), 1);
    assert_eq!(found.problems[0].pointer, "/payload/ApplicantName");
    assert_eq!(found.problems[0].code, "too-long");
    assert_eq!(found.problems[0].params["limit"], "250");
    let all = desk.station.check(&asks("application", payload, &["/payload"])).unwrap();
    assert_eq!(all.problems.len(), 2, "neither the missing address nor the missing parcel");
    let elsewhere = desk.station.check(&asks("application", json!({}), &["/kind", ""])).unwrap();
    assert!(elsewhere.problems.is_empty());
}

#[tokio::test]
async fn a_look_has_its_limits() {
    let desk = Desk::open(settings()).await;
    let many = vec!["/payload/PIN"; 101];
    for request in [asks("application", json!({}), &many), asks("application", json!({}), &[])] {
        assert_eq!(refusal(desk.station.check(&request)).0, ApiCode::Refused);
    }
}
