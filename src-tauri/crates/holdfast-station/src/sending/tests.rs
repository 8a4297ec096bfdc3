//! The decision before each attempt, by what the breaker says and what waits.

use holdfast_core::breaker::Verdict;
use holdfast_core::ids::{EndpointName, LocalSeq};
use holdfast_core::lane::{Head, Place, Urgency};
use holdfast_core::outcome::Doubt;
use holdfast_core::wait::{Interval, Wait, WaitCause};

use super::*;
use crate::made_up::{
    after_ms, books, breaker_settings, canary_of, endpoint, half_open, lane, operation, slow, tell, tripped,
    words,
};

mod cascading;

/// The head of lane `n` in the order of acceptance: operation `n`, never sent, nothing to wait for.
fn head(n: u32) -> Head {
    Head {
        operation_id: operation(u128::from(n)),
        application_id: lane(u128::from(n)),
        place: Place { place: LocalSeq(u64::from(n)), revision: 0 },
        lane_urgency: Urgency::Ordinary,
        wait: None,
        next_step: NextStep::Send,
        doubt: Doubt::None,
        in_doubt: InDoubt::Nowhere,
        wait_charged_to: Recorder::Primary,
    }
}

fn facts(endpoint: EndpointRecord, heads: &[Head]) -> SendFacts {
    let waiting = heads.len().max(1) as u64;
    let (heads, last_seq) = (heads.to_vec(), LocalSeq(9));
    let sending = Sending::Goes;
    let recorder = Recorder::Primary;
    let (other, mirror_part, books) = (None, None, books(waiting, 0));
    SendFacts { recorder, endpoint, other, mirror_part, heads, next_wake_ms: None, books, last_seq, sending }
}

fn decided(facts: &SendFacts, at_ms: u64) -> (Step, Next) {
    next(facts, after_ms(at_ms), &breaker_settings(), MirrorKeys::Apart)
}

/// The endpoint and the events of a step, and the operation that it puts in flight, if it does.
fn kept(step: Step) -> (EndpointRecord, Vec<&'static str>, Option<(OperationId, NextStep)>) {
    match step {
        Step::Attempt { operation_id, what, endpoint, lost: _, entries } => {
            (*endpoint, words(&entries), Some((operation_id, what)))
        }
        Step::Rest { endpoint, lost: _, entries } => (*endpoint, words(&entries), None),
    }
}

/// Operation and step of the attempt that is decided, if one is.
fn attempted(facts: &SendFacts, at_ms: u64) -> Option<(OperationId, NextStep)> {
    let (step, next) = decided(facts, at_ms);
    let (_, _, attempt) = kept(step);
    match next {
        Next::Attempt { what, .. } => assert_eq!(attempt.map(|(_, what)| what), Some(what)),
        Next::Probe { .. } | Next::Wait { .. } | Next::Stuck | Next::Held | Next::Paused | Next::Empty => {
            assert_eq!(attempt, None, "nothing is in flight unless it is sent");
        }
    }
    attempt
}

#[test]
fn without_work_nothing_is_asked_of_anybody() {
    for (what, endpoint) in [("closed", endpoint()), ("open", tripped())] {
        let facts = SendFacts { books: books(0, 3), ..facts(endpoint.clone(), &[]) };
        let (step, next) = decided(&facts, 20_000);
        assert_eq!(next, Next::Empty, "{what}");
        assert_eq!(kept(step), (endpoint, vec![], None), "{what}");
    }
}

#[test]
fn without_work_an_open_breaker_asks_for_a_sign_of_life_when_its_time_has_come() {
    let facts = SendFacts { books: books(0, 3), ..facts(tripped(), &[]) };
    let (step, next) = decided(&facts, 60_000);
    assert!(matches!(next, Next::Probe { pass } if pass.is_canary()), "{next:?}");
    let (endpoint, events, attempt) = kept(step);
    assert_eq!((events, attempt), (vec!["breaker.half_open"], None));
    let again = SendFacts { endpoint, ..facts };
    assert_eq!(decided(&again, 60_001).1, Next::Empty, "one at a time");
}

#[test]
fn after_closing_nothing_is_sent_before_the_random_wait_is_over() {
    let first_drain = Some(Interval { from: after_ms(1_000), length_ms: 20_000 });
    let facts = facts(EndpointRecord { first_drain, ..endpoint() }, &[head(1)]);
    assert_eq!(decided(&facts, 15_000).1, Next::Wait { ms: 6_000 });
    assert_eq!(attempted(&facts, 21_000), Some((operation(1), NextStep::Send)));
}

#[test]
fn after_a_slow_spell_the_canary_that_succeeded_is_followed_by_a_sign_of_life() {
    let mut endpoint = slow();
    let canary = canary_of(&mut endpoint, after_ms(60_000));
    tell(&mut endpoint, &canary, Verdict::Success, after_ms(60_001));
    let (_, next) = decided(&facts(endpoint, &[head(1)]), 60_002);
    assert!(matches!(next, Next::Probe { pass } if pass.is_canary()), "{next:?}");
}

