//! Reading what a workstation carries: whole, of the pinned SoR, and exactly what was asked for, or nothing.
#![allow(clippy::unwrap_used)]

mod scripted;

use holdfast_core::copies::VisitState;
use holdfast_core::lifecycle::Stage;
use holdfast_station::ports::{RecordSystem as _, SorFault, VisitsAsk};
use scripted::*;
use serde_json::{Value, json};

fn ask() -> VisitsAsk {
    VisitsAsk {
        assignee: "ana".parse().unwrap(),
        open_until: "2026-12-07".parse().unwrap(),
        done_on: "2026-11-30".parse().unwrap(),
    }
}

fn inspection(n: u32) -> Value {
    json!({
        "inspection_id": format!("AF-I-{n}"), "application_id": APPLICATION, "assignee": "ana",
        "date": "2026-11-30", "state": "scheduled", "address": "12 OAK ST",
        "payload": {"InspType": "Footing", "ScheduledDate": "2026-11-30"},
    })
}

fn with(mut value: Value, member: &str, to: Value) -> Value {
    value[member] = to;
    value
}

fn application(n: u32) -> Value {
    json!({
        "application_id": format!("01932c6f-8f0a-7cc3-98a1-0242ac12{n:04}"), "record_id": format!("AF-R-{n}"),
        "permit_num": "AF-2026-00001", "etag": "\"7\"", "stage": "PrelimReview",
        "updated_at": "2026-11-30T07:00:00.000Z", "payload": {"OriginalAddress1": "12 OAK ST"},
    })
}

fn inspections(rows: &[Value]) -> String {
    json!({ "inspections": rows }).to_string()
}

fn page(rows: &[Value], next: Option<&str>) -> String {
    json!({ "applications": rows, "next": next }).to_string()
}

/// What may come instead of a list.
fn strange_answers() -> Vec<(&'static str, Act, SorFault)> {
    let list = sor(200, &[JSON], &inspections(&[inspection(1)]));
    vec![
        ("a portal's page", Act::Send(html(200)), SorFault::Impostor),
        ("a list without identity", Act::Send(http(200, &[JSON], &inspections(&[]))), SorFault::Impostor),
        (
            "another SoR",
            Act::Send(http(200, &[JSON, "Holdfast-Identity: other"], &inspections(&[]))),
            SorFault::Impostor,
        ),
        ("a gateway's 502", Act::Send(html(502)), SorFault::NotAnswering),
        ("503", Act::Send(problem(503, "unavailable")), SorFault::NotAnswering),
        ("silence", Act::SendThenHang(vec![]), SorFault::NotAnswering),
        ("half a list", Act::SendThenClose(list[..list.len() - 20].to_vec()), SorFault::NotAnswering),
        ("its own page", Act::Send(sor(200, &[HTML], PORTAL)), SorFault::Unreadable),
        ("no JSON", Act::Send(sor(200, &[JSON], "{")), SorFault::Unreadable),
        ("a list of nothing", Act::Send(sor(200, &[JSON], "{}")), SorFault::Unreadable),
        (
            "a member twice",
            Act::Send(sor(
                200,
                &[JSON],
                r#"{"inspections":[],"inspections":[],"applications":[],"next":null}"#,
            )),
            SorFault::Unreadable,
        ),
    ]
}

#[tokio::test]
async fn a_list_of_another_or_a_part_of_one_is_no_copy() {
    for (name, act, fault) in strange_answers() {
        let server = Scripted::start(move |_| act.clone()).await;
        let client = client(&server.url());
        assert_eq!(client.visits(&ask()).await, Err(fault.clone()), "{name}");
        assert_eq!(client.records(None).await, Err(fault.clone()), "{name}");
        assert_eq!(client.record(APPLICATION.parse().unwrap()).await, Err(fault), "{name}");
    }
}

