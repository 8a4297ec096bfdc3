//! Whose fault a failure is, told as histories of one endpoint.

#![allow(clippy::unwrap_used)]

use holdfast_core::blame::{
    AfterCharge, Charge, EndpointMemory, ItemFailures, Mark, Pause, after_charge, charge,
};
use holdfast_core::breaker::Verdict;
use holdfast_core::ids::ApplicationId;
use holdfast_core::wait::WaitCause;

const ITEM_FAILURES_MAX: u32 = 5;

const BY_ENDPOINT: AfterCharge = AfterCharge::Wait(WaitCause::Endpoint, Pause::Backoff);
const BY_ITEM: AfterCharge = AfterCharge::Wait(WaitCause::Item, Pause::Backoff);
const ALONE: AfterCharge = AfterCharge::Wait(WaitCause::Item, Pause::Longest);

fn lane(n: u8) -> ApplicationId {
    format!("01932c6f-8f0a-7cc3-98a1-0242ac1200{n:02x}").parse().unwrap()
}

/// What happened, in order.
#[derive(Clone, Copy)]
enum Event {
    /// The operation of lane 1 failed, and this followed.
    Fails(AfterCharge),
    /// A lane was answered.
    Answered(u8, Verdict),
    /// A health probe closed the breaker.
    ProbeCloses,
}

use Event::{Answered, Fails, ProbeCloses};
use Verdict::{Alive, Failure, Neutral, Success};

fn play(name: &str, events: &[Event]) {
    let mut memory = EndpointMemory::default();
    let mut item = ItemFailures::default();
    for (n, event) in events.iter().enumerate() {
        let mark = Mark(u64::try_from(n).unwrap() + 1);
        match *event {
            Answered(n, verdict) => memory.answered(lane(n), verdict, mark),
            ProbeCloses => memory.closed_by_probe(mark),
            Fails(expected) => {
                let charged = charge(&memory, lane(1), &item);
                item = item.with(charged, mark);
                assert_eq!(after_charge(charged, &item, ITEM_FAILURES_MAX), expected, "{name}, event {n}");
            }
        }
    }
}

#[test]
fn the_first_failure_is_the_endpoints_whoever_was_served_before() {
    play("nobody before", &[Fails(BY_ENDPOINT)]);
    play("others before", &[Answered(2, Success), Answered(3, Success), Fails(BY_ENDPOINT)]);
}

#[test]
fn a_later_failure_is_the_items_only_when_another_lane_was_served_between() {
    for (verdict, then) in [
        (Success, BY_ITEM),
        (Alive, BY_ITEM),
        (Neutral, BY_ENDPOINT),
        (Failure, BY_ENDPOINT),
        (Verdict::None, BY_ENDPOINT),
    ] {
        play("one other", &[Fails(BY_ENDPOINT), Answered(2, verdict), Fails(then)]);
    }
    play("its own lane", &[Fails(BY_ENDPOINT), Answered(1, Alive), Fails(BY_ENDPOINT)]);
    play("other, then own", &[Fails(BY_ENDPOINT), Answered(2, Success), Answered(1, Alive), Fails(BY_ITEM)]);
    play(
        "two others, then own",
        &[
            Fails(BY_ENDPOINT),
            Answered(2, Success),
            Answered(3, Success),
            Answered(1, Alive),
            Answered(1, Alive),
            Fails(BY_ITEM),
        ],
    );
    play("before, not between", &[Answered(2, Success), Fails(BY_ENDPOINT), Fails(BY_ENDPOINT)]);
}

#[test]
fn a_poison_item_is_quarantined_after_as_many_failures_while_others_are_served() {
    let mut events = vec![Fails(BY_ENDPOINT)];
    for then in [BY_ITEM, BY_ITEM, BY_ITEM, BY_ITEM, AfterCharge::FailsAlone] {
        events.extend([Answered(2, Success), Fails(then)]);
    }
    play("poison", &events);
}

#[test]
fn nothing_is_ever_quarantined_because_the_sor_was_down() {
    play("down for ever", &[Fails(BY_ENDPOINT); 1_000]);
    let mut outages = Vec::new();
    for _ in 0..100 {
        outages.extend([Answered(1, Alive), Fails(BY_ENDPOINT), Fails(BY_ENDPOINT), Answered(1, Alive)]);
    }
    play("its own lane answers between outages", &outages);
}

#[test]
fn a_lane_that_is_alone_is_charged_once_for_each_close_by_a_probe_and_never_leaves_the_queue() {
    let mut events = vec![Fails(BY_ENDPOINT)];
    for then in [ALONE, ALONE, ALONE, ALONE, AfterCharge::NeedsPerson, AfterCharge::NeedsPerson] {
        events.extend([ProbeCloses, Fails(then), Fails(BY_ENDPOINT)]);
    }
    play("alone", &events);
}

#[test]
fn a_probe_that_closed_before_its_previous_failure_is_no_witness() {
    play("old close", &[ProbeCloses, Fails(BY_ENDPOINT), Fails(BY_ENDPOINT)]);
}

#[test]
fn when_others_are_served_too_a_close_by_a_probe_does_not_matter() {
    play("both", &[Fails(BY_ENDPOINT), ProbeCloses, Answered(2, Success), Fails(BY_ITEM)]);
}

#[test]
fn a_failure_of_the_item_does_not_count_for_the_breaker_unless_it_was_the_canary() {
    let cases = [
        (Charge::Endpoint, false, Failure),
        (Charge::Endpoint, true, Failure),
        (Charge::Item, false, Verdict::None),
        (Charge::Item, true, Failure),
        (Charge::ItemAlone, false, Verdict::None),
        (Charge::ItemAlone, true, Failure),
    ];
    for (charged, is_canary, told) in cases {
        assert_eq!(charged.verdict(Failure, is_canary), told, "{charged:?}, canary: {is_canary}");
    }
}

#[test]
fn the_next_canary_avoids_the_lane_of_the_last_one_that_failed_until_something_closes() {
    let mut memory = EndpointMemory::default();
    memory.canary_failed(Some(lane(1)));
    assert_eq!(memory.failed_canary(), Some(lane(1)));
    let mut by_probe = memory;
    by_probe.closed_by_probe(Mark(9));
    memory.closed();
    assert_eq!((memory.failed_canary(), by_probe.failed_canary()), (None, None));
    memory.canary_failed(None);
    assert_eq!(memory.failed_canary(), None, "a probe has no lane");
}

#[test]
fn the_memory_survives_being_stored() {
    let mut memory = EndpointMemory::default();
    memory.answered(lane(1), Success, Mark(1));
    memory.answered(lane(2), Alive, Mark(2));
    memory.canary_failed(Some(lane(2)));
    let stored = serde_json::to_string(&memory).unwrap();
    assert_eq!(serde_json::from_str::<EndpointMemory>(&stored).unwrap(), memory);
}
