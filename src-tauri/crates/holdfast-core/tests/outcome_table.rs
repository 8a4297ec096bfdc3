//! The table of outcomes, row by row: each answer there can be has one outcome, one verdict, one disposition.

#![allow(clippy::unwrap_used)]

mod answers;

use answers::rows::table;
use answers::*;
use holdfast_core::breaker::{Admission, Admitted, Breaker, BreakerSettings, Pass, Verdict};
use holdfast_core::outcome::{
    Content, Doubt, Identity, Item, Look, NextStep, Outcome, dispose, doubt_after, judge, next_step_after,
};
use holdfast_core::profile::Profile;
use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_core::wait::Chance;
use serde_json::json;

use Doubt::{None as Clear, Received, Sent};
use Verdict::{Alive, Failure, Neutral, Success};

const ITEM: Item = Item { parent_waits: 0, parent_waits_max: 3, look: Look::Provable };

#[test]
fn every_answer_has_one_outcome_one_verdict_and_one_disposition() {
    let table = table();
    assert!(table.len() >= 60, "{} answers", table.len());
    for (name, answer, word, verdict, [with_keys, without], [after_none, after_sent]) in table {
        let outcome = judge(&answer, &sent());
        let done = |profile| in_words(&dispose(&outcome, &ITEM, profile));
        assert_eq!((outcome.word(), outcome.verdict()), (word, verdict), "{name}");
        assert_eq!(done(Profile::Idempotent), with_keys, "{name}");
        assert_eq!(done(Profile::LookBeforeWrite), without, "{name}");
        assert_eq!(doubt_after(Clear, &outcome, Profile::Idempotent), after_none, "{name}");
        assert_eq!(doubt_after(Sent, &outcome, Profile::Idempotent), after_sent, "{name}");
    }
}

#[test]
fn every_status_is_judged_with_every_body_and_identity() {
    let bodies = [
        Content::Other,
        Content::Receipt(receipt(json!({}))),
        Content::Receipt(receipt(json!({ "idempotency_key": OTHER_KEY }))),
        read_back(KEY, true, &["AF-1"]),
        read_back(KEY, true, &[]),
        Content::Problem(problem("validation", json!({}))),
    ];
    for (status, body) in (0..=1000).flat_map(|status| bodies.iter().map(move |body| (status, body.clone())))
    {
        let proven = (200..300).contains(&status) && (body == bodies[1] || body == bodies[3]);
        for identity in [Identity::Right, Identity::Wrong, Identity::Absent] {
            let outcome = judge(&claiming(identity, from_sor(status, body.clone())), &sent());
            let recorded = matches!(outcome, Outcome::Committed { .. } | Outcome::AlreadyCommitted { .. });
            assert_eq!(
                recorded,
                proven && status != 202 && identity == Identity::Right,
                "{status} {identity:?}"
            );
        }
    }
}

#[test]
fn without_keys_no_operation_in_doubt_is_sent_again_before_a_look() {
    for (name, answer, ..) in table() {
        let outcome = judge(&answer, &sent());
        let profile = Profile::LookBeforeWrite;
        if doubt_after(Clear, &outcome, profile).is_any() {
            assert_eq!(next_step_after(&outcome, profile), NextStep::LookUp, "{name}");
        }
        assert!(
            doubt_after(Sent, &outcome, profile).is_any() || outcome.word().contains("committed"),
            "{name}"
        );
    }
}

#[test]
fn with_keys_only_an_answer_of_a_stranger_is_followed_by_a_look() {
    for (name, answer, ..) in table() {
        let outcome = judge(&answer, &sent());
        let looked_up = ["received", "impostor", "untyped"].contains(&outcome.word());
        let step = next_step_after(&outcome, Profile::Idempotent);
        assert_eq!(step == NextStep::LookUp, looked_up, "{name}");
    }
}

