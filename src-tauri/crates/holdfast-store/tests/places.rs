//! A place that is taken: order, books and memory in one transaction, and nothing of it when any part fails.

#![allow(clippy::unwrap_used, missing_docs)]

mod city;

use city::*;
use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::decision::left_by;
use holdfast_core::lane::Place;
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::{Kind, OriginRoute};
use holdfast_core::replacing::{heir, successor};
use holdfast_station::ports::{
    Accepting, ChangeAsk, ChangeDecision, ChangeFacts, HandedIn, Journal, JournalError, Page, Receipt,
    Replacement, Replacing, TakingBack, TargetFacts, TargetInLane, Voiding,
};
use holdfast_store::{Store, verify};

fn there(facts: &ChangeFacts) -> &TargetInLane {
    match &facts.target {
        TargetFacts::InLane(there) => there,
        other @ (TargetFacts::Unknown | TargetFacts::Committed { .. } | TargetFacts::Voided { .. }) => {
            panic!("{other:?}")
        }
    }
}

fn handed_in(kind: Kind, paper: &Paper, facts: &ChangeFacts) -> HandedIn {
    let made = acceptance(paper, &facts.accepting);
    HandedIn {
        operation_id: made.body.operation_id,
        kind,
        key: made.key,
        payload_digest: made.payload_digest,
        at: facts.accepting.stamp.at,
        route: OriginRoute::Defer,
    }
}

/// What is written when `paper` takes the place of the target.
fn replacement(paper: &Paper, facts: &ChangeFacts) -> Replacement {
    let there = there(facts);
    let mut acceptance = acceptance(paper, &facts.accepting);
    let target = there.item.operation_id;
    acceptance.body.replaces = Some(target);
    acceptance.bytes = acceptance.body.bytes();
    acceptance.place = successor(there.place);
    acceptance.after_op = there.item.after_op;
    Replacement {
        target,
        stood: None,
        heir: heir(&there.item, &there.behind, acceptance.body.operation_id),
        behind_stood: Vec::new(),
        handed_in: handed_in(Kind::Correction, paper, facts),
        entry: Entry::new(EventKind::OperationReplaced).of(target),
        acceptance,
    }
}

fn ask(paper: &Paper, target: u64) -> ChangeAsk {
    let ask = paper.ask();
    ChangeAsk {
        operation_id: ask.operation_id,
        application_id: ask.application_id,
        target: operation_id(target),
        likeness: None,
        pins: Vec::new(),
    }
}

fn change(
    store: &Store,
    paper: &Paper,
    target: u64,
    make: impl FnOnce(&ChangeFacts) -> ChangeDecision + Send + 'static,
) -> Result<Receipt, JournalError> {
    let decide = Box::new(move |facts: &ChangeFacts| match &facts.accepting.twin {
        Some(_) => ChangeDecision::Already,
        None => make(facts),
    });
    match store.change(at(9), ask(paper, target), decide)? {
        Accepting::Accepted(receipt) | Accepting::Already(receipt) => Ok(receipt),
        Accepting::Refused(refusal) => panic!("{refusal:?}"),
    }
}

fn replace(store: &Store, paper: &Paper, target: u64) -> Result<Receipt, JournalError> {
    let asked = paper.clone();
    change(store, paper, target, move |facts| ChangeDecision::Replace(Box::new(replacement(&asked, facts))))
}

fn take_back(store: &Store, paper: &Paper, target: u64) -> Result<Receipt, JournalError> {
    let asked = paper.clone();
    change(store, paper, target, move |facts| {
        let there = there(facts);
        let void = left_by(&there.item, &there.behind);
        let voiding = Voiding {
            operation_id: there.item.operation_id,
            heir: void.heir,
            set_aside: void.set_aside,
            going_on: void.going_on,
            stage: Stage::Intake,
            stood: Vec::new(),
            at: facts.accepting.stamp.at,
            entries: vec![Entry::new(EventKind::OperationVoided).of(there.item.operation_id)],
        };
        let handed_in = handed_in(Kind::Void, &asked, facts);
        ChangeDecision::TakeBack(Box::new(TakingBack { voiding, handed_in }))
    })
}

/// The numbers of what waits, in the order of work.
fn order(store: &Store) -> Vec<u64> {
    let rows = store.waiting(Page { skip: 0, rows: 100 }).unwrap();
    rows.iter().map(|row| row.receipt.local_seq.0).collect()
}

fn note(operation: u64, lane: u64) -> Paper {
    Paper { kind: Kind::Note, ..Paper::new(operation, lane) }
}

/// Two lanes, the first of three.
fn two_lanes(store: &Store) {
    for paper in [Paper::new(1, 1), note(2, 1), note(3, 1), Paper::new(4, 2)] {
        accept(store, at(1), &paper);
    }
}

