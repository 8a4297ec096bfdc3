//! Every row of the table of outcomes: what the journal keeps of the operation, what the audit hears, what is counted.

use super::answers::*;
use super::*;

use NextStep::{LookUp as Look, Send};
use WaitCause::{Endpoint as OfEndpoint, Item as OfItem, Parent, Received as AskedLater, RetryAfter};

/// Answer; what becomes of it; doubt, next step and wait while it stays pending; event; what the loop hears.
struct Row {
    name: &'static str,
    answer: Answer,
    becomes: &'static str,
    stays: Option<(Doubt, NextStep, Option<WaitCause>)>,
    event: &'static str,
    came: Aftermath,
}

fn pending(
    name: &'static str,
    answer: Answer,
    stays: (Doubt, NextStep, Option<WaitCause>),
    event: &'static str,
) -> Row {
    Row { name, answer, becomes: "pending", stays: Some(stays), event, came: Aftermath::Waits }
}

fn disposed(
    name: &'static str,
    answer: Answer,
    becomes: &'static str,
    event: &'static str,
    came: Aftermath,
) -> Row {
    Row { name, answer, becomes, stays: None, event, came }
}

fn waits() -> Vec<Row> {
    const WAITING: &str = "operation.waiting";
    const IN_DOUBT: &str = "operation.in_doubt";
    let clear = |step, cause| (Doubt::None, step, Some(cause));
    let doubted = |step, cause| (Doubt::Sent, step, Some(cause));
    vec![
        pending("202", received(), (Doubt::Received, Look, Some(AskedLater)), "operation.received"),
        pending("portal", stranger(200), doubted(Look, OfEndpoint), IN_DOUBT),
        pending("in progress", typed(409, "in-progress"), doubted(Send, OfItem), IN_DOUBT),
        pending("locked", typed(423, "locked"), clear(Send, OfItem), WAITING),
        pending("locked until", asking(9, typed(423, "locked")), clear(Send, RetryAfter), WAITING),
        pending("parent missing", typed(409, "parent-missing"), clear(Send, Parent), WAITING),
        pending("throttled", stranger(429), clear(Send, OfItem), WAITING),
        pending("throttled until", asking(9, stranger(429)), clear(Send, RetryAfter), WAITING),
        pending("503 until", asking(9, stranger(503)), clear(Send, RetryAfter), WAITING),
        pending("503", stranger(503), doubted(Send, OfEndpoint), IN_DOUBT),
        pending("500", stranger(500), doubted(Send, OfEndpoint), IN_DOUBT),
        pending("408", stranger(408), doubted(Send, OfEndpoint), IN_DOUBT),
        pending("untyped 401", stranger(401), doubted(Look, OfEndpoint), IN_DOUBT),
        pending("untyped 403", stranger(403), doubted(Look, OfEndpoint), IN_DOUBT),
        pending("untyped 409", stranger(409), doubted(Look, OfEndpoint), IN_DOUBT),
        pending("proxy sign-in", stranger(407), doubted(Look, OfEndpoint), IN_DOUBT),
        pending("lost", lost(), doubted(Send, OfEndpoint), IN_DOUBT),
        pending("refused", unreachable(), clear(Send, OfEndpoint), WAITING),
        pending("redirect", stranger(307), doubted(Send, OfEndpoint), IN_DOUBT),
        pending("not asked", Answer::NotAsked, clear(Send, OfItem), WAITING),
        // A first right that is missing is the person's until it is known to be the station's.
        pending("forbidden", typed(403, "forbidden"), clear(Send, OfItem), WAITING),
    ]
}

fn ends() -> Vec<Row> {
    const QUARANTINED: &str = "operation.quarantined";
    let person = |name, answer, reason| disposed(name, answer, reason, QUARANTINED, Aftermath::Quarantined);
    vec![
        disposed("201", committed(), "committed", "operation.committed", Aftermath::Committed),
        disposed("warned", warned(), "committed", "operation.committed", Aftermath::Committed),
        disposed("already", already(), "committed", "operation.found", Aftermath::Found),
        person("conflict", typed(412, "version-conflict"), "conflict"),
        person("too large", stranger(413), "too-large"),
        person("key reused", typed(422, "key-reused"), "our-defect"),
        person("428", typed(428, "precondition-required"), "our-defect"),
        person("validation", typed(422, "validation"), "rejected"),
        person("any other", typed(404, "unknown-operation"), "rejected"),
    ]
}

#[test]
fn every_answer_leaves_the_operation_where_the_table_says() {
    for row in waits().into_iter().chain(ends()) {
        let (endpoint, pass) = on_the_edge();
        let (settlement, came) = settled(endpoint, pass, &item(), &row.answer);
        let name = row.name;
        assert_eq!(state_of(&settlement), row.becomes, "{name}");
        if let Some(stays) = row.stays {
            let still = still(&settlement);
            assert_eq!((still.doubt, still.next_step, still.wait.map(|wait| wait.cause)), stays, "{name}");
        }
        assert_eq!(settlement.entries[0].kind.word(), row.event, "{name}");
        assert_eq!(settlement.entries[0].operation_id, Some(operation(1)), "{name}");
        assert_eq!((came.of_it, came.set_aside), (row.came, 0), "{name}");
    }
}

