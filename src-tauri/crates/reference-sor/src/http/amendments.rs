//! Whether a correction or a void is well-formed, and whether its author may do what it amounts to.
//!
//! Promise: what a correction puts in place is judged as the operation that it corrects would be, by its rules and by the
//! rights to it; an amendment is no way around either.

use holdfast_core::holds::HoldType;
use holdfast_core::operation::{Body, Kind};
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::roles::Permission;
use serde_json::{Map, Value};

use super::Refused;
use crate::sor::Sor;

/// Longest reason of a void, in characters.
const REASON_MAX_CHARS: usize = 4_000;

/// `{of, payload}`
pub(super) fn check_correction(sor: &Sor, body: &Body) -> Result<(), Refused> {
    let members = members(body, &["of", "payload"])?;
    let Some(payload @ Value::Object(_)) = members.get("payload") else {
        return Err(Refused::malformed("/payload", "wrong-type"));
    };
    // An unknown target is judged where the application is known.
    let Some(kind) = sor.records.kind_of(of(members)?)? else { return Ok(()) };
    let rules = sor.rulebook.rules();
    if rules.roles().may_submit(&body.role, kind, payload) == Permission::Denied {
        return Err(Refused::forbidden("This role has no right to what the correction puts in place."));
    }
    let mut problems = match kind {
        Kind::Stage | Kind::Correction | Kind::Void | Kind::Attachment => {
            return Err(Refused::malformed("/of", "not-allowed"));
        }
        Kind::Application
        | Kind::Inspection
        | Kind::Hold
        | Kind::Notice
        | Kind::Fee
        | Kind::Note
        | Kind::Tag => rules.check(kind, payload),
    };
    if kind == Kind::Hold && HoldType::of(payload) == Some(HoldType::Release) {
        problems.push(Problem::at("/type", ProblemCode::NotAllowed));
    }
    let within = |problem: Problem| Problem { pointer: format!("/payload{}", problem.pointer), ..problem };
    let problems: Vec<Problem> = problems.into_iter().map(within).collect();
    if problems.is_empty() { Ok(()) } else { Err(Refused::validation(&problems)) }
}

/// `{of, reason}`
pub(super) fn check_void(body: &Body) -> Result<(), Refused> {
    let members = members(body, &["of", "reason"])?;
    of(members)?;
    let reason = members.get("reason").and_then(Value::as_str).map(str::trim).unwrap_or_default();
    match reason.chars().count() {
        0 => Err(Refused::malformed("/reason", "missing")),
        1..=REASON_MAX_CHARS => Ok(()),
        _ => Err(Refused::malformed("/reason", "too-long")),
    }
}

fn members<'a>(body: &'a Body, known: &[&str]) -> Result<&'a Map<String, Value>, Refused> {
    let members = body.payload.as_object().ok_or_else(|| Refused::malformed("", "wrong-type"))?;
    if members.keys().all(|name| known.contains(&name.as_str())) {
        return Ok(members);
    }
    Err(Refused::malformed("", "unknown-field"))
}

fn of(members: &Map<String, Value>) -> Result<&str, Refused> {
    members.get("of").and_then(Value::as_str).ok_or_else(|| Refused::malformed("/of", "missing"))
}
