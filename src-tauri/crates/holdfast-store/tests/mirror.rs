//! Two endpoints whose receipts commit: what the rows say about where an operation is in doubt, whose fault its wait is, and
//! who recorded it.

#![allow(clippy::unwrap_used, missing_docs)]

mod city;

use city::*;
use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::beside::{MirrorPart, Part};
use holdfast_core::blame::ItemFailures;
use holdfast_core::cascade::{InDoubt, Recorder};
use holdfast_core::ids::{LocalSeq, OperationId};
use holdfast_core::lane::Head;
use holdfast_core::limits::HEADS_WINDOW_ROWS;
use holdfast_core::outcome::{Doubt, NextStep};
use holdfast_core::time::Now;
use holdfast_core::wait::{Wait, WaitCause};
use holdfast_station::ports::{
    BesideRecord, EndpointWaits, InFlight, ItemChange, Journal as _, Reprovals as _, SendFacts, SettleFacts,
    Settlement, Step, StillPending,
};
use holdfast_store::{NewStore, Store};
use tempfile::TempDir;

const HOUR_MS: u64 = 3_600_000;

/// A station with a mirror that records.
fn city() -> (TempDir, Store) {
    let folder = folder();
    let mirror = BesideRecord {
        part: Part::Authoritative,
        url: "https://mirror.alder-falls.example".to_owned(),
        identity: "alder-falls".parse().unwrap(),
    };
    let store = Store::create(folder.path(), NewStore { beside: vec![mirror], ..new_store() }).unwrap();
    (folder, store)
}

/// Puts an operation in flight to an endpoint.
fn send(store: &Store, now: Now, recorder: Recorder, operation_id: OperationId) -> InFlight {
    let decide = move |facts: &SendFacts| Step::Attempt {
        operation_id,
        what: NextStep::Send,
        endpoint: Box::new(facts.endpoint.clone()),
        lost: None,
        entries: vec![Entry::new(EventKind::OperationSent).of(operation_id)],
    };
    store.begin(now, recorder, Box::new(decide)).unwrap().unwrap()
}

fn heads(store: &Store, now: Now, recorder: Recorder) -> (SendFacts, Vec<Head>) {
    let (give, given) = std::sync::mpsc::channel();
    let decide = move |facts: &SendFacts| {
        give.send(facts.clone()).unwrap();
        Step::Rest { endpoint: Box::new(facts.endpoint.clone()), lost: None, entries: Vec::new() }
    };
    store.begin(now, recorder, Box::new(decide)).unwrap();
    let facts: SendFacts = given.recv().unwrap();
    let heads = facts.heads.clone();
    (facts, heads)
}

/// It goes on waiting after an attempt there.
fn waits(store: &Store, now: Now, recorder: Recorder, sent: &InFlight, doubt: Doubt, cause: WaitCause) {
    let wait = Some(Wait { from: now, length_ms: HOUR_MS, cause });
    let change = ItemChange::Pending(StillPending {
        doubt,
        next_step: NextStep::Send,
        wait,
        failures: ItemFailures::default(),
        parent_waits: 0,
        outcome: "unknown",
    });
    let entries = vec![Entry::new(EventKind::OperationWaiting).of(sent.operation_id)];
    let decide = move |facts: &SettleFacts| settlement(facts, Some(change), entries);
    store.settle(now, recorder, Some(sent.operation_id), Box::new(decide)).unwrap();
}

/// A breaker closes.
fn closes(store: &Store, now: Now, recorder: Recorder) {
    let decide = move |facts: &SettleFacts| Settlement {
        endpoint_waits: EndpointWaits::End,
        ..settlement(facts, None, Vec::new())
    };
    store.settle(now, recorder, None, Box::new(decide)).unwrap();
}

fn numbers(heads: &[Head]) -> Vec<u64> {
    heads.iter().map(|head| head.place.place.0).collect()
}

#[test]
fn each_endpoint_is_shown_with_the_other_and_what_the_mirror_is_for() {
    let (_folder, store) = city();
    for recorder in Recorder::ALL {
        let (facts, _) = heads(&store, at(1), recorder);
        assert_eq!(facts.endpoint.name, recorder.endpoint());
        assert_eq!(facts.other.unwrap().name, recorder.other().endpoint());
        assert_eq!(facts.mirror_part, Some(MirrorPart::Authoritative));
    }
    let plain = folder();
    let (facts, _) = heads(&create(plain.path()), at(1), Recorder::Primary);
    assert!(facts.other.is_none() && facts.mirror_part.is_none());
}

#[test]
fn where_an_operation_is_in_doubt_stands_in_its_row_until_it_is_not() {
    let (_folder, store) = city();
    accept(&store, at(1), &Paper::new(1, 1));
    let of = |now, recorder| heads(&store, now, recorder).1[0].in_doubt;
    assert_eq!(of(at(2), Recorder::Primary), InDoubt::Nowhere);
    for (n, recorder) in [(10, Recorder::Mirror), (20, Recorder::Primary), (30, Recorder::Mirror)] {
        let sent = send(&store, at(n), recorder, operation_id(1));
        waits(&store, at(n + 1), recorder, &sent, Doubt::Sent, WaitCause::Endpoint);
        for asked in Recorder::ALL {
            assert_eq!(of(at(n + 2), asked), InDoubt::At(recorder), "as {asked:?} sees it");
        }
    }
    let sent = send(&store, at(40), Recorder::Mirror, operation_id(1));
    waits(&store, at(41), Recorder::Mirror, &sent, Doubt::None, WaitCause::Endpoint);
    assert_eq!(of(at(42), Recorder::Primary), InDoubt::Nowhere, "looked up, and absent");
}

