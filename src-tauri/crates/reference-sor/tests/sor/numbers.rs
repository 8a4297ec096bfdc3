//! Blocks of permit numbers.

use std::collections::BTreeSet;

use holdfast_core::operation::Kind;
use serde_json::{Value, json};

use crate::support::station::{fence, new_application_id, random_uuid};
use crate::support::{City, Request, Seen, Station};

fn ask(city: &City, station: &Station, body: &Value) -> Seen {
    city.send(&Request::post("/v1/number-blocks", body).bearer(&station.token))
}

fn block(city: &City, station: &Station, count: u32) -> Vec<String> {
    let seen = ask(city, station, &json!({"lease_id": random_uuid(), "count": count}));
    assert_eq!(seen.code(), 200, "{seen:?}");
    serde_json::from_value(seen.json()["permit_nums"].clone()).unwrap()
}

#[test]
fn no_number_is_handed_out_twice_in_a_block_or_alone() {
    let mut city = City::start();
    let front = Station::new(&city, "clerk");
    let back = Station::named(&city, "back-1".parse().unwrap(), "clerk");
    let mut all: Vec<String> = block(&city, &front, 3);
    all.extend(block(&city, &back, 4));
    city.restart();
    let assigned = front.post(&city, &front.application(), None).json();
    all.push(assigned["permit_num"].as_str().unwrap().to_owned());
    all.extend(block(&city, &front, 2));
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 10);
    let mut in_order = all.clone();
    in_order.sort();
    assert_eq!(all, in_order, "consecutive, in the order of asking");
}

#[test]
fn a_lease_asked_for_again_is_the_same_block_and_nobody_elses() {
    let mut city = City::start();
    let front = Station::new(&city, "clerk");
    let ask_for = json!({"lease_id": random_uuid(), "count": 5});
    let first = ask(&city, &front, &ask_for).json();
    city.restart();
    assert_eq!(ask(&city, &front, &ask_for).json(), first);
    let back = Station::named(&city, "back-1".parse().unwrap(), "clerk");
    assert_eq!(ask(&city, &back, &ask_for).problem(), (403, "forbidden".into()));
    let blocks = front.get(&city, "/v1/number-blocks").json();
    assert_eq!(blocks["blocks"].as_array().unwrap().len(), 1);
    for (count, year) in [(0, None), (1_001, None), (1, Some(1999))] {
        let seen = ask(&city, &front, &json!({"lease_id": random_uuid(), "count": count, "year": year}));
        assert_eq!(seen.problem(), (422, "validation".into()), "{count} {year:?}");
    }
    let anonymous = city.send(&Request::post("/v1/number-blocks", &ask_for));
    assert_eq!(anonymous.problem().0, 401);
}

#[test]
fn unused_numbers_are_kept_as_void_and_used_ones_never() {
    let city = City::start();
    let front = Station::new(&city, "clerk");
    let numbers = block(&city, &front, 3);
    let with_number = |number: &str| {
        let mut payload = fence();
        payload["PermitNum"] = json!(number);
        front.prepare(Kind::Application, new_application_id(), payload)
    };
    let seen = front.post(&city, &with_number(&numbers[0]), None).json();
    assert_eq!((&seen["permit_num"], &seen["warnings"]), (&json!(numbers[0]), &json!([])));
    let void = |numbers: &[String]| {
        let body = json!({"permit_nums": numbers});
        city.send(&Request::post("/v1/number-blocks/void", &body).bearer(&front.token))
    };
    for _ in 0..2 {
        let told = void(&numbers).json();
        assert_eq!((&told["void"], &told["in_use"]), (&json!(2), &json!(1)), "reported again it is the same");
    }
    let listed = front.get(&city, "/v1/number-blocks").json()["blocks"][0].clone();
    assert_eq!((&listed["numbers"], &listed["used"], &listed["void"]), (&json!(3), &json!(1), &json!(2)));
    let warned = front.post(&city, &with_number(&numbers[1]), None).json();
    assert_eq!(warned["warnings"][0]["code"], "permit-num-void");
    let back = Station::named(&city, "back-1".parse().unwrap(), "clerk");
    let theirs = block(&city, &back, 1);
    assert_eq!(void(&theirs).problem(), (422, "validation".into()), "of another station");
    let warned = front.post(&city, &with_number(&theirs[0]), None).json();
    assert_eq!(warned["warnings"][0]["code"], "permit-num-of-another-station");
}
