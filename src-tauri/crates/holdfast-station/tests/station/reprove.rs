//! An SoR, or a station, that came back from an older copy; and what goes wrong although no single operation shows it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use holdfast_core::ids::{IdempotencyKey, LocalSeq};
use holdfast_core::operation::{Body, Kind};
use holdfast_core::outcome::{Answer, Content, ReceiptState};
use holdfast_core::reprove::Recollection;
use holdfast_station::ports::{HeldThere, SorFault};
use holdfast_wire::{
    ApiCode, ApiError, Decision, DrainStop, ListRequest, ModeCause, RestoreDecided, RestoreDecision,
    RestoreRequest, RestoreSign, RestoreStage, RestoreView,
};
use serde_json::{Value, json};

use crate::answers::{absent, lost, receipt, recorded, replied, typed};
use crate::decide::{decide, quarantined};
use crate::desk::{Desk, refusal, settings};

/// The records of an SoR: what was delivered, by its key. A test puts an older copy back by taking keys out.
#[derive(Clone, Default)]
struct Records {
    held: Arc<Mutex<BTreeMap<IdempotencyKey, Body>>>,
    epoch: Arc<Mutex<u64>>,
}

impl Records {
    fn behind(desk: &Desk) -> Self {
        let records = Self::default();
        let (writing, looking, recalling) = (records.clone(), records.clone(), records.clone());
        desk.sor.deliveries(move |_, body| {
            writing.held.lock().unwrap().insert(body.idempotency_key(), body.clone());
            recorded(body, body.local_seq.0)
        });
        desk.sor.look_ups(move |key| match looking.held.lock().unwrap().get(key) {
            Some(body) => found(body),
            None => absent(key),
        });
        desk.sor.recalls(move || Ok(recalling.recollection()));
        records
    }

    fn recollection(&self) -> Recollection {
        let held = self.held.lock().unwrap();
        let last = held.values().map(|body| body.local_seq).max().unwrap_or(LocalSeq(0));
        Recollection {
            epoch: Some(*self.epoch.lock().unwrap()),
            last_local_seq: Some(last),
            applied: Some(held.len() as u64),
            order: None,
        }
    }

    /// A copy from when only these were there.
    fn come_back_with(&self, kept: &[u64]) {
        self.held.lock().unwrap().retain(|_, body| kept.contains(&body.local_seq.0));
    }
}

fn found(body: &Body) -> Answer {
    replied(200, Content::Receipt(receipt(body, body.local_seq.0, ReceiptState::Applied)))
}

fn view(desk: &Desk) -> RestoreView {
    desk.station.restore(ListRequest { skip: 0, rows: 100 }).unwrap()
}

fn settle(desk: &Desk, decision: RestoreDecision) -> Result<RestoreDecided, ApiError> {
    let reason = "Friday's copy was put back".to_owned();
    desk.station.settle_restore(RestoreRequest { decision, reason })
}

fn events(desk: &Desk, kind: &str) -> Vec<Value> {
    let events = desk.chain().into_iter().map(|text| serde_json::from_str::<Value>(&text).unwrap());
    events.filter(|event| event["kind"] == kind).collect()
}

fn causes(desk: &Desk) -> Vec<ModeCause> {
    desk.station.standing().unwrap().causes
}

/// An application with a move and another application, recorded and agreed on; then an older copy is put back at the SoR.
async fn came_back(kept: &[u64]) -> (Desk, Records) {
    let desk = Desk::open(settings()).await;
    let records = Records::behind(&desk);
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    desk.apply();
    assert_eq!(desk.until_empty().await.committed, 3);
    desk.clock.go_on_ms(61_000);
    assert_eq!(desk.until_empty().await.stopped_because, DrainStop::Empty);
    records.come_back_with(kept);
    desk.clock.go_on_ms(61_000);
    (desk, records)
}

