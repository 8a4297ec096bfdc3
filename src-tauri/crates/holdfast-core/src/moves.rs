//! What a person can do with an application from where it stands, and why not the rest.
//!
//! Promise: every other stage is named once; what is offered here is what accepting would take (the table of the lifecycle
//! and the roles of the contract), and each refusal says why. Deliberately not here: whether intake is open, which every
//! screen shows anyway, and the words for any of it.

use crate::ids::RoleName;
use crate::lifecycle::{MoveRefused, Stage, moves_from, step};
use crate::operation::Kind;
use crate::roles::{Act, Permission, Roles};

/// A move to another stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The stage.
    pub to: Stage,
    /// Whether it needs a reason.
    pub reason: Reason,
    /// Why it cannot be made; none when it can.
    pub refused: Option<WhyNot>,
}

/// Whether a move needs a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It does.
    Needed,
    /// It does not.
    NotNeeded,
}

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// No step leads there.
    NoSuchStep,
    /// It is the outcome of something.
    NeverChosen,
    /// The application has ended.
    Ended,
    /// Only these roles may.
    NotPermitted {
        /// Them.
        roles: Vec<RoleName>,
    },
    /// Nobody is signed in, or there are no rules.
    NotNow,
}

/// The rights of whoever is signed in.
#[derive(Clone, Copy, Debug)]
pub struct Rights<'a> {
    /// The roles of the contract.
    pub roles: &'a Roles,
    /// Those that the person has.
    pub held: &'a [RoleName],
}

/// Every move from a stage, in the order of the lifecycle. `Returned` is none: the move is named `Intake`.
#[must_use]
pub fn moves(from: Stage, rights: Option<Rights<'_>>) -> Vec<Move> {
    let others = moves_from(from).into_iter().filter(|(to, _)| *to != from && *to != Stage::Returned);
    others
        .map(|(to, allowed)| Move { to, reason: reason(from, to), refused: why_not(to, allowed, rights) })
        .collect()
}

fn reason(from: Stage, to: Stage) -> Reason {
    match step(from, to, None) {
        Err(MoveRefused::ReasonMissing { .. }) => Reason::Needed,
        Ok(_)
        | Err(MoveRefused::NoSuchStep { .. } | MoveRefused::NeverChosen { .. } | MoveRefused::Ended { .. }) => {
            Reason::NotNeeded
        }
    }
}

fn why_not(to: Stage, allowed: Result<(), MoveRefused>, rights: Option<Rights<'_>>) -> Option<WhyNot> {
    match allowed {
        Err(MoveRefused::NoSuchStep { .. }) => Some(WhyNot::NoSuchStep),
        Err(MoveRefused::NeverChosen { .. }) => Some(WhyNot::NeverChosen),
        Err(MoveRefused::Ended { .. }) => Some(WhyNot::Ended),
        Ok(()) | Err(MoveRefused::ReasonMissing { .. }) => not_entitled(to, rights),
    }
}

fn not_entitled(to: Stage, rights: Option<Rights<'_>>) -> Option<WhyNot> {
    let Some(Rights { roles, held }) = rights else { return Some(WhyNot::NotNow) };
    let may = |role: &RoleName| {
        [Act::Submit(Kind::Stage), Act::Move { to }]
            .into_iter()
            .all(|act| roles.may(role, act) == Permission::Granted)
    };
    let entitled = held.iter().any(may);
    (!entitled)
        .then(|| WhyNot::NotPermitted { roles: roles.names().filter(|role| may(role)).cloned().collect() })
}

/// A stage on the way of an application, and where the application stands against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The stage.
    pub stage: Stage,
    /// Past, present or future.
    pub reached: Reached,
}

/// Where an application stands against a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// It is past it.
    Done,
    /// It stands there.
    Now,
    /// It has not come there.
    ToCome,
}

/// The way of every application that does not end before.
const LINE: [Stage; 5] =
    [Stage::Intake, Stage::PrelimReview, Stage::FeeEstimated, Stage::ConditionalApproval, Stage::Committed];

/// The stages of an application in their order. One that was returned stands behind its intake with everything to come;
/// one that has ended shows how far it is known to have come, and nothing to come. `moved_to` are the stages that it is
/// known to have been moved to.
#[must_use]
pub fn way(at: Stage, moved_to: &[Stage]) -> Vec<Step> {
    match at {
        Stage::Intake
        | Stage::PrelimReview
        | Stage::FeeEstimated
        | Stage::ConditionalApproval
        | Stage::Committed => along_the_line(at),
        Stage::Returned => {
            let to_come = LINE[1..].iter().map(|stage| Step { stage: *stage, reached: Reached::ToCome });
            [done(Stage::Intake), now(at)].into_iter().chain(to_come).collect()
        }
        Stage::Withdrawn | Stage::Voided => {
            let furthest = LINE.iter().rposition(|stage| moved_to.contains(stage)).unwrap_or(0);
            LINE[..=furthest].iter().copied().map(done).chain([now(at)]).collect()
        }
    }
}

