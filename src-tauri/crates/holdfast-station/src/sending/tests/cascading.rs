//! The decision before each attempt when there is a mirror: which endpoint a head is offered to, and what is asked there.

use super::*;
use holdfast_core::replay::{Recomputed, recompute};

fn mirror() -> EndpointRecord {
    EndpointRecord { name: EndpointName::mirror(), ..endpoint() }
}

/// What is decided at one endpoint, the other being as it is.
fn facts_at(
    recorder: Recorder,
    primary: &EndpointRecord,
    mirror: &EndpointRecord,
    heads: &[Head],
) -> SendFacts {
    let (here, other) = match recorder {
        Recorder::Primary => (primary, mirror),
        Recorder::Mirror => (mirror, primary),
    };
    let mirror_part = Some(MirrorPart::Authoritative);
    SendFacts { recorder, other: Some(other.clone()), mirror_part, ..facts(here.clone(), heads) }
}

fn in_doubt(n: u32, at: Recorder) -> Head {
    Head { doubt: Doubt::Sent, in_doubt: InDoubt::At(at), ..head(n) }
}

#[test]
fn while_the_primary_is_open_the_oldest_head_goes_to_the_mirror() {
    let facts = facts_at(Recorder::Mirror, &tripped(), &mirror(), &[head(2), head(1)]);
    assert_eq!(attempted(&facts, 1_000), Some((operation(1), NextStep::Send)));
    let (step, _) = decided(&facts, 1_000);
    assert_eq!(step.endpoint().name, EndpointName::mirror(), "its own breaker is asked");
}

#[test]
fn while_the_primary_takes_operations_the_mirror_is_offered_none() {
    for primary in [endpoint(), tripped()] {
        // Closed, or its canary due.
        let facts = facts_at(Recorder::Mirror, &primary, &mirror(), &[head(1)]);
        assert_eq!(decided(&facts, 60_000).1, Next::Stuck);
    }
}

#[test]
fn a_canary_that_is_out_leaves_the_rest_to_the_mirror() {
    let (primary, _) = half_open(after_ms(60_000));
    let facts = facts_at(Recorder::Mirror, &primary, &mirror(), &[head(1)]);
    assert_eq!(attempted(&facts, 60_000), Some((operation(1), NextStep::Send)));
}

#[test]
fn what_is_in_doubt_at_one_is_not_offered_to_the_other() {
    let heads = [in_doubt(1, Recorder::Primary), head(2)];
    let facts = facts_at(Recorder::Mirror, &tripped(), &mirror(), &heads);
    assert_eq!(attempted(&facts, 1_000), Some((operation(2), NextStep::Send)));
    let heads = [in_doubt(1, Recorder::Mirror), head(2)];
    let facts = facts_at(Recorder::Primary, &endpoint(), &mirror(), &heads);
    assert_eq!(attempted(&facts, 1_000), Some((operation(2), NextStep::Send)));
}

#[test]
fn what_is_in_doubt_at_the_mirror_is_only_asked_for_once_the_primary_is_back() {
    let heads = [in_doubt(1, Recorder::Mirror), head(2)];
    let facts = facts_at(Recorder::Mirror, &endpoint(), &mirror(), &heads);
    assert_eq!(attempted(&facts, 1_000), Some((operation(1), NextStep::LookUp)));
    let facts = facts_at(Recorder::Mirror, &tripped(), &mirror(), &heads);
    assert_eq!(attempted(&facts, 1_000), Some((operation(1), NextStep::Send)), "the same key and bytes");
}

#[test]
fn keys_that_are_shared_let_what_is_in_doubt_at_the_primary_go_to_the_mirror() {
    let facts = facts_at(Recorder::Mirror, &tripped(), &mirror(), &[in_doubt(1, Recorder::Primary)]);
    let (step, _) = next(&facts, after_ms(1_000), &breaker_settings(), MirrorKeys::Shared);
    assert_eq!(kept(step).2, Some((operation(1), NextStep::Send)));
    assert_eq!(attempted(&facts, 1_000), None, "apart, it waits");
}

#[test]
fn a_wait_charged_to_the_primary_keeps_nothing_from_the_mirror_and_its_own_wait_does() {
    let waiting = |cause, wait_charged_to| {
        let wait = Some(Wait { from: after_ms(0), length_ms: 90_000, cause });
        [Head { wait, wait_charged_to, ..head(1) }]
    };
    for (cause, charged_to, goes) in [
        (WaitCause::Endpoint, Recorder::Primary, true),
        (WaitCause::RetryAfter, Recorder::Primary, true),
        (WaitCause::Endpoint, Recorder::Mirror, false),
        (WaitCause::RetryAfter, Recorder::Mirror, false),
        (WaitCause::Item, Recorder::Primary, false),
        (WaitCause::Parent, Recorder::Primary, false),
    ] {
        let facts = facts_at(Recorder::Mirror, &tripped(), &mirror(), &waiting(cause, charged_to));
        assert_eq!(attempted(&facts, 1_000).is_some(), goes, "{cause:?} charged to {charged_to:?}");
    }
}

