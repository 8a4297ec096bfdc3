//! One person without a right, or a station without any.

use super::answers::*;
use super::*;

fn forbidden() -> Answer {
    typed(403, "forbidden")
}

/// Answers to operations of lanes, one after the other, from a closed breaker.
fn played(answers: &[(u128, Answer)]) -> Vec<(Settlement, Came)> {
    let mut endpoint = endpoint();
    let settle = |(n, answer): &(u128, Answer)| {
        let pass = through(&mut endpoint, after_ms(0));
        let item = item_of(*n);
        let done = settle_item(&ended(pass), &facts(endpoint.clone()), &item, answer, &sent(&item));
        endpoint = (*done.0.endpoint).clone();
        done
    };
    answers.iter().map(settle).collect()
}

#[test]
fn three_lanes_in_a_row_pause_the_drain_and_nothing_waits_for_a_person() {
    let run = played(&[(1, forbidden()), (2, forbidden()), (3, forbidden())]);
    let came: Vec<_> = run.iter().map(|(_, came)| came.of_it).collect();
    assert_eq!(came, [Aftermath::Waits, Aftermath::Waits, Aftermath::Paused]);
    for (settlement, came) in &run {
        assert_eq!((state_of(settlement), came.set_aside), ("pending", 0));
        assert!(settlement.set_aside.is_empty());
    }
}

#[test]
fn one_that_is_forbidden_while_another_is_not_waits_for_a_person() {
    let run = played(&[(1, forbidden()), (2, typed(423, "locked"))]);
    let (first, _) = &run[0];
    assert!(wait_of(first).is_some_and(|(cause, ms)| cause == WaitCause::Item && ms >= 30_000), "set aside");
    let (settlement, came) = &run[1];
    assert_eq!(came.set_aside, 1);
    assert_eq!(settlement.set_aside.len(), 1);
    let set_aside = &settlement.set_aside[0];
    assert_eq!((set_aside.operation_id, set_aside.reason.word()), (operation(1), "forbidden"));
    let entry = &settlement.entries[1];
    assert_eq!((entry.kind.word(), entry.operation_id), ("operation.quarantined", Some(operation(1))));
    assert!(!entry.data.contains_key("doubt"), "its doubt is what its row says, and stays");
}

#[test]
fn one_that_is_forbidden_again_with_nobody_else_heard_of_waits_for_a_person() {
    let run = played(&[(1, forbidden()), (1, forbidden())]);
    assert_eq!((state_of(&run[1].0), run[1].1.of_it), ("forbidden", Aftermath::Quarantined));
    assert_eq!(run[1].1.set_aside, 0, "counted once");
}

#[test]
fn a_failure_between_says_nothing_about_rights() {
    let run = played(&[(1, forbidden()), (2, unreachable()), (2, forbidden()), (3, forbidden())]);
    assert_eq!(run[3].1.of_it, Aftermath::Paused);
}
