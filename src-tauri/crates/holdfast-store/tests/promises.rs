//! The promises of the journal, on the real engine and a real disk.

#![allow(clippy::unwrap_used, missing_docs)]

mod city;

use std::sync::mpsc::{Sender, channel};
use std::thread::Scope;

use city::*;
use holdfast_core::audit::EventKind;
use holdfast_core::lane::{State, Urgency};
use holdfast_core::operation::Kind;
use holdfast_core::outcome::{Doubt, QuarantineReason};
use holdfast_station::ports::{
    AcceptDecision, Accepting, Journal, JournalError, OutageCause, OutageChange, Page, SecretName, SetAside,
    SettleFacts, Settlement, Vault,
};
use holdfast_store::{FolderError, KeysError, OpenError, Store, WRITER_WAITING_MAX};

const ALL: Page = Page { skip: 0, rows: 1000 };

#[test]
fn what_is_accepted_is_read_back_and_still_there_after_a_restart() {
    let folder = folder();
    let store = create(folder.path());
    let receipt = accept(&store, at(10), &Paper::new(1, 1));
    assert_eq!(receipt.receipt_no.as_str(), "front-1-1");
    assert_eq!(receipt.state, State::Pending);
    assert_eq!(store.operation(&receipt.idempotency_key).unwrap().unwrap().receipt, receipt);
    store.close().unwrap();
    assert!(!folder.path().join("holdfast.db-wal").exists(), "a clean close leaves one file");
    let store = open(folder.path(), at(20));
    let row = store.operation(&receipt.idempotency_key).unwrap().unwrap();
    assert_eq!(row.receipt, receipt);
    let (application, operations) = store.application(lane(1)).unwrap().unwrap();
    assert_eq!((application.waiting, operations.len()), (1, 1));
    assert_eq!(store.standing().unwrap().counts.deferred, 1);
    assert_eq!(store.secret(SecretName::StationKey).unwrap().unwrap().as_slice(), STATION_SEED);
}

#[test]
fn the_same_operation_twice_is_one_row_and_one_receipt() {
    let folder = folder();
    let store = create(folder.path());
    let first = accept(&store, at(1), &Paper::new(1, 1));
    let second = try_accept(&store, at(2), &Paper::new(1, 1)).unwrap();
    assert!(matches!(second, Accepting::Already(receipt) if receipt == first));
    assert_eq!(store.standing().unwrap().books.accepted, 1);
    let sent = begin(&store, at(3)).unwrap();
    commit(&store, at(4), &sent, 1);
    let third = try_accept(&store, at(5), &Paper::new(1, 1)).unwrap();
    assert!(matches!(third, Accepting::Already(receipt) if receipt.state == State::Committed));
}

#[test]
fn a_decision_that_overlooks_the_twin_is_a_loud_error_and_changes_nothing() {
    let folder = folder();
    let store = create(folder.path());
    accept(&store, at(1), &Paper::new(1, 1));
    let paper = Paper::new(1, 1);
    let decide = move |facts: &_| AcceptDecision::Accept(Box::new(acceptance(&Paper::new(1, 1), facts)));
    let answer = store.accept(at(2), paper.ask(), Box::new(decide));
    assert!(matches!(answer, Err(JournalError::Failed(_))));
    assert_eq!(store.standing().unwrap().books.accepted, 1);
}

#[test]
fn three_operations_of_a_lane_go_out_one_after_another_each_bound_to_the_version_before() {
    let folder = folder();
    let store = create(folder.path());
    for operation in 1..=3 {
        let kind = if operation == 1 { Kind::Application } else { Kind::Stage };
        accept(&store, at(1), &Paper { kind, ..Paper::new(operation, 1) });
    }
    for operation in 1..=3 {
        assert_eq!(send_facts(&store, at(2)).heads.len(), 1, "nothing overtakes inside a lane");
        let sent = begin(&store, at(3)).unwrap();
        assert_eq!(sent.operation_id, operation_id(operation));
        let bound_to = (operation > 1).then(|| etag(operation - 1));
        assert_eq!(sent.if_match, bound_to);
        assert!(begin(&store, at(3)).is_none());
        commit(&store, at(4), &sent, operation);
    }
    let (application, operations) = store.application(lane(1)).unwrap().unwrap();
    assert_eq!((application.etag, application.waiting), (Some(etag(3)), 0));
    assert!(operations.iter().all(|row| row.receipt.state == State::Committed));
}

#[test]
fn one_that_does_not_follow_keeps_its_own_base() {
    let folder = folder();
    let store = create(folder.path());
    accept(&store, at(1), &Paper::new(1, 1));
    accept(&store, at(1), &Paper { follows_tail: false, ..Paper::new(2, 1) });
    let sent = begin(&store, at(2)).unwrap();
    commit(&store, at(3), &sent, 9);
    assert_eq!(begin(&store, at(4)).unwrap().if_match, None);
}

