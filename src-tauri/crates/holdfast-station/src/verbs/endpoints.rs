//! Holding an endpoint for planned work on it, and releasing it; needs nobody but the journal, so it works in an outage.

use holdfast_core::ids::{EndpointName, OutageId};
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::time::{Now, UtcMillis};
use holdfast_wire::{
    ApiCode, ApiError, EndpointSteered, HeldView, HoldEndpointRequest, ReleaseEndpointRequest,
};
use validator::Validate as _;

use crate::deciding::Right;
use crate::holding::{Holding, Wish, right, steer};
use crate::ports::{EndpointRecord, HeldTime, Steered, random_id};
use crate::station::Station;
use crate::verbs::submit::refused;
use crate::views;

impl Station {
    /// Nothing is sent to an endpoint until a time, with a reason. One that is held already is held until this time instead.
    ///
    /// # Errors
    /// `NotFound` when there is no such endpoint; `NotSignedIn`, `NotPermitted`, `RulesOutOfDate` when nobody may; `Refused`
    /// with problems at `/reason` or `/until`.
    pub fn hold_endpoint(&self, request: HoldEndpointRequest) -> Result<EndpointSteered, ApiError> {
        if request.reason.trim().is_empty() {
            return Err(views::refused(
                ApiCode::Refused,
                &[Problem::of_field("reason", ProblemCode::Missing)],
            ));
        }
        request.validate().map_err(|_| views::error(ApiCode::Refused))?;
        let until = UtcMillis::as_told(&request.until, &self.zone());
        let until = until.ok_or_else(|| views::refused(ApiCode::Refused, &[no_time()]))?;
        self.steer(&request.endpoint, Wish::Hold { until, reason: request.reason })
    }

    /// The hold of an endpoint ends now; its next try may go at once.
    ///
    /// # Errors
    /// As [`Station::hold_endpoint`]; `Refused` with `not-waiting` at `/endpoint` when it is not held.
    pub fn release_endpoint(&self, request: ReleaseEndpointRequest) -> Result<EndpointSteered, ApiError> {
        request.validate().map_err(|_| views::error(ApiCode::Refused))?;
        self.steer(&request.endpoint, Wish::Release).inspect(|_| self.work_came())
    }

    fn steer(&self, endpoint: &str, wish: Wish) -> Result<EndpointSteered, ApiError> {
        let name: EndpointName = endpoint.parse().map_err(|_| views::error(ApiCode::NotFound))?;
        let now = self.now();
        let holding = self.holding(wish, now);
        let steered = self.ports.journal.steer(now, name, Box::new(move |facts| steer(&holding, facts)));
        match steered.map_err(|cause| views::journal_error(&cause))? {
            Steered::Done(endpoint) => Ok(view(&endpoint, now)),
            Steered::Unknown => Err(views::error(ApiCode::NotFound)),
            Steered::Refused(refusal) => Err(refused(&refusal)),
        }
    }

    fn holding(&self, wish: Wish, now: Now) -> Holding {
        let session = self.signed();
        let held = session.as_ref().map_or(&[][..], |signed| &signed.statement.roles);
        let right = self.rules().map_or(Right::NoRules, |in_use| right(in_use.rules.roles(), held));
        let mut salt = [0; 32];
        self.ports.entropy.fill(&mut salt);
        let new_outage = OutageId::from_uuid(random_id(&*self.ports.entropy, now));
        Holding { wish, now, session, right, new_outage, salt }
    }
}

fn no_time() -> Problem {
    Problem::of_field("until", ProblemCode::Format).with("format", "time")
}

fn view(endpoint: &EndpointRecord, now: Now) -> EndpointSteered {
    let breaker = &endpoint.breaker;
    EndpointSteered {
        endpoint: endpoint.name.to_string(),
        state: breaker.state_word(now).to_owned(),
        next_try_at: breaker.next_try_at(now).map(|at| at.to_string()),
        held: breaker.held(now).map(|hold| HeldView {
            held_at: hold.from.wall.to_string(),
            until: hold.until.to_string(),
            by: hold.by.to_string(),
            reason: hold.reason.clone(),
            ended_at: None,
        }),
    }
}

/// A hold of the register.
pub(crate) fn held_view(held: &HeldTime) -> HeldView {
    HeldView {
        held_at: held.held_at.to_string(),
        until: held.until.to_string(),
        by: held.by.to_string(),
        reason: held.reason.clone(),
        ended_at: held.ended_at.map(|at| at.to_string()),
    }
}
