//! The decision about a conflict: which of two versions holds, and what is written for it.
//!
//! Promise: core's rule says what may be chosen and what follows; whatever is chosen, the event names the version that it
//! was chosen upon. Who may choose was decided before ([`crate::deciding`]).

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::compare::{Effect, compare};
use holdfast_core::conflict::{
    NotChosen, Seen, choosable, stages_with_ours, stages_with_theirs, take_theirs, takes_their_fields,
};
use holdfast_core::decision::{Stages, going_on};
use holdfast_core::ids::{ETag, OperationId};
use holdfast_core::lifecycle::{MoveRefused, Stage};
use holdfast_core::merge::{self, Side};
use holdfast_core::operation::Kind;
use holdfast_core::outcome::QuarantineReason;
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::replacing::{heir, successor};
use holdfast_core::time::UtcMillis;
use holdfast_wire::Decision;
use serde_json::{Map, Value};

use crate::accepting::{InPlace, Intake, accepted_in_place};
use crate::ports::{
    FieldsOf, InLane, KeptConflict, Refusal, Ruling, Taken, TakingMerged, TakingOurs, TakingTheirs, Theirs,
};

/// What the choice is about.
pub(crate) struct Chosen<'a> {
    pub(crate) there: &'a InLane,
    pub(crate) conflict: &'a KeptConflict,
    pub(crate) theirs: &'a Theirs,
}

/// Why nothing stands in its place.
pub(crate) enum NotMerged {
    Not(NotChosen),
    /// It was not accepted.
    Refused(Refusal),
}

/// The payload that a person's decision makes of both versions; none when the decision makes nothing.
pub(crate) fn made(
    conflict: &KeptConflict,
    theirs: &Theirs,
    decision: &Decision,
) -> Option<Result<Value, Vec<Problem>>> {
    let effect = conflict.effect();
    match decision {
        Decision::Merge { merged, .. } => Some(written_by(conflict, theirs, merged.clone())),
        Decision::Choose { ours, theirs: taken, .. } if effect.is_chosen_by_field() => {
            let side = |pointers: &[String], side| {
                pointers.iter().map(|one| (one.clone(), side)).collect::<Vec<_>>()
            };
            let choices = [side(ours, Side::Ours), side(taken, Side::Theirs)].concat().into_iter().collect();
            let comparison = compare(conflict.base(), effect, &theirs.record);
            let came =
                merge::chosen(&comparison, &choices).map_err(|all| problems("", all, ProblemCode::Undecided));
            Some(came.map(|fields| whole(conflict, fields)))
        }
        Decision::Choose { .. } => Some(Err(vec![Problem::of_field("decision", ProblemCode::NotAllowed)])),
        Decision::Requeue
        | Decision::Void
        | Decision::Keep
        | Decision::Found { .. }
        | Decision::TakeOurs { .. }
        | Decision::TakeTheirs { .. } => None,
    }
}

fn written_by(
    conflict: &KeptConflict,
    theirs: &Theirs,
    merged: Map<String, Value>,
) -> Result<Value, Vec<Problem>> {
    let written = match conflict.effect() {
        Effect::Says(ours) => merge::written(merged, ours, Some(&theirs.record.payload)),
        Effect::Moves(_) | Effect::Adds(..) => merge::written(merged, &conflict.payload, None),
    };
    let written = written.map_err(|lost| problems("/payload", lost, ProblemCode::WouldBeLost));
    written.map(|fields| whole(conflict, fields))
}

/// A correction says them inside.
fn whole(conflict: &KeptConflict, fields: Map<String, Value>) -> Value {
    let mut payload = conflict.payload.clone();
    match (conflict.effect(), conflict.kind) {
        (Effect::Says(_), Kind::Correction) => {
            payload.insert("payload".to_owned(), Value::Object(fields));
            Value::Object(payload)
        }
        (Effect::Says(_) | Effect::Moves(_) | Effect::Adds(..), _) => Value::Object(fields),
    }
}

