//! Items: listed in the order of work, found by their number, and true to the state of their operation.

use holdfast_core::outcome::{Content, ReceiptState, Warning};
use holdfast_wire::{
    About, ApiCode, DecisionOffer, DecisionWord, ItemOrder, ItemsOf, ItemsRequest, ItemsView, ModeCause,
    OfferRefusal, OfferView, OfferedView, RecordedAs,
};
use serde_json::json;

use crate::answers::{lost, receipt, recorded, replied, typed};
use crate::desk::{Desk, application, refusal, settings};

fn request(of: ItemsOf, text: &str) -> ItemsRequest {
    ItemsRequest { of, text: text.to_owned(), order: ItemOrder::OldestFirst, skip: 0, rows: 100 }
}

fn listed(desk: &Desk, of: ItemsOf, text: &str) -> ItemsView {
    desk.station.items(request(of, text)).unwrap()
}

fn numbers(view: &ItemsView) -> Vec<&str> {
    view.rows.iter().map(|item| item.row.receipt_no.as_str()).collect()
}

#[tokio::test]
async fn a_waiting_item_is_found_by_its_receipt_number() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    desk.submit(
        &json!({ "kind": "application", "payload": { "OriginalAddress1": "9 ELM ST", "PIN": ["1"] } }),
    )
    .unwrap();
    for (text, found) in [
        ("front-1-2", vec!["front-1-2"]),
        ("FRONT-1-2 oak", vec!["front-1-2"]),
        ("elm", vec!["front-1-3"]),
        ("front-1-2 elm", vec![]),
        ("", vec!["front-1-1", "front-1-2", "front-1-3"]),
    ] {
        let view = listed(&desk, ItemsOf::Waiting, text);
        assert_eq!(numbers(&view), found, "{text}");
        assert_eq!((view.matching as usize, view.all), (found.len(), 3), "{text}");
    }
    let latest =
        ItemsRequest { order: ItemOrder::NewestFirst, rows: 2, skip: 1, ..request(ItemsOf::Waiting, "") };
    assert_eq!(numbers(&desk.station.items(latest).unwrap()), ["front-1-2", "front-1-1"]);
    let beyond = ItemsRequest { rows: 1_001, ..request(ItemsOf::Waiting, "") };
    assert_eq!(refusal(desk.station.items(beyond)).0, ApiCode::Refused);
}

#[tokio::test]
async fn an_item_says_what_it_does_and_behind_which_it_waits() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    desk.submit(&json!({ "kind": "stage", "application_id": lane,
        "payload": { "to": "Intake", "reason": "plans are missing" } }))
        .unwrap();
    let view = listed(&desk, ItemsOf::Waiting, "");
    let behind: Vec<_> = view.rows.iter().map(|item| item.behind.as_deref()).collect();
    assert_eq!(behind, [None, Some("front-1-1"), Some("front-1-2")]);
    assert_eq!(view.rows[0].about, About::Application { permit_type: None });
    let reason = Some("plans are missing".to_owned());
    assert_eq!(view.rows[2].about, About::Move { to: "Intake".to_owned(), reason });
    assert_eq!(view.rows[2].address.as_deref(), Some("12 OAK ST"));
    assert_eq!((view.rows[2].actor.as_str(), view.rows[2].clock.as_str()), ("supervisor", "ok"));
    assert_eq!(desk.station.item(&view.rows[0].operation_id).unwrap().followers, 2);

    desk.pass().await;
    assert_eq!(listed(&desk, ItemsOf::Waiting, "").rows, [], "recorded, they wait no longer");
}

#[tokio::test]
async fn an_item_that_was_recorded_says_how_and_when() {
    let desk = Desk::open(settings()).await;
    let ids: Vec<String> = (0..3).map(|_| desk.submit(&application()).unwrap().operation_id).collect();
    desk.sor.deliveries(|nth, body| match nth {
        1 => recorded(body, 1),
        2 => {
            let mut said = receipt(body, 1, ReceiptState::Applied);
            said.warnings = vec![Warning { code: "parcel-unknown".into(), text: "made up".into() }];
            replied(201, Content::Receipt(said))
        }
        _ => lost(),
    });
    desk.pass().await;
    let how: Vec<_> = ids.iter().map(|id| desk.station.item(id).unwrap().item.recorded).collect();
    assert_eq!(how, [Some(RecordedAs::Sent), Some(RecordedAs::Remarked), None]);
    let own = listed(&desk, ItemsOf::Own, "");
    assert_eq!((own.all, numbers(&own).len()), (3, 3), "recorded ones included");
    assert_eq!(own.last_recorded_at, desk.station.item(&ids[1]).unwrap().item.committed_at);
    assert_eq!(desk.station.item(&ids[0]).unwrap().record_id.as_deref(), Some("AF-1"));
}

#[tokio::test]
async fn a_person_is_told_of_their_own_that_came_back_and_a_supervisor_of_all() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sign_in("clerk").await.unwrap();
    desk.apply();
    desk.apply();
    desk.sor.deliveries(|nth, body| if nth == 3 { recorded(body, 1) } else { typed(422, "validation") });
    desk.until_empty().await;
    let sent_back = listed(&desk, ItemsOf::SentBack, "");
    assert_eq!((numbers(&sent_back), sent_back.all), (vec!["front-1-2"], 1));
    assert_eq!(numbers(&listed(&desk, ItemsOf::Decisions, "")), ["front-1-1", "front-1-2"]);
    assert_eq!(numbers(&listed(&desk, ItemsOf::Own, "")), ["front-1-2", "front-1-3"]);
    let told = || desk.station.standing().unwrap().causes;
    assert!(told().contains(&ModeCause::NeedsDecision { count: 1, own: true }), "{:?}", told());
    desk.sign_in("inspector").await.unwrap();
    assert!(!told().iter().any(|cause| matches!(cause, ModeCause::NeedsDecision { .. })));
    desk.sign_in("supervisor").await.unwrap();
    assert!(told().contains(&ModeCause::NeedsDecision { count: 2, own: false }));
    desk.station.sign_out().unwrap();
    assert_eq!(refusal(desk.station.items(request(ItemsOf::Own, ""))).0, ApiCode::NotSignedIn);
}

