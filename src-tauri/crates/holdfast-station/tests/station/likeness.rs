//! Applications that look like another one: all are kept, and somebody is told to look twice.

use holdfast_station::ports::{CopiedRecord, RecordsPage};
use holdfast_wire::{ApiCode, KeepLikenessRequest, LikenessRow, ListRequest, ReceiptView};
use serde_json::{Value, json};

use crate::desk::{Desk, refusal, settings, wall};

const HOUR_MS: u64 = 3_600_000;

fn fence(changes: &[(&str, &str)]) -> Value {
    let mut payload = json!({
        "OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence", "ApplicantName": "Rosa Delgado",
    });
    for (name, value) in changes {
        payload[*name] = json!(value);
    }
    payload
}

fn file(desk: &Desk, payload: &Value) -> ReceiptView {
    desk.submit(&json!({ "kind": "application", "payload": payload })).unwrap()
}

fn pairs(desk: &Desk) -> Vec<LikenessRow> {
    desk.station.like_pairs(ListRequest { skip: 0, rows: 100 }).unwrap()
}

fn likes(receipt: &ReceiptView) -> Vec<&str> {
    receipt.looks_like.iter().map(|like| like.application_id.as_str()).collect()
}

fn keep(desk: &Desk, of: &str, reason: &str) -> Result<Vec<String>, holdfast_wire::ApiError> {
    let ask = KeepLikenessRequest { of: of.to_owned(), reason: reason.to_owned() };
    desk.station.keep_likeness(ask).map(|kept| kept.kept_beside)
}

#[tokio::test(start_paused = true)]
async fn an_application_filed_again_after_a_slow_answer_is_kept_and_marked() {
    let desk = Desk::open(settings()).await;
    let first = file(&desk, &fence(&[]));
    desk.clock.go_on_ms(10 * 60_000);
    let again = file(&desk, &fence(&[("ApplicantName", "ROSA  DELGADO"), ("Description", "cedar, 6 ft")]));
    assert_eq!(likes(&again), [first.application_id.as_str()]);
    assert_eq!(again.looks_like[0].receipt_no.as_ref(), Some(&first.receipt_no));
    let rows = desk.station.queue(ListRequest { skip: 0, rows: 9 }).unwrap();
    let marks: Vec<_> = rows.iter().map(|row| row.looks_like.len()).collect();
    assert_eq!(marks, [1, 1], "both are there, and each names the other");
    assert_eq!(desk.station.record(&first.application_id).unwrap().looks_like.len(), 1);
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.pending), (2, 0), "nothing is merged and nothing dropped");
    assert_eq!(pairs(&desk).len(), 1, "and the mark outlives the sending");
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn who_says_that_both_are_right_takes_the_mark_away_for_good() {
    let desk = Desk::open(settings()).await;
    let (first, again) = (file(&desk, &fence(&[])), file(&desk, &fence(&[])));
    assert_eq!(refusal(keep(&desk, &again.idempotency_key, "  ")).1, [("/reason".into(), "missing".into())]);
    assert_eq!(refusal(keep(&desk, &"0".repeat(64), "two gates")).0, ApiCode::NotFound);
    assert_eq!(keep(&desk, &again.idempotency_key, "two gates"), Ok(vec![first.application_id.clone()]));
    assert_eq!(pairs(&desk), []);
    let none = refusal(keep(&desk, &first.application_id, "two gates"));
    assert_eq!(none, (ApiCode::Refused, vec![("/of".into(), "not-waiting".into())]));
    let told = desk.chain().into_iter().filter(|event| event.contains("likeness.kept")).collect::<Vec<_>>();
    assert_eq!(told.len(), 1);
    let by_name = told[0].contains("\"actor_id\":\"supervisor\"") && told[0].contains(&again.operation_id);
    assert!(by_name, "by name, of the operation: {told:?}");
    let personal = ["two gates", "Delgado", "OAK"];
    assert!(!desk.chain().iter().any(|event| personal.iter().any(|text| event.contains(text))));
    // A third one looks like both of them: what was looked at were those two.
    assert_eq!(likes(&file(&desk, &fence(&[]))).len(), 2);
}

