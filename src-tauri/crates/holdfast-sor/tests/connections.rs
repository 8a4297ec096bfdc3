//! Connections: reused, given up, fresh, and never to anywhere but the SoR.
#![allow(clippy::unwrap_used)]

mod scripted;

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use holdfast_core::outcome::{Answer, Lost, Unreachable, judge};
use holdfast_sor::Limits;
use holdfast_station::ports::{Delivery, RecordSystem as _, Sockets};
use scripted::*;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

const SLACK: Duration = Duration::from_secs(5);

fn outcome(answer: &Answer) -> &'static str {
    judge(answer, &sent()).word()
}

#[tokio::test]
async fn a_connection_closed_as_it_is_used_again_is_no_failure() {
    for broken_off in [
        Act::SendThenClose(vec![]),
        Act::SendThenReset(vec![]),
        // The client does not tell this from nothing; with keys the same bytes may be sent again.
        Act::SendThenClose(b"HTTP/1.1 201 Cre".to_vec()),
    ] {
        let server = Scripted::start(move |seen| {
            let good = seen.connection > 0 || seen.nth < 2;
            if good { Act::Send(committed()) } else { broken_off.clone() }
        })
        .await;
        let client = client(&server.url());
        assert_eq!(outcome(&client.deliver(&delivery(), Sockets::Kept).await), "committed");
        assert_eq!(outcome(&client.deliver(&delivery(), Sockets::Kept).await), "committed");
        let over: Vec<_> = server.asked().iter().map(|seen| seen.connection).collect();
        assert_eq!(over, [0, 0, 1], "the second is sent again over a new connection");
        let [_, lost, again] = &server.asked()[..] else { panic!("three requests") };
        assert_eq!((&lost.body, &lost.headers), (&again.body, &again.headers), "the same request");
    }
}

#[tokio::test]
async fn it_is_sent_again_once_and_not_for_ever() {
    let server = Scripted::start(|_| Act::SendThenClose(vec![])).await;
    let answer = client(&server.url()).deliver(&delivery(), Sockets::Kept).await;
    assert_eq!(answer, Answer::Lost(Lost::Reset));
    assert_eq!(server.asked().len(), 2, "over the token's connection, and over a new one");
}

