//! What a restart keeps.

use std::os::unix::fs::PermissionsExt as _;

use holdfast_core::people::SignedStatement;
use reference_sor::Provenance;
use serde_json::json;

use crate::support::station::enrolment;
use crate::support::{City, Request, Station};

#[test]
fn keys_sessions_tokens_and_the_contract_survive_a_restart() {
    let mut city = City::start();
    let station = Station::new(&city, "clerk");
    let (before, waiting) = (station.application(), station.application());
    let first = station.post(&city, &before, None);
    let contract = station.get(&city, "/v1/contract").header("etag").unwrap().to_owned();
    let enrolled = city.send(&enrolment("front-1", &station.key)).json();
    let identity = city.identity();
    city.restart();
    assert_eq!(city.identity(), identity);
    assert_eq!(
        city.send(&enrolment("front-1", &station.key)).json(),
        enrolled,
        "the same key signs sessions"
    );
    assert_eq!(station.get(&city, "/v1/contract").header("etag"), Some(contract.as_str()));
    let replay = station.post(&city, &before, None);
    assert_eq!((replay.code(), &replay.body), (201, &first.body));
    assert_eq!(replay.header("idempotent-replayed"), Some("true"));
    assert_eq!(
        station.post(&city, &waiting, None).code(),
        201,
        "proven by a session from before the restart"
    );
    assert_eq!(city.counts(), (2, 2));
    assert_eq!(
        station.get(&city, "/v1/applications?limit=500").json()["applications"].as_array().unwrap().len(),
        22
    );
    assert_eq!(
        Station::named(&city, "front-2".parse().unwrap(), "inspector").session.statement.actor.as_str(),
        "inspector"
    );
}

#[test]
fn the_files_of_the_records_are_their_owners_alone() {
    let city = City::start();
    Station::new(&city, "clerk").open_application(&city);
    let files: Vec<_> = std::fs::read_dir(city.folder()).unwrap().map(|entry| entry.unwrap()).collect();
    assert_eq!(files.len(), 3, "database, WAL and its index");
    for file in files {
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
    }
}

#[test]
fn a_copy_that_was_put_back_is_of_the_next_epoch_and_lacks_what_came_after_it() {
    let mut city = City::start();
    let station = Station::new(&city, "clerk");
    station.open_application(&city);
    let health = |city: &City| station.get(city, "/v1/health?nonce=n").json();
    let copy = city.copy_of_records();
    station.open_application(&city);
    assert_eq!((&health(&city)["epoch"], &health(&city)["applied"]), (&1.into(), &2.into()));
    city.come_back_from(&copy, Provenance::Own);
    assert_eq!((&health(&city)["epoch"], &health(&city)["last_local_seq"]), (&1.into(), &1.into()));
    city.come_back_from(&copy, Provenance::Backup);
    assert_eq!((&health(&city)["epoch"], &health(&city)["applied"]), (&2.into(), &1.into()));
}

#[test]
fn a_session_that_a_copy_has_forgotten_is_taken_back_by_its_own_statement_and_no_other() {
    let mut city = City::start();
    let before = Station::new(&city, "clerk");
    let copy = city.copy_of_records();
    let since = Station::new(&city, "clerk");
    let waiting = since.application();
    city.come_back_from(&copy, Provenance::Backup);
    assert_eq!(before.post(&city, &waiting, None).problem().0, 403, "nobody proves who acted");

    let mut forged = since.session.clone();
    forged.statement.roles = vec!["supervisor".parse().unwrap()];
    let show = |signed: &SignedStatement| {
        city.send(&Request::post("/v1/sessions/statements", &json!(signed)).bearer(&before.token))
    };
    assert_eq!(show(&forged).problem().0, 403);
    assert_eq!(show(&since.session).code(), 200);
    assert_eq!(before.post(&city, &waiting, None).code(), 201);
}
