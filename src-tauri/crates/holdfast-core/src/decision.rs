//! What a person may decide about an operation that waits for one, and what follows for its lane.
//!
//! Promise: what is sent again is the same operation under the same key; what may have arrived is never taken back here;
//! and after a void nothing of the lane is said to go on that could not. Who may decide is the roles' matter, and nothing
//! is chosen between two versions of a record.

use crate::ids::{ETag, OperationId};
use crate::lane::{Follower, Predecessor, State, follower};
use crate::lifecycle::{Stage, on_recorded, step};
use crate::operation::Kind;
use crate::outcome::{Doubt, NextStep, QuarantineReason};

/// The operation that is decided about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// The operation.
    pub operation_id: OperationId,
    /// Its kind.
    pub kind: Kind,
    /// Its state.
    pub state: State,
    /// Why it waits for a person, if it does.
    pub reason: Option<QuarantineReason>,
    /// Whether it may have arrived.
    pub doubt: Doubt,
    /// The operation that it follows in its lane.
    pub after_op: Option<OperationId>,
    /// The version that it is bound to.
    pub base: Option<ETag>,
    /// For a move: where the application stood before it.
    pub stood: Option<Stage>,
}

/// One of its lane that comes after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behind {
    /// The operation.
    pub operation_id: OperationId,
    /// Its state.
    pub state: State,
    /// The operation that it follows.
    pub after_op: Option<OperationId>,
    /// For a move: the word of its payload, and its reason.
    pub moves: Option<(Stage, Option<String>)>,
}

/// Why nothing is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotDecided {
    /// It does not wait for a person, or no longer.
    #[error("it does not wait for a decision")]
    NotWaiting,
    /// It may have arrived: what is not known to be absent is not taken back.
    #[error("it may have arrived")]
    InDoubt,
    /// What it builds on was voided, so the SoR could never apply it.
    #[error("what it builds on was voided")]
    NothingToBuildOn,
    /// Whether it is at the SoR is known here, or found out without a person.
    #[error("it is not for a person to find")]
    NotForAPerson,
    /// The record that a person names is none of those that the SoR has of it.
    #[error("this is none of its records")]
    NoneOfThem,
    /// The application's record at the SoR is not known here.
    #[error("the record of its application is not known here")]
    NoRecord,
}

/// What a void means for the lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Void {
    /// The next one, and what it builds on from now on, if there is a next one and something to build on.
    pub heir: Option<Heir>,
    /// Those that can never be sent, nearest first: from now on each waits for a decision of its own.
    pub set_aside: Vec<OperationId>,
    /// Those that go on.
    pub going_on: u32,
}

/// The next one after a void.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heir {
    /// The operation.
    pub operation_id: OperationId,
    /// The operation that it follows from now on.
    pub after_op: Option<OperationId>,
    /// The version that it is bound to, if that is known already.
    pub base: Option<ETag>,
}

/// Where an application stands after a void.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stages {
    /// Its stage.
    pub stage: Stage,
    /// Where it stands before each move that is left behind the voided one.
    pub stood: Vec<(OperationId, Stage)>,
}

/// What the next attempt is when an operation is sent again: one that may have arrived is asked for first.
///
/// # Errors
/// [`NotDecided`].
pub fn requeue(item: &Decided) -> Result<NextStep, NotDecided> {
    match waiting_for(item)? {
        QuarantineReason::ParentVoided => Err(NotDecided::NothingToBuildOn),
        // No look can find it: who has it sent again has looked for it.
        QuarantineReason::Unprovable => Ok(NextStep::Send),
        QuarantineReason::Conflict
        | QuarantineReason::Rejected
        | QuarantineReason::TooLarge
        | QuarantineReason::OurDefect
        | QuarantineReason::Forbidden
        | QuarantineReason::FailsAlone
        | QuarantineReason::ParentMissing
        | QuarantineReason::Twin
        | QuarantineReason::Unreadable => {
            Ok(if item.doubt.is_any() { NextStep::LookUp } else { NextStep::Send })
        }
    }
}

/// What a person may keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// One of the records that the SoR has of it: it is recorded with that one.
    Recorded,
}

