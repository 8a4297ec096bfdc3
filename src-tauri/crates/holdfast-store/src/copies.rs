//! Copies of what the SoR holds: records among the applications, and each person's visits.
//!
//! Promise: a copy is taken whole, in one transaction, or not at all. An application with operations that are not disposed
//! of is left alone, its version included: the first of its lane names the version that it was accepted on, and the others
//! take theirs from their predecessors' receipts. One that changed after the copy was asked for is left alone as well, since
//! the SoR's answer may be from before that change.

use holdfast_core::copies::{Visit, VisitState};
use holdfast_core::ids::{ActorId, ApplicationId, InspectionId};
use holdfast_core::lane::State;
use holdfast_core::operation::Kind;
use holdfast_core::time::{BootMillis, Date, Now, UtcMillis};
use holdfast_station::ports::{
    ChangeMark, CopiedRecord, CopiedVisit, Copies, JournalError, KeptVisit, KeptVisits, OperationRecord,
    RecordsCopy, VisitsCopy,
};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use crate::columns::{Count, Json, Text};
use crate::fault::Fault;
use crate::store::Store;
use crate::turn::Turn;
use crate::writer::WhenFull;
use crate::{changes, find, likeness, operation_record};

impl Copies for Store {
    fn change_mark(&self) -> Result<ChangeMark, JournalError> {
        self.read(|tx| {
            let sql = "SELECT coalesce(max(changed), 0) FROM application";
            Ok(ChangeMark(tx.prepare_cached(sql)?.query_row([], |row| row.get::<_, Count>(0))?.0))
        })
    }

    fn keep_records(&self, copy: RecordsCopy) -> Result<(), JournalError> {
        self.write(copy.asked, WhenFull::Wait, move |turn| keep_records(turn, &copy))
    }

    fn keep_visits(&self, copy: VisitsCopy) -> Result<(), JournalError> {
        self.write_untold(move |tx| keep_visits(tx, &copy))
    }

    fn visits_asked(&self, assignee: &ActorId) -> Result<Option<Now>, JournalError> {
        self.read(|tx| asked(tx, assignee))
    }

    fn visits(&self, assignee: &ActorId) -> Result<Option<KeptVisits>, JournalError> {
        self.read(|tx| {
            let Some(asked) = asked(tx, assignee)? else { return Ok(None) };
            Ok(Some(KeptVisits { asked, visits: visits(tx, assignee)? }))
        })
    }

    fn visit(&self, assignee: &ActorId, id: &InspectionId) -> Result<Option<(Now, KeptVisit)>, JournalError> {
        self.read(|tx| {
            let Some(asked) = asked(tx, assignee)? else { return Ok(None) };
            let sql = format!("{VISIT} WHERE assignee = ?1 AND inspection_id = ?2");
            let mut statement = tx.prepare_cached(&sql)?;
            let found = statement.query_row(params![Text(assignee), Text(id)], visit_of).optional()?;
            found.map(|found| Ok((asked, kept(tx, found)?))).transpose()
        })
    }
}

/// No operation of the lane waits, and nothing changed here since the SoR was asked.
pub(crate) const MAY_BE_TAKEN: &str = "application.changed <= ?2
  AND NOT EXISTS (SELECT 1 FROM operation WHERE operation.application_id = application.application_id)";

pub(crate) fn keep_records(turn: &mut Turn<'_>, copy: &RecordsCopy) -> Result<(), Fault> {
    // The latest comes last, so that it is the latest change here, too.
    copy.records.iter().rev().try_for_each(|record| keep_record(turn, copy, record))
}

fn keep_record(turn: &mut Turn<'_>, copy: &RecordsCopy, record: &CopiedRecord) -> Result<(), Fault> {
    let tx = &turn.tx;
    if is_unchanged(tx, copy, record)? {
        return changes::taken(tx, record.application_id);
    }
    let sql = format!(
        "INSERT INTO application (application_id, stage, payload, permit_num, record_id, etag, waiting, updated_at,
           copied_at, changed)
         VALUES (?1, ?3, ?4, ?5, ?6, ?7, 0, ?8, ?9, (SELECT coalesce(max(changed), 0) + 1 FROM application))
         ON CONFLICT (application_id) DO UPDATE SET stage = ?3, payload = ?4, permit_num = coalesce(?5, permit_num),
           record_id = ?6, etag = ?7, updated_at = ?8, copied_at = ?9, changed = excluded.changed
         WHERE {MAY_BE_TAKEN}"
    );
    let taken = tx.prepare_cached(&sql)?.execute(params![
        Text(record.application_id),
        Count(copy.mark.0),
        Text(record.stage),
        Json(&record.payload),
        record.permit_num.as_ref().map(Text),
        Text(&record.record_id),
        Text(&record.etag),
        Text(record.updated_at),
        Text(copy.asked.wall),
    ])?;
    if taken == 0 {
        return changes::left(tx, record);
    }
    changes::taken(tx, record.application_id)?;
    find::refresh(tx, record.application_id)?;
    likeness::came(turn, record, copy.likeness_window_h)
}

