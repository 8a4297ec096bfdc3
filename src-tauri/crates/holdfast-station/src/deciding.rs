//! The decision whether a person's decision about a waiting operation is carried out, and what is written for it.
//!
//! Promise: only who may void may decide, whichever way: releasing an item from quarantine is an act of the same rank as
//! taking it back. What a decision was made from goes into the audit with it; why, in the person's words, by its salted
//! digest only. Rules that are too old pause intake, and no decision about what was taken in before; without any rules
//! nobody has a right.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::conflict::NotChosen;
use holdfast_core::decision::{Keep, NotDecided, going_on, keep, requeue, stages_without, void};
use holdfast_core::ids::{ETag, IdempotencyKey, OperationId, RecordId, RoleName};
use holdfast_core::operation::Kind;
use holdfast_core::outcome::{QuarantineReason, ReceiptBody};
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::roles::{Act, Permission, Roles};
use holdfast_core::settle::prepared_void;
use holdfast_core::time::UtcMillis;
use holdfast_wire::Decision;

use crate::accepting::replacing::void_entries;
use crate::accepting::{Intake, Signed};
use crate::finding::{Found, found, of_the_one};
use crate::ports::{
    AfterKeeping, DecideFacts, Finding, FoundBy, InLane, Keeping, Refusal, RefusalReason, Requeueing, Ruling,
    Sought, TwinWas, Voiding,
};
use crate::resolving::{self, Chosen, NotMerged};

/// Everything that is known before the transaction begins.
pub(crate) struct Deciding {
    pub(crate) decision: Decision,
    /// The operation.
    pub(crate) key: IdempotencyKey,
    /// Why, in the person's words.
    pub(crate) reason: String,
    pub(crate) session: Option<Signed>,
    pub(crate) right: Right,
    /// The reason is kept under this salt.
    pub(crate) salt: [u8; 32],
    /// What the decision makes of two versions.
    pub(crate) made: Made,
}

/// What a decision makes of two versions of a record, known before the transaction begins.
pub(crate) enum Made {
    /// Nothing: it makes nothing of them, or they are not known.
    Nothing,
    /// Nothing that could stand in the operation's place.
    Wrong { upon: ETag, problems: Vec<Problem> },
    /// This.
    Right { upon: ETag, intake: Box<Intake> },
}

/// Whether the person may decide.
pub(crate) enum Right {
    /// There are no rules that could say so.
    NoRules,
    /// None of the person's roles may.
    Denied,
    /// This one may.
    Of(RoleName),
}

/// The first of `held` that may decide about what waits for a person.
pub(crate) fn right(roles: &Roles, held: &[RoleName]) -> Right {
    let may = |role: &&RoleName| roles.may(role, Act::Submit(Kind::Void)) == Permission::Granted;
    held.iter().find(may).cloned().map_or(Right::Denied, Right::Of)
}

/// Decides.
pub(crate) fn rule(deciding: &Deciding, facts: &DecideFacts) -> Ruling {
    let (id, there) = match &facts.sought {
        Sought::Unknown => return Ruling::Unknown,
        Sought::Disposed { operation_id } => (*operation_id, None),
        Sought::InLane(there) => (there.item.operation_id, Some(there)),
    };
    let entitled = match entitled(deciding, facts, id) {
        Ok(entitled) => entitled,
        Err(refusal) => return Ruling::Refuse(*refusal),
    };
    let ruling = there.ok_or_else(|| vec![problem(NotDecided::NotWaiting)]);
    let ruling = ruling.and_then(|there| ruled(deciding, &entitled, facts, there));
    ruling.unwrap_or_else(|problems| Ruling::Refuse(not_decided(deciding, &entitled, id, problems)))
}

fn ruled(
    deciding: &Deciding,
    entitled: &Entitled<'_>,
    facts: &DecideFacts,
    there: &InLane,
) -> Result<Ruling, Vec<Problem>> {
    let at = facts.stamp.at;
    let entry = |kind| decided_entry(kind, deciding, entitled, there);
    match &deciding.decision {
        Decision::Requeue if is_recorded(there) => {
            kept(deciding, entitled, facts, there, None, AfterKeeping::LooksAgain)
        }
        Decision::Requeue => requeued(deciding, entitled, there).map_err(|why| vec![problem(why)]),
        Decision::Keep => kept(deciding, entitled, facts, there, None, AfterKeeping::Stays),
        Decision::Found { record } => {
            let seen = record.trim().parse().map_err(|_| vec![not_a_record()])?;
            match found(there, &seen, deciding.key, at).map_err(|why| vec![problem(why)])? {
                Found::There(receipt) => Ok(recorded(deciding, entitled, facts, there, receipt, seen)),
                Found::OneOfSeveral(stays) => {
                    kept(deciding, entitled, facts, there, Some(stays), AfterKeeping::Stays)
                }
            }
        }
        Decision::Void => voided(deciding, entitled, facts, there).map_err(|why| vec![problem(why)]),
        Decision::TakeOurs { seen } => {
            let ruling = chosen(there, seen)?.ours(entry(EventKind::OperationRequeued), at);
            ruling.map_err(|why| vec![resolving::problem(why)])
        }
        Decision::TakeTheirs { seen } => {
            Ok(chosen(there, seen)?.theirs(entry(EventKind::OperationVoided), at))
        }
        Decision::Merge { seen, .. } | Decision::Choose { seen, .. } => {
            merged(deciding, &chosen(there, seen)?, entry(EventKind::OperationVoided), at)
        }
    }
}

