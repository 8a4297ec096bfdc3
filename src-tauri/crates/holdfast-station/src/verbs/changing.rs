//! Reading what a correction or a void is about, before it is decided.
//!
//! Promise: a correction is judged as what it corrects: by that kind's rules, and by the rights to hand in both. What the
//! earlier operation has become meanwhile is read again in the transaction that decides; its kind never changes.

use std::iter::successors;

use holdfast_core::ids::OperationId;
use holdfast_core::operation::{Body, Kind};
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::roles::Permission;
use holdfast_wire::ApiError;
use serde_json::Value;

use crate::accepting::Intake;
use crate::accepting::replacing::{Changing, Wanted};
use crate::ports::OperationRecord;
use crate::station::Station;
use crate::submission::Submission;
use crate::views;

/// Corrections of corrections that are followed to what the first one corrects, in steps.
const CORRECTED_CORRECTIONS_MAX: usize = 8;

/// An operation that a correction is about, directly or through another correction.
pub(super) struct Corrected {
    pub(super) operation_id: OperationId,
    pub(super) kind: Kind,
    /// Where in the correction's payload its own new payload stands.
    depth: usize,
}

impl Corrected {
    /// What is said of it, in the payload of the first one.
    pub(super) fn inside(&self, payload: &Value) -> Option<Value> {
        successors(Some(payload), |payload| payload.get("payload")).nth(self.depth).cloned()
    }
}

impl Station {
    /// A submission about the operation `of`, with all that can be known before the transaction.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub(crate) fn changing(&self, submission: Submission, of: OperationId) -> Result<Changing, ApiError> {
        let wants_void = submission.kind == Kind::Void;
        let payload = submission.payload.clone();
        let application_id = submission.application_id;
        let intake = self.intake(submission);
        let wanted = if wants_void {
            let mut salt = [0; 32];
            self.ports.entropy.fill(&mut salt);
            let reason = payload.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned();
            return Ok(Changing { intake, of, wanted: Wanted::Void { reason, salt } });
        } else {
            self.corrected(of)?
        };
        let inside = |depth: usize| {
            successors(Some(&payload), |payload| payload.get("payload")).nth(depth + 1).cloned()
        };
        let (Some(first), Some(new)) = (wanted.first(), inside(0)) else {
            return Ok(Changing { intake, of, wanted: Wanted::Correction { instead: None, says: None } });
        };
        let submission = Submission {
            kind: first.kind,
            operation_id: Some(intake.operation_id),
            application_id,
            base: None,
            payload: new,
        };
        let mut instead = self.intake(submission);
        let mut intake = self.with_both_rights(intake, &mut instead);
        intake.problems.extend(self.problems_inside(&wanted, &inside));
        let says = wanted.last().filter(|last| last.kind == Kind::Application);
        let says = says.and_then(|last| inside(last.depth));
        Ok(Changing { intake, of, wanted: Wanted::Correction { instead: Some(Box::new(instead)), says } })
    }

    /// What a correction of `of` is about: that, and what that corrects itself. None of an unknown one.
    pub(super) fn corrected(&self, of: OperationId) -> Result<Vec<Corrected>, ApiError> {
        let mut corrected = Vec::new();
        let mut next = Some(of);
        for depth in 0..CORRECTED_CORRECTIONS_MAX {
            let Some(operation_id) = next else { break };
            let found =
                self.ports.journal.item(operation_id).map_err(|cause| views::journal_error(&cause))?;
            let Some(found) = found else { break };
            let operation = found.item.operation;
            let kind = operation.receipt.kind;
            next = if kind == Kind::Correction { of_what(&operation) } else { None };
            corrected.push(Corrected { operation_id, kind, depth });
        }
        Ok(corrected)
    }

    /// The role in which both are done, the correction and what it becomes.
    fn with_both_rights(&self, intake: Intake, instead: &mut Intake) -> Intake {
        let rules = self.rules();
        let held = intake.session.as_ref().map_or(&[][..], |signed| &signed.statement.roles);
        let role = rules.as_ref().and_then(|in_use| {
            let roles = in_use.rules.roles();
            let may = |role: &&_| {
                [(intake.kind, &intake.payload), (instead.kind, &instead.payload)]
                    .iter()
                    .all(|(kind, payload)| roles.may_submit(role, *kind, payload) == Permission::Granted)
            };
            held.iter().find(may).cloned()
        });
        let mut intake = intake;
        for contract in [&mut intake.contract, &mut instead.contract].into_iter().flatten() {
            contract.role.clone_from(&role);
        }
        intake
    }

    /// What the rules say about each new payload, by its pointer into the document.
    fn problems_inside(
        &self,
        corrected: &[Corrected],
        inside: &dyn Fn(usize) -> Option<Value>,
    ) -> Vec<Problem> {
        let Some(in_use) = self.rules() else { return Vec::new() };
        let mut problems = Vec::new();
        for (nth, one) in corrected.iter().enumerate() {
            let Some(payload) = inside(one.depth).filter(|_| one.kind != Kind::Void) else { break };
            let prefix = format!("/payload{}", "/payload".repeat(one.depth + 1));
            let said = in_use.rules.check(one.kind, &payload).into_iter();
            problems.extend(
                said.map(|problem| Problem { pointer: format!("{prefix}{}", problem.pointer), ..problem }),
            );
            // A correction that is corrected goes on correcting the same.
            if let Some(next) = corrected.get(nth + 1) {
                let same = payload.get("of").and_then(Value::as_str) == Some(&next.operation_id.to_string());
                problems
                    .extend((!same).then(|| Problem::at(format!("{prefix}/of"), ProblemCode::NotAllowed)));
            }
        }
        problems
    }
}

fn of_what(operation: &OperationRecord) -> Option<OperationId> {
    let body: Body = serde_json::from_slice(&operation.body).ok()?;
    body.payload.get("of")?.as_str()?.parse().ok()
}
