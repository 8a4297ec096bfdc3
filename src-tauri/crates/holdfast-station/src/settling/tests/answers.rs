//! Answers of a made-up SoR about whatever was sent.

use holdfast_core::outcome::{Content, Identity, Lost, ReceiptBody, Reply, Unreachable};
use holdfast_core::wait::RetryAfter;
use serde_json::{Value, json};

use super::*;

const KEY: &str = "b2f17da92ce34e96cdaced17deea86aa2f69f42eafb05993c36eedc79e44e223";
const DIGEST: &str = "02d7006ec056d74b837a6b48dd6bdad33be9331462eef6633b20888aa7e7a606";

pub(super) fn sent(item: &ItemFacts) -> Sent {
    Sent {
        key: KEY.parse().unwrap(),
        operation_id: item.operation_id,
        application_id: item.application_id,
        payload_digest: DIGEST.parse().unwrap(),
    }
}

/// The receipt of what was sent, with some members replaced.
fn receipt(changes: &Value) -> ReceiptBody {
    let item = item();
    let mut whole = json!({
        "idempotency_key": KEY, "operation_id": item.operation_id, "application_id": item.application_id,
        "record_id": "AF-1", "permit_num": "2026-000001", "etag": "\"1\"", "state": "applied",
        "applied_at": "2026-11-30T08:00:30.000Z",
    });
    for (name, value) in changes.as_object().unwrap() {
        whole[name] = value.clone();
    }
    serde_json::from_value(whole).unwrap()
}

fn replied(status: u16, identity: Identity, content: Content) -> Answer {
    Answer::Replied(Box::new(Reply { status, identity, content, retry_after: None, date: None }))
}

pub(super) fn recorded(status: u16, changes: &Value) -> Answer {
    replied(status, Identity::Right, Content::Receipt(receipt(changes)))
}

pub(super) fn committed() -> Answer {
    recorded(201, &json!({}))
}

pub(super) fn warned() -> Answer {
    recorded(
        201,
        &json!({ "warnings": [{ "code": "fee-changed", "text": "The fee of Ann Roe has changed." }] }),
    )
}

pub(super) fn received() -> Answer {
    recorded(202, &json!({ "state": "received" }))
}

/// A typed problem of the SoR itself, with more members.
pub(super) fn problem(status: u16, kind: &str, more: &Value) -> Answer {
    let mut whole = json!({ "type": format!("https://holdfast.example/problems/{kind}") });
    for (name, value) in more.as_object().unwrap() {
        whole[name] = value.clone();
    }
    replied(status, Identity::Right, Content::Problem(serde_json::from_value(whole).unwrap()))
}

pub(super) fn typed(status: u16, kind: &str) -> Answer {
    problem(status, kind, &json!({}))
}

pub(super) fn already() -> Answer {
    problem(409, "already-committed", &json!({ "operation": receipt(&json!({})), "payload_digest": DIGEST }))
}

/// What a portal, a proxy or another server answers.
pub(super) fn stranger(status: u16) -> Answer {
    replied(status, Identity::Absent, Content::Other)
}

pub(super) fn asking(seconds: u64, answer: Answer) -> Answer {
    match answer {
        Answer::Replied(mut reply) => {
            reply.retry_after = Some(RetryAfter::from_ms(seconds * 1_000));
            Answer::Replied(reply)
        }
        other @ (Answer::NotAsked | Answer::Unreachable(_) | Answer::Lost(_)) => other,
    }
}

pub(super) fn lost() -> Answer {
    Answer::Lost(Lost::TimedOut)
}

pub(super) fn unreachable() -> Answer {
    Answer::Unreachable(Unreachable::Refused)
}
