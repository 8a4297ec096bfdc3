//! The table of outcomes, row by row: each answer there can be has one outcome, one verdict, one disposition.

#![allow(clippy::unwrap_used)]

mod answers;

use answers::*;
use holdfast_core::breaker::{Admission, Admitted, Breaker, BreakerSettings, Pass, Verdict};
use holdfast_core::outcome::{
    Answer, Content, Doubt, Identity, Item, Look, Lost, NextStep, Outcome, Unreachable, dispose, doubt_after,
    judge, next_step_after,
};
use holdfast_core::profile::Profile;
use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_core::wait::Chance;
use serde_json::json;

use Doubt::{None as Clear, Received, Sent};
use Verdict::{Alive, Failure, Neutral, Success};

/// Answer; outcome; verdict; what is done with keys and without; the doubt that was none, and that was `sent`, with keys.
type Row = (&'static str, Answer, &'static str, Verdict, [&'static str; 2], [Doubt; 2]);

const BOTH: fn(&'static str) -> [&'static str; 2] = |done| [done, done];

#[rustfmt::skip]
fn committed() -> Vec<Row> {
    let warned = json!({ "warnings": [{ "code": "fee-changed", "text": "The fee has changed." }] });
    let received = || json!({ "state": "received" });
    let sent = |name, answer| (name, answer, "committed", Success, BOTH("archive Sent"), [Clear; 2]);
    let later = |name, answer| (name, answer, "received", Alive, BOTH("ask later"), [Received; 2]);
    vec![
        sent("201 with our receipt", with_receipt(201, json!({}))),
        sent("200 with our receipt", with_receipt(200, json!({}))),
        sent("no number yet", with_receipt(201, json!({ "permit_num": null }))),
        ("warnings", with_receipt(201, warned), "committed", Success, BOTH("archive Sent, warned"), [Clear; 2]),
        later("receipt: received", with_receipt(200, received())),
        later("202 with a receipt", with_receipt(202, received())),
        later("202 that says applied", with_receipt(202, json!({}))),
        later("202 without a body", from_sor(202, Content::Other)),
    ]
}

fn impostors() -> Vec<Row> {
    let row = |name, answer| (name, answer, "impostor", Failure, BOTH("look up"), [Sent; 2]);
    let error_inside = Content::Problem(problem("validation", json!({})));
    vec![
        row("200 HTML of a portal", from_stranger(200)),
        row("202 of a portal", from_stranger(202)),
        row("201 with zero bytes", from_sor(201, Content::Other)),
        row("200 'Temporarily unavailable'", from_sor(200, Content::Other)),
        row("204", from_sor(204, Content::Other)),
        row("200 with an error inside", from_sor(200, error_inside)),
        row("201 with another key", with_receipt(201, json!({ "idempotency_key": OTHER_KEY }))),
        row("201 with another operation", with_receipt(201, json!({ "operation_id": APPLICATION }))),
        row("201 with another application", with_receipt(201, json!({ "application_id": OPERATION }))),
        row("202 with another key", with_receipt(202, json!({ "idempotency_key": OTHER_KEY }))),
        row("our receipt, no identity", claiming(Identity::Absent, with_receipt(201, json!({})))),
        row("our receipt, another identity", claiming(Identity::Wrong, with_receipt(201, json!({})))),
    ]
}

fn by_sor(status: u16, kind: &str, more: serde_json::Value) -> Answer {
    from_sor(status, Content::Problem(problem(kind, more)))
}

/// Refusals that prove that nothing was applied, and the proof that it was.
#[rustfmt::skip]
fn typed_proofs() -> Vec<Row> {
    let by_key = json!({ "operation": receipt(json!({})) });
    let by_digest = json!({ "operation": receipt(json!({})), "payload_digest": DIGEST });
    let theirs = || json!({ "etag": "\"9\"" });
    let found = |name, more| {
        let answer = by_sor(409, "already-committed", more);
        (name, answer, "already_committed", Alive, BOTH("archive Found"), [Clear; 2])
    };
    let row = |name, answer, word, done| (name, answer, word, Alive, BOTH(done), [Clear; 2]);
    vec![
        found("already-committed, by key and digest", by_digest),
        found("already-committed, by key", by_key),
        row("409 conflict", by_sor(409, "version-conflict", theirs()), "conflict", "quarantine conflict"),
        row("412 conflict", by_sor(412, "version-conflict", theirs()), "conflict", "quarantine conflict"),
        row("parent-missing", typed(409, "parent-missing"), "parent_missing", "wait for parent"),
        row("400 validation", typed(400, "validation"), "rejected", "quarantine rejected"),
        row("404 unknown-operation", typed(404, "unknown-operation"), "rejected", "quarantine rejected"),
        row("412 validation", typed(412, "validation"), "rejected", "quarantine rejected"),
        row("422 validation", typed(422, "validation"), "rejected", "quarantine rejected"),
    ]
}

/// What the SoR says without having looked at the key, or about the key.
#[rustfmt::skip]
fn typed_refusals() -> Vec<Row> {
    let row = |name, answer, word, verdict, done| (name, answer, word, verdict, BOTH(done), [Clear, Sent]);
    let busy = |name, answer, done| (name, answer, "busy", Alive, BOTH(done), [Sent; 2]);
    vec![
        busy("in-progress", typed(409, "in-progress"), "back off"),
        busy("in-progress, ask in 3 s", asking(3, typed(409, "in-progress")), "wait 3 s"),
        row("locked", typed(423, "locked"), "busy", Alive, "back off"),
        row("413 typed", typed(413, "too-large"), "too_large", Neutral, "quarantine too-large"),
        row("413 of nginx", from_stranger(413), "too_large", Neutral, "quarantine too-large"),
        row("key-reused", typed(422, "key-reused"), "our_defect", Alive, "quarantine our-defect"),
        row("428", typed(428, "precondition-required"), "our_defect", Alive, "quarantine our-defect"),
        row("401 typed", typed(401, "unauthorized"), "station_unauthorized", Alive, "refresh token"),
        row("403 typed", typed(403, "forbidden"), "forbidden", Alive, "forbidden"),
    ]
}

fn strangers_refusals() -> Vec<Row> {
    let row = |name, answer| (name, answer, "untyped", Failure, BOTH("look up"), [Sent; 2]);
    vec![
        row("400 HTML", from_stranger(400)),
        row("401 of a proxy", from_stranger(401)),
        row("403 of a proxy", from_stranger(403)),
        row("404 of a proxy", from_stranger(404)),
        row("405", from_stranger(405)),
        row("407", from_stranger(407)),
        row("409 without a body", from_sor(409, Content::Other)),
        row("409 HTML", from_stranger(409)),
        row("412 without a body", from_sor(412, Content::Other)),
        row("422 HTML", from_stranger(422)),
        row("423 HTML", from_stranger(423)),
        row("428 HTML", from_stranger(428)),
        row("409 of an unknown type", typed(409, "try-again-tomorrow")),
        row("422 typed, no identity", claiming(Identity::Absent, typed(422, "validation"))),
        row("409 typed, another identity", claiming(Identity::Wrong, typed(409, "version-conflict"))),
    ]
}

fn found_without_proof() -> Vec<Row> {
    let row = |name, more| {
        let answer = by_sor(409, "already-committed", more);
        (name, answer, "untyped", Failure, BOTH("look up"), [Sent; 2])
    };
    let of = |changes| json!({ "operation": receipt(changes) });
    let other_digest = json!({ "operation": receipt(json!({})), "payload_digest": KEY });
    vec![
        row("already-committed, no receipt", json!({})),
        row("already-committed, another key", of(json!({ "idempotency_key": OTHER_KEY }))),
        row("already-committed, only received", of(json!({ "state": "received" }))),
        row("already-committed, another digest", other_digest),
    ]
}

#[rustfmt::skip]
fn waits() -> Vec<Row> {
    let throttled = |name, answer, done| (name, answer, "throttled", Neutral, BOTH(done), [Clear, Sent]);
    let unavailable = |name, answer| (name, answer, "unavailable", Failure, BOTH("wait 120 s"), [Clear, Sent]);
    vec![
        throttled("429 typed", asking(120, typed(429, "unavailable")), "wait 120 s"),
        throttled("429 with an empty body", from_sor(429, Content::Other), "back off"),
        throttled("429 HTML of a proxy", from_stranger(429), "back off"),
        unavailable("503 typed, with Retry-After", asking(120, typed(503, "unavailable"))),
        unavailable("503 of a proxy, with Retry-After", asking(120, from_stranger(503))),
    ]
}

fn lost() -> Vec<Row> {
    let row = |name, answer| (name, answer, "unanswered", Failure, ["resend", "look up"], [Sent; 2]);
    vec![
        row("time-out", Answer::Lost(Lost::TimedOut)),
        row("reset", Answer::Lost(Lost::Reset)),
        row("cut body", Answer::Lost(Lost::BrokenBody)),
        row("408 typed", typed(408, "unavailable")),
        row("408 of a proxy", from_stranger(408)),
        row("500", typed(500, "unavailable")),
        row("500 HTML", from_stranger(500)),
        row("502", from_stranger(502)),
        row("503 without Retry-After", typed(503, "unavailable")),
        row("504", asking(120, from_stranger(504))),
        row("511 of a portal", from_stranger(511)),
        row("no final status", from_stranger(103)),
        row("status 999", from_stranger(999)),
    ]
}

#[rustfmt::skip]
fn not_sent() -> Vec<Row> {
    let unreachable = |name, why| {
        (name, Answer::Unreachable(why), "unreachable", Failure, BOTH("back off"), [Clear, Sent])
    };
    let redirect = |name, status| {
        (name, from_stranger(status), "misdirected", Failure, BOTH("alarm"), [Sent; 2])
    };
    vec![
        unreachable("refused", Unreachable::Refused),
        unreachable("no such name", Unreachable::NameNotFound),
        unreachable("TLS failed", Unreachable::TlsFailed),
        unreachable("no connection in time", Unreachable::ConnectTimedOut),
        redirect("301", 301),
        redirect("302", 302),
        redirect("303", 303),
        redirect("307", 307),
        redirect("308", 308),
        ("cancelled", Answer::NotAsked, "not_asked", Verdict::None, BOTH("unchanged"), [Clear, Sent]),
    ]
}

fn table() -> Vec<Row> {
    let known = [committed(), typed_proofs(), typed_refusals(), waits()];
    let unknown = [impostors(), strangers_refusals(), found_without_proof(), lost(), not_sent()];
    known.into_iter().chain(unknown).flatten().collect()
}

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
        Content::Problem(problem("validation", json!({}))),
    ];
    for (status, body) in (0..=1000).flat_map(|status| bodies.iter().map(move |body| (status, body.clone())))
    {
        let proven = (200..300).contains(&status) && body == bodies[1];
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
        let expected = if without == "look up" { "quarantine unprovable" } else { without };
        assert_eq!(in_words(&dispose(&outcome, &item, Profile::LookBeforeWrite)), expected, "{name}");
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
