//! The vendor's refusals, as the typed problems that core knows.
//!
//! Promise: only the pinned SoR is believed, and only what such a system can know. A key that is known, an operation that
//! is not, a receipt: this SoR has none of them, so whoever speaks of them proves nothing.

use holdfast_core::ids::{ETag, SorIdentity};
use holdfast_core::outcome::{
    Answer, Content, FieldError, Identity, ProblemBody, ProblemType, Reply, Unreachable,
};
use serde::Deserialize;

use crate::answer::{is_unauthorized, json, reply};
use crate::exchange::{Ended, Whole};

#[derive(Deserialize)]
struct Refusal {
    error: VendorError,
}

#[derive(Deserialize)]
struct VendorError {
    code: String,
    #[serde(default)]
    fields: Vec<VendorField>,
}

#[derive(Deserialize)]
struct VendorField {
    path: String,
    why: String,
}

/// The answer to something that was asked and brought nothing that could be read.
pub(super) fn answer(ended: &Ended, pinned: &SorIdentity) -> Answer {
    match ended {
        Ended::NotAsked => Answer::NotAsked,
        Ended::Unreachable(why) => Answer::Unreachable(*why),
        Ended::Lost(how) => Answer::Lost(*how),
        Ended::Whole(whole) => Answer::Replied(Box::new(refusal(whole, pinned))),
    }
}

/// The answer to a write that was not sent, since what has to be read before it could not be.
///
/// What the SoR says of the station, of all requests or of the record holds for the write too. Everything else only says
/// that nothing was written.
pub(super) fn answer_before_write(ended: &Ended, pinned: &SorIdentity) -> Answer {
    match ended {
        Ended::NotAsked => Answer::NotAsked,
        Ended::Unreachable(why) => Answer::Unreachable(*why),
        Ended::Lost(_) => Answer::Unreachable(Unreachable::NotRead),
        Ended::Whole(whole) => {
            let reply = refusal(whole, pinned);
            let holds = match reply.status {
                401 => is_unauthorized(&reply),
                403 | 409 | 423 => reply.typed_problem().is_some(),
                429 => true,
                503 => reply.retry_after.is_some(),
                0..=400 | 402 | 404..=408 | 410..=422 | 424..=428 | 430..=502 | 504.. => false,
            };
            if holds { Answer::Replied(Box::new(reply)) } else { Answer::Unreachable(Unreachable::NotRead) }
        }
    }
}

/// Something that this adapter says after it has read the SoR's records.
pub(super) fn said(status: u16, problem: ProblemBody) -> Answer {
    let content = Content::Problem(problem);
    let identity = Identity::Right;
    Answer::Replied(Box::new(Reply { status, identity, content, retry_after: None, date: None }))
}

/// The record has another version than the operation was made against.
pub(super) fn version_conflict(theirs: ETag) -> Answer {
    said(409, ProblemBody { etag: Some(theirs), ..problem(ProblemType::VersionConflict) })
}

/// The application has no record, or more than one.
pub(super) fn parent_missing() -> Answer {
    said(409, problem(ProblemType::ParentMissing))
}

/// The operation does not say what it builds on.
pub(super) fn base_missing() -> Answer {
    said(428, problem(ProblemType::PreconditionRequired))
}

/// This SoR has no way to do that.
pub(super) fn not_offered(pointer: &str) -> Answer {
    let error = FieldError { pointer: pointer.to_owned(), code: "not-offered".to_owned() };
    said(422, ProblemBody { errors: vec![error], ..problem(ProblemType::Validation) })
}

/// A problem that is nothing but its type.
pub(super) fn problem(kind: ProblemType) -> ProblemBody {
    ProblemBody {
        kind,
        title: None,
        status: None,
        errors: Vec::new(),
        idempotency_key: None,
        etag: None,
        operation: None,
        payload_digest: None,
    }
}

fn refusal(whole: &Whole, pinned: &SorIdentity) -> Reply {
    let mut reply = reply(whole, pinned);
    if let Some((status, problem)) = typed(&reply, whole) {
        reply.status = status;
        reply.content = Content::Problem(problem);
        return reply;
    }
    let believed = matches!(&reply.content, Content::Problem(problem) if can_know(&problem.kind));
    if !believed {
        reply.content = Content::Other;
    }
    reply
}

/// What such an SoR, or a gateway of the city that speaks for it, is able to say.
fn can_know(kind: &ProblemType) -> bool {
    match kind {
        ProblemType::VersionConflict
        | ProblemType::ParentMissing
        | ProblemType::Validation
        | ProblemType::Forbidden
        | ProblemType::Unauthorized
        | ProblemType::Locked
        | ProblemType::Unavailable
        | ProblemType::TooLarge => true,
        ProblemType::AlreadyCommitted
        | ProblemType::InProgress
        | ProblemType::KeyReused
        | ProblemType::UnknownOperation
        | ProblemType::PreconditionRequired
        | ProblemType::Other(_) => false,
    }
}

/// The vendor's own refusal, with the status that its meaning has; such systems say 400 to nearly everything.
fn typed(reply: &Reply, whole: &Whole) -> Option<(u16, ProblemBody)> {
    if reply.identity != Identity::Right || !(400..500).contains(&reply.status) {
        return None;
    }
    let VendorError { code, fields } = json::<Refusal>(whole)?.error;
    let (status, kind) = match code.as_str() {
        "UNAUTHORIZED" => (401, ProblemType::Unauthorized),
        "FORBIDDEN" => (403, ProblemType::Forbidden),
        "NO_SUCH_RECORD" => (409, ProblemType::ParentMissing),
        "RECORD_LOCKED" => (423, ProblemType::Locked),
        "RECORD_CHANGED" => (409, ProblemType::VersionConflict),
        "STATUS_NOT_ALLOWED" => {
            let error = FieldError { pointer: "/to".to_owned(), code: "step-not-allowed".to_owned() };
            return Some((422, ProblemBody { errors: vec![error], ..problem(ProblemType::Validation) }));
        }
        "INVALID_FIELD" => (422, ProblemType::Validation),
        _ => return None,
    };
    let errors = fields.into_iter().map(|field| FieldError { pointer: field.path, code: field.why });
    Some((status, ProblemBody { errors: errors.collect(), ..problem(kind) }))
}
