//! What the breaker and the outage register learn from answers and probes.

use super::answers::*;
use super::*;

/// One answer of each verdict.
fn verdicts() -> [(Verdict, Answer); 5] {
    [
        (Verdict::Success, committed()),
        (Verdict::Alive, already()),
        (Verdict::Neutral, stranger(429)),
        (Verdict::Failure, lost()),
        (Verdict::None, Answer::NotAsked),
    ]
}

/// What an answer made of a closed breaker that trips at the next failure: `tripped`, `reset` or `as before`.
fn became(mut endpoint: EndpointRecord) -> &'static str {
    let now = after_ms(ENDED_MS);
    if endpoint.breaker.state_word(now) == "open" {
        return "tripped";
    }
    let pass = through(&mut endpoint, now);
    tell(&mut endpoint, &pass, Verdict::Failure, now);
    if endpoint.breaker.state_word(now) == "open" { "as before" } else { "reset" }
}

#[test]
fn a_closed_breaker_counts_failures_until_a_success() {
    for (verdict, answer) in verdicts() {
        let expected = match verdict {
            Verdict::Success => "reset",
            Verdict::Alive | Verdict::Neutral | Verdict::None => "as before",
            Verdict::Failure => "tripped",
        };
        let (endpoint, pass) = on_the_edge();
        let (settlement, came) = settled(endpoint, pass, &item(), &answer);
        assert_eq!(became(*settlement.endpoint), expected, "{verdict:?}");
        assert_eq!(came.breaker, BreakerNow::AsBefore, "{verdict:?}");
        assert_eq!(settlement.endpoint_waits, EndpointWaits::GoOn, "{verdict:?}");
    }
}

#[test]
fn a_canary_closes_the_breaker_or_opens_it_again_or_gives_its_slot_back() {
    for (verdict, answer) in verdicts() {
        let (word, event, breaker) = match verdict {
            Verdict::Success | Verdict::Alive => ("closed", Some("breaker.closed"), BreakerNow::JustClosed),
            Verdict::Failure | Verdict::Neutral => ("open", Some("breaker.tripped"), BreakerNow::AsBefore),
            Verdict::None => ("half_open", None, BreakerNow::AsBefore),
        };
        let (mut endpoint, pass) = half_open(after_ms(60_000));
        endpoint.memory.canary_failed(Some(lane(1)));
        let (settlement, came) = settled(endpoint, pass, &item(), &answer);
        assert_eq!(settlement.endpoint.breaker.state_word(after_ms(ENDED_MS)), word, "{verdict:?}");
        assert_eq!(words(&settlement.entries[1..]), event.into_iter().collect::<Vec<_>>(), "{verdict:?}");
        assert_eq!(came.breaker, breaker, "{verdict:?}");
        let waits = if word == "closed" { EndpointWaits::End } else { EndpointWaits::GoOn };
        assert_eq!(settlement.endpoint_waits, waits, "{verdict:?}");
        let failed = if word == "open" { Some(lane(1)) } else { None };
        assert_eq!(settlement.endpoint.memory.failed_canary(), failed, "{verdict:?}");
    }
}

#[test]
fn tripping_opens_an_outage_that_began_with_the_first_failure_of_the_run() {
    let (endpoint, pass) = on_the_edge();
    let (settlement, _) = settled(endpoint, pass, &item(), &lost());
    let expected = OutageChange::Opened {
        outage_id: outage(7),
        cause: OutageCause::Failures,
        first_failure_at: after_ms(0).wall,
        accepted_after: Some(LocalSeq(17)),
        tripped_at: after_ms(ENDED_MS).wall,
        announced_until: None,
    };
    assert_eq!(settlement.outage, expected);
    assert_eq!(settlement.endpoint.outage, Some(outage(7)));
    assert_eq!(words(&settlement.entries), ["operation.in_doubt", "breaker.tripped"]);
}

#[test]
fn a_success_ends_the_run_and_an_answer_that_is_none_does_not() {
    for (verdict, answer) in verdicts() {
        let (endpoint, pass) = on_the_edge();
        let (settlement, _) = settled(endpoint, pass, &item(), &answer);
        let began = settlement.endpoint.first_failure_at;
        let expected = if verdict == Verdict::Success { None } else { Some(after_ms(0).wall) };
        assert_eq!(began, expected, "{verdict:?}");
    }
    let mut fresh = endpoint();
    let pass = through(&mut fresh, after_ms(0));
    let (settlement, _) = settled(fresh, pass, &item(), &lost());
    assert_eq!(settlement.endpoint.first_failure_at, Some(after_ms(ENDED_MS).wall));
    assert_eq!(settlement.outage, OutageChange::None);
}

#[test]
fn closing_ends_the_outage_and_what_was_accepted_until_then_is_recovered() {
    for by_probe in [false, true] {
        let (mut endpoint, pass) = half_open(after_ms(60_000));
        endpoint.outage = Some(outage(1));
        endpoint.first_failure_at = Some(after_ms(0).wall);
        let settlement = if by_probe {
            settle_probe(&ended(pass), &facts(endpoint), Sign::of(Ok(()), 5)).0
        } else {
            settled(endpoint, pass, &item(), &committed()).0
        };
        let closed_at = after_ms(ENDED_MS).wall;
        assert_eq!(settlement.outage, OutageChange::Ended { outage_id: outage(1), closed_at });
        let endpoint = &settlement.endpoint;
        assert_eq!((endpoint.outage, endpoint.first_failure_at), (None, None));
        assert_eq!(endpoint.recovering_through, Some(LocalSeq(41)));
        assert_eq!(settlement.endpoint_waits, EndpointWaits::End);
    }
}

