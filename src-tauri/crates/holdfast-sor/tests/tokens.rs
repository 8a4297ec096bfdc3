//! The station's token: when it is fetched, for how long it is kept, and where it never goes.
#![allow(clippy::unwrap_used)]

mod scripted;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use holdfast_core::outcome::{Answer, Unreachable, judge};
use holdfast_core::sign::from_b64u;
use holdfast_core::wait::http_date;
use holdfast_station::ports::{RecordSystem as _, Sockets};
use scripted::*;
use serde_json::Value;

fn outcome(answer: &Answer) -> &'static str {
    judge(answer, &sent()).word()
}

fn claims(seen: &Seen) -> Value {
    let body: Value = serde_json::from_slice(&seen.body).unwrap();
    let assertion = body["assertion"].as_str().unwrap().to_owned();
    let (message, signature) = assertion.rsplit_once('.').unwrap();
    station_key().public().check_bytes(message.as_bytes(), signature).unwrap();
    let (_, claims) = message.split_once('.').unwrap();
    serde_json::from_slice(&from_b64u(claims).unwrap()).unwrap()
}

/// Lets in whoever asks in the SoR's own time, which stands still.
fn by_the_clock(seen: &Seen) -> Act {
    let now_s = http_date(DATE).unwrap().millis() / 1000;
    let iat = claims(seen)["iat"].as_i64().unwrap();
    if (iat - now_s).abs() <= 120 { token(600) } else { Act::Send(problem(401, "unauthorized")) }
}

#[tokio::test]
async fn a_token_is_fetched_with_the_first_request_and_kept_until_shortly_before_its_end() {
    let server =
        Scripted::start_raw(|seen| if seen.is_token_request() { token(600) } else { Act::Send(committed()) })
            .await;
    let clock = TestClock::new();
    let client = client_with(&server.url(), LIMITS, &clock);
    assert_eq!(server.connections(), 0, "nothing is sent before something is asked");
    for (pass_ms, fetched) in [(0, 1), (0, 1), (569_999, 1), (1, 2), (0, 2)] {
        clock.pass_ms(pass_ms);
        assert_eq!(outcome(&client.deliver(&delivery(), Sockets::Kept).await), "committed");
        assert_eq!(server.token_requests(), fetched);
    }
    client.forget_token();
    client.look_up(&delivery(), Sockets::Kept).await;
    assert_eq!(server.token_requests(), 3);
}

#[tokio::test]
async fn a_wall_clock_that_is_set_neither_keeps_nor_ends_a_token() {
    let server = Scripted::start(|_| Act::Send(committed())).await;
    let clock = TestClock::new();
    let client = client_with(&server.url(), LIMITS, &clock);
    for off_ms in [0, -86_400_000, 3 * 86_400_000] {
        clock.set_wall_off_by_ms(off_ms);
        client.deliver(&delivery(), Sockets::Kept).await;
    }
    assert_eq!(server.token_requests(), 1);
}

#[tokio::test]
async fn a_token_that_hardly_lasts_is_used_and_not_kept() {
    let server =
        Scripted::start_raw(|seen| if seen.is_token_request() { token(20) } else { Act::Send(committed()) })
            .await;
    let client = client(&server.url());
    for fetched in 1..=2 {
        assert_eq!(outcome(&client.deliver(&delivery(), Sockets::Kept).await), "committed");
        assert_eq!(server.token_requests(), fetched);
    }
}

