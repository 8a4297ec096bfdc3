//! The decision at the counter: is this operation accepted, and as what.
//!
//! Promise: the answer follows from the submission, the facts read in the accepting transaction, and `now`; nothing else.
//! An outage appears in it only as a route: it loosens no right and no rule. Nothing is written here.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::compare::Snapshot;
use holdfast_core::contract::{Attested, Validity};
use holdfast_core::headroom::{HeadroomSettings, WorkClass, assess};
use holdfast_core::ids::{
    ApplicationId, Digest, ETag, OperationId, PermitNum, ReceiptNo, RoleName, StationId,
};
use holdfast_core::lane::{Place, urgency};
use holdfast_core::lifecycle::{MoveRefused, Stage, step};
use holdfast_core::numbers::{Supply, brings_number, of_year, supply, with_number, year};
use holdfast_core::operation::{
    ActorProof, Body, KeyInput, Kind, OPERATION_VERSION, OriginRoute, payload_digest,
};
use holdfast_core::people::SessionStatement;
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::roles::{Permission, Roles};
use holdfast_core::route::{
    Ahead, ContractStanding, IntakeRoom, Permission as Granted, RefuseReason, Route, RouteDecision,
    RouteInputs,
};
use holdfast_core::sign::KeyPair;
use holdfast_core::time::{Now, TimeZone};
use serde_json::Value;

pub(crate) mod parcels;
pub(crate) mod replacing;

use crate::ports::{
    AcceptDecision, AcceptFacts, Acceptance, ApplicationChange, ApplicationRecord, Leasing, Likeness,
    LikenessAsk, Refusal, RefusalReason, Twin,
};

/// Everything that is known before the accepting transaction begins.
pub(crate) struct Intake {
    pub(crate) now: Now,
    pub(crate) station: StationId,
    pub(crate) kind: Kind,
    pub(crate) operation_id: OperationId,
    pub(crate) application_id: ApplicationId,
    pub(crate) base: Option<ETag>,
    pub(crate) payload: Value,
    pub(crate) payload_digest: Digest,
    /// What the rules say about the payload.
    pub(crate) problems: Vec<Problem>,
    pub(crate) session: Option<Signed>,
    pub(crate) contract: Option<Rulebook>,
    pub(crate) headroom: HeadroomSettings,
    pub(crate) numbering: Numbering,
    /// How old a copy of parcels may be, in hours.
    pub(crate) parcels_max_h: u32,
    /// What a new application is compared by with others.
    pub(crate) likeness: Option<LikenessAsk>,
}

/// Where the number of a new application comes from.
#[derive(Clone)]
pub(crate) enum Numbering {
    /// From the SoR, when it is recorded.
    Assigned,
    /// From this station's block of the year, by the city's calendar.
    Leased { low_mark: u32, zone: TimeZone },
}

/// Who is signed in, with the key of the session.
#[derive(Clone)]
pub(crate) struct Signed {
    pub(crate) statement: SessionStatement,
    pub(crate) key: KeyPair,
}

/// The rules in use, as far as this decision needs them.
pub(crate) struct Rulebook {
    pub(crate) version: u64,
    pub(crate) attested: Attested,
    pub(crate) ttl_h: u32,
    /// The first of the person's roles that may do this, if one may.
    pub(crate) role: Option<RoleName>,
}

/// The first of `held` that may do what the operation does.
pub(crate) fn entitled(roles: &Roles, held: &[RoleName], kind: Kind, payload: &Value) -> Option<RoleName> {
    let entitled = |role: &&RoleName| roles.may_submit(role, kind, payload) == Permission::Granted;
    held.iter().find(entitled).cloned()
}

/// The stage that an operation moves to, if it is a move to a known one.
pub(crate) fn move_target(kind: Kind, payload: &Value) -> Option<Stage> {
    let is_move = kind == Kind::Stage;
    is_move.then(|| payload.get("to")?.as_str().and_then(|word| Stage::parse(word).ok()))?
}

/// Decides.
pub(crate) fn decide(intake: &Intake, facts: &AcceptFacts) -> AcceptDecision {
    if let Some(twin) = &facts.twin {
        let same = twin.meets(intake.kind, intake.payload_digest) || meets_with_its_number(intake, twin);
        return if same { AcceptDecision::Already } else { changed() };
    }
    match admitted(intake, facts) {
        Ok(acceptance) => AcceptDecision::Accept(Box::new(acceptance)),
        Err(refusal) => AcceptDecision::Refuse(*refusal),
    }
}