#[tokio::test]
async fn visits_are_those_that_were_asked_for_or_none_is_taken() {
    let done = |day: &str| with(with(inspection(2), "state", json!("done")), "date", json!(day));
    let many: Vec<_> = (0..500).map(inspection).collect();
    for (name, rows) in [
        ("another person's", vec![inspection(1), with(inspection(2), "assignee", json!("bea"))]),
        ("nobody's", vec![with(inspection(1), "assignee", Value::Null)]),
        ("of a later day", vec![with(inspection(1), "date", json!("2026-12-08"))]),
        ("done on another day", vec![done("2026-11-29")]),
        ("no date", vec![with(inspection(1), "date", json!("tomorrow"))]),
        ("an unknown state", vec![with(inspection(1), "state", json!("maybe"))]),
        ("without a type", vec![with(inspection(1), "payload", json!({}))]),
        ("a payload that is a list", vec![with(inspection(1), "payload", json!([]))]),
        ("an id that is none", vec![with(inspection(1), "application_id", json!("1"))]),
        ("one twice", vec![inspection(1), inspection(1)]),
        ("as many as may be a part", many),
    ] {
        let body = inspections(&rows);
        let server = Scripted::start(move |_| Act::Send(sor(200, &[JSON], &body))).await;
        assert_eq!(client(&server.url()).visits(&ask()).await, Err(SorFault::Unreadable), "{name}");
    }
    let body = inspections(&[inspection(1), done("2026-11-30")]);
    let server = Scripted::start(move |_| Act::Send(sor(200, &[JSON], &body))).await;
    let visits = client(&server.url()).visits(&ask()).await.unwrap();
    let states: Vec<_> = visits.iter().map(|copied| copied.visit.state).collect();
    assert_eq!(states, [VisitState::Scheduled, VisitState::Done]);
    let [asked] = &server.asked()[..] else { panic!("one request") };
    assert_eq!(
        asked.line,
        "GET /v1/inspections?assignee=ana&open_until=2026-12-07&done_on=2026-11-30&limit=500"
    );
}

#[tokio::test]
async fn records_come_in_pages_that_go_on() {
    let server = Scripted::start(|seen| {
        let last = seen.line.ends_with("&after=n%261");
        let body = if last { page(&[application(2)], None) } else { page(&[application(1)], Some("n&1")) };
        Act::Send(sor(200, &[JSON], &body))
    })
    .await;
    let client = client(&server.url());
    let first = client.records(None).await.unwrap();
    assert_eq!((first.records[0].stage, first.records[0].etag.as_str()), (Stage::PrelimReview, "\"7\""));
    let second = client.records(first.next.as_deref()).await.unwrap();
    assert_eq!((second.records.len(), second.next), (1, None));

    for (name, body) in [
        ("a page that leads to itself", page(&[application(1)], Some("1"))),
        ("a page too long", page(&(0..251).map(application).collect::<Vec<_>>(), None)),
        ("a name too long", page(&[], Some(&"x".repeat(300)))),
        ("a stage that is none", page(&[with(application(1), "stage", json!("Lost"))], None)),
        ("no entity tag", page(&[with(application(1), "etag", Value::Null)], None)),
    ] {
        let server = Scripted::start(move |_| Act::Send(sor(200, &[JSON], &body))).await;
        let result = scripted::client(&server.url()).records(Some("1")).await;
        assert_eq!(result, Err(SorFault::Unreadable), "{name}");
    }
}

#[tokio::test]
async fn one_record_is_the_one_that_was_asked_for() {
    let server = Scripted::start(|_| Act::Send(sor(200, &[JSON], &application(3).to_string()))).await;
    let client = client(&server.url());
    let found = client.record("01932c6f-8f0a-7cc3-98a1-0242ac120003".parse().unwrap()).await.unwrap();
    assert_eq!(found.record_id.as_str(), "AF-R-3");
    let other = client.record("01932c6f-8f0a-7cc3-98a1-0242ac120004".parse().unwrap()).await;
    assert_eq!(other, Err(SorFault::Unreadable));
}

#[tokio::test]
async fn a_list_without_end_is_not_read_to_its_end() {
    let server = Scripted::start(|_| {
        let body = json!({"inspections": [], "more": "x".repeat(5 * 1024 * 1024)}).to_string();
        Act::Send(sor(200, &[JSON], &body))
    })
    .await;
    assert!(client(&server.url()).visits(&ask()).await.is_err());
}
