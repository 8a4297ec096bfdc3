//! What no look can find, a person can: the word of a person who has looked at the SoR closes it, by name and with a reason.

use holdfast_wire::{ApiCode, Decision};
use serde_json::json;

use super::vendor::Fate;
use super::{decide, found_twin, later, shown, without_keys, words};
use crate::desk::{Desk, refusal};

fn found(record: &str) -> Decision {
    Decision::Found { record: record.to_owned() }
}

/// A note in the dark, with another behind it; their keys.
async fn in_the_dark() -> (Desk, [String; 2]) {
    let (desk, vendor) = without_keys().await;
    let lane = desk.apply();
    desk.until_empty().await;
    vendor.next(Fate::LostAfter);
    let note = |text: &str| json!({ "kind": "note", "application_id": lane, "payload": { "text": text } });
    let keys = ["called back", "called again"].map(|text| desk.submit(&note(text)).unwrap().idempotency_key);
    desk.pass().await;
    assert_eq!(shown(&desk, &keys[0]).row.reason.as_deref(), Some("unprovable"));
    (desk, keys)
}

#[tokio::test(start_paused = true)]
async fn what_a_person_has_found_there_is_recorded_by_name_and_its_lane_goes_on() {
    let (desk, [key, behind]) = in_the_dark().await;
    let decided = decide(&desk, &key, found("C-4711")).unwrap();
    assert_eq!((decided.state.as_str(), decided.going_on), ("committed", 1));
    let item = shown(&desk, &key);
    assert_eq!((item.row.state.as_str(), item.row.doubt.as_str()), ("committed", "none"));
    assert_eq!(
        item.record_id.as_deref(),
        Some("R-1"),
        "the record of its application is the one that is known"
    );
    let by = item.said.unwrap().found.unwrap();
    assert_eq!((by.by.as_str(), by.record_id.as_str()), ("supervisor", "C-4711"));
    let books = desk.station.status().unwrap().books;
    assert_eq!((books.committed, books.quarantined, books.pending), (2, 0, 1));
    let told = desk.chain().into_iter().find(|event| event.contains("operation.found_by_person")).unwrap();
    assert!(told.contains("\"actor_id\":\"supervisor\"") && told.contains("\"seen\":\"C-4711\""), "{told}");
    assert!(!told.contains("looked at it"), "the reason by its digest only: {told}");
    assert_ne!(shown(&desk, &behind).row.state, "quarantined");
    desk.until_empty().await;
    assert_eq!(desk.sor.delivered(), [1, 2, 3], "it is not sent again, and what is behind it is sent");
    later(&desk).await;
    assert_eq!(words(&desk, "operation.found_by_person"), 1);
    let (_, problems) = refusal(decide(&desk, &key, found("C-4711")));
    assert_eq!(problems, [("/key".to_owned(), "not-waiting".to_owned())]);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn what_can_be_found_without_a_person_is_not_recorded_on_a_persons_word() {
    let (desk, vendor) = without_keys().await;
    vendor.next_says(crate::answers::typed(422, "validation"));
    let lane = desk.apply();
    desk.pass().await;
    let key = super::shown_key(&desk, &lane);
    assert_eq!(shown(&desk, &key).row.state, "quarantined");
    let (code, problems) = refusal(decide(&desk, &key, found("R-1")));
    assert_eq!((code, problems), (ApiCode::Refused, vec![("/key".to_owned(), "not-allowed".to_owned())]));
    assert_eq!(words(&desk, "decision.refused"), 1, "and that is told");
}

#[tokio::test(start_paused = true)]
async fn what_is_no_record_is_not_found() {
    let (desk, [key, _]) = in_the_dark().await;
    for record in ["", "two words", &"9".repeat(200)] {
        let (_, problems) = refusal(decide(&desk, &key, found(record)));
        assert_eq!(problems, [("/decision/record".to_owned(), "no-choice-fits".to_owned())], "{record}");
    }
    assert_eq!(shown(&desk, &key).row.state, "quarantined");
}

#[tokio::test(start_paused = true)]
async fn of_a_twin_a_person_says_which_one_stays() {
    let (desk, _vendor, lane, key) = found_twin().await;
    let twin = shown(&desk, &key).said.unwrap().twin.unwrap();
    let (_, problems) = refusal(decide(&desk, &key, found("R-99")));
    assert_eq!(problems, [("/decision/record".to_owned(), "no-choice-fits".to_owned())]);
    let other = twin.voids[0].clone();
    assert_eq!(decide(&desk, &key, found(&other)).unwrap().state, "committed");
    let item = shown(&desk, &key);
    let kept = item.said.unwrap().twin.unwrap();
    assert_eq!((kept.stays.as_deref(), kept.voids), (Some(other.as_str()), vec![twin.stays.unwrap()]));
    assert_eq!(item.record_id.as_deref(), Some(other.as_str()));
    assert_eq!(desk.station.application(&lane).unwrap().record_id.as_deref(), Some(other.as_str()));
    assert!(desk.clean());
}
