//! Every kind of work in an outage: taken at the counter, brought in order, the urgent lane first; and what city hall did
//! meanwhile.

#![allow(clippy::unwrap_used)]

use holdfast_drills::{Limits, Office, Receipt};
use serde_json::{Value, json};

/// One of each kind that amends nothing, as a supervisor hands them in.
fn one_of_each() -> Vec<(&'static str, Value)> {
    let fee = json!({"type": "waiver", "code": "PLAN-REVIEW", "amount": "185.00", "reason": "Storm damage."});
    let visit = json!({"InspType": "Footing", "ResultMapped": "Passed", "InspectedDate": "2026-11-30"});
    vec![
        ("note", json!({"text": "Applicant called."})),
        ("notice", json!({"id": "N-417", "type": "incomplete", "printed": "2026-11-30"})),
        ("notice", json!({"id": "N-417", "printed": "2026-11-30", "answered": "2026-12-05"})),
        ("fee", fee),
        ("tag", json!({"level": "inspected"})),
        ("tag", json!({"level": "restricted", "reason": "North wall leans."})),
        ("hold", json!({"type": "notice", "reason": "Call the owner first."})),
        ("inspection", visit),
        ("stage", json!({"to": "PrelimReview"})),
    ]
}

fn about(of: &Receipt, kind: &str, payload: &Value) -> Value {
    json!({"kind": kind, "application_id": of.application_id, "payload": payload})
}

#[test]
fn every_kind_is_taken_in_an_outage_and_recorded_in_order_with_the_urgent_lane_first() {
    let office = Office::at_work(&Limits::patient());
    office.desk.sign_in("supervisor");
    office.sor.cut();
    let calm = office.desk.submit_application("1 ELM ST");
    let mut lane = vec![calm.clone()];
    lane.extend(one_of_each().iter().map(|(kind, payload)| office.desk.submit(&about(&calm, kind, payload))));
    let urgent = office.desk.submit_application("2 ELM ST");
    let stop = json!({"type": "stop-work", "reason": "Footings poured too early."});
    let stop = office.desk.submit(&about(&urgent, "hold", &stop));
    let unsafe_house = office.desk.submit_application("3 ELM ST");
    let red = json!({"level": "unsafe", "reason": "Chimney down."});
    let red = office.desk.submit(&about(&unsafe_house, "tag", &red));
    office.sor.mend();
    let drained = office.desk.drain_to_empty();
    assert_eq!((&drained["committed"], &drained["quarantined"]), (&json!(14), &json!(0)), "{drained}");
    let ledger = office.sor.ledger();
    let places: Vec<_> = [&urgent, &stop, &unsafe_house, &red]
        .into_iter()
        .chain(&lane)
        .map(|receipt| ledger.place(receipt))
        .collect();
    assert!(
        places.is_sorted(),
        "the lanes with a stop-work and an unsafe house first, each in order: {places:?}"
    );
    office.assert_all_recorded(&[lane, vec![urgent, stop, unsafe_house, red]].concat());
}

#[test]
fn a_clerk_waives_no_fee_and_places_no_hold_in_an_outage_either() {
    let office = Office::at_work(&Limits::patient());
    let application = office.desk.submit_application("1 ELM ST");
    office.desk.drain_to_empty();
    let fee =
        |kind: &str| json!({"type": kind, "code": "PLAN-REVIEW", "amount": "185.00", "reason": "Asked for."});
    let attempts = [
        ("fee", fee("waiver"), "/payload/type"),
        ("hold", json!({"type": "hold", "reason": "x"}), "/payload/type"),
    ];
    for cut in [false, true] {
        if cut {
            office.sor.cut();
        }
        for (kind, payload, pointer) in &attempts {
            let document = about(&application, kind, payload).to_string();
            let refused = office.desk.run_with(&["submit", "-"], document.as_bytes()).is(6).json();
            let problem = &refused["problems"][0];
            assert_eq!(
                (&problem["pointer"], &problem["code"]),
                (&json!(pointer), &json!("forbidden")),
                "{refused}"
            );
        }
        let _ = office.desk.submit(&about(&application, "fee", &fee("payment")));
    }
    assert_eq!(office.desk.status()["counts"]["refused"], 4);
    office.desk.assert_audit_holds();
}

#[test]
fn a_final_passed_offline_against_a_stop_work_from_city_hall_waits_with_both_versions() {
    let office = Office::at_work(&Limits::patient());
    office.desk.sign_in("supervisor");
    let application = office.desk.submit_application("1 ELM ST");
    office.desk.drain_to_empty();
    office.sor.cut();
    let passed = json!({"InspType": "Final Building", "ResultMapped": "Passed", "InspectedDate": "2026-11-30", "Final": "Yes"});
    let passed = office.desk.submit(&about(&application, "inspection", &passed));
    let hold = office.sor.place_hold(&application.application_id, "stop-work", "By telephone.");
    office.sor.mend();
    let drained = office.desk.drain_to_empty();
    assert_eq!((&drained["committed"], &drained["quarantined"]), (&json!(0), &json!(1)), "{drained}");
    office.sor.ledger().assert_exactly([application.key.as_str()]);
    let item = office.desk.run(&["queue", "show", &passed.key]).is(0).json();
    assert_eq!(item["state"], "quarantined", "{item}");
    assert!(hold["etag"].is_string() && hold["hold_id"].is_string(), "{hold}");
    office.desk.assert_audit_holds();
}

#[test]
fn a_block_runs_out_and_nobody_is_sent_home() {
    let limits = Limits::patient()
        .saying("numbers", "leased")
        .with_count("number_block_size", 3)
        .with_count("number_low_mark", 1);
    let office = Office::at_work(&limits);
    office.desk.drain_to_empty();
    office.sor.cut();
    let addresses = ["1 ELM ST", "2 ELM ST", "3 ELM ST", "4 ELM ST"];
    let taken = addresses.map(|address| office.desk.submit_numbered(address));
    let numbers: Vec<&str> = taken.iter().filter_map(|receipt| receipt["permit_num"].as_str()).collect();
    assert_eq!(numbers.len(), 3, "the number of the fourth follows: {taken:?}");
    assert!(numbers.is_sorted());
    assert_eq!(office.desk.status()["notices"], json!([{"cause": "numbers_none_left"}]));
    office.sor.mend();
    let drained = office.desk.drain_to_empty();
    assert_eq!((&drained["committed"], &drained["quarantined"]), (&json!(4), &json!(0)), "{drained}");
    office.desk.drain_to_empty();
    assert_eq!(office.desk.status()["notices"], json!([]));
    let next = office.desk.submit_numbered("5 ELM ST")["permit_num"].as_str().unwrap().to_owned();
    let effects = office.sor.permit_nums();
    assert_eq!(effects[..3], numbers[..]);
    assert_eq!(
        effects.iter().chain([&next]).collect::<std::collections::BTreeSet<_>>().len(),
        5,
        "{effects:?} {next}"
    );
    office.desk.assert_audit_holds();
}
