//! The table `theirs`, and what is written once a person has chosen between two versions of a record.
//!
//! Promise: what the SoR has is kept for a conflict that is not decided, and goes when the operation is sent again, so that
//! the next conflict is never compared with an older version. A choice changes operation, lane, books and application in
//! one transaction; and what stands before a correction that waits is from then on the version that was seen, or what was
//! made of it, so that taking the correction back brings that.

use holdfast_core::compare::Snapshot;
use holdfast_core::ids::{ApplicationId, OperationId};
use holdfast_core::lane::State;
use holdfast_core::operation::{Body, Kind};
use holdfast_core::outcome::QuarantineReason;
use holdfast_core::time::UtcMillis;
use holdfast_station::ports::{
    Conflicts, CopiedRecord, FieldsOf, InLane, JournalError, KeptConflict, Quarantine, Ruled, Taken,
    TakingMerged, TakingOurs, TakingTheirs, Theirs, Unfetched,
};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::{Map, Value};

use crate::columns::{Json, Text, text};
use crate::fault::Fault;
use crate::store::Store;
use crate::turn::Turn;
use crate::{
    accept, application, archive, books, counts, decide, lane, meta, operation, operation_record, replacing,
    snapshot,
};

impl Conflicts for Store {
    fn unfetched(&self, rows: u32) -> Result<Vec<Unfetched>, JournalError> {
        self.read(|tx| unfetched(tx, rows))
    }

    fn keep_theirs(&self, id: OperationId, record: CopiedRecord, at: UtcMillis) -> Result<(), JournalError> {
        self.write_untold(move |tx| keep(tx, id, &record, at))
    }

    fn conflict(&self, id: OperationId) -> Result<Option<KeptConflict>, JournalError> {
        self.read(|tx| kept(tx, id))
    }
}

