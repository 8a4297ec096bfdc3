//! Faults: what the caller sees on the wire, and whether the operation has its effect.

use std::io::{ErrorKind, Read as _};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{City, End, Prepared, Request, Seen, Station};

/// Patience with a fault that never answers, in milliseconds.
const PATIENCE_MS: u64 = 300;

struct Case {
    fault: Value,
    sees: fn(&Seen) -> bool,
    /// Effects in the end.
    effects: u64,
}

fn nothing(seen: &Seen, end: End) -> bool {
    seen.status.is_none() && seen.body.is_empty() && seen.end == end
}

fn no_identity(seen: &Seen) -> bool {
    seen.header("holdfast-identity").is_none()
}

fn cases() -> Vec<Case> {
    let case = |fault: Value, effects, sees| Case { fault, sees, effects };
    vec![
        case(json!({"do": "timeout"}), 0, |seen| nothing(seen, End::Silent)),
        case(json!({"do": "timeout", "commit_after_ms": 20}), 1, |seen| nothing(seen, End::Silent)),
        case(json!({"do": "reset"}), 0, |seen| nothing(seen, End::Reset)),
        case(json!({"do": "reset", "commit_after_ms": 20}), 1, |seen| nothing(seen, End::Reset)),
        case(json!({"do": "commit_then_drop"}), 1, |seen| nothing(seen, End::Closed)),
        case(json!({"do": "status", "status": 500}), 0, |seen| {
            seen.status == Some(500) && no_identity(seen) && is_html(seen) && seen.body.is_empty()
        }),
        case(json!({"do": "status", "status": 407, "body": "<p>proxy</p>"}), 0, |seen| {
            seen.status == Some(407) && no_identity(seen) && is_html(seen) && seen.body == b"<p>proxy</p>"
        }),
        case(json!({"do": "status", "status": 503, "retry_after": 7}), 0, |seen| {
            seen.status == Some(503) && seen.header("retry-after") == Some("7")
        }),
        case(
            json!({"do": "status", "status": 429, "retry_after": "Mon, 30 Nov 2026 08:00:00 GMT"}),
            0,
            |seen| seen.header("retry-after") == Some("Mon, 30 Nov 2026 08:00:00 GMT"),
        ),
        case(json!({"do": "status", "status": 409, "body": {"type": "in-progress"}}), 0, |seen| {
            seen.problem() == (409, "in-progress".into())
        }),
        case(
            json!({"do": "status", "status": 423, "body": {"type": "https://holdfast.example/problems/locked", "x": 1}}),
            0,
            |seen| seen.problem() == (423, "locked".into()) && seen.json()["x"] == 1,
        ),
        case(json!({"do": "status", "status": 500, "delay_ms": 30}), 0, |seen| seen.status == Some(500)),
        case(json!({"do": "redirect"}), 0, |seen| {
            seen.status == Some(302) && seen.header("location").is_some() && no_identity(seen)
        }),
        case(json!({"do": "portal"}), 0, |seen| {
            seen.status == Some(200) && is_html(seen) && no_identity(seen)
        }),
        case(json!({"do": "half_body"}), 1, |seen| {
            let whole: usize = seen.header("content-length").unwrap().parse().unwrap();
            seen.status == Some(201) && seen.body.len() == whole / 2 && seen.end != End::Silent
        }),
        case(json!({"do": "slow", "delay_ms": 50}), 1, |seen| seen.status == Some(201) && !no_identity(seen)),
    ]
}

fn is_html(seen: &Seen) -> bool {
    seen.header("content-type").is_some_and(|kind| kind.starts_with("text/html"))
}

#[test]
fn each_fault_is_seen_on_the_wire_and_a_resend_after_it_has_one_effect() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let mut effects_before = 0;
    for Case { mut fault, sees, effects } in cases() {
        fault["on"] = json!({"path": "/v1/operations", "method": "POST"});
        city.faults(&json!([fault]));
        let operation = station.application();
        let silent = fault["do"] == "timeout";
        let request = station.request(&operation, None);
        let seen = city.send(&if silent { request.patience_ms(PATIENCE_MS) } else { request });
        assert!(sees(&seen), "{fault}: {seen:?}");
        city.wait_for_effects(effects_before + effects);

        city.faults(&json!([]));
        let resent = station.post(&city, &operation, None);
        assert_eq!(resent.code(), 201, "{fault}");
        let replayed = resent.header("idempotent-replayed").is_some();
        assert_eq!(replayed, effects == 1, "{fault}");
        effects_before += 1;
        assert_eq!(city.counts().0, effects_before, "{fault}");
    }
    assert_eq!(city.counts().1, 2 * effects_before, "faulted requests are counted");
}

