//! What a report holds and leaves out, what a board keeps of it, and what a station learns from that, by tables.

use super::*;
use crate::canonical::{canonical, parse_object, sha256};
use crate::ids::DbId;
use crate::limits::JSON_MAX_BYTES;
use crate::sign::KeyPair;
use crate::time::BootMillis;

fn at(millis: i64) -> UtcMillis {
    UtcMillis::from_millis(1_780_000_000_000 + millis).unwrap()
}

fn key() -> KeyPair {
    KeyPair::from_seed(&[7; 32])
}

fn station() -> StationId {
    "front-1".parse().unwrap()
}

fn head(seq: u64, hash: &str) -> SignedHead {
    let head = Head {
        v: 1,
        station_id: station(),
        db_id: DbId::from_uuid(uuid::Uuid::from_u128(1)),
        seq,
        hash: sha256(hash.as_bytes()),
        at: at(0),
    };
    SignedHead::new(head, &key())
}

fn of_another_database(signed: &SignedHead) -> SignedHead {
    let db_id = DbId::from_uuid(uuid::Uuid::from_u128(2));
    SignedHead::new(Head { db_id, ..signed.head.clone() }, &key())
}

fn row(n: u64) -> WaitingTold {
    WaitingTold {
        receipt_no: ReceiptNo::new(&station(), LocalSeq(n)),
        permit_num: Some("2026-000123-RS".parse().unwrap()),
        kind: Kind::Application,
        accepted_at: at(0),
        actor: Some("clerk".parse().unwrap()),
        state: State::Pending,
        reason: None,
    }
}

fn facts(waiting: Vec<WaitingTold>) -> BoardFacts {
    let pending = waiting.len() as u64;
    BoardFacts {
        told_at: at(5),
        program: "0.1.0".parse().unwrap(),
        mode: Mode::Degraded,
        breaker_since: at(1),
        books: Books { accepted: pending, pending, ..Books::default() },
        oldest_accepted_at: Some(at(0)),
        waiting,
        contract: Some(ContractTold { version: 3, valid: true }),
        audit_head: head(40, "40"),
    }
}

fn own_report() -> BoardReport {
    report(facts(vec![row(1), row(2)]))
}

#[test]
fn a_report_names_the_oldest_and_says_how_much_it_leaves_out() {
    let waiting: Vec<_> = (1..=BOARD_WAITING_MAX_ROWS as u64 + 23).map(row).collect();
    let told = report(facts(waiting));
    assert_eq!((told.waiting.len(), told.left_out), (BOARD_WAITING_MAX_ROWS, 23));
    assert_eq!(told.waiting[0].receipt_no.as_str(), "front-1-1");
    assert_eq!(told.check(&station(), &key().public()), Ok(()));
    // What was read of a long backlog is as much as is told; the books know of the rest.
    let books = Books { pending: 1_000, quarantined: 7, in_flight: 1, ..Books::default() };
    let told = report(BoardFacts { books, ..facts(vec![row(1)]) });
    assert_eq!(told.left_out, 1_007);
}

#[test]
fn since_when_is_said_of_what_began_with_the_breaker() {
    for (mode, since) in [
        (Mode::Held, Some(at(1))),
        (Mode::Degraded, Some(at(1))),
        (Mode::Recovering, Some(at(1))),
        (Mode::IntakePaused, None),
        (Mode::Normal, None),
    ] {
        assert_eq!(report(BoardFacts { mode, ..facts(Vec::new()) }).since, since, "{mode:?}");
    }
}

#[test]
fn the_largest_report_is_one_json_object_within_the_limit() {
    let long = "S".repeat(32);
    let station: StationId = long.parse().unwrap();
    let widest = WaitingTold {
        receipt_no: ReceiptNo::new(&station, LocalSeq((1 << 53) - 1)),
        permit_num: Some("\"".repeat(64).parse().unwrap()),
        actor: Some("\\".repeat(64).parse().unwrap()),
        kind: Kind::Application,
        accepted_at: at(0),
        state: State::Quarantined,
        reason: Some(QuarantineReason::ParentMissing),
    };
    let mut told = report(facts(vec![widest; BOARD_WAITING_MAX_ROWS]));
    (told.station_id, told.audit_head.head.station_id) = (station.clone(), station);
    told.program = "9".repeat(32).parse().unwrap();
    let bytes = canonical(&told);
    assert!(bytes.len() <= JSON_MAX_BYTES, "{} bytes", bytes.len());
    assert!(parse_object(&bytes).is_ok());
}

#[test]
fn a_report_has_no_place_for_anything_that_was_handed_in() {
    let told = serde_json::to_value(own_report()).unwrap();
    for pointer in ["", "/waiting/0", "/contract"] {
        let mut with_more = told.clone();
        with_more.pointer_mut(pointer).unwrap()["OriginalAddress1"] = "12 OAK ST".into();
        assert!(serde_json::from_value::<BoardReport>(with_more).is_err(), "{pointer}");
    }
    assert_eq!(serde_json::from_value::<BoardReport>(told).unwrap(), own_report());
}

/// How a report is spoilt.
type Change = fn(&mut BoardReport);

