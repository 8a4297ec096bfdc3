//! Whatever answers in an old vendor's place: nothing is called recorded or absent that was not read, whole and of our own
//! record; and nothing is written twice.
#![allow(clippy::unwrap_used)]

mod scripted;

use std::sync::Arc;

use holdfast_core::look_up::judge_look_up;
use holdfast_core::operation::{ActorProof, Body, ClockTrust, Kind, OriginRoute, payload_digest};
use holdfast_core::outcome::{Sent, judge};
use holdfast_sor::{SorSettings, VendorClient};
use holdfast_station::ports::{Delivery, RecordSystem as _, Sockets};
use scripted::{
    APPLICATION, Act, Counting, HTML, IDENTITY, JSON, LIMITS, OPERATION, PORTAL, PROBLEM, Scripted, Seen,
    TestClock, endpoint, html, http, identity, key, receipt, sor, station, station_key,
};
use serde_json::{Value, json};

const RECORD: &str = "AF-R-0000001";
const VERSION: &str = "2026-11-30T08:00:00.000Z";

fn client(url: &str) -> VendorClient {
    let settings =
        SorSettings { endpoint: endpoint(url, LIMITS), identity: identity(), station_id: station() };
    VendorClient::new(settings, station_key(), TestClock::new(), Arc::new(Counting::default())).unwrap()
}

fn body(kind: Kind) -> Body {
    Body {
        v: 1,
        operation_id: OPERATION.parse().unwrap(),
        kind,
        application_id: APPLICATION.parse().unwrap(),
        payload: json!({"to": "PrelimReview"}),
        contract_version: 1,
        actor: "clerk".parse().unwrap(),
        role: "clerk".parse().unwrap(),
        actor_proof: ActorProof {
            sid: "01932c6f-8f0a-7cc3-98a1-0242ac120009".parse().unwrap(),
            sig: String::new(),
        },
        station_id: station(),
        local_seq: holdfast_core::ids::LocalSeq(1),
        accepted_at: VERSION.parse().unwrap(),
        clock: ClockTrust::Ok,
        origin_route: OriginRoute::Direct,
        outage_id: None,
        replaces: None,
    }
}

fn work(kind: Kind) -> (Delivery, Sent) {
    let body = body(kind);
    let sent = Sent {
        key: key(),
        operation_id: body.operation_id,
        application_id: body.application_id,
        payload_digest: payload_digest(&body.payload),
    };
    let delivery = Delivery {
        key: key(),
        kind,
        operation_id: body.operation_id,
        application_id: body.application_id,
        record_id: Some(RECORD.parse().unwrap()),
        body: body.bytes(),
        if_match: Some(format!("\"{VERSION}\"").parse().unwrap()),
    };
    (delivery, sent)
}

fn record(changes: Value) -> Value {
    let mut record = json!({
        "id": RECORD, "number": "2026-000001", "reference": key().to_string(), "external_id": OPERATION,
        "created": VERSION, "modified": VERSION,
    });
    for (name, value) in changes.as_object().unwrap() {
        record[name] = value.clone();
    }
    record
}

fn found(records: &[Value]) -> String {
    json!({"result": records, "more": false}).to_string()
}

fn history(of: Value, comments: &[String], more: bool) -> String {
    let lines = comments.iter().enumerate().map(|(n, comment)| {
        json!({"id": format!("H-{n}"), "kind": "stage", "comment": comment, "modified": VERSION})
    });
    json!({"record": of, "result": lines.collect::<Vec<_>>(), "more": more}).to_string()
}

fn ours() -> String {
    format!("Reference: {}", key())
}

fn own(body: &str) -> Act {
    Act::Send(sor(200, &[JSON], body))
}

/// Answer to a look; what it proves.
type Row = (&'static str, Act, &'static str);

