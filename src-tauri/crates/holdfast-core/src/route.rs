//! When an operation that has just been accepted goes to the SoR, or why it is not accepted.
//!
//! Promise: the route is a function of [`RouteInputs`] and nothing else, and both are written into the audit with
//! [`ROUTER_VERSION`]; so it can be recomputed years later. Every operation is journaled first: a route never decides
//! whether, only when.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::breaker::Admission;
use crate::headroom::{HeadroomClass, WorkClass, admits};

/// Version of the rules below. A change of them is a new version beside the old.
pub const ROUTER_VERSION: u32 = 1;

/// Everything that the route depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouteInputs {
    /// Whether this station can take in another operation now.
    pub intake: IntakeRoom,
    /// Whether the person may do this.
    pub permission: Permission,
    /// Whether the rules are valid.
    pub contract: ContractStanding,
    /// Room on the disk.
    pub headroom: HeadroomClass,
    /// How much the operation matters when room is short.
    pub work: WorkClass,
    /// What the primary's breaker says.
    pub breaker: Admission,
    /// What goes before it.
    pub ahead: Ahead,
}

/// Whether another operation can be taken in now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntakeRoom {
    /// Yes.
    Free,
    /// As many as can wait are waiting to be accepted.
    Full,
}

/// Whether the person may do this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// Yes.
    Granted,
    /// No.
    Denied,
}

/// Whether there are rules, and whether they are valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContractStanding {
    /// Valid.
    Valid,
    /// Past their validity.
    Stale,
    /// None yet.
    Absent,
}

/// What goes before a new operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ahead {
    /// Nothing: it would be the next to be sent.
    Nothing,
    /// Operations of its own lane.
    Lane,
    /// An older sendable operation of another lane.
    Backlog,
}

/// Where an operation goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "route", content = "reason", rename_all = "snake_case")]
pub enum Route {
    /// To the SoR, straight away.
    Direct,
    /// To the SoR, as the canary.
    Probe,
    /// To the SoR, later.
    Defer(DeferReason),
    /// Nowhere: it is not accepted.
    Refuse(RefuseReason),
}

/// Why an operation goes later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeferReason {
    /// The breaker is not closed.
    Open,
    /// A person holds the endpoint open.
    Held,
    /// Older ones go first.
    Backlog,
    /// Others of its application go first.
    Lane,
}

/// Why an operation is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefuseReason {
    /// Too many are being accepted at this moment.
    Busy,
    /// The person may not.
    NotPermitted,
    /// No rules to validate against.
    NoContract,
    /// The rules are past their validity.
    ContractStale,
    /// No room on the disk for work of this class.
    DiskFloor,
}

/// A route with what it was decided from, as the audit keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteDecision {
    /// [`ROUTER_VERSION`] at that time.
    pub router_version: u32,
    /// What it was decided from.
    pub inputs: RouteInputs,
    /// What was decided.
    #[serde(flatten)]
    pub route: Route,
}

/// Why a recorded decision can't be recomputed.
#[derive(Debug, thiserror::Error)]
pub enum NotReplayable {
    /// It is not the record of a decision.
    #[error("not a recorded routing decision")]
    NotADecision(#[source] serde_json::Error),
    /// It was decided by rules that are not known here.
    #[error("decided by version {0} of the rules, which is not known here")]
    UnknownVersion(u32),
}

/// The route of an operation.
#[must_use]
pub fn route(inputs: &RouteInputs) -> Route {
    if let Some(reason) = refusal(inputs) {
        return Route::Refuse(reason);
    }
    match (inputs.breaker, inputs.ahead) {
        (Admission::Held { .. }, _) => Route::Defer(DeferReason::Held),
        (Admission::Open { .. } | Admission::CanaryOut { .. }, _) => Route::Defer(DeferReason::Open),
        (Admission::Closed | Admission::Canary, Ahead::Lane) => Route::Defer(DeferReason::Lane),
        (Admission::Closed | Admission::Canary, Ahead::Backlog) => Route::Defer(DeferReason::Backlog),
        (Admission::Closed, Ahead::Nothing) => Route::Direct,
        (Admission::Canary, Ahead::Nothing) => Route::Probe,
    }
}

/// The route that the recorded inputs lead to, for comparison with the recorded route.
///
/// # Errors
/// [`NotReplayable`], when the record is not one, or from rules that are not known here.
pub fn replay(recorded: &Value) -> Result<Replayed, NotReplayable> {
    let decision = RouteDecision::deserialize(recorded).map_err(NotReplayable::NotADecision)?;
    match decision.router_version {
        ROUTER_VERSION => Ok(Replayed { recorded: decision.route, recomputed: route(&decision.inputs) }),
        other => Err(NotReplayable::UnknownVersion(other)),
    }
}

/// A recorded route and the one that its inputs lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replayed {
    /// What the audit says.
    pub recorded: Route,
    /// What the rules say.
    pub recomputed: Route,
}

