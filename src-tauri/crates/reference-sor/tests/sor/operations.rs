//! Operations: what is applied, what is refused, and in which order it is judged.

use holdfast_core::ids::OperationId;
use holdfast_core::operation::{Body, Kind};
use holdfast_core::outcome::ReceiptBody;
use serde_json::{Value, json};

use crate::support::station::{fence, key_of, new_application_id, random_uuid};
use crate::support::{City, Request, Station};

type Change = fn(&mut Body);

#[test]
fn an_application_is_recorded_once_with_a_number_and_a_receipt() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let operation = station.application();
    let seen = station.post(&city, &operation, None);
    assert_eq!(seen.code(), 201);
    let receipt: ReceiptBody = serde_json::from_slice(&seen.body).unwrap();
    assert_eq!((receipt.idempotency_key, receipt.operation_id), (operation.key, operation.body.operation_id));
    assert!(receipt.permit_num.unwrap().as_str().starts_with("AF-20"));
    assert_eq!(Some(receipt.etag.as_str()), seen.header("etag"));
    assert_eq!(receipt.warnings, []);

    let found = station.get(&city, format!("/v1/operations/{}", operation.key));
    assert_eq!((found.code(), &found.body, found.header("etag")), (200, &seen.body, seen.header("etag")));
    let entry = &city.ledger()[0];
    assert_eq!(entry["key"], json!(operation.key));
    assert_eq!((&entry["kind"], &entry["actor"]), (&json!("application"), &json!("clerk")));
    assert_eq!(city.counts(), (1, 1));
}

#[test]
fn a_number_that_the_application_brings_is_kept_and_one_in_use_is_warned_about() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let numbered = || {
        let mut payload = fence();
        payload["PermitNum"] = json!("2007-001000-000-00-RS");
        station.prepare(Kind::Application, new_application_id(), payload)
    };
    let first = station.post(&city, &numbered(), None).json();
    assert_eq!((&first["permit_num"], &first["warnings"]), (&json!("2007-001000-000-00-RS"), &json!([])));
    let second = station.post(&city, &numbered(), None).json();
    assert_eq!(second["warnings"][0]["code"], "permit-num-in-use");
}

#[test]
fn each_operation_names_the_version_before_it() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let (id, first) = station.open_application(&city);
    let review = station.moved(id, "PrelimReview");
    assert_eq!(station.post(&city, &review, None).problem(), (428, "precondition-required".into()));
    let second = station.post(&city, &review, Some(&first));
    assert_eq!(second.code(), 201);
    let second = second.header("etag").unwrap().to_owned();
    assert_ne!(first, second);

    let fee = station.moved(id, "FeeEstimated");
    let conflict = station.post(&city, &fee, Some(&first));
    assert_eq!(conflict.problem(), (412, "version-conflict".into()));
    assert_eq!(conflict.json()["etag"], json!(second));
    assert_eq!(conflict.json()["current"]["stage"], "PrelimReview");
    assert_eq!(station.post(&city, &fee, Some(&second)).code(), 201);
    let replay = station.post(&city, &review, Some("\"whatever\""));
    assert_eq!(replay.code(), 201, "a known key is answered before If-Match is looked at");
    assert_eq!(city.counts().0, 3);
}

#[test]
fn an_approval_is_shown_as_committed_and_a_return_accepted_before_that_is_known_is_applied() {
    let city = City::start();
    let station = Station::new(&city, "supervisor");
    let (id, mut etag) = station.open_application(&city);
    for to in ["PrelimReview", "FeeEstimated", "ConditionalApproval"] {
        let seen = station.post(&city, &station.moved(id, to), Some(&etag));
        assert_eq!(seen.code(), 201, "{to}: {seen:?}");
        etag = seen.header("etag").unwrap().to_owned();
    }
    let view = station.get(&city, format!("/v1/applications/{id}"));
    assert_eq!(
        (view.json()["stage"].as_str(), view.header("etag")),
        (Some("Committed"), Some(etag.as_str()))
    );
    let back = station.prepare(Kind::Stage, id, json!({"to": "Intake", "reason": "survey missing"}));
    assert_eq!(station.post(&city, &back, Some(&etag)).code(), 201);
    let view = station.get(&city, format!("/v1/applications/{id}")).json();
    assert_eq!((&view["stage"], view["operations"].as_array().unwrap().len()), (&json!("Returned"), 5));
}

#[test]
fn a_step_that_the_lifecycle_does_not_know_is_refused_at_its_field() {
    let city = City::start();
    let station = Station::new(&city, "supervisor");
    let (id, etag) = station.open_application(&city);
    let seen = station.post(&city, &station.moved(id, "FeeEstimated"), Some(&etag));
    assert_eq!(seen.problem(), (422, "validation".into()));
    assert_eq!(seen.json()["errors"], json!([{"pointer": "/to", "code": "step-not-allowed"}]));
    assert_eq!(city.counts().0, 1);
}

