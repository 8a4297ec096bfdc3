//! What a person can be offered to do with an operation that was handed in: correct it, take it back, and, while it waits
//! for a decision, what can be decided.
//!
//! Promise: what is offered is what accepting would take (the rule of [`crate::replacing`] and the roles of the contract),
//! and each refusal says why. Deliberately not here: whether intake is open, which every screen shows anyway, and the
//! words for any of it.

use serde_json::Value;

use crate::decision::{Decided, NotDecided, find, keep, requeue, void};
use crate::ids::RoleName;
use crate::lane::State;
use crate::moves::Rights;
use crate::operation::Kind;
use crate::replacing::{Change, NotReplaced, Target, Way, way};
use crate::roles::{Permission, Roles};

/// What can be decided about what waits for a person, beside choosing between two versions of its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// It is sent again.
    Requeue,
    /// It is taken back.
    Void,
    /// One of several records stays.
    Keep,
    /// A person has found it.
    Found,
}

/// The choices that an operation has, each with why it is refused. What is never asked of it is left out, and so is
/// everything where it does not wait for a person.
#[must_use]
pub fn choices(item: &Decided) -> Vec<(Choice, Result<(), NotDecided>)> {
    if item.state != State::Quarantined {
        return Vec::new();
    }
    let asked = [
        (Choice::Requeue, requeue(item).map(|_| ())),
        (Choice::Void, void(item, &[]).map(|_| ())),
        (Choice::Keep, keep(item).map(|_| ())),
        (Choice::Found, find(item).map(|_| ())),
    ];
    let is_asked = |(choice, came): &(Choice, Result<(), NotDecided>)| match choice {
        Choice::Requeue | Choice::Void => true,
        Choice::Keep | Choice::Found => came.is_ok(),
    };
    asked.into_iter().filter(is_asked).collect()
}

/// Why it is not offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotOffered {
    /// How the operation stands does not allow it.
    Not(NotReplaced),
    /// Only these roles may.
    NotPermitted {
        /// Them.
        roles: Vec<RoleName>,
    },
    /// Nobody is signed in, or there are no rules.
    NotNow,
}

/// What would become of a change of this operation, whose payload is `payload`, by whoever is signed in.
///
/// # Errors
/// [`NotOffered`]: how it stands is told before who may.
pub fn offered(
    change: Change,
    target: Target<'_>,
    payload: &Value,
    rights: Option<Rights<'_>>,
) -> Result<Way, NotOffered> {
    let way = way(change, target.application_id, Some(target)).map_err(NotOffered::Not)?;
    let Rights { roles, held } = rights.ok_or(NotOffered::NotNow)?;
    let may = |role: &RoleName| may(roles, role, change, target.kind, payload);
    if held.iter().any(may) {
        return Ok(way);
    }
    Err(NotOffered::NotPermitted { roles: roles.names().filter(|role| may(role)).cloned().collect() })
}

