//! The total table from an answer to its outcome, and from an outcome to its verdict on the endpoint.

use serde::{Deserialize, Serialize};

use super::answer::{
    Answer, Content, Identity, ProblemBody, ProblemType, ReceiptBody, ReceiptState, Reply, Sent, Unreachable,
};
use crate::breaker::Verdict;
use crate::ids::ETag;
use crate::wait::RetryAfter;

/// What an answer means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Recorded, and proven.
    Committed {
        /// The proof, warnings included.
        receipt: ReceiptBody,
    },
    /// Received, not yet applied.
    Received,
    /// A success that proves nothing: a captive portal, another key, an error inside.
    Impostor,
    /// Worked on, or locked.
    Busy {
        /// By what.
        with: BusyWith,
        /// When to ask again, if the SoR said so.
        retry_after: Option<RetryAfter>,
    },
    /// It was there already.
    AlreadyCommitted {
        /// The proof.
        receipt: ReceiptBody,
    },
    /// The record has changed since.
    Conflict {
        /// The version that the SoR has.
        theirs: Option<ETag>,
    },
    /// The application that it belongs to is not there.
    ParentMissing,
    /// The body is too large.
    TooLarge,
    /// This station sent something that it must never send.
    OurDefect {
        /// What the SoR said.
        problem: ProblemBody,
    },
    /// The contents are refused.
    Rejected {
        /// What the SoR said.
        problem: ProblemBody,
    },
    /// The station's token is not accepted.
    StationUnauthorized,
    /// The person may not.
    Forbidden {
        /// What the SoR said.
        problem: ProblemBody,
    },
    /// Too many requests.
    Throttled {
        /// When to ask again, if it was said.
        retry_after: Option<RetryAfter>,
    },
    /// Down until a named time.
    Unavailable {
        /// When to ask again.
        retry_after: RetryAfter,
    },
    /// Nobody knows whether it was applied.
    Unknown(UnknownCause),
    /// It was not sent.
    Unreachable(Unreachable),
    /// Sent somewhere else; never followed.
    Misdirected,
    /// Nothing was asked.
    NotAsked,
}

/// What an SoR that is busy with an operation is busy with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BusyWith {
    /// This very operation, sent earlier.
    ThisOperation,
    /// The record.
    TheRecord,
}

/// Why it is not known whether an operation was applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnknownCause {
    /// No whole answer came, or one that says that the server failed.
    Unanswered,
    /// A refusal that is not the SoR's, as from a proxy.
    Untyped,
}

/// The outcome of one send.
#[must_use]
pub fn judge(answer: &Answer, sent: &Sent) -> Outcome {
    match answer {
        Answer::Replied(reply) if (200..300).contains(&reply.status) => judge_success(reply, sent),
        Answer::Replied(_) | Answer::NotAsked | Answer::Unreachable(_) | Answer::Lost(_) => {
            judge_unproven(answer, sent)
        }
    }
}

/// The outcome of anything that is no success. A success proves nothing here.
pub(crate) fn judge_unproven(answer: &Answer, sent: &Sent) -> Outcome {
    match answer {
        Answer::NotAsked => Outcome::NotAsked,
        Answer::Unreachable(why) => Outcome::Unreachable(*why),
        Answer::Lost(_) => Outcome::Unknown(UnknownCause::Unanswered),
        Answer::Replied(reply) => match reply.status {
            200..300 => Outcome::Impostor,
            300..400 => Outcome::Misdirected,
            400..500 => judge_refusal(reply, sent),
            503 => reply.retry_after.map_or(Outcome::Unknown(UnknownCause::Unanswered), |retry_after| {
                Outcome::Unavailable { retry_after }
            }),
            // Any other 5xx, and what is no final status at all.
            0..200 | 500..=u16::MAX => Outcome::Unknown(UnknownCause::Unanswered),
        },
    }
}

/// A reference that is carried twice is there, but by which write nobody can say here: a look-up names both.
fn judge_success(reply: &Reply, sent: &Sent) -> Outcome {
    let carried_twice = reply.read_back(sent).is_some_and(|read| read.carriers.len() > 1);
    let accepted_without_receipt =
        reply.status == 202 && reply.identity == Identity::Right && reply.content == Content::Other;
    match reply.proven_receipt(sent) {
        Some(receipt) if reply.status != 202 && receipt.state == ReceiptState::Applied => {
            Outcome::Committed { receipt }
        }
        Some(_) => Outcome::Received,
        None if carried_twice => Outcome::Received,
        None if accepted_without_receipt => Outcome::Received,
        None => Outcome::Impostor,
    }
}

/// 4xx. What a status means whoever sent it comes first, then what only the SoR itself can say.
fn judge_refusal(reply: &Reply, sent: &Sent) -> Outcome {
    match (reply.status, reply.typed_problem()) {
        (408, _) => Outcome::Unknown(UnknownCause::Unanswered),
        (413, _) => Outcome::TooLarge,
        (429, _) => Outcome::Throttled { retry_after: reply.retry_after },
        (_, Some(problem)) => judge_typed(reply, problem, sent),
        (_, None) => Outcome::Unknown(UnknownCause::Untyped),
    }
}