fn problems(prefix: &str, pointers: Vec<String>, code: ProblemCode) -> Vec<Problem> {
    pointers.into_iter().map(|pointer| Problem::at(format!("{prefix}{pointer}"), code)).collect()
}

fn object(payload: &Value) -> Map<String, Value> {
    payload.as_object().cloned().unwrap_or_default()
}

fn not_merged(why: NotChosen) -> Box<NotMerged> {
    Box::new(NotMerged::Not(why))
}

/// The versions that a choice is about, if one can be made.
pub(crate) fn chosen<'a>(there: &'a InLane, looked_at: Option<&ETag>) -> Result<Chosen<'a>, NotChosen> {
    let known = there.conflict.as_ref().and_then(|conflict| Some((conflict, conflict.theirs.as_ref()?)));
    let theirs = known.map(|(_, theirs)| (&theirs.etag, &theirs.record));
    choosable(&there.item, Seen { theirs, looked_at })?;
    let (conflict, theirs) = known.ok_or(NotChosen::TheirsUnknown)?;
    Ok(Chosen { there, conflict, theirs })
}

impl Chosen<'_> {
    /// The operation is sent again upon the SoR's version.
    pub(crate) fn ours(&self, entry: Entry, at: UtcMillis) -> Result<Ruling, NotChosen> {
        let behind = &self.there.behind;
        let kind = self.there.item.kind;
        let (stood, stages) = stages_with_ours(kind, &self.theirs.record, moves(self.conflict), behind)?;
        let fields = takes_their_fields(Some(self.conflict.effect()), self.there.said_behind);
        let going_on = going_on(behind);
        Ok(Ruling::TakeOurs(Box::new(TakingOurs {
            operation_id: self.there.item.operation_id,
            stood,
            entry: self.told(entry, "ours").with("going_on", going_on).with("stage", stages.stage),
            taken: self.taken(stages, fields, at),
            going_on,
        })))
    }

    /// The operation is taken back.
    pub(crate) fn theirs(&self, entry: Entry, at: UtcMillis) -> Ruling {
        let item = &self.there.item;
        let void = take_theirs(item, (&self.theirs.etag, &self.theirs.record), &self.there.behind);
        let stages = stages_with_theirs(&self.theirs.record, &void, &self.there.behind);
        let entry = self.told(entry, "theirs").with("going_on", void.going_on).with("stage", stages.stage);
        let entry = void.heir.iter().fold(entry, |entry, heir| {
            let entry = entry.with("heir", heir.operation_id).with("heir_after_op", heir.after_op);
            entry.with("heir_base", &heir.base)
        });
        let joined = void.set_aside.iter().map(|id| joined_entry(*id, item.operation_id));
        let entries = std::iter::once(entry).chain(joined).collect();
        let fields = takes_their_fields(None, self.there.said_behind);
        Ruling::TakeTheirs(Box::new(TakingTheirs {
            operation_id: item.operation_id,
            heir: void.heir,
            joined: void.set_aside,
            going_on: void.going_on,
            taken: self.taken(stages, fields, at),
            entries,
        }))
    }

    /// What was made of both stands in the place of the operation; `made` is the conflict as it would be with it.
    pub(crate) fn merged(
        &self,
        intake: &Intake,
        entry: Entry,
        at: UtcMillis,
    ) -> Result<Ruling, Box<NotMerged>> {
        let (item, behind) = (&self.there.item, &self.there.behind);
        let facts = self.there.accepting.as_ref().ok_or_else(|| not_merged(NotChosen::TheirsUnknown))?;
        let made = KeptConflict { payload: object(&intake.payload), ..self.conflict.clone() };
        let stages = stages_with_ours(item.kind, &self.theirs.record, moves(&made), behind);
        let (stood, stages) = stages.map_err(not_merged)?;
        let in_place = InPlace {
            of: item.operation_id,
            place: successor(self.there.place),
            after_op: item.after_op,
            base: &self.theirs.etag,
            shown: &self.theirs.record,
            stage: stages.stage,
        };
        let acceptance = accepted_in_place(intake, facts, &in_place);
        let acceptance = acceptance.map_err(|refusal| Box::new(NotMerged::Refused(*refusal)))?;
        let new = acceptance.body.operation_id;
        let entry = self.told(entry, "merge").with("replaced_by", new).with("stage", stages.stage);
        let fields = takes_their_fields(Some(made.effect()), self.there.said_behind);
        let taken = match made.effect() {
            Effect::Says(all) if !self.there.said_behind => {
                Taken { fields: FieldsOf::TheMerge(all.clone()), ..self.taken(stages, fields, at) }
            }
            Effect::Says(_) | Effect::Moves(_) | Effect::Adds(..) => self.taken(stages, fields, at),
        };
        let entries = vec![entry, acceptance.entry.clone()];
        let (heir, going_on) = (heir(item, behind, new), going_on(behind));
        let replaced = item.operation_id;
        let taking = TakingMerged { replaced, acceptance, stood, heir, taken, going_on, entries };
        Ok(Ruling::TakeMerged(Box::new(taking)))
    }

    /// What the choice was made from, beside what every decision tells.
    fn told(&self, entry: Entry, choice: &str) -> Entry {
        let comparison = compare(self.conflict.base(), self.conflict.effect(), &self.theirs.record);
        let entry = entry.with("choice", choice).with("theirs", &self.theirs.etag);
        entry.with("theirs_fetched_at", self.theirs.fetched_at).with("meeting", comparison.meeting)
    }

    fn taken(&self, stages: Stages, fields: bool, at: UtcMillis) -> Taken {
        let Stages { stage, stood } = stages;
        let fields = if fields { FieldsOf::TheSor } else { FieldsOf::TheLane };
        Taken { theirs: self.theirs.clone(), stage, stood, fields, at }
    }
}