#[test]
fn a_quarantined_operation_blocks_its_lane_and_no_other() {
    let folder = folder();
    let store = create(folder.path());
    for (operation, lane) in [(1, 1), (2, 1), (3, 2)] {
        accept(&store, at(1), &Paper::new(operation, lane));
    }
    let sent = begin(&store, at(2)).unwrap();
    quarantine(&store, at(3), &sent);
    let heads = send_facts(&store, at(4)).heads;
    assert_eq!(heads.iter().map(|head| head.operation_id).collect::<Vec<_>>(), [operation_id(3)]);
    let books = store.standing().unwrap().books;
    assert_eq!((books.pending, books.quarantined), (2, 1));
    assert_eq!(store.waiting(ALL).unwrap().len(), 3);
}

#[test]
fn an_operation_found_in_flight_at_a_start_is_pending_and_in_doubt() {
    let folder = folder();
    let store = create(folder.path());
    let receipt = accept(&store, at(1), &Paper::new(1, 1));
    begin(&store, at(2)).unwrap();
    store.close().unwrap();
    let store = open(folder.path(), at(3));
    let row = store.operation(&receipt.idempotency_key).unwrap().unwrap();
    assert_eq!((row.receipt.state, row.doubt), (State::Pending, Doubt::Sent));
    let books = store.standing().unwrap().books;
    assert_eq!((books.pending, books.in_flight), (1, 0));
    assert!(begin(&store, at(4)).is_some());
}

#[test]
fn a_second_writer_is_turned_away_and_leaves_the_folder_untouched() {
    let folder = folder();
    let store = create(folder.path());
    accept(&store, at(1), &Paper::new(1, 1));
    // Until the head is up to date, the first writer itself still changes files.
    while head_seq(folder.path()) != Some(2) {
        std::thread::yield_now();
    }
    let before = snapshot(folder.path());
    assert!(matches!(Store::open(folder.path(), PASSPHRASE, at(2)), Err(OpenError::InUse { .. })));
    assert_eq!(snapshot(folder.path()), before);
    drop(store);
    open(folder.path(), at(3)).close().unwrap();
}

#[test]
fn reading_beside_a_writer_sees_what_is_committed_and_writes_nothing() {
    let folder = folder();
    let store = create(folder.path());
    let beside = Store::open_beside(folder.path(), PASSPHRASE).unwrap();
    let receipt = accept(&store, at(1), &Paper::new(1, 1));
    assert_eq!(beside.operation(&receipt.idempotency_key).unwrap().unwrap().receipt, receipt);
    assert!(matches!(try_accept(&beside, at(2), &Paper::new(2, 2)), Err(JournalError::ReadOnly)));
    assert!(matches!(beside.note(at(2), Vec::new()), Err(JournalError::ReadOnly)));
    drop(store);
    assert_eq!(beside.standing().unwrap().books.accepted, 1);
}

#[test]
fn what_is_wrong_with_a_folder_is_told_apart() {
    let folder = folder();
    let path = folder.path().join("a station's #1 ‘données’ %41 \"x\"");
    assert!(matches!(Store::open(&path, PASSPHRASE, at(0)), Err(OpenError::NotSetUp { .. })));
    create(&path).close().unwrap();
    let again = Store::create(&path, new_store());
    assert!(matches!(again, Err(OpenError::Folder(FolderError::AlreadySetUp { .. }))));
    let wrong = Store::open(&path, b"other words", at(0));
    assert!(matches!(wrong, Err(OpenError::Keys(KeysError::WrongPassphrase))));
    let keys = std::fs::read(path.join("keys.json")).unwrap();
    std::fs::write(path.join("keys.json"), b"{}").unwrap();
    let damaged = Store::open(&path, PASSPHRASE, at(0));
    assert!(matches!(damaged, Err(OpenError::Keys(KeysError::Damaged { .. }))));
    std::fs::remove_file(path.join("keys.json")).unwrap();
    let missing = Store::open(&path, PASSPHRASE, at(0));
    assert!(matches!(missing, Err(OpenError::Keys(KeysError::Missing))));
    std::fs::write(path.join("keys.json"), &keys).unwrap();
    open(&path, at(1)).close().unwrap();

    let other = folder.path().join("another station");
    let mut new = new_store();
    new.record.db_id = "01932c6f-8f0a-7cc3-98a1-0242ac120099".parse().unwrap();
    Store::create(&other, new).unwrap().close().unwrap();
    std::fs::copy(other.join("keys.json"), path.join("keys.json")).unwrap();
    for opened in [Store::open(&path, PASSPHRASE, at(1)), Store::open_beside(&path, PASSPHRASE)] {
        assert!(matches!(opened, Err(OpenError::Keys(KeysError::Foreign))));
    }
    std::fs::write(path.join("keys.json"), keys).unwrap();
    open(&path, at(1)).close().unwrap();

    std::fs::write(path.join("holdfast.db"), vec![0; 8192]).unwrap();
    assert!(matches!(Store::open(&path, PASSPHRASE, at(1)), Err(OpenError::Damaged { .. })));
    std::fs::remove_file(path.join("holdfast.db")).unwrap();
    let gone = Store::open(&path, PASSPHRASE, at(1));
    assert!(matches!(gone, Err(OpenError::DatabaseMissing { .. })));
}

