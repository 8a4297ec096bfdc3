//! The rows of the table of outcomes. `docs/outcomes.md` shows them.

use holdfast_core::breaker::Verdict;
use holdfast_core::outcome::{Answer, Content, Doubt, Identity, Lost, Unreachable};
use serde_json::json;

use super::*;

use Doubt::{None as Clear, Received, Sent};
use Verdict::{Alive, Failure, Neutral, Success};

/// Answer; outcome; verdict; what is done with keys and without; the doubt that was none, and that was `sent`, with keys.
pub(crate) type Row = (&'static str, Answer, &'static str, Verdict, [&'static str; 2], [Doubt; 2]);

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
        sent("written and read back", from_sor(201, read_back(KEY, true, &["AF-1"]))),
        later("read back twice", from_sor(201, read_back(KEY, true, &["AF-1", "AF-2"]))),
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
        row("200, nothing read back", from_sor(200, read_back(KEY, true, &[]))),
        row("200, no record read back", from_sor(200, read_back(KEY, false, &["AF-1"]))),
        row("200, another reference read back", from_sor(200, read_back(OTHER_KEY, true, &["AF-1"]))),
        row(
            "read back, no identity",
            claiming(Identity::Absent, from_sor(201, read_back(KEY, true, &["AF-1"]))),
        ),
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
        unreachable("not read, so not written", Unreachable::NotRead),
        redirect("301", 301),
        redirect("302", 302),
        redirect("303", 303),
        redirect("307", 307),
        redirect("308", 308),
        ("cancelled", Answer::NotAsked, "not_asked", Verdict::None, BOTH("unchanged"), [Clear, Sent]),
    ]
}

/// The whole table.
pub(crate) fn table() -> Vec<Row> {
    let known = [committed(), typed_proofs(), typed_refusals(), waits()];
    let unknown = [impostors(), strangers_refusals(), found_without_proof(), lost(), not_sent()];
    known.into_iter().chain(unknown).flatten().collect()
}
