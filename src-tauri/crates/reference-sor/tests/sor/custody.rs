//! Custody: what is held is what was accepted, it is nobody's but the station's, and nothing of it is an effect.

use holdfast_core::canonical::sha256;
use holdfast_core::ids::StationId;
use holdfast_core::limits::JSON_MAX_BYTES;
use serde_json::{Value, json};

use crate::support::station::{Prepared, Station, fence, new_application_id};
use crate::support::{City, Request, Seen};

fn put(city: &City, token: &str, key: &str, bytes: impl Into<Vec<u8>>) -> Seen {
    city.send(&Request::new("PUT", format!("/v1/custody/{key}")).bearer(token).body(bytes))
}

fn hold(city: &City, station: &Station, operation: &Prepared) -> Seen {
    put(city, &station.token, &operation.key.to_string(), operation.bytes.clone())
}

fn release(city: &City, station: &Station, operation: &Prepared) -> Seen {
    city.send(&Request::new("DELETE", format!("/v1/custody/{}", operation.key)).bearer(&station.token))
}

fn listed(city: &City, station: &Station, query: &str) -> (Vec<String>, Value) {
    let seen = station.get(city, format!("/v1/custody{query}"));
    assert_eq!(seen.code(), 200, "{seen:?}");
    let answer = seen.json();
    let rows = answer["copies"].as_array().unwrap();
    (rows.iter().map(|row| row["receipt_no"].as_str().unwrap().to_owned()).collect(), answer["next"].clone())
}

fn other(city: &City) -> Station {
    let id: StationId = "back-1".parse().unwrap();
    Station::named(city, id, "clerk")
}

#[test]
fn a_copy_is_the_accepted_bytes_also_after_a_restart_and_never_an_effect() {
    let mut city = City::start();
    let station = Station::new(&city, "clerk");
    let operation = station.application();
    let first = hold(&city, &station, &operation).json();
    assert_eq!(first["digest"], json!(sha256(&operation.bytes)));
    assert_eq!(first["receipt_no"], "front-1-1");
    city.restart();
    assert_eq!(hold(&city, &station, &operation).json(), first, "the same again has the same answer");
    let there = station.get(&city, format!("/v1/custody/{}", operation.key));
    assert_eq!(there.body, operation.bytes);
    assert_eq!(city.counts().0, 0, "nothing was recorded");
    let looked_up = station.get(&city, format!("/v1/operations/{}", operation.key));
    assert_eq!(looked_up.problem(), (404, "unknown-operation".into()));
}

#[test]
fn a_key_stands_for_one_operation_and_for_what_follows_from_its_bytes() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let (one, two) = (station.application(), station.application());
    assert_eq!(hold(&city, &station, &one).code(), 200);
    let key = one.key.to_string();
    assert_eq!(put(&city, &station.token, &key, two.bytes.clone()).problem(), (422, "key-reused".into()));
    // The same operation in other bytes.
    let spaced = [&b" "[..], &one.bytes].concat();
    assert_eq!(put(&city, &station.token, &key, spaced).problem(), (422, "key-reused".into()));
    assert_eq!(station.get(&city, format!("/v1/custody/{key}")).body, one.bytes);
}

#[test]
fn a_station_brings_reads_and_takes_away_its_own_copies_alone() {
    let city = City::start();
    let (front, back) = (Station::new(&city, "clerk"), other(&city));
    let operation = front.application();
    assert_eq!(hold(&city, &back, &operation).problem(), (403, "forbidden".into()));
    assert_eq!(hold(&city, &front, &operation).code(), 200);
    let path = format!("/v1/custody/{}", operation.key);
    assert_eq!(back.get(&city, &path).problem(), (404, "unknown-operation".into()));
    assert_eq!(back.get(&city, "/v1/custody?station=front-1").problem(), (403, "forbidden".into()));
    assert_eq!(release(&city, &back, &operation).problem(), (403, "forbidden".into()));
    assert_eq!(listed(&city, &back, "").0, Vec::<String>::new());
    for request in [Request::get("/v1/custody"), Request::get(&path), Request::new("DELETE", &path)] {
        assert_eq!(city.send(&request).problem(), (401, "unauthorized".into()));
    }
    assert_eq!(listed(&city, &front, "?station=front-1").0, ["front-1-1"]);
    assert_eq!(release(&city, &front, &operation).code(), 204);
    assert_eq!(release(&city, &front, &operation).code(), 204, "whether or not there was one");
    assert_eq!(front.get(&city, &path).problem(), (404, "unknown-operation".into()));
}

#[test]
fn copies_are_listed_by_their_numbers_a_page_at_a_time_without_their_contents() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    for _ in 0..5 {
        assert_eq!(hold(&city, &station, &station.application()).code(), 200);
    }
    assert_eq!(listed(&city, &station, "?limit=2"), (vec!["front-1-1".into(), "front-1-2".into()], json!(2)));
    assert_eq!(listed(&city, &station, "?after=4"), (vec!["front-1-5".into()], Value::Null));
    let text = String::from_utf8(station.get(&city, "/v1/custody").body).unwrap();
    assert!(!text.contains("ELM ST"), "{text}");
    for wrong in ["?limit=0", "?limit=501", "?of=all"] {
        assert_eq!(station.get(&city, format!("/v1/custody{wrong}")).code(), 422, "{wrong}");
    }
}

#[test]
fn what_is_no_operation_is_not_held() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let operation = station.application();
    let key = operation.key.to_string();
    let unknown = station.prepare_with(
        holdfast_core::operation::Kind::Application,
        new_application_id(),
        fence(),
        |body| body.v = 2,
    );
    for (bytes, problem) in [
        (b"made up".to_vec(), (422, "validation".to_owned())),
        (b"{}".to_vec(), (422, "validation".to_owned())),
        (unknown.bytes, (422, "validation".to_owned())),
        (vec![b' '; JSON_MAX_BYTES + 1], (413, "too-large".to_owned())),
    ] {
        assert_eq!(put(&city, &station.token, &key, bytes).problem(), problem);
    }
    assert_eq!(put(&city, &station.token, "made-up", operation.bytes.clone()).code(), 404);
    assert_eq!(listed(&city, &station, "").0, Vec::<String>::new());
}
