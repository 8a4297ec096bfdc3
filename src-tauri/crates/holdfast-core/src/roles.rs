//! Who may do what, as the contract says.
//!
//! Promise: a right exists only where the contract grants it to that very role; a role that the contract does not know
//! has none, and no mode of the station adds one. Who a person is, and which roles the session gave, is judged elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use crate::fees::FeeType;
use crate::holds::HoldType;
use crate::ids::RoleName;
use crate::lifecycle::Stage;
use crate::operation::Kind;

/// Version of the roles file.
const ROLES_VERSION: u32 = 1;

/// What a person is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Submit an operation of a kind; for a stage, a hold and a fee the others say more.
    Submit(Kind),
    /// Move an application to a stage.
    Move {
        /// The stage, by the word of the payload: a return is a move to `Intake`.
        to: Stage,
    },
    /// Place or release a hold.
    Hold(HoldType),
    /// Take, waive or give back a fee.
    Fee(FeeType),
    /// Say something to an endpoint of the station.
    Endpoint(EndpointRight),
}

/// What a person may say to an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndpointRight {
    /// That nothing is sent to it for a time, and that this is over.
    Hold,
}

impl Act {
    /// What an operation of this kind with this payload does beyond being submitted, as far as a right of its own says
    /// who may. A word that is none is left to the rules.
    #[must_use]
    pub fn within(kind: Kind, payload: &Value) -> Option<Self> {
        match kind {
            Kind::Stage => {
                let word = payload.get("to")?.as_str()?;
                Stage::parse(word).ok().map(|to| Self::Move { to })
            }
            Kind::Hold => HoldType::of(payload).map(Self::Hold),
            Kind::Fee => FeeType::of(payload).map(Self::Fee),
            Kind::Application
            | Kind::Inspection
            | Kind::Correction
            | Kind::Void
            | Kind::Notice
            | Kind::Note
            | Kind::Tag
            | Kind::Attachment => None,
        }
    }
}

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// The contract grants it.
    Granted,
    /// The contract does not grant it.
    Denied,
}

/// Why a file is no table of roles.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RolesFault {
    /// Not `{v, roles: {NAME: {submit, move_to, hold?, fee?, endpoint?}}}` with the words of this version.
    #[error("not a table of roles: {{v, roles: {{NAME: {{submit, move_to, hold?, fee?, endpoint?}}}}}}")]
    NotRoles,
    /// Another version of the file.
    #[error("roles of version {v}; this program reads version {ROLES_VERSION}")]
    Version {
        /// Its version.
        v: u32,
    },
    /// A role that moves applications, holds them or takes fees without the right to submit such an operation, or that moves
    /// them to a stage that nobody chooses.
    #[error("the moves, holds or fees of role {role} contradict the rest")]
    Moves {
        /// The role.
        role: RoleName,
    },
}

/// The rights of every role of a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roles(BTreeMap<RoleName, Rights>);

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rights {
    submit: BTreeSet<Kind>,
    move_to: Vec<Stage>,
    /// None where the file says nothing: what is not granted by its word is not granted.
    #[serde(default)]
    hold: BTreeSet<HoldType>,
    #[serde(default)]
    fee: BTreeSet<FeeType>,
    #[serde(default)]
    endpoint: BTreeSet<EndpointRight>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    v: u32,
    roles: BTreeMap<RoleName, Rights>,
}

impl Roles {
    /// Reads `roles.json`.
    ///
    /// # Errors
    /// [`RolesFault`]; a word that is no kind or no stage of this version refuses the whole file.
    pub fn parse(document: &Value) -> Result<Self, RolesFault> {
        let File { v, roles } = File::deserialize(document).map_err(|_| RolesFault::NotRoles)?;
        if v != ROLES_VERSION {
            return Err(RolesFault::Version { v });
        }
        match roles.iter().find(|(_, rights)| rights.contradict()) {
            Some((role, _)) => Err(RolesFault::Moves { role: role.clone() }),
            None => Ok(Self(roles)),
        }
    }

    /// Whether a role may do this.
    #[must_use]
    pub fn may(&self, role: &RoleName, act: Act) -> Permission {
        let granted = self.0.get(role).is_some_and(|rights| rights.include(act));
        if granted { Permission::Granted } else { Permission::Denied }
    }

    /// Whether a role may submit this operation, with all that it does.
    #[must_use]
    pub fn may_submit(&self, role: &RoleName, kind: Kind, payload: &Value) -> Permission {
        match self.may(role, Act::Submit(kind)) {
            Permission::Granted => {
                Act::within(kind, payload).map_or(Permission::Granted, |act| self.may(role, act))
            }
            Permission::Denied => Permission::Denied,
        }
    }

    /// Every role of the contract.
    pub fn names(&self) -> impl Iterator<Item = &RoleName> {
        self.0.keys()
    }
}

impl Rights {
    fn include(&self, act: Act) -> bool {
        match act {
            Act::Submit(kind) => self.submit.contains(&kind),
            Act::Move { to } => self.move_to.contains(&to),
            Act::Hold(kind) => self.hold.contains(&kind),
            Act::Fee(kind) => self.fee.contains(&kind),
            Act::Endpoint(right) => self.endpoint.contains(&right),
        }
    }

