//! The decision about a correction or a void: a place that is taken, an operation that is taken back, or one that follows.
//!
//! Promise: who may not do it is refused before anything of the earlier operation is looked at, and whoever corrects needs
//! the right to hand in what the correction becomes as well. What the SoR may have is left alone. The event of a place that
//! was taken names both operations, and all that changed for those behind them.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::decision::{Void, going_on, left_by, stages_without, stood_before};
use holdfast_core::ids::OperationId;
use holdfast_core::lifecycle::{MoveRefused, Stage};
use holdfast_core::operation::{KeyInput, Kind, OPERATION_VERSION};
use holdfast_core::outcome::QuarantineReason;
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::replacing::{
    Change, NotReplaced, Standing, Target, Way, heir, stages_with, successor, way,
};
use holdfast_core::route::{RouteDecision, RouteInputs};
use serde_json::Value;

use super::{
    Intake, Routed, Signed, acceptance, base, changed, invalid, move_problem, move_target, refusal,
    refused_entry, refused_unread, route_inputs, route_refusal, routed, signed_in,
};
use crate::ports::{
    AcceptDecision, ChangeDecision, ChangeFacts, Following, HandedIn, LikenessAsk, Refusal, RefusalReason,
    Replacement, TakingBack, TargetFacts, TargetInLane, Voiding,
};

/// A correction or a void with what it is about, as far as that is known before the transaction.
pub(crate) struct Changing {
    /// As it was handed in.
    pub(crate) intake: Intake,
    /// The earlier operation.
    pub(crate) of: OperationId,
    /// What is wanted.
    pub(crate) wanted: Wanted,
}

/// What is wanted with the earlier operation.
pub(crate) enum Wanted {
    /// A correction; `instead` is what takes the place, of the kind of the earlier operation. None of an unknown one.
    Correction {
        /// What takes its place.
        instead: Option<Box<Intake>>,
        /// What the application says by it, when that is what is corrected.
        says: Option<Value>,
    },
    /// A void, and why, which is kept under the salt.
    Void {
        /// In the person's words.
        reason: String,
        /// 32 random bytes.
        salt: [u8; 32],
    },
}

impl Changing {
    /// What a corrected application is compared by.
    pub(crate) fn likeness(&self) -> Option<LikenessAsk> {
        match &self.wanted {
            Wanted::Correction { instead, .. } => instead.as_ref()?.likeness.clone(),
            Wanted::Void { .. } => None,
        }
    }
}

/// Decides.
pub(crate) fn decide(changing: &Changing, facts: &ChangeFacts) -> ChangeDecision {
    if let Some(twin) = &facts.accepting.twin {
        return match twin.meets(changing.intake.kind, changing.intake.payload_digest) {
            true => ChangeDecision::Already,
            false => refused(changed()),
        };
    }
    admitted(changing, facts).unwrap_or_else(|refusal| ChangeDecision::Refuse(*refusal))
}

fn refused(decision: AcceptDecision) -> ChangeDecision {
    match decision {
        AcceptDecision::Refuse(refusal) => ChangeDecision::Refuse(refusal),
        AcceptDecision::Already | AcceptDecision::Accept(_) => ChangeDecision::Already,
    }
}

fn admitted(changing: &Changing, facts: &ChangeFacts) -> Result<ChangeDecision, Box<Refusal>> {
    let (intake, accepting) = (&changing.intake, &facts.accepting);
    let signed = signed_in(intake, accepting)?;
    let decision = RouteDecision::of(inputs(changing, facts));
    let refuse = |reason| route_refusal(intake, signed, &decision, reason);
    refused_unread(decision.route).map_or(Ok(()), |reason| Err(refuse(reason)))?;
    if !intake.problems.is_empty() {
        return Err(invalid(intake.problems.clone()));
    }
    let way = way(changing.wanted.change(), intake.application_id, target(&facts.target));
    let way = way.map_err(|why| not_replaced(changing, why))?;
    let routed = routed(intake, decision).map_err(refuse)?;
    match (way, &changing.wanted, &facts.target) {
        (Way::TakesPlace, Wanted::Correction { instead: Some(instead), .. }, TargetFacts::InLane(there)) => {
            let replacement = replacement(changing, instead, facts, there, signed, routed)?;
            Ok(ChangeDecision::Replace(Box::new(replacement)))
        }
        (Way::TakesPlace, Wanted::Void { reason, salt }, TargetFacts::InLane(there)) => {
            let entry = told(EventKind::OperationVoided, signed, &routed, there);
            let entry = entry.with_private("reason", *salt, reason.clone());
            let taking_back = taking_back(changing, facts, there, &routed, entry);
            Ok(ChangeDecision::TakeBack(Box::new(taking_back)))
        }
        (Way::Follows, ..) => following(changing, facts, signed, routed),
        // What it is about came in between reading the rules and this transaction.
        (Way::TakesPlace, ..) => Err(not_replaced(changing, NotReplaced::Unknown)),
    }
}