/// Whether one of several records of an operation can be kept: only where the SoR has more than one.
///
/// # Errors
/// [`NotDecided`].
pub fn keep(item: &Decided) -> Result<Keep, NotDecided> {
    match waiting_for(item)? {
        QuarantineReason::Twin => Ok(Keep::Recorded),
        QuarantineReason::Conflict
        | QuarantineReason::Rejected
        | QuarantineReason::TooLarge
        | QuarantineReason::OurDefect
        | QuarantineReason::Forbidden
        | QuarantineReason::FailsAlone
        | QuarantineReason::ParentMissing
        | QuarantineReason::ParentVoided
        | QuarantineReason::Unreadable
        | QuarantineReason::Unprovable => Err(NotDecided::NotWaiting),
    }
}

/// What a person may say to have found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Find {
    /// What no look of a station can find.
    There,
    /// The one that stays, of several that a look has found.
    OneOfSeveral,
}

/// Whether a person may say that an operation is at the SoR: only where no station can tell, or where it cannot tell which
/// of several stays. Everything else is found, or known to be absent, without anybody's word.
///
/// # Errors
/// [`NotDecided`].
pub fn find(item: &Decided) -> Result<Find, NotDecided> {
    match waiting_for(item)? {
        QuarantineReason::Unprovable => Ok(Find::There),
        QuarantineReason::Twin => Ok(Find::OneOfSeveral),
        QuarantineReason::Conflict
        | QuarantineReason::Rejected
        | QuarantineReason::TooLarge
        | QuarantineReason::OurDefect
        | QuarantineReason::Forbidden
        | QuarantineReason::FailsAlone
        | QuarantineReason::ParentMissing
        | QuarantineReason::ParentVoided
        | QuarantineReason::Unreadable => Err(NotDecided::NotForAPerson),
    }
}

/// What taking an operation back means for those behind it, in the order of their lane.
///
/// # Errors
/// [`NotDecided`].
pub fn void(item: &Decided, behind: &[Behind]) -> Result<Void, NotDecided> {
    waiting_for(item)?;
    if item.doubt.is_any() { Err(NotDecided::InDoubt) } else { Ok(left_by(item, behind)) }
}

/// What an operation leaves to those behind it, in the order of their lane, when it is taken back. Whether it may be is
/// decided before: by [`void`] for what waits for a person, by [`crate::replacing`] for what waits its turn as well.
#[must_use]
pub fn left_by(item: &Decided, behind: &[Behind]) -> Void {
    if item.reason == Some(QuarantineReason::ParentVoided) || !leaves_something(item) {
        let pending = behind.iter().filter(|other| other.state == State::Pending);
        let set_aside = pending.map(|other| other.operation_id).collect();
        return Void { heir: None, set_aside, going_on: 0 };
    }
    let next = behind.first().filter(|next| next.after_op == Some(item.operation_id));
    let heir = next.map(|next| Heir {
        operation_id: next.operation_id,
        after_op: item.after_op,
        base: item.base.clone(),
    });
    Void { heir, set_aside: Vec::new(), going_on: going_on(behind) }
}

/// How many of those behind an operation go on once it does: up to the first that waits for a person itself.
#[must_use]
pub fn going_on(behind: &[Behind]) -> u32 {
    let going = behind.iter().take_while(|other| other.state != State::Quarantined).count();
    u32::try_from(going).unwrap_or(u32::MAX)
}

/// Where the application stands without the voided operation. What is behind it counts as long as a step of the lifecycle
/// leads there; `recorded` is the last move that the SoR has.
#[must_use]
pub fn stages_without(item: &Decided, behind: &[Behind], now: Stage, recorded: Option<Stage>) -> Stages {
    let unchanged = |stage| Stages { stage, stood: Vec::new() };
    match (item.kind, item.reason) {
        (Kind::Application, _) => unchanged(Stage::Voided),
        (Kind::Stage, Some(QuarantineReason::ParentVoided)) => unchanged(now),
        (Kind::Stage, _) => Stages::from(stood_before(item, now, recorded), behind),
        (
            Kind::Inspection
            | Kind::Correction
            | Kind::Void
            | Kind::Hold
            | Kind::Notice
            | Kind::Fee
            | Kind::Note
            | Kind::Tag
            | Kind::Attachment,
            _,
        ) => unchanged(now),
    }
}

/// Where the application stood before a move; `recorded` is the last move that the SoR has.
#[must_use]
pub fn stood_before(item: &Decided, now: Stage, recorded: Option<Stage>) -> Stage {
    item.stood.map_or(now, |stood| recorded.map_or(stood, |to| on_recorded(stood, to)))
}