fn along_the_line(at: Stage) -> Vec<Step> {
    let reached = |stage: Stage| match stage.cmp(&at) {
        std::cmp::Ordering::Less => Reached::Done,
        std::cmp::Ordering::Equal => Reached::Now,
        std::cmp::Ordering::Greater => Reached::ToCome,
    };
    LINE.into_iter().map(|stage| Step { stage, reached: reached(stage) }).collect()
}

fn done(stage: Stage) -> Step {
    Step { stage, reached: Reached::Done }
}

fn now(stage: Stage) -> Step {
    Step { stage, reached: Reached::Now }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    fn roles() -> Roles {
        let moves = json!({"v": 1, "roles": {
            "clerk": {"submit": ["stage"], "move_to": ["Intake", "PrelimReview", "FeeEstimated", "Withdrawn"]},
            "inspector": {"submit": ["inspection"], "move_to": []},
            "supervisor": {"submit": ["stage"], "move_to": ["Intake", "PrelimReview", "ConditionalApproval", "Voided"]},
        }});
        Roles::parse(&moves).unwrap()
    }

    fn refused(from: Stage, held: &[&str], to: Stage) -> Option<WhyNot> {
        let (roles, held): (_, Vec<RoleName>) =
            (roles(), held.iter().map(|role| role.parse().unwrap()).collect());
        let moves = moves(from, Some(Rights { roles: &roles, held: &held }));
        moves.into_iter().find(|one| one.to == to).unwrap().refused
    }

    #[test]
    fn a_refused_move_says_why() {
        let only = |role: &str| Some(WhyNot::NotPermitted { roles: vec![role.parse().unwrap()] });
        for (from, held, to, why) in [
            (Stage::Intake, ["clerk"], Stage::PrelimReview, None),
            (Stage::FeeEstimated, ["clerk"], Stage::ConditionalApproval, only("supervisor")),
            (Stage::PrelimReview, ["supervisor"], Stage::FeeEstimated, only("clerk")),
            (Stage::Intake, ["inspector"], Stage::Voided, only("supervisor")),
            (Stage::Intake, ["clerk"], Stage::ConditionalApproval, Some(WhyNot::NoSuchStep)),
            (Stage::Intake, ["clerk"], Stage::Committed, Some(WhyNot::NeverChosen)),
            (Stage::Voided, ["supervisor"], Stage::Intake, Some(WhyNot::Ended)),
        ] {
            assert_eq!(refused(from, &held, to), why, "{from} to {to}");
        }
        assert_eq!(refused(Stage::FeeEstimated, &["clerk", "supervisor"], Stage::ConditionalApproval), None);
    }

    #[test]
    fn nobody_moves_anything_while_nobody_is_signed_in() {
        for from in Stage::ALL {
            let moves = moves(from, None);
            let targets = Stage::ALL.into_iter().filter(|to| *to != from && *to != Stage::Returned);
            assert!(
                moves.iter().map(|one| one.to).eq(targets),
                "every other stage that a move can name, once"
            );
            assert!(moves.iter().all(|one| one.refused.is_some()), "{from}");
        }
    }

    #[test]
    fn only_going_back_needs_a_reason() {
        for from in Stage::ALL {
            for one in moves(from, None) {
                let back = one.to == Stage::Intake && one.refused == Some(WhyNot::NotNow);
                assert_eq!(one.reason == Reason::Needed, back, "{from} to {}", one.to);
            }
        }
    }

    #[test]
    fn an_application_stands_at_one_stage_and_what_has_ended_has_nothing_to_come() {
        for at in Stage::ALL {
            let way = way(at, &[Stage::PrelimReview]);
            let here: Vec<_> = way.iter().filter(|step| step.reached == Reached::Now).collect();
            assert_eq!(here.iter().map(|step| step.stage).collect::<Vec<_>>(), [at]);
        }
        let words = |at, moved: &[Stage]| {
            way(at, moved).iter().map(|step| (step.stage, step.reached)).collect::<Vec<_>>()
        };
        assert_eq!(
            words(Stage::Withdrawn, &[Stage::PrelimReview]),
            [
                (Stage::Intake, Reached::Done),
                (Stage::PrelimReview, Reached::Done),
                (Stage::Withdrawn, Reached::Now)
            ]
        );
        assert_eq!(
            words(Stage::Voided, &[]),
            [(Stage::Intake, Reached::Done), (Stage::Voided, Reached::Now)]
        );
        assert_eq!(
            words(Stage::Returned, &[])[1..3],
            [(Stage::Returned, Reached::Now), (Stage::PrelimReview, Reached::ToCome)]
        );
    }
}
