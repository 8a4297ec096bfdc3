//! Whoever has the key and changes what is stored is found out, and the place is named.

#![allow(clippy::unwrap_used, missing_docs)]

mod city;

use city::*;
use holdfast_core::audit::ChainFault;
use holdfast_core::compare::Snapshot;
use holdfast_core::lifecycle::Stage;
use holdfast_station::ports::{AcceptDecision, AcceptFacts, Acceptance, Journal as _};
use holdfast_store::tamper::{Tampering, tamper};
use holdfast_store::{Finding, verify};

#[test]
fn what_is_changed_through_the_key_is_named() {
    let lost = Finding::EventsLost { from: 4, to: 11 };
    let lane = "UPDATE operation SET head = 0 WHERE local_seq = 5".to_owned();
    let table = [
        (Tampering::ChangeEvent(4), Finding::Chain(ChainFault::Changed { seq: 4 })),
        (Tampering::ChangeEvent(1), Finding::Chain(ChainFault::Changed { seq: 1 })),
        (Tampering::DropEvent(4), Finding::Chain(ChainFault::Gap { seq: 4 })),
        (Tampering::SwapEvents(4, 5), Finding::Chain(ChainFault::Changed { seq: 4 })),
        (Tampering::CutAfter(3), lost),
        (Tampering::ChangePrivate(4), Finding::Chain(ChainFault::PrivateChanged { seq: 4 })),
        (Tampering::ChangeBody(5), Finding::Operation { local_seq: 5 }),
        (Tampering::Run(lane), Finding::Lane { local_seq: 5 }),
    ];
    for (tampering, finding) in table {
        let folder = folder();
        let store = create(folder.path());
        for operation in 1..=10 {
            accept(&store, at(1), &Paper::new(operation, operation));
        }
        store.close().unwrap();
        tamper(folder.path(), PASSPHRASE, &tampering).unwrap();
        let findings = verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap();
        assert!(findings.found().contains(&finding), "{tampering:?}: {:?}", findings.found());
    }
}

/// Whoever takes an operation out makes everything else fit, too.
const TAKE_OUT_5: &str =
    "DELETE FROM operation WHERE local_seq = 5; DELETE FROM application WHERE changed = 5;
    UPDATE books SET accepted = accepted - 1, pending = pending - 1";

#[test]
fn an_operation_that_was_taken_out_or_slipped_in_is_found_by_the_chain() {
    let table = [
        (TAKE_OUT_5.to_owned(), Finding::OperationGone { seq: 6 }),
        (
            format!("UPDATE operation SET operation_id = '{}' WHERE local_seq = 5", operation_id(99)),
            Finding::OperationGone { seq: 6 },
        ),
        (
            "UPDATE operation SET receipt_no = 'front-1-99' WHERE local_seq = 5".to_owned(),
            Finding::Operation { local_seq: 5 },
        ),
        (
            "UPDATE operation SET origin_route = 'direct' WHERE local_seq = 5".to_owned(),
            Finding::Operation { local_seq: 5 },
        ),
    ];
    for (sql, finding) in table {
        let folder = folder();
        let store = create(folder.path());
        for operation in 1..=10 {
            accept(&store, at(1), &Paper::new(operation, operation));
        }
        let sent = begin(&store, at(2)).unwrap();
        commit(&store, at(3), &sent, 1);
        store.close().unwrap();
        assert!(verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap().is_clean());
        tamper(folder.path(), PASSPHRASE, &Tampering::Run(sql.clone())).unwrap();
        let findings = verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap();
        assert!(findings.found().contains(&finding), "{sql}: {:?}", findings.found());
    }
}

#[test]
fn books_that_balance_and_are_false_are_found() {
    let folder = folder();
    let store = create(folder.path());
    accept(&store, at(1), &Paper::new(1, 1));
    store.close().unwrap();
    tamper(folder.path(), PASSPHRASE, &Tampering::CookBooks).unwrap();
    let findings = verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap();
    assert!(matches!(findings.found(), [Finding::Books { .. }]), "{:?}", findings.found());
}

#[test]
fn a_word_outside_its_list_is_a_loud_error_and_no_row() {
    let folder = folder();
    let store = create(folder.path());
    accept(&store, at(1), &Paper::new(1, 1));
    store.close().unwrap();
    for sql in [
        "UPDATE operation SET state = 'lost'",
        "UPDATE operation SET doubt = ''",
        "UPDATE operation SET state = 'quarantined'",
        "UPDATE operation SET wait_ms = 5",
        "UPDATE books SET pending = pending + 1",
        "UPDATE application SET stage = 'Somewhere'",
        "INSERT INTO operation_archive SELECT * FROM operation",
    ] {
        let done = tamper(folder.path(), PASSPHRASE, &Tampering::Run(sql.to_owned()));
        assert!(done.is_err(), "{sql}");
    }
}

/// The record as it was shown.
fn shown() -> Snapshot {
    let payload = serde_json::json!({"OriginalAddress1": "12 OAK ST"});
    Snapshot {
        etag: Some(etag(7)),
        stage: Stage::Intake,
        payload: payload.as_object().unwrap().clone(),
        holds: Vec::new(),
        notes: Vec::new(),
    }
}

#[test]
fn what_was_shown_when_something_was_accepted_is_held_against_its_fingerprint() {
    let table = [
        "UPDATE snapshot SET document = replace(document, 'OAK', 'ELM')",
        "UPDATE snapshot SET document = '{}'",
        "UPDATE snapshot SET digest = replace(digest, substr(digest, 1, 1), 'x')",
        "DELETE FROM snapshot",
    ];
    for sql in table {
        let folder = folder();
        let store = create(folder.path());
        accept(&store, at(1), &Paper::new(1, 1));
        for operation in 2..=3 {
            let paper = Paper::new(operation, operation);
            let decide = move |paper: Paper| {
                move |facts: &AcceptFacts| {
                    let acceptance = Acceptance { base_snapshot: Some(shown()), ..acceptance(&paper, facts) };
                    AcceptDecision::Accept(Box::new(acceptance))
                }
            };
            store.accept(at(2), paper.ask(), Box::new(decide(paper.clone()))).unwrap();
        }
        store.close().unwrap();
        assert!(verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap().is_clean());
        tamper(folder.path(), PASSPHRASE, &Tampering::Run(sql.to_owned())).unwrap();
        let findings = verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap();
        assert_eq!(findings.found(), [Finding::Shown { local_seq: 2 }], "{sql}");
    }
}