impl Wanted {
    fn change(&self) -> Change {
        match self {
            Self::Correction { .. } => Change::Correction,
            Self::Void { .. } => Change::Void,
        }
    }
}

/// What is corrected matters as much as what is done first: an inspection's correction is taken where an inspection is.
fn inputs(changing: &Changing, facts: &ChangeFacts) -> RouteInputs {
    let inputs = route_inputs(&changing.intake, &facts.accepting);
    match &changing.wanted {
        Wanted::Correction { instead: Some(instead), .. } => {
            RouteInputs { work: holdfast_core::headroom::WorkClass::of(instead.kind), ..inputs }
        }
        Wanted::Correction { instead: None, .. } | Wanted::Void { .. } => inputs,
    }
}

pub(crate) fn target(facts: &TargetFacts) -> Option<Target<'_>> {
    let (application_id, kind, standing) = match facts {
        TargetFacts::Unknown => return None,
        TargetFacts::Committed { application_id, kind } => (*application_id, *kind, Standing::Committed),
        TargetFacts::Voided { application_id, kind } => (*application_id, *kind, Standing::Voided),
        TargetFacts::InLane(there) => {
            let standing = Standing::InLane { item: &there.item, next_step: there.next_step };
            (there.application.application_id, there.item.kind, standing)
        }
    };
    Some(Target { application_id, kind, standing })
}

/// The place is taken: everything of the row but its own number, time and contents is that of the one before it.
fn replacement(
    changing: &Changing,
    instead: &Intake,
    facts: &ChangeFacts,
    there: &TargetInLane,
    signed: &Signed,
    routed: Routed,
) -> Result<Replacement, Box<Refusal>> {
    let (item, behind, now) = (&there.item, &there.behind, there.application.stage);
    let reason = instead.payload.get("reason").and_then(Value::as_str);
    let moves = move_target(instead.kind, &instead.payload).map(|to| (to, reason));
    let replaced = stages_with(item, behind, now, there.recorded, moves);
    let replaced = replaced.map_err(|why| no_step(stood_before(item, now, there.recorded), moves, why))?;
    let handed_in = handed_in(changing, facts, &routed);
    let entry = told(EventKind::OperationReplaced, signed, &routed, there);
    let mut acceptance =
        acceptance(instead, &facts.accepting, signed, routed, replaced.stages.stage, item.base.clone());
    acceptance.body.replaces = Some(item.operation_id);
    acceptance.bytes = acceptance.body.bytes();
    acceptance.place = successor(there.place);
    acceptance.after_op = item.after_op;
    acceptance.entry = acceptance.entry.with("replaces", item.operation_id).with("place", acceptance.place);
    let heir = heir(item, behind, instead.operation_id);
    let entry = entry
        .with("replaced_by", instead.operation_id)
        .with("replaced_by_receipt_no", &acceptance.receipt_no)
        .with("going_on", going_on(behind))
        .with("stage", replaced.stages.stage);
    let entry = heir.iter().fold(entry, |entry, heir| {
        entry.with("heir", heir.operation_id).with("heir_after_op", heir.after_op)
    });
    Ok(Replacement {
        target: item.operation_id,
        acceptance,
        stood: replaced.stood,
        heir,
        behind_stood: replaced.stages.stood,
        handed_in,
        entry,
    })
}

fn no_step(from: Stage, moves: Option<(Stage, Option<&str>)>, why: MoveRefused) -> Box<Refusal> {
    let problem = move_problem(from, moves.map_or(from, |(to, _)| to), why);
    let inside = problem.pointer.replacen("/payload", "/payload/payload", 1);
    invalid(vec![Problem { pointer: inside, ..problem }])
}

fn taking_back(
    changing: &Changing,
    facts: &ChangeFacts,
    there: &TargetInLane,
    routed: &Routed,
    entry: Entry,
) -> TakingBack {
    let (item, behind) = (&there.item, &there.behind);
    let void = left_by(item, behind);
    let stages = stages_without(item, behind, there.application.stage, there.recorded);
    let entry = entry.with("void", changing.intake.operation_id);
    let entries = void_entries(item.operation_id, &void, stages.stage, entry);
    let voiding = Voiding {
        operation_id: item.operation_id,
        heir: void.heir,
        set_aside: void.set_aside,
        going_on: void.going_on,
        stage: stages.stage,
        stood: stages.stood,
        at: facts.accepting.stamp.at,
        entries,
    };
    TakingBack { voiding, handed_in: handed_in(changing, facts, routed) }
}

