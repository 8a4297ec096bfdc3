//! Reading the city's parcels: whole pages of the pinned GIS, or nothing; and no credential goes there.
#![allow(clippy::unwrap_used)]

mod scripted;

use holdfast_core::parcel::Pin;
use holdfast_sor::{GisClient, SorSettings};
use holdfast_station::ports::{Parcels as _, ParcelsAsk, Sockets, SorFault};
use scripted::*;
use serde_json::{Value, json};

const AS_OF: &str = "2026-11-30T08:00:00.000Z";

fn gis(url: &str) -> GisClient {
    let settings =
        SorSettings { endpoint: endpoint(url, LIMITS), identity: identity(), station_id: station() };
    GisClient::new(settings).unwrap()
}

fn parcel(n: u32) -> Value {
    json!({
        "pin": format!("0010-22-{n:03}"), "address": "12 OAK ST", "zoning": "R-2", "overlays": ["Flood zone AE"],
        "bounds": {"west": -90.0, "south": 41.5, "east": -89.9, "north": 41.6}, "updated_at": AS_OF,
    })
}

fn with(mut value: Value, member: &str, to: Value) -> Value {
    value[member] = to;
    value
}

fn page(rows: &[Value], next: Option<&str>) -> String {
    json!({"parcels": rows, "next": next, "as_of": AS_OF}).to_string()
}

#[tokio::test]
async fn pages_are_asked_for_one_after_the_other_and_without_a_credential() {
    let server = Scripted::start(|seen| {
        let first = !seen.line.contains("after=");
        let body = if first { page(&[parcel(401)], Some("0010-22-401")) } else { page(&[parcel(402)], None) };
        Act::Send(sor(200, &[JSON], &body))
    })
    .await;
    let gis = gis(&server.url());
    let since = AS_OF.parse().unwrap();
    let ask = ParcelsAsk { after: None, changed_since: Some(since) };
    let first = gis.parcels(&ask, Sockets::Kept).await.unwrap();
    assert_eq!((first.as_of, first.parcels[0].zoning.as_str()), (since, "R-2"));
    let second = gis.parcels(&ParcelsAsk { after: first.next, ..ask }, Sockets::Fresh).await.unwrap();
    assert_eq!((second.parcels.len(), second.next), (1, None));
    let seen = server.seen();
    assert_eq!(seen[0].line, "GET /v1/parcels?limit=250&changed_since=2026-11-30T08%3A00%3A00.000Z");
    assert!(seen[1].line.starts_with("GET /v1/parcels?limit=250&after=0010-22-401&changed_since="));
    assert!(seen.iter().all(|seen| seen.header("authorization").is_none() && !seen.is_token_request()));
}

#[tokio::test]
async fn a_page_of_another_or_a_part_of_one_is_none() {
    let whole = sor(200, &[JSON], &page(&[parcel(401)], None));
    for (name, act, fault) in [
        ("a portal's page", Act::Send(html(200)), SorFault::Impostor),
        ("a page without identity", Act::Send(http(200, &[JSON], &page(&[], None))), SorFault::Impostor),
        (
            "another GIS",
            Act::Send(http(200, &[JSON, "Holdfast-Identity: other"], &page(&[], None))),
            SorFault::Impostor,
        ),
        ("a gateway's 502", Act::Send(html(502)), SorFault::NotAnswering),
        ("503", Act::Send(problem(503, "unavailable")), SorFault::NotAnswering),
        ("silence", Act::SendThenHang(vec![]), SorFault::NotAnswering),
        ("half a page", Act::SendThenClose(whole[..whole.len() - 20].to_vec()), SorFault::NotAnswering),
        ("its own page", Act::Send(sor(200, &[HTML], PORTAL)), SorFault::Unreadable),
        ("no list", Act::Send(sor(200, &[JSON], "{}")), SorFault::Unreadable),
        (
            "a question that it does not like",
            Act::Send(problem(422, "validation")),
            SorFault::Refused { problem: "validation".into() },
        ),
    ] {
        let server = Scripted::start(move |_| act.clone()).await;
        let found = gis(&server.url()).parcels(&ParcelsAsk::default(), Sockets::Kept).await;
        assert_eq!(found, Err(fault), "{name}");
    }
}

#[tokio::test]
async fn one_parcel_that_cannot_be_kept_makes_the_whole_page_unreadable() {
    let many: Vec<_> = (0..251).map(parcel).collect();
    for (name, body) in [
        ("no zoning", page(&[parcel(1), with(parcel(2), "zoning", Value::Null)], None)),
        ("an empty zoning", page(&[with(parcel(2), "zoning", json!(""))], None)),
        ("a number that is none", page(&[with(parcel(2), "pin", json!(" "))], None)),
        ("a control character", page(&[with(parcel(2), "address", json!("12 OAK\u{7} ST"))], None)),
        (
            "a box that is none",
            page(&[with(parcel(2), "bounds", json!({"west": 1, "south": 0, "east": 0, "north": 1}))], None),
        ),
        ("a day for a time", page(&[with(parcel(2), "updated_at", json!("2026-11-30"))], None)),
        ("a thousand overlays", page(&[with(parcel(2), "overlays", json!(vec!["x"; 1_000]))], None)),
        ("one twice", page(&[parcel(1), parcel(1)], None)),
        ("too many", page(&many, None)),
        ("a page that leads to itself", page(&[parcel(1)], Some("1"))),
        ("nothing that goes on", page(&[], Some("2"))),
        ("a name too long", page(&[parcel(1)], Some(&"x".repeat(300)))),
    ] {
        let server = Scripted::start(move |_| Act::Send(sor(200, &[JSON], &body))).await;
        let ask = ParcelsAsk { after: Some("1".to_owned()), changed_since: None };
        assert_eq!(
            gis(&server.url()).parcels(&ask, Sockets::Kept).await,
            Err(SorFault::Unreadable),
            "{name}"
        );
    }
}

#[tokio::test]
async fn what_a_gis_says_beside_is_passed_over_and_a_parcel_may_have_no_address() {
    let body =
        page(&[with(with(parcel(1), "address", Value::Null), "owner", json!("nobody's business"))], None);
    let server = Scripted::start(move |_| Act::Send(sor(200, &[JSON], &body))).await;
    let found = gis(&server.url()).parcels(&ParcelsAsk::default(), Sockets::Kept).await.unwrap();
    let expected: Pin = "0010-22-001".parse().unwrap();
    assert_eq!((&found.parcels[0].pin, &found.parcels[0].address), (&expected, &None));
}