#[test]
fn a_failed_canary_lets_the_outage_go_on_under_its_name() {
    let (mut endpoint, pass) = half_open(after_ms(60_000));
    endpoint.outage = Some(outage(1));
    let (settlement, _) = settled(endpoint, pass, &item(), &lost());
    assert_eq!((settlement.outage, settlement.endpoint.outage), (OutageChange::None, Some(outage(1))));
    let tried = settlement.tried.unwrap();
    assert_eq!(
        (tried.outage_id, tried.what, tried.outcome.as_str()),
        (outage(1), Tried::Operation, "unanswered")
    );
    assert_eq!(tried.next_try_at, Some(after_ms(ENDED_MS + 30_000).wall));
}

#[test]
fn an_endpoint_that_says_it_is_away_begins_its_outage_with_that_answer() {
    let mut fresh = endpoint();
    let pass = through(&mut fresh, after_ms(0));
    let (settlement, _) = settled(fresh, pass, &item(), &asking(3_600, stranger(503)));
    let at = after_ms(ENDED_MS).wall;
    let expected = OutageChange::Opened {
        outage_id: outage(7),
        cause: OutageCause::Announced,
        first_failure_at: at,
        accepted_after: Some(LocalSeq(41)),
        tripped_at: at,
        announced_until: Some(at.plus_millis(3_600_000)),
    };
    assert_eq!(settlement.outage, expected);
    let next = settlement.endpoint.breaker.next_try_at(after_ms(ENDED_MS));
    assert_eq!(next, Some(at.plus_millis(900_000)), "never later than a quarter of an hour");
}

#[test]
fn probes_that_trip_begin_the_outage_with_the_first_that_was_down() {
    let mut endpoint = endpoint();
    let ended_at = |ms| Ended { now: after_ms(ms), ..ended(endpoint_pass()) };
    let mut last = None;
    for ms in [0, 5_000, 10_000] {
        let ended = ended_at(ms);
        let facts = SettleFacts {
            stamp: stamp(after_ms(ms)),
            last_seq: LocalSeq(41 + ms / 5_000),
            ..facts(endpoint.clone())
        };
        let (settlement, _) = settle_probe(&ended, &facts, Sign::of(Err(NoLife::NotAsked), 5));
        assert_eq!(*settlement.endpoint, endpoint, "one that was not sent says nothing");
        let silent = Err(NoLife::Silent { retry_after: None });
        let (settlement, _) = settle_probe(&ended, &facts, Sign::of(silent, 5));
        endpoint = (*settlement.endpoint).clone();
        last = Some(settlement);
    }
    let expected = OutageChange::Opened {
        outage_id: outage(7),
        cause: OutageCause::ProbesFailed,
        first_failure_at: after_ms(0).wall,
        accepted_after: Some(LocalSeq(41)),
        tripped_at: after_ms(10_000).wall,
        announced_until: None,
    };
    assert_eq!(last.unwrap().outage, expected);
}

fn endpoint_pass() -> Pass {
    endpoint().breaker.probe_pass(after_ms(0)).unwrap()
}

#[test]
fn a_probe_is_no_attempt_and_moves_nothing_of_the_queue() {
    for (answer, word) in [(Ok(()), "closed"), (Err(NoLife::Stranger), "open")] {
        let (mut endpoint, pass) = half_open(after_ms(60_000));
        endpoint.memory.canary_failed(Some(lane(1)));
        let (settlement, _) = settle_probe(&ended(pass), &facts(endpoint), Sign::of(answer, 5));
        assert_eq!(settlement.endpoint.breaker.state_word(after_ms(ENDED_MS)), word);
        assert!(settlement.item.is_none() && settlement.set_aside.is_empty());
        assert_eq!(settlement.failed_attempts, 0, "{answer:?}");
        assert_eq!(settlement.endpoint.memory.failed_canary(), None, "the operation's turn again");
    }
}

#[test]
fn an_answer_that_comes_after_its_canary_was_lost_still_counts_for_the_operation() {
    let (endpoint, pass) = half_open(after_ms(60_000));
    let late = Ended { now: after_ms(600_000), ..ended(pass) };
    let (settlement, came) = settle_item(&late, &facts(endpoint), &item(), &committed(), &sent(&item()));
    assert_eq!((state_of(&settlement), came.of_it), ("committed", Aftermath::Committed));
    assert_eq!(came.breaker, BreakerNow::AsBefore, "it says nothing about now");
    assert_eq!(words(&settlement.entries), ["operation.committed", "breaker.tripped"]);
}

#[test]
fn the_sor_may_ask_the_breaker_to_wait_longer() {
    let (endpoint, pass) = on_the_edge();
    let (settlement, _) = settled(endpoint, pass, &item(), &asking(600, stranger(503)));
    let next = settlement.endpoint.breaker.next_try_at(after_ms(ENDED_MS)).unwrap();
    assert!(next.millis_since(after_ms(ENDED_MS).wall) >= 600_000, "{next}");
}