#[tokio::test(start_paused = true)]
async fn what_was_taken_back_or_corrected_looks_like_nothing_any_more() {
    let desk = Desk::open(settings()).await;
    let (first, again) = (file(&desk, &fence(&[])), file(&desk, &fence(&[])));
    let to = fence(&[("OriginalAddress1", "14 OAK ST")]);
    let mut elsewhere = to;
    elsewhere["PIN"] = json!(["0010-22-418"]);
    let correction = json!({
        "kind": "correction", "application_id": again.application_id,
        "payload": {"of": again.operation_id, "payload": elsewhere},
    });
    desk.submit(&correction).unwrap();
    assert_eq!(pairs(&desk), [], "it stands next door now");
    let third = file(&desk, &fence(&[]));
    assert_eq!(likes(&third), [first.application_id.as_str()]);
    let void = json!({
        "kind": "void", "application_id": third.application_id,
        "payload": {"of": third.operation_id, "reason": "filed twice"},
    });
    desk.submit(&void).unwrap();
    assert_eq!(pairs(&desk), [], "one of the two is left");
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn two_are_compared_within_the_window_alone_and_imported_ones_not_at_all() {
    let desk = Desk::open(settings()).await;
    file(&desk, &fence(&[]));
    assert_eq!(likes(&file(&desk, &fence(&[("PermitNum", "2007-001000")]))), Vec::<&str>::new());
    desk.clock.go_on_ms(24 * HOUR_MS + 1);
    desk.station.refresh_contract().await.ok();
    desk.sign_in("supervisor").await.unwrap();
    desk.sor.contracts(|_| {
        let bundle = crate::office::bundle(8, wall("2026-12-01T08:00:00.000Z"));
        Ok(holdfast_station::ports::ContractAnswer::Bundle(Box::new(bundle)))
    });
    desk.station.refresh_contract().await.unwrap();
    assert_eq!(likes(&file(&desk, &fence(&[]))), Vec::<&str>::new(), "a day later");
}

fn theirs(n: u32, updated_at: &str, payload: Value) -> CopiedRecord {
    CopiedRecord {
        application_id: format!("01932c6f-8f0a-7cc3-98a1-0242ac13{n:04}").parse().unwrap(),
        record_id: format!("AF-R-{n}").parse().unwrap(),
        permit_num: Some(format!("AF-2026-{n:05}").parse().unwrap()),
        etag: "\"7\"".parse().unwrap(),
        stage: holdfast_core::lifecycle::Stage::Intake,
        updated_at: wall(updated_at),
        payload,
        holds: Vec::new(),
        notes: Vec::new(),
    }
}

#[tokio::test(start_paused = true)]
async fn two_stations_that_file_the_same_keep_both_and_each_is_told() {
    let desk = Desk::open(settings()).await;
    let ours = file(&desk, &fence(&[]));
    let records = vec![
        theirs(1, "2026-11-30T07:50:00.000Z", fence(&[])),
        theirs(2, "2026-11-30T07:51:00.000Z", fence(&[("AppliedDate", "2024-05-01")])),
        theirs(3, "2026-11-30T07:52:00.000Z", fence(&[("ApplicantName", "Ben Ortiz")])),
    ];
    desk.sor.records(move |_| Ok(RecordsPage { records: records.clone(), next: None }));
    desk.station.refresh_copies().await.unwrap();
    let found = pairs(&desk);
    let named: Vec<_> = found.iter().map(|pair| pair.permit_num.as_deref()).collect();
    assert_eq!(
        named,
        [Some("AF-2026-00001")],
        "an old one that changed today is none, nor is another person's"
    );
    assert_eq!(found[0].looks_like.receipt_no.as_ref(), Some(&ours.receipt_no));
    assert_eq!(desk.station.operation(&ours.idempotency_key).unwrap().row.looks_like.len(), 1);
    let events = desk.events();
    desk.station.refresh_copies().await.unwrap();
    assert_eq!(desk.events(), events, "it is told once");
    assert_eq!(desk.until_empty().await.committed, 1);
    // And one that is handed in here after the other station's has come.
    assert_eq!(likes(&file(&desk, &fence(&[]))).len(), 2);
    assert!(desk.clean());
}
