//! Corrections and voids: a place taken, an operation taken back, and what follows what is recorded.

use holdfast_core::operation::Body;
use holdfast_core::outcome::Answer;
use holdfast_wire::{ApiCode, ApiError, ListRequest, ReceiptView};
use serde_json::{Value, json};

use crate::answers::{lost, recorded, typed};
use crate::desk::{Desk, application, refusal, settings};

/// A made-up id of an operation.
fn id(n: u8) -> String {
    format!("01932c6f-8f0a-7cc3-98a1-0242ac12aa{n:02x}")
}

fn correct(desk: &Desk, n: u8, of: &ReceiptView, payload: &Value) -> Result<ReceiptView, ApiError> {
    desk.submit(&json!({ "kind": "correction", "operation_id": id(n), "application_id": of.application_id,
        "payload": { "of": of.operation_id, "payload": payload } }))
}

fn void(desk: &Desk, n: u8, of: &ReceiptView) -> Result<ReceiptView, ApiError> {
    desk.submit(&json!({ "kind": "void", "operation_id": id(n), "application_id": of.application_id,
        "payload": { "of": of.operation_id, "reason": "Ann Doe came back without it" } }))
}

fn note(desk: &Desk, lane: &str, text: &str) -> ReceiptView {
    desk.submit(&json!({ "kind": "note", "application_id": lane, "payload": { "text": text } })).unwrap()
}

fn corrected() -> Value {
    json!({ "OriginalAddress1": "14 OAK ST", "PIN": ["0010-22-417"] })
}

fn books(desk: &Desk) -> [u64; 6] {
    let books = desk.station.status().unwrap().books;
    let parts = [books.pending, books.in_flight, books.committed, books.quarantined, books.voided];
    assert_eq!(books.accepted, parts.iter().sum::<u64>(), "{books:?}");
    [books.accepted, parts[0], parts[1], parts[2], parts[3], parts[4]]
}

/// The receipt numbers of what waits, in the order of work.
fn queue(desk: &Desk) -> Vec<String> {
    let rows = desk.station.queue(ListRequest { skip: 0, rows: 100 }).unwrap();
    rows.into_iter().map(|row| row.receipt_no).collect()
}

fn answer(body: &Body) -> Answer {
    recorded(body, body.local_seq.0)
}

fn problems(result: Result<ReceiptView, ApiError>) -> Vec<(String, String)> {
    let (code, problems) = refusal(result);
    assert_eq!(code, ApiCode::Refused);
    problems
}

fn of(code: &str) -> Vec<(String, String)> {
    vec![("/payload/of".to_owned(), code.to_owned())]
}

#[tokio::test(start_paused = true)]
async fn a_correction_of_what_waits_takes_its_place_and_only_it_is_sent() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    desk.advance(&first.application_id, "PrelimReview");
    let other = desk.submit(&application()).unwrap();
    let receipt = correct(&desk, 1, &first, &corrected()).unwrap();
    assert_eq!((receipt.kind.as_str(), receipt.state.as_str()), ("application", "pending"));
    assert_eq!((receipt.receipt_no.as_str(), receipt.operation_id), ("front-1-4", id(1)));
    assert_eq!(books(&desk), [4, 3, 0, 0, 0, 1]);
    assert_eq!(queue(&desk), ["front-1-4", "front-1-2", other.receipt_no.as_str()], "at its place");
    let record = desk.station.application(&first.application_id).unwrap();
    assert_eq!(record.payload["OriginalAddress1"], "14 OAK ST");
    assert_eq!(record.row.stage, "PrelimReview");

    desk.sor.deliveries(|_, body| answer(body));
    assert_eq!(desk.until_empty().await.committed, 3);
    assert_eq!(desk.sor.asked().len(), 3, "the first one was never sent: {:?}", desk.sor.asked());
    let old = desk.station.operation(&first.idempotency_key).unwrap();
    assert_eq!((old.row.state.as_str(), old.replaced_by.as_deref()), ("voided", Some("front-1-4")));
    let new = desk.station.operation(&receipt.idempotency_key).unwrap();
    assert_eq!((new.row.state.as_str(), new.replaces.as_deref()), ("committed", Some("front-1-1")));
    assert_eq!(new.body["replaces"], first.operation_id.as_str());
    assert_eq!(books(&desk), [4, 0, 0, 3, 0, 1]);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn a_correction_is_corrected_again_and_the_first_is_not() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    let second = correct(&desk, 1, &first, &corrected()).unwrap();
    let third =
        correct(&desk, 2, &second, &json!({ "OriginalAddress1": "16 OAK ST", "PIN": ["0010-22-417"] }));
    assert_eq!(third.unwrap().receipt_no, "front-1-3");
    assert_eq!(problems(correct(&desk, 3, &first, &corrected())), of("voided"));
    assert_eq!(problems(void(&desk, 4, &second)), of("voided"));
    desk.sor.deliveries(|_, body| answer(body));
    assert_eq!(desk.until_empty().await.committed, 1);
    assert_eq!(books(&desk), [3, 0, 0, 1, 0, 2]);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn the_same_again_has_the_same_receipt_and_anything_else_is_refused() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    let second = note(&desk, &first.application_id, "Called.");
    let receipt = correct(&desk, 1, &first, &corrected()).unwrap();
    let gone = void(&desk, 2, &second).unwrap();
    assert_eq!((gone.kind.as_str(), gone.state.as_str()), ("void", "voided"));
    assert_eq!((gone.receipt_no.as_str(), gone.local_seq), (second.receipt_no.as_str(), second.local_seq));
    assert_eq!(correct(&desk, 1, &first, &corrected()).unwrap(), receipt);
    assert_eq!(void(&desk, 2, &second).unwrap(), gone);
    assert_eq!(books(&desk), [3, 1, 0, 0, 0, 2], "a void adds no row");
    assert_eq!(queue(&desk), ["front-1-3"]);
    let shown = desk.station.operation(&gone.idempotency_key).unwrap();
    assert_eq!((shown.row.receipt_no, shown.row.state.as_str()), (second.receipt_no.clone(), "voided"));

    let changed = vec![("/operation_id".to_owned(), "changed".to_owned())];
    assert_eq!(problems(correct(&desk, 1, &first, &application()["payload"])), changed);
    assert_eq!(problems(void(&desk, 1, &second)), changed);
    assert_eq!(problems(correct(&desk, 2, &first, &corrected())), changed);
    let as_the_row = json!({ "kind": "application", "operation_id": id(1), "payload": corrected() });
    assert_eq!(problems(desk.submit(&as_the_row)), changed);
    let desk = desk.started_again(settings());
    assert_eq!(void(&desk, 2, &second).unwrap(), gone, "the next start remembers");
}