#[test]
fn what_takes_a_place_goes_where_that_one_would_have_gone() {
    for (target, expected) in [(1, [5, 2, 3, 4]), (2, [1, 5, 3, 4]), (3, [1, 2, 5, 4]), (4, [1, 2, 3, 5])] {
        let folder = folder();
        let store = create(folder.path());
        two_lanes(&store);
        let (kind, lane) = if target == 4 { (Kind::Application, 2) } else { (Kind::Note, 1) };
        let kind = if target == 1 { Kind::Application } else { kind };
        let receipt = replace(&store, &Paper { kind, ..Paper::new(50 + target, lane) }, target).unwrap();
        assert_eq!(receipt.local_seq.0, 5);
        assert_eq!(order(&store), expected, "in place of {target}");
        // Each goes in its turn, bound to the receipt of the one before it.
        let mut sent = Vec::new();
        for n in 1..=4 {
            let in_flight = begin(&store, at(10)).unwrap();
            sent.push(in_flight.operation_id);
            let first_of_lane = in_flight.kind == Kind::Application;
            assert_eq!(in_flight.if_match.is_none(), first_of_lane, "in place of {target}");
            commit(&store, at(10), &in_flight, n);
        }
        assert!(!sent.contains(&operation_id(target)), "what was replaced is never sent");
        store.close().unwrap();
        assert!(verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap().is_clean());
    }
}

#[test]
fn a_place_is_taken_again_and_again_and_holds_one_at_a_time() {
    let folder = folder();
    let store = create(folder.path());
    two_lanes(&store);
    for n in 0..5 {
        let target = if n == 0 { 2 } else { 60 + n - 1 };
        replace(&store, &note(60 + n, 1), target).unwrap();
        // The place is free of the one before: taking it from that one once more is damage, not a second row.
        assert_eq!(order(&store).len(), 4);
    }
    assert_eq!(order(&store), [1, 9, 3, 4]);
    let books = store.standing().unwrap().books;
    assert_eq!((books.accepted, books.pending, books.voided), (9, 4, 5));
    let of = store.replacements(operation_id(64)).unwrap();
    assert_eq!(of.replaces.unwrap().as_str(), "front-1-8");
    let first = store.replacements(operation_id(2)).unwrap();
    assert_eq!(first.replaced_by.unwrap().as_str(), "front-1-5");
}

#[test]
fn a_change_that_fails_in_the_middle_has_changed_nothing() {
    let folder = folder();
    let store = create(folder.path());
    two_lanes(&store);
    let before = (order(&store), store.standing().unwrap().books);
    // The place of another row of the lane: the index refuses it when everything else is done.
    let asked = note(70, 1);
    let refused = change(&store, &asked.clone(), 2, move |facts| {
        let mut replacement = replacement(&asked, facts);
        replacement.acceptance.place =
            Place { revision: 0, place: facts.accepting.lane_tail.unwrap().place.place };
        ChangeDecision::Replace(Box::new(replacement))
    });
    assert!(refused.is_err());
    // A memory that is there already: the last thing that is written.
    take_back(&store, &note(71, 1), 3).unwrap();
    let after = (order(&store), store.standing().unwrap().books);
    let asked = note(72, 1);
    let refused = change(&store, &asked.clone(), 2, move |facts| {
        let mut replacement = replacement(&asked, facts);
        replacement.handed_in.operation_id = operation_id(71);
        ChangeDecision::Replace(Box::new(replacement))
    });
    assert!(refused.is_err());
    assert_eq!((order(&store), store.standing().unwrap().books), after);
    assert_eq!(before.0, [1, 2, 3, 4]);
    drop(store);
    let store = open(folder.path(), at(20));
    assert_eq!((order(&store), store.standing().unwrap().books), after, "nor at the next start");
    store.close().unwrap();
    assert!(verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap().is_clean());
}

#[test]
fn what_is_on_its_way_is_not_replaced_whatever_was_decided() {
    let folder = folder();
    let store = create(folder.path());
    two_lanes(&store);
    let sent = begin(&store, at(2)).unwrap();
    assert_eq!(sent.operation_id, operation_id(1));
    assert!(replace(&store, &Paper::new(80, 1), 1).is_err());
    assert!(take_back(&store, &note(81, 1), 1).is_err());
    let books = store.standing().unwrap().books;
    assert_eq!((books.accepted, books.in_flight, books.voided), (4, 1, 0));
}

#[test]
fn a_void_is_remembered_over_a_start_and_draws_no_number() {
    let folder = folder();
    let store = create(folder.path());
    two_lanes(&store);
    let receipt = take_back(&store, &note(90, 1), 2).unwrap();
    assert_eq!((receipt.receipt_no.as_str(), receipt.kind), ("front-1-2", Kind::Void));
    assert_eq!(store.taken_back_by(&receipt.idempotency_key).unwrap(), Some(operation_id(2)));
    store.close().unwrap();
    let store = open(folder.path(), at(20));
    assert_eq!(take_back(&store, &note(90, 1), 2).unwrap(), receipt);
    assert_eq!(accept(&store, at(21), &Paper::new(91, 3)).local_seq.0, 5);
    assert_eq!(order(&store), [1, 3, 4, 5]);
}