#[test]
fn a_refused_token_waits_for_nothing_and_says_nothing_about_the_operation() {
    let (endpoint, pass) = on_the_edge();
    let (settlement, came) = settled(endpoint, pass, &item(), &typed(401, "unauthorized"));
    assert_eq!(came.of_it, Aftermath::TokenRefused);
    let still = still(&settlement);
    assert_eq!((still.doubt, still.next_step, still.wait), (Doubt::None, Send, None));
    assert_eq!(still.failures, ItemFailures::default());
}

#[test]
fn doubt_that_an_earlier_send_left_ends_only_with_proof() {
    let table = [
        ("refused", unreachable(), Doubt::Sent),
        ("not asked", Answer::NotAsked, Doubt::Sent),
        ("503 until", asking(9, stranger(503)), Doubt::Sent),
        ("throttled", stranger(429), Doubt::Sent),
        ("forbidden", typed(403, "forbidden"), Doubt::Sent),
        ("token refused", typed(401, "unauthorized"), Doubt::Sent),
        ("locked", typed(423, "locked"), Doubt::Sent),
        // With keys, what is said about the contents or the parent proves that the key is not there.
        ("parent missing", typed(409, "parent-missing"), Doubt::None),
    ];
    for (name, answer, doubt) in table {
        let (endpoint, pass) = on_the_edge();
        let item = ItemFacts { doubt: Doubt::Sent, attempts: 2, ..item() };
        let (settlement, _) = settled(endpoint, pass, &item, &answer);
        assert_eq!(still(&settlement).doubt, doubt, "{name}");
    }
}

#[test]
fn only_attempts_that_failed_are_counted_as_failed() {
    for row in waits().into_iter().chain(ends()) {
        let (endpoint, pass) = on_the_edge();
        let (settlement, _) = settled(endpoint, pass, &item(), &row.answer);
        let failed = judged(&ended(pass), &item(), &row.answer, &sent(&item())).verdict() == Verdict::Failure;
        assert_eq!(settlement.failed_attempts, u32::from(failed), "{}", row.name);
    }
}

#[test]
fn a_wait_grows_with_the_failures_and_stays_within_its_bounds() {
    let length = |failures: u32| {
        let (endpoint, pass) = on_the_edge();
        let failures = ItemFailures { failures, ..ItemFailures::default() };
        let (settlement, _) = settled(endpoint, pass, &ItemFacts { failures, ..item() }, &unreachable());
        wait_of(&settlement).unwrap().1
    };
    let lengths = [0, 1, 2, 20].map(length);
    assert!(lengths.is_sorted() && lengths[0] >= 1_000 && lengths[3] <= 60_000, "{lengths:?}");
}

#[test]
fn the_sor_may_ask_for_a_quarter_of_an_hour_and_no_more() {
    for (asked_s, least_ms, most_ms) in [(0, 1_000, 3_000), (9, 9_000, 12_000), (3_600, 840_000, 900_000)] {
        for answer in [asking(asked_s, stranger(503)), asking(asked_s, stranger(429))] {
            let (endpoint, pass) = on_the_edge();
            let (settlement, _) = settled(endpoint, pass, &item(), &answer);
            let (cause, ms) = wait_of(&settlement).unwrap();
            assert_eq!(cause, RetryAfter);
            assert!((least_ms..=most_ms).contains(&ms), "{asked_s} s → {ms} ms");
        }
    }
}

#[test]
fn a_missing_parent_is_waited_for_so_often_and_then_a_person_is_asked() {
    let most = settings().parent_waits_max;
    for (waited, becomes) in [(0, "pending"), (most - 1, "pending"), (most, "parent-missing")] {
        let (endpoint, pass) = on_the_edge();
        let item = ItemFacts { parent_waits: waited, attempts: waited + 1, ..item() };
        let (settlement, _) = settled(endpoint, pass, &item, &typed(409, "parent-missing"));
        assert_eq!(state_of(&settlement), becomes, "{waited}");
        if becomes == "pending" {
            assert_eq!(still(&settlement).parent_waits, waited + 1);
        }
    }
}

#[test]
fn the_conditional_approval_that_is_recorded_commits_the_application() {
    use holdfast_core::lifecycle::Stage::{Committed, ConditionalApproval, PrelimReview, Withdrawn};
    let table = [
        (None, None),
        (Some((PrelimReview, PrelimReview)), Some(PrelimReview)),
        (Some((ConditionalApproval, ConditionalApproval)), Some(Committed)),
        // It has moved on here while the approval was on its way.
        (Some((Withdrawn, ConditionalApproval)), Some(Withdrawn)),
        // An earlier move is recorded while the approval still waits.
        (Some((ConditionalApproval, PrelimReview)), Some(ConditionalApproval)),
    ];
    for (stage, expected) in table {
        let (endpoint, pass) = on_the_edge();
        let (settlement, _) = settled(endpoint, pass, &ItemFacts { stage, ..item() }, &committed());
        let Some(ItemChange::Committed(commit)) = settlement.item else { panic!("{stage:?}") };
        assert_eq!((commit.stage, commit.at), (expected, after_ms(ENDED_MS).wall));
    }
}
