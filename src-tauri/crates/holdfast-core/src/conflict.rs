//! What a person may decide about an operation whose record changed at the SoR, and what follows for its lane.
//!
//! Promise: a decision is about the version that the person saw; whichever is chosen, whatever is sent afterwards is bound
//! to that version, so that a third change is met as a conflict again and never written over. What may have arrived is
//! neither sent again on another version nor taken back here.

use crate::compare::{Effect, Snapshot};
use crate::decision::{Behind, Decided, Heir, Stages, Void};
use crate::holds::HoldType;
use crate::ids::{ETag, OperationId};
use crate::lane::State;
use crate::lifecycle::{MoveRefused, Stage, step};
use crate::operation::Kind;
use crate::outcome::QuarantineReason;

/// What the decision is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen<'a> {
    /// What the SoR has, as it is known here.
    pub theirs: Option<(&'a ETag, &'a Snapshot)>,
    /// The version that the person looked at, if that was said.
    pub looked_at: Option<&'a ETag>,
}

/// Why nothing is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotChosen {
    /// It does not wait for a person, or no longer.
    #[error("it does not wait for a decision")]
    NotWaiting,
    /// It waits for another reason.
    #[error("it is no conflict")]
    NotAConflict,
    /// It may have arrived.
    #[error("it may have arrived")]
    InDoubt,
    /// What the SoR has was not fetched yet.
    #[error("what the SoR has is not known yet")]
    TheirsUnknown,
    /// By now another version is known than the one that was looked at.
    #[error("another version was looked at")]
    SeenAnother,
    /// What the operation opens is there already; it could never be recorded a second time.
    #[error("it is there already")]
    ThereAlready,
    /// From where the record stands now no step leads to where the operation moves it.
    #[error("no step of the lifecycle leads there")]
    NoStep(MoveRefused),
}

/// The version that a choice is about.
///
/// # Errors
/// [`NotChosen`].
pub fn choosable<'a>(item: &Decided, seen: Seen<'a>) -> Result<(&'a ETag, &'a Snapshot), NotChosen> {
    match (item.state, item.reason) {
        (State::Quarantined, Some(QuarantineReason::Conflict)) => {}
        (State::Quarantined, Some(_)) => return Err(NotChosen::NotAConflict),
        (State::Quarantined, None)
        | (State::Pending | State::InFlight | State::Committed | State::Voided, _) => {
            return Err(NotChosen::NotWaiting);
        }
    }
    if item.doubt.is_any() {
        return Err(NotChosen::InDoubt);
    }
    let (etag, theirs) = seen.theirs.ok_or(NotChosen::TheirsUnknown)?;
    match seen.looked_at {
        Some(looked_at) if looked_at != etag => Err(NotChosen::SeenAnother),
        Some(_) | None => Ok((etag, theirs)),
    }
}

/// Where the application stands when an operation of this kind is sent on top of the SoR's version: `moves` is what a move
/// says. First, for a move, where it stood before it.
///
/// # Errors
/// [`NotChosen::NoStep`] or [`NotChosen::ThereAlready`]: the SoR could never apply it.
pub fn stages_with_ours(
    kind: Kind,
    theirs: &Snapshot,
    moves: Option<(Stage, Option<&str>)>,
    behind: &[Behind],
) -> Result<(Option<Stage>, Stages), NotChosen> {
    match (kind, moves) {
        (Kind::Application, _) => Err(NotChosen::ThereAlready),
        (_, None) => Ok((None, Stages::from(theirs.stage, behind))),
        (_, Some((to, reason))) => {
            let arrives = step(theirs.stage, to, reason).map_err(NotChosen::NoStep)?;
            Ok((Some(theirs.stage), Stages::from(arrives, behind)))
        }
    }
}