#[test]
fn a_kind_that_no_look_can_prove_is_sent_once() {
    let item = Item { look: Look::Unprovable, ..ITEM };
    for (name, answer, _, _, [_, without], _) in table() {
        let outcome = judge(&answer, &sent());
        let profile = Profile::LookBeforeWrite;
        let looked_for = next_step_after(&outcome, profile) == NextStep::LookUp;
        let expected = if looked_for { "quarantine unprovable" } else { without };
        assert_eq!(in_words(&dispose(&outcome, &item, profile)), expected, "{name}");
    }
}

#[test]
fn a_missing_parent_is_waited_for_so_often_and_no_more() {
    for (parent_waits, expected) in [
        (0, "wait for parent"),
        (2, "wait for parent"),
        (3, "quarantine parent-missing"),
        (9, "quarantine parent-missing"),
    ] {
        let item = Item { parent_waits, ..ITEM };
        let done = dispose(&Outcome::ParentMissing, &item, Profile::Idempotent);
        assert_eq!(in_words(&done), expected, "{parent_waits}");
    }
}

#[test]
fn what_the_sor_has_received_stays_received_until_it_says_otherwise() {
    for (name, answer, word, ..) in table() {
        let after = doubt_after(Received, &judge(&answer, &sent()), Profile::Idempotent);
        let proof =
            ["committed", "already_committed", "conflict", "parent_missing", "rejected"].contains(&word);
        assert_eq!(after, if proof { Clear } else { Received }, "{name}");
    }
}

const SETTINGS: BreakerSettings =
    BreakerSettings { fail_max: 1, reset_ms: 30_000, canary_deadline_ms: 5_000, retry_after_max_s: 900 };

fn at(ms: u64) -> Now {
    let wall = UtcMillis::from_millis(1_700_000_000_000 + i64::try_from(ms).unwrap()).unwrap();
    Now { wall, boot: BootMillis(ms) }
}

fn admitted(breaker: &mut Breaker, now: Now) -> Pass {
    match breaker.admit(now, &SETTINGS) {
        Admitted::Through(pass) | Admitted::Canary(pass) => pass,
        Admitted::No(why) => panic!("{why:?}"),
    }
}

fn tripped() -> (Breaker, Pass) {
    let mut breaker = Breaker::new(at(0));
    let early = admitted(&mut breaker, at(0));
    let pass = admitted(&mut breaker, at(0));
    breaker.record(at(0), &SETTINGS, &pass, Failure, None, Chance::MIDDLE).unwrap();
    (breaker, early)
}

#[test]
fn every_answer_moves_a_breaker_in_each_state_as_its_verdict_says() {
    for (name, answer, _, verdict, ..) in table() {
        let outcome = judge(&answer, &sent());
        let word_after = |mut breaker: Breaker, pass: &Pass, now| {
            breaker.record(now, &SETTINGS, pass, outcome.verdict(), outcome.retry_after(), Chance::MIDDLE);
            breaker.state_word(now)
        };
        let mut closed = Breaker::new(at(0));
        let pass = admitted(&mut closed, at(0));
        let expected = if verdict == Failure { "open" } else { "closed" };
        assert_eq!(word_after(closed, &pass, at(0)), expected, "closed: {name}");

        let (open, stale) = tripped();
        assert_eq!(word_after(open, &stale, at(1)), "open", "open: {name}");

        let (mut half_open, _) = tripped();
        let canary = admitted(&mut half_open, at(40_000));
        let expected = match verdict {
            Success | Alive => "closed",
            Failure | Neutral => "open",
            Verdict::None => "half_open",
        };
        assert_eq!(word_after(half_open, &canary, at(40_001)), expected, "half-open: {name}");
    }
}

#[test]
fn a_canary_told_to_come_back_later_is_not_followed_by_another_before_that() {
    let (mut breaker, _) = tripped();
    let canary = admitted(&mut breaker, at(40_000));
    let outcome = judge(&asking(120, from_stranger(503)), &sent());
    breaker.record(at(40_000), &SETTINGS, &canary, outcome.verdict(), outcome.retry_after(), Chance::MIDDLE);
    assert!(matches!(breaker.admission(at(159_999)), Admission::Open { .. }));
    assert_eq!(breaker.admission(at(164_000)), Admission::Canary);
}
