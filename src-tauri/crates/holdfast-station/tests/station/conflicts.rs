//! Conflicts: three versions side by side, and what a person's choice leaves of the operation, its lane and its record.

use std::sync::{Arc, Mutex};

use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::Body;
use holdfast_station::ports::{CopiedRecord, SorFault};
use holdfast_wire::{ConflictView, Decision, ListRequest, QueueRow};
use serde_json::{Value, json};

use crate::answers::{lost, recorded, typed};
use crate::decide::{decide, quarantined};
use crate::desk::{Desk, refusal, settings, wall};
use crate::sor::Asked;

/// What the record system has: version 9, a telephone number that nobody here knew, and these holds.
fn theirs(lane: &str, stage: Stage, holds: &[Value]) -> CopiedRecord {
    CopiedRecord {
        application_id: lane.parse().unwrap(),
        record_id: "AF-1".parse().unwrap(),
        permit_num: Some("AF-2026-00001".parse().unwrap()),
        etag: "\"v9\"".parse().unwrap(),
        stage,
        updated_at: wall("2026-11-30T07:02:00.000Z"),
        payload: json!({"OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"], "ApplicantPhone": "555-0102"}),
        holds: holds.to_vec(),
        notes: Vec::new(),
    }
}

fn knows(desk: &Desk, record: CopiedRecord) {
    desk.sor.record(move |_| Ok(record.clone()));
}

/// The operations of these numbers meet another version, once each; everything else is recorded.
fn changed_meanwhile(desk: &Desk, numbers: &'static [u64]) {
    let mut met = Vec::new();
    desk.sor.deliveries(move |_, body| {
        let seq = body.local_seq.0;
        if numbers.contains(&seq) && !met.contains(&seq) {
            met.push(seq);
            return typed(412, "version-conflict");
        }
        recorded(body, 100 + seq)
    });
}

/// A desk with a recorded application, whose lane is given.
async fn at_work() -> (Desk, String) {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.until_empty().await;
    (desk, lane)
}

fn inspection(lane: &str) -> Value {
    json!({ "kind": "inspection", "application_id": lane, "payload": {
        "InspType": "FIN", "InspTypeMapped": "Final Building", "Result": "OK", "ResultMapped": "Passed",
        "InspectedDate": "2026-11-30", "InspectedTime": "08:00", "Final": "Yes" } })
}

fn shown(desk: &Desk) -> ConflictView {
    desk.station.conflict(&quarantined(desk)).unwrap().unwrap()
}

fn changed(view: &ConflictView, pointer: &str) -> String {
    view.rows.iter().find(|row| row.pointer == pointer).unwrap().changed.clone()
}

fn rows(desk: &Desk) -> Vec<QueueRow> {
    desk.station.queue(ListRequest { skip: 0, rows: 100 }).unwrap()
}

fn ours() -> Decision {
    Decision::TakeOurs { seen: Some("\"v9\"".to_owned()) }
}

fn take_theirs() -> Decision {
    Decision::TakeTheirs { seen: None }
}

fn balanced(desk: &Desk) {
    let books = desk.station.status().unwrap().books;
    let sum = books.pending + books.in_flight + books.committed + books.quarantined + books.voided;
    assert_eq!(books.accepted, sum, "{books:?}");
    assert!(desk.clean());
}

/// The version that each delivery required, of those that required one.
fn if_matches(desk: &Desk) -> Vec<String> {
    let required = |asked| if let Asked::Deliver { if_match, .. } = asked { if_match } else { None };
    desk.sor.asked().into_iter().filter_map(required).collect()
}

fn last_if_match(desk: &Desk) -> Option<String> {
    if_matches(desk).pop()
}

fn problem(desk: &Desk, decision: Decision) -> (String, String) {
    refusal(decide(desk, &quarantined(desk), decision)).1.remove(0)
}

