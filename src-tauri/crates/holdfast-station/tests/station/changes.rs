//! The feed of changes: copies stay fresh after all work, nothing is skipped, and what was accepted here stands.

use std::sync::{Arc, Mutex};

use holdfast_core::ids::FeedCursor;
use holdfast_core::lifecycle::Stage;
use holdfast_station::ports::{ChangesAnswer, ChangesPage, CopiedRecord, FeedRest, RecordsPage, SorFault};
use holdfast_wire::FindRequest;
use serde_json::json;

use crate::answers::{down, recorded};
use crate::desk::{Desk, settings, wall};

const MINUTE_MS: u64 = 60_000;

fn lane(n: u32) -> String {
    format!("01932c6f-8f0a-7cc3-98a1-0242ac13{n:04}")
}

fn record(id: &str, version: u32, stage: Stage) -> CopiedRecord {
    CopiedRecord {
        application_id: id.parse().unwrap(),
        record_id: "AF-R-1".parse().unwrap(),
        permit_num: Some("AF-2026-00001".parse().unwrap()),
        etag: format!("\"v{version}\"").parse().unwrap(),
        stage,
        updated_at: wall("2026-11-30T07:30:00.000Z"),
        payload: json!({"OriginalAddress1": format!("{version} MILL RD")}),
        holds: Vec::new(),
        notes: Vec::new(),
    }
}

fn page(records: Vec<CopiedRecord>, next: &str, rest: FeedRest) -> ChangesAnswer {
    ChangesAnswer::Page(ChangesPage { records, gone: Vec::new(), next: next.parse().unwrap(), rest })
}

fn text(since: Option<&FeedCursor>) -> Option<&str> {
    since.map(FeedCursor::as_str)
}

/// Copies fetched whole once, with the first record; the feed stands at 1.1 and says nothing more.
async fn carrying() -> Desk {
    let desk = Desk::open(settings()).await;
    desk.sor.changes(|_| Ok(page(Vec::new(), "1.1", FeedRest::All)));
    desk.sor.records(|_| Ok(RecordsPage { records: vec![record(&lane(1), 1, Stage::Intake)], next: None }));
    desk.station.refresh_copies().await.unwrap();
    desk
}

fn stage(desk: &Desk, id: &str) -> String {
    desk.station.record(id).unwrap().row.stage
}

/// What the feed was asked after the copies were fetched whole.
fn followed(desk: &Desk) -> Vec<String> {
    desk.sor.changes_asked().into_iter().flatten().collect()
}

#[tokio::test(start_paused = true)]
async fn copies_are_fetched_whole_once_and_read_on_from_there() {
    let desk = carrying().await;
    assert_eq!(desk.sor.changes_asked(), [None], "where the feed stands is asked before the list");
    desk.sor.changes(|since| {
        Ok(match text(since) {
            Some("1.1") => page(vec![record(&lane(1), 2, Stage::PrelimReview)], "1.2", FeedRest::More),
            Some("1.2") => page(vec![record(&lane(2), 1, Stage::Intake)], "1.3", FeedRest::All),
            other => panic!("{other:?}"),
        })
    });
    desk.sor.records(|_| panic!("not read whole again"));
    desk.clock.go_on_ms(5 * MINUTE_MS);
    assert_eq!(desk.station.refresh_copies().await.unwrap().records, 2);
    assert_eq!((stage(&desk, &lane(1)), stage(&desk, &lane(2))), ("PrelimReview".into(), "Intake".into()));
    let row = desk.station.record(&lane(1)).unwrap().row;
    assert_eq!(row.copied_at.as_deref(), Some("2026-11-30T08:05:00.000Z"));
}

#[tokio::test(start_paused = true)]
async fn a_drain_with_nothing_to_send_reads_on_once_a_minute() {
    let desk = carrying().await;
    desk.pass().await;
    desk.pass().await;
    assert_eq!(followed(&desk), ["1.1"], "once");
    desk.sor.changes(|_| Ok(page(vec![record(&lane(1), 2, Stage::PrelimReview)], "1.2", FeedRest::More)));
    desk.clock.go_on_ms(MINUTE_MS);
    desk.pass().await;
    assert_eq!(stage(&desk, &lane(1)), "PrelimReview");
    desk.sor.changes(|_| Ok(page(Vec::new(), "1.3", FeedRest::All)));
    desk.pass().await;
    assert_eq!(followed(&desk), ["1.1", "1.1", "1.2"], "more is fetched with the next pass");
    let before = desk.station.find(FindRequest { text: String::new(), skip: 0, rows: 9 }).unwrap().copied_at;
    assert_eq!(before.as_deref(), Some("2026-11-30T08:01:00.000Z"), "what did not change is confirmed");
}

