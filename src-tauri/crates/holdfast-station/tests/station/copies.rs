//! Copies: when they are fetched, when not, and for how long they are shown.

use holdfast_core::copies::{Visit, VisitState};
use holdfast_core::lifecycle::Stage;
use holdfast_station::ports::{CopiedRecord, CopiedVisit, RecordsPage, SorFault};
use holdfast_wire::{ApiCode, CopyAge, FindRequest};
use serde_json::json;

use crate::answers::down;
use crate::desk::{Desk, refusal, settings, wall};
use crate::sor::{Asked, Scripted};

const LANE: &str = "01932c6f-8f0a-7cc3-98a1-0242ac120003";
const HOUR_MS: u64 = 3_600_000;

fn record(id: &str, n: u32) -> CopiedRecord {
    CopiedRecord {
        application_id: id.parse().unwrap(),
        record_id: format!("AF-R-{n}").parse().unwrap(),
        permit_num: None,
        etag: "\"7\"".parse().unwrap(),
        stage: Stage::ConditionalApproval,
        updated_at: wall("2026-11-29T08:00:00.000Z"),
        payload: json!({"OriginalAddress1": format!("{n} OAK ST")}),
        holds: Vec::new(),
        notes: Vec::new(),
    }
}

fn visit(date: &str) -> CopiedVisit {
    CopiedVisit {
        application_id: LANE.parse().unwrap(),
        visit: Visit {
            inspection_id: format!("I-{date}").parse().unwrap(),
            date: date.parse().unwrap(),
            state: VisitState::Scheduled,
            payload: json!({"InspType": "Footing", "ScheduledDate": date}),
        },
    }
}

/// One record, and a visit of it on each of these days.
fn plan(sor: &Scripted, days: &'static [&'static str]) {
    sor.visits(move |_| Ok(days.iter().map(|day| visit(day)).collect()));
    sor.records(|_| Ok(RecordsPage { records: vec![record(LANE, 1)], next: None }));
}

/// An inspector who has not fetched anything yet.
async fn inspector(days: &'static [&'static str]) -> Desk {
    let desk = Desk::open(settings()).await;
    desk.sign_in("inspector").await.unwrap();
    plan(&desk.sor, days);
    desk
}

fn fetches(desk: &Desk) -> usize {
    desk.sor.asked().iter().filter(|asked| **asked == Asked::Visits).count()
}

fn shown(desk: &Desk) -> (CopyAge, usize) {
    let view = desk.station.inspections().unwrap();
    (view.age, view.rows.len())
}

#[tokio::test(start_paused = true)]
async fn a_copy_is_shown_until_its_ceiling_by_either_clock_and_never_from_the_future() {
    let desk = inspector(&["2026-11-30"]).await;
    assert_eq!(shown(&desk), (CopyAge::None, 0));
    desk.station.refresh_copies().await.unwrap();
    assert_eq!(shown(&desk), (CopyAge::Usable, 1));
    desk.clock.set_wall("2026-11-30T07:00:00.000Z");
    assert_eq!(shown(&desk), (CopyAge::FromTheFuture, 0));
    assert_eq!(desk.station.inspection("I-2026-11-30").unwrap_err().code, ApiCode::NotFound);
    desk.clock.set_wall("2026-11-30T08:00:00.000Z");
    // The session ends before the copy does; whoever comes back signs in again.
    desk.sor.sessions(|ask| {
        let statement = holdfast_core::people::SessionStatement {
            until: wall("2027-01-01T00:00:00.000Z"),
            ..crate::sor::statement(ask)
        };
        Ok(crate::sor::signed(statement, &crate::sor::sor_key()))
    });
    desk.sign_in("inspector").await.unwrap();
    desk.clock.go_on_ms(168 * HOUR_MS);
    assert_eq!(shown(&desk), (CopyAge::Usable, 1));
    desk.clock.go_on_ms(1);
    assert_eq!(shown(&desk), (CopyAge::TooOld, 0));
    desk.clock.set_wall("2026-11-30T08:00:00.000Z");
    assert_eq!(shown(&desk), (CopyAge::TooOld, 0), "the boot clock has gone on");
}