#[tokio::test(start_paused = true)]
async fn a_conflict_is_shown_with_what_was_shown_here_and_what_the_sor_has() {
    let (desk, lane) = at_work().await;
    changed_meanwhile(&desk, &[2]);
    knows(&desk, theirs(&lane, Stage::Intake, &[]));
    desk.advance(&lane, "PrelimReview");
    desk.pass().await;
    let view = shown(&desk);
    let base = view.base.as_ref().unwrap();
    assert_eq!((base.stage.as_str(), base.etag.as_deref()), ("Intake", Some("\"v1\"")));
    assert_eq!(base.payload, json!({"OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"]}));
    let known = view.theirs.as_ref().unwrap();
    assert_eq!(
        (known.version.etag.as_deref(), known.updated_at.as_str()),
        (Some("\"v9\""), "2026-11-30T07:02:00.000Z")
    );
    assert_eq!(changed(&view, "/stage"), "by_us");
    assert_eq!(changed(&view, "/payload/ApplicantPhone"), "by_them");
    assert_eq!(changed(&view, "/payload/PIN"), "nobody");
    assert_eq!((view.meeting.as_deref(), view.proposal.as_deref()), (Some("apart"), Some("ours")));
    let opened = desk.station.item(&rows_item(&desk)).unwrap();
    assert_eq!(opened.conflict, Some(view));
    assert!(desk.sor.asked().ends_with(&[Asked::Record]), "asked once, after the conflict");
    desk.pass().await;
    let asked = desk.sor.asked().into_iter().filter(|asked| *asked == Asked::Record).count();
    assert_eq!(asked, 1, "what is known is not asked for again");
}

fn rows_item(desk: &Desk) -> String {
    desk.station.operation(&quarantined(desk)).unwrap().body["operation_id"].as_str().unwrap().to_owned()
}

#[tokio::test(start_paused = true)]
async fn while_the_sor_is_away_its_version_is_not_known_and_nothing_is_chosen() {
    let (desk, lane) = at_work().await;
    changed_meanwhile(&desk, &[2]);
    desk.sor.record(|_| Err(SorFault::NotAnswering));
    desk.advance(&lane, "PrelimReview");
    desk.pass().await;
    let view = shown(&desk);
    assert_eq!(
        (view.theirs.is_none(), view.meeting.as_deref(), view.proposal.as_deref()),
        (true, None, None)
    );
    assert_eq!(changed(&view, "/stage"), "by_us");
    for decision in [ours(), take_theirs()] {
        assert_eq!(problem(&desk, decision), ("/key".to_owned(), "theirs-unknown".to_owned()));
    }
    // The next drain asks again; so does a person.
    knows(&desk, theirs(&lane, Stage::Intake, &[]));
    desk.pass().await;
    assert_eq!(shown(&desk).theirs.unwrap().version.etag.as_deref(), Some("\"v9\""));
    let newer = CopiedRecord { etag: "\"v10\"".parse().unwrap(), ..theirs(&lane, Stage::Withdrawn, &[]) };
    knows(&desk, newer);
    let again = desk.station.fetch_theirs(&quarantined(&desk)).await.unwrap();
    assert_eq!(again.meeting.as_deref(), Some("clash"));
    assert_eq!(problem(&desk, ours()).1, "seen-another", "version 9 was looked at");
    let unseen = Decision::TakeOurs { seen: None };
    assert_eq!(problem(&desk, unseen).1, "step-not-allowed", "withdrawn meanwhile");
    assert_eq!(rows(&desk)[0].state, "quarantined");
    desk.sor.record(|_| Err(SorFault::NotAnswering));
    desk.station.fetch_theirs(&quarantined(&desk)).await.unwrap_err();
    assert!(shown(&desk).theirs.is_some(), "what was known stays");
}

#[tokio::test(start_paused = true)]
async fn ours_is_the_same_bytes_upon_the_version_that_was_seen() {
    let (desk, lane) = at_work().await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sees = Arc::clone(&seen);
    desk.sor.deliveries(move |nth, body: &Body| {
        sees.lock().unwrap().push(body.bytes());
        if nth == 2 { typed(412, "version-conflict") } else { recorded(body, 100 + nth) }
    });
    knows(&desk, theirs(&lane, Stage::Intake, &[]));
    desk.advance(&lane, "PrelimReview");
    desk.advance(&lane, "FeeEstimated");
    desk.pass().await;
    let decided = decide(&desk, &quarantined(&desk), ours()).unwrap();
    assert_eq!((decided.state.as_str(), decided.going_on), ("pending", 1));
    balanced(&desk);
    assert_eq!(desk.until_empty().await.committed, 2);
    let seen = seen.lock().unwrap();
    assert_eq!(seen[0], seen[1]);
    let tags = ["\"v1\"", "\"v9\"", "\"v103\""];
    assert_eq!(if_matches(&desk), tags, "the old version, the one that was seen, the one of the receipt");
    let application = desk.station.application(&lane).unwrap();
    assert_eq!(application.row.stage, "FeeEstimated");
    assert_eq!(application.payload["ApplicantPhone"], "555-0102", "what they changed is shown here too");
    balanced(&desk);
}