fn unfetched(conn: &Connection, rows: u32) -> Result<Vec<Unfetched>, Fault> {
    let mut statement = conn.prepare_cached(UNFETCHED)?;
    let found = statement.query_map([rows], |row| {
        Ok(Unfetched {
            operation_id: row.get::<_, Text<_>>(0)?.0,
            application_id: row.get::<_, Text<_>>(1)?.0,
        })
    })?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

const UNFETCHED: &str = "SELECT operation_id, application_id FROM operation INDEXED BY operation_conflict
     WHERE quarantine_reason = 'conflict'
       AND NOT EXISTS (SELECT 1 FROM theirs WHERE theirs.operation_id = operation.operation_id)
     ORDER BY local_seq LIMIT ?1";

fn keep(tx: &Transaction<'_>, id: OperationId, record: &CopiedRecord, at: UtcMillis) -> Result<(), Fault> {
    let document = Snapshot {
        etag: Some(record.etag.clone()),
        stage: record.stage,
        payload: record.payload.as_object().cloned().unwrap_or_default(),
        holds: record.holds.clone(),
        notes: record.notes.clone(),
    };
    let sql = "INSERT INTO theirs (operation_id, etag, record_id, permit_num, document, updated_at, fetched_at)
               SELECT operation_id, ?3, ?4, ?5, ?6, ?7, ?8 FROM operation
                WHERE operation_id = ?1 AND application_id = ?2 AND quarantine_reason = 'conflict'
               ON CONFLICT (operation_id) DO UPDATE SET etag = excluded.etag, record_id = excluded.record_id,
                 permit_num = excluded.permit_num, document = excluded.document, updated_at = excluded.updated_at,
                 fetched_at = excluded.fetched_at";
    tx.prepare_cached(sql)?.execute(params![
        Text(id),
        Text(record.application_id),
        Text(&record.etag),
        Text(&record.record_id),
        record.permit_num.as_ref().map(Text),
        Json(&document),
        Text(record.updated_at),
        Text(at),
    ])?;
    Ok(())
}

/// What is known of a conflict; of one that is decided, what it was decided upon.
pub(crate) fn kept(conn: &Connection, id: OperationId) -> Result<Option<KeptConflict>, Fault> {
    let theirs = theirs(conn, id)?;
    let Some(operation) = operation_record::by_id(conn, id)? else { return Ok(None) };
    if operation.reason != Some(QuarantineReason::Conflict) && theirs.is_none() {
        return Ok(None);
    }
    let payload = payload_of(&operation.body)?;
    let kind = operation.receipt.kind;
    let target = if kind == Kind::Correction { target_of(conn, &payload)? } else { None };
    Ok(Some(KeptConflict { kind, payload, target, shown: shown(conn, id)?, theirs }))
}

fn payload_of(body: &[u8]) -> Result<Map<String, Value>, Fault> {
    let body: Result<Body, _> = serde_json::from_slice(body);
    let payload = body.ok().and_then(|body| body.payload.as_object().cloned());
    payload.ok_or_else(|| Fault::damaged("the body of an operation"))
}

fn target_of(conn: &Connection, payload: &Map<String, Value>) -> Result<Option<Kind>, Fault> {
    let target = payload.get("of").and_then(Value::as_str).and_then(|id| id.parse().ok());
    let Some(target) = target else { return Ok(None) };
    Ok(operation_record::by_id(conn, target)?.map(|operation| operation.receipt.kind))
}

fn shown(conn: &Connection, id: OperationId) -> Result<Option<Snapshot>, Fault> {
    let sql = "SELECT base_snapshot_digest FROM operation WHERE operation_id = ?1
               UNION ALL SELECT base_snapshot_digest FROM operation_archive WHERE operation_id = ?1";
    let digest = conn.prepare_cached(sql)?.query_row(params![Text(id)], |row| Ok(text(row.get(0)?)));
    digest.optional()?.flatten().map_or(Ok(None), |digest| snapshot::of(conn, &digest))
}

fn theirs(conn: &Connection, id: OperationId) -> Result<Option<Theirs>, Fault> {
    let sql = "SELECT etag, record_id, permit_num, document, updated_at, fetched_at FROM theirs WHERE operation_id = ?1";
    Ok(conn.prepare_cached(sql)?.query_row(params![Text(id)], theirs_of).optional()?)
}

fn theirs_of(row: &Row<'_>) -> rusqlite::Result<Theirs> {
    Ok(Theirs {
        etag: row.get::<_, Text<_>>(0)?.0,
        record_id: row.get::<_, Text<_>>(1)?.0,
        permit_num: text(row.get(2)?),
        record: row.get::<_, Json<_>>(3)?.0,
        updated_at: row.get::<_, Text<_>>(4)?.0,
        fetched_at: row.get::<_, Text<_>>(5)?.0,
    })
}

/// The operation is pending again, bound to the version that was seen; the person has seen that version now.
pub(crate) fn take_ours(turn: &mut Turn<'_>, taking: TakingOurs, there: InLane) -> Result<Ruled, Fault> {
    let id = taking.operation_id;
    let standing = decide::waiting_for_person(turn, id)?;
    let theirs = &taking.taken.theirs;
    operation::requeue(&turn.tx, id, holdfast_core::outcome::NextStep::Send)?;
    rebase(&turn.tx, id, theirs)?;
    let lane = standing.row.application_id;
    match replacing::said_before(turn, id)? {
        Some(_) => operation::said_before(&turn.tx, id, &says(theirs))?,
        None => replacing::said_before_next(turn, lane, id, &says(theirs))?,
    }
    taking.stood.iter().try_for_each(|stage| operation::stood(&turn.tx, id, *stage))?;
    forget(&turn.tx, id)?;
    books::moved(&turn.tx, standing.outage, State::Quarantined, State::Pending)?;
    take(turn, lane, &taking.taken)?;
    turn.audit(taking.entry)?;
    let going_on = taking.going_on;
    Ok(Ruled::Done { receipt_no: there.receipt_no, state: State::Pending, going_on, set_aside: 0 })
}

/// The operation is archived as voided, never sent again; the next one of its lane is bound to the version that was seen.
pub(crate) fn take_theirs(turn: &mut Turn<'_>, taking: TakingTheirs, there: InLane) -> Result<Ruled, Fault> {
    let standing = decide::waiting_for_person(turn, taking.operation_id)?;
    let lane = standing.row.application_id;
    replacing::said_before_next(turn, lane, taking.operation_id, &says(&taking.taken.theirs))?;
    archive::void(&turn.tx, taking.operation_id)?;
    books::moved(&turn.tx, standing.outage, State::Quarantined, State::Voided)?;
    taking.heir.iter().try_for_each(|heir| decide::hand_over(turn, heir))?;
    for id in &taking.joined {
        join(turn, *id)?;
    }
    lane::settle(&turn.tx, lane)?;
    application::one_less(&turn.tx, lane)?;
    take(turn, lane, &taking.taken)?;
    turn.audit_all(taking.entries)?;
    let set_aside = u32::try_from(taking.joined.len()).unwrap_or(u32::MAX);
    let going_on = taking.going_on;
    Ok(Ruled::Done { receipt_no: there.receipt_no, state: State::Voided, going_on, set_aside })
}

/// What was made of both stands in the place of the operation, which is archived as voided and never sent again.
pub(crate) fn take_merged(turn: &mut Turn<'_>, taking: TakingMerged) -> Result<Ruled, Fault> {
    let standing = decide::waiting_for_person(turn, taking.replaced)?;
    let (tx, acceptance) = (&turn.tx, &taking.acceptance);
    let body = &acceptance.body;
    let was_said = replacing::said_before(turn, taking.replaced)?;
    archive::void(tx, taking.replaced)?;
    books::moved(tx, standing.outage, State::Quarantined, State::Voided)?;
    acceptance.base_snapshot.iter().try_for_each(|shown| snapshot::keep(tx, shown))?;
    operation::insert(tx, acceptance, taking.stood)?;
    taking.heir.iter().try_for_each(|heir| decide::hand_over(turn, heir))?;
    say_merged(turn, body, was_said.is_some(), &says(&taking.taken.theirs))?;
    lane::settle(tx, body.application_id)?;
    books::accepted(tx, body.outage_id)?;
    counts::accepted(tx, body.origin_route)?;
    meta::keep_headroom(tx, acceptance.headroom)?;
    take(turn, body.application_id, &taking.taken)?;
    let receipt = accept::read_back(turn, acceptance)?;
    turn.audit_all(taking.entries)?;
    let going_on = taking.going_on;
    Ok(Ruled::Done { receipt_no: receipt.receipt_no, state: State::Pending, going_on, set_aside: 0 })
}

/// What the application says by the SoR's version.
fn says(theirs: &Theirs) -> Value {
    Value::Object(theirs.record.payload.clone())
}

/// What stands before the merge, and what the merge says before the next correction.
fn say_merged(turn: &Turn<'_>, body: &Body, says_all: bool, theirs: &Value) -> Result<(), Fault> {
    let (lane, id) = (body.application_id, body.operation_id);
    let merged = if says_all { body.payload.get("payload") } else { None };
    if merged.is_some() {
        operation::said_before(&turn.tx, id, theirs)?;
    }
    replacing::said_before_next(turn, lane, id, merged.unwrap_or(theirs))
}

fn take(turn: &Turn<'_>, lane: ApplicationId, taken: &Taken) -> Result<(), Fault> {
    for (id, stage) in &taken.stood {
        operation::stood(&turn.tx, *id, *stage)?;
    }
    let fields = match &taken.fields {
        FieldsOf::TheLane => None,
        FieldsOf::TheSor => Some(&taken.theirs.record.payload),
        FieldsOf::TheMerge(fields) => Some(fields),
    };
    application::taken(&turn.tx, lane, taken, fields)
}

/// What is sent next requires the version that was seen, and is compared with it if it conflicts again.
fn rebase(tx: &Transaction<'_>, id: OperationId, theirs: &Theirs) -> Result<(), Fault> {
    snapshot::keep(tx, &theirs.record)?;
    let sql = "UPDATE operation SET base_etag = ?2, base_snapshot_digest = ?3 WHERE operation_id = ?1";
    let digest = Text(theirs.record.digest());
    let rows = tx.prepare_cached(sql)?.execute(params![Text(id), Text(&theirs.etag), digest])?;
    if rows == 1 { Ok(()) } else { Err(Fault::Impossible { why: "the operation is not there" }) }
}

pub(crate) fn forget(tx: &Transaction<'_>, id: OperationId) -> Result<(), Fault> {
    tx.prepare_cached("DELETE FROM theirs WHERE operation_id = ?1")?.execute(params![Text(id)])?;
    Ok(())
}

/// It waits for a person from now on, as the one before it did.
fn join(turn: &Turn<'_>, id: OperationId) -> Result<(), Fault> {
    let missing = Fault::Impossible { why: "no such operation waits behind it" };
    let standing = operation::standing(&turn.tx, id)?.ok_or(missing)?;
    let reason = QuarantineReason::Conflict;
    let quarantine = Quarantine {
        reason,
        doubt: standing.doubt,
        failures: standing.failures,
        outcome: reason.word(),
        answer: Value::Null,
    };
    operation::quarantine(&turn.tx, id, &quarantine)?;
    books::moved(&turn.tx, standing.outage, State::Pending, State::Quarantined)
}

/// Whether an operation of the lane behind one says all of the application's fields.
pub(crate) fn said_behind(conn: &Connection, id: OperationId) -> Result<bool, Fault> {
    let sql =
        "SELECT EXISTS (SELECT 1 FROM operation o JOIN operation f ON f.application_id = o.application_id
                 AND (f.place, f.revision) > (o.place, o.revision) AND f.payload_before IS NOT NULL
               WHERE o.operation_id = ?1)";
    Ok(conn.prepare_cached(sql)?.query_row(params![Text(id)], |row| row.get(0))?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::migrate::MIGRATIONS;

    #[test]
    fn what_is_not_known_is_found_without_looking_at_the_backlog() {
        let conn = Connection::open_in_memory().unwrap();
        for migration in MIGRATIONS {
            conn.execute_batch(migration.sql).unwrap();
        }
        let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {UNFETCHED}")).unwrap();
        let lines = statement.query_map([8], |row| row.get::<_, String>(3)).unwrap();
        let plan = lines.map(Result::unwrap).collect::<Vec<_>>().join("\n");
        assert!(plan.contains("operation_conflict") && !plan.contains("TEMP B-TREE"), "{plan}");
    }
}
