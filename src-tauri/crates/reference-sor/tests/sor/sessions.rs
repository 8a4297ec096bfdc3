//! Signing in.

use holdfast_core::people::SignedStatement;
use holdfast_core::sign::PublicKey;

use crate::support::station::{enrolment, key_of, sign_in};
use crate::support::{City, Station};

#[test]
fn the_three_people_of_the_demo_sign_in_and_the_statement_holds() {
    let city = City::start();
    let sor_key = city.send(&enrolment("front-1", &key_of("front-1"))).json()["sor_key"].clone();
    let sor_key: PublicKey = serde_json::from_value(sor_key).unwrap();
    for user in ["clerk", "inspector", "supervisor"] {
        let station = Station::new(&city, user);
        let SignedStatement { statement, .. } = &station.session;
        assert_eq!(station.session.check(&sor_key, &station.id, &station.session_key.public()), Ok(()));
        assert_eq!((statement.actor.as_str(), statement.roles[0].as_str()), (user, user));
        assert_eq!(statement.until.millis_since(statement.from), 12 * 3_600_000);
    }
}

#[test]
fn a_wrong_password_and_an_unknown_name_get_the_same_answer() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let try_in = |user: &str, password: &str| sign_in(&city, &station.token, user, password, &key_of("s"));
    let wrong = try_in("clerk", "demo-inspector");
    let unknown = try_in("nobody", "demo-clerk");
    assert_eq!(wrong.problem(), (403, "forbidden".into()));
    assert_eq!((wrong.status, &wrong.body), (unknown.status, &unknown.body));
    assert_eq!(sign_in(&city, "no-token", "clerk", "demo-clerk", &key_of("s")).problem().0, 401);
    assert_eq!(try_in("clerk", &"x".repeat(2_000)).problem(), (422, "validation".into()));
}

#[test]
fn tries_are_bounded_and_only_for_the_name_that_was_tried() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let try_in = |user: &str, password: &str| sign_in(&city, &station.token, user, password, &key_of("s"));
    for _ in 0..10 {
        assert_eq!(try_in("clerk", "guess").code(), 403);
    }
    let turned_away = try_in("clerk", "demo-clerk");
    assert_eq!(turned_away.problem(), (429, "too-many-tries".into()));
    assert!(turned_away.header("retry-after").unwrap().parse::<u32>().unwrap() <= 300);
    assert_eq!(try_in("supervisor", "demo-supervisor").code(), 201);
}
