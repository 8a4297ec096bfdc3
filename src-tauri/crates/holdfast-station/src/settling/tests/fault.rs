//! Whose fault a failure is, played through as a drain would meet it.

use super::answers::*;
use super::*;

/// An endpoint and one operation, as a run of answers leaves them.
struct Played {
    endpoint: EndpointRecord,
    item: ItemFacts,
    mark: u64,
    last: Settlement,
}

impl Played {
    fn new() -> Self {
        let mut endpoint = endpoint();
        let pass = through(&mut endpoint, after_ms(0));
        let (last, _) = settled(endpoint.clone(), pass, &item_of(9), &Answer::NotAsked);
        Self { endpoint, item: item(), mark: 100, last }
    }

    fn settle(&mut self, item: &ItemFacts, answer: &Answer) {
        let pass = through(&mut self.endpoint, after_ms(0));
        self.mark += 1;
        let facts = SettleFacts { mark: Mark(self.mark), ..facts(self.endpoint.clone()) };
        self.last = settle_item(&ended(pass), &facts, item, answer, &sent(item)).0;
        self.endpoint = (*self.last.endpoint).clone();
    }

    /// Operation 1 is answered.
    fn own(&mut self, answer: &Answer) {
        let item = self.item.clone();
        self.settle(&item, answer);
        if let Some(ItemChange::Pending(still)) = &self.last.item {
            let attempts = item.attempts + 1;
            let StillPending { failures, doubt, next_step, .. } = *still;
            self.item = ItemFacts { failures, doubt, next_step, attempts, ..item };
        }
    }

    /// An operation of another lane is answered well: the SoR knows it already.
    fn another_lane_is_served(&mut self) {
        self.settle(&item_of(2), &typed(423, "locked"));
    }
}

/// The kinds of failure after something was sent, and whether the operation is looked up afterwards.
fn failures_after_sending() -> [(&'static str, Answer); 5] {
    [
        ("lost", lost()),
        ("500", stranger(500)),
        ("503 until", asking(1, stranger(503))),
        ("untyped", stranger(403)),
        ("redirect", stranger(307)),
    ]
}

#[test]
fn an_operation_that_fails_while_others_are_served_waits_for_a_person_after_five() {
    for (name, answer) in failures_after_sending() {
        let mut played = Played::new();
        played.own(&answer);
        assert_eq!(
            wait_of(&played.last).map(|(cause, _)| cause == WaitCause::Item),
            Some(false),
            "{name}: the first"
        );
        for nth in 1..settings().item_failures_max {
            played.another_lane_is_served();
            played.own(&answer);
            assert_eq!(state_of(&played.last), "pending", "{name}: {nth}");
            assert_eq!(played.item.failures.charged, nth, "{name}");
            assert_eq!(became_open(&played.endpoint), None, "{name}: the others go on");
        }
        played.another_lane_is_served();
        played.own(&answer);
        assert_eq!(state_of(&played.last), "fails-alone", "{name}");
        assert_eq!(words(&played.last.entries), ["operation.quarantined"], "{name}");
        let Some(ItemChange::Quarantined(quarantine)) = &played.last.item else { panic!("{name}") };
        let doubted = name != "503 until";
        assert_eq!(quarantine.doubt.is_any(), doubted, "{name}: nobody forgets that it may be there");
    }
}

fn became_open(endpoint: &EndpointRecord) -> Option<&'static str> {
    let word = endpoint.breaker.state_word(after_ms(ENDED_MS));
    (word != "closed").then_some(word)
}

#[test]
fn failures_with_nobody_served_between_are_the_endpoints() {
    let mut played = Played::new();
    played.own(&lost());
    played.own(&lost());
    assert_eq!(became_open(&played.endpoint), Some("open"));
    assert_eq!(played.item.failures.charged, 0);
    assert_eq!(wait_of(&played.last).map(|(cause, _)| cause), Some(WaitCause::Endpoint));
}

#[test]
fn what_was_never_sent_is_never_the_operations_fault() {
    let mut played = Played::new();
    played.own(&lost());
    for _ in 0..3 * settings().item_failures_max {
        played.another_lane_is_served();
        // So that the breaker, which counts these, stays closed.
        played.endpoint.breaker = endpoint().breaker;
        played.own(&unreachable());
        assert_eq!(state_of(&played.last), "pending");
    }
    assert_eq!(played.item.failures.charged, 0);
}

#[test]
fn the_only_lane_is_charged_after_good_health_and_never_leaves_the_queue() {
    let mut played = Played::new();
    played.own(&lost());
    for nth in 1..=2 * settings().item_failures_max {
        // A health probe closed the breaker, and the operation fails again.
        played.mark += 1;
        played.endpoint.memory.closed_by_probe(Mark(played.mark));
        played.own(&lost());
        assert_eq!(state_of(&played.last), "pending", "{nth}");
        assert_eq!((played.item.failures.alone, played.item.failures.charged), (nth, 0));
        let (cause, ms) = wait_of(&played.last).unwrap();
        assert_eq!(cause, WaitCause::Item);
        assert!(ms >= 30_000, "the longest back-off: {ms}");
        assert_eq!(became_open(&played.endpoint), None, "it does not count for the breaker");
    }
}

#[test]
fn a_charged_failure_waits_at_least_its_own_back_off_whatever_was_asked() {
    let mut played = Played::new();
    played.own(&asking(1, stranger(503)));
    for _ in 1..settings().item_failures_max {
        played.another_lane_is_served();
        played.own(&asking(1, stranger(503)));
    }
    let (cause, ms) = wait_of(&played.last).unwrap();
    assert_eq!(cause, WaitCause::RetryAfter);
    assert!(ms >= 10_000, "after five failures: {ms}");
}

#[test]
fn the_failure_of_a_canary_always_counts() {
    let (mut endpoint, pass) = half_open(after_ms(60_000));
    endpoint.memory.answered(lane(2), Verdict::Success, Mark(90));
    let failures = ItemFailures { last_failure: Some(Mark(80)), failures: 1, ..ItemFailures::default() };
    let (settlement, _) = settled(endpoint, pass, &ItemFacts { failures, ..item() }, &lost());
    assert_eq!(still(&settlement).failures.charged, 1, "charged to the operation");
    assert_eq!(settlement.endpoint.breaker.state_word(after_ms(ENDED_MS)), "open", "and told to the breaker");
}