#[test]
fn a_station_speaks_for_itself_alone() {
    let check = |change: fn(&mut BoardReport)| {
        let mut told = own_report();
        change(&mut told);
        told.check(&station(), &key().public())
    };
    let cases: [(Change, NotAReport); 8] = [
        (|told| told.v = 2, NotAReport::Version),
        (|told| told.waiting = vec![row(1); BOARD_WAITING_MAX_ROWS + 1], NotAReport::TooManyRows),
        (|told| told.station_id = "back-1".parse().unwrap(), NotAReport::OfAnother),
        (|told| told.audit_head.head.station_id = "back-1".parse().unwrap(), NotAReport::OfAnother),
        (
            |told| told.waiting[1].receipt_no = ReceiptNo::new(&"back-1".parse().unwrap(), LocalSeq(1)),
            NotAReport::Receipt,
        ),
        (
            |told| told.waiting[1].receipt_no = ReceiptNo::new(&"front".parse().unwrap(), LocalSeq(1)),
            NotAReport::Receipt,
        ),
        (|told| told.audit_head.head.seq += 1, NotAReport::Signature),
        (|told| told.audit_head.sig.clear(), NotAReport::Signature),
    ];
    for (change, fault) in cases {
        assert_eq!(check(change), Err(fault));
    }
    assert_eq!(check(|_| ()), Ok(()));
}

#[test]
fn a_board_keeps_the_highest_head_of_a_database() {
    let (low, high) = (head(40, "40"), head(41, "41"));
    let at_board = |kept, told: &SignedHead| {
        let HeadAtBoard { kept, answered } = head_at_board(kept, told.clone());
        (kept, answered)
    };
    assert_eq!(at_board(None, &low), (low.clone(), low.clone()));
    assert_eq!(at_board(Some(low.clone()), &high), (high.clone(), low.clone()), "what it had before");
    assert_eq!(at_board(Some(high.clone()), &low), (high.clone(), high.clone()));
    let set_up_anew = of_another_database(&low);
    assert_eq!(at_board(Some(high), &set_up_anew), (set_up_anew.clone(), set_up_anew.clone()));
}

#[test]
fn a_station_is_silent_when_two_of_its_words_did_not_come() {
    let row = BoardRow { heard_at: at(0), head: head(40, "40"), report: own_report() };
    assert!(!row.is_silent(at(11 * 60_000)));
    assert!(row.is_silent(at(11 * 60_000 + 1)));
    assert!(!row.is_silent(at(-5)), "a board whose clock was set back says nothing");
}

#[test]
fn an_older_word_of_the_same_database_is_known_as_older() {
    let told = own_report();
    let earlier = BoardReport { told_at: at(4), ..told.clone() };
    assert!(is_older(&told, &earlier));
    assert!(!is_older(&told, &told), "the same once more is no harm");
    assert!(!is_older(&earlier, &told));
    let anew = BoardReport { audit_head: of_another_database(&told.audit_head), ..earlier };
    assert!(!is_older(&told, &anew), "a folder that was set up anew begins anew");
}

#[test]
fn a_station_knows_from_the_boards_head_that_it_came_back_from_an_older_copy() {
    let own = head(30, "30").head;
    let chain = |hash_there: Option<&str>, agreed: Option<(u64, u64)>| OwnChain {
        seq: 30,
        hash_there: hash_there.map(|text| sha256(text.as_bytes())),
        last_seq: LocalSeq(9),
        agreed: agreed.map(|(seq, last)| AgreedHead { seq, last_seq: LocalSeq(last) }),
    };
    let mut forged = head(90, "90");
    forged.head.seq = 91;
    let strange = SignedHead::new(head(90, "90").head, &KeyPair::from_seed(&[8; 32]));
    let through = |n| LocalSeq(n);
    let cases = [
        ("the same", head(30, "30"), chain(Some("30"), None), BoardHead::Agrees),
        ("an earlier one of it", head(12, "12"), chain(Some("12"), None), BoardHead::Agrees),
        ("nothing yet", head(0, "genesis"), chain(None, None), BoardHead::Agrees),
        ("a later one", head(34, "34"), chain(None, None), BoardHead::Ahead { through: through(13) }),
        ("another there", head(28, "28"), chain(Some("x"), None), BoardHead::Parted { through: through(28) }),
        (
            "another there, after one that was the same",
            head(28, "28"),
            chain(Some("x"), Some((20, 5))),
            BoardHead::Parted { through: through(13) },
        ),
        ("of a folder before", of_another_database(&head(90, "90")), chain(None, None), BoardHead::Foreign),
        ("changed on the board", forged, chain(None, None), BoardHead::Foreign),
        ("signed by somebody else", strange, chain(None, None), BoardHead::Foreign),
    ];
    for (name, kept, chain, expected) in cases {
        assert_eq!(compare(&own, &key().public(), &kept, &chain), expected, "{name}");
    }
}

#[test]
fn the_board_is_told_what_is_new_soon_and_that_nothing_is_from_time_to_time() {
    let after = |ms: u64| Now { wall: at(0), boot: BootMillis(1_000 + ms) };
    let (known, news) = (own_report().digest(), sha256(b"news"));
    let told = LastTold { at: after(0), said: Some(known) };
    let failed = LastTold { at: after(0), said: None };
    let due = |last: Option<&LastTold>, digest: &Digest, ms| due_in_ms(last, digest, after(ms), 15_000);
    assert_eq!(due(None, &known, 0), 0, "a program that has just begun tells at once");
    assert_eq!(due(Some(&told), &news, 4_000), 11_000);
    assert_eq!(due(Some(&told), &news, 15_000), 0);
    assert_eq!(due(Some(&told), &known, 15_000), 285_000);
    assert_eq!(due(Some(&told), &known, 300_000), 0);
    assert_eq!(due(Some(&failed), &known, 14_000), 1_000, "what did not get there is told again");
    let later = BoardReport { told_at: at(90_000), ..own_report() };
    assert_eq!(later.digest(), known, "the time alone is no news");
    assert_ne!(report(facts(vec![row(1)])).digest(), known);
}