impl Replayed {
    /// Whether both agree.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.recorded == self.recomputed
    }
}

impl RouteDecision {
    /// Decides, and keeps what it was decided from.
    #[must_use]
    pub fn of(inputs: RouteInputs) -> Self {
        Self { router_version: ROUTER_VERSION, inputs, route: route(&inputs) }
    }
}

impl Route {
    /// `direct`, `probe`, `defer` or `refuse`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Probe => "probe",
            Self::Defer(_) => "defer",
            Self::Refuse(_) => "refuse",
        }
    }

    /// Why, where there is a reason.
    #[must_use]
    pub fn reason_word(self) -> Option<&'static str> {
        match self {
            Self::Direct | Self::Probe => None,
            Self::Defer(reason) => Some(reason.word()),
            Self::Refuse(reason) => Some(reason.word()),
        }
    }
}

impl DeferReason {
    /// The stored and shown word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Held => "held",
            Self::Backlog => "backlog",
            Self::Lane => "lane",
        }
    }
}

impl RefuseReason {
    /// The stored and shown word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::NotPermitted => "not_permitted",
            Self::NoContract => "no_contract",
            Self::ContractStale => "contract_stale",
            Self::DiskFloor => "disk_floor",
        }
    }
}

/// In the order in which a person would want to hear it.
fn refusal(inputs: &RouteInputs) -> Option<RefuseReason> {
    if inputs.intake == IntakeRoom::Full {
        return Some(RefuseReason::Busy);
    }
    if inputs.permission == Permission::Denied {
        return Some(RefuseReason::NotPermitted);
    }
    match (inputs.contract, inputs.work) {
        (ContractStanding::Absent, _) => return Some(RefuseReason::NoContract),
        // Stale rules pause the counter. What was found on site is recorded all the same, and judged by the rules that
        // are there: an inspector does not come back tomorrow to a footing that is filled in today.
        (ContractStanding::Stale, WorkClass::Ambient | WorkClass::Standard) => {
            return Some(RefuseReason::ContractStale);
        }
        (ContractStanding::Stale, WorkClass::Compliance) | (ContractStanding::Valid, _) => {}
    }
    (!admits(inputs.headroom, inputs.work)).then_some(RefuseReason::DiskFloor)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::UtcMillis;
    use serde_json::json;

    fn later() -> UtcMillis {
        "2026-11-30T08:07:31.042Z".parse().unwrap()
    }

    fn inputs() -> RouteInputs {
        RouteInputs {
            intake: IntakeRoom::Free,
            permission: Permission::Granted,
            contract: ContractStanding::Valid,
            headroom: HeadroomClass::Ample,
            work: WorkClass::Standard,
            breaker: Admission::Closed,
            ahead: Ahead::Nothing,
        }
    }

    #[test]
    fn every_admission_meets_everything_that_may_go_before() {
        use DeferReason::{Backlog, Held, Lane, Open};
        let (open, out) =
            (Admission::Open { next_try_at: later() }, Admission::CanaryOut { deadline: later() });
        let held = Admission::Held { until: later() };
        let table = [
            (Admission::Closed, [Route::Direct, Route::Defer(Lane), Route::Defer(Backlog)]),
            (Admission::Canary, [Route::Probe, Route::Defer(Lane), Route::Defer(Backlog)]),
            (open, [Route::Defer(Open); 3]),
            (out, [Route::Defer(Open); 3]),
            (held, [Route::Defer(Held); 3]),
        ];
        for (breaker, routes) in table {
            for (ahead, expected) in [Ahead::Nothing, Ahead::Lane, Ahead::Backlog].into_iter().zip(routes) {
                assert_eq!(
                    route(&RouteInputs { breaker, ahead, ..inputs() }),
                    expected,
                    "{breaker:?} {ahead:?}"
                );
            }
        }
    }

    fn refusals() -> [(RouteInputs, RefuseReason); 6] {
        [
            (RouteInputs { intake: IntakeRoom::Full, ..inputs() }, RefuseReason::Busy),
            (RouteInputs { permission: Permission::Denied, ..inputs() }, RefuseReason::NotPermitted),
            (RouteInputs { contract: ContractStanding::Absent, ..inputs() }, RefuseReason::NoContract),
            (RouteInputs { contract: ContractStanding::Stale, ..inputs() }, RefuseReason::ContractStale),
            (RouteInputs { headroom: HeadroomClass::Floor, ..inputs() }, RefuseReason::DiskFloor),
            (RouteInputs { headroom: HeadroomClass::Exhausted, ..inputs() }, RefuseReason::DiskFloor),
        ]
    }

    #[test]
    fn what_may_not_be_accepted_is_refused_in_every_mode() {
        let admissions = [Admission::Closed, Admission::Canary, Admission::Open { next_try_at: later() }];
        for (refused, reason) in refusals() {
            for breaker in admissions {
                assert_eq!(route(&RouteInputs { breaker, ..refused }), Route::Refuse(reason));
            }
        }
    }

    #[test]
    fn stale_rules_pause_the_counter_and_not_what_is_found_on_site() {
        use RefuseReason::{ContractStale, DiskFloor, NoContract};
        let refused = Route::Refuse;
        let table = [
            (ContractStanding::Stale, WorkClass::Ambient, HeadroomClass::Ample, refused(ContractStale)),
            (ContractStanding::Stale, WorkClass::Standard, HeadroomClass::Ample, refused(ContractStale)),
            (ContractStanding::Stale, WorkClass::Compliance, HeadroomClass::Ample, Route::Direct),
            (ContractStanding::Stale, WorkClass::Compliance, HeadroomClass::Floor, Route::Direct),
            (ContractStanding::Stale, WorkClass::Compliance, HeadroomClass::Exhausted, refused(DiskFloor)),
            // Nothing is recorded that no rule has judged.
            (ContractStanding::Absent, WorkClass::Compliance, HeadroomClass::Ample, refused(NoContract)),
        ];
        for (contract, work, headroom, expected) in table {
            let inputs = RouteInputs { contract, work, headroom, ..inputs() };
            assert_eq!(route(&inputs), expected, "{contract:?} {work:?} {headroom:?}");
        }
    }

    #[test]
    fn compliance_work_is_taken_below_the_floor() {
        let at_floor =
            RouteInputs { headroom: HeadroomClass::Floor, work: WorkClass::Compliance, ..inputs() };
        assert_eq!(route(&at_floor), Route::Direct);
    }

    #[test]
    fn a_recorded_decision_is_recomputed_from_what_was_written_down() {
        let everything = refusals().map(|(inputs, _)| inputs).into_iter().chain([
            inputs(),
            RouteInputs { breaker: Admission::Open { next_try_at: later() }, ..inputs() },
            RouteInputs { breaker: Admission::Canary, ahead: Ahead::Lane, ..inputs() },
        ]);
        for inputs in everything {
            let recorded = serde_json::to_value(RouteDecision::of(inputs)).unwrap();
            let replayed = replay(&recorded).unwrap();
            assert!(replayed.agrees(), "{recorded}");
            assert_eq!(replayed.recomputed, route(&inputs));
        }
    }

    #[test]
    fn a_decision_is_written_with_its_words_beside_its_inputs() {
        let open = RouteInputs { breaker: Admission::Open { next_try_at: later() }, ..inputs() };
        let expected = json!({
            "router_version": 1, "route": "defer", "reason": "open",
            "inputs": {
                "intake": "free", "permission": "granted", "contract": "valid", "headroom": "ample",
                "work": "standard", "ahead": "nothing",
                "breaker": { "admission": "open", "next_try_at": "2026-11-30T08:07:31.042Z" },
            },
        });
        assert_eq!(serde_json::to_value(RouteDecision::of(open)).unwrap(), expected);
        let route = route(&open);
        assert_eq!((route.word(), route.reason_word()), ("defer", Some("open")));
    }

    #[test]
    fn a_changed_record_is_found_and_an_unknown_one_is_not_guessed() {
        let mut recorded = serde_json::to_value(RouteDecision::of(inputs())).unwrap();
        recorded["inputs"]["ahead"] = json!("lane");
        assert!(!replay(&recorded).unwrap().agrees());
        recorded["router_version"] = json!(99);
        assert!(matches!(replay(&recorded), Err(NotReplayable::UnknownVersion(99))));
        recorded["inputs"]["mood"] = json!("good");
        assert!(matches!(replay(&recorded), Err(NotReplayable::NotADecision(_))));
    }
}