#[test]
fn a_hold_whose_time_is_over_is_told_and_followed_by_a_canary() {
    let mut endpoint = endpoint();
    let until = after_ms(5_000).wall;
    endpoint.breaker.hold(after_ms(0), until, "maintenance".into(), "supervisor".parse().unwrap());
    assert_eq!(decided(&facts(endpoint.clone(), &[head(1)]), 4_999).1, Next::Held);
    let (step, next) = decided(&facts(endpoint, &[head(1)]), 5_000);
    assert!(matches!(next, Next::Attempt { pass, .. } if pass.is_canary()), "{next:?}");
    assert_eq!(kept(step).1, ["breaker.released", "breaker.half_open", "operation.sent"]);
}

#[test]
fn a_closed_breaker_lets_the_oldest_head_out_and_writes_it_down_first() {
    let urgent = Head { lane_urgency: Urgency::Urgent, ..head(3) };
    let looked_up = Head {
        next_step: NextStep::LookUp,
        doubt: Doubt::Sent,
        in_doubt: InDoubt::At(Recorder::Primary),
        ..head(1)
    };
    let table = [
        (vec![head(2), head(1)], Some((operation(1), NextStep::Send))),
        (vec![head(1), urgent], Some((operation(3), NextStep::Send))),
        (vec![looked_up], Some((operation(1), NextStep::LookUp))),
        (vec![], None),
    ];
    for (heads, expected) in table {
        assert_eq!(attempted(&facts(endpoint(), &heads), 0), expected);
    }
    let (step, _) = decided(&facts(endpoint(), &[head(1)]), 0);
    let Step::Attempt { entries, .. } = step else { panic!("{step:?}") };
    assert_eq!(words(&entries), ["operation.sent"]);
    assert_eq!(entries[0].operation_id, Some(operation(1)));
    assert_eq!((&entries[0].data["what"], &entries[0].data["canary"]), (&"send".into(), &false.into()));
}

#[test]
fn what_waits_is_waited_for_and_what_needs_a_person_is_not() {
    let nothing_ready = facts(endpoint(), &[]);
    assert_eq!(decided(&nothing_ready, 0).1, Next::Stuck);
    let soon = SendFacts { next_wake_ms: Some(1_500), ..nothing_ready };
    assert_eq!(decided(&soon, 0).1, Next::Wait { ms: 1_500 });
}

#[test]
fn a_wait_that_ends_with_the_outage_keeps_no_operation_from_ending_it() {
    let waiting =
        |cause| Head { wait: Some(Wait { from: after_ms(60_000), length_ms: 9_000, cause }), ..head(1) };
    let table = [
        (WaitCause::Endpoint, true),
        (WaitCause::Item, false),
        (WaitCause::RetryAfter, false),
        (WaitCause::Received, false),
        (WaitCause::Parent, false),
    ];
    for (cause, may_be_canary) in table {
        let canary = attempted(&facts(tripped(), &[waiting(cause)]), 60_000);
        assert_eq!(canary.is_some(), may_be_canary, "{cause:?}");
        assert_eq!(attempted(&facts(endpoint(), &[waiting(cause)]), 60_000), None, "{cause:?}: closed");
    }
}

#[test]
fn a_breaker_that_lets_nothing_out_says_how_long() {
    let heads = [head(1)];
    // Half of the jitter of ±10 %.
    let Next::Wait { ms: whole } = decided(&facts(tripped(), &heads), 0).1 else { panic!("open") };
    assert!((27_000..=33_000).contains(&whole), "{whole}");
    assert_eq!(decided(&facts(tripped(), &heads), whole - 1).1, Next::Wait { ms: 1 });
    assert!(attempted(&facts(tripped(), &heads), whole).is_some());

    let (out, pass) = half_open(after_ms(60_000));
    let deadline = u64::try_from(pass.canary_deadline.unwrap().millis_since(after_ms(60_500).wall)).unwrap();
    assert_eq!(decided(&facts(out, &heads), 60_500).1, Next::Wait { ms: deadline }, "one canary at a time");

    let mut held = endpoint();
    let until = after_ms(3_600_000).wall;
    held.breaker.hold(after_ms(0), until, "planned".into(), "sue".parse().unwrap());
    assert_eq!(decided(&facts(held, &heads), 60_000).1, Next::Held);
}