/// What is left of the lane when the SoR's version is taken: the next one goes on, on that version. While a hold keeps
/// back what is final, no later move goes: the first one joins the decision, and whatever is behind it waits for it.
#[must_use]
pub fn take_theirs(item: &Decided, theirs: (&ETag, &Snapshot), behind: &[Behind]) -> Void {
    let (etag, record) = theirs;
    let next = behind.first().filter(|next| next.after_op == Some(item.operation_id));
    let heir = next.map(|next| Heir {
        operation_id: next.operation_id,
        after_op: item.after_op,
        base: Some(etag.clone()),
    });
    let joins = if is_held(record) { first_move(behind) } else { None };
    let goes = |other: &&Behind| other.state != State::Quarantined && Some(other.operation_id) != joins;
    let going_on = behind.iter().take_while(goes).count();
    Void {
        heir,
        set_aside: joins.into_iter().collect(),
        going_on: u32::try_from(going_on).unwrap_or(u32::MAX),
    }
}

/// Where the application stands when the SoR's version is taken.
#[must_use]
pub fn stages_with_theirs(theirs: &Snapshot, void: &Void, behind: &[Behind]) -> Stages {
    // What joined the decision moves nothing before it is decided about.
    let goes = behind.iter().take_while(|other| !void.set_aside.contains(&other.operation_id));
    let goes: Vec<Behind> = goes.cloned().collect();
    Stages::from(theirs.stage, &goes)
}

/// Whether the fields of the application here are the SoR's from now on; not when an operation that stays says them all.
#[must_use]
pub fn takes_their_fields(stays: Option<Effect<'_>>, said_behind: bool) -> bool {
    match stays {
        _ if said_behind => false,
        Some(Effect::Says(_)) => false,
        Some(Effect::Moves(_) | Effect::Adds(..)) | None => true,
    }
}

fn is_held(record: &Snapshot) -> bool {
    record.holds.iter().any(|hold| HoldType::of(hold).is_some_and(HoldType::keeps_back))
}

