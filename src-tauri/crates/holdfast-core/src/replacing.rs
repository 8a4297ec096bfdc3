//! A correction or a void of an earlier operation: whether it takes the place of one that waits or follows one that is
//! recorded, and what follows for the lane.
//!
//! Promise: nothing takes the place of what the SoR may have, so that of an operation and what replaces it at most one has
//! an effect; what takes a place stands exactly there, builds on the same, and whoever came behind comes behind it. Who may
//! do it is the roles' matter, and what the new payload has to look like the rules'.
//!
//! Whoever lays one operation in the place of another (a correction at the counter, a merge of two versions) asks
//! [`takes_place`] first, then [`successor`], [`heir`] and [`stages_with`] for the rest of the lane. What a void leaves of it
//! says [`crate::decision::left_by`], whoever voids.

use crate::decision::{Behind, Decided, Heir, Stages, stood_before};
use crate::ids::{ApplicationId, OperationId};
use crate::lane::{Place, State};
use crate::lifecycle::{MoveRefused, Stage, step};
use crate::operation::Kind;
use crate::outcome::{NextStep, QuarantineReason};

/// What a person wants done with an earlier operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// A whole new payload instead.
    Correction,
    /// Nothing instead.
    Void,
}

/// The operation that is to be corrected or voided, as far as this is decided from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target<'a> {
    /// Its application.
    pub application_id: ApplicationId,
    /// Its kind.
    pub kind: Kind,
    /// How it stands.
    pub standing: Standing<'a>,
}

/// How the operation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing<'a> {
    /// Recorded by the SoR.
    Committed,
    /// Taken back, or replaced.
    Voided,
    /// In its lane.
    InLane {
        /// It.
        item: &'a Decided,
        /// What its next attempt is.
        next_step: NextStep,
    },
}

/// What becomes of a correction or a void.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The operation waits, and the SoR does not have it: a correction stands in its place, a void takes it back.
    TakesPlace,
    /// The SoR has recorded it: an operation of its own, at the end of the lane.
    Follows,
}

/// Why nothing takes the place of an operation, nor follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotReplaced {
    /// There is no such operation here.
    #[error("there is no such operation here")]
    Unknown,
    /// It belongs to another application.
    #[error("it belongs to another application")]
    OtherApplication,
    /// It is a void itself.
    #[error("a void is neither corrected nor voided")]
    AVoid,
    /// It was voided or replaced already.
    #[error("it was voided already")]
    Voided,
    /// The SoR may have it.
    #[error("it may have arrived")]
    InDoubt,
    /// What it builds on was voided, so that nothing in its place could be sent either.
    #[error("what it builds on was voided")]
    NothingToBuildOn,
}

/// What becomes of a change that is handed in for `application`.
///
/// # Errors
/// [`NotReplaced`].
pub fn way(
    change: Change,
    application: ApplicationId,
    target: Option<Target<'_>>,
) -> Result<Way, NotReplaced> {
    let target = target.ok_or(NotReplaced::Unknown)?;
    if target.application_id != application {
        return Err(NotReplaced::OtherApplication);
    }
    if target.kind == Kind::Void {
        return Err(NotReplaced::AVoid);
    }
    match target.standing {
        Standing::Committed => Ok(Way::Follows),
        Standing::Voided => Err(NotReplaced::Voided),
        Standing::InLane { item, next_step } => {
            takes_place(change, item, next_step).map(|()| Way::TakesPlace)
        }
    }
}

/// Whether another operation may take the place of one in its lane, or nothing may.
///
/// # Errors
/// [`NotReplaced`].
pub fn takes_place(change: Change, item: &Decided, next_step: NextStep) -> Result<(), NotReplaced> {
    if item.doubt.is_any() {
        return Err(NotReplaced::InDoubt);
    }
    match (item.state, item.reason) {
        (State::Pending, _) if next_step == NextStep::LookUp => Err(NotReplaced::InDoubt),
        (State::Pending, _) => Ok(()),
        (State::InFlight, _) => Err(NotReplaced::InDoubt),
        (State::Quarantined, Some(reason)) => of_quarantined(change, reason),
        (State::Quarantined, None) | (State::Committed | State::Voided, _) => Err(NotReplaced::Voided),
    }
}

/// The next one of the lane, when `new` stands where `item` stood. What it is bound to comes with the receipt of `new`.
#[must_use]
pub fn heir(item: &Decided, behind: &[Behind], new: OperationId) -> Option<Heir> {
    let next = behind.first().filter(|next| next.after_op == Some(item.operation_id));
    next.map(|next| Heir { operation_id: next.operation_id, after_op: Some(new), base: None })
}

/// The place of what replaces the operation that stands at `place`.
#[must_use]
pub fn successor(place: Place) -> Place {
    Place { revision: place.revision.saturating_add(1), ..place }
}

