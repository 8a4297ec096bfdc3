//! The table of look-ups, by what the journal keeps.

use serde_json::json;

use super::answers::*;
use super::*;

fn looked_up(doubt: Doubt) -> ItemFacts {
    ItemFacts { doubt, next_step: NextStep::LookUp, attempts: 2, ..item() }
}

#[test]
fn a_look_up_finds_it_or_finds_it_absent_or_leaves_it_in_doubt() {
    use NextStep::{LookUp, Send};
    let later = Some(WaitCause::Received);
    let table = [
        ("received", recorded(200, &json!({ "state": "received" })), Doubt::Received, LookUp, later),
        ("absent", typed(404, "unknown-operation"), Doubt::None, Send, None),
        ("untyped 404", stranger(404), Doubt::Sent, LookUp, Some(WaitCause::Endpoint)),
        ("portal", stranger(200), Doubt::Sent, LookUp, Some(WaitCause::Endpoint)),
        ("lost", lost(), Doubt::Sent, LookUp, Some(WaitCause::Endpoint)),
        ("refused", unreachable(), Doubt::Sent, LookUp, Some(WaitCause::Endpoint)),
        ("503 until", asking(9, stranger(503)), Doubt::Sent, LookUp, Some(WaitCause::RetryAfter)),
        ("throttled", stranger(429), Doubt::Sent, LookUp, Some(WaitCause::Item)),
        ("forbidden", typed(403, "forbidden"), Doubt::Sent, LookUp, Some(WaitCause::Item)),
        ("a refusal of contents", typed(422, "validation"), Doubt::Sent, LookUp, Some(WaitCause::Item)),
        ("not asked", Answer::NotAsked, Doubt::Sent, LookUp, Some(WaitCause::Item)),
    ];
    for (name, answer, doubt, step, cause) in table {
        let (endpoint, pass) = on_the_edge();
        let (settlement, came) = settled(endpoint, pass, &looked_up(Doubt::Sent), &answer);
        let still = still(&settlement);
        assert_eq!(
            (still.doubt, still.next_step, still.wait.map(|wait| wait.cause)),
            (doubt, step, cause),
            "{name}"
        );
        assert_eq!(came.of_it, Aftermath::Waits, "{name}");
    }
}

#[test]
fn what_a_look_up_finds_is_archived_as_found() {
    let (endpoint, pass) = on_the_edge();
    let (settlement, came) = settled(endpoint, pass, &looked_up(Doubt::Received), &recorded(200, &json!({})));
    assert_eq!((state_of(&settlement), came.of_it), ("committed", Aftermath::Found));
    assert_eq!(words(&settlement.entries), ["operation.found"]);
}

#[test]
fn a_receipt_about_another_operation_finds_nothing() {
    let (endpoint, pass) = on_the_edge();
    let other = recorded(200, &json!({ "operation_id": operation(2) }));
    let (settlement, _) = settled(endpoint, pass, &looked_up(Doubt::Sent), &other);
    assert_eq!((state_of(&settlement), still(&settlement).doubt), ("pending", Doubt::Sent));
}

#[test]
fn a_refused_token_is_one_for_look_ups_too() {
    let (endpoint, pass) = on_the_edge();
    let (settlement, came) = settled(endpoint, pass, &looked_up(Doubt::Sent), &typed(401, "unauthorized"));
    assert_eq!(came.of_it, Aftermath::TokenRefused);
    let still = still(&settlement);
    assert_eq!((still.doubt, still.next_step, still.wait), (Doubt::Sent, NextStep::LookUp, None));
}

/// The same at an SoR without keys, for one whose last send began so many milliseconds after the first moment.
fn looked_up_without_keys(kind: Kind, sent_ms: Option<u64>, answer: &Answer) -> (Settlement, Came) {
    let (endpoint, pass) = on_the_edge();
    let last_sent = sent_ms.map(after_ms);
    let item = ItemFacts { kind, last_sent, ..looked_up(Doubt::Sent) };
    let now = after_ms(ENDED_MS + 240_000);
    let asked = after_ms(ENDED_MS + 239_500);
    let ended = Ended { profile: Profile::LookBeforeWrite, now, asked, ..ended(pass) };
    settle_item(&ended, &facts(endpoint), &item, answer, &sent(&item))
}

#[test]
fn without_keys_an_absence_is_believed_only_when_it_was_asked_after_the_settle_time() {
    use NextStep::{LookUp, Send};
    // Asked at 300,000; the settle time and the limit of an attempt are 245,000.
    let table = [
        ("in time", Some(55_000), Doubt::None, Send, None),
        ("asked too early, answered in time", Some(55_001), Doubt::Sent, LookUp, Some(1)),
        ("much too early", Some(299_000), Doubt::Sent, LookUp, Some(244_000)),
        ("not known when", None, Doubt::Sent, LookUp, Some(245_000)),
    ];
    for (name, sent_ms, doubt, step, left_ms) in table {
        let (settlement, came) =
            looked_up_without_keys(Kind::Stage, sent_ms, &typed(404, "unknown-operation"));
        let still = still(&settlement);
        assert_eq!((still.doubt, still.next_step), (doubt, step), "{name}");
        assert_eq!(wait_of(&settlement), left_ms.map(|ms| (WaitCause::Settle, ms)), "{name}");
        assert_eq!(came.of_it, Aftermath::Waits, "{name}");
        let entry = &settlement.entries[0];
        assert!(entry.data.contains_key("settle") && entry.data.contains_key("asked"), "{name}: {entry:?}");
    }
}

#[test]
fn a_look_up_of_a_kind_that_no_look_can_find_goes_to_a_person() {
    let (settlement, came) = looked_up_without_keys(Kind::Note, Some(0), &Answer::NotAsked);
    assert_eq!((state_of(&settlement), came.of_it), ("unprovable", Aftermath::Quarantined));
}

#[test]
fn a_commit_at_an_sor_without_keys_is_looked_at_once_more() {
    for (profile, expected) in [(Profile::LookBeforeWrite, Some(240_000)), (Profile::Idempotent, None)] {
        let (endpoint, pass) = on_the_edge();
        let ended = Ended { profile, ..ended(pass) };
        let (settlement, _) = settle_item(&ended, &facts(endpoint), &item(), &committed(), &sent(&item()));
        let Some(ItemChange::Committed(commit)) = settlement.item else { panic!("{profile:?}") };
        assert_eq!(commit.second_look_ms, expected, "{profile:?}");
    }
}