fn searches() -> Vec<Row> {
    let deep = format!("{{\"result\":{}1{},\"more\":false}}", "[".repeat(64), "]".repeat(64));
    let long = found(&vec![record(json!({"fields": "x".repeat(4000)})); 600]);
    let twice = format!("{{\"result\":[],{}", &found(&[record(json!({}))])[1..]);
    let whole = found(&[record(json!({}))]);
    let stranger = Act::Send(http(200, &[JSON, "Holdfast-Identity: other"], &whole));
    let cut = format!(
        "HTTP/1.1 200 OK\r\nHoldfast-Identity: {IDENTITY}\r\n{JSON}\r\nContent-Length: 5000\r\n\r\n{whole}"
    );
    vec![
        ("ours", own(&whole), "already_committed"),
        ("ours, listed twice", own(&found(&[record(json!({})), record(json!({}))])), "already_committed"),
        ("ours and another", own(&found(&[record(json!({})), record(json!({"id": "AF-R-2"}))])), "twin"),
        ("nothing", own(&found(&[])), "absent"),
        ("nothing of a list that goes on", own(r#"{"result":[],"more":true}"#), "still_in_doubt"),
        ("another reference", own(&found(&[record(json!({"reference": "0".repeat(64)}))])), "still_in_doubt"),
        ("no reference", own(&found(&[record(json!({"reference": null}))])), "still_in_doubt"),
        (
            "part of the reference",
            own(&found(&[record(json!({"reference": key().to_string()[..63]}))])),
            "still_in_doubt",
        ),
        ("an id that is none", own(&found(&[record(json!({"id": "a b"}))])), "still_in_doubt"),
        ("a version that is none", own(&found(&[record(json!({"modified": "today"}))])), "still_in_doubt"),
        ("an empty object", own("{}"), "still_in_doubt"),
        ("an error inside", own(r#"{"error":{"code":"INTERNAL"}}"#), "still_in_doubt"),
        ("too deep", own(&deep), "still_in_doubt"),
        ("too long", own(&long), "still_in_doubt"),
        ("a doubled member", own(&twice), "still_in_doubt"),
        ("cut", Act::SendThenClose(cut.into_bytes()), "still_in_doubt"),
        ("a stranger's", stranger, "still_in_doubt"),
        ("nobody's", Act::Send(http(200, &[JSON], &whole)), "still_in_doubt"),
        ("as HTML", Act::Send(sor(200, &[HTML], &whole)), "still_in_doubt"),
        ("a portal's page", Act::Send(html(200)), "still_in_doubt"),
        ("a receipt of the other profile", own(&receipt()), "still_in_doubt"),
        ("its 404", Act::Send(sor(404, &[PROBLEM], r#"{"type":"unknown-operation"}"#)), "still_in_doubt"),
        ("a proxy's 404", Act::Send(http(404, &[HTML], PORTAL)), "still_in_doubt"),
        ("no such record", own404("NO_SUCH_RECORD"), "still_in_doubt"),
        ("an unknown code", own404("TRY_AGAIN"), "still_in_doubt"),
        ("nothing at all", Act::SendThenReset(Vec::new()), "still_in_doubt"),
    ]
}

fn own404(code: &str) -> Act {
    Act::Send(sor(404, &[JSON], &json!({"error": {"code": code}}).to_string()))
}

fn histories() -> Vec<Row> {
    let plain = || record(json!({}));
    let other = || record(json!({"id": "AF-R-2"}));
    let inside = format!("see Reference: {}", key());
    vec![
        ("ours", own(&history(plain(), &[ours()], false)), "already_committed"),
        (
            "ours, with a reason",
            own(&history(plain(), &[format!("{}\nlate", ours())], false)),
            "already_committed",
        ),
        ("ours, of a list that goes on", own(&history(plain(), &[ours()], true)), "already_committed"),
        ("twice", own(&history(plain(), &[ours(), ours()], false)), "twin"),
        ("nothing", own(&history(plain(), &[], false)), "absent"),
        ("nothing of a list that goes on", own(&history(plain(), &["x".into()], true)), "still_in_doubt"),
        ("of another record", own(&history(other(), &[ours()], false)), "still_in_doubt"),
        ("nothing, of another record", own(&history(other(), &[], false)), "still_in_doubt"),
        ("quoted in another's comment", own(&history(plain(), &[inside], false)), "absent"),
        ("on a later line", own(&history(plain(), &[format!("see\n{}", ours())], false)), "absent"),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_what_was_read_whole_of_our_own_record_proves_anything() {
    let rows = [(Kind::Application, searches()), (Kind::Stage, histories())];
    for (kind, rows) in rows {
        let (delivery, sent) = work(kind);
        for (name, act, word) in rows {
            let server = Scripted::start(move |_: &Seen| act.clone()).await;
            let answer = client(&server.url()).look_up(&delivery, Sockets::Kept).await;
            let found = judge_look_up(&answer, &sent);
            assert_eq!(found.word(), word, "{kind}: {name}: {found:?}");
            assert_eq!(server.asked().len(), 1, "{kind}: {name}: asked once");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_is_sent_once_on_a_connection_of_its_own_whatever_becomes_of_it() {
    let ends = [
        ("reset", Act::SendThenReset(Vec::new()), "unanswered"),
        ("closed", Act::SendThenClose(Vec::new()), "unanswered"),
        ("half a head", Act::SendThenClose(b"HTTP/1.1 200 O".to_vec()), "unanswered"),
        ("500", Act::Send(sor(500, &[JSON], r#"{"error":{"code":"INTERNAL"}}"#)), "unanswered"),
        ("a portal's page", Act::Send(html(200)), "impostor"),
        ("a receipt of the other profile", own(&receipt()), "impostor"),
        ("already-committed", Act::Send(sor(409, &[PROBLEM], &already())), "untyped"),
        ("refused by a stranger", Act::Send(http(400, &[JSON], INVALID)), "untyped"),
        ("refused", Act::Send(sor(400, &[JSON], INVALID)), "rejected"),
    ];
    for (name, end, word) in ends {
        let (delivery, sent) = work(Kind::Stage);
        let server = Scripted::start(move |seen: &Seen| {
            if seen.line.starts_with("POST") {
                end.clone()
            } else {
                own(&history(record(json!({})), &[], false))
            }
        })
        .await;
        let client = client(&server.url());
        let outcome = judge(&client.deliver(&delivery, Sockets::Kept).await, &sent);
        assert_eq!(outcome.word(), word, "{name}: {outcome:?}");
        let asked = server.asked();
        let writes: Vec<_> = asked.iter().filter(|seen| seen.line.starts_with("POST")).collect();
        assert_eq!(writes.len(), 1, "{name}");
        assert_eq!(writes[0].nth, 0, "{name}: no connection that had served before");
        assert_eq!(server.connections(), server.seen().len(), "{name}: each request has its own");
    }
}

const INVALID: &str = r#"{"error":{"code":"INVALID_FIELD","fields":[{"path":"/to","why":"missing"}]}}"#;

fn already() -> String {
    format!(r#"{{"type":"already-committed","operation":{}}}"#, receipt())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_success_is_no_proof_until_the_record_says_the_same() {
    let (delivery, sent) = work(Kind::Stage);
    let echo = json!({"result": {"id": "H-1", "comment": ours(), "modified": VERSION}, "scripts": []});
    for (comments, word) in [(vec![], "impostor"), (vec![ours()], "committed"), (vec![ours(); 2], "received")]
    {
        let echo = echo.to_string();
        let writes = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let server = Scripted::start(move |seen: &Seen| {
            if seen.line.starts_with("POST") {
                writes.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                return own(&echo);
            }
            let written = writes.load(std::sync::atomic::Ordering::SeqCst) > 0;
            let shown: &[String] = if written { &comments } else { &[] };
            own(&history(record(json!({})), shown, false))
        })
        .await;
        let outcome = judge(&client(&server.url()).deliver(&delivery, Sockets::Kept).await, &sent);
        assert_eq!(outcome.word(), word, "{outcome:?}");
    }
}