/// What a move says.
fn moves(conflict: &KeptConflict) -> Option<(Stage, Option<&str>)> {
    let word = |name| conflict.payload.get(name).and_then(Value::as_str);
    match conflict.effect() {
        Effect::Moves(to) => Some((to, word("reason"))),
        Effect::Says(_) | Effect::Adds(..) => None,
    }
}

/// What is told of why nothing was chosen.
pub(crate) fn problem(why: NotChosen) -> Problem {
    let code = match why {
        NotChosen::NotWaiting => ProblemCode::NotWaiting,
        NotChosen::NotAConflict => ProblemCode::NotAConflict,
        NotChosen::InDoubt => ProblemCode::InDoubt,
        NotChosen::TheirsUnknown => ProblemCode::TheirsUnknown,
        NotChosen::ThereAlready => ProblemCode::ThereAlready,
        NotChosen::SeenAnother => ProblemCode::SeenAnother,
        NotChosen::NoStep(refused) => return no_step(refused),
    };
    Problem::of_field("key", code)
}

fn no_step(refused: MoveRefused) -> Problem {
    let problem = |from: Stage, to: &str| {
        Problem::of_field("key", ProblemCode::StepNotAllowed).with("from", from).with("to", to)
    };
    match refused {
        MoveRefused::NoSuchStep { from, to } => problem(from, to.as_str()),
        MoveRefused::ReasonMissing { .. } => Problem::at("/payload/reason", ProblemCode::Missing),
        MoveRefused::NeverChosen { to } => problem(to, to.as_str()),
        MoveRefused::Ended { at } => problem(at, at.as_str()),
    }
}

fn joined_entry(id: OperationId, decided: OperationId) -> Entry {
    let entry = Entry::new(EventKind::OperationQuarantined).of(id);
    entry.with("reason", QuarantineReason::Conflict.word()).with("joined", decided)
}