#[test]
fn nothing_on_the_disk_holds_a_value_in_clear() {
    let folder = folder();
    let store = create(folder.path());
    accept(&store, at(1), &Paper::new(4711, 1));
    for (name, bytes, _) in snapshot(folder.path()) {
        for secret in ["4711 OAK ST", "OriginalAddress1", "operation.accepted", "SQLite format 3"] {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{secret} in {name}");
        }
    }
}

#[test]
fn an_event_is_never_before_the_last_one_and_says_when_the_clock_is_suspect() {
    let folder = folder();
    let store = create(folder.path());
    accept(&store, at(60_000), &Paper::new(1, 1));
    let back = holdfast_core::time::Now { wall: at(-3_600_000).wall, ..at(61_000) };
    let receipt = accept(&store, back, &Paper::new(2, 2));
    assert_eq!(receipt.accepted_at, at(61_000).wall);
    let row = store.operation(&receipt.idempotency_key).unwrap().unwrap();
    assert!(String::from_utf8(row.body).unwrap().contains("\"clock\":\"suspect\""));
}

#[test]
fn the_head_follows_within_a_second_and_never_runs_ahead() {
    let folder = folder();
    let store = create(folder.path());
    let begun = std::time::Instant::now();
    let mut accepted = 0;
    while begun.elapsed() < std::time::Duration::from_millis(1500) {
        accepted += 1;
        accept(&store, at(1), &Paper::new(accepted, accepted));
        let named = head_seq(folder.path()).unwrap_or(0);
        assert!(named <= accepted + 1, "event {named} is not committed yet");
    }
    let named = head_seq(folder.path()).unwrap();
    assert!(named > 1, "the head does not stand still under load");
    store.note(at(2), vec![holdfast_core::audit::Entry::new(EventKind::DrainFinished)]).unwrap();
    store.close().unwrap();
    assert_eq!(head_seq(folder.path()), Some(accepted + 2));
}

/// Holds the writer up in the middle of accepting paper `n`, until the sender speaks.
fn hold_up<'scope>(scope: &'scope Scope<'scope, '_>, store: &'scope Store, n: u64) -> Sender<()> {
    let (go_on, wait) = channel::<()>();
    let (begun, has_begun) = channel();
    scope.spawn(move || {
        let decide = move |facts: &_| {
            begun.send(()).unwrap();
            wait.recv().unwrap();
            AcceptDecision::Accept(Box::new(acceptance(&Paper::new(n, n), facts)))
        };
        store.accept(at(1), Paper::new(n, n).ask(), Box::new(decide)).unwrap();
    });
    has_begun.recv().unwrap();
    go_on
}

#[test]
fn more_than_the_writer_takes_are_refused_at_once() {
    let folder = folder();
    let store = create(folder.path());
    let (answer, answers) = channel();
    std::thread::scope(|scope| {
        let store = &store;
        let go_on = hold_up(scope, store, 1);
        for n in 2..=41 {
            let answer = answer.clone();
            scope.spawn(move || answer.send(try_accept(store, at(1), &Paper::new(n, n))).unwrap());
        }
        // Forty ask while the writer is held up: the eight that find no place are the first to have an answer.
        for _ in 0..8 {
            let refused = answers.recv().unwrap();
            assert!(matches!(refused, Err(JournalError::Busy { waiting_max: WRITER_WAITING_MAX })));
        }
        go_on.send(()).unwrap();
        for _ in 0..WRITER_WAITING_MAX {
            assert!(matches!(answers.recv().unwrap(), Ok(Accepting::Accepted(_))));
        }
    });
    assert_eq!(store.standing().unwrap().books.accepted, 33);
}

