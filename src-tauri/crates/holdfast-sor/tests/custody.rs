//! A mirror that holds copies, as a station speaks to it: what counts as held, and what strangers and broken ones answer.
#![allow(clippy::unwrap_used)]

mod scripted;

use std::sync::Arc;

use holdfast_core::canonical::sha256;
use holdfast_core::ids::LocalSeq;
use holdfast_sor::{CustodyClient, SorSettings};
use holdfast_station::ports::{Custody as _, Sockets, SorFault};
use scripted::*;
use serde_json::{Value, json};

fn mirror(url: &str) -> CustodyClient {
    let settings =
        SorSettings { endpoint: endpoint(url, LIMITS), identity: identity(), station_id: station() };
    CustodyClient::new(settings, station_key(), TestClock::new(), Arc::new(Counting::default())).unwrap()
}

async fn answering(answer: Vec<u8>) -> (Scripted, CustodyClient) {
    let server = Scripted::start(move |_| Act::Send(answer.clone())).await;
    let mirror = mirror(&server.url());
    (server, mirror)
}

fn held(key: &str, bytes: &[u8]) -> Vec<u8> {
    sor(
        200,
        &[JSON],
        &json!({"key": key, "digest": sha256(bytes), "held_at": "2026-11-30T08:00:00.000Z"}).to_string(),
    )
}

#[tokio::test]
async fn exactly_the_accepted_bytes_are_brought_and_their_digest_is_what_counts() {
    let (server, mirror) = answering(held(&key().to_string(), BODY)).await;
    assert_eq!(mirror.hold(&key(), BODY, Sockets::Kept).await, Ok(sha256(BODY)));
    let asked = server.asked();
    assert_eq!(asked[0].line, format!("PUT /v1/custody/{}", key()));
    assert_eq!(asked[0].body, BODY);
    assert!(asked[0].header("authorization").unwrap().starts_with("Bearer "));
}

#[tokio::test]
async fn what_does_not_prove_that_the_bytes_are_held_is_no_copy() {
    let refused = |problem: &str| SorFault::Refused { problem: problem.to_owned() };
    for (name, answer, fault) in [
        ("other bytes", held(&key().to_string(), b"other"), SorFault::Impostor),
        ("another key", held(&"cd".repeat(32), BODY), SorFault::Impostor),
        ("no digest", sor(200, &[JSON], "{}"), SorFault::Unreadable),
        ("an empty answer", sor(204, &[], ""), SorFault::Unreadable),
        ("a stranger with the digest", http(200, &[JSON], "{}"), SorFault::Impostor),
        ("a portal", html(200), SorFault::Impostor),
        ("a gateway", html(502), SorFault::NotAnswering),
        ("a failure", problem(503, "unavailable"), SorFault::NotAnswering),
        ("key-reused", problem(422, "key-reused"), refused("key-reused")),
        ("too-large", problem(413, "too-large"), refused("too-large")),
        ("forbidden", problem(403, "forbidden"), refused("forbidden")),
        ("half an answer", held(&key().to_string(), BODY)[..120].to_vec(), SorFault::NotAnswering),
    ] {
        let (_server, mirror) = answering(answer).await;
        assert_eq!(mirror.hold(&key(), BODY, Sockets::Fresh).await, Err(fault), "{name}");
    }
}

#[tokio::test]
async fn letting_go_needs_the_mirrors_own_word() {
    for (answer, expected) in [
        (sor(204, &[], ""), Ok(())),
        (http(204, &[], ""), Err(SorFault::Impostor)),
        (problem(403, "forbidden"), Err(SorFault::Refused { problem: "forbidden".into() })),
        (html(404), Err(SorFault::Impostor)),
    ] {
        let (server, mirror) = answering(answer).await;
        assert_eq!(mirror.release(&key(), Sockets::Kept).await, expected);
        assert!(server.asked()[0].line.starts_with("DELETE "));
    }
}

fn page(seqs: &[u64], next: Value) -> Vec<u8> {
    let row = |seq: &u64| {
        json!({"key": key(), "receipt_no": format!("front-1-{seq}"), "kind": "application", "actor": "clerk",
            "accepted_at": "2026-11-30T08:00:00.000Z", "local_seq": seq, "digest": sha256(BODY),
            "held_at": "2026-11-30T08:00:00.000Z"})
    };
    let rows: Vec<Value> = seqs.iter().map(row).collect();
    sor(200, &[JSON], &json!({"copies": rows, "next": next, "as_of": "2026-11-30T08:00:00.000Z"}).to_string())
}

#[tokio::test]
async fn a_page_goes_on_where_the_last_one_ended_or_is_no_page() {
    for (seqs, next, expected) in [
        (&[3, 4][..], json!(4), Some((2, Some(LocalSeq(4))))),
        (&[3][..], Value::Null, Some((1, None))),
        (&[][..], Value::Null, Some((0, None))),
        (&[4, 3][..], Value::Null, None),
        (&[2, 3][..], Value::Null, None),
        (&[3, 4][..], json!(3), None),
        (&[][..], json!(2), None),
        (&[3, 4, 5][..], Value::Null, None),
    ] {
        let (_server, mirror) = answering(page(seqs, next)).await;
        let listed = mirror.copies(LocalSeq(2), 2, Sockets::Kept).await;
        let shape = listed.map(|page| (page.copies.len(), page.next));
        assert_eq!(shape, expected.ok_or(SorFault::Unreadable), "{seqs:?}");
    }
}
