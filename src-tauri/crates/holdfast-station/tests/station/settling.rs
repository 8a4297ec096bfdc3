//! At an SoR without keys: nothing is sent again before the settle time has shown that it is not there, what was recorded is
//! looked at once more, and what is there twice comes before a person by name.

mod found;
mod histories;
mod vendor;

use holdfast_core::outcome::Warning;
use holdfast_core::reprove::Recollection;
use holdfast_wire::{ApiCode, DecideRequest, Decision, DrainReport, DrainStop, QueueItemView};
use serde_json::json;

use self::vendor::{Fate, Vendor};
use crate::answers::{lost, stranger};
use crate::desk::{Desk, refusal, settings};
use crate::sor::Asked;

/// `settle_s` and the limit of one attempt, in milliseconds.
const SETTLED_MS: u64 = 245_000;

async fn without_keys() -> (Desk, Vendor) {
    let desk = Desk::open_without_keys(settings()).await;
    let vendor = Vendor::behind(&desk);
    (desk, vendor)
}

fn shown(desk: &Desk, key: &str) -> QueueItemView {
    desk.station.operation(key).unwrap()
}

fn decide(
    desk: &Desk,
    key: &str,
    decision: Decision,
) -> Result<holdfast_wire::Decided, holdfast_wire::ApiError> {
    desk.station.decide(DecideRequest { key: key.to_owned(), decision, reason: "looked at it".into() })
}

/// As long as the settle time goes by, and then a pass.
async fn later(desk: &Desk) -> DrainReport {
    desk.clock.go_on_ms(SETTLED_MS);
    desk.pass().await
}

fn words(desk: &Desk, kind: &str) -> usize {
    let word = format!("\"kind\":\"{kind}\"");
    desk.chain().iter().filter(|event| event.contains(&word)).count()
}

#[tokio::test(start_paused = true)]
async fn after_a_lost_answer_nothing_is_sent_again_before_the_settle_time_says_absent() {
    let (desk, vendor) = without_keys().await;
    vendor.next(Fate::LostBefore);
    desk.apply();
    let began = tokio::time::Instant::now();
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.stopped_because), (1, DrainStop::Empty));
    assert!(began.elapsed().as_millis() >= u128::from(SETTLED_MS), "{:?}", began.elapsed());
    assert!(began.elapsed().as_secs() < 300, "{:?}", began.elapsed());
    let looks = desk.sor.asked().iter().filter(|asked| **asked == Asked::LookUp).count();
    assert_eq!(looks, 2, "one early, and one that counts");
    assert_eq!(vendor.effects(), [1]);
}

#[tokio::test(start_paused = true)]
async fn an_early_look_that_finds_it_ends_the_doubt() {
    let (desk, vendor) = without_keys().await;
    vendor.next(Fate::LostAfter);
    desk.apply();
    let began = tokio::time::Instant::now();
    let report = desk.until_empty().await;
    assert_eq!((report.already_committed, report.stopped_because), (1, DrainStop::Empty));
    assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
    assert_eq!(vendor.effects(), [1]);
}

#[tokio::test(start_paused = true)]
async fn the_lane_waits_meanwhile_and_other_lanes_go_on() {
    let (desk, vendor) = without_keys().await;
    vendor.next(Fate::LostBefore);
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    desk.apply();
    let report = desk.pass().await;
    assert_eq!((report.committed, report.pending), (1, 2));
    assert_eq!(desk.sor.delivered(), [1, 3]);
    assert_eq!(desk.until_empty().await.pending, 0);
    assert_eq!(desk.sor.delivered(), [1, 3, 1, 2]);
}

#[tokio::test(start_paused = true)]
async fn neither_a_restart_nor_a_clock_that_is_set_nor_a_breaker_that_closes_makes_it_shorter() {
    let (desk, vendor) = without_keys().await;
    vendor.next(Fate::LostBefore);
    desk.apply();
    desk.pass().await;
    let desk = desk.started_again(settings());
    desk.clock.set_wall("2027-11-30T08:00:00.000Z");
    desk.pass().await;
    desk.pass().await;
    assert_eq!(desk.sor.delivered(), [1], "the wall clock says a year");
    desk.clock.go_on_ms(SETTLED_MS - 2_000);
    desk.pass().await;
    assert_eq!(desk.sor.delivered(), [1], "almost");
    desk.clock.set_wall("2025-11-30T08:00:00.000Z");
    desk.clock.go_on_ms(2_000);
    assert_eq!(desk.until_empty().await.committed, 1);
    assert_eq!(vendor.effects(), [1]);
}

