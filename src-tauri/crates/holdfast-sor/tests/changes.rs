//! The feed of changes: a part is whole and goes on, or it is none.
#![allow(clippy::unwrap_used)]

mod scripted;

use holdfast_core::ids::FeedCursor;
use holdfast_station::ports::{ChangesAnswer, ChangesPage, FeedRest, RecordSystem as _, SorFault};
use scripted::*;
use serde_json::{Value, json};

fn changed(n: u32) -> Value {
    json!({
        "application_id": format!("01932c6f-8f0a-7cc3-98a1-0242ac12{n:04}"), "record_id": format!("AF-R-{n}"),
        "permit_num": "AF-2026-00001", "etag": "\"7\"", "stage": "PrelimReview",
        "updated_at": "2026-11-30T07:00:00.000Z", "payload": {"OriginalAddress1": "12 OAK ST"},
    })
}

fn page(changes: &[Value], next: &str, more: bool) -> String {
    json!({ "changes": changes, "next": next, "more": more }).to_string()
}

fn since() -> FeedCursor {
    "1.7".parse().unwrap()
}

async fn answered(act: Act, since: Option<&FeedCursor>) -> Result<ChangesAnswer, SorFault> {
    let server = Scripted::start(move |_| act.clone()).await;
    client(&server.url()).changes(since).await
}

fn sent(body: &str) -> Act {
    Act::Send(sor(200, &[JSON], body))
}

#[tokio::test]
async fn changes_come_in_parts_that_go_on_and_say_what_is_gone() {
    let gone = json!({"application_id": APPLICATION, "gone": true});
    let body = page(&[changed(1), gone], "1.9", true);
    let server = Scripted::start(move |_| sent(&body)).await;
    let answer = client(&server.url()).changes(Some(&since())).await.unwrap();
    let ChangesAnswer::Page(ChangesPage { records, gone, next, rest }) = answer else { panic!("{answer:?}") };
    assert_eq!((records.len(), gone, rest), (1, vec![APPLICATION.parse().unwrap()], FeedRest::More));
    assert_eq!(next.as_str(), "1.9");
    assert_eq!(server.asked()[0].line, "GET /v1/changes?since=1.7&limit=250");
    let begins = answered(sent(&page(&[], "1.9", false)), None).await.unwrap();
    assert!(matches!(begins, ChangesAnswer::Page(page) if page.next.as_str() == "1.9"));
}

#[tokio::test]
async fn a_part_that_is_cut_leads_to_itself_or_was_not_asked_for_is_none() {
    let without = |member: &str| {
        let mut change = changed(1);
        change.as_object_mut().unwrap().remove(member);
        change
    };
    for (name, act) in [
        ("that leads to itself", sent(&page(&[changed(1)], "1.7", true))),
        ("too long", sent(&page(&(0..251).map(changed).collect::<Vec<_>>(), "1.9", false))),
        ("a place too long", sent(&page(&[], &"x".repeat(300), false))),
        ("no entity tag", sent(&page(&[without("etag")], "1.9", false))),
        (
            "one that is half gone",
            sent(&page(&[json!({"application_id": APPLICATION, "gone": false})], "1.9", false)),
        ),
        ("no place", sent(r#"{"changes": [], "more": false}"#)),
        ("a list of nothing", sent("{}")),
        ("an untyped 410", Act::Send(sor(410, &[HTML], PORTAL))),
        ("another problem", Act::Send(problem(410, "moved"))),
    ] {
        assert_eq!(answered(act, Some(&since())).await, Err(SorFault::Unreadable), "{name}");
    }
    for (name, act, fault) in [
        (
            "half a part",
            Act::SendThenClose(sor(200, &[JSON], &page(&[changed(1)], "1.9", false))[..60].to_vec()),
            SorFault::NotAnswering,
        ),
        ("a portal's page", Act::Send(html(200)), SorFault::Impostor),
        (
            "another SoR",
            Act::Send(http(200, &[JSON, "Holdfast-Identity: other"], &page(&[], "1.9", false))),
            SorFault::Impostor,
        ),
        ("another's 410", Act::Send(html(410)), SorFault::Impostor),
        ("503", Act::Send(problem(503, "unavailable")), SorFault::NotAnswering),
    ] {
        assert_eq!(answered(act, Some(&since())).await, Err(fault), "{name}");
    }
    let unasked = answered(sent(&page(&[changed(1)], "1.9", false)), None).await;
    assert_eq!(unasked, Err(SorFault::Unreadable), "who asks where it stands is told that alone");
}

#[tokio::test]
async fn only_its_own_typed_answer_says_to_begin_anew_and_an_sor_without_a_feed_has_none() {
    let anew = answered(Act::Send(problem(410, "begin-anew")), Some(&since())).await;
    assert_eq!(anew, Ok(ChangesAnswer::BeginAnew));
    assert_eq!(answered(Act::Send(problem(404, "not-found")), None).await, Ok(ChangesAnswer::NotOffered));
}
