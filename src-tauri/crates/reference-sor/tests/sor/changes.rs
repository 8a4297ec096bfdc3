//! The feed of changes: nothing is missed, and who cannot read on is told so.

use holdfast_core::operation::Kind;
use reference_sor::Provenance;
use serde_json::{Value, json};

use crate::support::{City, Request, Station};

/// The ids of a page, its cursor, and whether there is more.
fn page(station: &Station, city: &City, since: &str, limit: u32) -> (Vec<String>, String, bool) {
    let page = station.get(city, format!("/v1/changes?since={since}&limit={limit}")).json();
    let ids = page["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["application_id"].as_str().unwrap().to_owned());
    (ids.collect(), page["next"].as_str().unwrap().to_owned(), page["more"].as_bool().unwrap())
}

fn now(station: &Station, city: &City) -> String {
    let answer = station.get(city, "/v1/changes").json();
    assert_eq!((&answer["changes"], &answer["more"]), (&json!([]), &Value::Bool(false)));
    answer["next"].as_str().unwrap().to_owned()
}

#[test]
fn every_effect_and_every_change_at_city_hall_moves_its_application_to_the_end() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let begun = now(&station, &city);
    let (first, etag) = station.open_application(&city);
    let (second, _) = station.open_application(&city);
    let (ids, seen, more) = page(&station, &city, &begun, 100);
    assert_eq!((ids, more), (vec![first.to_string(), second.to_string()], false));
    assert_eq!(page(&station, &city, &seen, 100).0, Vec::<String>::new());
    let note = station.prepare(Kind::Note, first, json!({"text": "gate at the back"}));
    assert_eq!(station.post(&city, &note, Some(&etag)).code(), 201);
    let hold = json!({"type": "stop-work", "reason": "by phone"});
    assert_eq!(city.drill(&Request::post(format!("/drill/applications/{second}/holds"), &hold)).code(), 200);
    let fields = json!({"Description": "cedar"});
    assert_eq!(
        city.drill(&Request::new("PATCH", format!("/drill/applications/{first}")).body(fields.to_string()))
            .code(),
        200
    );
    let (ids, later, _) = page(&station, &city, &seen, 100);
    assert_eq!(ids, [second.to_string(), first.to_string()], "each once, in the order of its last change");
    let (one, next, more) = page(&station, &city, &seen, 1);
    assert_eq!((one, more), (vec![second.to_string()], true));
    assert_eq!(page(&station, &city, &next, 1), (vec![first.to_string()], later, false));
    let whole = station.get(&city, format!("/v1/changes?since={next}")).json();
    assert_eq!(whole["changes"][0]["payload"]["Description"], "cedar");
}

#[test]
fn a_cursor_from_before_an_older_copy_was_put_back_or_of_nobody_begins_anew() {
    let mut city = City::start();
    let station = Station::new(&city, "clerk");
    station.open_application(&city);
    let cursor = now(&station, &city);
    let (epoch, position) = cursor.split_once('.').unwrap();
    let ahead = position.parse::<i64>().unwrap() + 1;
    for unknown in [format!("{epoch}.{ahead}"), "yesterday".to_owned(), "1.-1".to_owned(), "1.007".to_owned()]
    {
        let refused = station.get(&city, format!("/v1/changes?since={unknown}"));
        assert_eq!(refused.problem(), (410, "begin-anew".into()), "{unknown}");
    }
    assert_eq!(page(&station, &city, &cursor, 1).0, Vec::<String>::new());
    let copy = city.copy_of_records();
    city.come_back_from(&copy, Provenance::Backup);
    let refused = station.get(&city, format!("/v1/changes?since={cursor}"));
    assert_eq!(refused.problem(), (410, "begin-anew".into()), "of the epoch before");
    assert_ne!(now(&station, &city), cursor);
}