/// The payload of an application that was given a number here has it, and the form that is handed in again has not.
fn meets_with_its_number(intake: &Intake, twin: &Twin) -> bool {
    let given = twin.receipt.permit_num.as_ref().filter(|_| intake.kind == Kind::Application);
    given.is_some_and(|number| twin.meets(intake.kind, payload_digest(&with_number(&intake.payload, number))))
}

/// In the order of the design: who, by which rules, what, on what it builds, and last whether there is room.
fn admitted(intake: &Intake, facts: &AcceptFacts) -> Result<Acceptance, Box<Refusal>> {
    let signed = signed_in(intake, facts)?;
    let decision = RouteDecision::of(route_inputs(intake, facts));
    let refuse = |reason| route_refusal(intake, signed, &decision, reason);
    refused_unread(decision.route).map_or(Ok(()), |reason| Err(refuse(reason)))?;
    if !intake.problems.is_empty() {
        return Err(invalid(intake.problems.clone()));
    }
    let stage = stage_after(intake, facts).map_err(|problem| invalid(vec![problem]))?;
    let base_etag = base(intake, facts).map_err(|problem| invalid(vec![problem]))?;
    let routed = routed(intake, decision).map_err(refuse)?;
    Ok(acceptance(intake, facts, signed, routed, stage, base_etag))
}

/// Where an operation stands that a person made of two versions, and on what it builds.
pub(crate) struct InPlace<'a> {
    /// The one whose place it takes.
    pub(crate) of: OperationId,
    pub(crate) place: Place,
    pub(crate) after_op: Option<OperationId>,
    /// The version that was seen.
    pub(crate) base: &'a ETag,
    pub(crate) shown: &'a Snapshot,
    pub(crate) stage: Stage,
}

/// Accepts it there: as at the counter, but for what it builds on, which the person has seen.
pub(crate) fn accepted_in_place(
    intake: &Intake,
    facts: &AcceptFacts,
    in_place: &InPlace<'_>,
) -> Result<Acceptance, Box<Refusal>> {
    let signed = signed_in(intake, facts)?;
    let decision = RouteDecision::of(route_inputs(intake, facts));
    let refuse = |reason| route_refusal(intake, signed, &decision, reason);
    refused_unread(decision.route).map_or(Ok(()), |reason| Err(refuse(reason)))?;
    if !intake.problems.is_empty() {
        return Err(invalid(intake.problems.clone()));
    }
    let routed = routed(intake, decision).map_err(refuse)?;
    let base = Some(in_place.base.clone());
    let mut acceptance = acceptance(intake, facts, signed, routed, in_place.stage, base);
    acceptance.body.replaces = Some(in_place.of);
    acceptance.bytes = acceptance.body.bytes();
    acceptance.place = in_place.place;
    acceptance.after_op = in_place.after_op;
    acceptance.seen_etag = Some(in_place.base.clone());
    acceptance.base_snapshot = Some(in_place.shown.clone());
    let entry = acceptance.entry.with("replaces", in_place.of).with("base", in_place.base);
    acceptance.entry = entry.with("place", in_place.place);
    Ok(acceptance)
}

fn signed_in<'a>(intake: &'a Intake, facts: &AcceptFacts) -> Result<&'a Signed, Box<Refusal>> {
    let signed = intake.session.as_ref().filter(|signed| signed.statement.holds(facts.stamp.at).is_ok());
    signed.ok_or_else(|| {
        let entry = refused_entry(intake).with("reason", "not_signed_in");
        refusal(RefusalReason::NotSignedIn, Vec::new(), Some(entry))
    })
}

/// What the route decided, with the rules and the role under which the operation is accepted.
struct Routed {
    decision: RouteDecision,
    origin: OriginRoute,
    contract_version: u64,
    role: RoleName,
}

/// A person without the right, or rules that do not hold, end it before the input is looked at.
fn refused_unread(route: Route) -> Option<RefuseReason> {
    match route {
        Route::Refuse(
            reason @ (RefuseReason::Busy
            | RefuseReason::NotPermitted
            | RefuseReason::NoContract
            | RefuseReason::ContractStale),
        ) => Some(reason),
        Route::Direct | Route::Probe | Route::Defer(_) | Route::Refuse(RefuseReason::DiskFloor) => None,
    }
}