#[tokio::test(start_paused = true)]
async fn the_days_ahead_are_carried_and_shown_when_they_come() {
    let desk = inspector(&["2026-11-28", "2026-11-30", "2026-12-01"]).await;
    desk.sor.visits(|ask| {
        assert_eq!(
            (ask.open_until.to_string(), ask.done_on.to_string()),
            ("2026-12-07".into(), "2026-11-30".into())
        );
        Ok(vec![visit("2026-11-28"), visit("2026-11-30"), visit("2026-12-01")])
    });
    assert_eq!(desk.station.refresh_copies().await.unwrap().inspections, 3);
    let days = |desk: &Desk| {
        let rows = desk.station.inspections().unwrap().rows;
        rows.iter().map(|row| (row.scheduled_date.clone(), row.overdue_days)).collect::<Vec<_>>()
    };
    assert_eq!(days(&desk), [("2026-11-28".to_owned(), 2), ("2026-11-30".to_owned(), 0)]);
    desk.clock.go_on_ms(20 * HOUR_MS);
    assert_eq!(desk.station.inspections().unwrap().day, "2026-11-30", "11 p.m. on the wall here");
    desk.clock.go_on_ms(2 * HOUR_MS);
    assert_eq!(days(&desk).last(), Some(&("2026-12-01".to_owned(), 0)));
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_fetched_whole_changes_nothing() {
    let desk = inspector(&["2026-11-30"]).await;
    desk.station.refresh_copies().await.unwrap();
    let before = desk.station.inspections().unwrap();
    for (fault, code) in [
        (SorFault::NotAnswering, ApiCode::NotAnswering),
        (SorFault::Impostor, ApiCode::Impostor),
        (SorFault::Unreadable, ApiCode::Impostor),
        (SorFault::StationUnauthorized, ApiCode::SystemRefused),
    ] {
        desk.sor.visits(|_| Ok(Vec::new()));
        let again = fault.clone();
        desk.sor.records(move |_| Err(again.clone()));
        assert_eq!(refusal(desk.station.refresh_copies().await), (code, vec![]), "records: {fault}");
        desk.sor.visits(move |_| Err(fault.clone()));
        assert_eq!(refusal(desk.station.refresh_copies().await), (code, vec![]), "visits");
        assert_eq!(desk.station.inspections().unwrap(), before);
    }
    assert_eq!(desk.station.status().unwrap().breakers[0].state, "closed", "it counts for no breaker");
}

#[tokio::test(start_paused = true)]
async fn while_the_breaker_is_not_closed_nothing_is_asked() {
    let desk = inspector(&["2026-11-30"]).await;
    desk.sign_in("supervisor").await.unwrap();
    desk.sor.deliveries(|_, _| down());
    desk.apply();
    desk.apply();
    desk.pass().await;
    assert_eq!(desk.station.status().unwrap().breakers[0].state, "open");
    assert_eq!(refusal(desk.station.refresh_copies().await), (ApiCode::NotAnswering, vec![]));
    assert_eq!(desk.station.refresh_copies_when_due().await, Ok(None));
    assert_eq!(fetches(&desk), 0);
}

#[tokio::test(start_paused = true)]
async fn copies_are_due_for_who_signs_in_and_every_five_minutes() {
    let desk = inspector(&["2026-11-30"]).await;
    let due = async || desk.station.refresh_copies_when_due().await.map(|copied| copied.is_some());
    assert_eq!(due().await, Ok(true), "nothing is there");
    assert_eq!(due().await, Ok(false), "just fetched");
    desk.sign_in("supervisor").await.unwrap();
    assert_eq!(due().await, Ok(true), "another person");
    desk.sign_in("inspector").await.unwrap();
    assert_eq!(due().await, Ok(false), "the inspector's is fresh");
    desk.clock.go_on_ms(5 * 60_000);
    assert_eq!(due().await, Ok(true), "five minutes later");
    desk.sor.visits(|_| Err(SorFault::NotAnswering));
    desk.clock.go_on_ms(5 * 60_000);
    assert_eq!(due().await.unwrap_err().code, ApiCode::NotAnswering);
    let asked = fetches(&desk);
    desk.clock.go_on_ms(29_000);
    assert_eq!((due().await, fetches(&desk)), (Ok(false), asked), "half a minute's rest at least");
    desk.clock.go_on_ms(31_000);
    assert!(due().await.is_err(), "and a minute's at the most");
}

#[tokio::test(start_paused = true)]
async fn nobody_signed_in_carries_nothing() {
    let desk = Desk::bare(settings());
    assert_eq!(refusal(desk.station.refresh_copies().await).0, ApiCode::NotSignedIn);
    assert_eq!(desk.station.refresh_copies_when_due().await, Ok(None));
    assert_eq!(refusal(desk.station.inspections()).0, ApiCode::NotSignedIn);
    assert_eq!(desk.sor.asked(), []);
}

#[tokio::test(start_paused = true)]
async fn records_are_read_page_by_page_and_what_a_visit_is_about_comes_along() {
    let desk = inspector(&["2026-11-30"]).await;
    let id = |n: u32| format!("01932c6f-8f0a-7cc3-98a1-0242ac13{n:04}");
    desk.sor.records(move |after| {
        let page: u32 = after.map_or(0, |after| after.parse().unwrap());
        let records = (0..250).map(|n| record(&id(page * 250 + n), n)).collect();
        Ok(RecordsPage { records, next: Some((page + 1).to_string()) })
    });
    desk.sor.record(|id| Ok(record(&id.to_string(), 12)));
    let copied = desk.station.refresh_copies().await.unwrap();
    assert_eq!(copied.records, 5_001, "the latest of them, and the one of the visit");
    let pages = desk.sor.asked().iter().filter(|asked| **asked == Asked::Records).count();
    assert_eq!(pages, 20);
    assert_eq!(desk.station.inspections().unwrap().rows[0].address.as_deref(), Some("12 OAK ST"));
    let all = FindRequest { text: String::new(), skip: 0, rows: 1 };
    assert_eq!(desk.station.find(all).unwrap().known, 5_001);
}
