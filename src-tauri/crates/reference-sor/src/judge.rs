//! What becomes of an operation, given what the records hold: pure, so that every database decides the same.
//!
//! Promise: an operation changes an application only on top of the version that it names, and only along the lifecycle.
//! Who acted and whether the payload is well-formed was judged before.

use holdfast_core::holds::{HoldType, is_final};
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
    pub(crate) holds: OpenHolds,
    /// What the operation names by `of`.
    pub(crate) named: Named,
}

/// Whether something final may be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenHolds {
    /// No hold keeps anything back.
    None,
    /// A stop-work or a hold is open.
    KeepBack,
}

/// What stands behind an `of`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// Nothing of this application, or nothing is named.
    Nothing,
    /// The application itself, by the operation that opened it.
    Application,
    /// An inspection, by its row.
    Inspection(i64),
    /// A hold that is open, by its id.
    Hold(String),
    /// A notice, a fee, a note or a tag, by its row.
    Entry(i64),
    /// It was released or voided before.
    Ended,
    /// A move, a release, or an amendment itself: what follows it is another one.
    Fixed,
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
    /// A hold is placed.
    Hold(Held, HoldType),
    /// A hold is released.
    Release(Held, String),
    /// The application has one more notice, fee, note or tag.
    Entry(Held),
    /// What is named says something else from now on.
    Corrected(Held, Named),
    /// What is named does not hold any more.
    Voided(Held, Named),
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
    /// A hold is open that its author did not know of, or has forgotten: the record is not what this builds on.
    OnHold,
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
            let held = free(body, present(if_match, held)?)?;
            match moved(body, held.stage) {
                Ok(to) => Ok(Effect::Move(held, to)),
                Err(problem) => Err(Refusal::Invalid(vec![problem])),
            }
        }
        Kind::Inspection => free(body, present(if_match, held)?).map(Effect::Inspection),
        Kind::Hold => hold(body, present(if_match, held)?),
        Kind::Notice | Kind::Fee | Kind::Note | Kind::Tag => present(if_match, held).map(Effect::Entry),
        Kind::Correction => {
            let (held, named) = amended(present(if_match, held)?)?;
            Ok(Effect::Corrected(held, named))
        }
        Kind::Void => {
            let (held, named) = amended(present(if_match, held)?)?;
            Ok(Effect::Voided(held, named))
        }
        Kind::Attachment => Err(invalid("/kind", ProblemCode::UnknownKind)),
    }
}

/// Nothing final while a hold is open.
fn free(body: &Body, held: Held) -> Result<Held, Refusal> {
    match held.holds {
        OpenHolds::KeepBack if is_final(body.kind, &body.payload) => Err(Refusal::OnHold),
        OpenHolds::KeepBack | OpenHolds::None => Ok(held),
    }
}

fn hold(body: &Body, held: Held) -> Result<Effect, Refusal> {
    match HoldType::of(&body.payload).ok_or_else(|| invalid("/type", ProblemCode::Missing))? {
        HoldType::Release => match held.named.clone() {
            Named::Hold(id) => Ok(Effect::Release(held, id)),
            Named::Nothing => Err(Refusal::ParentMissing),
            Named::Application | Named::Inspection(_) | Named::Entry(_) | Named::Ended | Named::Fixed => {
                Err(invalid("/of", ProblemCode::NotAllowed))
            }
        },
        kind @ (HoldType::StopWork | HoldType::Hold | HoldType::Notice) => Ok(Effect::Hold(held, kind)),
    }
}

fn amended(held: Held) -> Result<(Held, Named), Refusal> {
    match held.named.clone() {
        Named::Nothing => Err(Refusal::ParentMissing),
        Named::Application if held.stage == Stage::Voided => Err(invalid("/of", ProblemCode::NotAllowed)),
        named @ (Named::Application | Named::Inspection(_) | Named::Hold(_) | Named::Entry(_)) => {
            Ok((held, named))
        }
        Named::Ended | Named::Fixed => Err(invalid("/of", ProblemCode::NotAllowed)),
    }
}

fn invalid(pointer: &str, code: ProblemCode) -> Refusal {
    Refusal::Invalid(vec![Problem::at(pointer, code)])
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