#[tokio::test(start_paused = true)]
async fn a_record_that_changed_again_is_a_conflict_again_and_is_compared_with_what_was_seen() {
    let (desk, lane) = at_work().await;
    desk.sor.deliveries(|_, _| typed(412, "version-conflict"));
    knows(&desk, theirs(&lane, Stage::Intake, &[]));
    desk.advance(&lane, "PrelimReview");
    desk.pass().await;
    decide(&desk, &quarantined(&desk), ours()).unwrap();
    let mut third = theirs(&lane, Stage::Intake, &[]);
    third.etag = "\"v10\"".parse().unwrap();
    third.payload["ApplicantName"] = json!("Rosa Delgado");
    knows(&desk, third);
    desk.pass().await;
    let view = shown(&desk);
    assert_eq!(view.base.as_ref().unwrap().etag.as_deref(), Some("\"v9\""));
    assert_eq!(changed(&view, "/payload/ApplicantPhone"), "nobody");
    assert_eq!(changed(&view, "/payload/ApplicantName"), "by_them");
    assert_eq!(problem(&desk, ours()).1, "seen-another");
    balanced(&desk);
}

#[tokio::test(start_paused = true)]
async fn theirs_is_never_sent_and_the_lane_goes_on_upon_it() {
    let (desk, lane) = at_work().await;
    changed_meanwhile(&desk, &[2]);
    knows(&desk, theirs(&lane, Stage::PrelimReview, &[]));
    desk.submit(&inspection(&lane)).unwrap();
    desk.advance(&lane, "PrelimReview");
    desk.pass().await;
    let before = desk.sor.delivered().len();
    let decided = decide(&desk, &quarantined(&desk), take_theirs()).unwrap();
    assert_eq!((decided.state.as_str(), decided.going_on, decided.set_aside), ("voided", 1, 0));
    let application = desk.station.application(&lane).unwrap();
    assert_eq!(application.payload["ApplicantPhone"], "555-0102");
    assert_eq!((application.etag.as_deref(), application.row.waiting), (Some("\"v9\""), 1));
    balanced(&desk);
    desk.until_empty().await;
    assert_eq!(desk.sor.delivered()[before..], [3], "the voided one is never sent again");
    assert_eq!(last_if_match(&desk).as_deref(), Some("\"v9\""));
    balanced(&desk);
}

#[tokio::test(start_paused = true)]
async fn after_theirs_with_nothing_behind_the_record_here_is_the_sors() {
    let (desk, lane) = at_work().await;
    changed_meanwhile(&desk, &[2]);
    let record = theirs(&lane, Stage::Withdrawn, &[]);
    knows(&desk, record.clone());
    desk.advance(&lane, "PrelimReview");
    desk.pass().await;
    decide(&desk, &quarantined(&desk), take_theirs()).unwrap();
    let application = desk.station.application(&lane).unwrap();
    assert_eq!((application.row.stage.as_str(), application.row.waiting), ("Withdrawn", 0));
    assert_eq!((application.payload, application.etag.as_deref()), (record.payload, Some("\"v9\"")));
    let before = desk.sor.delivered().len();
    desk.until_empty().await;
    assert_eq!(desk.sor.delivered().len(), before);
    balanced(&desk);
}