#[test]
fn work_on_an_unknown_application_waits_for_its_parent_and_a_known_one_is_not_opened_again() {
    let city = City::start();
    let station = Station::new(&city, "supervisor");
    let orphan = station.moved(new_application_id(), "PrelimReview");
    assert_eq!(station.post(&city, &orphan, Some("\"x\"")).problem(), (409, "parent-missing".into()));
    assert_eq!(station.post(&city, &orphan, None).problem(), (409, "parent-missing".into()));
    let (id, etag) = station.open_application(&city);
    let again = station.prepare(Kind::Application, id, fence());
    let seen = station.post(&city, &again, None);
    assert_eq!(seen.problem(), (409, "version-conflict".into()));
    assert_eq!(seen.json()["etag"], json!(etag));
}

#[test]
fn an_inspection_closes_the_one_that_was_scheduled() {
    let city = City::start();
    let station = Station::new(&city, "inspector");
    let seen = station.get(&city, "/v1/inspections?assignee=inspector").json();
    let today = seen["inspections"].as_array().unwrap().last().unwrap()["date"].as_str().unwrap().to_owned();
    let list = |state: &str| {
        let seen = station.get(&city, format!("/v1/inspections?assignee=inspector&date={today}")).json();
        let rows = seen["inspections"].as_array().unwrap().clone();
        rows.into_iter().filter(|row| row["state"] == state).collect::<Vec<_>>()
    };
    let scheduled = list("scheduled");
    assert_eq!(scheduled.len(), 6);
    let id = scheduled[0]["application_id"].as_str().unwrap();
    let etag = station.get(&city, format!("/v1/applications/{id}")).header("etag").unwrap().to_owned();
    let payload = json!({"InspType": scheduled[0]["payload"]["InspType"], "ResultMapped": "Passed", "InspectedDate": today});
    let result = station.prepare(Kind::Inspection, id.parse().unwrap(), payload);
    assert_eq!(station.post(&city, &result, Some(&etag)).code(), 201);
    assert_eq!((list("scheduled").len(), list("done").len()), (5, 1));
    assert_eq!(list("done")[0]["payload"]["ScheduledTime"], scheduled[0]["payload"]["ScheduledTime"]);
}