#[test]
fn slow_answers_come_late_and_what_is_lost_may_still_be_applied() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    city.faults(&json!([{"do": "slow", "delay_ms": 60_000, "on": {"path": "/v1/operations"}}]));
    let operation = station.application();
    let seen = city.send(&station.request(&operation, None).patience_ms(PATIENCE_MS));
    assert!(nothing(&seen, End::Silent));
    city.wait_for_effects(1);
}

#[test]
fn refuse_shuts_the_door_until_the_plan_is_replaced_and_opens_it_on_the_same_port() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let url = city.url().to_owned();
    let address = url.strip_prefix("http://").unwrap();
    let mut idle = TcpStream::connect(address).unwrap();
    idle.set_read_timeout(Some(Duration::from_millis(10 * PATIENCE_MS))).unwrap();
    assert_eq!(city.send(&Request::get("/livez")).code(), 200);
    for _ in 0..3 {
        city.faults(&json!([{"do": "refuse"}]));
        assert_eq!(city.send(&Request::get("/livez")).end, End::Refused);
        assert_eq!(station.post(&city, &station.application(), None).end, End::Refused);
        city.faults(&json!([]));
        assert_eq!(city.send(&Request::get("/livez")).code(), 200);
        assert_eq!(city.url(), url);
    }
    let end = idle.read(&mut [0]).map_err(|fault| fault.kind());
    assert!(
        matches!(end, Ok(0) | Err(ErrorKind::ConnectionReset)),
        "old connections are thrown out: {end:?}"
    );
    assert_eq!(station.post(&city, &station.application(), None).code(), 201);
}

#[test]
fn refuse_comes_back_even_when_the_port_was_taken_for_a_moment() {
    let city = City::start();
    city.faults(&json!([{"do": "refuse"}]));
    let squatter = TcpListener::bind(city.url().strip_prefix("http://").unwrap()).unwrap();
    let freed = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(250));
        drop(squatter);
    });
    city.faults(&json!([]));
    freed.join().unwrap();
    assert_eq!(city.send(&Request::get("/livez")).code(), 200);
}

#[test]
fn a_fault_meets_only_what_it_is_for() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let (one, two, three): (Prepared, Prepared, Prepared) =
        (station.application(), station.application(), station.application());
    city.faults(&json!([
        {"do": "status", "status": 500, "on": {"key": two.key.to_string()}, "count": 1},
        {"do": "portal", "on": {"path": "/v1/operations", "method": "GET"}},
        {"do": "status", "status": 502, "on": {"path": "/v1/operations", "method": "POST", "nth": 4}},
    ]));
    let post = |operation: &Prepared| station.post(&city, operation, None).code();
    assert_eq!(post(&one), 201);
    assert_eq!(post(&two), 500);
    assert_eq!(post(&two), 201);
    assert_eq!(post(&three), 502, "the fourth write");
    assert_eq!(post(&three), 201);
    assert_eq!(station.get(&city, format!("/v1/operations/{}", one.key)).code(), 200);
    assert!(is_html(&station.get(&city, format!("/v1/operations/{}", one.key))));
    assert_eq!(station.get(&city, "/v1/health").code(), 200);
    assert_eq!(city.counts(), (3, 5));
}

#[test]
fn a_plan_that_is_not_understood_changes_nothing() {
    let city = City::start();
    city.faults(&json!([{"do": "portal"}]));
    for plan in [r#"{"faults":[{"do":"explode"}]}"#, r#"{"faults":[{"do":"reset","x":1}]}"#, "{", ""] {
        let seen = city.put_plan(plan);
        assert_eq!(seen.code(), 400, "{plan}");
        assert!(!seen.json()["error"].as_str().unwrap().is_empty());
    }
    assert!(is_html(&city.send(&Request::get("/livez"))), "the plan before is in force");
}

#[test]
fn a_stop_does_not_wait_for_those_who_are_kept_waiting() {
    let mut city = City::start();
    city.faults(&json!([{"do": "timeout", "on": {"path": "/livez"}}]));
    let url = city.url().to_owned();
    let kept_waiting = std::thread::spawn(move || Request::get("/livez").send(&url));
    // Whichever of the two comes first, the stop is the same.
    assert_eq!(city.send(&Request::get("/readyz")).code(), 200);
    let start = Instant::now();
    city.restart();
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(kept_waiting.join().unwrap().status.is_none());
    assert_eq!(city.send(&Request::get("/livez")).code(), 200, "a plan does not outlive the program");
}