#[test]
fn a_start_that_finds_it_on_its_way_to_the_mirror_leaves_it_in_doubt_there() {
    let (folder, store) = city();
    accept(&store, at(1), &Paper::new(1, 1));
    send(&store, at(2), Recorder::Mirror, operation_id(1));
    drop(store);
    let store = open(folder.path(), at(3));
    assert_eq!(heads(&store, at(4), Recorder::Primary).1[0].in_doubt, InDoubt::At(Recorder::Mirror));
}

#[test]
fn an_answer_of_one_endpoint_settles_nothing_that_is_on_its_way_to_the_other() {
    let (_folder, store) = city();
    accept(&store, at(1), &Paper::new(1, 1));
    let sent = send(&store, at(2), Recorder::Mirror, operation_id(1));
    let decide = move |facts: &SettleFacts| settlement(facts, None, Vec::new());
    assert!(store.settle(at(3), Recorder::Primary, Some(sent.operation_id), Box::new(decide)).is_err());
}

#[test]
fn a_breaker_that_closes_ends_the_waits_charged_to_its_own_endpoint() {
    let (_folder, store) = city();
    for n in 1..=2 {
        accept(&store, at(1), &Paper::new(n, n));
    }
    for (n, recorder) in [(1, Recorder::Primary), (2, Recorder::Mirror)] {
        let sent = send(&store, at(3), recorder, operation_id(n));
        waits(&store, at(3), recorder, &sent, Doubt::None, WaitCause::Endpoint);
    }
    let waiting = |now| {
        let (_, heads) = heads(&store, now, Recorder::Primary);
        numbers(&heads.into_iter().filter(|head| head.wait.is_some()).collect::<Vec<_>>())
    };
    assert_eq!(waiting(at(4)), [1, 2]);
    closes(&store, at(5), Recorder::Mirror);
    assert_eq!(waiting(at(6)), [1]);
    closes(&store, at(7), Recorder::Primary);
    assert_eq!(waiting(at(8)), [0_u64; 0]);
}

#[test]
fn what_the_primary_asked_to_wait_is_shown_to_the_mirror_and_charged_to_the_primary() {
    let (_folder, store) = city();
    accept(&store, at(1), &Paper::new(1, 1));
    let sent = send(&store, at(2), Recorder::Primary, operation_id(1));
    waits(&store, at(3), Recorder::Primary, &sent, Doubt::None, WaitCause::RetryAfter);
    let (_, shown) = heads(&store, at(4), Recorder::Mirror);
    assert_eq!((numbers(&shown), shown[0].wait_charged_to), (vec![1], Recorder::Primary));
    assert_eq!(numbers(&heads(&store, at(4), Recorder::Primary).1), [0_u64; 0], "to the primary it is kept");
}

#[test]
fn however_many_are_in_doubt_at_one_endpoint_the_others_are_in_sight() {
    let (_folder, store) = city();
    let many = u64::try_from(HEADS_WINDOW_ROWS).unwrap() + 3;
    for n in 1..=many + 1 {
        accept(&store, at(1), &Paper::new(n, n));
    }
    for n in 1..=many {
        let sent = send(&store, at(3), Recorder::Mirror, operation_id(n));
        waits(&store, at(3), Recorder::Mirror, &sent, Doubt::Sent, WaitCause::Endpoint);
    }
    for recorder in Recorder::ALL {
        let (_, shown) = heads(&store, at(4), recorder);
        assert!(numbers(&shown).contains(&(many + 1)), "{recorder:?} sees what is free to go");
        assert!(numbers(&shown).contains(&1), "{recorder:?} sees what is in doubt at the mirror");
    }
}

#[test]
fn what_the_mirror_recorded_is_neither_counted_nor_looked_for_at_the_primary() {
    let (_folder, store) = city();
    for n in 1..=3 {
        accept(&store, at(1), &Paper::new(n, n));
    }
    for (n, recorder) in [(1, Recorder::Primary), (2, Recorder::Mirror), (3, Recorder::Mirror)] {
        let now = at(i64::try_from(n * 10).unwrap());
        let sent = send(&store, now, recorder, operation_id(n));
        commit_at(&store, now, recorder, &sent, n);
    }
    let known = store.reproving().unwrap();
    assert_eq!((known.known.committed, known.known.committed_since), (1, Some(LocalSeq(1))));
    assert_eq!(known.through.unwrap().local_seq, LocalSeq(1));
    let latest: Vec<_> = store.latest_commits(10).unwrap().iter().map(|made| made.operation_id).collect();
    assert_eq!(latest, [operation_id(1)]);
    let facts = send_facts(&store, at(90));
    assert_eq!(facts.books.committed, 3, "the books count all of them");
}
