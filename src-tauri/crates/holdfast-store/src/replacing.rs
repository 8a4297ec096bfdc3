//! One operation takes the place of another, or takes it back: the facts, and carrying out what was decided from them.
//!
//! Promise: what is replaced or taken back is archived as voided and never sent; whoever came behind it, the books, the
//! stage and what the application says are right in the same transaction, or nothing of it happened.

use holdfast_core::ids::{ApplicationId, IdempotencyKey, OperationId};
use holdfast_core::lane::State;
use holdfast_core::time::Now;
use holdfast_station::ports::{
    AcceptAsk, Accepting, ChangeAsk, ChangeDecision, ChangeFacts, Decide, Following, JournalError, Receipt,
    Replacement, Replacements, Replacing, TakingBack, TargetFacts, TargetInLane, Twin, Voiding,
};
use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::Value;

use crate::columns::{Json, Text};
use crate::fault::Fault;
use crate::operation::Standing;
use crate::store::Store;
use crate::turn::Turn;
use crate::writer::WhenFull;
use crate::{
    accept, application, archive, books, decide, draft, lane, operation, operation_record, replacement,
};

impl Replacing for Store {
    fn change(
        &self,
        now: Now,
        ask: ChangeAsk,
        decide: Decide<ChangeFacts, ChangeDecision>,
    ) -> Result<Accepting, JournalError> {
        self.write(now, WhenFull::Refuse, move |turn| change(turn, &ask, decide))
    }

    fn target(&self, id: OperationId) -> Result<TargetFacts, JournalError> {
        self.read(|tx| target(tx, id))
    }

    fn replacements(&self, id: OperationId) -> Result<Replacements, JournalError> {
        self.read(|tx| replacement::replacements(tx, id))
    }

    fn taken_back_by(&self, key: &IdempotencyKey) -> Result<Option<OperationId>, JournalError> {
        self.read(|tx| replacement::taken_back_by(tx, key))
    }
}

fn change(
    turn: &mut Turn<'_>,
    ask: &ChangeAsk,
    decide: Decide<ChangeFacts, ChangeDecision>,
) -> Result<Accepting, Fault> {
    let accepting = AcceptAsk {
        likeness: ask.likeness.clone(),
        pins: ask.pins.clone(),
        ..AcceptAsk::of(ask.operation_id, ask.application_id)
    };
    let facts =
        ChangeFacts { accepting: accept::facts(turn, &accepting)?, target: target(&turn.tx, ask.target)? };
    match (decide(&facts), facts.accepting.twin) {
        (ChangeDecision::Follow(following), None) => follow(turn, *following).map(Accepting::Accepted),
        (ChangeDecision::Replace(replacement), None) => replace(turn, *replacement).map(Accepting::Accepted),
        (ChangeDecision::TakeBack(taking_back), None) => {
            take_back_as(turn, *taking_back).map(Accepting::Accepted)
        }
        (ChangeDecision::Already, Some(Twin { receipt, .. })) => Ok(Accepting::Already(receipt)),
        (ChangeDecision::Refuse(refusal), _) => accept::refuse(turn, refusal),
        (ChangeDecision::Follow(_) | ChangeDecision::Replace(_) | ChangeDecision::TakeBack(_), Some(_)) => {
            Err(Fault::Impossible { why: "an operation of this id was accepted before" })
        }
        (ChangeDecision::Already, None) => {
            Err(Fault::Impossible { why: "no operation of this id was accepted before" })
        }
    }
}

fn target(tx: &Connection, id: OperationId) -> Result<TargetFacts, Fault> {
    let Some(record) = operation_record::by_id(tx, id)? else { return Ok(TargetFacts::Unknown) };
    let receipt = record.receipt;
    let (application_id, kind) = (receipt.application_id, receipt.kind);
    match receipt.state {
        State::Committed => Ok(TargetFacts::Committed { application_id, kind }),
        State::Voided => Ok(TargetFacts::Voided { application_id, kind }),
        State::Pending | State::InFlight | State::Quarantined => {
            let (item, behind) = decide::in_lane(tx, application_id, id)?;
            let application = application::record(tx, application_id)?;
            Ok(TargetFacts::InLane(Box::new(TargetInLane {
                item,
                next_step: standing(tx, id)?.next_step,
                place: lane::place(tx, id)?,
                receipt_no: receipt.receipt_no,
                behind,
                application: application.ok_or_else(|| Fault::damaged("the application of an operation"))?,
                recorded: decide::recorded(tx, application_id)?,
            })))
        }
    }
}

fn follow(turn: &mut Turn<'_>, following: Following) -> Result<Receipt, Fault> {
    let Following { acceptance, payload_before } = following;
    let id = acceptance.body.operation_id;
    let receipt = accept::lay_down(turn, acceptance, None)?;
    payload_before.iter().try_for_each(|payload| operation::said_before(&turn.tx, id, payload))?;
    Ok(receipt)
}