#[tokio::test(start_paused = true)]
async fn what_is_behind_a_void_goes_on_with_what_that_one_built_on() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    let lane = first.application_id.clone();
    let moved = desk.advance(&lane, "PrelimReview");
    let behind = note(&desk, &lane, "Called.");
    void(&desk, 1, &moved).unwrap();
    assert_eq!(desk.station.application(&lane).unwrap().row.stage, "Intake");
    assert_eq!(queue(&desk), [first.receipt_no.as_str(), behind.receipt_no.as_str()]);
    desk.sor.deliveries(|_, body| answer(body));
    assert_eq!(desk.until_empty().await.committed, 2);
    assert_eq!(books(&desk), [3, 0, 0, 2, 0, 1]);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn without_its_intake_a_lane_waits_and_so_does_what_is_accepted_on_it() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    let lane = first.application_id.clone();
    let moved = desk.advance(&lane, "PrelimReview");
    void(&desk, 1, &first).unwrap();
    assert_eq!(books(&desk), [2, 0, 0, 0, 1, 1]);
    assert_eq!(desk.station.application(&lane).unwrap().row.stage, "Voided");
    let later = note(&desk, &lane, "Ann Doe asked for her plans back.");
    assert_eq!((later.state.as_str(), later.route.as_str()), ("pending", "defer"));
    desk.sor.deliveries(|_, body| answer(body));
    desk.pass().await;
    assert!(desk.sor.asked().is_empty(), "{:?}", desk.sor.asked());
    let prelim = json!({ "to": "PrelimReview" });
    assert_eq!(problems(correct(&desk, 2, &moved, &prelim)), of("base-missing"));
    // Voiding what waits for nothing leaves the later one for a decision of its own.
    void(&desk, 3, &moved).unwrap();
    assert_eq!(books(&desk), [3, 0, 0, 0, 1, 2]);
    void(&desk, 4, &later).unwrap();
    assert_eq!(books(&desk), [3, 0, 0, 0, 0, 3]);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn what_may_have_arrived_is_neither_corrected_nor_voided() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    desk.sor.deliveries(|_, _| lost());
    desk.pass().await;
    assert_eq!(problems(correct(&desk, 1, &first, &corrected())), of("in-doubt"));
    assert_eq!(problems(void(&desk, 2, &first)), of("in-doubt"));
    let told = desk.chain().into_iter().filter(|text| text.contains("\"reason\":\"in-doubt\"")).count();
    assert_eq!(told, 2, "each attempt is audited");
}

