//! At most one effect per key, whatever is sent and however often.

use std::sync::Barrier;

use holdfast_core::operation::Kind;
use serde_json::json;

use crate::support::station::{fence, new_application_id};
use crate::support::{City, Prepared, Station};

#[test]
fn eight_at_once_with_one_key_have_one_effect_and_one_answer() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    for round in 1..=50 {
        let operation = station.application();
        let request = station.request(&operation, None);
        let start = Barrier::new(8);
        let seen: Vec<_> = std::thread::scope(|scope| {
            let send = || {
                start.wait();
                request.send(city.url())
            };
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(send)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let replays = seen.iter().filter(|seen| seen.header("idempotent-replayed") == Some("true")).count();
        assert_eq!(replays, 7, "round {round}");
        for answer in &seen {
            assert_eq!((answer.code(), &answer.body), (201, &seen[0].body), "round {round}");
            assert_eq!(answer.header("etag"), seen[0].header("etag"));
        }
        assert_eq!(city.counts(), (round, 8 * round));
    }
}

#[test]
fn a_key_that_is_worked_on_is_told_so_and_has_one_effect() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let (operation, other) = (station.application(), station.application());
    let fault = json!({"do": "reset", "commit_after_ms": 500, "under_way": true, "count": 1,
        "on": {"path": "/v1/operations", "method": "POST"}});
    city.faults(&json!([fault]));
    assert_eq!(station.request(&operation, None).send(city.url()).status, None);
    assert_eq!(station.post(&city, &operation, None).problem(), (409, "in-progress".into()));
    assert_eq!(station.post(&city, &other, None).code(), 201, "it is no other's matter");
    city.wait_for_effects(2);
    let replayed = station.post(&city, &operation, None);
    assert_eq!((replayed.code(), replayed.header("idempotent-replayed")), (201, Some("true")));
    assert_eq!(city.counts(), (2, 4));
}

#[test]
fn a_key_stands_for_the_bytes_that_it_first_came_with() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let operation = station.application();
    assert_eq!(station.post(&city, &operation, None).code(), 201);
    let mut body = operation.body.clone();
    body.accepted_at = body.accepted_at.plus_millis(1);
    let other_bytes = Prepared::sign(body, &station.session_key);
    assert_eq!(other_bytes.key, operation.key);
    assert_eq!(station.post(&city, &other_bytes, None).problem(), (422, "key-reused".into()));

    let same_id = station.prepare_with(Kind::Application, new_application_id(), fence(), |body| {
        body.operation_id = operation.body.operation_id;
    });
    assert_eq!(station.post(&city, &same_id, None).problem(), (422, "key-reused".into()));
    let replay = station.post(&city, &operation, None);
    assert_eq!((replay.code(), replay.header("idempotent-replayed")), (201, Some("true")));
    assert_eq!(city.counts().0, 1);
}

#[test]
fn the_key_in_the_header_is_the_key_of_the_contents() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let (one, other) = (station.application(), station.application());
    let mixed = Prepared { key: other.key, ..one.clone() };
    assert_eq!(station.post(&city, &mixed, None).problem(), (422, "key-reused".into()));
    let quoted = crate::support::Request::new("POST", "/v1/operations")
        .bearer(&station.token)
        .header("Idempotency-Key", format!("\"{}\"", one.key))
        .body(one.bytes.clone());
    assert_eq!(city.send(&quoted).code(), 201);
    let none =
        crate::support::Request::new("POST", "/v1/operations").bearer(&station.token).body(other.bytes);
    assert_eq!(city.send(&none).problem(), (400, "validation".into()));
    assert_eq!(city.counts().0, 1);
}