#[test]
fn a_result_closes_the_inspection_that_it_names_and_no_other() {
    let city = City::start();
    let station = Station::new(&city, "inspector");
    let (id, etag) = Station::named(&city, "front-2".parse().unwrap(), "clerk").open_application(&city);
    let mut etag = etag;
    let mut post = |payload| {
        let operation = station.prepare(Kind::Inspection, id, payload);
        let seen = station.post(&city, &operation, Some(&etag));
        assert_eq!(seen.code(), 201, "{seen:?}");
        etag = seen.header("etag").unwrap().to_owned();
    };
    for day in ["2026-11-28", "2026-11-29"] {
        post(json!({"InspType": "Footing", "ScheduledDate": day, "Inspector": "ana"}));
    }
    let rows = |query: &str| {
        let seen = station.get(&city, format!("/v1/inspections?assignee=ana&{query}")).json();
        let rows = seen["inspections"].as_array().unwrap().clone();
        rows.into_iter().map(|row| row["inspection_id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let planned = rows("limit=9");
    post(json!({"InspType": "Footing", "ResultMapped": "Passed", "InspectedDate": "2026-11-30",
        "ExtraFields": {"InspectionId": planned[1]}}));
    assert_eq!(rows("open_until=2026-11-30"), planned[..1], "the older one is still to be visited");
    assert_eq!(
        rows("open_until=2026-11-27&done_on=2026-11-30"),
        planned[1..],
        "who carries a copy sees its day"
    );
    assert_eq!(rows("open_until=2026-11-30&done_on=2026-11-30"), planned);
    assert_eq!(rows("open_until=2026-11-30&done_on=2026-11-29"), planned[..1]);
}

#[test]
fn who_acted_must_be_proven_and_may_only_do_what_the_role_may() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let hour = 3_600_000;
    let changes: [(&str, Change); 8] = [
        ("another actor", |body| body.actor = "supervisor".parse().unwrap()),
        ("a role of somebody else", |body| body.role = "supervisor".parse().unwrap()),
        ("another station", |body| body.station_id = "front-2".parse().unwrap()),
        ("an unknown session", |body| {
            body.actor_proof.sid = "01932c6f-8f0a-7cc3-98a1-0242ac120009".parse().unwrap()
        }),
        ("a signature of nobody", |body| body.actor_proof.sig = "A".repeat(86)),
        ("a signature of somebody else", |body| {
            body.actor_proof.sig = key_of("x").prove(&body.idempotency_key())
        }),
        ("before the session", |body| body.accepted_at = body.accepted_at.plus_millis(-3_600_000)),
        ("after the grace", |body| body.accepted_at = body.accepted_at.plus_millis(85 * 3_600_000)),
    ];
    for (what, change) in changes {
        let operation = station.prepare_with(Kind::Application, new_application_id(), fence(), change);
        assert_eq!(station.post(&city, &operation, None).problem(), (403, "forbidden".into()), "{what}");
    }
    let late = |body: &mut Body| body.accepted_at = body.accepted_at.plus_millis(83 * hour);
    let operation = station.prepare_with(Kind::Application, new_application_id(), fence(), late);
    assert_eq!(station.post(&city, &operation, None).code(), 201, "accepted offline within the grace");

    let (id, etag) = station.open_application(&city);
    let approval = station.moved(id, "ConditionalApproval");
    assert_eq!(
        station.post(&city, &approval, Some(&etag)).problem(),
        (403, "forbidden".into()),
        "no clerk approves"
    );
    let hold = station.prepare(Kind::Hold, id, json!({}));
    assert_eq!(
        station.post(&city, &hold, Some(&etag)).problem(),
        (403, "forbidden".into()),
        "no clerk holds"
    );
    assert_eq!(city.counts().0, 2);
}

#[test]
fn another_stations_session_proves_nothing() {
    let city = City::start();
    let one = Station::new(&city, "clerk");
    let two = Station::named(&city, "front-2".parse().unwrap(), "clerk");
    let operation = one.application();
    assert_eq!(two.post(&city, &operation, None).problem(), (403, "forbidden".into()));
    assert_eq!(one.post(&city, &operation, None).code(), 201);
}

#[test]
fn a_payload_that_breaks_the_rules_is_refused_field_by_field() {
    let city = City::start();
    let station = Station::new(&city, "supervisor");
    let payload =
        json!({"OriginalAddress1": "12 ELM ST", "PIN": ["0010-22-417"], "EstProjectCost": 5, "Colour": "x"});
    let seen = station.post(&city, &station.prepare(Kind::Application, new_application_id(), payload), None);
    assert_eq!(seen.problem(), (422, "validation".into()));
    let errors = seen.json()["errors"].clone();
    let expected = [("/Colour", "unknown-field"), ("/EstProjectCost", "wrong-type")];
    let expected = expected.map(|(pointer, code)| json!({"pointer": pointer, "code": code}));
    assert_eq!(errors, json!(expected));

    let unknown = station.prepare(Kind::Attachment, new_application_id(), json!({}));
    assert_eq!(station.post(&city, &unknown, None).json()["errors"][0]["code"], "unknown-kind");
    let newer = station
        .prepare_with(Kind::Application, new_application_id(), fence(), |body| body.contract_version = 2);
    assert_eq!(station.post(&city, &newer, None).json()["errors"][0]["pointer"], "/contract_version");
    let older = station
        .prepare_with(Kind::Application, new_application_id(), fence(), |body| body.contract_version = 0);
    assert_eq!(
        station.post(&city, &older, None).code(),
        201,
        "an older contract is fine when the payload is"
    );
    assert_eq!(city.counts(), (1, 4));
}

#[test]
fn what_is_unknown_is_said_to_be_unknown_and_typed() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let key = station.application().key;
    let look = |path: String| station.get(&city, path).problem();
    assert_eq!(look(format!("/v1/operations/{key}")), (404, "unknown-operation".into()));
    assert_eq!(look("/v1/operations/nonsense".into()), (404, "unknown-operation".into()));
    let anonymous = city.send(&Request::get(format!("/v1/operations/{key}")));
    assert_eq!(anonymous.problem(), (401, "unauthorized".into()));
}

#[test]
fn health_tells_a_station_how_far_the_record_system_has_come_with_it() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let health = || station.get(&city, "/v1/health?nonce=n1").json();
    assert_eq!((&health()["nonce"], &health()["last_local_seq"]), (&json!("n1"), &Value::Null));
    for _ in 0..3 {
        station.open_application(&city);
    }
    assert_eq!(health()["last_local_seq"], 3);
    let id = OperationId::from_uuid(random_uuid());
    let seventh = station.prepare_with(Kind::Application, new_application_id(), fence(), |body| {
        body.operation_id = id;
        body.local_seq.0 = 7;
    });
    station.post(&city, &seventh, None);
    assert_eq!((&health()["last_local_seq"], &health()["epoch"]), (&json!(7), &json!(1)));
    assert_eq!(health()["applied"], 4, "as many as are held, whatever their numbers");
    let held = station.get(&city, "/v1/operations?after=2").json();
    let numbers: Vec<_> =
        held["operations"].as_array().unwrap().iter().map(|row| &row["local_seq"]).collect();
    assert_eq!(numbers, [3, 7]);
    assert!(city.send(&Request::get("/v1/health")).json().get("last_local_seq").is_none());
    assert_eq!(city.send(&Request::get("/v1/health").bearer("x")).problem().0, 401);
}