/// Whoever corrects needs the right to hand in what the correction becomes as well.
fn may(roles: &Roles, role: &RoleName, change: Change, kind: Kind, payload: &Value) -> bool {
    let granted = |kind: Kind| roles.may_submit(role, kind, payload) == Permission::Granted;
    match change {
        Change::Correction => granted(Kind::Correction) && granted(kind),
        Change::Void => granted(Kind::Void),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::outcome::{Doubt, NextStep, QuarantineReason};
    use crate::replacing::Standing;

    fn roles() -> Roles {
        let file = json!({ "v": 1, "roles": {
            "clerk": { "submit": ["application", "note", "correction"], "move_to": [] },
            "inspector": { "submit": ["inspection", "note"], "move_to": [] },
            "supervisor": { "submit": ["application", "inspection", "note", "correction", "void"], "move_to": [] },
        }});
        Roles::parse(&file).unwrap()
    }

    fn waiting(doubt: Doubt) -> Decided {
        Decided {
            operation_id: "01932c6f-8f0a-7cc3-98a1-0242ac120002".parse().unwrap(),
            kind: Kind::Note,
            state: State::Pending,
            reason: None,
            doubt,
            after_op: None,
            base: None,
            stood: None,
        }
    }

    fn target(kind: Kind, standing: Standing<'_>) -> Target<'_> {
        Target { application_id: "01932c6f-8f0a-7cc3-98a1-0242ac120003".parse().unwrap(), kind, standing }
    }

    fn names(names: &[&str]) -> NotOffered {
        NotOffered::NotPermitted { roles: names.iter().map(|name| name.parse().unwrap()).collect() }
    }

    #[test]
    fn what_waits_for_a_person_has_the_choices_that_its_reason_leaves() {
        use Choice::{Found, Keep, Requeue, Void};
        let of = |reason, doubt| {
            let item = Decided { state: State::Quarantined, reason: Some(reason), ..waiting(doubt) };
            choices(&item)
        };
        let in_doubt = Err(NotDecided::InDoubt);
        assert_eq!(of(QuarantineReason::Rejected, Doubt::None), [(Requeue, Ok(())), (Void, Ok(()))]);
        assert_eq!(
            of(QuarantineReason::ParentVoided, Doubt::None),
            [(Requeue, Err(NotDecided::NothingToBuildOn)), (Void, Ok(()))]
        );
        assert_eq!(
            of(QuarantineReason::Unprovable, Doubt::Sent),
            [(Requeue, Ok(())), (Void, in_doubt), (Found, Ok(()))]
        );
        assert_eq!(
            of(QuarantineReason::Twin, Doubt::Sent),
            [(Requeue, Ok(())), (Void, in_doubt), (Keep, Ok(())), (Found, Ok(()))]
        );
        assert_eq!(choices(&waiting(Doubt::None)), []);
    }

    #[test]
    fn what_is_offered_is_what_would_be_taken_and_everything_else_says_why() {
        let roles = roles();
        let item = waiting(Doubt::None);
        let in_doubt = waiting(Doubt::Sent);
        let waits = Standing::InLane { item: &item, next_step: NextStep::Send };
        let doubted = Standing::InLane { item: &in_doubt, next_step: NextStep::LookUp };
        let all = ["clerk", "supervisor"];
        let cases = [
            (Change::Correction, Kind::Note, waits, "clerk", Ok(Way::TakesPlace)),
            (Change::Correction, Kind::Application, Standing::Committed, "clerk", Ok(Way::Follows)),
            (Change::Correction, Kind::Note, waits, "inspector", Err(names(&all))),
            (Change::Correction, Kind::Inspection, waits, "clerk", Err(names(&["supervisor"]))),
            (Change::Correction, Kind::Note, doubted, "clerk", Err(NotOffered::Not(NotReplaced::InDoubt))),
            (Change::Correction, Kind::Void, waits, "clerk", Err(NotOffered::Not(NotReplaced::AVoid))),
            (Change::Void, Kind::Note, waits, "clerk", Err(names(&["supervisor"]))),
            (Change::Void, Kind::Note, waits, "supervisor", Ok(Way::TakesPlace)),
            (Change::Void, Kind::Note, Standing::Committed, "supervisor", Ok(Way::Follows)),
            (Change::Void, Kind::Note, doubted, "clerk", Err(NotOffered::Not(NotReplaced::InDoubt))),
            (Change::Void, Kind::Note, Standing::Voided, "clerk", Err(NotOffered::Not(NotReplaced::Voided))),
        ];
        for (change, kind, standing, role, expected) in cases {
            let held = [role.parse().unwrap()];
            let rights = Some(Rights { roles: &roles, held: &held });
            let found = offered(change, target(kind, standing), &json!({}), rights);
            assert_eq!(found, expected, "{change:?} {kind} {standing:?} {role}");
        }
        let nobody = offered(Change::Void, target(Kind::Note, waits), &json!({}), None);
        assert_eq!(nobody, Err(NotOffered::NotNow));
    }
}