#[tokio::test(start_paused = true)]
async fn a_stop_work_placed_meanwhile_keeps_back_the_final_and_every_later_move() {
    let (desk, lane) = at_work().await;
    changed_meanwhile(&desk, &[2]);
    let stop = json!({"hold_id": "S-88", "type": "stop-work", "reason": "gas"});
    knows(&desk, theirs(&lane, Stage::Intake, &[stop]));
    desk.submit(&inspection(&lane)).unwrap();
    desk.advance(&lane, "PrelimReview");
    desk.pass().await;
    let view = shown(&desk);
    assert_eq!((view.meeting.as_deref(), view.proposal.as_deref()), (Some("held_back"), None));
    assert_eq!(changed(&view, "/holds/S-88"), "by_them");
    assert_eq!(changed(&view, "/inspection/ResultMapped"), "by_us");
    let decided = decide(&desk, &quarantined(&desk), take_theirs()).unwrap();
    assert_eq!((decided.going_on, decided.set_aside), (0, 1));
    let delivered = desk.sor.delivered().len();
    desk.pass().await;
    assert_eq!(desk.sor.delivered().len(), delivered, "no move goes while the hold stands undecided");
    let joined = &rows(&desk)[0];
    assert_eq!((joined.state.as_str(), joined.reason.as_deref()), ("quarantined", Some("conflict")));
    assert!(shown(&desk).theirs.is_some(), "it can be compared like the one before");
    balanced(&desk);
    decide(&desk, &quarantined(&desk), Decision::TakeOurs { seen: None }).unwrap();
    assert_eq!(desk.until_empty().await.committed, 1);
    assert_eq!(last_if_match(&desk).as_deref(), Some("\"v9\""));
}

#[tokio::test(start_paused = true)]
async fn a_merge_stands_in_the_place_of_what_it_replaces() {
    let (desk, lane) = at_work().await;
    changed_meanwhile(&desk, &[2]);
    knows(&desk, theirs(&lane, Stage::Intake, &[]));
    let first = desk.submit(&inspection(&lane)).unwrap();
    desk.advance(&lane, "PrelimReview");
    desk.pass().await;
    let before = desk.station.status().unwrap().books;
    let merge = |merged: Value| Decision::Merge {
        seen: Some("\"v9\"".to_owned()),
        merged: merged.as_object().unwrap().clone(),
    };
    let mut merged = inspection(&lane)["payload"].clone();
    merged["InspectionNotes"] = json!("The gas was off.");

    let mut lacking = merged.clone();
    lacking.as_object_mut().unwrap().remove("Result");
    assert_eq!(
        problem(&desk, merge(lacking.clone())),
        ("/payload/Result".to_owned(), "would-be-lost".to_owned())
    );
    let mut wrong = merged.clone();
    wrong["ResultMapped"] = json!("Perfect");
    assert_eq!(problem(&desk, merge(wrong)).0, "/payload/ResultMapped", "the rules hold for it too");
    assert_eq!(desk.station.status().unwrap().books, before);

    lacking["Result"] = Value::Null;
    let decided = decide(&desk, &quarantined(&desk), merge(lacking)).unwrap();
    assert_eq!(
        (decided.receipt_no.as_str(), decided.state.as_str(), decided.going_on),
        ("front-1-4", "pending", 1)
    );
    let after = desk.station.status().unwrap().books;
    assert_eq!((after.accepted, after.voided, after.quarantined), (before.accepted + 1, 1, 0));
    assert_eq!(desk.station.operation(&first.idempotency_key).unwrap().row.state, "voided");
    let new = desk.station.operation(&rows(&desk)[0].idempotency_key).unwrap();
    assert_eq!(new.body["replaces"], first.operation_id);
    assert_eq!(new.body["payload"]["InspectionNotes"], "The gas was off.");
    assert_eq!(new.body["payload"].get("Result"), None, "left out in so many words");
    balanced(&desk);

    let delivered = desk.sor.delivered().len();
    assert_eq!(desk.until_empty().await.committed, 2);
    assert_eq!(desk.sor.delivered()[delivered..], [4, 3], "in the place of the second, before the third");
    let tags = if_matches(&desk);
    assert_eq!(tags[tags.len() - 2..], ["\"v9\"", "\"v104\""], "bound to what was seen, then to its receipt");
    balanced(&desk);
}

