//! Decide: what a supervisor does with an item that waits for a person.
//!
//! Promise: one transaction, decided inside it; nothing is sent from here. An attempt without the right, or about what
//! cannot be taken back, is refused and audited.

use holdfast_core::ids::IdempotencyKey;
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_wire::{ApiCode, ApiError, DecideRequest, Decided, Decision};
use serde_json::Value;
use validator::Validate as _;

use crate::deciding::{Deciding, Made, Right, right, rule};
use crate::ports::{JournalError, KeptConflict, Ruled};
use crate::resolving::made;
use crate::station::Station;
use crate::submission::Submission;
use crate::verbs::submit::refused;
use crate::views;

impl Station {
    /// Sends an item again, takes it back, or settles a conflict.
    ///
    /// Blocks for one transaction; call it where blocking is allowed.
    ///
    /// # Errors
    /// `NotFound` when there is no such item; `NotSignedIn`, `NotPermitted`, `RulesOutOfDate` when nobody may decide;
    /// `Refused` with `in-doubt` at `/key` for what may have arrived, `not-waiting` for what waits for no decision (any
    /// more), `base-missing` for what builds on something voided, `not-allowed` for what is not for a person to find, and at
    /// `/decision/record` `no-choice-fits` for what is no record of it; of a conflict `theirs-unknown`, `seen-another`,
    /// `not-a-conflict`, `there-already`, `step-not-allowed`, and at the fields `undecided` or `would-be-lost`.
    pub fn decide(&self, request: DecideRequest) -> Result<Decided, ApiError> {
        // First: a request without a reason is beyond its limits too, and those have no field to name.
        if request.reason.trim().is_empty() {
            return Err(views::refused(ApiCode::Refused, &[missing_reason()]));
        }
        request.validate().map_err(|_| views::error(ApiCode::Refused))?;
        let key = request.key.parse().map_err(|_| views::error(ApiCode::NotFound))?;
        let made = self.made(&key, &request.decision)?;
        let deciding = self.deciding(key, request, made);
        let ruled = self.ports.journal.decide(self.now(), key, Box::new(move |facts| rule(&deciding, facts)));
        match ruled.map_err(|cause| views::journal_error(&cause))? {
            Ruled::Done { receipt_no, state, going_on, set_aside } => {
                self.work_came();
                let state = state.word().to_owned();
                Ok(Decided { receipt_no: receipt_no.to_string(), state, going_on, set_aside })
            }
            Ruled::Unknown => Err(views::error(ApiCode::NotFound)),
            Ruled::Refused(refusal) => Err(refused(&refusal)),
        }
    }

    fn deciding(&self, key: IdempotencyKey, request: DecideRequest, made: Made) -> Deciding {
        let session = self.signed();
        let held = session.as_ref().map_or(&[][..], |signed| &signed.statement.roles);
        let right = self.rules().map_or(Right::NoRules, |in_use| right(in_use.rules.roles(), held));
        let mut salt = [0; 32];
        self.ports.entropy.fill(&mut salt);
        Deciding { decision: request.decision, key, reason: request.reason, session, right, salt, made }
    }

    /// What the decision makes of two versions, looked at by the rules before the transaction.
    fn made(&self, key: &IdempotencyKey, decision: &Decision) -> Result<Made, ApiError> {
        let journal = &self.ports.journal;
        let read = || {
            let Some(operation) = journal.operation(key)? else { return Ok(None) };
            let conflict = journal.conflict(operation.receipt.operation_id)?;
            Ok::<_, JournalError>(conflict.map(|conflict| (operation.receipt, conflict)))
        };
        let found = read().map_err(|cause| views::journal_error(&cause))?;
        let known = found.and_then(|(receipt, conflict)| Some((receipt, conflict.theirs.clone()?, conflict)));
        let Some((receipt, theirs, conflict)) = known else { return Ok(Made::Nothing) };
        Ok(match made(&conflict, &theirs, decision) {
            None => Made::Nothing,
            Some(Err(problems)) => Made::Wrong { upon: theirs.etag, problems },
            Some(Ok(payload)) => {
                let submission = Submission {
                    kind: receipt.kind,
                    operation_id: None,
                    application_id: Some(receipt.application_id),
                    base: None,
                    payload,
                };
                let corrected = self.corrected_problems(&conflict, &submission.payload);
                let mut intake = Box::new(self.intake(submission));
                intake.problems.extend(corrected);
                Made::Right { upon: theirs.etag, intake }
            }
        })
    }

    /// What a correction says has to be right by the rules of what it corrects, too.
    fn corrected_problems(&self, conflict: &KeptConflict, payload: &Value) -> Vec<Problem> {
        let (Some(in_use), Some(target)) = (self.rules(), conflict.target) else { return Vec::new() };
        let found = payload.get("payload").map(|said| in_use.rules.check(target, said)).unwrap_or_default();
        let inside =
            |problem: Problem| Problem { pointer: format!("/payload/payload{}", problem.pointer), ..problem };
        found.into_iter().map(inside).collect()
    }
}

fn missing_reason() -> Problem {
    Problem::of_field("reason", ProblemCode::Missing)
}