/// The version that the person looked at, if it is the one that is known here; what is none was never shown.
fn chosen<'a>(there: &'a InLane, seen: &Option<String>) -> Result<Chosen<'a>, Vec<Problem>> {
    let looked_at = seen.as_deref().map(str::parse).transpose();
    let looked_at = looked_at.map_err(|_| vec![resolving::problem(NotChosen::SeenAnother)])?;
    resolving::chosen(there, looked_at.as_ref()).map_err(|why| vec![resolving::problem(why)])
}

fn merged(
    deciding: &Deciding,
    chosen: &Chosen<'_>,
    entry: Entry,
    at: UtcMillis,
) -> Result<Ruling, Vec<Problem>> {
    let another = || vec![resolving::problem(NotChosen::SeenAnother)];
    match &deciding.made {
        Made::Nothing => Err(another()),
        Made::Wrong { upon, .. } | Made::Right { upon, .. } if *upon != chosen.theirs.etag => Err(another()),
        Made::Wrong { problems, .. } => Err(problems.clone()),
        Made::Right { intake, .. } => match chosen.merged(intake, entry, at) {
            Ok(ruling) => Ok(ruling),
            Err(why) => match *why {
                NotMerged::Not(why) => Err(vec![resolving::problem(why)]),
                NotMerged::Refused(refusal) => Ok(Ruling::Refuse(refusal)),
            },
        },
    }
}

/// Who decides, and by which role.
struct Entitled<'a> {
    signed: &'a Signed,
    role: &'a RoleName,
}

fn entitled<'a>(
    deciding: &'a Deciding,
    facts: &DecideFacts,
    id: OperationId,
) -> Result<Entitled<'a>, Box<Refusal>> {
    let refused = |reason, word, problems| {
        let entry = refused_entry(deciding, id).with("reason", word);
        Box::new(Refusal { reason, problems, entry: Some(entry) })
    };
    let signed = deciding.session.as_ref().filter(|signed| signed.statement.holds(facts.stamp.at).is_ok());
    let signed = signed.ok_or_else(|| refused(RefusalReason::NotSignedIn, "not_signed_in", Vec::new()))?;
    match &deciding.right {
        Right::Of(role) => Ok(Entitled { signed, role }),
        Right::NoRules => Err(refused(RefusalReason::RulesOutOfDate, "no_contract", Vec::new())),
        Right::Denied => {
            let roles: Vec<&str> = signed.statement.roles.iter().map(RoleName::as_str).collect();
            let problem = Problem::of_field("decision", ProblemCode::Forbidden);
            let problems = vec![problem.with("role", roles.join(", "))];
            Err(refused(RefusalReason::NotPermitted, "not_permitted", problems))
        }
    }
}

fn requeued(deciding: &Deciding, entitled: &Entitled<'_>, there: &InLane) -> Result<Ruling, NotDecided> {
    let next_step = requeue(&there.item)?;
    let going_on = going_on(&there.behind);
    let entry = decided_entry(EventKind::OperationRequeued, deciding, entitled, there);
    let entry = entry.with("next_step", next_step.word()).with("going_on", going_on);
    Ok(Ruling::Requeue(Requeueing { operation_id: there.item.operation_id, next_step, going_on, entry }))
}

/// Whether it had been recorded before it was found more than once.
fn is_recorded(there: &InLane) -> bool {
    there.twin.as_ref().is_some_and(|twin| twin.was != TwinWas::InLane)
}