fn first_move(behind: &[Behind]) -> Option<OperationId> {
    let waits = |other: &&Behind| other.moves.is_some() && other.state == State::Pending;
    behind.iter().find(waits).map(|other| other.operation_id)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::{Map, json};

    use super::*;
    use crate::operation::Kind;
    use crate::outcome::Doubt;

    fn id(n: u8) -> OperationId {
        format!("01932c6f-8f0a-7cc3-98a1-0242ac1200{n:02x}").parse().unwrap()
    }

    fn etag(version: u8) -> ETag {
        format!("\"v{version}\"").parse().unwrap()
    }

    fn conflict() -> Decided {
        Decided {
            operation_id: id(2),
            kind: Kind::Stage,
            state: State::Quarantined,
            reason: Some(QuarantineReason::Conflict),
            doubt: Doubt::None,
            after_op: Some(id(1)),
            base: Some(etag(1)),
            stood: Some(Stage::Intake),
        }
    }

    fn record(stage: Stage, holds: &[&str]) -> Snapshot {
        let holds = holds.iter().map(|word| json!({"type": word})).collect();
        Snapshot { etag: None, stage, payload: Map::new(), holds, notes: Vec::new() }
    }

    fn behind(n: u8, moves: Option<Stage>) -> Behind {
        let moves = moves.map(|to| (to, None));
        Behind { operation_id: id(n), state: State::Pending, after_op: Some(id(n - 1)), moves }
    }

    #[test]
    fn a_choice_is_about_the_version_that_was_seen() {
        let (item, theirs, known) = (conflict(), record(Stage::Intake, &[]), etag(2));
        let other = etag(3);
        let seen = |looked_at| Seen { theirs: Some((&known, &theirs)), looked_at };
        assert_eq!(choosable(&item, seen(None)).unwrap().0, &known);
        assert_eq!(choosable(&item, seen(Some(&known))).unwrap().0, &known);
        assert_eq!(choosable(&item, seen(Some(&other))), Err(NotChosen::SeenAnother));
        assert_eq!(choosable(&item, Seen { theirs: None, looked_at: None }), Err(NotChosen::TheirsUnknown));
    }

    #[test]
    fn only_a_conflict_that_did_not_arrive_is_chosen_about() {
        let (theirs, known) = (record(Stage::Intake, &[]), etag(2));
        let seen = Seen { theirs: Some((&known, &theirs)), looked_at: None };
        for doubt in [Doubt::Sent, Doubt::Received] {
            assert_eq!(choosable(&Decided { doubt, ..conflict() }, seen), Err(NotChosen::InDoubt));
        }
        for reason in QuarantineReason::ALL.into_iter().filter(|reason| *reason != QuarantineReason::Conflict)
        {
            let item = Decided { reason: Some(reason), ..conflict() };
            assert_eq!(choosable(&item, seen), Err(NotChosen::NotAConflict), "{reason:?}");
        }
        for state in State::ALL.into_iter().filter(|state| *state != State::Quarantined) {
            let item = Decided { state, reason: None, ..conflict() };
            assert_eq!(choosable(&item, seen), Err(NotChosen::NotWaiting), "{state:?}");
        }
    }

    #[test]
    fn ours_has_to_be_a_step_from_where_the_record_stands_now() {
        let to = Some((Stage::FeeEstimated, None));
        let (stood, stages) = stages_with_ours(
            Kind::Stage,
            &record(Stage::PrelimReview, &[]),
            to,
            &[behind(3, Some(Stage::ConditionalApproval))],
        )
        .unwrap();
        assert_eq!((stood, stages.stage), (Some(Stage::PrelimReview), Stage::ConditionalApproval));
        assert_eq!(stages.stood, [(id(3), Stage::FeeEstimated)]);
        let ended = stages_with_ours(Kind::Stage, &record(Stage::Withdrawn, &[]), to, &[]);
        assert_eq!(ended, Err(NotChosen::NoStep(MoveRefused::Ended { at: Stage::Withdrawn })));
        let (stood, stages) =
            stages_with_ours(Kind::Inspection, &record(Stage::Withdrawn, &[]), None, &[]).unwrap();
        assert_eq!((stood, stages.stage), (None, Stage::Withdrawn), "an inspection moves nothing");
    }

    #[test]
    fn what_is_there_already_is_not_opened_a_second_time() {
        let there = stages_with_ours(Kind::Application, &record(Stage::Intake, &[]), None, &[]);
        assert_eq!(there, Err(NotChosen::ThereAlready));
    }

    #[test]
    fn behind_the_sors_version_the_lane_goes_on_upon_it() {
        let (item, known) = (conflict(), etag(2));
        let theirs = record(Stage::PrelimReview, &["notice"]);
        let lane = [behind(3, None), behind(4, Some(Stage::FeeEstimated))];
        let void = take_theirs(&item, (&known, &theirs), &lane);
        let heir = Heir { operation_id: id(3), after_op: Some(id(1)), base: Some(known.clone()) };
        assert_eq!(void, Void { heir: Some(heir), set_aside: vec![], going_on: 2 });
        assert_eq!(stages_with_theirs(&theirs, &void, &lane).stage, Stage::FeeEstimated);
        // An application that is there already, too, leaves its followers something to build on.
        let application = Decided { kind: Kind::Application, after_op: None, base: None, ..conflict() };
        assert_eq!(take_theirs(&application, (&known, &theirs), &lane).going_on, 2);
    }

    #[test]
    fn while_a_hold_keeps_back_no_later_move_goes() {
        let (item, known) = (Decided { kind: Kind::Inspection, ..conflict() }, etag(2));
        let lane = [behind(3, None), behind(4, Some(Stage::ConditionalApproval)), behind(5, None)];
        for word in ["stop-work", "hold"] {
            let theirs = record(Stage::FeeEstimated, &[word]);
            let void = take_theirs(&item, (&known, &theirs), &lane);
            assert_eq!((void.set_aside.as_slice(), void.going_on), ([id(4)].as_slice(), 1), "{word}");
            assert_eq!(stages_with_theirs(&theirs, &void, &lane).stage, Stage::FeeEstimated);
        }
    }

    #[test]
    fn the_fields_here_are_the_sors_unless_an_operation_that_stays_says_them() {
        let fields = Map::new();
        let table = [
            (None, false, true),
            (None, true, false),
            (Some(Effect::Says(&fields)), false, false),
            (Some(Effect::Moves(Stage::Intake)), false, true),
            (Some(Effect::Adds(Kind::Note, &fields)), false, true),
            (Some(Effect::Adds(Kind::Note, &fields)), true, false),
        ];
        for (stays, behind, expected) in table {
            assert_eq!(takes_their_fields(stays, behind), expected, "{stays:?} {behind}");
        }
    }
}