fn judge_typed(reply: &Reply, problem: &ProblemBody, sent: &Sent) -> Outcome {
    let retry_after = reply.retry_after;
    match (reply.status, &problem.kind) {
        (409, ProblemType::AlreadyCommitted) => already_committed(problem, sent),
        (409, ProblemType::InProgress) => Outcome::Busy { with: BusyWith::ThisOperation, retry_after },
        (423, _) => Outcome::Busy { with: BusyWith::TheRecord, retry_after },
        (409 | 412, ProblemType::VersionConflict) => Outcome::Conflict { theirs: problem.etag.clone() },
        (409, ProblemType::ParentMissing) => Outcome::ParentMissing,
        (422, ProblemType::KeyReused) | (428, _) => Outcome::OurDefect { problem: problem.clone() },
        (401, _) => Outcome::StationUnauthorized,
        (403, _) => Outcome::Forbidden { problem: problem.clone() },
        (_, _) => Outcome::Rejected { problem: problem.clone() },
    }
}

/// The key covers the payload, so the receipt of our key is proof; a digest that is given must agree all the same.
/// Without the proof nobody knows what is there.
fn already_committed(problem: &ProblemBody, sent: &Sent) -> Outcome {
    let same_digest = problem.payload_digest.is_none_or(|digest| digest == sent.payload_digest);
    match &problem.operation {
        Some(receipt) if same_digest && applied(receipt) && sent.is_proven_by(receipt) => {
            Outcome::AlreadyCommitted { receipt: receipt.clone() }
        }
        Some(_) | None => Outcome::Unknown(UnknownCause::Untyped),
    }
}

fn applied(receipt: &ReceiptBody) -> bool {
    receipt.state == ReceiptState::Applied
}

impl Outcome {
    /// What it says about the endpoint.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::Committed { .. } => Verdict::Success,
            Self::Received
            | Self::Busy { .. }
            | Self::AlreadyCommitted { .. }
            | Self::Conflict { .. }
            | Self::ParentMissing
            | Self::OurDefect { .. }
            | Self::Rejected { .. }
            | Self::StationUnauthorized
            | Self::Forbidden { .. } => Verdict::Alive,
            Self::TooLarge | Self::Throttled { .. } => Verdict::Neutral,
            Self::Impostor
            | Self::Unavailable { .. }
            | Self::Unknown(_)
            | Self::Unreachable(_)
            | Self::Misdirected => Verdict::Failure,
            Self::NotAsked => Verdict::None,
        }
    }

    /// Stable word for the audit, the log and the row.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Committed { .. } => "committed",
            Self::Received => "received",
            Self::Impostor => "impostor",
            Self::Busy { .. } => "busy",
            Self::AlreadyCommitted { .. } => "already_committed",
            Self::Conflict { .. } => "conflict",
            Self::ParentMissing => "parent_missing",
            Self::TooLarge => "too_large",
            Self::OurDefect { .. } => "our_defect",
            Self::Rejected { .. } => "rejected",
            Self::StationUnauthorized => "station_unauthorized",
            Self::Forbidden { .. } => "forbidden",
            Self::Throttled { .. } => "throttled",
            Self::Unavailable { .. } => "unavailable",
            Self::Unknown(UnknownCause::Unanswered) => "unanswered",
            Self::Unknown(UnknownCause::Untyped) => "untyped",
            Self::Unreachable(_) => "unreachable",
            Self::Misdirected => "misdirected",
            Self::NotAsked => "not_asked",
        }
    }

    /// When the SoR asked to be tried again, if it did.
    #[must_use]
    pub fn retry_after(&self) -> Option<RetryAfter> {
        match self {
            Self::Busy { retry_after, .. } | Self::Throttled { retry_after } => *retry_after,
            Self::Unavailable { retry_after } => Some(*retry_after),
            Self::Committed { .. }
            | Self::Received
            | Self::Impostor
            | Self::AlreadyCommitted { .. }
            | Self::Conflict { .. }
            | Self::ParentMissing
            | Self::TooLarge
            | Self::OurDefect { .. }
            | Self::Rejected { .. }
            | Self::StationUnauthorized
            | Self::Forbidden { .. }
            | Self::Unknown(_)
            | Self::Unreachable(_)
            | Self::Misdirected
            | Self::NotAsked => None,
        }
    }

    /// The problem document that came with it, where one did.
    #[must_use]
    pub fn problem(&self) -> Option<&ProblemBody> {
        match self {
            Self::OurDefect { problem } | Self::Rejected { problem } | Self::Forbidden { problem } => {
                Some(problem)
            }
            Self::Committed { .. }
            | Self::Received
            | Self::Impostor
            | Self::Busy { .. }
            | Self::AlreadyCommitted { .. }
            | Self::Conflict { .. }
            | Self::ParentMissing
            | Self::TooLarge
            | Self::StationUnauthorized
            | Self::Throttled { .. }
            | Self::Unavailable { .. }
            | Self::Unknown(_)
            | Self::Unreachable(_)
            | Self::Misdirected
            | Self::NotAsked => None,
        }
    }
}