/// Of what the SoR has more than once.
fn kept(
    deciding: &Deciding,
    entitled: &Entitled<'_>,
    facts: &DecideFacts,
    there: &InLane,
    stays: Option<&RecordId>,
    then: AfterKeeping,
) -> Result<Ruling, Vec<Problem>> {
    let item = &there.item;
    let keep = keep(item).map_err(|why| vec![problem(why)])?;
    let found = there.twin.as_ref().filter(|_| keep == Keep::Recorded);
    let (twin, receipt) = found
        .and_then(|twin| twin.receipt.clone().map(|receipt| (twin, receipt)))
        .ok_or_else(|| vec![problem(NotDecided::InDoubt)])?;
    let receipt = stays.map_or(receipt.clone(), |stays| of_the_one(item, receipt, stays));
    let void = prepared_void(&twin.record_ids, stays.or(Some(&receipt.record_id)));
    let kind = match then {
        AfterKeeping::Stays => EventKind::OperationKept,
        AfterKeeping::LooksAgain => EventKind::OperationRequeued,
    };
    let going_on = match twin.was {
        TwinWas::InLane => going_on(&there.behind),
        TwinWas::Recorded { .. } => 0,
    };
    let entry = decided_entry(kind, deciding, entitled, there).with("record_id", &receipt.record_id);
    let entry = entry.with("stays", &void.stays).with("voids", &void.voids).with("going_on", going_on);
    let (operation_id, was, at, stays) = (item.operation_id, twin.was, facts.stamp.at, void.stays);
    Ok(Ruling::Keep(Box::new(Keeping { operation_id, receipt, stays, was, at, then, going_on, entry })))
}

/// On a person's word.
fn recorded(
    deciding: &Deciding,
    entitled: &Entitled<'_>,
    facts: &DecideFacts,
    there: &InLane,
    receipt: ReceiptBody,
    seen: RecordId,
) -> Ruling {
    let going_on = going_on(&there.behind);
    let entry = decided_entry(EventKind::OperationFoundByPerson, deciding, entitled, there);
    let entry = entry.with("record_id", &receipt.record_id).with("etag", &receipt.etag);
    let entry = entry.with("seen", &seen).with("going_on", going_on);
    let actor = entitled.signed.statement.actor.clone();
    let found = FoundBy { record_id: seen, actor, at: facts.stamp.at };
    let operation_id = there.item.operation_id;
    Ruling::Found(Box::new(Finding { operation_id, receipt, found, going_on, entry }))
}

fn voided(
    deciding: &Deciding,
    entitled: &Entitled<'_>,
    facts: &DecideFacts,
    there: &InLane,
) -> Result<Ruling, NotDecided> {
    let void = void(&there.item, &there.behind)?;
    let stages = stages_without(&there.item, &there.behind, there.application.stage, there.recorded);
    let entry = decided_entry(EventKind::OperationVoided, deciding, entitled, there);
    let entries = void_entries(there.item.operation_id, &void, stages.stage, entry);
    Ok(Ruling::Void(Box::new(Voiding {
        operation_id: there.item.operation_id,
        heir: void.heir,
        set_aside: void.set_aside,
        going_on: void.going_on,
        stage: stages.stage,
        stood: stages.stood,
        at: facts.stamp.at,
        entries,
    })))
}

fn decided_entry(kind: EventKind, deciding: &Deciding, entitled: &Entitled<'_>, there: &InLane) -> Entry {
    let item = &there.item;
    Entry::new(kind)
        .by(entitled.signed.statement.actor.clone())
        .of(item.operation_id)
        .with("role", entitled.role)
        .with("application_id", there.application.application_id)
        .with("operation_kind", item.kind)
        .with("was", item.state.word())
        .with("because", item.reason.map(QuarantineReason::word))
        .with("doubt", item.doubt.word())
        .with("after_op", item.after_op)
        .with("base", &item.base)
        .with("stage_before", there.application.stage)
        .with_private("reason", deciding.salt, deciding.reason.clone())
}

fn refused_entry(deciding: &Deciding, id: OperationId) -> Entry {
    let entry = Entry::new(EventKind::DecisionRefused).of(id).with("decision", deciding.decision.word());
    let actor = deciding.session.as_ref().map(|signed| signed.statement.actor.clone());
    actor.into_iter().fold(entry, Entry::by)
}

fn problem(why: NotDecided) -> Problem {
    let code = match why {
        NotDecided::NotWaiting => ProblemCode::NotWaiting,
        NotDecided::InDoubt => ProblemCode::InDoubt,
        NotDecided::NothingToBuildOn => ProblemCode::BaseMissing,
        NotDecided::NotForAPerson => ProblemCode::NotAllowed,
        NotDecided::NoRecord => ProblemCode::TheirsUnknown,
        NotDecided::NoneOfThem => return not_a_record(),
    };
    Problem::of_field("key", code)
}

fn not_a_record() -> Problem {
    Problem::at("/decision/record", ProblemCode::NoChoiceFits)
}

fn not_decided(
    deciding: &Deciding,
    entitled: &Entitled<'_>,
    id: OperationId,
    problems: Vec<Problem>,
) -> Refusal {
    let entry = refused_entry(deciding, id)
        .with("role", entitled.role)
        .with("reason", problems.first().map(|problem| problem.code.as_str()));
    Refusal { reason: RefusalReason::Invalid, problems, entry: Some(entry) }
}