#[tokio::test(start_paused = true)]
async fn a_poison_item_is_corrected_and_goes_with_all_behind_it() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    let moved = desk.advance(&first.application_id, "PrelimReview");
    let other = desk.submit(&application()).unwrap();
    desk.sor.deliveries(|_, body| match body.local_seq.0 {
        1 => typed(422, "validation"),
        _ => answer(body),
    });
    desk.pass().await;
    assert_eq!(books(&desk), [3, 1, 0, 1, 1, 0], "others go, its own wait");
    let receipt = correct(&desk, 1, &first, &corrected()).unwrap();
    assert_eq!(books(&desk), [4, 2, 0, 1, 0, 1]);
    assert_eq!(queue(&desk), [receipt.receipt_no.as_str(), moved.receipt_no.as_str()]);
    assert_eq!(desk.until_empty().await.committed, 2);
    assert_eq!(desk.station.operation(&other.idempotency_key).unwrap().row.state, "committed");
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn what_is_recorded_is_followed_at_the_end_of_its_lane() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    desk.sor.deliveries(|_, body| answer(body));
    desk.until_empty().await;
    let receipt = correct(&desk, 1, &first, &corrected()).unwrap();
    assert_eq!((receipt.kind.as_str(), receipt.receipt_no.as_str()), ("correction", "front-1-2"));
    let lane = first.application_id.clone();
    let says = |desk: &Desk| desk.station.application(&lane).unwrap().payload["OriginalAddress1"].clone();
    assert_eq!(says(&desk), "14 OAK ST");
    // A correction that waits is a place of its own: it can be corrected, and taken back.
    let again = json!({ "of": first.operation_id,
        "payload": { "OriginalAddress1": "16 OAK ST", "PIN": ["0010-22-417"] } });
    let again = correct(&desk, 2, &receipt, &again).unwrap();
    assert_eq!((again.kind.as_str(), says(&desk)), ("correction", json!("16 OAK ST")));
    let other = json!({ "of": id(9), "payload": corrected() });
    let wrong = vec![("/payload/payload/of".to_owned(), "not-allowed".to_owned())];
    assert_eq!(problems(correct(&desk, 3, &again, &other)), wrong);
    let gone = void(&desk, 4, &again).unwrap();
    assert_eq!((gone.kind.as_str(), says(&desk)), ("void", json!("12 OAK ST")));
    let follows = void(&desk, 5, &first).unwrap();
    assert_eq!((follows.kind.as_str(), follows.state.as_str()), ("void", "pending"));
    assert_eq!(problems(void(&desk, 6, &follows)), of("not-allowed"));
    assert_eq!(books(&desk), [4, 1, 0, 1, 0, 2]);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn a_wrong_target_is_named_and_a_wrong_payload_by_its_field() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    let other = desk.submit(&application()).unwrap();
    let nobody = ReceiptView { operation_id: id(99), ..first.clone() };
    assert_eq!(problems(correct(&desk, 1, &nobody, &corrected())), of("unknown-operation"));
    assert_eq!(problems(void(&desk, 1, &nobody)), of("unknown-operation"));
    let elsewhere = ReceiptView { application_id: other.application_id, ..first.clone() };
    assert_eq!(problems(correct(&desk, 1, &elsewhere, &corrected())), of("other-application"));
    assert_eq!(problems(void(&desk, 1, &elsewhere)), of("other-application"));
    let unplaced = json!({ "OriginalAddress1": "14 OAK ST" });
    let refused = problems(correct(&desk, 1, &first, &unplaced));
    assert!(refused.iter().all(|(pointer, _)| pointer.starts_with("/payload/payload/")), "{refused:?}");
    let moved = desk.advance(&first.application_id, "PrelimReview");
    let no_step = vec![("/payload/payload/to".to_owned(), "step-not-allowed".to_owned())];
    assert_eq!(problems(correct(&desk, 1, &moved, &json!({ "to": "FeeEstimated" }))), no_step);
    assert_eq!(books(&desk), [3, 3, 0, 0, 0, 0]);
}

#[tokio::test(start_paused = true)]
async fn an_outage_widens_nothing_a_clerk_voids_neither_way() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    let approved = desk.advance(&first.application_id, "PrelimReview");
    desk.sign_in("clerk").await.unwrap();
    let (code, problems) = refusal(void(&desk, 1, &first));
    assert_eq!((code, problems), (ApiCode::NotPermitted, vec![("/kind".into(), "forbidden".into())]));
    let refused = desk.chain().into_iter().filter(|text| text.contains("operation.refused"));
    assert_eq!(refused.filter(|text| text.contains("\"operation_kind\":\"void\"")).count(), 1);
    correct(&desk, 2, &first, &corrected()).unwrap();
    // Nor does a clerk do by a correction what a clerk may not hand in.
    let (code, _) = refusal(correct(&desk, 3, &approved, &json!({ "to": "Voided", "reason": "Twice" })));
    assert_eq!(code, ApiCode::NotPermitted);
}

#[tokio::test(start_paused = true)]
async fn the_reason_of_a_void_is_in_the_chain_by_its_digest_alone() {
    let desk = Desk::open(settings()).await;
    let first = desk.submit(&application()).unwrap();
    let second = desk.submit(&application()).unwrap();
    correct(&desk, 1, &first, &corrected()).unwrap();
    void(&desk, 2, &second).unwrap();
    let chain = desk.chain();
    assert!(!chain.iter().any(|text| text.contains("Ann Doe")));
    let kinds =
        |kind: &str| chain.iter().filter(|text| text.contains(&format!("\"kind\":\"{kind}\""))).count();
    assert_eq!(
        (kinds("operation.replaced"), kinds("operation.voided"), kinds("operation.accepted")),
        (1, 1, 3)
    );
}
