//! Drafts: kept as typed, seen by their writer alone, gone with their operation, and judged by nobody.

use holdfast_wire::{ApiCode, DraftView, KeepDraftRequest, OpenDraftRequest};
use serde_json::{Map, Value, json};

use crate::desk::{Desk, refusal, settings};

fn opened(desk: &Desk, kind: &str) -> DraftView {
    desk.station.open_draft(OpenDraftRequest { kind: kind.to_owned(), application_id: None }).unwrap()
}

fn typed(address: &str) -> Map<String, Value> {
    let Value::Object(values) = json!({ "OriginalAddress1": address, "EstProjectCost": "12,5" }) else {
        unreachable!()
    };
    values
}

fn keep(desk: &Desk, id: &str, values: Map<String, Value>) -> Result<String, holdfast_wire::ApiError> {
    let request = KeepDraftRequest { operation_id: id.to_owned(), values };
    desk.station.keep_draft(request).map(|kept| kept.saved_at)
}

#[tokio::test]
async fn a_draft_is_there_after_a_restart_as_it_was_typed() {
    let desk = Desk::open(settings()).await;
    let draft = opened(&desk, "application");
    assert_eq!((draft.row.kind.as_str(), draft.values.len()), ("application", 0));
    desk.clock.go_on_ms(800);
    let saved_at = keep(&desk, &draft.row.operation_id, typed("12,5 \u{202e}OAK 🏠")).unwrap();
    assert!(saved_at > draft.row.saved_at);
    let desk = desk.started_again(settings());
    let found = desk.station.draft(&draft.row.operation_id).unwrap();
    assert_eq!(found.values, typed("12,5 \u{202e}OAK 🏠"), "judged by nobody");
    assert_eq!((found.row.saved_at, found.row.about.as_deref()), (saved_at, Some("12,5 \u{202e}OAK 🏠")));
}

#[tokio::test]
async fn drafts_are_listed_with_the_one_kept_last_first_and_empty_ones_not_at_all() {
    let desk = Desk::open(settings()).await;
    let first = opened(&desk, "application").row.operation_id;
    assert_eq!(opened(&desk, "application").row.operation_id, first, "an untouched form is the same form");
    assert_eq!(desk.station.drafts().unwrap(), []);
    keep(&desk, &first, typed("1 OAK ST")).unwrap();
    let second = opened(&desk, "application").row.operation_id;
    assert_ne!(second, first);
    desk.clock.go_on_ms(1_000);
    keep(&desk, &second, Map::from_iter([("ApplicantName".to_owned(), json!("Ana"))])).unwrap();
    let listed = |desk: &Desk| -> Vec<(String, Option<String>)> {
        let drafts = desk.station.drafts().unwrap();
        drafts.into_iter().map(|row| (row.operation_id, row.about)).collect()
    };
    assert_eq!(listed(&desk), [(second.clone(), None), (first.clone(), Some("1 OAK ST".to_owned()))]);
    desk.clock.go_on_ms(1_000);
    keep(&desk, &first, typed("1 OAK ST")).unwrap();
    assert_eq!(listed(&desk)[0].0, first);
    desk.station.discard_draft(&second).unwrap();
    assert_eq!(listed(&desk).len(), 1);
    assert_eq!(refusal(desk.station.draft(&second)).0, ApiCode::NotFound);
}

#[tokio::test]
async fn nobody_reads_another_persons_draft() {
    let desk = Desk::open(settings()).await;
    let id = opened(&desk, "application").row.operation_id;
    keep(&desk, &id, typed("12 OAK ST")).unwrap();
    desk.sign_in("clerk").await.unwrap();
    assert_eq!(desk.station.drafts().unwrap(), []);
    assert_eq!(refusal(desk.station.draft(&id)).0, ApiCode::NotFound);
    assert_eq!(refusal(keep(&desk, &id, typed("mine now"))).0, ApiCode::NotFound);
    assert_eq!(refusal(desk.station.discard_draft(&id)).0, ApiCode::NotFound);
    desk.sign_in("supervisor").await.unwrap();
    assert_eq!(desk.station.draft(&id).unwrap().values, typed("12 OAK ST"));
}

#[tokio::test]
async fn submitting_takes_the_draft_away_and_a_refusal_leaves_it() {
    let desk = Desk::open(settings()).await;
    let id = opened(&desk, "application").row.operation_id;
    keep(&desk, &id, typed("12 OAK ST")).unwrap();
    let submit = |payload: Value| {
        desk.submit(&json!({ "kind": "application", "operation_id": id, "payload": payload }))
    };
    submit(json!({ "EstProjectCost": "12,5" })).unwrap_err();
    assert_eq!(desk.station.drafts().unwrap().len(), 1);
    let receipt = submit(json!({ "OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"] })).unwrap();
    assert_eq!(receipt.operation_id, id);
    assert_eq!(desk.station.drafts().unwrap(), []);
    assert_eq!(refusal(keep(&desk, &id, typed("too late"))).0, ApiCode::NotFound, "it does not come back");
}

#[tokio::test]
async fn a_draft_outlives_its_session_and_nobody_has_drafts_without_one() {
    let desk = Desk::open(settings()).await;
    let id = opened(&desk, "application").row.operation_id;
    desk.clock.go_on_ms(48 * 3_600_000);
    keep(&desk, &id, typed("typed while the session ended")).unwrap();
    assert_eq!(refusal(desk.station.drafts()).0, ApiCode::NotSignedIn);
    assert_eq!(refusal(desk.station.draft(&id)).0, ApiCode::NotSignedIn);
    desk.station.sign_out().unwrap();
    assert_eq!(refusal(keep(&desk, &id, typed("x"))).0, ApiCode::NotSignedIn);
    let request = OpenDraftRequest { kind: "application".to_owned(), application_id: None };
    assert_eq!(refusal(desk.station.open_draft(request)).0, ApiCode::NotSignedIn);
}

#[tokio::test]
async fn what_is_beyond_a_limit_is_refused_and_what_was_kept_stays() {
    let desk = Desk::open(settings()).await;
    let id = opened(&desk, "application").row.operation_id;
    keep(&desk, &id, typed("12 OAK ST")).unwrap();
    let (code, problems) = refusal(keep(&desk, &id, typed(&"x".repeat(1_000_000))));
    assert_eq!((code, problems[0].1.as_str()), (ApiCode::Refused, "too-long"));
    assert_eq!(desk.station.draft(&id).unwrap().values, typed("12 OAK ST"));
    for n in 1..200 {
        let id = opened(&desk, "application").row.operation_id;
        keep(&desk, &id, typed(&format!("{n} ELM ST"))).unwrap();
    }
    let request = OpenDraftRequest { kind: "application".to_owned(), application_id: None };
    let (code, problems) = refusal(desk.station.open_draft(request));
    assert_eq!((code, problems[0].1.as_str()), (ApiCode::Refused, "too-many"));
    let request = OpenDraftRequest { kind: "party".to_owned(), application_id: None };
    assert_eq!(refusal(desk.station.open_draft(request)).0, ApiCode::Refused);
}

#[tokio::test]
async fn drafts_are_no_acts() {
    let desk = Desk::open(settings()).await;
    let events = desk.events();
    let id = opened(&desk, "application").row.operation_id;
    keep(&desk, &id, typed("12 OAK ST")).unwrap();
    desk.station.discard_draft(&id).unwrap();
    assert_eq!(desk.events(), events);
}