/// The new row stands where the other one stood; the lane is settled when it is there.
fn replace(turn: &mut Turn<'_>, replacement: Replacement) -> Result<Receipt, Fault> {
    let Replacement { target, acceptance, stood, heir, behind_stood, handed_in, entry } = replacement;
    let (id, application) = (acceptance.body.operation_id, acceptance.application.application_id);
    let said_before = said_before(turn, target)?;
    let standing = waiting(turn, target)?;
    archive::void(&turn.tx, target)?;
    books::moved(&turn.tx, standing.outage, standing.state, State::Voided)?;
    application::voided(&turn.tx, application, acceptance.application.stage, acceptance.body.accepted_at)?;
    heir.iter().try_for_each(|heir| decide::hand_over(turn, heir))?;
    for (behind, stage) in &behind_stood {
        operation::stood(&turn.tx, *behind, *stage)?;
    }
    crate::conflict::forget(&turn.tx, target)?;
    turn.audit(entry)?;
    let says = acceptance.body.payload.get("payload").cloned();
    let receipt = accept::lay_down(turn, acceptance, stood)?;
    if let Some(before) = said_before {
        operation::said_before(&turn.tx, id, &before)?;
        says.iter().try_for_each(|says| leave_said(turn, application, id, says))?;
    }
    replacement::keep(&turn.tx, &handed_in, target)?;
    Ok(receipt)
}

fn take_back_as(turn: &mut Turn<'_>, taking_back: TakingBack) -> Result<Receipt, Fault> {
    let TakingBack { voiding, handed_in } = taking_back;
    let target = voiding.operation_id;
    take_back(turn, voiding)?;
    draft::handed_in(&turn.tx, handed_in.operation_id)?;
    replacement::keep(&turn.tx, &handed_in, target)?;
    let read_back = replacement::twin(&turn.tx, handed_in.operation_id)?;
    let read_back = read_back.filter(|twin| twin.kind == handed_in.kind);
    read_back.map(|twin| twin.receipt).ok_or_else(|| Fault::damaged("an accepted void cannot be read back"))
}

/// Archives as voided what waits, whoever voids it, and puts its lane, its application and the books right.
pub(crate) fn take_back(turn: &mut Turn<'_>, voiding: Voiding) -> Result<(), Fault> {
    let said_before = said_before(turn, voiding.operation_id)?;
    let standing = waiting(turn, voiding.operation_id)?;
    let application = standing.row.application_id;
    if let Some(before) = &said_before {
        leave_said(turn, application, voiding.operation_id, before)?;
    }
    let tx = &turn.tx;
    archive::void(tx, voiding.operation_id)?;
    books::moved(tx, standing.outage, standing.state, State::Voided)?;
    voiding.heir.iter().try_for_each(|heir| decide::hand_over(turn, heir))?;
    for id in &voiding.set_aside {
        decide::set_aside(turn, *id)?;
    }
    for (id, stage) in &voiding.stood {
        operation::stood(tx, *id, *stage)?;
    }
    lane::settle(tx, application)?;
    application::voided(tx, application, voiding.stage, voiding.at)?;
    turn.audit_all(voiding.entries)
}

fn standing(conn: &Connection, id: OperationId) -> Result<Standing, Fault> {
    operation::standing(conn, id)?.ok_or_else(|| Fault::damaged("an operation in its lane"))
}

/// What is on its way, or may have arrived, is never replaced, whatever was decided.
fn waiting(turn: &Turn<'_>, id: OperationId) -> Result<Standing, Fault> {
    let standing = standing(&turn.tx, id)?;
    let waits = matches!(standing.state, State::Pending | State::Quarantined);
    if waits && !standing.doubt.is_any() {
        Ok(standing)
    } else {
        Err(Fault::Impossible { why: "the operation may have arrived" })
    }
}

/// What the application said before a correction of it that waits.
pub(crate) fn said_before(turn: &Turn<'_>, id: OperationId) -> Result<Option<Value>, Fault> {
    let sql = "SELECT payload_before FROM operation WHERE operation_id = ?1";
    let before = turn.tx.prepare_cached(sql)?.query_row(params![Text(id)], |row| {
        Ok(row.get::<_, Option<Json<Value>>>(0)?.map(|Json(before)| before))
    });
    Ok(before.optional()?.flatten())
}

/// What the application says up to a correction: what the next one behind it has before itself, else what is shown.
fn leave_said(
    turn: &Turn<'_>,
    application: ApplicationId,
    id: OperationId,
    before: &Value,
) -> Result<(), Fault> {
    match next_correction(turn, application, id)? {
        Some(next) => operation::said_before(&turn.tx, next, before),
        None => application::says(&turn.tx, application, before),
    }
}

/// What the application says up to the next correction behind an operation.
pub(crate) fn said_before_next(
    turn: &Turn<'_>,
    application: ApplicationId,
    id: OperationId,
    before: &Value,
) -> Result<(), Fault> {
    let next = next_correction(turn, application, id)?;
    next.into_iter().try_for_each(|next| operation::said_before(&turn.tx, next, before))
}

fn next_correction(
    turn: &Turn<'_>,
    application: ApplicationId,
    id: OperationId,
) -> Result<Option<OperationId>, Fault> {
    let sql = "SELECT n.operation_id FROM operation o JOIN operation n ON n.application_id = o.application_id
                 AND (n.place, n.revision) > (o.place, o.revision)
               WHERE o.operation_id = ?1 AND o.application_id = ?2 AND n.payload_before IS NOT NULL
               ORDER BY n.place, n.revision LIMIT 1";
    let next = turn
        .tx
        .prepare_cached(sql)?
        .query_row(params![Text(id), Text(application)], |row| row.get::<_, Text<OperationId>>(0));
    Ok(next.optional()?.map(|Text(id)| id))
}