#[tokio::test(start_paused = true)]
async fn what_the_sor_no_longer_has_is_sent_again_once_a_supervisor_agrees() {
    let (desk, _) = came_back(&[1]).await;
    desk.apply();
    let report = desk.until_empty().await;
    assert_eq!((report.stopped_because, report.pending), (DrainStop::Paused, 1));
    assert_eq!(desk.sor.delivered(), [1, 2, 3], "nothing is sent");
    assert_eq!(desk.sor.shown().len(), 1, "the session is proven there again");
    assert!(causes(&desk).contains(&ModeCause::RestoredOlder { missing: 2 }));
    let restore = view(&desk).restore.unwrap();
    assert_eq!((restore.stage, restore.sign), (RestoreStage::Asking, RestoreSign::Sequence));
    assert_eq!((restore.found, restore.missing), (1, 2));
    let receipts: Vec<_> = view(&desk).rows.into_iter().map(|row| row.receipt_no).collect();
    assert_eq!(receipts, ["front-1-2", "front-1-3"]);

    let done = settle(&desk, RestoreDecision::SendAgain).unwrap();
    assert_eq!(done, RestoreDecided { decision: RestoreDecision::SendAgain, count: 2 });
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.stopped_because), (3, DrainStop::Empty));
    assert_eq!(desk.sor.delivered(), [1, 2, 3, 2, 3, 4], "in order, the same ones");
    assert!(desk.clean());
    assert_eq!(events(&desk, "operation.missing").len(), 2);
    assert_eq!(events(&desk, "operation.returned").len(), 2);
    let settled = events(&desk, "restore.settled").pop().unwrap();
    assert_eq!(settled["actor_id"], "supervisor");
    assert!(!settled.to_string().contains("Friday"), "why is kept apart from the chain");
    desk.clock.go_on_ms(61_000);
    assert_eq!(desk.until_empty().await.stopped_because, DrainStop::Empty);
    assert_eq!(events(&desk, "restore.noticed").len(), 1, "and that was all");
}

#[tokio::test(start_paused = true)]
async fn a_loss_that_is_hidden_behind_something_newer_is_noticed_by_the_count() {
    let (desk, _) = came_back(&[1, 3]).await;
    assert_eq!(desk.until_empty().await.stopped_because, DrainStop::Paused);
    assert_eq!(view(&desk).restore.unwrap().sign, RestoreSign::Count);
    assert_eq!(view(&desk).rows.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_sor_that_came_back_with_everything_holds_nobody_up() {
    let (desk, records) = came_back(&[1, 2, 3]).await;
    *records.epoch.lock().unwrap() += 1;
    desk.apply();
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.stopped_because), (1, DrainStop::Empty));
    assert_eq!(view(&desk).restore.unwrap().stage, RestoreStage::NothingMissing);
}

#[tokio::test(start_paused = true)]
async fn the_last_stage_is_final_no_more_when_its_recording_is_lost() {
    let desk = Desk::open(settings()).await;
    let records = Records::behind(&desk);
    let lane = desk.apply();
    for to in ["PrelimReview", "FeeEstimated", "ConditionalApproval"] {
        desk.advance(&lane, to);
    }
    desk.until_empty().await;
    let stage = || desk.station.application(&lane).unwrap().row.stage;
    assert_eq!(stage(), "Committed");
    records.come_back_with(&[1, 2]);
    desk.clock.go_on_ms(61_000);
    desk.until_empty().await;
    settle(&desk, RestoreDecision::SendAgain).unwrap();
    assert_eq!(stage(), "ConditionalApproval");
    desk.until_empty().await;
    assert_eq!(stage(), "Committed");
}