#[tokio::test(start_paused = true)]
async fn what_is_no_conflict_or_may_have_arrived_is_not_chosen_about() {
    let (desk, lane) = at_work().await;
    desk.sor.deliveries(|_, _| typed(422, "validation"));
    knows(&desk, theirs(&lane, Stage::Intake, &[]));
    desk.advance(&lane, "PrelimReview");
    desk.pass().await;
    let merge = Decision::Merge { seen: None, merged: serde_json::Map::new() };
    for decision in [Decision::TakeOurs { seen: None }, take_theirs(), merge] {
        assert_eq!(problem(&desk, decision).1, "not-a-conflict");
    }
    assert!(desk.station.conflict(&quarantined(&desk)).unwrap().is_none());

    let other = Desk::open(settings()).await;
    other.apply();
    other.sor.deliveries(|nth, _| if nth == 1 { lost() } else { typed(422, "key-reused") });
    other.until_empty().await;
    assert_eq!(problem(&other, take_theirs()).1, "not-a-conflict");
}

#[tokio::test(start_paused = true)]
async fn an_application_that_is_there_already_is_not_opened_again_and_its_lane_goes_on_upon_theirs() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    changed_meanwhile(&desk, &[1]);
    knows(&desk, theirs(&lane, Stage::Intake, &[]));
    desk.pass().await;
    let view = shown(&desk);
    assert_eq!(
        (view.base.is_none(), changed(&view, "/payload/OriginalAddress1").as_str()),
        (true, "by_both_alike")
    );
    assert_eq!(problem(&desk, ours()).1, "there-already");
    let decided = decide(&desk, &quarantined(&desk), take_theirs()).unwrap();
    assert_eq!((decided.going_on, decided.set_aside), (1, 0));
    assert_eq!(desk.until_empty().await.committed, 1);
    assert_eq!(last_if_match(&desk).as_deref(), Some("\"v9\""));
    assert_eq!(desk.station.application(&lane).unwrap().row.stage, "PrelimReview");
    balanced(&desk);
}

#[tokio::test(start_paused = true)]
async fn a_choice_needs_the_right_and_is_audited_with_the_version_that_was_seen() {
    let (desk, lane) = at_work().await;
    changed_meanwhile(&desk, &[2]);
    knows(&desk, theirs(&lane, Stage::Intake, &[]));
    desk.advance(&lane, "PrelimReview");
    desk.pass().await;
    desk.sign_in("clerk").await.unwrap();
    for decision in [ours(), take_theirs()] {
        assert_eq!(problem(&desk, decision), ("/decision".to_owned(), "forbidden".to_owned()));
    }
    desk.sign_in("supervisor").await.unwrap();
    decide(&desk, &quarantined(&desk), ours()).unwrap();
    let events = desk.chain().into_iter().map(|text| serde_json::from_str::<Value>(&text).unwrap());
    let mut requeued = events.filter(|event| event["kind"] == "operation.requeued");
    let event = requeued.next_back().unwrap();
    let data = &event["data"];
    assert_eq!(event["actor_id"], "supervisor");
    assert_eq!(
        (&data["choice"], &data["base"], &data["theirs"], &data["meeting"]),
        (&json!("ours"), &json!("\"v1\""), &json!("\"v9\""), &json!("apart"))
    );
    assert_eq!(data["reason"].as_str().unwrap().len(), 64);
    let chain = desk.chain().concat();
    assert!(!chain.contains("555-0102") && !chain.contains("OAK"), "nothing personal is in the chain");
}

/// A correction of a recorded application that met another version; `said` is what the correction says. Gives the lane.
async fn corrected(desk: &Desk, said: &Value, shown: &Value, there: &Value) -> String {
    desk.sor.deliveries(|_, body| recorded(body, body.local_seq.0));
    let application = desk.submit(&json!({"kind": "application", "payload": shown})).unwrap();
    desk.until_empty().await;
    let lane = application.application_id;
    let correction = json!({"kind": "correction", "application_id": lane,
        "payload": {"of": application.operation_id, "payload": said}});
    desk.submit(&correction).unwrap();
    let mut met = false;
    desk.sor.deliveries(move |_, body| match std::mem::replace(&mut met, true) {
        false => typed(412, "version-conflict"),
        true => recorded(body, 100 + body.local_seq.0),
    });
    knows(desk, CopiedRecord { payload: there.clone(), ..theirs(&lane, Stage::Intake, &[]) });
    desk.pass().await;
    lane
}

