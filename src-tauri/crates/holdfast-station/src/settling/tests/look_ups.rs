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
