//! What the other side does, what the client makes of it, and what core makes of that.
#![allow(clippy::unwrap_used)]

mod scripted;

use std::time::{Duration, Instant};

use holdfast_core::outcome::{Answer, Content, judge};
use holdfast_station::ports::{RecordSystem as _, Sockets};
use scripted::*;
use tokio::task::JoinSet;

/// Name, what the server does with the operation, the answer, the outcome.
type Row = (&'static str, Act, &'static str, &'static str);

/// What an attempt may take beyond its limit on a busy machine.
const SLACK: Duration = Duration::from_secs(5);

fn words(answer: &Answer) -> String {
    match answer {
        Answer::NotAsked => "not asked".into(),
        Answer::Unreachable(why) => format!("unreachable {why:?}"),
        Answer::Lost(how) => format!("lost {how:?}"),
        Answer::Replied(reply) => {
            let content = match &reply.content {
                Content::Receipt(_) => "receipt",
                Content::Problem(_) => "problem",
                Content::ReadBack(_) => "read back",
                Content::Other => "other",
            };
            format!("{} {:?} {content}", reply.status, reply.identity)
        }
    }
}

fn send(bytes: Vec<u8>) -> Act {
    Act::Send(bytes)
}

fn successes() -> Vec<Row> {
    vec![
        ("a receipt", send(committed()), "201 Right receipt", "committed"),
        (
            "a media type with parameters",
            send(sor(200, &["content-type: Application/JSON; charset=utf-8"], &receipt())),
            "200 Right receipt",
            "committed",
        ),
        (
            "a receipt whose connection ends its body",
            Act::SendThenClose(
                format!("HTTP/1.1 201 C\r\nHoldfast-Identity: {IDENTITY}\r\n{JSON}\r\n\r\n{}", receipt())
                    .into_bytes(),
            ),
            "201 Right receipt",
            "committed",
        ),
        ("in chunks", send(chunked(&receipt())), "201 Right receipt", "committed"),
        (
            "a receipt of another key",
            send(sor(201, &[JSON], &receipt_of(&"0".repeat(64)))),
            "201 Right receipt",
            "impostor",
        ),
        ("a receipt without its type", send(sor(201, &[], &receipt())), "201 Right other", "impostor"),
        ("two types", send(sor(201, &[JSON, HTML], &receipt())), "201 Right other", "impostor"),
        ("a doubled member", send(sor(201, &[JSON], &doubled_member())), "201 Right other", "impostor"),
        (
            "JSON, then HTML",
            send(sor(201, &[JSON], &format!("{}{PORTAL}", receipt()))),
            "201 Right other",
            "impostor",
        ),
        ("no body", send(sor(201, &[JSON], "")), "201 Right other", "impostor"),
        (
            "plain text",
            send(sor(200, &["Content-Type: text/plain"], "Temporarily unavailable")),
            "200 Right other",
            "impostor",
        ),
        ("a portal's page", send(html(200)), "200 Absent other", "impostor"),
        (
            "a receipt of a stranger",
            send(http(201, &[JSON, "Holdfast-Identity: other"], &receipt())),
            "201 Wrong receipt",
            "impostor",
        ),
        ("a receipt of nobody", send(http(201, &[JSON], &receipt())), "201 Absent receipt", "impostor"),
        (
            "two identities",
            send(http(
                201,
                &[JSON, "Holdfast-Identity: alder-falls-sor", "Holdfast-Identity: other"],
                &receipt(),
            )),
            "201 Wrong receipt",
            "impostor",
        ),
        ("202 without a receipt", send(sor(202, &[], "")), "202 Right other", "received"),
    ]
}

fn refusals() -> Vec<Row> {
    vec![
        ("a known problem", send(problem(422, "validation")), "422 Right problem", "rejected"),
        (
            "a problem sent as plain JSON",
            send(sor(422, &[JSON], r#"{"type":"validation"}"#)),
            "422 Right other",
            "untyped",
        ),
        ("an unknown problem", send(problem(422, "moon-phase")), "422 Right problem", "untyped"),
        (
            "a stranger's problem",
            send(http(422, &[PROBLEM], r#"{"type":"validation"}"#)),
            "422 Absent problem",
            "untyped",
        ),
        ("a plain 409", send(sor(409, &[HTML], PORTAL)), "409 Right other", "untyped"),
        ("in progress", send(problem(409, "in-progress")), "409 Right problem", "busy"),
        ("a version conflict", send(problem(412, "version-conflict")), "412 Right problem", "conflict"),
        ("a refused token", send(problem(401, "unauthorized")), "401 Right problem", "station_unauthorized"),
        ("a missing right", send(problem(403, "forbidden")), "403 Right problem", "forbidden"),
        ("401 of a proxy", send(html(401)), "401 Absent other", "untyped"),
        ("403 of a proxy", send(html(403)), "403 Absent other", "untyped"),
        ("407 of a proxy", send(html(407)), "407 Absent other", "untyped"),
        ("408", send(html(408)), "408 Absent other", "unanswered"),
        ("413 of a proxy", send(html(413)), "413 Absent other", "too_large"),
        ("511 of a portal", send(html(511)), "511 Absent other", "unanswered"),
        ("502 of a proxy", send(html(502)), "502 Absent other", "unanswered"),
        ("500", send(problem(500, "unavailable")), "500 Right problem", "unanswered"),
        ("503", send(problem(503, "unavailable")), "503 Right problem", "unanswered"),
        (
            "503, later",
            send(typed(503, &["Retry-After: 30"], "unavailable")),
            "503 Right problem",
            "unavailable",
        ),
        ("429", send(html(429)), "429 Absent other", "throttled"),
        ("301", send(moved(301)), "301 Absent other", "misdirected"),
        ("302", send(moved(302)), "302 Absent other", "misdirected"),
        ("303", send(moved(303)), "303 Absent other", "misdirected"),
        ("307", send(moved(307)), "307 Absent other", "misdirected"),
        ("308", send(moved(308)), "308 Absent other", "misdirected"),
    ]
}

fn broken_answers() -> Vec<Row> {
    let whole = committed();
    let cut = whole[..whole.len() - 5].to_vec();
    let half_head = b"HTTP/1.1 201 Cre".to_vec();
    let pause = Duration::from_millis(100);
    vec![
        ("silence", Act::SendThenHang(vec![]), "lost TimedOut", "unanswered"),
        ("half a head, then silence", Act::SendThenHang(half_head.clone()), "lost TimedOut", "unanswered"),
        ("a head, then silence", Act::SendThenHang(cut_to_head(&whole)), "lost TimedOut", "unanswered"),
        ("a dripping head", Act::Drip(whole.clone(), pause), "lost TimedOut", "unanswered"),
        ("most of a body, then silence", Act::SendThenHang(cut.clone()), "lost TimedOut", "unanswered"),
        ("a cut body", Act::SendThenClose(cut.clone()), "lost BrokenBody", "unanswered"),
        ("a reset within the body", Act::SendThenReset(cut), "lost BrokenBody", "unanswered"),
        ("a length beyond the body", Act::SendThenClose(wrong_length()), "lost BrokenBody", "unanswered"),
        ("a broken chunk", Act::Send(broken_chunk()), "lost BrokenBody", "unanswered"),
        ("chunks without an end", Act::SendThenClose(endless_chunks()), "lost BrokenBody", "unanswered"),
        ("a huge body", Act::Send(sor(200, &[HTML], &"x".repeat(70_000))), "lost BrokenBody", "unanswered"),
        ("no HTTP", Act::Send(b"SSH-2.0-OpenSSH_9.2\r\n\r\n".to_vec()), "lost BrokenBody", "unanswered"),
        ("a head without an end", Act::Send(endless_head()), "lost BrokenBody", "unanswered"),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_becomes_the_outcome_of_the_table_within_its_limit() {
    let mut rows = JoinSet::new();
    for row in [successes(), refusals(), broken_answers()].concat() {
        rows.spawn(check_row(row));
    }
    rows.join_all().await;
}

async fn check_row((name, act, answer_words, outcome): Row) {
    let server = Scripted::start(move |_| act.clone()).await;
    let client = client(&server.url());
    let started = Instant::now();
    let answer = client.deliver(&delivery(), Sockets::Kept).await;
    assert!(started.elapsed() < Duration::from_millis(LIMITS.timeout_ms) + SLACK, "{name}: too long");
    assert_eq!(words(&answer), answer_words, "{name}");
    assert_eq!(judge(&answer, &sent()).word(), outcome, "{name}");
    assert_eq!(server.token_requests(), 1, "{name}: token requests");
}

#[tokio::test]
async fn a_closed_connection_before_an_answer_is_lost_on_a_new_connection() {
    // The token's answer closes its connection, so the operation goes over a new one.
    for act in [
        Act::SendThenClose(vec![]),
        Act::SendThenReset(vec![]),
        Act::SendThenClose(b"HTTP/1.1 201 Cre".to_vec()),
    ] {
        let server = Scripted::start_raw(
            move |seen| {
                if seen.is_token_request() { closing_token() } else { act.clone() }
            },
        )
        .await;
        let answer = client(&server.url()).deliver(&delivery(), Sockets::Kept).await;
        assert_eq!(words(&answer), "lost Reset");
        assert_eq!(server.asked().len(), 1, "sent once");
    }
}

#[tokio::test]
async fn nobody_there_is_unreachable_and_nothing_is_in_doubt() {
    let port_closed = {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let answer = client(&port_closed).deliver(&delivery(), Sockets::Kept).await;
    assert_eq!(words(&answer), "unreachable Refused");
    // RFC 6761 §6.4: this name is never known.
    let answer = client("https://holdfast.invalid").deliver(&delivery(), Sockets::Kept).await;
    assert!(words(&answer).starts_with("unreachable "), "{}", words(&answer));
}

#[tokio::test]
async fn no_tls_is_unreachable_and_no_request_is_sent() {
    let silent = Scripted::start_raw(|_| Act::SendThenHang(vec![])).await;
    let no_tls = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = no_tls.local_addr().unwrap();
    let serving = tokio::spawn(async move {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let (mut stream, _) = no_tls.accept().await.unwrap();
        let mut hello = [0; 1024];
        let _ = stream.read(&mut hello).await;
        let _ = stream.write_all(&html(400)).await;
    });
    let answer = client(&format!("https://{address}")).deliver(&delivery(), Sockets::Kept).await;
    assert_eq!(words(&answer), "unreachable TlsFailed");
    serving.abort();
    // Accepts and says nothing: the handshake is part of connecting.
    let url = silent.url().replace("http:", "https:");
    let answer = client(&url).deliver(&delivery(), Sockets::Kept).await;
    assert_eq!(words(&answer), "unreachable ConnectTimedOut");
    assert_eq!(silent.connections(), 1);
}

#[tokio::test]
async fn retry_after_is_read_against_the_answers_own_date() {
    let date = format!("Date: {DATE}");
    for (headers, expected_ms) in [
        (vec![date.as_str(), "Retry-After: 30"], Some(30_000)),
        (vec!["Retry-After: 30"], Some(30_000)),
        (vec![date.as_str(), "Retry-After: Mon, 30 Nov 2026 08:02:00 GMT"], Some(120_000)),
        (vec![date.as_str(), "Retry-After: Mon, 30 Nov 2026 07:00:00 GMT"], Some(0)),
        (vec!["Retry-After: Mon, 30 Nov 2026 08:02:00 GMT"], None),
        (vec![date.as_str(), "Retry-After: Tue, 31 Feb 2026 08:02:00 GMT"], None),
        (vec![date.as_str(), "Retry-After: -5"], None),
        (vec![date.as_str(), "Retry-After: 1.5"], None),
        (vec![date.as_str(), "Retry-After: soon"], None),
        (vec![date.as_str(), "Retry-After: 30", "Retry-After: 60"], None),
        (vec![date.as_str(), "Retry-After: 30", "Retry-After: \u{e9}"], None),
        (vec![date.as_str(), date.as_str(), "Retry-After: Mon, 30 Nov 2026 08:02:00 GMT"], None),
        (vec![date.as_str(), "Retry-After: 99999999999999999999"], Some(u64::MAX)),
    ] {
        let bytes = http(503, &headers, "");
        let server = Scripted::start(move |_| Act::Send(bytes.clone())).await;
        let answer = client(&server.url()).deliver(&delivery(), Sockets::Kept).await;
        let Answer::Replied(reply) = answer else { panic!("{headers:?}: {}", words(&answer)) };
        assert_eq!(reply.retry_after.map(|asked| asked.ms()), expected_ms, "{headers:?}");
    }
}

#[tokio::test]
async fn every_attempt_sends_the_accepted_bytes_with_key_version_and_token() {
    let server = Scripted::start(|_| Act::Send(committed())).await;
    let client = client(&format!("{}/sor/", server.url()));
    client.deliver(&delivery(), Sockets::Kept).await;
    client.look_up(&delivery(), Sockets::Kept).await;
    let [sent, looked_up] = &server.asked()[..] else { panic!("two requests") };
    assert_eq!(sent.line, "POST /sor/v1/operations");
    assert_eq!(sent.body, BODY);
    assert_eq!(sent.header("idempotency-key"), Some("ab".repeat(32).as_str()));
    assert_eq!(sent.header("if-match"), Some("\"7\""));
    assert_eq!(sent.header("authorization"), Some("Bearer t0ken"));
    assert_eq!(sent.header("content-type"), Some("application/json"));
    assert_eq!(sent.header("user-agent"), Some("holdfast/0.1"));
    assert_eq!(sent.header("accept-encoding"), None, "what cannot be read is not asked for");
    assert_eq!(looked_up.line, format!("GET /sor/v1/operations/{}", "ab".repeat(32)));
    assert_eq!(looked_up.header("authorization"), Some("Bearer t0ken"));
    assert!(looked_up.body.is_empty());
}

fn closing_token() -> Act {
    Act::SendThenClose(insert_header(&token_bytes("t0ken", 3600), "Connection: close"))
}

fn insert_header(answer: &[u8], line: &str) -> Vec<u8> {
    let text = String::from_utf8(answer.to_vec()).unwrap();
    text.replacen("\r\n", &format!("\r\n{line}\r\n"), 1).into_bytes()
}

fn cut_to_head(answer: &[u8]) -> Vec<u8> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    answer[..end + 4].to_vec()
}

fn doubled_member() -> String {
    receipt().replacen('{', r#"{"state":"applied","#, 1)
}

fn moved(status: u16) -> Vec<u8> {
    http(status, &["Location: /v1/operations/"], "")
}

fn wrong_length() -> Vec<u8> {
    let right = String::from_utf8(committed()).unwrap();
    let length = format!("Content-Length: {}", receipt().len());
    assert!(right.contains(&length));
    right.replace(&length, &format!("Content-Length: {}", receipt().len() + 10)).into_bytes()
}

fn chunk_head() -> String {
    format!("HTTP/1.1 201 C\r\nHoldfast-Identity: {IDENTITY}\r\n{JSON}\r\nTransfer-Encoding: chunked\r\n\r\n")
}

fn chunked(body: &str) -> Vec<u8> {
    let (first, second) = body.split_at(body.len() / 2);
    let chunk = |part: &str| format!("{:x}\r\n{part}\r\n", part.len());
    format!("{}{}{}0\r\n\r\n", chunk_head(), chunk(first), chunk(second)).into_bytes()
}

fn broken_chunk() -> Vec<u8> {
    format!("{}zz\r\n{}\r\n0\r\n\r\n", chunk_head(), receipt()).into_bytes()
}

fn endless_chunks() -> Vec<u8> {
    format!("{}{:x}\r\n{}\r\n", chunk_head(), receipt().len(), receipt()).into_bytes()
}

fn endless_head() -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nX: {}", "x".repeat(1 << 20)).into_bytes()
}