    fn contradict(&self) -> bool {
        let unasked = |empty: bool, kind| !empty && !self.submit.contains(&kind);
        let never_named = [Stage::Committed, Stage::Returned];
        unasked(self.move_to.is_empty(), Kind::Stage)
            || unasked(self.hold.is_empty(), Kind::Hold)
            || unasked(self.fee.is_empty(), Kind::Fee)
            || self.move_to.iter().any(|to| never_named.contains(to))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    const STAGES: [Stage; 8] = [
        Stage::Intake,
        Stage::PrelimReview,
        Stage::FeeEstimated,
        Stage::ConditionalApproval,
        Stage::Committed,
        Stage::Returned,
        Stage::Withdrawn,
        Stage::Voided,
    ];

    fn acts() -> impl Iterator<Item = Act> {
        let kinds = Kind::ALL.into_iter().map(Act::Submit).chain(STAGES.map(|to| Act::Move { to }));
        let further = [Act::Endpoint(EndpointRight::Hold)];
        kinds.chain(HoldType::ALL.map(Act::Hold)).chain(FeeType::ALL.map(Act::Fee)).chain(further)
    }

    #[test]
    fn a_table_that_contradicts_itself_is_refused_whole() {
        let moves = RolesFault::Moves { role: "clerk".parse().unwrap() };
        let cases = [
            (json!(null), RolesFault::NotRoles),
            (json!({"v": 2, "roles": {}}), RolesFault::Version { v: 2 }),
            (json!({"v": 1, "roles": {}, "all": true}), RolesFault::NotRoles),
            (
                json!({"v": 1, "roles": {"clerk": {"submit": ["everything"], "move_to": []}}}),
                RolesFault::NotRoles,
            ),
            (
                json!({"v": 1, "roles": {"clerk": {"submit": ["stage"], "move_to": ["Issued"]}}}),
                RolesFault::NotRoles,
            ),
            (
                json!({"v": 1, "roles": {"clerk": {"submit": ["stage"], "move_to": ["Committed"]}}}),
                moves.clone(),
            ),
            (
                json!({"v": 1, "roles": {"clerk": {"submit": ["stage"], "move_to": ["Returned"]}}}),
                moves.clone(),
            ),
            (json!({"v": 1, "roles": {"clerk": {"submit": ["note"], "move_to": ["Intake"]}}}), moves.clone()),
            (
                json!({"v": 1, "roles": {"clerk": {"submit": ["note"], "move_to": [], "fee": ["waiver"]}}}),
                moves.clone(),
            ),
            (
                json!({"v": 1, "roles": {"clerk": {"submit": ["fee"], "move_to": [], "hold": ["release"]}}}),
                moves,
            ),
            (
                json!({"v": 1, "roles": {"clerk": {"submit": ["fee"], "move_to": [], "fee": ["gift"]}}}),
                RolesFault::NotRoles,
            ),
        ];
        for (document, fault) in cases {
            assert_eq!(Roles::parse(&document), Err(fault), "{document}");
        }
    }

    #[test]
    fn a_payment_is_no_waiver_and_a_hold_no_release() {
        let roles = Roles::parse(&json!({"v": 1, "roles": {
            "desk": {"submit": ["fee", "hold", "stage"], "move_to": ["Intake"], "fee": ["payment"], "hold": ["stop-work"]},
            "plain": {"submit": ["fee", "hold", "note"], "move_to": []},
        }}));
        let roles = roles.unwrap();
        let cases = [
            (Kind::Fee, json!({"type": "payment"}), [true, false]),
            (Kind::Fee, json!({"type": "waiver"}), [false, false]),
            (Kind::Hold, json!({"type": "stop-work"}), [true, false]),
            (Kind::Hold, json!({"type": "release"}), [false, false]),
            (Kind::Stage, json!({"to": "Intake"}), [true, false]),
            (Kind::Stage, json!({"to": "Voided"}), [false, false]),
            (Kind::Note, json!({"type": "waiver"}), [false, true]),
            // The rules say what is wrong with it.
            (Kind::Fee, json!({"type": "gift"}), [true, true]),
        ];
        for (kind, payload, expected) in cases {
            let may = ["desk", "plain"]
                .map(|role| roles.may_submit(&role.parse().unwrap(), kind, &payload) == Permission::Granted);
            assert_eq!(may, expected, "{kind} {payload}");
        }
    }

    proptest! {
        #[test]
        fn a_role_has_no_right_that_the_table_does_not_name(
            asked in "[A-Za-z0-9_-]{1,32}",
            named in "[A-Za-z0-9_-]{1,32}",
            kinds in proptest::sample::subsequence(Kind::ALL.to_vec(), 0..=Kind::ALL.len()),
        ) {
            let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
            let roles = Roles::parse(&json!({"v": 1, "roles": {named.as_str(): {"submit": words, "move_to": []}}})).unwrap();
            let role = asked.parse().unwrap();
            for act in acts() {
                let named_for_it = match act {
                    Act::Submit(kind) => asked == named && kinds.contains(&kind),
                    Act::Move { .. } | Act::Hold(_) | Act::Fee(_) | Act::Endpoint(_) => false,
                };
                prop_assert_eq!(roles.may(&role, act) == Permission::Granted, named_for_it);
            }
        }
    }
}
