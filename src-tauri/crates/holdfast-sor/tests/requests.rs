//! Everything that is asked beside operations: a sign of life, a session, the contract, enrolment.
#![allow(clippy::unwrap_used)]

mod scripted;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use holdfast_core::outcome::{Answer, Unreachable};
use holdfast_core::sign::{KeyPair, PublicKey};
use holdfast_core::wait::RetryAfter;
use holdfast_sor::{EndpointSettings, EnrolAsk, EnrolFault, Enrolment, SorClient, SorSettings, enrol};
use holdfast_station::ports::{ContractAnswer, NoLife, RecordSystem as _, SessionAsk, Sockets, SorFault};
use scripted::*;

const NONCE: &str = "n0nce &=?/";

fn health(identity: &str, nonce: &str) -> String {
    format!(r#"{{"identity":"{identity}","nonce":"{nonce}","time":"2026-11-30T08:00:00.000Z","epoch":"e"}}"#)
}

fn healthy() -> Vec<u8> {
    sor(200, &[JSON], &health(IDENTITY, NONCE))
}

fn sor_key() -> PublicKey {
    KeyPair::from_seed(&[5; 32]).public()
}

fn key_text(key: PublicKey) -> String {
    key.bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What may be answered instead of what was asked for, and the fault that it is.
fn strange_answers() -> Vec<(&'static str, Act, SorFault)> {
    let refused = |problem: &str| SorFault::Refused { problem: problem.to_owned() };
    vec![
        ("a portal's page", Act::Send(html(200)), SorFault::Impostor),
        ("a portal's redirect", Act::Send(http(302, &["Location: http://portal/"], "")), SorFault::Impostor),
        ("401 of a proxy", Act::Send(html(401)), SorFault::Impostor),
        ("511 of a portal", Act::Send(html(511)), SorFault::Impostor),
        ("502 of a proxy", Act::Send(html(502)), SorFault::NotAnswering),
        ("503", Act::Send(problem(503, "unavailable")), SorFault::NotAnswering),
        ("500", Act::Send(sor(500, &[HTML], PORTAL)), SorFault::NotAnswering),
        ("429", Act::Send(problem(429, "too-many-tries")), refused("too-many-requests")),
        ("403", Act::Send(problem(403, "forbidden")), refused("forbidden")),
        ("an unknown problem", Act::Send(problem(422, "moon-phase")), SorFault::Unreadable),
        ("silence", Act::SendThenHang(vec![]), SorFault::NotAnswering),
        ("half a body", Act::SendThenClose(healthy()[..150].to_vec()), SorFault::NotAnswering),
    ]
}

#[tokio::test]
async fn a_sign_of_life_needs_the_nonce_and_the_pinned_identity() {
    let mut cases = strange_answers();
    cases.extend([
        ("an old answer", Act::Send(sor(200, &[JSON], &health(IDENTITY, "old"))), SorFault::Impostor),
        ("an echo of everything", Act::Send(sor(200, &[HTML], &health(IDENTITY, NONCE))), SorFault::Impostor),
        ("another in the body", Act::Send(sor(200, &[JSON], &health("other", NONCE))), SorFault::Impostor),
        ("no header", Act::Send(http(200, &[JSON], &health(IDENTITY, NONCE))), SorFault::Impostor),
        (
            "another SoR",
            Act::Send(http(200, &[JSON, "Holdfast-Identity: other"], &health("other", NONCE))),
            SorFault::Impostor,
        ),
    ]);
    for (name, act, fault) in cases {
        let server = Scripted::start_raw(move |_| act.clone()).await;
        let result = client(&server.url()).health(NONCE, Sockets::Fresh).await;
        let expected = match fault {
            SorFault::Impostor => NoLife::Stranger,
            SorFault::NotAnswering
            | SorFault::StationUnauthorized
            | SorFault::Refused { .. }
            | SorFault::Unreadable => NoLife::Silent { retry_after: None },
        };
        assert_eq!(result, Err(expected), "{name}");
    }
    let away = http(503, &[HTML, "Retry-After: 3600"], PORTAL);
    let server = Scripted::start_raw(move |_| Act::Send(away.clone())).await;
    let result = client(&server.url()).health(NONCE, Sockets::Fresh).await;
    let retry_after = Some(RetryAfter::from_ms(3_600_000));
    assert_eq!(result, Err(NoLife::Silent { retry_after }), "it says for how long");
    let server = Scripted::start_raw(|_| Act::Send(healthy())).await;
    client(&server.url()).health(NONCE, Sockets::Fresh).await.unwrap();
    let [asked] = &server.seen()[..] else { panic!("one request") };
    assert_eq!(asked.line, "GET /v1/health?nonce=n0nce+%26%3D%3F%2F");
    assert_eq!(asked.header("authorization"), None, "nothing goes out before it is known who is there");
}

fn statement() -> String {
    let key = key_text(sor_key());
    format!(
        r#"{{"statement":{{"sid":"01932c6f-8f0a-7cc3-98a1-0242ac120009","actor":"clerk","roles":["clerk"],"station_id":"front-1","key":"{key}","from":"2026-11-30T08:00:00.000Z","until":"2026-11-30T20:00:00.000Z"}},"sig":"c2ln"}}"#
    )
}

fn sign_in() -> SessionAsk<'static> {
    SessionAsk { user: "clerk", password: "secret", key: sor_key() }
}

#[tokio::test]
async fn signing_in_brings_the_statement_or_says_why_not() {
    for (name, act, fault) in strange_answers() {
        let server = Scripted::start(move |_| act.clone()).await;
        let result = client(&server.url()).open_session(&sign_in()).await;
        assert_eq!(result.unwrap_err(), fault, "{name}");
    }
    for unreadable in ["{}", "true", "", "[", r#"{"statement":{},"sig":""}"#] {
        let server = Scripted::start(move |_| Act::Send(sor(201, &[JSON], unreadable))).await;
        let result = client(&server.url()).open_session(&sign_in()).await;
        assert_eq!(result.unwrap_err(), SorFault::Unreadable, "{unreadable}");
    }
    let server = Scripted::start(|_| Act::Send(sor(201, &[JSON], &statement()))).await;
    let signed = client(&server.url()).open_session(&sign_in()).await.unwrap();
    assert_eq!(signed.statement.actor.as_str(), "clerk");
    let [asked] = &server.asked()[..] else { panic!("one request") };
    let body: serde_json::Value = serde_json::from_slice(&asked.body).unwrap();
    assert_eq!(body, serde_json::json!({"user": "clerk", "password": "secret", "key": key_text(sor_key())}));
}

#[tokio::test]
async fn a_password_is_not_sent_where_the_token_did_not_come_from_the_system() {
    let server = Scripted::start_raw(|_| Act::Send(html(200))).await;
    let result = client(&server.url()).open_session(&sign_in()).await;
    assert_eq!(result.unwrap_err(), SorFault::Impostor);
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn a_token_that_was_given_up_over_there_is_fetched_anew_once() {
    let fetched = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&fetched);
    let server = Scripted::start_raw(move |seen| {
        if seen.is_token_request() {
            let n = counted.fetch_add(1, Ordering::SeqCst);
            return Act::Send(token_bytes(&format!("t{n}"), 600));
        }
        match seen.header("authorization") {
            Some("Bearer t0") => Act::Send(problem(401, "unauthorized")),
            _ => Act::Send(sor(201, &[JSON], &statement())),
        }
    })
    .await;
    client(&server.url()).open_session(&sign_in()).await.unwrap();
    assert_eq!(server.token_requests(), 2);

    let server = Scripted::start(|_| Act::Send(problem(401, "unauthorized"))).await;
    let result = client(&server.url()).open_session(&sign_in()).await;
    assert_eq!(result.unwrap_err(), SorFault::StationUnauthorized);
    assert_eq!((server.token_requests(), server.asked().len()), (2, 2));
}

#[tokio::test]
async fn what_is_no_contract_is_not_taken_for_one() {
    for (name, act, fault) in strange_answers() {
        let server = Scripted::start(move |_| act.clone()).await;
        let result = client(&server.url()).contract(None).await;
        assert_eq!(result.unwrap_err(), fault, "{name}");
    }
    let huge = format!("{{\"files\":\"{}\"}}", "x".repeat(LIMITS.contract_max_bytes));
    for (body, fault) in [
        ("{}", SorFault::Unreadable),
        ("true", SorFault::Unreadable),
        (r#"{"manifest":{"v":1"#, SorFault::Unreadable),
        (huge.as_str(), SorFault::NotAnswering),
    ] {
        let answer = sor(200, &[JSON], body);
        let server = Scripted::start(move |_| Act::Send(answer.clone())).await;
        let result = client(&server.url()).contract(None).await;
        assert_eq!(result.unwrap_err(), fault);
    }
}

#[tokio::test]
async fn a_contract_that_still_holds_brings_its_attestation_or_none() {
    let etag = "\"c0ffee\"".parse().unwrap();
    for header in ["Holdfast-Attestation: junk", "X: y"] {
        let server = Scripted::start(move |_| Act::Send(sor(304, &[header], ""))).await;
        let answer = client(&server.url()).contract(Some(&etag)).await.unwrap();
        assert_eq!(answer, ContractAnswer::Unchanged(None), "{header}");
        assert_eq!(server.asked()[0].header("if-none-match"), Some("\"c0ffee\""));
    }
    let server = Scripted::start(|_| Act::Send(http(304, &[], ""))).await;
    let result = client(&server.url()).contract(Some(&etag)).await;
    assert_eq!(result.unwrap_err(), SorFault::Impostor, "a cache on the way renews nothing");
}

async fn enrol_at(server: &Scripted) -> Result<Enrolment, EnrolFault> {
    let station = station();
    let who =
        EnrolAsk { station_id: &station, key: station_key().public(), code: Some("c0de"), nonce: NONCE };
    enrol(&endpoint(&server.url(), LIMITS), &who).await
}

fn enrolled(station: &str, identity: &str) -> String {
    let key = key_text(sor_key());
    format!(
        r#"{{"station_id":"{station}","identity":"{identity}","sor_key":"{key}","enrolled_at":"2026-11-30T08:00:00.000Z"}}"#
    )
}

#[tokio::test]
async fn enrolment_pins_who_answered_and_gives_the_code_to_nobody_else() {
    for (name, act, fault) in strange_answers() {
        let expect_silence = fault == SorFault::NotAnswering;
        let server = Scripted::start_raw(move |_| act.clone()).await;
        let fault = enrol_at(&server).await.unwrap_err();
        let fits = match fault {
            EnrolFault::NotAnswering => expect_silence,
            EnrolFault::Impostor => !expect_silence,
            EnrolFault::Settings(_) | EnrolFault::Refused { .. } | EnrolFault::Unreadable => false,
        };
        assert!(fits, "{name}: {fault}");
        assert!(server.seen().iter().all(|seen| seen.body.is_empty()), "{name}: the code went out");
    }
    let server = Scripted::start_raw(|seen| {
        let healthy = || Act::Send(healthy());
        if seen.line.contains("health") {
            healthy()
        } else {
            Act::Send(sor(201, &[JSON], &enrolled("front-1", IDENTITY)))
        }
    })
    .await;
    let enrolment = enrol_at(&server).await.unwrap();
    assert_eq!(enrolment, Enrolment { identity: identity(), sor_key: sor_key() });
    let body: serde_json::Value = serde_json::from_slice(&server.seen()[1].body).unwrap();
    let key = key_text(station_key().public());
    assert_eq!(body, serde_json::json!({"station_id": "front-1", "key": key, "code": "c0de"}));
}

#[tokio::test]
async fn an_enrolment_that_is_not_this_one_is_none() {
    for (answer, expected) in [
        (sor(201, &[JSON], &enrolled("front-2", IDENTITY)), "Unreadable"),
        (sor(201, &[JSON], &enrolled("front-1", "other")), "Unreadable"),
        (sor(200, &[JSON], "{}"), "Unreadable"),
        (http(201, &[JSON], &enrolled("front-1", IDENTITY)), "Impostor"),
        (http(201, &[JSON, "Holdfast-Identity: other"], &enrolled("front-1", "other")), "Impostor"),
        (problem(403, "forbidden"), "Refused { problem: \"forbidden\" }"),
        (html(302), "Impostor"),
        (html(502), "NotAnswering"),
    ] {
        let server = Scripted::start_raw(move |seen| {
            Act::Send(if seen.line.contains("health") { healthy() } else { answer.clone() })
        })
        .await;
        assert_eq!(format!("{:?}", enrol_at(&server).await.unwrap_err()), expected);
    }
}

#[tokio::test]
async fn settings_that_cannot_work_are_refused_before_anything_is_sent() {
    let dir = tempfile::tempdir().unwrap();
    let (not_pem, missing) = (dir.path().join("city.pem"), dir.path().join("missing.pem"));
    std::fs::write(&not_pem, "no certificate").unwrap();
    let server = Scripted::start_raw(|_| Act::Send(html(200))).await;
    let https = server.url().replace("http:", "https:");
    for (url, pem, expected) in [
        ("http://permits.example", None, "PlainHttp"),
        ("https://u:p@permits.example", None, "Credentials"),
        (https.as_str(), Some(&missing), "ExtraRoots"),
        (https.as_str(), Some(&not_pem), "NotCertificates"),
    ] {
        let settings = EndpointSettings { extra_roots_pem: pem.cloned(), ..endpoint(url, LIMITS) };
        let station = station();
        let who = EnrolAsk { station_id: &station, key: sor_key(), code: None, nonce: NONCE };
        let EnrolFault::Settings(fault) = enrol(&settings, &who).await.unwrap_err() else { panic!("{url}") };
        assert!(format!("{fault:?}").starts_with(expected), "{fault:?}");
        // A station that is set up already still opens: it takes in work, and its sends fail.
        let settings = SorSettings { endpoint: settings, identity: identity(), station_id: station };
        let client = SorClient::new(settings, station_key(), TestClock::new(), Arc::new(Counting::default()));
        assert_eq!(client.is_ok(), pem.is_some());
        if let Ok(client) = client {
            let answer = client.deliver(&delivery(), Sockets::Kept).await;
            assert_eq!(answer, Answer::Unreachable(Unreachable::TlsFailed));
        }
    }
    assert_eq!(server.connections(), 0);
}