#[tokio::test]
async fn a_token_is_a_bearers_unless_it_says_otherwise() {
    for (kind, expected) in [
        ("", "committed"),
        (r#","token_type":"bearer""#, "committed"),
        (r#","token_type":"DPoP""#, "unreachable"),
    ] {
        let body = format!(r#"{{"access_token":"t0ken","expires_in":600{kind}}}"#);
        let server = Scripted::start_raw(move |seen| {
            Act::Send(if seen.is_token_request() { sor(200, &[JSON], &body) } else { committed() })
        })
        .await;
        let answer = client(&server.url()).deliver(&delivery(), Sockets::Kept).await;
        assert_eq!(outcome(&answer), expected, "{kind}");
    }
}

#[tokio::test]
async fn a_station_whose_clock_is_off_by_hours_is_let_in() {
    for off_ms in [-7_200_000, 7_200_000, 315_360_000_000] {
        let server = Scripted::start_raw(|seen| {
            if seen.is_token_request() { by_the_clock(seen) } else { Act::Send(committed()) }
        })
        .await;
        let clock = TestClock::new();
        clock.set_wall_off_by_ms(off_ms);
        let client = client_with(&server.url(), LIMITS, &clock);
        assert_eq!(outcome(&client.deliver(&delivery(), Sockets::Kept).await), "committed");
        assert_eq!(server.token_requests(), 2, "refused once, then in the SoR's time");
        client.forget_token();
        client.deliver(&delivery(), Sockets::Kept).await;
        assert_eq!(server.token_requests(), 3, "the SoR's time is known now");
        let seen = server.seen();
        let ids: Vec<_> = seen
            .iter()
            .filter(|seen| seen.is_token_request())
            .map(|seen| claims(seen)["jti"].clone())
            .collect();
        assert!(ids[0] != ids[1] && ids[1] != ids[2], "no request for a token serves twice");
    }
}

#[tokio::test]
async fn a_request_for_a_token_names_station_and_system_and_ends_soon() {
    let server = Scripted::start(|_| Act::Send(committed())).await;
    client(&server.url()).deliver(&delivery(), Sockets::Kept).await;
    let claims = claims(&server.seen()[0]);
    assert_eq!((&claims["iss"], &claims["sub"]), (&"front-1".into(), &"front-1".into()));
    assert_eq!(claims["aud"], IDENTITY);
    assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 120);
    assert_eq!(server.seen()[0].header("authorization"), None);
}

#[tokio::test]
async fn without_a_token_nothing_is_sent_and_nothing_is_in_doubt() {
    let stranger = r#"{"access_token":"x","token_type":"Bearer","expires_in":600}"#;
    for (name, act, expected) in [
        ("refused", Act::Send(problem(401, "unauthorized")), "station_unauthorized"),
        ("a proxy's 401", Act::Send(html(401)), "unreachable"),
        ("403", Act::Send(problem(403, "forbidden")), "unreachable"),
        ("422", Act::Send(problem(422, "validation")), "unreachable"),
        ("429", Act::Send(html(429)), "throttled"),
        ("503", Act::Send(problem(503, "unavailable")), "unreachable"),
        ("503, later", Act::Send(typed(503, &["Retry-After: 9"], "unavailable")), "unavailable"),
        ("500", Act::Send(problem(500, "unavailable")), "unreachable"),
        ("502 of a proxy", Act::Send(html(502)), "unreachable"),
        ("a portal's page", Act::Send(html(200)), "unreachable"),
        ("a portal's redirect", Act::Send(http(302, &["Location: http://portal/"], "")), "unreachable"),
        ("a stranger's token", Act::Send(http(200, &[JSON], stranger)), "unreachable"),
        (
            "another SoR's token",
            Act::Send(http(200, &[JSON, "Holdfast-Identity: other"], stranger)),
            "unreachable",
        ),
        (
            "another kind of token",
            Act::Send(sor(200, &[JSON], &stranger.replace("Bearer", "MAC"))),
            "unreachable",
        ),
        (
            "no header value",
            Act::Send(sor(200, &[JSON], &stranger.replace("\"x\"", r#""a\nb""#))),
            "unreachable",
        ),
        ("no token", Act::Send(sor(200, &[JSON], "{}")), "unreachable"),
        ("half a body", Act::SendThenClose(token_bytes("t", 600)[..150].to_vec()), "unreachable"),
        ("closed", Act::SendThenClose(vec![]), "unreachable"),
        ("silence", Act::SendThenHang(vec![]), "unreachable"),
    ] {
        let server = Scripted::start_raw(move |_| act.clone()).await;
        let client = client(&server.url());
        let answer = client.deliver(&delivery(), Sockets::Kept).await;
        assert_eq!(outcome(&answer), expected, "{name}");
        if expected == "unreachable" {
            assert_eq!(answer, Answer::Unreachable(Unreachable::NoToken), "{name}");
        }
        assert!(server.asked().is_empty(), "{name}: the operation was sent");
        assert_eq!(server.token_requests(), 1, "{name}");
    }
}

#[tokio::test]
async fn after_an_answer_of_somebody_else_no_token_goes_out_before_the_system_is_known_again() {
    for stranger in [html(200), html(502), http(201, &[JSON, "Holdfast-Identity: other"], &receipt())] {
        let away = Arc::new(AtomicBool::new(false));
        let is_away = Arc::clone(&away);
        let server = Scripted::start_raw(move |seen| {
            match (is_away.load(Ordering::SeqCst), seen.is_token_request()) {
                (true, _) => Act::Send(stranger.clone()),
                (false, true) => token(600),
                (false, false) => Act::Send(committed()),
            }
        })
        .await;
        let client = client(&server.url());
        assert_eq!(outcome(&client.deliver(&delivery(), Sockets::Kept).await), "committed");
        away.store(true, Ordering::SeqCst);
        client.deliver(&delivery(), Sockets::Kept).await;
        let with_token = |server: &Scripted| {
            server.seen().iter().filter(|seen| seen.header("authorization").is_some()).count()
        };
        assert_eq!(with_token(&server), 2);
        for _ in 0..3 {
            let answer = client.deliver(&delivery(), Sockets::Kept).await;
            assert_eq!(answer, Answer::Unreachable(Unreachable::NoToken));
        }
        assert_eq!(with_token(&server), 2, "the stranger saw the token once, and never again");
        away.store(false, Ordering::SeqCst);
        assert_eq!(outcome(&client.deliver(&delivery(), Sockets::Kept).await), "committed");
    }
}

#[tokio::test]
async fn a_token_request_over_a_connection_that_was_given_up_is_made_anew() {
    let tokens = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tokens);
    let server = Scripted::start_raw(move |seen| {
        if !seen.is_token_request() {
            return Act::Send(committed());
        }
        // The second one meets a connection that ends.
        match counted.fetch_add(1, Ordering::SeqCst) {
            1 => Act::SendThenClose(vec![]),
            _ => token(600),
        }
    })
    .await;
    let client = client(&server.url());
    client.deliver(&delivery(), Sockets::Kept).await;
    client.forget_token();
    assert_eq!(outcome(&client.deliver(&delivery(), Sockets::Kept).await), "committed");
    let seen = server.seen();
    let ids: Vec<_> =
        seen.iter().filter(|seen| seen.is_token_request()).map(|seen| claims(seen)["jti"].clone()).collect();
    assert_eq!(ids.len(), 3);
    assert_ne!(ids[1], ids[2]);
}