#[tokio::test(start_paused = true)]
async fn a_record_that_was_changed_there_since_comes_before_a_person() {
    let (desk, _) = came_back(&[1]).await;
    desk.until_empty().await;
    settle(&desk, RestoreDecision::SendAgain).unwrap();
    desk.sor.deliveries(|_, body| match body.local_seq.0 {
        2 => typed(412, "version-conflict"),
        n => recorded(body, n),
    });
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.quarantined), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn only_who_may_decide_decides_and_only_what_is_asked() {
    let (desk, _) = came_back(&[1]).await;
    assert_eq!(
        refusal(settle(&desk, RestoreDecision::SendAgain)).0,
        ApiCode::Refused,
        "nothing is asked yet"
    );
    desk.until_empty().await;
    desk.sign_in("inspector").await.unwrap();
    let (code, problems) = refusal(settle(&desk, RestoreDecision::SendAgain));
    assert_eq!((code, problems[0].1.as_str()), (ApiCode::NotPermitted, "forbidden"));
    desk.sign_in("supervisor").await.unwrap();
    let blank = RestoreRequest { decision: RestoreDecision::Leave, reason: "  ".to_owned() };
    assert_eq!(refusal(desk.station.settle_restore(blank)).1[0].0, "/reason");
    assert_eq!(events(&desk, "restore.refused").len(), 2);
    assert_eq!(settle(&desk, RestoreDecision::Leave).unwrap().count, 2);
    assert_eq!(events(&desk, "operation.left").len(), 2);
    desk.clock.go_on_ms(61_000);
    assert_eq!(desk.until_empty().await.stopped_because, DrainStop::Empty, "known to be missing");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_proves_nothing_is_no_sign_and_ends_no_look() {
    let (desk, records) = came_back(&[1]).await;
    desk.sor.recalls(|| Err(SorFault::NotAnswering));
    assert_eq!(desk.until_empty().await.stopped_because, DrainStop::Empty);
    desk.clock.go_on_ms(61_000);
    desk.sor.recalls({
        let records = records.clone();
        move || Ok(records.recollection())
    });
    desk.sor.look_ups(|_| lost());
    assert_eq!(desk.until_empty().await.stopped_because, DrainStop::Paused);
    assert_eq!(view(&desk).restore.unwrap().stage, RestoreStage::Looking);
    desk.sor.look_ups(absent);
    assert_eq!(desk.until_empty().await.stopped_because, DrainStop::Paused);
    assert_eq!(view(&desk).restore.unwrap().missing, 3);
}

#[tokio::test(start_paused = true)]
async fn while_it_is_not_settled_a_new_start_sends_nothing() {
    let (desk, _) = came_back(&[1]).await;
    desk.until_empty().await;
    desk.apply();
    let delivered = desk.sor.delivered().len();
    let desk = desk.started_again(settings());
    assert_eq!(desk.until_empty().await.stopped_because, DrainStop::Paused);
    assert_eq!(desk.sor.delivered().len(), delivered);
}

#[tokio::test(start_paused = true)]
async fn a_station_that_came_back_skips_what_the_sor_has_seen_and_names_what_it_does_not_know() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.until_empty().await;
    let key: IdempotencyKey = "ab".repeat(32).parse().unwrap();
    let application_id = "01932c6f-8f0a-7cc3-98a1-0242ac120003".parse().unwrap();
    let stranger =
        HeldThere { key, local_seq: LocalSeq(9), kind: Kind::Note, application_id, permit_num: None };
    desk.sor.holds(vec![stranger]);
    let told =
        Recollection { epoch: Some(1), last_local_seq: Some(LocalSeq(9)), applied: Some(2), order: None };
    desk.sor.recalls(move || Ok(told));
    desk.clock.go_on_ms(61_000);
    assert_eq!(desk.until_empty().await.stopped_because, DrainStop::Empty);
    let restored = events(&desk, "station.restored");
    assert_eq!((&restored[0]["data"]["first"], &restored[0]["data"]["last"]), (&json!(2), &json!(9)));
    assert_eq!(events(&desk, "station.strangers")[0]["data"]["count"], 1);
    assert!(
        causes(&desk)
            .iter()
            .any(|cause| matches!(cause, ModeCause::StationRestored { first: 2, last: 9, .. }))
    );
    let next = desk.station.application(&desk.apply()).unwrap();
    assert_eq!(next.operations[0].receipt_no, "front-1-10");
    assert!(desk.clean());
    desk.clock.go_on_ms(7 * 24 * 3_600_000 + 1);
    assert!(
        !causes(&desk).iter().any(|cause| matches!(cause, ModeCause::StationRestored { .. })),
        "for a week"
    );
    assert_eq!(view(&desk).skipped.len(), 1, "and for good here");
}

#[tokio::test(start_paused = true)]
async fn many_rejections_for_one_reason_are_an_alarm_until_they_are_decided() {
    let desk = Desk::open(settings()).await;
    desk.sor.deliveries(|_, _| typed(422, "validation"));
    for _ in 0..6 {
        desk.apply();
    }
    desk.until_empty().await;
    desk.until_empty().await;
    assert_eq!(events(&desk, "alarm.raised").len(), 1);
    let drift = ModeCause::Drift { pointer: String::new(), count: 6 };
    assert!(causes(&desk).contains(&drift), "{:?}", causes(&desk));
    decide(&desk, &quarantined(&desk), Decision::Void).unwrap();
    desk.until_empty().await;
    assert_eq!(events(&desk, "alarm.ended").len(), 1);
    assert!(!causes(&desk).iter().any(|cause| matches!(cause, ModeCause::Drift { .. })));
}

#[tokio::test(start_paused = true)]
async fn what_lies_although_the_sor_answers_is_told() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    assert!(!causes(&desk).iter().any(|cause| matches!(cause, ModeCause::Wedged { .. })));
    desk.clock.go_on_ms(5 * 60_000 + 1_000);
    assert!(causes(&desk).iter().any(|cause| matches!(cause, ModeCause::Wedged { waiting: 1, .. })));
    desk.until_empty().await;
    assert!(!causes(&desk).iter().any(|cause| matches!(cause, ModeCause::Wedged { .. })));
}

#[tokio::test(start_paused = true)]
async fn of_an_sor_that_tells_nothing_the_last_commits_are_looked_for_at_each_start() {
    let desk = Desk::open_without_keys(settings()).await;
    let records = Records::behind(&desk);
    desk.sor.recalls(|| Ok(Recollection::default()));
    for _ in 0..30 {
        desk.apply();
    }
    assert_eq!(desk.until_empty().await.committed, 30);
    records.come_back_with(&(1..=29).collect::<Vec<_>>());
    let desk = desk.started_again(settings());
    assert_eq!(desk.until_empty().await.stopped_because, DrainStop::Paused);
    let restore = view(&desk).restore.unwrap();
    assert_eq!((restore.sign, restore.missing, restore.found), (RestoreSign::Sample, 1, 20));
}
