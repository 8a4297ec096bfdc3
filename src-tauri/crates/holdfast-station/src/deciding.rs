//! The decision whether a person's decision about a waiting operation is carried out, and what is written for it.
//!
//! Promise: only who may void may decide, whichever way: releasing an item from quarantine is an act of the same rank as
//! taking it back. What a decision was made from goes into the audit with it; why, in the person's words, by its salted
//! digest only. Rules that are too old pause intake, and no decision about what was taken in before; without any rules
//! nobody has a right.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::decision::{NotDecided, going_on, requeue, stages_without, void};
use holdfast_core::ids::{OperationId, RoleName};
use holdfast_core::operation::Kind;
use holdfast_core::outcome::QuarantineReason;
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::roles::{Act, Permission, Roles};
use holdfast_wire::Decision;

use crate::accepting::Signed;
use crate::ports::{DecideFacts, InLane, Refusal, RefusalReason, Requeueing, Ruling, Sought, Voiding};

/// Everything that is known before the transaction begins.
pub(crate) struct Deciding {
    pub(crate) decision: Decision,
    /// Why, in the person's words.
    pub(crate) reason: String,
    pub(crate) session: Option<Signed>,
    pub(crate) right: Right,
    /// The reason is kept under this salt.
    pub(crate) salt: [u8; 32],
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
    let ruling = there.ok_or(NotDecided::NotWaiting).and_then(|there| match deciding.decision {
        Decision::Requeue => requeued(deciding, &entitled, there),
        Decision::Void => voided(deciding, &entitled, facts, there),
    });
    ruling.unwrap_or_else(|why| Ruling::Refuse(not_decided(deciding, &entitled, id, why)))
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

fn voided(
    deciding: &Deciding,
    entitled: &Entitled<'_>,
    facts: &DecideFacts,
    there: &InLane,
) -> Result<Ruling, NotDecided> {
    let void = void(&there.item, &there.behind)?;
    let stages = stages_without(&there.item, &there.behind, there.application.stage, there.recorded);
    let entry = decided_entry(EventKind::OperationVoided, deciding, entitled, there);
    let entry = entry.with("going_on", void.going_on).with("stage", stages.stage);
    // Columns that may change are audited when they do.
    let entry = void.heir.iter().fold(entry, |entry, heir| {
        let entry = entry.with("heir", heir.operation_id).with("heir_after_op", heir.after_op);
        entry.with("heir_base", &heir.base)
    });
    let set_aside = void.set_aside.iter().map(|id| set_aside_entry(*id, there.item.operation_id));
    let entries = std::iter::once(entry).chain(set_aside).collect();
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

fn set_aside_entry(id: OperationId, voided: OperationId) -> Entry {
    let entry = Entry::new(EventKind::OperationQuarantined).of(id);
    entry.with("reason", QuarantineReason::ParentVoided.word()).with("voided", voided)
}

fn refused_entry(deciding: &Deciding, id: OperationId) -> Entry {
    let entry = Entry::new(EventKind::DecisionRefused).of(id).with("decision", deciding.decision);
    let actor = deciding.session.as_ref().map(|signed| signed.statement.actor.clone());
    actor.into_iter().fold(entry, Entry::by)
}

fn not_decided(deciding: &Deciding, entitled: &Entitled<'_>, id: OperationId, why: NotDecided) -> Refusal {
    let code = match why {
        NotDecided::NotWaiting => ProblemCode::NotWaiting,
        NotDecided::InDoubt => ProblemCode::InDoubt,
        NotDecided::NothingToBuildOn => ProblemCode::BaseMissing,
    };
    let entry = refused_entry(deciding, id).with("role", entitled.role).with("reason", code.as_str());
    Refusal {
        reason: RefusalReason::Invalid,
        problems: vec![Problem::of_field("key", code)],
        entry: Some(entry),
    }
}
