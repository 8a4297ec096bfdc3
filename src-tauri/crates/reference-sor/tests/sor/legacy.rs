//! An old vendor's system: what it is asked, what it says, and that it does twice what it is sent twice.

use reference_sor::Api;
use serde_json::{Value, json};

use crate::support::station::{fence, new_application_id};
use crate::support::{City, Request, Seen, Station};

const KEY: &str = "b2f17da92ce34e96cdaced17deea86aa2f69f42eafb05993c36eedc79e44e223";

fn city() -> (City, Station) {
    let city = City::start_with(|settings| settings.api = Api::Records);
    let station = Station::new(&city, "clerk");
    (city, station)
}

fn post(city: &City, station: &Station, path: &str, body: &Value) -> Seen {
    city.send(&Request::post(path, body).bearer(&station.token))
}

fn new_record() -> Value {
    json!({
        "reference": KEY, "application_id": new_application_id(), "external_id": "op-1", "content": fence(),
        "entered": {"kind": "application", "by": "clerk", "at": "2026-11-30T08:00:00.000Z", "sequence": 7},
    })
}

#[track_caller]
fn created(city: &City, station: &Station) -> Value {
    let seen = post(city, station, "/records", &new_record());
    assert_eq!(seen.code(), 200, "{seen:?}");
    seen.json()["result"].clone()
}

fn refused(seen: &Seen) -> (u16, String) {
    (seen.code(), seen.json()["error"]["code"].as_str().unwrap().to_owned())
}

#[test]
fn a_record_is_found_by_its_reference_and_shown_to_who_keeps_copies() {
    let (city, station) = city();
    let record = created(&city, &station);
    let found = station.get(&city, format!("/records?reference={KEY}"));
    assert!(found.header("holdfast-identity").is_some() && found.header("etag").is_none());
    assert_eq!(found.json()["result"], json!([record]));
    let copies = station.get(&city, "/v1/applications?order=latest&limit=1").json();
    let copy = &copies["applications"][0];
    assert_eq!(copy["record_id"], record["id"]);
    assert_eq!(copy["etag"], json!(format!("\"{}\"", record["modified"].as_str().unwrap())));
    assert_eq!(station.get(&city, format!("/v1/operations/{KEY}")).code(), 404);
    let effects = city.ledger();
    assert_eq!(effects.len(), 1);
    for (name, value) in [("key", json!(KEY)), ("kind", json!("application")), ("local_seq", json!(7))] {
        assert_eq!(effects[0][name], value, "{name}");
    }
    assert_eq!(city.counts(), (1, 1));
}

#[test]
fn what_is_sent_twice_is_done_twice() {
    let (city, station) = city();
    let record = created(&city, &station);
    let second = created(&city, &station);
    assert_ne!(record["id"], second["id"]);
    let found = station.get(&city, format!("/records?reference={KEY}")).json();
    assert_eq!(found["result"].as_array().unwrap().len(), 2);
    let id = record["id"].as_str().unwrap();
    let sends = [
        ("status", "history", json!({"status": "PrelimReview", "comment": format!("Reference: {KEY}")})),
        ("conditions", "conditions", json!({"reference": KEY, "content": {"type": "hold"}})),
    ];
    for (path, list, body) in sends {
        for _ in 0..2 {
            assert_eq!(post(&city, &station, &format!("/records/{id}/{path}"), &body).code(), 200, "{path}");
        }
        let listed = station.get(&city, format!("/records/{id}/{list}")).json();
        assert_eq!(listed["result"].as_array().unwrap().len(), 2, "{path}");
        assert_eq!(listed["record"]["modified"], listed["result"][0]["modified"], "the latest first");
    }
    assert_eq!(city.ledger().iter().filter(|effect| effect["key"] == KEY).count(), 6);
}

#[test]
fn refusals_have_the_vendors_form_and_no_effect() {
    let (city, station) = city();
    let record = created(&city, &station);
    let id = record["id"].as_str().unwrap();
    let of = |path: &str| format!("/records/{id}/{path}");
    let wrong = json!({"reference": KEY, "content": {"OriginalAddress1": 7}});
    let leap = json!({"status": "ConditionalApproval"});
    let rows = [
        ("/records".to_owned(), wrong, 400, "INVALID_FIELD"),
        (of("status"), leap, 400, "STATUS_NOT_ALLOWED"),
        (of("status"), json!({}), 400, "INVALID_FIELD"),
        ("/records/AF-R-9/status".to_owned(), json!({"status": "PrelimReview"}), 404, "NO_SUCH_RECORD"),
    ];
    for (path, body, status, code) in rows {
        assert_eq!(refused(&post(&city, &station, &path, &body)), (status, code.to_owned()), "{path}");
    }
    let nobody = city.send(&Request::post("/records", &new_record()));
    assert_eq!(refused(&nobody), (401, "UNAUTHORIZED".to_owned()));
    assert_eq!(city.ledger().len(), 1);
}

#[test]
fn comments_and_fees_are_taken_and_shown_to_nobody() {
    let (city, station) = city();
    let record = created(&city, &station);
    let id = record["id"].as_str().unwrap();
    for list in ["comments", "fees"] {
        let seen = post(&city, &station, &format!("/records/{id}/{list}"), &json!({"reference": KEY}));
        assert_eq!(seen.json()["result"]["reference"], KEY, "{list}");
        assert_eq!(station.get(&city, format!("/records/{id}/{list}")).code(), 405, "{list}");
    }
}

#[test]
fn a_success_may_say_that_a_script_failed_whether_or_not_it_was_done() {
    let (city, station) = city();
    for (fault, effects) in [("script_error", 1), ("script_abort", 1)] {
        city.faults(&json!([{"do": fault, "on": {"path": "/records", "method": "POST", "key": KEY}}]));
        let seen = post(&city, &station, "/records", &new_record());
        assert_eq!(seen.code(), 200, "{fault}");
        assert_eq!(seen.json()["scripts"][0]["failed"], true, "{fault}");
        assert_eq!(city.ledger().len(), effects, "{fault}");
    }
    city.faults(&json!([{"do": "status", "status": 400, "body": {"error": {"code": "RECORD_LOCKED"}}}]));
    let seen = post(&city, &station, "/records", &new_record());
    assert!(seen.header("holdfast-identity").is_some());
    assert_eq!(refused(&seen), (400, "RECORD_LOCKED".to_owned()));
}

#[test]
fn its_health_tells_of_no_epoch() {
    let (city, station) = city();
    let health = station.get(&city, "/v1/health?nonce=n").json();
    assert_eq!((&health["nonce"], health.get("epoch"), health.get("applied")), (&json!("n"), None, None));
}
