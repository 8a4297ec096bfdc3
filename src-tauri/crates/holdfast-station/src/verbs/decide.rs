//! Decide: what a supervisor does with an item that waits for a person.
//!
//! Promise: one transaction, decided inside it; nothing is sent from here. An attempt without the right, or about what
//! cannot be taken back, is refused and audited.

use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_wire::{ApiCode, ApiError, DecideRequest, Decided};
use validator::Validate as _;

use crate::deciding::{Deciding, Right, right, rule};
use crate::ports::Ruled;
use crate::station::Station;
use crate::verbs::submit::refused;
use crate::views;

impl Station {
    /// Sends an item again, or takes it back. Whoever sends has to be told that there may be work.
    ///
    /// Blocks for one transaction; call it where blocking is allowed.
    ///
    /// # Errors
    /// `NotFound` when there is no such item; `NotSignedIn`, `NotPermitted`, `RulesOutOfDate` when nobody may decide;
    /// `Refused` with `in-doubt` at `/key` for what may have arrived, `not-waiting` for what waits for no decision (any
    /// more), `base-missing` for what builds on something voided.
    pub fn decide(&self, request: DecideRequest) -> Result<Decided, ApiError> {
        // First: a request without a reason is beyond its limits too, and those have no field to name.
        if request.reason.trim().is_empty() {
            return Err(views::refused(ApiCode::Refused, &[missing_reason()]));
        }
        request.validate().map_err(|_| views::error(ApiCode::Refused))?;
        let key = request.key.parse().map_err(|_| views::error(ApiCode::NotFound))?;
        let deciding = self.deciding(request);
        let ruled = self.ports.journal.decide(self.now(), key, Box::new(move |facts| rule(&deciding, facts)));
        match ruled.map_err(|cause| views::journal_error(&cause))? {
            Ruled::Done { receipt_no, state, going_on, set_aside } => Ok(Decided {
                receipt_no: receipt_no.to_string(),
                state: state.word().to_owned(),
                going_on,
                set_aside,
            }),
            Ruled::Unknown => Err(views::error(ApiCode::NotFound)),
            Ruled::Refused(refusal) => Err(refused(&refusal)),
        }
    }

    fn deciding(&self, request: DecideRequest) -> Deciding {
        let session = self.signed();
        let held = session.as_ref().map_or(&[][..], |signed| &signed.statement.roles);
        let right = self.rules().map_or(Right::NoRules, |in_use| right(in_use.rules.roles(), held));
        let mut salt = [0; 32];
        self.ports.entropy.fill(&mut salt);
        Deciding { decision: request.decision, reason: request.reason, session, right, salt }
    }
}

fn missing_reason() -> Problem {
    Problem::of_field("reason", ProblemCode::Missing)
}
