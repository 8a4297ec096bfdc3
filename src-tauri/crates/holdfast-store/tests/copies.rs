//! Copies on the real engine: whole or not at all, and never saying less than what was accepted here.

#![allow(clippy::unwrap_used, missing_docs)]

mod city;

use city::*;
use holdfast_core::copies::{Visit, VisitState};
use holdfast_core::ids::ActorId;
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::Kind;
use holdfast_station::ports::{
    ApplicationRecord, CopiedRecord, CopiedVisit, Copies as _, Journal as _, Lists as _, Page, RecordsCopy,
    VisitsCopy, Wanted,
};
use holdfast_store::{Store, verify};
use serde_json::json;

/// Record `n` of the SoR in its `version`.
fn copied(n: u64, version: u64, stage: Stage) -> CopiedRecord {
    CopiedRecord {
        application_id: lane(n),
        record_id: format!("AF-R-{n}").parse().unwrap(),
        permit_num: Some(format!("AF-2026-{n:05}").parse().unwrap()),
        etag: etag(version),
        stage,
        updated_at: at(0).wall,
        payload: json!({"OriginalAddress1": format!("{n} MILL RD"), "ApplicantName": "Rosa Delgado"}),
        holds: Vec::new(),
        notes: Vec::new(),
    }
}

fn keep(store: &Store, millis: i64, records: Vec<CopiedRecord>) {
    let mark = store.change_mark().unwrap();
    store.keep_records(RecordsCopy { asked: at(millis), mark, likeness_window_h: 24, records }).unwrap();
}

fn stands(store: &Store, n: u64) -> ApplicationRecord {
    store.application(lane(n)).unwrap().unwrap().0
}

fn ana() -> ActorId {
    "ana".parse().unwrap()
}

fn visit(id: &str, of: u64) -> CopiedVisit {
    let visit = Visit {
        inspection_id: id.parse().unwrap(),
        date: "2026-11-30".parse().unwrap(),
        state: VisitState::Scheduled,
        payload: json!({"InspType": "Footing", "ScheduledDate": "2026-11-30"}),
    };
    CopiedVisit { application_id: lane(of), visit }
}

fn carry(
    store: &Store,
    millis: i64,
    visits: Vec<CopiedVisit>,
) -> Result<(), holdfast_station::ports::JournalError> {
    store.keep_visits(VisitsCopy { asked: at(millis), assignee: ana(), visits })
}

#[test]
fn a_copied_record_is_known_found_and_can_be_built_on() {
    let folder = folder();
    let store = create(folder.path());
    keep(&store, 5, vec![copied(2, 1, Stage::Intake), copied(1, 1, Stage::PrelimReview)]);
    let record = stands(&store, 1);
    assert_eq!((record.stage, record.etag, record.waiting), (Stage::PrelimReview, Some(etag(1)), 0));
    let wanted = Wanted { words: vec!["delgado".into(), "mill".into()], number: String::new() };
    let found = store.find(&wanted, Page { skip: 0, rows: 9 }).unwrap();
    assert_eq!((found.matching, found.known), (2, 2));
    assert_eq!(found.rows[0].record.application_id, lane(2), "the SoR's latest is the latest");
    assert_eq!(found.copied_at, Some(at(5).wall));
    let paper = Paper { kind: Kind::Stage, ..Paper::new(1, 1) };
    accept(&store, at(9), &paper);
    store.close().unwrap();
    assert!(verify(folder.path(), PASSPHRASE, &mut |_, _| ()).unwrap().is_clean());
}

#[test]
fn a_newer_version_takes_the_place_of_an_older_copy_and_the_same_one_only_renews_its_age() {
    let folder = folder();
    let store = create(folder.path());
    keep(&store, 5, vec![copied(1, 1, Stage::Intake)]);
    let mark = store.change_mark().unwrap();
    keep(&store, 6, vec![copied(1, 1, Stage::Intake)]);
    assert_eq!(store.change_mark().unwrap(), mark, "nothing changed");
    assert_eq!(store.found_record(lane(1)).unwrap().unwrap().0.copied_at, Some(at(6).wall));
    keep(&store, 7, vec![copied(1, 2, Stage::Returned)]);
    let record = stands(&store, 1);
    assert_eq!((record.stage, record.etag), (Stage::Returned, Some(etag(2))));
    assert!(store.change_mark().unwrap().0 > mark.0);
}

