//! Reading what is recorded.

use serde_json::{Value, json};

use crate::support::station::new_application_id;
use crate::support::{City, Station};

#[test]
fn pages_of_applications_hold_each_of_them_once() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let (newest, _) = station.open_application(&city);
    let (mut ids, mut after, mut pages) = (Vec::new(), String::from("0"), 0);
    loop {
        let page = station.get(&city, format!("/v1/applications?after={after}&limit=8")).json();
        let rows = page["applications"].as_array().unwrap();
        assert!(rows.len() <= 8);
        ids.extend(rows.iter().map(|row| row["application_id"].as_str().unwrap().to_owned()));
        pages += 1;
        let Some(next) = page["next"].as_str() else { break };
        after = next.to_owned();
    }
    assert_eq!((ids.len(), pages), (21, 3));
    assert_eq!(ids.last(), Some(&newest.to_string()));
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 21);
    assert_eq!(station.get(&city, "/v1/applications?limit=99999").json()["next"], Value::Null);
}

#[test]
fn one_application_shows_what_was_sent_and_what_was_done() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let operation = station.application();
    let sent = station.post(&city, &operation, None);
    let id = operation.body.application_id;
    let view = station.get(&city, format!("/v1/applications/{id}"));
    assert_eq!(view.header("etag"), sent.header("etag"));
    let view = view.json();
    assert_eq!((&view["payload"], &view["stage"]), (&operation.body.payload, &json!("Intake")));
    assert_eq!(view["operations"][0]["kind"], "application");
    assert_eq!(view["operations"][0]["accepted_at"], json!(operation.body.accepted_at));
    assert_eq!(view["permit_num"], sent.json()["permit_num"]);
    let unknown = station.get(&city, format!("/v1/applications/{}", new_application_id()));
    assert_eq!(unknown.problem(), (404, "not-found".into()));
}

#[test]
fn the_made_up_city_is_no_effect() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    assert_eq!(station.get(&city, "/v1/applications").json()["applications"].as_array().unwrap().len(), 20);
    assert_eq!((city.ledger().len(), city.counts()), (0, (0, 0)));
}