#[tokio::test]
async fn an_answer_that_has_begun_is_not_asked_for_again() {
    let whole = committed();
    let cut = whole[..whole.len() - 5].to_vec();
    let server = Scripted::start(move |_| Act::SendThenReset(cut.clone())).await;
    let answer = client(&server.url()).deliver(&delivery(), Sockets::Kept).await;
    assert_eq!(answer, Answer::Lost(Lost::BrokenBody));
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_server_that_gives_up_every_connection_costs_no_operation_and_doubles_none() {
    const OPERATIONS: usize = 300;
    let server = Scripted::start(|_| Act::SendThenClose(committed())).await;
    let client = client(&server.url());
    for _ in 0..OPERATIONS {
        assert_eq!(outcome(&client.deliver(&delivery(), Sockets::Kept).await), "committed");
    }
    assert_eq!(server.asked().len(), OPERATIONS);
}

#[tokio::test]
async fn a_canary_takes_a_new_connection_and_leaves_it_to_those_after_it() {
    let server = Scripted::start(|_| Act::Send(committed())).await;
    let client = client(&server.url());
    for sockets in [Sockets::Kept, Sockets::Kept, Sockets::Fresh, Sockets::Kept, Sockets::Fresh] {
        assert_eq!(outcome(&client.look_up(&delivery(), sockets).await), "committed");
    }
    let over: Vec<_> = server.asked().iter().map(|seen| seen.connection).collect();
    assert_eq!(over, [0, 0, 1, 1, 2]);
}

#[tokio::test]
async fn a_silent_listener_gets_one_connection_and_one_request_and_costs_one_limit() {
    let server = Scripted::start_raw(|_| Act::SendThenHang(vec![])).await;
    let started = Instant::now();
    let answer = client(&server.url()).deliver(&delivery(), Sockets::Fresh).await;
    assert!(started.elapsed() < Duration::from_millis(LIMITS.timeout_ms) + SLACK);
    assert_eq!(answer, Answer::Unreachable(Unreachable::NoToken), "the operation itself was not sent");
    assert_eq!((server.connections(), server.seen().len()), (1, 1));
}

#[tokio::test]
async fn limits_that_are_exchanged_count_from_the_next_attempt_on() {
    let server = Scripted::start_raw(|_| Act::SendThenHang(vec![])).await;
    let endpoint = endpoint(&server.url(), Limits { timeout_ms: 60_000, ..LIMITS });
    let client = client_at(endpoint.clone(), &TestClock::new());
    let shorter = Limits { connect_timeout_ms: 100, timeout_ms: 300, ..LIMITS };
    endpoint.limits.exchange(shorter).unwrap();
    let started = Instant::now();
    let answer = client.deliver(&delivery(), Sockets::Kept).await;
    assert!(started.elapsed() < Duration::from_millis(shorter.timeout_ms) + SLACK);
    assert_eq!(answer, Answer::Unreachable(Unreachable::NoToken));
}

#[tokio::test]
async fn the_limit_is_over_token_and_operation_together() {
    let server = Scripted::start_raw(|seen| {
        let pause = Duration::from_millis(LIMITS.timeout_ms / 2 / 200);
        if seen.is_token_request() {
            Act::Drip(token_bytes("t0ken", 600), pause)
        } else {
            Act::Drip(committed(), Duration::from_millis(50))
        }
    })
    .await;
    let started = Instant::now();
    let answer = client(&server.url()).deliver(&delivery(), Sockets::Kept).await;
    assert!(started.elapsed() < Duration::from_millis(LIMITS.timeout_ms) + SLACK);
    assert_eq!(outcome(&answer), if server.asked().is_empty() { "unreachable" } else { "unanswered" });
}

#[tokio::test]
async fn a_server_that_stops_reading_costs_one_limit() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move {
        let (mut first, _) = listener.accept().await.unwrap();
        let mut asked = [0; 8192];
        let _ = first.read(&mut asked).await;
        let _ = first.write_all(&token_bytes("t0ken", 600)).await;
        // Keeps the connection and reads no more.
        tokio::time::sleep(Duration::from_secs(60)).await;
    });
    let large = Delivery { body: vec![b' '; 12 << 20], ..delivery() };
    let started = Instant::now();
    let answer = client(&url).deliver(&large, Sockets::Kept).await;
    assert!(started.elapsed() < Duration::from_millis(LIMITS.timeout_ms) + SLACK);
    assert_eq!(answer, Answer::Lost(Lost::TimedOut));
    serving.abort();
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_takes_no_credential_along() {
    let elsewhere = Scripted::start_raw(|_| Act::Send(committed())).await;
    for status in [300, 301, 302, 303, 304, 307, 308] {
        let location = format!("Location: {}/v1/operations", elsewhere.url());
        let server = Scripted::start(move |_| Act::Send(sor(status, &[&location], ""))).await;
        let client = client(&server.url());
        assert_eq!(outcome(&client.deliver(&delivery(), Sockets::Kept).await), "misdirected", "{status}");
        assert_eq!(server.asked().len(), 1, "{status}");
        client.look_up(&delivery(), Sockets::Kept).await;
    }
    assert_eq!(elsewhere.connections(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_at_once_are_each_answered_and_sent_once() {
    let server = Scripted::start(|_| Act::Send(committed())).await;
    let client = Arc::new(client(&server.url()));
    let sends: Vec<_> = (0..16)
        .map(|_| {
            let client = Arc::clone(&client);
            tokio::spawn(async move { outcome(&client.deliver(&delivery(), Sockets::Kept).await) })
        })
        .collect();
    for send in sends {
        assert_eq!(send.await.unwrap(), "committed");
    }
    assert_eq!(server.asked().len(), 16);
    assert_eq!(server.token_requests(), 1, "one fetches, the others wait for it");
}

#[test]
fn proxies_of_the_environment_are_not_used() {
    // Port 9 (discard) of this machine is closed: whatever went there would fail.
    let proxy = "http://127.0.0.1:9";
    let mut again = Command::new(std::env::current_exe().unwrap());
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        again.env(name, proxy).env(name.to_lowercase(), proxy);
    }
    again.env_remove("NO_PROXY").env_remove("no_proxy").env_remove("REQUEST_METHOD");
    let name = "a_canary_takes_a_new_connection_and_leaves_it_to_those_after_it";
    let output = again.args(["--exact", name]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}
