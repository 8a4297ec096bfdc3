//! The board: who may write what, what is kept, and what a board alone serves.

use holdfast_core::audit::{Head, SignedHead};
use holdfast_core::board::{
    BOARD_WAITING_MAX_ROWS, BoardFacts, BoardReport, BoardRow, ContractTold, WaitingTold, report,
};
use holdfast_core::books::Books;
use holdfast_core::canonical::sha256;
use holdfast_core::ids::{DbId, LocalSeq, ReceiptNo, StationId};
use holdfast_core::lane::State;
use holdfast_core::mode::Mode;
use holdfast_core::operation::Kind;
use holdfast_core::sign::KeyPair;
use reference_sor::{Api, City as Planted};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::station::{ask_token, assertion, enrolment, key_of, now, sign_in};
use crate::support::{City, Request, Seen};

/// A station that is enrolled and has a token; nobody is signed in.
struct Teller {
    id: StationId,
    key: KeyPair,
    token: String,
}

impl Teller {
    fn new(city: &City, name: &str) -> Self {
        let (id, key): (StationId, _) = (name.parse().unwrap(), key_of(name));
        assert!(city.send(&enrolment(name, &key)).code() < 300);
        let token = ask_token(city, &assertion(city, &id, now(), &key)).json();
        Self { token: token["access_token"].as_str().unwrap().to_owned(), id, key }
    }

    fn head(&self, seq: u64) -> SignedHead {
        let db_id = DbId::from_uuid(Uuid::from_u128(1));
        let hash = sha256(&seq.to_be_bytes());
        let head = Head { v: 1, station_id: self.id.clone(), db_id, seq, hash, at: now() };
        SignedHead::new(head, &self.key)
    }

    fn report(&self, waiting: u64, head: u64) -> BoardReport {
        report(BoardFacts {
            told_at: now(),
            program: "0.1.0".parse().unwrap(),
            mode: Mode::Degraded,
            breaker_since: now(),
            books: Books { accepted: waiting, pending: waiting, ..Books::default() },
            oldest_accepted_at: Some(now()),
            waiting: (1..=waiting).map(|n| self.row(n)).collect(),
            contract: Some(ContractTold { version: 1, valid: true }),
            audit_head: self.head(head),
        })
    }

    fn row(&self, n: u64) -> WaitingTold {
        WaitingTold {
            receipt_no: ReceiptNo::new(&self.id, LocalSeq(n)),
            permit_num: None,
            kind: Kind::Application,
            accepted_at: now(),
            actor: Some("clerk".parse().unwrap()),
            state: State::Pending,
            reason: None,
        }
    }

    fn put(&self, city: &City, path: &str, body: &Value) -> Seen {
        city.send(&Request::new("PUT", path).bearer(&self.token).body(body.to_string()))
    }

    fn tell(&self, city: &City, report: &BoardReport) -> Seen {
        self.put(city, &format!("/v1/stations/{}", self.id), &json!(report))
    }

    fn rows(&self, city: &City, query: &str) -> (Vec<BoardRow>, Value) {
        let seen = city.send(&Request::get(format!("/v1/stations{query}")).bearer(&self.token));
        assert_eq!(seen.code(), 200, "{seen:?}");
        let answer = seen.json();
        (serde_json::from_value(answer["stations"].clone()).unwrap(), answer["next"].clone())
    }
}

fn board() -> City {
    City::start_with(|settings| (settings.api, settings.city) = (Api::Board, Planted::Empty))
}

#[test]
fn what_a_station_told_last_is_read_by_every_other_also_after_a_restart() {
    for mut city in [board(), City::start()] {
        let (front, back) = (Teller::new(&city, "front-1"), Teller::new(&city, "back-1"));
        let first = front.report(2, 7);
        assert_eq!(front.tell(&city, &first).json()["head"], json!(first.audit_head));
        let last = front.report(23, 30);
        let answer = front.tell(&city, &last).json();
        assert_eq!(answer["head"], json!(first.audit_head), "the one that it had before");
        city.restart();
        let (rows, next) = back.rows(&city, "");
        assert_eq!((rows.len(), next), (1, Value::Null), "who never told has no row");
        assert_eq!((&rows[0].report, &rows[0].head), (&last, &last.audit_head));
        assert!(rows[0].heard_at >= last.told_at);
    }
}

#[test]
fn a_station_writes_its_own_row_alone() {
    let city = board();
    let (front, back) = (Teller::new(&city, "front-1"), Teller::new(&city, "back-1"));
    let (own, theirs) = (json!(front.report(1, 3)), json!(back.report(1, 3)));
    assert_eq!(front.put(&city, "/v1/stations/back-1", &theirs).problem(), (403, "forbidden".into()));
    assert_eq!(front.put(&city, "/v1/stations/front-1", &theirs).problem(), (422, "validation".into()));
    let anonymous = Request::new("PUT", "/v1/stations/front-1").body(own.to_string());
    assert_eq!(city.send(&anonymous).problem(), (401, "unauthorized".into()));
    assert_eq!(city.send(&Request::get("/v1/stations")).problem(), (401, "unauthorized".into()));
    assert!(front.rows(&city, "").0.is_empty());
}