fn routed(intake: &Intake, decision: RouteDecision) -> Result<Routed, RefuseReason> {
    let origin = match decision.route {
        Route::Direct => OriginRoute::Direct,
        Route::Probe => OriginRoute::Probe,
        Route::Defer(_) => OriginRoute::Defer,
        Route::Refuse(reason) => return Err(reason),
    };
    // The route refuses both of these already; what it let through has them.
    let contract = intake.contract.as_ref().ok_or(RefuseReason::NoContract)?;
    let role = contract.role.clone().ok_or(RefuseReason::NotPermitted)?;
    Ok(Routed { decision, origin, contract_version: contract.version, role })
}

fn route_inputs(intake: &Intake, facts: &AcceptFacts) -> RouteInputs {
    let permitted = intake.contract.as_ref().is_none_or(|contract| contract.role.is_some());
    RouteInputs {
        intake: IntakeRoom::Free,
        permission: if permitted { Granted::Granted } else { Granted::Denied },
        contract: contract_standing(intake),
        headroom: assess(facts.headroom, facts.space, &intake.headroom),
        work: WorkClass::of(intake.kind),
        breaker: facts.endpoint.breaker.admission(intake.now),
        ahead: match (facts.lane_tail, facts.older_sendable) {
            (Some(_), _) => Ahead::Lane,
            (None, true) => Ahead::Backlog,
            (None, false) => Ahead::Nothing,
        },
    }
}

fn contract_standing(intake: &Intake) -> ContractStanding {
    let Some(contract) = &intake.contract else { return ContractStanding::Absent };
    match contract.attested.validity(intake.now, contract.ttl_h) {
        Validity::Valid => ContractStanding::Valid,
        Validity::Expired | Validity::FromTheFuture => ContractStanding::Stale,
        Validity::Missing => ContractStanding::Absent,
    }
}

/// The stage of the application afterwards, or why there is none.
fn stage_after(intake: &Intake, facts: &AcceptFacts) -> Result<Stage, Problem> {
    let application = facts.application.as_ref();
    match (intake.kind, application) {
        (Kind::Application, None) => Ok(Stage::Intake),
        (Kind::Application, Some(_)) => Err(Problem::of_field("application_id", ProblemCode::Doubled)),
        (Kind::Stage, Some(application)) => moved(application.stage, &intake.payload),
        // Those that name an earlier operation are decided with it, in `replacing`.
        (Kind::Correction | Kind::Void, _) => Err(Problem::of_field("kind", ProblemCode::UnknownKind)),
        (
            Kind::Inspection
            | Kind::Hold
            | Kind::Notice
            | Kind::Fee
            | Kind::Note
            | Kind::Tag
            | Kind::Attachment,
            Some(application),
        ) => Ok(application.stage),
        (_, None) => Err(Problem::of_field("application_id", ProblemCode::UnknownApplication)),
    }
}

fn moved(from: Stage, payload: &Value) -> Result<Stage, Problem> {
    let Some(to) = move_target(Kind::Stage, payload) else {
        return Err(Problem::at("/payload/to", ProblemCode::Missing));
    };
    let reason = payload.get("reason").and_then(Value::as_str);
    step(from, to, reason).map_err(|refused| move_problem(from, to, refused))
}

fn move_problem(from: Stage, to: Stage, refused: MoveRefused) -> Problem {
    match refused {
        MoveRefused::ReasonMissing { .. } => Problem::at("/payload/reason", ProblemCode::Missing),
        MoveRefused::NoSuchStep { .. } | MoveRefused::NeverChosen { .. } | MoveRefused::Ended { .. } => {
            Problem::at("/payload/to", ProblemCode::StepNotAllowed).with("from", from).with("to", to)
        }
    }
}

/// The version that the first attempt requires. Behind others of its lane the operation gets it from their receipts.
fn base(intake: &Intake, facts: &AcceptFacts) -> Result<Option<ETag>, Problem> {
    if intake.kind == Kind::Application || facts.lane_tail.is_some() {
        return Ok(None);
    }
    let known = facts.application.as_ref().and_then(|application| application.etag.clone());
    let base = intake.base.clone().or(known);
    base.map(Some).ok_or_else(|| Problem::of_field("base", ProblemCode::BaseMissing))
}

