//! The rows of the table of look-ups. `docs/outcomes.md` shows them.

use holdfast_core::breaker::Verdict;
use holdfast_core::outcome::{Answer, Content, Doubt, Identity, Lost, Unreachable};
use serde_json::json;

use super::*;

use Verdict::{Alive, Failure, Neutral};

/// Answer; what it proves; verdict; the doubt that was `sent`.
pub(crate) type Row = (&'static str, Answer, &'static str, Verdict, Doubt);

fn proven() -> Vec<Row> {
    let received = with_receipt(200, json!({ "state": "received" }));
    let read = |record, carriers: &[&str]| from_sor(200, read_back(KEY, record, carriers));
    vec![
        ("200 applied", with_receipt(200, json!({})), "already_committed", Alive, Doubt::None),
        ("200 received", received, "received", Alive, Doubt::Received),
        ("404 unknown-operation", typed(404, "unknown-operation"), "absent", Alive, Doubt::None),
        ("read back: on one record", read(true, &["AF-1"]), "already_committed", Alive, Doubt::None),
        ("read back: on two records", read(true, &["AF-1", "AF-2"]), "twin", Alive, Doubt::Sent),
        ("read back: nowhere on the record", read(true, &[]), "absent", Alive, Doubt::None),
        ("read back: no record", read(false, &[]), "absent", Alive, Doubt::None),
    ]
}

fn doubtful() -> Vec<Row> {
    let row = |name, answer, verdict| (name, answer, "still_in_doubt", verdict, Doubt::Sent);
    let found_elsewhere = json!({ "operation": receipt(json!({})) });
    vec![
        row("200 for another key", with_receipt(200, json!({ "idempotency_key": OTHER_KEY })), Failure),
        row("200 for another operation", with_receipt(200, json!({ "operation_id": APPLICATION })), Failure),
        row("200 HTML", from_stranger(200), Failure),
        row("200 without identity", claiming(Identity::Absent, with_receipt(200, json!({}))), Failure),
        row("201", with_receipt(201, json!({})), Failure),
        row("204", from_sor(204, Content::Other), Failure),
        row("404 HTML", from_stranger(404), Failure),
        row("404 of another type", typed(404, "parent-missing"), Alive),
        row("404 of another SoR", claiming(Identity::Wrong, typed(404, "unknown-operation")), Failure),
        row("410 unknown-operation", typed(410, "unknown-operation"), Alive),
        row(
            "409 already-committed",
            from_sor(409, Content::Problem(problem("already-committed", found_elsewhere))),
            Alive,
        ),
        row("read back: another reference", from_sor(200, read_back(OTHER_KEY, true, &["AF-1"])), Failure),
        row("read back: without a record", from_sor(200, read_back(KEY, false, &["AF-1"])), Failure),
        row(
            "read back, no identity",
            claiming(Identity::Absent, from_sor(200, read_back(KEY, true, &[]))),
            Failure,
        ),
        row("401", typed(401, "unauthorized"), Alive),
        row("403", typed(403, "forbidden"), Alive),
        row("403 of a proxy", from_stranger(403), Failure),
        row("429", from_stranger(429), Neutral),
        row("302", from_stranger(302), Failure),
        row("500", from_stranger(500), Failure),
        row("503, ask in 120 s", asking(120, typed(503, "unavailable")), Failure),
        row("time-out", Answer::Lost(Lost::TimedOut), Failure),
        row("refused", Answer::Unreachable(Unreachable::Refused), Failure),
        row("cancelled", Answer::NotAsked, Verdict::None),
    ]
}

/// The whole table.
pub(crate) fn table() -> Vec<Row> {
    proven().into_iter().chain(doubtful()).collect()
}