/// The event of a void with what it left of the lane, and those of whatever is set aside for it.
pub(crate) fn void_entries(voided: OperationId, void: &Void, stage: Stage, entry: Entry) -> Vec<Entry> {
    let entry = entry.with("going_on", void.going_on).with("stage", stage);
    // Columns that may change are audited when they do.
    let entry = void.heir.iter().fold(entry, |entry, heir| {
        let entry = entry.with("heir", heir.operation_id).with("heir_after_op", heir.after_op);
        entry.with("heir_base", &heir.base)
    });
    let set_aside = void.set_aside.iter().map(|id| set_aside_entry(*id, voided));
    std::iter::once(entry).chain(set_aside).collect()
}

fn set_aside_entry(id: OperationId, voided: OperationId) -> Entry {
    let entry = Entry::new(EventKind::OperationQuarantined).of(id);
    entry.with("reason", QuarantineReason::ParentVoided.word()).with("voided", voided)
}

/// An operation of its own at the lane's end. Where an application is corrected, it says so here at once.
fn following(
    changing: &Changing,
    facts: &ChangeFacts,
    signed: &Signed,
    routed: Routed,
) -> Result<ChangeDecision, Box<Refusal>> {
    let (intake, accepting) = (&changing.intake, &facts.accepting);
    let unknown = || invalid(vec![Problem::of_field("application_id", ProblemCode::UnknownApplication)]);
    let application = accepting.application.as_ref().ok_or_else(unknown)?;
    let base = base(intake, accepting).map_err(|problem| invalid(vec![problem]))?;
    let mut acceptance = acceptance(intake, accepting, signed, routed, application.stage, base);
    acceptance.entry = acceptance.entry.with("of", changing.of);
    let says = match &changing.wanted {
        Wanted::Correction { says, .. } => says.clone(),
        Wanted::Void { .. } => None,
    };
    let payload_before = says.as_ref().map(|_| application.payload.clone());
    acceptance.application.payload = says;
    Ok(ChangeDecision::Follow(Box::new(Following { acceptance, payload_before })))
}

fn handed_in(changing: &Changing, facts: &ChangeFacts, routed: &Routed) -> HandedIn {
    let intake = &changing.intake;
    let key = KeyInput {
        v: OPERATION_VERSION,
        operation_id: intake.operation_id,
        kind: intake.kind,
        application_id: intake.application_id,
        payload: &intake.payload,
    };
    HandedIn {
        operation_id: intake.operation_id,
        kind: intake.kind,
        key: key.idempotency_key(),
        payload_digest: intake.payload_digest,
        at: facts.accepting.stamp.at,
        route: routed.origin,
    }
}

/// What the earlier operation was, and by whose hand it goes.
fn told(kind: EventKind, signed: &Signed, routed: &Routed, there: &TargetInLane) -> Entry {
    let item = &there.item;
    Entry::new(kind)
        .by(signed.statement.actor.clone())
        .of(item.operation_id)
        .with("role", &routed.role)
        .with("application_id", there.application.application_id)
        .with("operation_kind", item.kind)
        .with("receipt_no", &there.receipt_no)
        .with("was", item.state.word())
        .with("because", item.reason.map(QuarantineReason::word))
        .with("doubt", item.doubt.word())
        .with("after_op", item.after_op)
        .with("base", &item.base)
        .with("stage_before", there.application.stage)
}

/// Refused, and audited: somebody tried to change what was handed in.
fn not_replaced(changing: &Changing, why: NotReplaced) -> Box<Refusal> {
    let code = match why {
        NotReplaced::Unknown => ProblemCode::UnknownOperation,
        NotReplaced::OtherApplication => ProblemCode::OtherApplication,
        NotReplaced::AVoid => ProblemCode::NotAllowed,
        NotReplaced::Voided => ProblemCode::Voided,
        NotReplaced::InDoubt => ProblemCode::InDoubt,
        NotReplaced::NothingToBuildOn => ProblemCode::BaseMissing,
    };
    let entry = refused_entry(&changing.intake).with("of", changing.of).with("reason", code.as_str());
    let problems = vec![Problem::at("/payload/of", code)];
    refusal(RefusalReason::Invalid, problems, Some(entry))
}

/// A correction is of the kind of what it corrects, a void of none.
#[must_use]
pub(crate) fn is_change(kind: Kind) -> bool {
    match kind {
        Kind::Correction | Kind::Void => true,
        Kind::Application
        | Kind::Stage
        | Kind::Inspection
        | Kind::Hold
        | Kind::Notice
        | Kind::Fee
        | Kind::Note
        | Kind::Tag
        | Kind::Attachment => false,
    }
}