impl Stages {
    /// Where the moves of a lane lead from `stage` on.
    #[must_use]
    pub fn from(stage: Stage, behind: &[Behind]) -> Self {
        behind.iter().fold(Self { stage, stood: Vec::new() }, Self::after)
    }

    /// A move that no step leads to any more stays in the lane, and the SoR will judge it; it moves nothing here.
    fn after(mut self, other: &Behind) -> Self {
        if let Some((to, reason)) = &other.moves {
            self.stood.push((other.operation_id, self.stage));
            self.stage = step(self.stage, *to, reason.as_deref()).unwrap_or(self.stage);
        }
        self
    }
}

fn waiting_for(item: &Decided) -> Result<QuarantineReason, NotDecided> {
    match item.state {
        State::Quarantined => item.reason.ok_or(NotDecided::NotWaiting),
        State::Pending | State::InFlight | State::Committed | State::Voided => Err(NotDecided::NotWaiting),
    }
}

/// Whether those behind it have something to build on without it: the one that it followed, or the version that it was
/// bound to itself. Without an application there is nothing.
fn leaves_something(item: &Decided) -> bool {
    let takes_over = follower(&Predecessor::Voided { its_after_op: item.after_op });
    let takes_over = match takes_over {
        Follower::TakesOver { .. } => true,
        Follower::Sendable { .. } | Follower::Waits | Follower::ParentVoided => false,
    };
    item.kind != Kind::Application && (takes_over || item.base.is_some())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn id(n: u8) -> OperationId {
        format!("01932c6f-8f0a-7cc3-98a1-0242ac1200{n:02x}").parse().unwrap()
    }

    fn etag() -> ETag {
        "\"v7\"".parse().unwrap()
    }

    /// The second of its lane, refused by the SoR, bound to the receipt of the first.
    fn refused(kind: Kind) -> Decided {
        Decided {
            operation_id: id(2),
            kind,
            state: State::Quarantined,
            reason: Some(QuarantineReason::Rejected),
            doubt: Doubt::None,
            after_op: Some(id(1)),
            base: Some(etag()),
            stood: Some(Stage::Intake),
        }
    }

    fn behind(n: u8, state: State) -> Behind {
        Behind { operation_id: id(n), state, after_op: Some(id(n - 1)), moves: None }
    }

    fn moving(n: u8, to: Stage) -> Behind {
        Behind { moves: Some((to, None)), ..behind(n, State::Pending) }
    }

    #[test]
    fn what_may_have_arrived_is_asked_for_before_it_is_sent_again() {
        let table = [
            (Doubt::None, NextStep::Send),
            (Doubt::Sent, NextStep::LookUp),
            (Doubt::Received, NextStep::LookUp),
        ];
        for (doubt, expected) in table {
            assert_eq!(requeue(&Decided { doubt, ..refused(Kind::Note) }), Ok(expected), "{doubt:?}");
        }
    }

    #[test]
    fn only_what_waits_for_a_person_is_decided() {
        for state in State::ALL.into_iter().filter(|state| *state != State::Quarantined) {
            let item = Decided { state, reason: None, ..refused(Kind::Stage) };
            assert_eq!(requeue(&item), Err(NotDecided::NotWaiting), "{state:?}");
            assert_eq!(void(&item, &[]), Err(NotDecided::NotWaiting), "{state:?}");
        }
    }

    #[test]
    fn a_person_finds_what_no_station_can_find_and_nothing_else() {
        for reason in QuarantineReason::ALL {
            let item = Decided { reason: Some(reason), doubt: Doubt::Sent, ..refused(Kind::Note) };
            let expected = if reason == QuarantineReason::Unprovable {
                Ok(Find::There)
            } else if reason == QuarantineReason::Twin {
                Ok(Find::OneOfSeveral)
            } else {
                Err(NotDecided::NotForAPerson)
            };
            assert_eq!(find(&item), expected, "{reason:?}");
        }
        let waits = Decided { state: State::Pending, reason: None, ..refused(Kind::Note) };
        assert_eq!(find(&waits), Err(NotDecided::NotWaiting));
    }

    #[test]
    fn what_may_have_arrived_is_not_taken_back() {
        for doubt in [Doubt::Sent, Doubt::Received] {
            let item = Decided { doubt, ..refused(Kind::Stage) };
            assert_eq!(void(&item, &[]), Err(NotDecided::InDoubt), "{doubt:?}");
        }
    }

    #[test]
    fn the_next_one_takes_what_the_voided_one_built_on() {
        let lane = [behind(3, State::Pending), behind(4, State::Pending), behind(5, State::Quarantined)];
        let heir = Heir { operation_id: id(3), after_op: Some(id(1)), base: Some(etag()) };
        let expected = Void { heir: Some(heir.clone()), set_aside: Vec::new(), going_on: 2 };
        assert_eq!(void(&refused(Kind::Stage), &lane), Ok(expected));
        // The first of its lane, based on a copy of the record.
        let first = Decided { after_op: None, ..refused(Kind::Inspection) };
        assert_eq!(void(&first, &lane).unwrap().heir, Some(Heir { after_op: None, ..heir }));
        assert_eq!(void(&first, &[]), Ok(Void { heir: None, set_aside: Vec::new(), going_on: 0 }));
    }

    #[test]
    fn without_its_application_everything_waits_for_a_decision_of_its_own() {
        let lane = [behind(3, State::Pending), behind(4, State::Quarantined), behind(5, State::Pending)];
        let expected = Void { heir: None, set_aside: vec![id(3), id(5)], going_on: 0 };
        let application = Decided { after_op: None, base: None, ..refused(Kind::Application) };
        assert_eq!(void(&application, &lane), Ok(expected.clone()));
        let orphan = Decided { reason: Some(QuarantineReason::ParentVoided), ..refused(Kind::Stage) };
        assert_eq!(void(&orphan, &lane), Ok(expected));
        assert_eq!(requeue(&orphan), Err(NotDecided::NothingToBuildOn));
    }

    #[test]
    fn a_move_behind_a_voided_one_starts_from_where_that_one_started() {
        let item = Decided { stood: Some(Stage::Intake), ..refused(Kind::Stage) };
        let lane = [moving(3, Stage::PrelimReview), moving(4, Stage::FeeEstimated)];
        let stages = stages_without(&item, &lane, Stage::FeeEstimated, None);
        assert_eq!(stages.stood, [(id(3), Stage::Intake), (id(4), Stage::PrelimReview)]);
    }

    #[test]
    fn the_stage_is_what_the_rest_of_the_lane_leads_to() {
        use Stage::{
            Committed, ConditionalApproval, FeeEstimated, Intake, PrelimReview, Returned, Voided, Withdrawn,
        };
        let returned =
            Behind { moves: Some((Intake, Some("incomplete".into()))), ..behind(4, State::Pending) };
        let cases = [
            ("the only move", Some(Intake), vec![], None, Intake),
            ("back after a return", Some(Returned), vec![], Some(Intake), Returned),
            ("a note behind it", Some(PrelimReview), vec![behind(3, State::Pending)], None, PrelimReview),
            ("the same move again", Some(Intake), vec![moving(3, PrelimReview)], None, PrelimReview),
            ("a step that is none now", Some(Intake), vec![moving(3, FeeEstimated)], None, Intake),
            ("withdrawn behind it", Some(FeeEstimated), vec![moving(3, Withdrawn)], None, Withdrawn),
            (
                "returned behind it",
                Some(PrelimReview),
                vec![moving(3, FeeEstimated), returned],
                None,
                Returned,
            ),
            (
                "approval recorded since",
                Some(ConditionalApproval),
                vec![],
                Some(ConditionalApproval),
                Committed,
            ),
        ];
        for (name, stood, behind, recorded, expected) in cases {
            let item = Decided { stood, ..refused(Kind::Stage) };
            let stages = stages_without(&item, &behind, FeeEstimated, recorded);
            assert_eq!(stages.stage, expected, "{name}");
        }
        let unmoved =
            |item: &Decided| stages_without(item, &[moving(3, Withdrawn)], FeeEstimated, None).stage;
        assert_eq!(unmoved(&refused(Kind::Application)), Voided);
        assert_eq!(unmoved(&refused(Kind::Note)), FeeEstimated);
        let orphan = Decided { reason: Some(QuarantineReason::ParentVoided), ..refused(Kind::Stage) };
        assert_eq!(unmoved(&orphan), FeeEstimated, "of an application that was voided itself");
    }
}