#[test]
fn a_half_open_breaker_lets_one_canary_out_and_both_events_are_kept_before() {
    let facts = facts(tripped(), &[head(1), head(2)]);
    let (step, next) = decided(&facts, 60_000);
    let Next::Attempt { pass, .. } = next else { panic!("{next:?}") };
    assert!(pass.is_canary());
    let (endpoint, events, attempt) = kept(step);
    assert_eq!(events, ["breaker.half_open", "operation.sent"]);
    assert_eq!(attempt, Some((operation(1), NextStep::Send)));
    let again = SendFacts { endpoint, ..facts };
    assert!(matches!(decided(&again, 60_001).1, Next::Wait { .. }), "the only slot is taken");
}

#[test]
fn the_canary_comes_from_another_lane_than_the_one_that_failed() {
    let in_doubt = Head { doubt: Doubt::Sent, in_doubt: InDoubt::At(Recorder::Primary), ..head(1) };
    let received = Head {
        doubt: Doubt::Received,
        next_step: NextStep::LookUp,
        in_doubt: InDoubt::At(Recorder::Primary),
        ..head(1)
    };
    let failed = |lane| {
        let mut endpoint = tripped();
        endpoint.memory.canary_failed(lane);
        endpoint
    };
    let table = [
        ("the oldest", failed(None), vec![head(1), head(2)], Some((operation(1), NextStep::Send))),
        ("another lane", failed(Some(lane(1))), vec![head(1), head(2)], Some((operation(2), NextStep::Send))),
        // It may have arrived: that is found out before anything is sent again.
        ("its look-up", failed(None), vec![in_doubt, head(2)], Some((operation(1), NextStep::LookUp))),
        ("its look-up", failed(None), vec![received], Some((operation(1), NextStep::LookUp))),
        ("no other lane", failed(Some(lane(1))), vec![head(1)], None),
        ("nothing ready", failed(None), vec![], None),
    ];
    for (what, endpoint, heads, expected) in table {
        let facts = facts(endpoint, &heads);
        assert_eq!(attempted(&facts, 60_000), expected, "{what}");
        if expected.is_none() {
            let (step, next) = decided(&facts, 60_000);
            assert!(matches!(next, Next::Probe { pass } if pass.is_canary()), "{what}: {next:?}");
            assert_eq!(kept(step).1, ["breaker.half_open"], "{what}");
        }
    }
}

#[test]
fn a_canary_that_never_came_back_has_failed_and_its_lane_is_remembered() {
    let heads = [head(1), head(2)];
    let (step, _) = decided(&facts(tripped(), &heads), 60_000);
    let (out, _, attempt) = kept(step);
    assert_eq!(attempt, Some((operation(1), NextStep::Send)));

    // The program ended there. Its deadline passes, and a whole cool-down after it.
    let lost = facts(out, &heads);
    let deadline_ms = 60_000 + breaker_settings().canary_deadline_ms;
    let (step, next) = decided(&lost, deadline_ms);
    let (reopened, events, _) = kept(step);
    assert_eq!(events, ["breaker.tripped"]);
    assert!(matches!(next, Next::Wait { .. }), "{next:?}");
    let much_later = deadline_ms + 60_000;
    assert_eq!(
        attempted(&facts(reopened, &heads), much_later),
        Some((operation(2), NextStep::Send)),
        "the next comes from another lane"
    );
    // Found only much later, it is lost all the same.
    let (step, _) = decided(&lost, much_later);
    let (_, events, attempt) = kept(step);
    assert_eq!(events, ["breaker.tripped", "breaker.half_open", "operation.sent"]);
    assert_eq!(attempt, Some((operation(2), NextStep::Send)));
}

#[test]
fn a_closed_breaker_is_not_changed_by_being_asked() {
    let mut once = endpoint();
    let pass = crate::made_up::through(&mut once, after_ms(0));
    tell(&mut once, &pass, Verdict::Failure, after_ms(0));
    let (step, _) = decided(&facts(once.clone(), &[head(1)]), 10);
    assert_eq!(kept(step).0, once);
}

#[test]
fn after_a_probe_that_never_came_back_it_is_the_operations_turn_again() {
    let mut failed = tripped();
    failed.memory.canary_failed(Some(lane(1)));
    let (step, next) = decided(&facts(failed, &[head(1)]), 60_000);
    assert!(matches!(next, Next::Probe { .. }), "{next:?}");
    let (out, _, _) = kept(step);
    assert_eq!(attempted(&facts(out, &[head(1)]), 600_000), Some((operation(1), NextStep::Send)));
}

#[test]
fn while_the_sor_lacks_what_it_had_nothing_goes_but_a_sign_of_life() {
    let paused = |endpoint| SendFacts { sending: Sending::Pauses, ..facts(endpoint, &[head(1)]) };
    assert_eq!(attempted(&paused(endpoint()), 0), None);
    assert_eq!(decided(&paused(endpoint()), 0).1, Next::Paused);
    let (_, canary) = decided(&paused(tripped()), 40_000);
    assert!(matches!(canary, Next::Probe { .. }), "{canary:?}");
}
