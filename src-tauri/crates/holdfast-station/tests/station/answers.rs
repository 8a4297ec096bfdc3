//! Answers of the scripted record system.

use holdfast_core::ids::IdempotencyKey;
use holdfast_core::operation::Body;
use holdfast_core::outcome::{
    Answer, Content, Identity, Lost, ProblemBody, ReceiptBody, ReceiptState, Reply, Unreachable,
};
use holdfast_core::wait::RetryAfter;
use serde_json::json;

pub(crate) fn receipt(body: &Body, version: u64, state: ReceiptState) -> ReceiptBody {
    ReceiptBody {
        idempotency_key: body.idempotency_key(),
        operation_id: body.operation_id,
        application_id: body.application_id,
        record_id: "AF-1".parse().unwrap(),
        permit_num: None,
        etag: format!("\"v{version}\"").parse().unwrap(),
        state,
        applied_at: body.accepted_at,
        warnings: Vec::new(),
    }
}

pub(crate) fn replied(status: u16, content: Content) -> Answer {
    Answer::Replied(Box::new(Reply {
        status,
        identity: Identity::Right,
        content,
        retry_after: None,
        date: None,
    }))
}

pub(crate) fn recorded(body: &Body, version: u64) -> Answer {
    replied(201, Content::Receipt(receipt(body, version, ReceiptState::Applied)))
}

pub(crate) fn typed(status: u16, kind: &str) -> Answer {
    let problem: ProblemBody =
        serde_json::from_value(json!({ "type": format!("https://holdfast.example/problems/{kind}") }))
            .unwrap();
    replied(status, Content::Problem(problem))
}

pub(crate) fn stranger(status: u16) -> Answer {
    let Answer::Replied(mut reply) = replied(status, Content::Other) else { unreachable!() };
    reply.identity = Identity::Absent;
    Answer::Replied(reply)
}

pub(crate) fn asking(seconds: u64, answer: Answer) -> Answer {
    let Answer::Replied(mut reply) = answer else { unreachable!() };
    reply.retry_after = Some(RetryAfter::from_ms(seconds * 1_000));
    Answer::Replied(reply)
}

pub(crate) fn down() -> Answer {
    Answer::Unreachable(Unreachable::Refused)
}

pub(crate) fn lost() -> Answer {
    Answer::Lost(Lost::TimedOut)
}

/// The SoR knows nothing of a key.
pub(crate) fn absent(_: &IdempotencyKey) -> Answer {
    typed(404, "unknown-operation")
}
