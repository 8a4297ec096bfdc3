//! The board as a station speaks to it: a real one, and what strangers and broken ones answer.
#![allow(clippy::unwrap_used)]

mod scripted;

use std::sync::Arc;

use holdfast_core::audit::{Head, SignedHead};
use holdfast_core::board::{BoardFacts, BoardReport, BoardRow, WaitingTold, report};
use holdfast_core::books::Books;
use holdfast_core::canonical::sha256;
use holdfast_core::ids::{DbId, LocalSeq, ReceiptNo, SorIdentity, StationId};
use holdfast_core::lane::State;
use holdfast_core::mode::Mode;
use holdfast_core::operation::Kind;
use holdfast_core::sign::KeyPair;
use holdfast_core::time::UtcMillis;
use holdfast_sor::{BoardClient, EnrolAsk, Limits, SorSettings, enrol};
use holdfast_station::ports::{Board as _, Sockets, SorFault};
use reference_sor::{Api, City, Database, Running, Settings, serve};
use scripted::{Act, Counting, IDENTITY, JSON, Scripted, TestClock, endpoint, html, sor};
use serde_json::{Value, json};

/// Waits of one made-up report, in operations.
const WAITING: u64 = 3;

fn key_of(station: &StationId) -> KeyPair {
    KeyPair::from_seed(sha256(station.as_str().as_bytes()).bytes())
}

fn at(millis: i64) -> UtcMillis {
    UtcMillis::from_millis(1_780_000_000_000 + millis).unwrap()
}

fn told_by(station: &StationId, head: u64) -> BoardReport {
    let head = Head {
        v: 1,
        station_id: station.clone(),
        db_id: DbId::from_uuid(uuid::Uuid::from_u128(1)),
        seq: head,
        hash: sha256(&head.to_be_bytes()),
        at: at(0),
    };
    let row = |n| WaitingTold {
        receipt_no: ReceiptNo::new(station, LocalSeq(n)),
        permit_num: None,
        kind: Kind::Application,
        accepted_at: at(0),
        actor: Some("clerk".parse().unwrap()),
        state: State::Pending,
        reason: None,
    };
    report(BoardFacts {
        told_at: at(1),
        program: "0.1.0".parse().unwrap(),
        mode: Mode::Degraded,
        breaker_since: at(0),
        books: Books { accepted: WAITING, pending: WAITING, ..Books::default() },
        oldest_accepted_at: Some(at(0)),
        waiting: (1..=WAITING).map(row).collect(),
        contract: None,
        audit_head: SignedHead::new(head, &key_of(station)),
    })
}

fn client(url: &str, identity: SorIdentity, station: &StationId) -> BoardClient {
    let settings =
        SorSettings { endpoint: endpoint(url, Limits::default()), identity, station_id: station.clone() };
    BoardClient::new(settings, key_of(station), TestClock::new(), Arc::new(Counting::default())).unwrap()
}

async fn board(dir: &tempfile::TempDir) -> Running {
    let database = Database::Sqlite(dir.path().join("board.db"));
    let settings = Settings { api: Api::Board, city: City::Empty, ..Settings::for_drill(database) };
    serve(settings).await.unwrap()
}

async fn enrolled(url: &str, name: &str) -> (BoardClient, StationId) {
    let station: StationId = name.parse().unwrap();
    let who = EnrolAsk { station_id: &station, key: key_of(&station).public(), code: None, nonce: "n0nce" };
    let enrolment = enrol(&endpoint(url, Limits::default()), &who).await.unwrap();
    (client(url, enrolment.identity, &station), station)
}

#[tokio::test]
async fn what_one_station_tells_another_one_reads() {
    let dir = tempfile::tempdir().unwrap();
    let running = board(&dir).await;
    let (front, front_1) = enrolled(&running.url, "front-1").await;
    let (back, _) = enrolled(&running.url, "back-1").await;
    let told = told_by(&front_1, 30);
    assert_eq!(front.tell(&told, Sockets::Kept).await, Ok(told.audit_head.clone()));
    let page = back.stations(None, Sockets::Fresh).await.unwrap();
    assert_eq!(page.rows.iter().map(|row| &row.report).collect::<Vec<_>>(), [&told]);
    assert_eq!(page.next, None);
    let went_back = BoardReport { told_at: at(2), ..told_by(&front_1, 12) };
    let head = front.tell(&went_back, Sockets::Kept).await.unwrap();
    assert_eq!(head, told.audit_head, "it hears of the head that it has lost");
    let older = front.tell(&told, Sockets::Kept).await;
    assert_eq!(older, Err(SorFault::Refused { problem: "version-conflict".into() }));
    running.stop().await;
    assert_eq!(front.tell(&went_back, Sockets::Fresh).await, Err(SorFault::NotAnswering));
}

fn row(name: &str) -> Value {
    let told = told_by(&name.parse().unwrap(), 7);
    json!(BoardRow { heard_at: at(5), head: told.audit_head.clone(), report: told })
}

fn list(names: &[&str], next: Option<&str>) -> Value {
    let rows: Vec<Value> = names.iter().map(|name| row(name)).collect();
    json!({"stations": rows, "next": next, "as_of": at(9)})
}

async fn asked(answer: Vec<u8>, after: Option<&str>) -> Result<usize, SorFault> {
    let server = Scripted::start(move |_| Act::Send(answer.clone())).await;
    let station: StationId = "front-1".parse().unwrap();
    let board = client(&server.url(), IDENTITY.parse().unwrap(), &station);
    let after = after.map(|name| name.parse().unwrap());
    board.stations(after.as_ref(), Sockets::Kept).await.map(|page| page.rows.len())
}

#[tokio::test]
async fn a_list_that_leads_nowhere_or_that_nobody_pinned_said_is_no_list() {
    let said = |body: &Value| sor(200, &[JSON], &body.to_string());
    let many: Vec<String> = (0..21).map(|n| format!("desk-{n:02}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let mut with_more = list(&["a"], None);
    with_more["stations"][0]["report"]["waiting"][0]["OriginalAddress1"] = json!("12 ELM ST");
    let cases = [
        ("two in order", said(&list(&["a", "b"], None)), None, Ok(2)),
        ("goes on", said(&list(&["b", "c"], Some("c"))), Some("a"), Ok(2)),
        ("out of order", said(&list(&["b", "a"], None)), None, Err(SorFault::Unreadable)),
        ("one twice", said(&list(&["a", "a"], None)), None, Err(SorFault::Unreadable)),
        ("goes back", said(&list(&["a"], Some("a"))), Some("b"), Err(SorFault::Unreadable)),
        ("goes on elsewhere", said(&list(&["a"], Some("x"))), None, Err(SorFault::Unreadable)),
        ("too many", said(&list(&many, None)), None, Err(SorFault::Unreadable)),
        ("more than a report says", said(&with_more), None, Err(SorFault::Unreadable)),
        ("no list", said(&json!({})), None, Err(SorFault::Unreadable)),
    ];
    for (name, answer, after, expected) in cases {
        assert_eq!(asked(answer, after).await, expected, "{name}");
    }
    assert_eq!(asked(html(200), None).await, Err(SorFault::Impostor));
}
