//! What is kept of an answer, and what of it enters the audit chain.

use serde_json::json;

use super::answers::*;
use super::*;
use holdfast_core::limits::ANSWER_KEPT_MAX_BYTES;

fn quarantined(answer: &Answer) -> (crate::ports::Quarantine, holdfast_core::audit::Entry) {
    let (endpoint, pass) = on_the_edge();
    let (settlement, _) = settled(endpoint, pass, &item(), answer);
    match settlement.item {
        Some(ItemChange::Quarantined(quarantine)) => (quarantine, settlement.entries[0].clone()),
        other @ (Some(ItemChange::Committed(_) | ItemChange::Pending(_) | ItemChange::Twin(_)) | None) => {
            panic!("{other:?}")
        }
    }
}

#[test]
fn a_quarantine_keeps_status_type_pointers_and_codes_and_no_text() {
    let errors = json!([{ "pointer": "/ApplicantName", "code": "unknown-person" }]);
    let answer = problem(422, "validation", &json!({ "title": "Ann Roe owes a fee", "errors": errors }));
    let (quarantine, entry) = quarantined(&answer);
    assert_eq!(quarantine.answer["status"], 422);
    assert_eq!(quarantine.answer["type"], "validation");
    assert_eq!(quarantine.answer["errors"], errors);
    assert!(!quarantine.answer.to_string().contains("Ann Roe"));
    assert_eq!((&entry.data["problem"], &entry.data["status"]), (&json!("validation"), &json!(422)));
}

#[test]
fn a_conflict_keeps_the_version_that_the_sor_has() {
    let (quarantine, _) = quarantined(&problem(412, "version-conflict", &json!({ "etag": "\"8\"" })));
    assert_eq!(quarantine.answer["etag"], "\"8\"");
}

#[test]
fn of_a_flood_of_errors_so_much_is_kept_and_no_more() {
    let errors: Vec<_> = (0..5_000).map(|n| json!({ "pointer": format!("/a/{n}"), "code": "bad" })).collect();
    let (quarantine, _) = quarantined(&problem(422, "validation", &json!({ "errors": errors })));
    let kept = quarantine.answer["errors"].as_array().unwrap();
    assert!(!kept.is_empty() && quarantine.answer.to_string().len() <= 2 * ANSWER_KEPT_MAX_BYTES);

    let one = json!([{ "pointer": format!("/{}", "x".repeat(100_000)), "code": "bad" }]);
    let (quarantine, _) = quarantined(&problem(422, "validation", &json!({ "errors": one })));
    assert!(quarantine.answer.to_string().len() <= ANSWER_KEPT_MAX_BYTES);
}

#[test]
fn no_text_of_the_sor_enters_the_chain_but_by_its_salted_digest() {
    let errors = json!([{ "pointer": "/Contacts/Ann Roe", "code": "owes-a-fee" }]);
    let (endpoint, pass) = on_the_edge();
    let (committed, _) = settled(endpoint, pass, &item(), &warned());
    let (_, refused) = quarantined(&problem(422, "validation", &json!({ "errors": errors })));
    for (name, entry) in [("warnings", &committed.entries[0]), ("errors", &refused)] {
        let chained = serde_json::to_string(&entry.data).unwrap();
        assert!(!chained.contains("Ann Roe"), "{chained}");
        assert_eq!(entry.private.len(), 1, "{name}");
        assert_eq!((entry.private[0].name, entry.private[0].salt), (name, [3; 32]));
        assert!(entry.private[0].text.contains("Ann Roe"), "the evidence is kept beside the chain");
    }
}
