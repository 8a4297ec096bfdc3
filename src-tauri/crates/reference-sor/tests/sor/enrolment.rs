//! Enrolment and station tokens.

use holdfast_core::canonical::canonical;
use holdfast_core::ids::StationId;
use holdfast_core::sign::{KeyPair, b64u};
use reference_sor::EnrolmentRule;
use serde_json::{Value, json};

use crate::support::station::{ask_token, assertion, enrolment, key_of, now};
use crate::support::{City, Request, Station};

#[test]
fn the_same_station_and_key_again_is_told_the_same() {
    let city = City::start();
    let first = city.send(&enrolment("front-1", &key_of("a")));
    let again = city.send(&enrolment("front-1", &key_of("a")));
    assert_eq!((first.code(), again.code()), (201, 200));
    assert_eq!(first.json(), again.json());
    assert_eq!(first.json()["identity"].as_str(), first.header("holdfast-identity"));
    assert_eq!(first.json()["sor_key"].as_str().unwrap().len(), 64);
}

#[test]
fn another_key_replaces_the_old_one_and_ends_its_tokens() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    assert_eq!(station.get(&city, "/v1/applications").code(), 200);
    assert_eq!(city.send(&enrolment("front-1", &key_of("another"))).code(), 201);
    assert_eq!(station.get(&city, "/v1/applications").problem(), (401, "unauthorized".into()));
    let old = ask_token(&city, &assertion(&city, &station.id, now(), &station.key));
    assert_eq!(old.problem(), (401, "unauthorized".into()));
}

#[test]
fn without_drill_or_demo_a_code_is_needed_and_used_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("codes");
    std::fs::write(&file, "ALPHA-1\n\n  BRAVO-2 \n").unwrap();
    let mut city = City::start_with(|settings| settings.enrolment = EnrolmentRule::ByCode(Some(file)));
    let enrol = |city: &City, id: &str, code: Value| {
        let body = json!({"station_id": id, "key": key_of(id).public(), "code": code});
        city.send(&Request::post("/v1/enrolments", &body))
    };
    assert_eq!(city.send(&enrolment("front-1", &key_of("front-1"))).problem(), (403, "forbidden".into()));
    assert_eq!(enrol(&city, "front-1", json!("WRONG")).problem(), (403, "forbidden".into()));
    assert_eq!(enrol(&city, "front-1", json!("ALPHA-1")).code(), 201);
    assert_eq!(enrol(&city, "front-2", json!("ALPHA-1")).problem(), (403, "forbidden".into()));
    city.restart();
    assert_eq!(enrol(&city, "front-2", json!("ALPHA-1")).problem(), (403, "forbidden".into()), "used before");
    assert_eq!(enrol(&city, "front-2", json!("BRAVO-2")).code(), 201);
    assert_eq!(
        city.send(&enrolment("front-1", &key_of("front-1"))).code(),
        200,
        "the same key needs no code"
    );
}

#[test]
fn a_token_request_is_used_once_and_only_by_the_enrolled_key_here_and_now() {
    let city = City::start();
    let key = key_of("front-1");
    city.send(&enrolment("front-1", &key));
    let id: StationId = "front-1".parse().unwrap();
    let good = assertion(&city, &id, now(), &key);
    let token = ask_token(&city, &good);
    assert_eq!(token.code(), 200);
    assert_eq!((&token.json()["token_type"], &token.json()["expires_in"]), (&json!("Bearer"), &json!(600)));
    assert_eq!(ask_token(&city, &good).problem().0, 401, "replayed");

    let at = |offset_s: i64| assertion(&city, &id, now().plus_millis(offset_s * 1000), &key);
    assert_eq!(ask_token(&city, &at(-100)).code(), 200, "a clock that is a little off");
    let other: StationId = "front-2".parse().unwrap();
    let wrong = [
        ("an old one", at(-130)),
        ("one from the future", at(130)),
        ("another key", assertion(&city, &id, now(), &key_of("x"))),
        ("an unknown station", assertion(&city, &other, now(), &key)),
        ("another SoR", jwt(&key, json!({"aud": "elsewhere"}), "EdDSA")),
        ("iss is not sub", jwt(&key, json!({"sub": "front-2"}), "EdDSA")),
        ("another algorithm", jwt(&key, json!({"aud": city.identity()}), "none")),
        ("no end", jwt(&key, json!({"aud": city.identity(), "exp": i64::MAX}), "EdDSA")),
        ("ended", jwt(&key, json!({"aud": city.identity(), "exp": now().millis() / 1000 - 1}), "EdDSA")),
        ("not a JWT", "a.b".into()),
        ("nothing", String::new()),
    ];
    for (what, assertion) in wrong {
        assert_eq!(ask_token(&city, &assertion).problem(), (401, "unauthorized".into()), "{what}");
    }
    assert_eq!(
        ask_token(&city, &jwt(&key, json!({"aud": city.identity()}), "EdDSA")).code(),
        200,
        "the base of these"
    );
}

fn jwt(key: &KeyPair, change: Value, alg: &str) -> String {
    let iat = now().millis() / 1000;
    let mut claims =
        json!({"iss": "front-1", "sub": "front-1", "iat": iat, "exp": iat + 120, "jti": change.to_string()});
    for (name, value) in change.as_object().unwrap() {
        claims[name] = value.clone();
    }
    let header = b64u(&canonical(&json!({"alg": alg, "typ": "JWT"})));
    let message = format!("{header}.{}", b64u(&canonical(&claims)));
    format!("{message}.{}", key.sign_bytes(message.as_bytes()))
}