/// Where the application stands when `item` says something else: `moves` is what a corrected move says. What is behind it
/// counts as long as a step of the lifecycle leads there.
///
/// # Errors
/// No step leads to where the corrected move goes.
pub fn stages_with(
    item: &Decided,
    behind: &[Behind],
    now: Stage,
    recorded: Option<Stage>,
    moves: Option<(Stage, Option<&str>)>,
) -> Result<Replaced, MoveRefused> {
    match moves {
        None => Ok(Replaced { stood: None, stages: Stages { stage: now, stood: Vec::new() } }),
        Some((to, reason)) => {
            let stood = stood_before(item, now, recorded);
            let arrives = step(stood, to, reason)?;
            Ok(Replaced { stood: Some(stood), stages: Stages::from(arrives, behind) })
        }
    }
}

/// Where the application stands once an operation has taken the place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// For a move: where it stood before it.
    pub stood: Option<Stage>,
    /// Where it stands, and before each move behind.
    pub stages: Stages,
}

/// Found twice, or beyond proof: the SoR may have it whatever the doubt says.
fn of_quarantined(change: Change, reason: QuarantineReason) -> Result<(), NotReplaced> {
    match (reason, change) {
        (QuarantineReason::Twin | QuarantineReason::Unprovable, _) => Err(NotReplaced::InDoubt),
        (QuarantineReason::ParentVoided, Change::Correction) => Err(NotReplaced::NothingToBuildOn),
        (
            QuarantineReason::ParentVoided
            | QuarantineReason::Conflict
            | QuarantineReason::Rejected
            | QuarantineReason::TooLarge
            | QuarantineReason::OurDefect
            | QuarantineReason::Forbidden
            | QuarantineReason::FailsAlone
            | QuarantineReason::ParentMissing
            | QuarantineReason::Unreadable,
            _,
        ) => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::ids::{ETag, LocalSeq};
    use crate::outcome::Doubt;

    const DOUBTS: [Doubt; 3] = [Doubt::None, Doubt::Sent, Doubt::Received];
    const CHANGES: [Change; 2] = [Change::Correction, Change::Void];

    fn id(n: u8) -> OperationId {
        format!("01932c6f-8f0a-7cc3-98a1-0242ac1200{n:02x}").parse().unwrap()
    }

    fn lane(n: u8) -> ApplicationId {
        format!("01932c6f-8f0a-7cc3-98a1-0242ac1300{n:02x}").parse().unwrap()
    }

    fn etag() -> ETag {
        "\"v7\"".parse().unwrap()
    }

    fn waiting(kind: Kind) -> Decided {
        Decided {
            operation_id: id(2),
            kind,
            state: State::Pending,
            reason: None,
            doubt: Doubt::None,
            after_op: Some(id(1)),
            base: None,
            stood: Some(Stage::Intake),
        }
    }

    fn in_lane(kind: Kind, item: &Decided) -> Target<'_> {
        Target {
            application_id: lane(1),
            kind,
            standing: Standing::InLane { item, next_step: NextStep::Send },
        }
    }

    fn behind(n: u8, moves: Option<Stage>) -> Behind {
        let moves = moves.map(|to| (to, None));
        Behind { operation_id: id(n), state: State::Pending, after_op: Some(id(n - 1)), moves }
    }

    /// The whole table: every state, doubt and kind of the target, for both changes.
    #[test]
    fn what_waits_is_replaced_what_is_recorded_followed_and_what_may_have_arrived_neither() {
        let mut cases = 0;
        for (change, kind) in CHANGES.into_iter().flat_map(|change| Kind::ALL.map(|kind| (change, kind))) {
            for (state, doubt) in State::ALL.into_iter().flat_map(|state| DOUBTS.map(|doubt| (state, doubt)))
            {
                let reason = (state == State::Quarantined).then_some(QuarantineReason::Rejected);
                let item = Decided { state, reason, doubt, ..waiting(kind) };
                let target = match state {
                    State::Committed => Target { standing: Standing::Committed, ..in_lane(kind, &item) },
                    State::Voided => Target { standing: Standing::Voided, ..in_lane(kind, &item) },
                    State::Pending | State::InFlight | State::Quarantined => in_lane(kind, &item),
                };
                let expected = match (kind, state, doubt) {
                    (Kind::Void, _, _) => Err(NotReplaced::AVoid),
                    (_, State::Committed, _) => Ok(Way::Follows),
                    (_, State::Voided, _) => Err(NotReplaced::Voided),
                    (_, State::Pending | State::Quarantined, Doubt::None) => Ok(Way::TakesPlace),
                    (_, State::InFlight, _)
                    | (_, State::Pending | State::Quarantined, Doubt::Sent | Doubt::Received) => {
                        Err(NotReplaced::InDoubt)
                    }
                };
                assert_eq!(
                    way(change, lane(1), Some(target)),
                    expected,
                    "{change:?} {kind} {state:?} {doubt:?}"
                );
                assert_eq!(way(change, lane(2), Some(target)), Err(NotReplaced::OtherApplication));
                cases += 1;
            }
        }
        assert_eq!(cases, 2 * 11 * 5 * 3);
        assert_eq!(way(Change::Void, lane(1), None), Err(NotReplaced::Unknown));
    }

    #[test]
    fn of_what_was_set_aside_only_a_proven_refusal_is_replaced() {
        use QuarantineReason::{
            Conflict, FailsAlone, Forbidden, OurDefect, ParentMissing, ParentVoided, Rejected, TooLarge,
            Twin, Unprovable, Unreadable,
        };
        for reason in QuarantineReason::ALL {
            let item = Decided { state: State::Quarantined, reason: Some(reason), ..waiting(Kind::Note) };
            let [correction, void] = CHANGES.map(|change| takes_place(change, &item, NextStep::LookUp));
            let expected = match reason {
                Twin | Unprovable => (Err(NotReplaced::InDoubt), Err(NotReplaced::InDoubt)),
                ParentVoided => (Err(NotReplaced::NothingToBuildOn), Ok(())),
                Conflict | Rejected | TooLarge | OurDefect | Forbidden | FailsAlone | ParentMissing
                | Unreadable => (Ok(()), Ok(())),
            };
            assert_eq!((correction, void), expected, "{reason:?}");
        }
    }

    #[test]
    fn what_has_to_be_looked_for_first_is_not_replaced() {
        for change in CHANGES {
            let item = waiting(Kind::Note);
            assert_eq!(takes_place(change, &item, NextStep::LookUp), Err(NotReplaced::InDoubt), "{change:?}");
        }
    }

    #[test]
    fn at_every_position_of_a_lane_the_next_one_comes_behind_the_new_one() {
        let new = id(9);
        for kind in [Kind::Application, Kind::Stage, Kind::Inspection, Kind::Correction] {
            let first = Decided { after_op: None, base: Some(etag()), ..waiting(kind) };
            for item in [waiting(kind), first] {
                let next = Heir { operation_id: id(3), after_op: Some(new), base: None };
                assert_eq!(heir(&item, &[behind(3, None), behind(4, None)], new), Some(next));
                assert_eq!(heir(&item, &[], new), None, "the last of its lane");
            }
        }
        let second = successor(successor(Place { place: LocalSeq(4), revision: 0 }));
        assert_eq!(second, Place { place: LocalSeq(4), revision: 2 });
    }

    #[test]
    fn a_corrected_move_starts_from_where_the_first_one_started() {
        use Stage::{
            Committed, ConditionalApproval, FeeEstimated, Intake, PrelimReview, Returned, Withdrawn,
        };
        let returned = (Intake, Some("incomplete"));
        let cases = [
            ("instead of the only move", Intake, (Withdrawn, Some("by letter")), vec![], None, Ok(Withdrawn)),
            ("the same move", Intake, (PrelimReview, None), vec![FeeEstimated], None, Ok(FeeEstimated)),
            ("no step leads on", PrelimReview, returned, vec![ConditionalApproval], None, Ok(Returned)),
            ("on from a return", PrelimReview, returned, vec![PrelimReview], None, Ok(PrelimReview)),
            (
                "approval recorded since",
                ConditionalApproval,
                (Withdrawn, Some("late")),
                vec![],
                Some(ConditionalApproval),
                Err(MoveRefused::NoSuchStep { from: Committed, to: Withdrawn }),
            ),
            (
                "no such step",
                Intake,
                (FeeEstimated, None),
                vec![],
                None,
                Err(MoveRefused::NoSuchStep { from: Intake, to: FeeEstimated }),
            ),
            (
                "a return without its reason",
                PrelimReview,
                (Intake, None),
                vec![],
                None,
                Err(MoveRefused::ReasonMissing { from: PrelimReview, to: Intake }),
            ),
        ];
        for (name, stood, moves, lane, recorded, expected) in cases {
            let item = Decided { stood: Some(stood), ..waiting(Kind::Stage) };
            let lane: Vec<Behind> = (3..).zip(lane).map(|(n, to)| behind(n, Some(to))).collect();
            let replaced = stages_with(&item, &lane, PrelimReview, recorded, Some(moves));
            assert_eq!(replaced.map(|replaced| replaced.stages.stage), expected, "{name}");
        }
        let item = waiting(Kind::Stage);
        let lane = [behind(3, Some(FeeEstimated))];
        let replaced = stages_with(&item, &lane, FeeEstimated, None, Some((PrelimReview, None))).unwrap();
        assert_eq!((replaced.stood, replaced.stages.stood), (Some(Intake), vec![(id(3), PrelimReview)]));
    }

    #[test]
    fn what_is_no_move_leaves_the_stage_as_it_is() {
        let lane = [behind(3, Some(Stage::PrelimReview))];
        let replaced =
            stages_with(&waiting(Kind::Application), &lane, Stage::PrelimReview, None, None).unwrap();
        let stages = Stages { stage: Stage::PrelimReview, stood: Vec::new() };
        assert_eq!(replaced, Replaced { stood: None, stages });
    }
}
