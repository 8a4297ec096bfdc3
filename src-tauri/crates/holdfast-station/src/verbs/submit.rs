//! Submit: one operation into the journal.
//!
//! Promise: a receipt is given only after the operation is on the disk and was read back; nothing is sent from here, and
//! no connection is opened.

use std::collections::BTreeMap;

use holdfast_core::ids::{ApplicationId, OperationId};
use holdfast_core::operation::{Kind, payload_digest};
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_wire::{ApiCode, ApiError, ProblemView, ReceiptView};

use crate::accepting::{Intake, Rulebook, decide, entitled};
use crate::ports::{AcceptAsk, Accepting, Refusal, random_id};
use crate::station::Station;
use crate::submission::{NotASubmission, Submission};
use crate::views;

impl Station {
    /// Accepts the operation in `document`: `{kind, operation_id?, application_id?, base?, payload}`.
    ///
    /// Blocks for one transaction; call it where blocking is allowed.
    ///
    /// # Errors
    /// `NotAnObject` when the document is not one JSON object within the limits; `Refused` with every problem by its
    /// pointer into the document; the other codes when intake is paused or nobody may do this.
    pub fn submit(&self, document: &[u8]) -> Result<ReceiptView, ApiError> {
        let submission = Submission::parse(document).map_err(not_a_submission)?;
        match self.accept(submission)? {
            Accepting::Accepted(receipt) | Accepting::Already(receipt) => Ok(views::receipt(&receipt)),
            Accepting::Refused(refusal) => Err(refused(&refusal)),
        }
    }

    /// The way of every acceptance.
    pub(crate) fn accept(&self, submission: Submission) -> Result<Accepting, ApiError> {
        let _place = self.accept_place()?;
        let intake = self.intake(submission);
        let now = intake.now;
        let ask = AcceptAsk { operation_id: intake.operation_id, application_id: intake.application_id };
        let accepting = self.ports.journal.accept(now, ask, Box::new(move |facts| decide(&intake, facts)));
        accepting.map_err(|cause| views::journal_error(&cause))
    }

    /// All that can be known before the transaction, so that the transaction is short.
    fn intake(&self, submission: Submission) -> Intake {
        let now = self.now();
        let Submission { kind, operation_id, application_id, base, payload } = submission;
        let fresh = || random_id(&*self.ports.entropy, now);
        let operation_id = operation_id.unwrap_or_else(|| OperationId::from_uuid(fresh()));
        let application_id = application_id.unwrap_or_else(|| ApplicationId::from_uuid(fresh()));
        let session = self.signed();
        let in_use = self.rules();
        let roles = session.as_ref().map_or(&[][..], |signed| &signed.statement.roles);
        let contract = in_use.as_ref().map(|in_use| Rulebook {
            version: in_use.version,
            attested: in_use.attested,
            ttl_h: self.settings().schema_cache_ttl_h,
            role: entitled(in_use.rules.roles(), roles, kind, &payload),
        });
        let found = in_use.map(|in_use| in_use.rules.check(kind, &payload)).unwrap_or_default();
        Intake {
            now,
            station: self.ports.journal.station().station_id.clone(),
            kind,
            operation_id,
            application_id,
            base,
            payload_digest: payload_digest(&payload),
            payload,
            problems: found.into_iter().map(|problem| in_payload(kind, problem)).collect(),
            session,
            contract,
            headroom: self.settings().headroom(),
        }
    }
}

/// A problem of the payload, by its pointer into the whole document.
fn in_payload(kind: Kind, problem: Problem) -> Problem {
    // About the operation, not about its payload.
    if problem.code == ProblemCode::UnknownKind {
        return Problem::of_field("kind", ProblemCode::UnknownKind).with("kind", kind);
    }
    Problem { pointer: format!("/payload{}", problem.pointer), ..problem }
}

fn not_a_submission(cause: NotASubmission) -> ApiError {
    match cause {
        NotASubmission::NotAnObject(fault) => ApiError {
            code: ApiCode::NotAnObject,
            problems: vec![ProblemView {
                pointer: String::new(),
                code: "not-an-object".to_owned(),
                message: fault.to_string(),
                params: BTreeMap::new(),
            }],
        },
        NotASubmission::Problems(problems) => views::refused(ApiCode::Refused, &problems),
    }
}

pub(crate) fn refused(refusal: &Refusal) -> ApiError {
    views::refused(views::refusal_code(refusal.reason), &refusal.problems)
}
