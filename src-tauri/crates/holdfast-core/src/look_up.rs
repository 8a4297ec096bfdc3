//! What the answer to a look-up proves: by key, or of a reference that was looked for in the records.
//!
//! Promise: only the SoR itself can say that an operation is there or is not; everything else leaves it in doubt. A
//! success about another key proves nothing. Whether an absence may be believed yet is not said here.

use crate::breaker::Verdict;
use crate::ids::RecordId;
use crate::outcome::{
    Answer, Doubt, NextStep, Outcome, ProblemType, ReceiptBody, ReceiptState, Reply, Sent, judge_unproven,
};

/// What a look-up found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookUp {
    /// It is recorded.
    AlreadyCommitted {
        /// The proof.
        receipt: ReceiptBody,
    },
    /// It is there, not yet applied.
    Received,
    /// It is there more than once: a person decides which one stays.
    Twin {
        /// What carries its reference.
        record_ids: Vec<RecordId>,
    },
    /// It is not there: it may be sent again.
    Absent,
    /// Nobody knows.
    StillInDoubt {
        /// What came back instead.
        why: Outcome,
    },
}

/// The result of one look-up.
#[must_use]
pub fn judge_look_up(answer: &Answer, sent: &Sent) -> LookUp {
    match answer {
        Answer::Replied(reply) if reply.status == 200 => {
            found(reply, sent).unwrap_or_else(|| doubt(answer, sent))
        }
        Answer::Replied(reply) if reply.status == 404 && is_unknown_operation(reply) => LookUp::Absent,
        Answer::Replied(_) | Answer::NotAsked | Answer::Unreachable(_) | Answer::Lost(_) => {
            doubt(answer, sent)
        }
    }
}

impl LookUp {
    /// What it says about the endpoint.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::AlreadyCommitted { .. } | Self::Received | Self::Twin { .. } | Self::Absent => {
                Verdict::Alive
            }
            Self::StillInDoubt { why } => why.verdict(),
        }
    }

    /// Stable word for the audit, the log and the row.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::AlreadyCommitted { .. } => "already_committed",
            Self::Received => "received",
            Self::Twin { .. } => "twin",
            Self::Absent => "absent",
            Self::StillInDoubt { .. } => "still_in_doubt",
        }
    }

    /// The doubt that is left.
    #[must_use]
    pub fn doubt_after(&self, before: Doubt) -> Doubt {
        match self {
            Self::AlreadyCommitted { .. } | Self::Absent => Doubt::None,
            Self::Received => Doubt::Received,
            Self::Twin { .. } => before.or_sent(),
            Self::StillInDoubt { .. } => before,
        }
    }

    /// What the next attempt is, if there is one.
    #[must_use]
    pub fn next_step(&self) -> NextStep {
        match self {
            Self::Absent | Self::AlreadyCommitted { .. } => NextStep::Send,
            Self::Received | Self::Twin { .. } | Self::StillInDoubt { .. } => NextStep::LookUp,
        }
    }
}

fn found(reply: &Reply, sent: &Sent) -> Option<LookUp> {
    match reply.read_back(sent) {
        Some(read) if read.carriers.is_empty() => return Some(LookUp::Absent),
        Some(read) if read.carriers.len() > 1 => {
            return Some(LookUp::Twin { record_ids: read.carriers.clone() });
        }
        Some(_) | None => {}
    }
    let receipt = reply.proven_receipt(sent)?;
    Some(match receipt.state {
        ReceiptState::Applied => LookUp::AlreadyCommitted { receipt },
        ReceiptState::Received => LookUp::Received,
    })
}

fn is_unknown_operation(reply: &Reply) -> bool {
    reply.typed_problem().is_some_and(|problem| problem.kind == ProblemType::UnknownOperation)
}

fn doubt(answer: &Answer, sent: &Sent) -> LookUp {
    LookUp::StillInDoubt { why: judge_unproven(answer, sent) }
}