#[tokio::test(start_paused = true)]
async fn a_backlog_goes_before_and_a_strained_sor_is_left_alone() {
    let desk = carrying().await;
    desk.sor.deliveries(|_, _| down());
    desk.apply();
    desk.apply();
    desk.pass().await;
    assert_eq!(followed(&desk), Vec::<String>::new(), "work waits");
    desk.sor.deliveries(|_, body| recorded(body, body.local_seq.0));
    desk.until_empty().await;
    assert_eq!(desk.station.status().unwrap().backlog.count, 0);
    desk.pass().await;
    assert_eq!(followed(&desk), ["1.1"], "after the backlog");
    // One that asks for fewer is left alone for five minutes, and then asked all the same.
    desk.sor.deliveries(|nth, body| {
        if nth % 2 == 0 {
            crate::answers::typed(429, "unavailable")
        } else {
            recorded(body, body.local_seq.0)
        }
    });
    desk.clock.go_on_ms(10 * MINUTE_MS);
    desk.apply();
    desk.apply();
    desk.until_empty().await;
    let asked = followed(&desk).len();
    desk.pass().await;
    desk.clock.go_on_ms(4 * MINUTE_MS);
    desk.pass().await;
    assert_eq!(followed(&desk).len(), asked, "left alone");
    desk.clock.go_on_ms(MINUTE_MS);
    desk.pass().await;
    assert_eq!(followed(&desk).len(), asked + 1);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_lost_is_asked_for_again_from_the_same_place() {
    let desk = carrying().await;
    desk.sor.changes(|_| Err(SorFault::NotAnswering));
    desk.pass().await;
    let desk = desk.started_again(settings());
    desk.sor.changes(|_| Ok(page(vec![record(&lane(1), 2, Stage::Returned)], "1.2", FeedRest::All)));
    desk.pass().await;
    assert_eq!(followed(&desk), ["1.1", "1.1"]);
    assert_eq!(stage(&desk, &lane(1)), "Returned");
    let desk = desk.started_again(settings());
    desk.pass().await;
    assert_eq!(followed(&desk).last().map(String::as_str), Some("1.2"), "the place is on the disk");
    assert_eq!(desk.station.status().unwrap().breakers[0].state, "closed", "it counts for no breaker");
}

#[tokio::test(start_paused = true)]
async fn a_place_that_is_not_known_there_means_to_begin_anew() {
    let desk = carrying().await;
    desk.sor.changes(|since| {
        Ok(if since.is_some() { ChangesAnswer::BeginAnew } else { page(Vec::new(), "2.1", FeedRest::All) })
    });
    desk.pass().await;
    desk.clock.go_on_ms(5 * MINUTE_MS);
    desk.pass().await;
    assert_eq!(followed(&desk), ["1.1"], "not asked again before copies were fetched whole");
    desk.sor
        .records(|_| Ok(RecordsPage { records: vec![record(&lane(1), 9, Stage::Withdrawn)], next: None }));
    desk.station.refresh_copies().await.unwrap();
    assert_eq!(stage(&desk, &lane(1)), "Withdrawn");
    desk.clock.go_on_ms(MINUTE_MS);
    desk.pass().await;
    assert_eq!(followed(&desk).last().map(String::as_str), Some("2.1"));
}

#[tokio::test(start_paused = true)]
async fn a_change_under_work_that_waits_is_noted_and_fetched_when_none_waits() {
    let desk = carrying().await;
    desk.sor.deliveries(|_, _| crate::answers::typed(409, "parent-missing"));
    desk.advance(&lane(1), "PrelimReview");
    desk.pass().await;
    let changed = vec![record(&lane(1), 7, Stage::Returned)];
    desk.sor.changes(move |_| Ok(page(changed.clone(), "1.2", FeedRest::All)));
    desk.pass().await;
    assert_eq!(followed(&desk), ["1.1"]);
    assert_eq!(stage(&desk, &lane(1)), "PrelimReview", "what was accepted here stands");
    let asked = Arc::new(Mutex::new(0));
    let told = Arc::clone(&asked);
    desk.sor.record(move |id| {
        *told.lock().unwrap() += 1;
        Ok(record(&id.to_string(), 8, Stage::FeeEstimated))
    });
    desk.sor.deliveries(|_, body| recorded(body, body.local_seq.0));
    desk.sor.changes(|_| Ok(page(Vec::new(), "1.2", FeedRest::All)));
    desk.until_empty().await;
    desk.clock.go_on_ms(MINUTE_MS);
    desk.pass().await;
    assert_eq!((*asked.lock().unwrap(), stage(&desk, &lane(1))), (1, "FeeEstimated".to_owned()));
    desk.clock.go_on_ms(MINUTE_MS);
    desk.pass().await;
    assert_eq!(*asked.lock().unwrap(), 1, "owed no longer");
}

#[tokio::test(start_paused = true)]
async fn what_is_gone_there_ends_here_but_what_was_taken_in_here_stands() {
    let desk = carrying().await;
    let ours = desk.apply();
    desk.until_empty().await;
    let gone = vec![lane(1).parse().unwrap(), ours.parse().unwrap(), lane(9).parse().unwrap()];
    desk.sor.changes(move |_| {
        let (next, gone) = ("1.2".parse().unwrap(), gone.clone());
        Ok(ChangesAnswer::Page(ChangesPage { records: Vec::new(), gone, next, rest: FeedRest::All }))
    });
    desk.clock.go_on_ms(MINUTE_MS);
    desk.pass().await;
    assert_eq!((stage(&desk, &lane(1)), stage(&desk, &ours)), ("Voided".into(), "Intake".into()));
}