fn choose(ours: &[&str], theirs: &[&str]) -> Decision {
    let all = |pointers: &[&str]| pointers.iter().map(ToString::to_string).collect();
    Decision::Choose { seen: Some("\"v9\"".to_owned()), ours: all(ours), theirs: all(theirs) }
}

/// What the last operation of a lane says.
fn said_last(desk: &Desk, lane: &str) -> Value {
    let operations = desk.station.application(lane).unwrap().operations;
    desk.station.operation(&operations.last().unwrap().idempotency_key).unwrap().body["payload"]["payload"]
        .clone()
}

#[tokio::test(start_paused = true)]
async fn the_fields_of_a_correction_are_chosen_field_by_field() {
    let shown =
        json!({"OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"], "ApplicantName": "R. Delgado"});
    let with = |changes: Value| {
        let mut fields = shown.clone();
        fields.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        fields
    };
    let said = with(json!({"ApplicantName": "Rosa Delgado", "ApplicantPhone": "(555) 010-0142"}));
    let there = with(json!({"ApplicantName": "Rosa D.", "Description": "Corner lot"}));
    let desk = Desk::open(settings()).await;
    let lane = corrected(&desk, &said, &shown, &there).await;
    assert_eq!(shown_meeting(&desk), "clash");
    assert_eq!(
        problem(&desk, choose(&[], &[])),
        ("/payload/ApplicantName".to_owned(), "undecided".to_owned())
    );
    decide(&desk, &quarantined(&desk), choose(&[], &["/payload/ApplicantName"])).unwrap();
    let both = with(json!({"ApplicantName": "Rosa D.", "ApplicantPhone": "(555) 010-0142",
        "Description": "Corner lot"}));
    assert_eq!(desk.station.application(&lane).unwrap().payload, both, "shown here at once");
    assert_eq!(desk.until_empty().await.committed, 1);
    assert_eq!((said_last(&desk, &lane), last_if_match(&desk).as_deref()), (both, Some("\"v9\"")));
    balanced(&desk);
}

/// What the application says here, as one field.
fn named(desk: &Desk, lane: &str) -> Value {
    desk.station.application(lane).unwrap().payload["ApplicantName"].clone()
}

/// A correction that is decided upon the SoR's version is taken back to that version, not to what was shown before it.
#[tokio::test(start_paused = true)]
async fn a_correction_that_is_taken_back_after_a_choice_leaves_what_the_sor_has() {
    let with = |name: &str| json!({"OriginalAddress1": "12 OAK ST", "PIN": ["1"], "ApplicantName": name});
    let merge = choose(&["/payload/ApplicantName"], &[]);
    for decision in [ours(), merge] {
        let desk = Desk::open(settings()).await;
        let lane = corrected(&desk, &with("Here"), &with("Before"), &with("There")).await;
        decide(&desk, &quarantined(&desk), decision.clone()).unwrap();
        assert_eq!(named(&desk, &lane), "Here", "{decision:?}");
        let row = desk.station.application(&lane).unwrap().operations.pop().unwrap();
        let of = desk.station.operation(&row.idempotency_key).unwrap().body["operation_id"].clone();
        let void =
            json!({"kind": "void", "application_id": lane, "payload": {"of": of, "reason": "not after all"}});
        desk.submit(&void).unwrap();
        assert_eq!(named(&desk, &lane), "There", "{decision:?}");
        balanced(&desk);
    }
}

