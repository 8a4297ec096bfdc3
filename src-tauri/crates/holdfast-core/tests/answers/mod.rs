//! Answers of a made-up SoR, for the tables.

#![allow(dead_code, reason = "each table uses its own part")]

pub(crate) mod look_ups;
pub(crate) mod rows;

use holdfast_core::outcome::{
    Answer, Content, Disposition, Identity, ProblemBody, ReadBack, ReceiptBody, RecordRead, Reply, Sent,
    WaitKind,
};
use holdfast_core::wait::RetryAfter;
use serde_json::{Value, json};

pub(crate) const KEY: &str = "b2f17da92ce34e96cdaced17deea86aa2f69f42eafb05993c36eedc79e44e223";
pub(crate) const OTHER_KEY: &str = "02d7006ec056d74b837a6b48dd6bdad33be9331462eef6633b20888aa7e7a606";
pub(crate) const DIGEST: &str = OTHER_KEY;
pub(crate) const OPERATION: &str = "01932c6f-8f0a-7cc3-98a1-0242ac120002";
pub(crate) const APPLICATION: &str = "01932c6f-8f0a-7cc3-98a1-0242ac120003";

pub(crate) fn sent() -> Sent {
    Sent {
        key: KEY.parse().unwrap(),
        operation_id: OPERATION.parse().unwrap(),
        application_id: APPLICATION.parse().unwrap(),
        payload_digest: DIGEST.parse().unwrap(),
    }
}

/// The receipt of what was sent, with some members replaced.
pub(crate) fn receipt(changes: Value) -> ReceiptBody {
    let mut whole = json!({
        "idempotency_key": KEY, "operation_id": OPERATION, "application_id": APPLICATION,
        "record_id": "AF-1", "permit_num": "2026-000001", "etag": "\"1\"", "state": "applied",
        "applied_at": "2026-11-30T08:07:31.042Z", "warnings": [], "a_member_of_a_later_version": true,
    });
    for (name, value) in changes.as_object().unwrap() {
        whole[name] = value.clone();
    }
    serde_json::from_value(whole).unwrap()
}

pub(crate) fn problem(kind: &str, more: Value) -> ProblemBody {
    let mut whole =
        json!({ "type": format!("https://holdfast.example/problems/{kind}"), "title": "refused" });
    for (name, value) in more.as_object().unwrap() {
        whole[name] = value.clone();
    }
    serde_json::from_value(whole).unwrap()
}

/// An answer of the SoR itself.
pub(crate) fn from_sor(status: u16, content: Content) -> Answer {
    Answer::Replied(Box::new(Reply {
        status,
        identity: Identity::Right,
        content,
        retry_after: None,
        date: None,
    }))
}

/// A typed refusal.
pub(crate) fn typed(status: u16, kind: &str) -> Answer {
    from_sor(status, Content::Problem(problem(kind, json!({}))))
}

/// An answer with our receipt, some of its members replaced.
pub(crate) fn with_receipt(status: u16, changes: Value) -> Answer {
    from_sor(status, Content::Receipt(receipt(changes)))
}

/// What was read of a reference at an SoR without keys: a record, and what carries the reference.
pub(crate) fn read_back(reference: &str, record: bool, carriers: &[&str]) -> Content {
    let seen = || RecordRead {
        record_id: "AF-1".parse().unwrap(),
        permit_num: None,
        etag: "\"1\"".parse().unwrap(),
        modified_at: "2026-11-30T08:07:31.042Z".parse().unwrap(),
    };
    Content::ReadBack(ReadBack {
        reference: reference.parse().unwrap(),
        record: record.then(seen),
        carriers: carriers.iter().map(|id| id.parse().unwrap()).collect(),
        warnings: Vec::new(),
    })
}

/// What a proxy, a portal or another server answers: no identity, no JSON.
pub(crate) fn from_stranger(status: u16) -> Answer {
    claiming(Identity::Absent, from_sor(status, Content::Other))
}

pub(crate) fn claiming(identity: Identity, answer: Answer) -> Answer {
    changed(answer, |reply| reply.identity = identity)
}

pub(crate) fn asking(seconds: u64, answer: Answer) -> Answer {
    changed(answer, |reply| reply.retry_after = Some(RetryAfter::from_ms(seconds * 1000)))
}

fn changed(answer: Answer, change: impl FnOnce(&mut Reply)) -> Answer {
    match answer {
        Answer::Replied(mut reply) => {
            change(&mut reply);
            Answer::Replied(reply)
        }
        other @ (Answer::NotAsked | Answer::Unreachable(_) | Answer::Lost(_)) => other,
    }
}

/// A disposition in few words.
pub(crate) fn in_words(disposition: &Disposition) -> String {
    match disposition {
        Disposition::Archive { warnings, how } if warnings.is_empty() => format!("archive {how:?}"),
        Disposition::Archive { how, .. } => format!("archive {how:?}, warned"),
        Disposition::AskLater => "ask later".into(),
        Disposition::LookUp => "look up".into(),
        Disposition::Resend => "resend".into(),
        Disposition::Wait(WaitKind::Backoff) => "back off".into(),
        Disposition::Wait(WaitKind::Until(asked)) => format!("wait {} s", asked.ms() / 1000),
        Disposition::WaitForParent => "wait for parent".into(),
        Disposition::Quarantine(reason) => format!("quarantine {}", reason.word()),
        Disposition::RefreshTokenOnceThenPause => "refresh token".into(),
        Disposition::ForbiddenStep => "forbidden".into(),
        Disposition::AlarmAndWait => "alarm".into(),
        Disposition::Unchanged => "unchanged".into(),
    }
}
