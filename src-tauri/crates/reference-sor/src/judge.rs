//! What becomes of an operation, given what the records hold: pure, so that every database decides the same.
//!
//! Promise: an operation changes an application only on top of the version that it names, and only along the lifecycle.
//! Who acted and whether the payload is well-formed was judged before.

use holdfast_core::ids::{ETag, PermitNum, RecordId};
use holdfast_core::lifecycle::{MoveRefused, Stage, on_recorded, step};
use holdfast_core::operation::{Body, Kind};
use holdfast_core::problem::{Problem, ProblemCode};

/// An application as far as an operation is judged against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) record_id: RecordId,
    pub(crate) permit_num: PermitNum,
    pub(crate) etag: ETag,
    /// The stage that was last moved to. An approval stays `ConditionalApproval` here, see [`shown_stage`].
    pub(crate) stage: Stage,
}

/// What an operation does to the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// A new application.
    NewApplication,
    /// The application is at another stage.
    Move(Held, Stage),
    /// The application has one more inspection, or a result for one.
    Inspection(Held),
}

/// Why an operation has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The application that it opens is there already.
    ApplicationExists,
    /// The application that it belongs to is not there.
    ParentMissing,
    /// It does not say what it builds on.
    PreconditionRequired,
    /// It builds on another version than the present one.
    VersionConflict,
    /// The lifecycle or the rules do not allow it.
    Invalid(Vec<Problem>),
}

/// The effect of an operation on an application that is `held`, or not there.
///
/// # Errors
/// [`Refusal`]
pub(crate) fn effect(body: &Body, if_match: Option<&str>, held: Option<Held>) -> Result<Effect, Refusal> {
    match body.kind {
        Kind::Application if held.is_some() => Err(Refusal::ApplicationExists),
        Kind::Application => Ok(Effect::NewApplication),
        Kind::Stage => {
            let held = present(if_match, held)?;
            match moved(body, held.stage) {
                Ok(to) => Ok(Effect::Move(held, to)),
                Err(problem) => Err(Refusal::Invalid(vec![problem])),
            }
        }
        Kind::Inspection => present(if_match, held).map(Effect::Inspection),
        Kind::Correction
        | Kind::Void
        | Kind::Hold
        | Kind::Notice
        | Kind::Fee
        | Kind::Note
        | Kind::Tag
        | Kind::Attachment => Err(Refusal::Invalid(vec![Problem::at("/kind", ProblemCode::UnknownKind)])),
    }
}

/// The stage as others see it: a conditional approval that is recorded here is `Committed`. It is kept as what was sent,
/// since a station that has not heard of the recording yet may rightly have moved on from it.
pub(crate) fn shown_stage(kept: Stage) -> Stage {
    on_recorded(kept, kept)
}

fn present(if_match: Option<&str>, held: Option<Held>) -> Result<Held, Refusal> {
    let held = held.ok_or(Refusal::ParentMissing)?;
    let named = if_match.ok_or(Refusal::PreconditionRequired)?;
    if named == held.etag.as_str() { Ok(held) } else { Err(Refusal::VersionConflict) }
}

fn moved(body: &Body, from: Stage) -> Result<Stage, Problem> {
    let text = |name: &str| body.payload.get(name).and_then(|value| value.as_str());
    let to = text("to").and_then(|word| Stage::parse(word).ok());
    let to = to.ok_or_else(|| Problem::at("/to", ProblemCode::Missing))?;
    step(from, to, text("reason")).map_err(|refused| match refused {
        MoveRefused::ReasonMissing { .. } => Problem::at("/reason", ProblemCode::Missing),
        MoveRefused::NoSuchStep { .. } | MoveRefused::NeverChosen { .. } | MoveRefused::Ended { .. } => {
            Problem::at("/to", ProblemCode::StepNotAllowed).with("from", from).with("to", to)
        }
    })
}