#[test]
fn a_mirror_that_holds_copies_is_offered_nothing() {
    let facts = facts_at(Recorder::Mirror, &tripped(), &mirror(), &[head(1)]);
    for mirror_part in [Some(MirrorPart::Custody), None] {
        assert_eq!(decided(&SendFacts { mirror_part, ..facts.clone() }, 1_000).1, Next::Stuck);
    }
}

#[test]
fn an_open_mirror_is_given_one_canary_and_with_nothing_to_send_a_sign_of_life() {
    let mirror = EndpointRecord { name: EndpointName::mirror(), ..tripped() };
    let facts = facts_at(Recorder::Mirror, &tripped(), &mirror, &[head(1)]);
    assert!(matches!(decided(&facts, 1_000).1, Next::Wait { .. }));
    let (primary, _) = half_open(after_ms(60_000));
    let facts = facts_at(Recorder::Mirror, &primary, &mirror, &[head(1)]);
    let (_, next) = decided(&facts, 60_000);
    assert!(matches!(next, Next::Attempt { pass, .. } if pass.is_canary()), "{next:?}");
    let facts = facts_at(Recorder::Mirror, &endpoint(), &mirror, &[head(1)]);
    let (_, next) = decided(&facts, 60_000);
    assert!(matches!(next, Next::Probe { .. }), "what is the primary's is no canary of the mirror: {next:?}");
}

#[test]
fn the_mirror_is_asked_when_it_may_have_something_to_do() {
    let due = |primary: &EndpointRecord, mirror: &EndpointRecord, heads: &[Head], at_ms| {
        is_mirror_due(&facts_at(Recorder::Primary, primary, mirror, heads), primary, after_ms(at_ms))
    };
    assert!(!due(&endpoint(), &mirror(), &[head(1)], 1_000), "the primary does everything");
    assert!(due(&tripped(), &mirror(), &[head(1)], 1_000));
    assert!(due(&endpoint(), &mirror(), &[in_doubt(1, Recorder::Mirror)], 1_000), "it owes an answer");
    let open = EndpointRecord { name: EndpointName::mirror(), ..tripped() };
    assert!(!due(&endpoint(), &open, &[], 1_000));
    assert!(due(&endpoint(), &open, &[], 60_000), "its canary is due");
    let none = SendFacts { other: None, ..facts_at(Recorder::Primary, &tripped(), &mirror(), &[head(1)]) };
    assert!(!is_mirror_due(&none, &tripped(), after_ms(1_000)));
}

#[test]
fn what_is_sent_says_why_it_went_there_and_a_lie_about_it_is_found() {
    let facts = facts_at(Recorder::Mirror, &tripped(), &mirror(), &[head(1)]);
    let (step, _) = decided(&facts, 1_000);
    let Step::Attempt { entries, .. } = step else { panic!("nothing was sent") };
    let entry = entries.into_iter().find(|entry| entry.kind == EventKind::OperationSent).unwrap();
    let event = |data| holdfast_core::audit::Event {
        v: 1,
        seq: 1,
        station_id: "front-1".parse().unwrap(),
        at: after_ms(1_000).wall,
        boot_ms: after_ms(1_000).boot,
        kind: entry.kind,
        actor_id: None,
        operation_id: entry.operation_id,
        data,
    };
    assert_eq!(recompute(&event(entry.data.clone())), Recomputed::Agrees);
    let mut closed = entry.data.clone();
    closed["cascade"]["primary"] = "closed".into();
    assert!(matches!(recompute(&event(closed)), Recomputed::Differs { .. }), "the primary was closed");
    let mut elsewhere = entry.data.clone();
    elsewhere.insert("endpoint".to_owned(), "primary".into());
    assert!(matches!(recompute(&event(elsewhere)), Recomputed::Differs { .. }), "it went somewhere else");
    let mut doubtful = entry.data.clone();
    doubtful["cascade"]["in_doubt"] = serde_json::json!({"at": "primary"});
    assert!(matches!(recompute(&event(doubtful)), Recomputed::Differs { .. }), "it was in doubt");
}