fn acceptance(
    intake: &Intake,
    facts: &AcceptFacts,
    signed: &Signed,
    routed: Routed,
    stage: Stage,
    base_etag: Option<ETag>,
) -> Acceptance {
    let leasing = leasing(intake, facts);
    let payload = numbered(intake, facts, leasing.as_ref());
    let body = body(intake, facts, signed, &routed, payload);
    let key = body.idempotency_key();
    let receipt_no = ReceiptNo::new(&intake.station, facts.next_seq);
    let entry =
        accepted_entry(intake, &body, &routed.decision).with("key", key).with("receipt_no", &receipt_no);
    let likeness = likeness(intake, facts);
    let entry = looking_alike(entry, likeness.as_ref());
    let looked_at = parcels::looked_at(intake, facts);
    let entry = parcels::told(entry, looked_at.as_ref());
    let permit_num = permit_num(&body);
    Acceptance {
        bytes: body.bytes(),
        key,
        payload_digest: payload_digest(&body.payload),
        receipt_no,
        permit_num: permit_num.clone().or_else(|| facts.application.as_ref()?.permit_num.clone()),
        urgency: urgency(intake.kind, urgent_word(intake)),
        place: Place { place: facts.next_seq, revision: 0 },
        base_etag,
        seen_etag: intake.base.clone().or_else(|| facts.application.as_ref()?.etag.clone()),
        base_snapshot: facts.application.as_ref().map(ApplicationRecord::snapshot),
        after_op: facts.lane_tail.map(|tail| tail.operation_id),
        application: ApplicationChange {
            application_id: intake.application_id,
            stage,
            permit_num,
            payload: (intake.kind == Kind::Application).then(|| body.payload.clone()),
        },
        leasing,
        likeness,
        parcels: looked_at.map(|looked| looked.parcels).unwrap_or_default(),
        headroom: routed.decision.inputs.headroom,
        entry,
        body,
    }
}

/// What a new application is compared by from now on, and what it looks like. Nothing of the decision depends on it.
fn likeness(intake: &Intake, facts: &AcceptFacts) -> Option<Likeness> {
    let digests = intake.likeness.as_ref()?.digests.clone();
    Some(Likeness { digests, looks_like: facts.looks_like.iter().map(|like| like.application_id).collect() })
}

fn looking_alike(entry: Entry, likeness: Option<&Likeness>) -> Entry {
    match likeness.filter(|likeness| !likeness.looks_like.is_empty()) {
        Some(likeness) => entry.with("looks_like", &likeness.looks_like),
        None => entry,
    }
}

/// The next number of the year in which it is accepted; none where the SoR gives it, one was brought along, or none is left.
fn leasing(intake: &Intake, facts: &AcceptFacts) -> Option<Leasing> {
    let Numbering::Leased { low_mark, zone } = &intake.numbering else { return None };
    let new = intake.kind == Kind::Application && facts.application.is_none();
    let wants = new && !brings_number(&intake.payload);
    let numbers = of_year(&facts.free_numbers, year(facts.stamp.at, zone)).filter(|_| wants)?;
    let left = numbers.left.saturating_sub(1);
    let reached = match supply(left, *low_mark) {
        Supply::NoneLeft => Some(EventKind::NumbersNoneLeft),
        Supply::Low { left } if left == *low_mark => Some(EventKind::NumbersLow),
        Supply::Low { .. } | Supply::Ample => None,
    };
    let entry = reached.map(|kind| Entry::new(kind).with("year", numbers.year).with("left", left));
    Some(Leasing { permit_num: numbers.next.clone(), entry })
}

/// The payload with the number that is given now; what takes an application's place keeps the number that was given then.
fn numbered(intake: &Intake, facts: &AcceptFacts, leasing: Option<&Leasing>) -> Value {
    let kept = facts.application.as_ref().filter(|application| brings_number(&application.payload));
    let kept = kept.and_then(|application| application.permit_num.as_ref());
    let number = leasing.map(|given| &given.permit_num).or(kept);
    match number.filter(|_| intake.kind == Kind::Application) {
        Some(number) => with_number(&intake.payload, number),
        None => intake.payload.clone(),
    }
}