#[test]
fn only_a_report_is_kept_and_nothing_else_of_what_was_sent() {
    let city = board();
    let front = Teller::new(&city, "front-1");
    let put = |change: fn(&mut Value)| {
        let mut body = json!(front.report(2, 3));
        change(&mut body);
        front.put(&city, "/v1/stations/front-1", &body).problem()
    };
    let too_long = json!(vec![front.row(1); BOARD_WAITING_MAX_ROWS + 1]);
    let mut long = json!(front.report(1, 3));
    long["waiting"] = too_long;
    assert_eq!(front.put(&city, "/v1/stations/front-1", &long).problem(), (422, "validation".into()));
    let refused: [fn(&mut Value); 7] = [
        |body| body["payload"] = json!({"OriginalAddress1": "12 ELM ST"}),
        |body| body["waiting"][0]["OriginalAddress1"] = json!("12 ELM ST"),
        |body| body["waiting"][0]["receipt_no"] = json!("12 ELM ST"),
        |body| body["waiting"][0]["reason"] = json!("12 ELM ST"),
        |body| body["mode"] = json!("12 ELM ST"),
        |body| body["audit_head"]["sig"] = json!("AAAA"),
        |body| body["v"] = json!(2),
    ];
    for change in refused {
        assert_eq!(put(change), (422, "validation".into()));
    }
    let huge = json!({"v": "x".repeat(300 * 1024)});
    assert_eq!(front.put(&city, "/v1/stations/front-1", &huge).problem(), (413, "too-large".into()));
    assert!(front.rows(&city, "").0.is_empty());
}

#[test]
fn an_older_word_changes_nothing_and_the_highest_head_is_given_back() {
    let city = board();
    let front = Teller::new(&city, "front-1");
    let (earlier, later) = (front.report(1, 30), front.report(2, 12));
    let earlier = BoardReport { told_at: later.told_at.plus_millis(-1), ..earlier };
    assert_eq!(front.tell(&city, &earlier).json()["head"]["head"]["seq"], 30);
    // It came back from an older copy: its head has gone back, and it hears of the one that it lost.
    let answer = front.tell(&city, &later).json();
    assert_eq!(answer["head"], json!(earlier.audit_head));
    assert_eq!(front.tell(&city, &later).code(), 200, "said once more it is no harm");
    assert_eq!(front.tell(&city, &earlier).problem(), (409, "version-conflict".into()));
    let (rows, _) = front.rows(&city, "");
    assert_eq!((&rows[0].report, &rows[0].head), (&later, &earlier.audit_head));
}

#[test]
fn long_lists_come_page_by_page() {
    let city = board();
    let tellers: Vec<Teller> = (0..5).map(|n| Teller::new(&city, &format!("desk-{n}"))).collect();
    for teller in tellers.iter().rev() {
        assert_eq!(teller.tell(&city, &teller.report(1, 1)).code(), 200);
    }
    let names = |query: &str| {
        let (rows, next) = tellers[0].rows(&city, query);
        (rows.iter().map(|row| row.report.station_id.to_string()).collect::<Vec<_>>(), next)
    };
    assert_eq!(names("?limit=2"), (vec!["desk-0".into(), "desk-1".into()], json!("desk-1")));
    assert_eq!(names("?limit=2&after=desk-3"), (vec!["desk-4".into()], Value::Null));
    assert_eq!(names("").0.len(), 5);
    for query in ["?limit=0", "?limit=51", "?after=../x", "?sort=mode"] {
        let seen = city.send(&Request::get(format!("/v1/stations{query}")).bearer(&tellers[0].token));
        assert_eq!(seen.problem(), (422, "validation".into()), "{query}");
    }
}

#[test]
fn a_board_alone_serves_nothing_but_what_it_is_for() {
    let city = board();
    let front = Teller::new(&city, "front-1");
    let health = city.send(&Request::get("/v1/health?nonce=abc").bearer(&front.token));
    let told = health.json();
    assert_eq!((&told["nonce"], &told["identity"]), (&json!("abc"), &json!(city.identity())));
    assert_eq!((told.get("epoch"), told.get("applied")), (None, None), "it applies nothing");
    let password = sign_in(&city, &front.token, "clerk", "demo-clerk", &front.key);
    assert_eq!(password.problem(), (404, "not-found".into()));
    for path in [
        "/v1/contract",
        "/v1/applications",
        "/v1/inspections",
        "/v1/operations/00",
        "/v1/number-blocks",
        "/records",
        "/openapi",
    ] {
        let seen = city.send(&Request::get(path).bearer(&front.token));
        assert_eq!(seen.problem(), (404, "not-found".into()), "{path}");
    }
    let posted = city.send(&Request::post("/v1/operations", &json!({})).bearer(&front.token));
    assert_eq!(posted.problem(), (404, "not-found".into()));
    let wrong = city.send(&Request::post("/v1/stations", &json!({})).bearer(&front.token));
    assert_eq!(wrong.problem(), (405, "method-not-allowed".into()));
}