#[tokio::test(start_paused = true)]
async fn a_kill_between_send_and_answer_counts_as_sent() {
    for fate in [Fate::LostBefore, Fate::LostAfter, Fate::Late { ms: 200_000 }] {
        let (desk, vendor) = without_keys().await;
        vendor.next(fate);
        desk.apply();
        desk.sor.takes_ms(3_000);
        {
            let (_handle, stop) = holdfast_station::Stop::new();
            let request = holdfast_wire::DrainRequest { until_empty: true, max_s: None };
            let drain = desk.station.drain(request, stop, &|_| ());
            assert!(tokio::time::timeout(std::time::Duration::from_secs(1), drain).await.is_err());
        }
        // What was sent arrives all the same.
        vendor.arrives(&desk, 1);
        let desk = desk.started_again(settings());
        desk.sor.takes_ms(0);
        let began = desk.clock_ms();
        let report = desk.until_empty().await;
        assert_eq!(report.committed + report.already_committed, 1, "{fate:?}");
        assert_eq!(vendor.effects(), [1], "{fate:?}");
        if fate == Fate::LostBefore {
            assert!(desk.clock_ms() - began >= SETTLED_MS - 3_000);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_no_look_can_find_is_sent_once_and_then_waits_for_a_person() {
    for killed in [false, true] {
        let (desk, vendor) = without_keys().await;
        let lane = desk.apply();
        desk.until_empty().await;
        let note = json!({ "kind": "note", "application_id": lane, "payload": { "text": "called back" } });
        let receipt = desk.submit(&note).unwrap();
        let desk = if killed {
            desk.sor.takes_ms(3_000);
            let pass = desk.pass();
            assert!(tokio::time::timeout(std::time::Duration::from_secs(1), pass).await.is_err());
            desk.started_again(settings())
        } else {
            vendor.next(Fate::LostBefore);
            desk.pass().await;
            desk
        };
        let item = shown(&desk, &receipt.idempotency_key);
        assert_eq!(item.row.reason.as_deref(), Some("unprovable"), "{killed}");
        assert_eq!(item.row.doubt, "sent");
        desk.sor.takes_ms(0);
        later(&desk).await;
        assert_eq!(desk.sor.delivered(), [1, 2], "never again by itself");
        // A person has looked, and has it sent.
        decide(&desk, &receipt.idempotency_key, Decision::Requeue).unwrap();
        assert_eq!(desk.until_empty().await.committed, 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_commit_is_looked_at_once_more_and_settled() {
    let (desk, _vendor) = without_keys().await;
    desk.apply();
    assert_eq!(
        desk.until_empty().await.stopped_because,
        DrainStop::Empty,
        "nobody waits for the second look"
    );
    desk.pass().await;
    assert_eq!(words(&desk, "operation.settled"), 0, "not before its time");
    later(&desk).await;
    assert_eq!(words(&desk, "operation.settled"), 1);
    later(&desk).await;
    assert_eq!(words(&desk, "operation.settled"), 1, "once");
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn more_commits_than_are_looked_at_in_a_row_are_all_looked_at_by_a_drain_that_has_nothing_else_to_do() {
    let (desk, _vendor) = without_keys().await;
    for _ in 0..20 {
        desk.apply();
    }
    desk.until_empty().await;
    assert_eq!(later(&desk).await.stopped_because, DrainStop::Empty);
    assert_eq!(words(&desk, "operation.settled"), 20);
}

#[tokio::test(start_paused = true)]
async fn a_second_look_that_proves_nothing_is_made_again_and_given_up_in_the_end() {
    let (desk, vendor) = without_keys().await;
    desk.apply();
    desk.until_empty().await;
    vendor.goes_blind();
    for _ in 0..12 {
        later(&desk).await;
    }
    assert_eq!(words(&desk, "operation.unsettled"), 1);
    assert_eq!(desk.station.status().unwrap().books.committed, 1);
    assert_eq!(desk.station.status().unwrap().outages_open, 0, "an errand says nothing about the endpoint");
}

/// A twin that a second look has found: recorded once, and applied once more out of nowhere.
async fn found_twin() -> (Desk, Vendor, String, String) {
    let (desk, vendor) = without_keys().await;
    vendor.next(Fate::Late { ms: 300_000 });
    let lane = desk.apply();
    let receipt = desk.advance(&lane, "PrelimReview");
    desk.until_empty().await;
    desk.advance(&lane, "FeeEstimated");
    let key = shown_key(&desk, &lane);
    later(&desk).await;
    let _ = receipt;
    (desk, vendor, lane, key)
}

fn shown_key(desk: &Desk, lane: &str) -> String {
    let operations = desk.station.application(lane).unwrap().operations;
    operations[0].idempotency_key.clone()
}

#[tokio::test(start_paused = true)]
async fn a_twin_of_a_recorded_one_comes_before_a_person_and_its_lane_goes_on() {
    let (desk, vendor, lane, key) = found_twin().await;
    assert_eq!(vendor.effects(), [2, 1, 1], "the vendor has it twice");
    let item = shown(&desk, &key);
    assert_eq!((item.row.state.as_str(), item.row.reason.as_deref()), ("quarantined", Some("twin")));
    let twin = item.said.unwrap().twin.unwrap();
    assert_eq!((twin.record_ids.len(), twin.voids.len()), (2, 1));
    assert!(!twin.voids.contains(twin.stays.as_ref().unwrap()));
    let books = desk.station.status().unwrap().books;
    assert_eq!((books.committed, books.quarantined, books.pending), (2, 1, 0), "what was behind it was sent");
    assert_eq!(desk.station.application(&lane).unwrap().row.waiting, 0);
    assert_eq!(words(&desk, "operation.twin_found"), 1);
    assert!(desk.clean());
    // More work of the lane is taken and sent.
    desk.advance(&lane, "ConditionalApproval");
    assert_eq!(desk.until_empty().await.committed, 1);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn a_person_keeps_one_of_a_twin_and_the_other_stays_named() {
    let (desk, _vendor, _, key) = found_twin().await;
    let before = shown(&desk, &key).said.unwrap().twin.unwrap();
    let (code, _) = refusal(decide(&desk, &key, Decision::Void));
    assert_eq!(code, ApiCode::Refused, "it is there: it is not taken back here");
    let decided = decide(&desk, &key, Decision::Keep).unwrap();
    assert_eq!((decided.state.as_str(), decided.going_on), ("committed", 0));
    let item = shown(&desk, &key);
    assert_eq!((item.row.state.as_str(), item.record_id), ("committed", before.stays.clone()));
    let kept = item.said.unwrap().twin.unwrap();
    assert_eq!((&kept.voids, kept.kept_at.is_some()), (&before.voids, true));
    let books = desk.station.status().unwrap().books;
    assert_eq!((books.committed, books.quarantined), (3, 0));
    later(&desk).await;
    assert_eq!(words(&desk, "operation.twin_found"), 1, "it is not found again");
    assert_eq!(words(&desk, "operation.kept"), 1);
    let (_, problems) = refusal(decide(&desk, &key, Decision::Keep));
    assert_eq!(problems, [("/key".to_owned(), "not-waiting".to_owned())]);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn a_twin_whose_other_was_voided_there_is_settled_by_looking_again() {
    let (desk, vendor, _, key) = found_twin().await;
    decide(&desk, &key, Decision::Requeue).unwrap();
    desk.pass().await;
    assert_eq!(shown(&desk, &key).row.reason.as_deref(), Some("twin"), "both are there still");
    let twin = shown(&desk, &key).said.unwrap().twin.unwrap();
    vendor.void(&twin.voids[0]);
    decide(&desk, &key, Decision::Requeue).unwrap();
    desk.pass().await;
    let item = shown(&desk, &key);
    assert_eq!((item.row.state.as_str(), item.said.and_then(|said| said.twin)), ("committed", None));
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn a_twin_found_before_a_resend_holds_up_its_lane_until_a_person_decides() {
    let (desk, vendor) = without_keys().await;
    vendor.next(Fate::Late { ms: 250_000 });
    vendor.next(Fate::Late { ms: 10_000 });
    let lane = desk.apply();
    let receipt = desk.advance(&lane, "PrelimReview");
    assert_eq!(desk.until_empty().await.stopped_because, DrainStop::Paused);
    let key = shown_key(&desk, &lane);
    let item = shown(&desk, &key);
    assert_eq!(item.row.reason.as_deref(), Some("twin"));
    assert_eq!(item.said.unwrap().twin.unwrap().record_ids.len(), 2);
    assert_eq!(shown(&desk, &receipt.idempotency_key).row.state, "pending");
    assert_eq!(decide(&desk, &key, Decision::Keep).unwrap().going_on, 1);
    assert_eq!(desk.until_empty().await.committed, 1);
    assert_eq!(desk.station.application(&lane).unwrap().row.waiting, 0);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn a_twin_that_appears_after_the_second_look_is_named_when_the_last_commits_are_looked_for_anyway() {
    let (desk, vendor) = without_keys().await;
    desk.sor.recalls(|| Ok(Recollection::default()));
    vendor.next(Fate::Late { ms: 900_000 });
    let lane = desk.apply();
    desk.until_empty().await;
    later(&desk).await;
    assert_eq!((words(&desk, "operation.settled"), words(&desk, "operation.twin_found")), (1, 0));
    desk.clock.go_on_ms(900_000);
    later(&desk).await;
    assert_eq!(words(&desk, "operation.twin_found"), 0, "nobody looks by itself");
    let desk = desk.started_again(settings());
    desk.pass().await;
    assert_eq!(vendor.effects(), [2]);
    assert_eq!(words(&desk, "operation.twin_found"), 1);
    let key = shown_key(&desk, &lane);
    assert_eq!(shown(&desk, &key).row.reason.as_deref(), Some("twin"));
    // Once decided, it is not found again for as long as the other is there.
    decide(&desk, &key, Decision::Keep).unwrap();
    let desk = desk.started_again(settings());
    desk.pass().await;
    assert_eq!(words(&desk, "operation.twin_found"), 1);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn only_a_twin_is_kept() {
    let (desk, vendor) = without_keys().await;
    let lane = desk.apply();
    desk.until_empty().await;
    let note = json!({ "kind": "note", "application_id": lane, "payload": { "text": "called back" } });
    let receipt = desk.submit(&note).unwrap();
    vendor.next(Fate::LostBefore);
    desk.pass().await;
    let (_, problems) = refusal(decide(&desk, &receipt.idempotency_key, Decision::Keep));
    assert_eq!(problems, [("/key".to_owned(), "not-waiting".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn a_remark_of_the_sor_is_kept_and_shown_and_enters_the_chain_by_its_digest_only() {
    let (desk, vendor) = without_keys().await;
    vendor.remarks(Warning { code: "script-failed".into(), text: "fee script of O. Oakley failed".into() });
    let lane = desk.apply();
    desk.until_empty().await;
    let item = shown(&desk, &shown_key(&desk, &lane));
    let remarks = item.said.unwrap().remarks;
    assert_eq!(
        (remarks[0].code.as_str(), remarks[0].text.as_str()),
        ("script-failed", "fee script of O. Oakley failed")
    );
    assert!(desk.chain().iter().all(|event| !event.contains("Oakley")));
    assert_eq!(words(&desk, "operation.committed"), 1);
}

#[tokio::test(start_paused = true)]
async fn whatever_leaves_an_answer_in_the_dark_is_looked_for_before_it_is_sent_again() {
    for (name, answer) in [
        ("500", stranger(500)),
        ("502", stranger(502)),
        ("impostor", stranger(200)),
        ("untyped 403", stranger(403)),
        ("redirect", stranger(302)),
        ("lost", lost()),
    ] {
        let (desk, vendor) = without_keys().await;
        vendor.next_says(answer);
        desk.apply();
        assert_eq!(desk.until_empty().await.committed, 1, "{name}");
        let asked = desk.sor.asked();
        let second = asked.iter().rposition(|asked| matches!(asked, Asked::Deliver { .. })).unwrap();
        assert!(asked[..second].contains(&Asked::LookUp), "{name}: {asked:?}");
        assert_eq!(vendor.effects(), [1], "{name}");
    }
}