/// The version known here: only the age of the copy is new.
fn is_unchanged(tx: &Transaction<'_>, copy: &RecordsCopy, record: &CopiedRecord) -> Result<bool, Fault> {
    let sql = format!(
        "UPDATE application SET copied_at = ?3, record_id = ?4
         WHERE application_id = ?1 AND etag = ?5 AND stage = ?6 AND {MAY_BE_TAKEN}"
    );
    let renewed = tx.prepare_cached(&sql)?.execute(params![
        Text(record.application_id),
        Count(copy.mark.0),
        Text(copy.asked.wall),
        Text(&record.record_id),
        Text(&record.etag),
        Text(record.stage),
    ])?;
    Ok(renewed == 1)
}

fn keep_visits(tx: &Transaction<'_>, copy: &VisitsCopy) -> Result<(), Fault> {
    tx.prepare_cached("DELETE FROM visit WHERE assignee = ?1")?.execute(params![Text(&copy.assignee)])?;
    let sql = "INSERT INTO visit_copy (assignee, asked_wall, asked_boot) VALUES (?1, ?2, ?3)
               ON CONFLICT (assignee) DO UPDATE SET asked_wall = ?2, asked_boot = ?3";
    let at = params![Text(&copy.assignee), Text(copy.asked.wall), Count(copy.asked.boot.0)];
    tx.prepare_cached(sql)?.execute(at)?;
    copy.visits.iter().try_for_each(|copied| insert(tx, &copy.assignee, copied))
}

fn insert(tx: &Transaction<'_>, assignee: &ActorId, copied: &CopiedVisit) -> Result<(), Fault> {
    let visit = &copied.visit;
    let state = match visit.state {
        VisitState::Scheduled => "scheduled",
        VisitState::Done => "done",
    };
    let sql = "INSERT INTO visit (assignee, inspection_id, application_id, date, state, payload)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    tx.prepare_cached(sql)?.execute(params![
        Text(assignee),
        Text(&visit.inspection_id),
        Text(copied.application_id),
        Text(visit.date),
        state,
        Json(&visit.payload),
    ])?;
    Ok(())
}

fn asked(conn: &Connection, assignee: &ActorId) -> Result<Option<Now>, Fault> {
    let sql = "SELECT asked_wall, asked_boot FROM visit_copy WHERE assignee = ?1";
    let asked = conn.prepare_cached(sql)?.query_row(params![Text(assignee)], |row| {
        let wall = row.get::<_, Text<UtcMillis>>(0)?.0;
        Ok(Now { wall, boot: BootMillis(row.get::<_, Count>(1)?.0) })
    });
    Ok(asked.optional()?)
}

const VISIT: &str = "SELECT application_id, inspection_id, date, state = 'done', payload FROM visit";

fn visits(conn: &Connection, assignee: &ActorId) -> Result<Vec<KeptVisit>, Fault> {
    let sql = format!("{VISIT} WHERE assignee = ?1");
    let mut statement = conn.prepare_cached(&sql)?;
    let found = statement.query_map(params![Text(assignee)], visit_of)?;
    found.map(|found| kept(conn, found?)).collect()
}

fn visit_of(row: &Row<'_>) -> rusqlite::Result<(ApplicationId, Visit)> {
    let visit = Visit {
        inspection_id: row.get::<_, Text<_>>(1)?.0,
        date: row.get::<_, Text<Date>>(2)?.0,
        state: if row.get(3)? { VisitState::Done } else { VisitState::Scheduled },
        payload: row.get::<_, Json<_>>(4)?.0,
    };
    Ok((row.get::<_, Text<_>>(0)?.0, visit))
}

fn kept(conn: &Connection, (id, visit): (ApplicationId, Visit)) -> Result<KeptVisit, Fault> {
    let record = find::record(conn, id)?.ok_or_else(|| Fault::damaged("the application of a visit"))?;
    Ok(KeptVisit { visit, record, results: results(conn, id)? })
}

fn results(conn: &Connection, id: ApplicationId) -> Result<Vec<OperationRecord>, Fault> {
    let mut operations = operation_record::of_application(conn, id)?;
    operations.retain(|operation| {
        let receipt = &operation.receipt;
        receipt.kind == Kind::Inspection && receipt.state != State::Voided
    });
    Ok(operations)
}
