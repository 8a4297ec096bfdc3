//! Records: found by any of their words, opened with a way and moves that are true.

use holdfast_wire::{ApiCode, FindRequest, FindView, MoveRefusal, Reached, ReasonNeed, RecordView};
use serde_json::json;

use crate::answers::{receipt, replied};
use crate::desk::{Desk, refusal, settings};

fn find(desk: &Desk, text: &str) -> FindView {
    desk.station.find(FindRequest { text: text.to_owned(), skip: 0, rows: 50 }).unwrap()
}

fn take_in(desk: &Desk, address: &str, applicant: &str) -> String {
    let payload = json!({ "OriginalAddress1": address, "PIN": ["0010-22-417"], "ApplicantName": applicant });
    desk.submit(&json!({ "kind": "application", "payload": payload })).unwrap().application_id
}

fn refused(record: &RecordView, to: &str) -> Option<MoveRefusal> {
    record.moves.iter().find(|one| one.to == to).unwrap().refused.clone()
}

#[tokio::test]
async fn a_record_is_found_by_any_of_its_words_however_they_are_written() {
    let desk = Desk::open(settings()).await;
    let oak = take_in(&desk, "12 OAK ST", "Ana Pe\u{f1}a");
    let elm = take_in(&desk, "14 ELM ST", "Bo Ek");
    for (text, lanes) in [
        ("", vec![&elm, &oak]),
        ("st", vec![&elm, &oak]),
        ("oak", vec![&oak]),
        ("PEN\u{303}A 12", vec![&oak]),
        ("417 ek", vec![&elm]),
        ("front-1-1", vec![&oak]),
        ("ana elm", vec![]),
    ] {
        let found = find(&desk, text);
        assert_eq!(found.rows.iter().map(|row| &row.application_id).collect::<Vec<_>>(), lanes, "{text}");
        assert_eq!((found.matching as usize, found.known), (lanes.len(), 2), "{text}");
    }
    assert_eq!(find(&desk, "oak").copied_at, None, "never copied");
    let row = &find(&desk, "oak").rows[0];
    assert_eq!(row.receipt_no.as_deref(), Some("front-1-1"));
    assert_eq!((row.applicant.as_deref(), row.stage.as_str()), (Some("Ana Peña"), "Intake"));
    let beyond = FindRequest { text: String::new(), skip: 0, rows: 1_001 };
    assert_eq!(refusal(desk.station.find(beyond)).0, ApiCode::Refused);
}

#[tokio::test]
async fn the_record_with_that_very_number_goes_first() {
    let desk = Desk::open(settings()).await;
    for n in 1..=12 {
        take_in(&desk, &format!("{n} OAK ST"), "Ana");
    }
    let found = find(&desk, "front-1-1");
    let numbers: Vec<_> = found.rows.iter().filter_map(|row| row.receipt_no.as_deref()).collect();
    assert_eq!(numbers, ["front-1-1", "front-1-12", "front-1-11", "front-1-10"]);
}

#[tokio::test]
async fn a_permit_number_is_found_as_soon_as_the_system_gave_it() {
    let desk = Desk::open(settings()).await;
    let lane = take_in(&desk, "12 OAK ST", "Ana");
    assert_eq!(find(&desk, "BLD-2026-7").matching, 0);
    desk.sor.deliveries(|_, body| {
        let mut said = receipt(body, 1, holdfast_core::outcome::ReceiptState::Applied);
        said.permit_num = Some("BLD-2026-7".parse().unwrap());
        replied(201, holdfast_core::outcome::Content::Receipt(said))
    });
    desk.until_empty().await;
    let found = find(&desk, "bld-2026-7");
    assert_eq!(found.rows[0].application_id, lane);
    assert_eq!(found.rows[0].permit_num.as_deref(), Some("BLD-2026-7"));
}

#[tokio::test]
async fn a_refused_move_says_who_may() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    desk.advance(&lane, "FeeEstimated");
    desk.sign_in("clerk").await.unwrap();
    let record = desk.station.record(&lane).unwrap();
    let supervisor = MoveRefusal::NotPermitted { roles: vec!["supervisor".to_owned()] };
    assert_eq!(refused(&record, "ConditionalApproval"), Some(supervisor));
    assert_eq!(refused(&record, "Committed"), Some(MoveRefusal::NeverChosen));
    assert_eq!(refused(&record, "PrelimReview"), Some(MoveRefusal::NoSuchStep));
    assert_eq!(refused(&record, "Withdrawn"), None);
    let back = record.moves.iter().find(|one| one.to == "Intake").unwrap();
    assert_eq!((back.reason, &back.refused), (ReasonNeed::Needed, &None));
    desk.station.sign_out().unwrap();
    assert_eq!(refused(&desk.station.record(&lane).unwrap(), "Withdrawn"), Some(MoveRefusal::NotNow));
}

#[tokio::test]
async fn every_move_that_is_offered_is_taken_and_no_other() {
    let desk = Desk::open(settings()).await;
    for user in ["clerk", "inspector", "supervisor"] {
        desk.sign_in("supervisor").await.unwrap();
        let stages = desk.station.record(&desk.apply()).unwrap().moves.len();
        for n in 0..stages {
            desk.sign_in("supervisor").await.unwrap();
            let lane = desk.apply();
            desk.advance(&lane, "PrelimReview");
            desk.sign_in(user).await.unwrap();
            let offered = &desk.station.record(&lane).unwrap().moves[n];
            let payload = json!({ "to": offered.to, "reason": "plans are missing" });
            let taken = desk.submit(&json!({ "kind": "stage", "application_id": lane, "payload": payload }));
            assert_eq!(taken.is_ok(), offered.refused.is_none(), "{user} to {}: {taken:?}", offered.to);
        }
    }
}

#[tokio::test]
async fn an_opened_record_shows_its_way_and_its_items_with_the_recorded_ones() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.until_empty().await;
    desk.advance(&lane, "PrelimReview");
    let returned = json!({ "kind": "stage", "application_id": lane,
        "payload": { "to": "Intake", "reason": "plans are missing" } });
    desk.submit(&returned).unwrap();
    let record = desk.station.record(&lane).unwrap();
    let way: Vec<_> = record.stages.iter().map(|step| (step.stage.as_str(), step.reached)).collect();
    assert_eq!(
        way[..3],
        [("Intake", Reached::Done), ("Returned", Reached::Now), ("PrelimReview", Reached::ToCome)]
    );
    let items: Vec<_> =
        record.items.iter().map(|item| (item.row.receipt_no.as_str(), item.row.state.as_str())).collect();
    assert_eq!(items, [("front-1-3", "pending"), ("front-1-2", "pending"), ("front-1-1", "committed")]);
    assert_eq!((record.row.waiting, &record.payload["OriginalAddress1"]), (2, &json!("12 OAK ST")));
    assert_eq!(refusal(desk.station.record("no such thing")).0, ApiCode::NotFound);
}