#[test]
fn an_application_with_work_that_waits_stays_as_it_was_accepted() {
    let folder = folder();
    let store = create(folder.path());
    let receipt = accept(&store, at(1), &Paper::new(1, 1));
    let before = store.found_record(lane(1)).unwrap();
    for version in [1, 2] {
        keep(&store, 5, vec![copied(1, version, Stage::Withdrawn)]);
        assert_eq!(store.found_record(lane(1)).unwrap(), before, "pending");
    }
    let sent = begin(&store, at(6)).unwrap();
    keep(&store, 7, vec![copied(1, 3, Stage::Withdrawn)]);
    assert_eq!(stands(&store, 1).stage, Stage::Intake, "in flight");
    quarantine(&store, at(8), &sent);
    keep(&store, 9, vec![copied(1, 4, Stage::Withdrawn)]);
    let record = stands(&store, 1);
    assert_eq!((record.stage, record.etag, record.waiting), (Stage::Intake, None, 1), "before a person");
    assert_eq!(store.operation(&receipt.idempotency_key).unwrap().unwrap().receipt, {
        let mut receipt = receipt;
        receipt.state = holdfast_core::lane::State::Quarantined;
        receipt
    });
}

#[test]
fn an_answer_from_before_a_recording_here_does_not_take_it_back() {
    let folder = folder();
    let store = create(folder.path());
    keep(&store, 1, vec![copied(1, 1, Stage::Intake)]);
    // The copy is asked for, and answered with version 1; before it is kept, a move is recorded as version 2.
    let mark = store.change_mark().unwrap();
    accept(&store, at(2), &Paper { kind: Kind::Stage, ..Paper::new(1, 1) });
    let sent = begin(&store, at(3)).unwrap();
    commit(&store, at(4), &sent, 2);
    let recorded = stands(&store, 1);
    store
        .keep_records(RecordsCopy {
            asked: at(1),
            mark,
            likeness_window_h: 24,
            records: vec![copied(1, 1, Stage::Intake)],
        })
        .unwrap();
    assert_eq!(stands(&store, 1), recorded);
    keep(&store, 6, vec![copied(1, 3, Stage::FeeEstimated)]);
    assert_eq!(stands(&store, 1).stage, Stage::FeeEstimated, "the next copy is from after it");
}

#[test]
fn a_persons_visits_are_replaced_whole_or_stay() {
    let folder = folder();
    let store = create(folder.path());
    assert_eq!(store.visits(&ana()).unwrap(), None);
    keep(&store, 1, vec![copied(1, 1, Stage::ConditionalApproval)]);
    carry(&store, 2, vec![visit("I-1", 1), visit("I-2", 1)]).unwrap();
    // One of an application that is not known here: none of them is taken.
    assert!(carry(&store, 3, vec![visit("I-3", 1), visit("I-4", 9)]).is_err());
    let kept = store.visits(&ana()).unwrap().unwrap();
    let ids: Vec<_> = kept.visits.iter().map(|kept| kept.visit.inspection_id.as_str().to_owned()).collect();
    assert_eq!((ids, kept.asked), (vec!["I-1".to_owned(), "I-2".to_owned()], at(2)));
    carry(&store, 4, vec![visit("I-2", 1)]).unwrap();
    assert_eq!(store.visits(&ana()).unwrap().unwrap().visits.len(), 1);
    assert_eq!(store.visit(&ana(), &"I-1".parse().unwrap()).unwrap(), None);
    assert_eq!(store.visits(&"bea".parse().unwrap()).unwrap(), None, "each their own");
    store.close().unwrap();
    let store = open(folder.path(), at(5));
    assert_eq!(store.visits_asked(&ana()).unwrap(), Some(at(4)), "and it is on the disk");
}
