//! Drafts on the real engine: on the disk when the caller is told so, and gone with the acceptance or not at all.

#![allow(clippy::unwrap_used, missing_docs)]

mod city;

use std::path::Path;

use city::*;
use holdfast_core::ids::{ActorId, ReceiptNo};
use holdfast_core::operation::Kind;
use holdfast_station::ports::{AcceptDecision, DraftAsk, DraftOpening, Drafts as _, Journal as _, Typed};
use holdfast_store::Store;
use serde_json::json;
use tempfile::TempDir;

fn clerk() -> ActorId {
    "clerk".parse().unwrap()
}

fn typed(address: &str) -> Typed {
    Typed::from_iter([("OriginalAddress1".to_owned(), json!(address))])
}

/// A draft of operation `n` in which an address was typed.
fn drafted(store: &Store, n: u64) {
    let ask = DraftAsk {
        operation_id: operation_id(n),
        kind: Kind::Application,
        application_id: None,
        actor: clerk(),
        at: at(1).wall,
    };
    assert!(matches!(store.open_draft(ask, 200).unwrap(), DraftOpening::Open(_)));
    let kept = store.keep_draft(&clerk(), operation_id(n), typed("12 OAK ST"), at(2).wall).unwrap();
    assert_eq!(kept, Some(at(2).wall));
}

fn is_there(store: &Store, n: u64) -> bool {
    store.draft(&clerk(), operation_id(n)).unwrap().is_some()
}

/// What a machine that loses its power now would find: the files as they are, and nobody who closes anything.
fn as_it_lies(folder: &Path) -> TempDir {
    let left = city::folder();
    for name in ["holdfast.db", "holdfast.db-wal", "keys.json", "head.json"] {
        if folder.join(name).exists() {
            std::fs::copy(folder.join(name), left.path().join(name)).unwrap();
        }
    }
    left
}

#[test]
fn a_draft_survives_a_kill_right_after_it_was_kept() {
    let folder = folder();
    let store = create(folder.path());
    drafted(&store, 1);
    let left = as_it_lies(folder.path());
    let found = open(left.path(), at(3)).draft(&clerk(), operation_id(1)).unwrap().unwrap();
    assert_eq!((found.typed, found.head.saved_at), (typed("12 OAK ST"), at(2).wall));
}

#[test]
fn submitting_takes_the_draft_away_in_the_same_transaction() {
    let folder = folder();
    let store = create(folder.path());
    drafted(&store, 1);
    drafted(&store, 2);
    // Everything is laid down, and then the row cannot be read back: nothing of it happened.
    let broken = move |facts: &_| {
        let mut acceptance = acceptance(&Paper::new(1, 1), facts);
        acceptance.receipt_no = ReceiptNo::new(&record().station_id, seq(99));
        AcceptDecision::Accept(Box::new(acceptance))
    };
    store.accept(at(3), Paper::new(1, 1).ask(), Box::new(broken)).unwrap_err();
    assert!(is_there(&store, 1));
    accept(&store, at(3), &Paper::new(1, 1));
    assert!(!is_there(&store, 1));
    assert!(is_there(&store, 2), "and no other");
    let left = as_it_lies(folder.path());
    let store = open(left.path(), at(4));
    assert_eq!((store.standing().unwrap().books.accepted, is_there(&store, 1)), (1, false));
}

#[test]
fn a_draft_lies_on_the_disk_encrypted() {
    let folder = folder();
    let store = create(folder.path());
    drafted(&store, 1);
    for (name, bytes, _) in snapshot(folder.path()) {
        assert!(!bytes.windows(9).any(|window| window == b"12 OAK ST"), "{name}");
    }
}
