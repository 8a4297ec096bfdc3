//! Reading what is recorded.

use holdfast_core::operation::Kind;
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

#[test]
fn who_cannot_keep_all_of_them_reads_the_latest_ones_first() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let (newest, etag) = station.open_application(&city);
    let first = station.get(&city, "/v1/applications?order=latest&limit=20").json();
    assert_eq!(first["applications"][0]["application_id"], json!(newest));
    assert_eq!(first["applications"][0]["etag"], json!(etag));
    assert_eq!(first["applications"][0]["payload"]["OriginalAddress1"], "12 ELM ST");
    let after = first["next"].as_str().unwrap();
    let second = station.get(&city, format!("/v1/applications?order=latest&limit=20&after={after}")).json();
    assert_eq!((second["applications"].as_array().unwrap().len(), &second["next"]), (1, &Value::Null));
    assert_eq!(second["applications"][0]["payload"]["OriginalAddress1"], "12 OAK ST", "the city's first");
    assert_eq!(station.get(&city, "/v1/applications?order=best").problem(), (422, "validation".into()));
}

#[test]
fn a_page_ends_where_its_payloads_become_too_many() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    for n in 0..60 {
        let payload = json!({"OriginalAddress1": format!("{n} ELM ST"), "PIN": ["0010-22-417"],
            "ExtraFields": (0..10).map(|n| (format!("note {n}"), json!("x".repeat(4_000)))).collect::<serde_json::Map<_, _>>()});
        let operation = station.prepare(Kind::Application, new_application_id(), payload);
        assert_eq!(station.post(&city, &operation, None).code(), 201);
    }
    let page = station.get(&city, "/v1/applications?order=latest&limit=500");
    assert!((900_000..1_200_000).contains(&page.body.len()), "{} bytes", page.body.len());
    assert!(page.json()["next"].is_string());
}
