//! Requests that nobody should send: each gets a typed answer and changes nothing.

use serde_json::Value;

use crate::support::{City, Request, Station};

#[test]
fn bodies_that_are_no_operation_are_refused_without_an_effect() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let operation = station.application();
    let text = String::from_utf8(operation.bytes.clone()).unwrap();
    let deep = format!("{}1{}", r#"{"a":"#.repeat(5_000), "}".repeat(5_000));
    let cases: [(&str, String, u16, &str); 12] = [
        ("nothing", String::new(), 422, "validation"),
        ("not JSON", "{".into(), 422, "validation"),
        ("not an object", "[]".into(), 422, "validation"),
        ("an unknown field", text.replacen('{', r#"{"x":1,"#, 1), 422, "validation"),
        ("a key twice", text.replacen('{', r#"{"v":1,"#, 1), 422, "validation"),
        ("an unknown kind", text.replace(r#""kind":"application""#, r#""kind":"party""#), 422, "validation"),
        ("a large integer", text.replace(r#""v":1"#, r#""v":9007199254740993"#), 422, "validation"),
        ("another version", text.replace(r#""v":1"#, r#""v":2"#), 422, "validation"),
        ("NUL", text.replace("12 ELM ST", "12\\u0000"), 422, "validation"),
        ("deep", deep, 422, "validation"),
        ("1 MB", text.replace("12 ELM ST", &"x".repeat(1_000_000)), 413, "too-large"),
        ("3 MB", text.replace("12 ELM ST", &"x".repeat(3_000_000)), 413, "too-large"),
    ];
    for (what, body, status, kind) in cases {
        let request = Request::new("POST", "/v1/operations")
            .bearer(&station.token)
            .header("Idempotency-Key", operation.key.to_string())
            .body(body);
        assert_eq!(city.send(&request).problem(), (status, kind.into()), "{what}");
    }
    assert_eq!(city.counts(), (0, 12));
}

#[test]
fn a_refusal_repeats_no_value_of_the_request() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let secret = "ZEBRA-7741";
    let paths = ["/v1/operations", "/v1/sessions", "/v1/enrolments", "/v1/station-tokens"];
    let bodies = [
        format!(r#"{{"{secret}"#),
        format!(r#"{{"user":"{secret}","password":"{secret}","key":"{secret}"}}"#),
        format!(r#"{{"station_id":"{secret} x","key":1}}"#),
        format!(r#"{{"assertion":"{secret}.{secret}.{secret}"}}"#),
    ];
    for path in paths {
        for body in &bodies {
            let seen = city.send(&Request::new("POST", path).bearer(&station.token).body(body.clone()));
            assert!((400..500).contains(&seen.code()), "{path}: {seen:?}");
            assert!(!String::from_utf8_lossy(&seen.body).contains(secret), "{path}: {seen:?}");
            seen.problem();
        }
    }
}

#[test]
fn unknown_paths_methods_and_parameters_get_a_typed_answer() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    assert_eq!(city.send(&Request::get("/nowhere")).problem(), (404, "not-found".into()));
    assert_eq!(
        city.send(&Request::get("/drill/counts")).problem(),
        (404, "not-found".into()),
        "drills only apart"
    );
    assert_eq!(
        city.send(&Request::new("DELETE", "/v1/operations")).problem(),
        (405, "method-not-allowed".into())
    );
    for path in ["/v1/applications?limit=x", "/v1/applications?page=2", "/v1/inspections?who=me"] {
        assert_eq!(station.get(&city, path).problem(), (422, "validation".into()), "{path}");
    }
    let long = format!("/v1/health?nonce={}", "n".repeat(129));
    assert_eq!(city.send(&Request::get(long)).problem().0, 422);
}

#[test]
fn every_answer_carries_the_identity_and_a_date() {
    let city = City::start();
    let identity = city.identity();
    for path in ["/livez", "/readyz", "/v1/health", "/v1/contract", "/nowhere"] {
        let seen = city.send(&Request::get(path));
        assert_eq!(seen.header("holdfast-identity"), Some(identity.as_str()), "{path}");
        assert!(seen.header("date").unwrap().ends_with("GMT"), "{path}");
    }
    assert_eq!(city.send(&Request::get("/livez")).json()["live"], Value::Bool(true));
}