/// Two corrections wait, and the first meets another version: what is shown stays what the second says, and what stands
/// before the second is what was decided about the first.
#[tokio::test(start_paused = true)]
async fn the_correction_behind_a_choice_is_taken_back_to_what_was_chosen() {
    let with = |name: &str| json!({"OriginalAddress1": "12 OAK ST", "PIN": ["1"], "ApplicantName": name});
    let merge = choose(&[], &["/payload/ApplicantName"]);
    for (decision, left) in [(take_theirs(), "There"), (ours(), "Here"), (merge, "There")] {
        let desk = Desk::open(settings()).await;
        let lane = corrected(&desk, &with("Here"), &with("Before"), &with("There")).await;
        let first = desk.station.application(&lane).unwrap().operations[0].idempotency_key.clone();
        let of = desk.station.operation(&first).unwrap().body["operation_id"].clone();
        let second = json!({"kind": "correction", "application_id": lane,
            "payload": {"of": of, "payload": with("Second")}});
        let second = desk.submit(&second).unwrap();
        decide(&desk, &quarantined(&desk), decision.clone()).unwrap();
        assert_eq!(named(&desk, &lane), "Second", "{decision:?}");
        let void = json!({"kind": "void", "application_id": lane,
            "payload": {"of": second.operation_id, "reason": "not after all"}});
        desk.submit(&void).unwrap();
        assert_eq!(named(&desk, &lane), left, "{decision:?}");
        balanced(&desk);
    }
}

/// A correction of something else than the application says nothing of its fields.
#[tokio::test(start_paused = true)]
async fn behind_a_correction_of_an_inspection_the_record_here_is_the_sors() {
    let (desk, lane) = at_work().await;
    let seen = desk.submit(&inspection(&lane)).unwrap();
    desk.sor.deliveries(|_, body| recorded(body, body.local_seq.0));
    desk.until_empty().await;
    changed_meanwhile(&desk, &[3]);
    knows(&desk, theirs(&lane, Stage::Intake, &[]));
    desk.advance(&lane, "PrelimReview");
    desk.pass().await;
    let mut corrected = inspection(&lane)["payload"].clone();
    corrected["InspectedTime"] = json!("09:00");
    desk.submit(&json!({"kind": "correction", "application_id": lane,
        "payload": {"of": seen.operation_id, "payload": corrected}}))
        .unwrap();
    decide(&desk, &quarantined(&desk), take_theirs()).unwrap();
    assert_eq!(desk.station.application(&lane).unwrap().payload["ApplicantPhone"], "555-0102");
    balanced(&desk);
}

fn shown_meeting(desk: &Desk) -> String {
    shown(desk).meeting.unwrap()
}

#[tokio::test(start_paused = true)]
async fn whatever_both_changed_theirs_changes_nothing_ours_is_ours_and_a_merge_has_the_fields_of_both() {
    const FIELDS: [&str; 3] = ["ApplicantName", "ContractorTrade", "Description"];
    let desk = Desk::open(settings()).await;
    // Each field: as shown, changed here, there, or by both; in every combination.
    for case in 0..4_u32.pow(3) {
        let by = |field: usize| (case / 4_u32.pow(u32::try_from(field).unwrap())) % 4;
        let version = |here: bool| {
            let mut fields = json!({"OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"]});
            for (nth, field) in FIELDS.iter().enumerate() {
                let word = match (by(nth), here) {
                    (1 | 3, true) => "here",
                    (2 | 3, false) => "there",
                    (_, _) => "before",
                };
                fields[*field] = json!(word);
            }
            fields
        };
        let mut before = version(true);
        FIELDS.iter().for_each(|field| before[*field] = json!("before"));
        let (said, there) = (version(true), version(false));
        let mut both = said.clone();
        for (nth, field) in FIELDS.iter().enumerate() {
            both[*field] = if by(nth) >= 2 { there[*field].clone() } else { said[*field].clone() };
        }
        let clashes: Vec<String> =
            (0..3).filter(|nth| by(*nth) == 3).map(|nth| format!("/payload/{}", FIELDS[nth])).collect();
        let merge = Decision::Choose { seen: None, ours: Vec::new(), theirs: clashes };
        for (decision, expected) in [(take_theirs(), None), (ours(), Some(said.clone())), (merge, Some(both))]
        {
            let lane = corrected(&desk, &said, &before, &there).await;
            let sent = desk.sor.delivered().len();
            decide(&desk, &quarantined(&desk), decision).unwrap();
            desk.until_empty().await;
            let here = desk.station.application(&lane).unwrap().payload;
            match expected {
                None => assert_eq!((desk.sor.delivered().len(), here), (sent, there.clone()), "case {case}"),
                Some(expected) => {
                    assert_eq!((said_last(&desk, &lane), here), (expected.clone(), expected), "case {case}")
                }
            }
        }
    }
    balanced(&desk);
}
