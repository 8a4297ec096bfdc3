//! The city's parcels: public, by page, and changed by the GIS office alone.

use reference_sor::Api;
use serde_json::{Value, json};

use crate::support::{City, Request};

fn page(city: &City, query: &str) -> Value {
    let seen = city.send(&Request::get(format!("/v1/parcels{query}")));
    assert_eq!(seen.code(), 200, "{seen:?}");
    seen.json()
}

fn pins(page: &Value) -> Vec<String> {
    page["parcels"].as_array().unwrap().iter().map(|row| row["pin"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn pages_of_parcels_hold_each_of_them_once_and_whoever_asks_is_answered() {
    let city = City::start();
    let (mut all, mut after) = (Vec::new(), String::new());
    loop {
        let found = page(&city, &format!("?limit=25{after}"));
        assert!(found["as_of"].is_string());
        all.extend(pins(&found));
        let Some(next) = found["next"].as_str() else { break };
        after = format!("&after={next}");
    }
    assert_eq!(all.len(), 60);
    assert!(all.is_sorted_by(|a, b| a < b), "in the order of their numbers, none twice");
    let one = city.send(&Request::get("/v1/parcels/0010-22-401")).json();
    assert_eq!((&one["zoning"], &one["overlays"]), (&json!("R-2"), &json!(["Flood zone AE"])));
    assert_eq!(city.send(&Request::get("/v1/parcels/0010-99-999")).problem(), (404, "not-found".into()));
}

#[test]
fn what_changed_since_can_be_asked_for_alone() {
    let city = City::start();
    let put = Request::new("PUT", "/drill/parcels/0010-22-403").body(r#"{"zoning":"C-2"}"#);
    let updated_at = || page(&city, "?after=0010-22-402&limit=1")["parcels"][0]["updated_at"].to_string();
    let planted = updated_at();
    while updated_at() == planted {
        assert_eq!(city.drill(&put).status, Some(204));
    }
    let changed = page(&city, &format!("?changed_since={}", updated_at().trim_matches('"')));
    assert_eq!(pins(&changed), ["0010-22-403"]);
    assert_eq!(changed["parcels"][0]["zoning"], "C-2");
    let gone = Request::new("DELETE", "/drill/parcels/0010-22-403");
    assert_eq!(city.drill(&gone).status, Some(204));
    assert_eq!(city.drill(&gone).status, Some(404));
    assert_eq!(pins(&page(&city, "")).len(), 59);
}

#[test]
fn a_wrong_question_is_refused_and_no_value_is_repeated() {
    let city = City::start();
    for query in ["?changed_since=yesterday", "?limit=many", "?zoning=R-1"] {
        assert_eq!(city.send(&Request::get(format!("/v1/parcels{query}"))).problem().0, 422, "{query}");
    }
    let put = Request::new("PUT", "/drill/parcels/0010-22-403").body(r#"{"address":"NOWHERE"}"#);
    assert_eq!(city.drill(&put).status, Some(400), "a parcel has a zoning");
}

#[test]
fn a_gis_alone_has_parcels_and_nothing_else_and_fails_on_demand() {
    let city = City::start_with(|settings| settings.api = Api::Gis);
    assert!(!city.identity().is_empty());
    assert_eq!(pins(&page(&city, "")).len(), 60);
    for path in ["/v1/applications", "/v1/contract", "/v1/stations", "/records"] {
        assert_eq!(city.send(&Request::get(path)).code(), 404, "{path}");
    }
    city.faults(&json!([{"on": {"path": "/v1/parcels"}, "do": "status", "status": 500}]));
    assert_eq!(city.send(&Request::get("/v1/parcels")).code(), 500);
    assert!(!city.identity().is_empty(), "its health is another path");
}