fn body(intake: &Intake, facts: &AcceptFacts, signed: &Signed, routed: &Routed, payload: Value) -> Body {
    let key = KeyInput {
        v: OPERATION_VERSION,
        operation_id: intake.operation_id,
        kind: intake.kind,
        application_id: intake.application_id,
        payload: &payload,
    }
    .idempotency_key();
    Body {
        v: OPERATION_VERSION,
        operation_id: intake.operation_id,
        kind: intake.kind,
        application_id: intake.application_id,
        payload,
        contract_version: routed.contract_version,
        actor: signed.statement.actor.clone(),
        role: routed.role.clone(),
        actor_proof: ActorProof { sid: signed.statement.sid, sig: signed.key.prove(&key) },
        station_id: intake.station.clone(),
        local_seq: facts.next_seq,
        accepted_at: facts.stamp.at,
        clock: facts.stamp.clock,
        origin_route: routed.origin,
        outage_id: facts.endpoint.outage,
        replaces: None,
    }
}

fn permit_num(body: &Body) -> Option<PermitNum> {
    let given = (body.kind == Kind::Application).then(|| body.payload.get("PermitNum")?.as_str())??;
    given.parse().ok()
}

/// The word by which a payload says that it is urgent: a hold's type, a tag's level.
fn urgent_word(intake: &Intake) -> Option<&str> {
    let member = match intake.kind {
        Kind::Hold => "type",
        Kind::Tag => "level",
        Kind::Application
        | Kind::Stage
        | Kind::Inspection
        | Kind::Correction
        | Kind::Void
        | Kind::Notice
        | Kind::Fee
        | Kind::Note
        | Kind::Attachment => return None,
    };
    intake.payload.get(member)?.as_str()
}

/// The routing decision goes into the event with its inputs, so that it can be recomputed years later.
fn with_decision(entry: Entry, decision: &RouteDecision) -> Entry {
    let entry = entry.with("router_version", decision.router_version).with("inputs", decision.inputs);
    let entry = entry.with("route", decision.route.word());
    decision.route.reason_word().into_iter().fold(entry, |entry, reason| entry.with("reason", reason))
}

fn accepted_entry(intake: &Intake, body: &Body, decision: &RouteDecision) -> Entry {
    let entry = Entry::new(EventKind::OperationAccepted).by(body.actor.clone()).of(body.operation_id);
    with_decision(entry, decision)
        .with("application_id", body.application_id)
        .with("operation_kind", intake.kind)
        .with("role", &body.role)
        .with("local_seq", body.local_seq)
        .with("clock", body.clock)
        .with("contract_version", body.contract_version)
}

fn refused_entry(intake: &Intake) -> Entry {
    let entry = Entry::new(EventKind::OperationRefused).of(intake.operation_id);
    let entry = entry.with("application_id", intake.application_id).with("operation_kind", intake.kind);
    let actor = intake.session.as_ref().map(|signed| signed.statement.actor.clone());
    actor.into_iter().fold(entry, Entry::by)
}

fn route_refusal(
    intake: &Intake,
    signed: &Signed,
    decision: &RouteDecision,
    reason: RefuseReason,
) -> Box<Refusal> {
    let entry = with_decision(refused_entry(intake), decision);
    let (why, problems) = match reason {
        RefuseReason::NotPermitted => (RefusalReason::NotPermitted, vec![forbidden(intake, signed)]),
        RefuseReason::NoContract | RefuseReason::ContractStale => (RefusalReason::RulesOutOfDate, Vec::new()),
        RefuseReason::Busy | RefuseReason::DiskFloor => (RefusalReason::DiskFull, Vec::new()),
    };
    refusal(why, problems, Some(entry))
}

fn forbidden(intake: &Intake, signed: &Signed) -> Problem {
    let pointer = match intake.kind {
        Kind::Stage => "/payload/to",
        Kind::Hold | Kind::Fee => "/payload/type",
        Kind::Application
        | Kind::Inspection
        | Kind::Correction
        | Kind::Void
        | Kind::Notice
        | Kind::Note
        | Kind::Tag
        | Kind::Attachment => "/kind",
    };
    let roles: Vec<&str> = signed.statement.roles.iter().map(RoleName::as_str).collect();
    Problem::at(pointer, ProblemCode::Forbidden).with("role", roles.join(", "))
}

fn changed() -> AcceptDecision {
    let problem = Problem::of_field("operation_id", ProblemCode::Changed);
    AcceptDecision::Refuse(Refusal { reason: RefusalReason::Changed, problems: vec![problem], entry: None })
}

fn invalid(problems: Vec<Problem>) -> Box<Refusal> {
    refusal(RefusalReason::Invalid, problems, None)
}

fn refusal(reason: RefusalReason, problems: Vec<Problem>, entry: Option<Entry>) -> Box<Refusal> {
    Box::new(Refusal { reason, problems, entry })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