#[test]
fn an_answer_of_the_sor_is_taken_however_many_are_at_the_counter() {
    let folder = folder();
    let store = create(folder.path());
    accept(&store, at(1), &Paper::new(1, 1));
    let sent = begin(&store, at(2)).unwrap();
    let (answer, answers) = channel();
    std::thread::scope(|scope| {
        let store = &store;
        let go_on = hold_up(scope, store, 2);
        for n in 3..=u64::try_from(WRITER_WAITING_MAX).unwrap() + 3 {
            let answer = answer.clone();
            scope.spawn(move || answer.send(try_accept(store, at(3), &Paper::new(n, n)).is_ok()).unwrap());
        }
        assert!(!answers.recv().unwrap(), "one too many: the writer's places are all taken");
        scope.spawn(move || commit(store, at(4), &sent, 1));
        go_on.send(()).unwrap();
    });
    let books = store.standing().unwrap().books;
    assert_eq!((books.in_flight, books.committed), (0, 1));
}

#[test]
fn urgent_lanes_come_first_and_a_hundred_lanes_are_offered_a_window_at_a_time() {
    let folder = folder();
    let store = create(folder.path());
    for n in 1..=100 {
        accept(&store, at(1), &Paper::new(n, n));
    }
    accept(&store, at(1), &Paper { urgency: Urgency::Urgent, ..Paper::new(101, 90) });
    let heads = send_facts(&store, at(2)).heads;
    assert_eq!(heads.len(), holdfast_core::limits::HEADS_WINDOW_ROWS);
    let first: Vec<_> = heads.iter().take(3).map(|head| head.place.place.0).collect();
    assert_eq!(first, [90, 1, 2], "the lane that holds an urgent one, then the oldest");
}

#[test]
fn a_set_aside_operation_waits_for_a_person_in_the_doubt_it_was_in_unless_it_no_longer_waits() {
    let folder = folder();
    let store = create(folder.path());
    for n in 1..=3 {
        accept(&store, at(1), &Paper::new(n, n));
    }
    let sent = begin(&store, at(2)).unwrap();
    commit(&store, at(3), &sent, 1);
    let lost = begin(&store, at(3)).unwrap();
    put_back(&store, at(4), &lost, None);
    let set_aside = [1, 2].map(|n| SetAside {
        operation_id: operation_id(n),
        reason: QuarantineReason::Forbidden,
        outcome: "forbidden",
    });
    let decide = move |facts: &SettleFacts| Settlement {
        set_aside: set_aside.to_vec(),
        failed_attempts: 2,
        ..settlement(facts, None, Vec::new())
    };
    store.settle(at(4), holdfast_core::cascade::Recorder::Primary, None, Box::new(decide)).unwrap();
    let standing = store.standing().unwrap();
    assert_eq!((standing.books.committed, standing.books.quarantined, standing.books.pending), (1, 1, 1));
    assert_eq!(standing.counts.failed, 2);
    let row = store.operation(&lost.key).unwrap().unwrap();
    assert_eq!((row.doubt, row.reason), (Doubt::Sent, Some(QuarantineReason::Forbidden)));
}

#[test]
fn each_settling_has_a_mark_of_its_own_and_outages_have_books_of_their_own() {
    let folder = folder();
    let store = create(folder.path());
    let outage_id = "01932c6f-8f0a-7cc3-98a1-0242ac12000a".parse().unwrap();
    let (give, given) = std::sync::mpsc::channel();
    for opens in [true, false] {
        let give = give.clone();
        let decide = move |facts: &SettleFacts| {
            give.send(facts.mark).unwrap();
            let mut settlement = settlement(facts, None, Vec::new());
            if opens {
                settlement.endpoint.outage = Some(outage_id);
                settlement.outage = OutageChange::Opened {
                    outage_id,
                    cause: OutageCause::Failures,
                    first_failure_at: at(1).wall,
                    accepted_after: None,
                    tripped_at: at(2).wall,
                    announced_until: None,
                };
            }
            settlement
        };
        store.settle(at(2), holdfast_core::cascade::Recorder::Primary, None, Box::new(decide)).unwrap();
    }
    assert!(given.recv().unwrap() < given.recv().unwrap());
    assert_eq!(store.standing().unwrap().outages_open, 1);
    accept(&store, at(3), &Paper::new(1, 1));
    let sent = begin(&store, at(4)).unwrap();
    commit(&store, at(5), &sent, 1);
    store.close().unwrap();
    // The books of the outage are compared with the rows there.
    let findings = holdfast_store::verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap();
    assert!(findings.is_clean(), "{:?}", findings.found());
}

#[test]
fn a_folder_that_was_just_set_up_has_the_head_that_its_audit_is_measured_against() {
    let folder = folder();
    let store = create(folder.path());
    let text = std::fs::read(folder.path().join("head.json")).unwrap();
    let signed: holdfast_core::audit::SignedHead = serde_json::from_slice(&text).unwrap();
    assert!(signed.head.seq > 0, "the events of the setup are named at once, not a second later");
    drop(store);
}