#[tokio::test]
async fn what_is_kept_of_a_rejection_is_shown_and_no_more() {
    let desk = Desk::open(settings()).await;
    let id = desk.submit(&application()).unwrap().operation_id;
    desk.sor.deliveries(|_, _| {
        let problem = json!({ "type": "https://holdfast.example/problems/validation", "detail": "12 OAK ST",
            "errors": [{ "pointer": "/PIN/0", "code": "unknown-parcel" }] });
        replied(422, Content::Problem(serde_json::from_value(problem).unwrap()))
    });
    desk.pass().await;
    let item = desk.station.item(&id).unwrap();
    let answer = item.answer.unwrap();
    assert_eq!((answer.status, answer.problem.as_deref()), (Some(422), Some("validation")));
    assert_eq!(
        (answer.pointers, answer.codes),
        (vec!["/PIN/0".to_owned()], vec!["unknown-parcel".to_owned()])
    );
    assert_eq!(item.payload["OriginalAddress1"], "12 OAK ST");
    assert_eq!(refusal(desk.station.item("no such thing")).0, ApiCode::NotFound);
}

#[tokio::test]
async fn a_failed_inspection_says_until_when_it_has_to_be_seen_again() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    let inspect = |result: &str| {
        let payload = json!({ "InspType": "FTG", "InspTypeMapped": "Footing", "Result": "no", "ResultMapped": result,
            "InspectedDate": "2026-11-30", "InspectedTime": "07:30" });
        let document = json!({ "kind": "inspection", "application_id": lane, "payload": payload });
        desk.station.item(&desk.submit(&document).unwrap().operation_id).unwrap()
    };
    assert_eq!(inspect("Passed").reinspection_due_at, None);
    let failed = inspect("Rejected");
    assert!(failed.reinspection_due_at.is_some_and(|due| due.as_str() > "2026-12-02T00:00:00.000Z"));
    let result = Some("Rejected".to_owned());
    assert_eq!(failed.item.about, About::Inspection { insp_type: "FTG".to_owned(), result });
}

/// Whether an item can be corrected and taken back, and with what its correction begins.
fn offered(desk: &Desk, id: &str) -> OfferedView {
    desk.station.item(id).unwrap().offered.unwrap()
}

#[tokio::test]
async fn an_item_says_what_can_be_done_with_it_and_that_is_what_is_taken() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    let waits = offered(&desk, &first.operation_id);
    assert_eq!((&waits.correct, &waits.take_back), (&OfferView::TakesPlace, &OfferView::TakesPlace));
    let correcting = waits.correcting.unwrap();
    assert_eq!(
        (correcting.kind.as_str(), &correcting.of),
        ("application", &vec![first.operation_id.clone()])
    );
    assert_eq!(correcting.payload["OriginalAddress1"], "12 OAK ST");
    assert_eq!(waits.decisions, []);

    desk.sor.deliveries(|_, _| lost());
    desk.pass().await;
    let in_doubt = OfferView::Refused { refusal: OfferRefusal::InDoubt };
    let doubted = offered(&desk, &first.operation_id);
    assert_eq!((doubted.correct, doubted.take_back), (in_doubt.clone(), in_doubt));
    assert_eq!(doubted.correcting, None);
}

#[tokio::test]
async fn a_correction_of_something_recorded_begins_with_what_holds_now() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    desk.sor.deliveries(|_, body| recorded(body, body.local_seq.0));
    desk.until_empty().await;
    let said = json!({ "OriginalAddress1": "14 OAK ST", "PIN": ["0010-22-417"] });
    let correction = json!({ "kind": "correction", "application_id": first.application_id,
        "payload": { "of": first.operation_id, "payload": said } });
    let correction = desk.submit(&correction).unwrap();
    let again = offered(&desk, &first.operation_id);
    assert_eq!(again.correct, OfferView::Follows);
    assert_eq!(again.correcting.unwrap().payload["OriginalAddress1"], "14 OAK ST", "not undone by accident");
    // A correction that waits is corrected as what it corrects.
    let inner = offered(&desk, &correction.operation_id);
    assert_eq!(inner.correct, OfferView::TakesPlace);
    let correcting = inner.correcting.unwrap();
    let of = vec![correction.operation_id.clone(), first.operation_id];
    assert_eq!((correcting.kind.as_str(), correcting.of), ("application", of));
    assert_eq!(correcting.payload, said);
}

#[tokio::test]
async fn what_waits_for_a_person_says_what_can_be_decided() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    desk.sor.deliveries(|_, _| typed(422, "validation"));
    desk.pass().await;
    let open = |decision| DecisionOffer { decision, refused: None };
    let expected = [open(DecisionWord::Requeue), open(DecisionWord::Void)];
    assert_eq!(offered(&desk, &first.operation_id).decisions, expected);
}
