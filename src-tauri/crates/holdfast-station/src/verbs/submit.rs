//! Submit: one operation into the journal.
//!
//! Promise: a receipt is given only after the operation is on the disk and was read back; nothing is sent from here, and
//! no connection is opened.

use std::collections::BTreeMap;

use holdfast_core::ids::{ApplicationId, OperationId};
use holdfast_core::operation::{Kind, payload_digest};
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_wire::{ApiCode, ApiError, ProblemView, ReceiptView};
use serde_json::Value;

use crate::accepting::{Intake, Numbering, Rulebook, decide, entitled, parcels, replacing};
use crate::likening;
use crate::ports::{AcceptAsk, Accepting, ChangeAsk, ChangeFacts, JournalError, Receipt, Refusal, random_id};
use crate::settings::NumberSource;
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
        self.receipt_of(Submission::parse(document).map_err(not_a_submission)?)
    }

    /// The same under ids that whoever asks from another process has drawn, where the document names none: who hears no
    /// answer asks again under the same ids, and meets the same row.
    ///
    /// # Errors
    /// As [`Station::submit`].
    pub fn submit_under(
        &self,
        document: &[u8],
        operation_id: OperationId,
        application_id: ApplicationId,
    ) -> Result<ReceiptView, ApiError> {
        let mut submission = Submission::parse(document).map_err(not_a_submission)?;
        submission.operation_id.get_or_insert(operation_id);
        submission.application_id.get_or_insert(application_id);
        self.receipt_of(submission)
    }

    fn receipt_of(&self, submission: Submission) -> Result<ReceiptView, ApiError> {
        match self.accept(submission)? {
            Accepting::Accepted(receipt) | Accepting::Already(receipt) => self.receipt_view(&receipt),
            Accepting::Refused(refusal) => Err(refused(&refusal)),
        }
    }

    /// The receipt, with what its application looks like, and what was seen of its parcels.
    fn receipt_view(&self, receipt: &Receipt) -> Result<ReceiptView, ApiError> {
        let mut view = views::receipt(receipt);
        if receipt.kind == Kind::Application {
            let found = self.likes(&[receipt.application_id])?;
            view.looks_like = found.into_values().next().unwrap_or_default();
        }
        self.say_what_was_seen(&mut view, receipt.operation_id)?;
        Ok(view)
    }

    /// The way of every acceptance.
    pub(crate) fn accept(&self, submission: Submission) -> Result<Accepting, ApiError> {
        let _place = self.accept_place()?;
        if let Some(of) = changes(&submission) {
            return self.accept_change(submission, of);
        }
        let intake = self.intake(submission);
        let now = intake.now;
        let likeness = intake.likeness.clone();
        let pins = parcels::named(intake.kind, &intake.payload);
        let ask = AcceptAsk { likeness, pins, ..AcceptAsk::of(intake.operation_id, intake.application_id) };
        let accepting = self.ports.journal.accept(now, ask, Box::new(move |facts| decide(&intake, facts)));
        self.told(accepting)
    }

    /// What is accepted may be sent at once.
    fn told(&self, accepting: Result<Accepting, JournalError>) -> Result<Accepting, ApiError> {
        match &accepting {
            Ok(Accepting::Accepted(_)) => self.work_came(),
            Ok(Accepting::Already(_) | Accepting::Refused(_)) | Err(_) => {}
        }
        accepting.map_err(|cause| views::journal_error(&cause))
    }

    /// The way of what is about an earlier operation.
    fn accept_change(&self, submission: Submission, of: OperationId) -> Result<Accepting, ApiError> {
        let changing = self.changing(submission, of)?;
        let Intake { now, operation_id, application_id, .. } = changing.intake;
        let likeness = changing.likeness();
        let pins = parcels::named(changing.intake.kind, &changing.intake.payload);
        let ask = ChangeAsk { operation_id, application_id, target: of, likeness, pins };
        let decide = Box::new(move |facts: &ChangeFacts| replacing::decide(&changing, facts));
        self.told(self.ports.journal.change(now, ask, decide))
    }

    /// All that can be known before the transaction, so that the transaction is short.
    pub(crate) fn intake(&self, submission: Submission) -> Intake {
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
        let likeness = likening::ask(kind, &payload, now, self.settings().likeness_window_h);
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
            numbering: self.numbering(),
            parcels_max_h: self.settings().copy_parcels_max_h,
            likeness,
        }
    }
}

/// The earlier operation that a submission is about, if it is about one and names it.
fn changes(submission: &Submission) -> Option<OperationId> {
    let of = submission.payload.get("of").and_then(Value::as_str);
    of.filter(|_| replacing::is_change(submission.kind)).and_then(|of| of.parse().ok())
}

impl Station {
    pub(crate) fn numbering(&self) -> Numbering {
        let settings = self.settings();
        match settings.numbers {
            NumberSource::Assigned => Numbering::Assigned,
            NumberSource::Leased => {
                Numbering::Leased { low_mark: settings.number_low_mark, zone: self.zone() }
            }
        }
    }
}

/// A problem of the payload, by its pointer into the whole document.
pub(crate) fn in_payload(kind: Kind, problem: Problem) -> Problem {
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
