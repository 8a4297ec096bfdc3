//! The table `found_by`: what a person has found at the SoR, where no look of a station could.
//!
//! Promise: the operation goes to the archive as recorded, its lane goes on, and who said so stays beside it. One that the
//! SoR has lost since and that is recorded anew is no longer told by that word.

use holdfast_core::ids::OperationId;
use holdfast_core::lane::State;
use holdfast_station::ports::{Commit, Finding, FoundBy};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::columns::Text;
use crate::fault::Fault;
use crate::turn::Turn;
use crate::{books, decide, settle, twin};

/// It is recorded on a person's word.
pub(crate) fn record(turn: &mut Turn<'_>, finding: Finding) -> Result<(), Fault> {
    let Finding { operation_id, receipt, found, entry, .. } = finding;
    let standing = decide::waiting_for_person(turn, operation_id)?;
    let stage = twin::stage_after(turn, &standing)?;
    let commit = Commit { receipt, at: found.at, stage, outcome: twin::FOUND, second_look_ms: None };
    settle::archive_it(turn, &standing, &commit)?;
    books::moved(&turn.tx, standing.outage, State::Quarantined, State::Committed)?;
    let sql = "INSERT INTO found_by (operation_id, record_id, actor, found_at) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (operation_id) DO UPDATE SET record_id = ?2, actor = ?3, found_at = ?4";
    let FoundBy { record_id, actor, at } = &found;
    let row = params![Text(operation_id), Text(record_id), Text(actor), Text(at)];
    turn.tx.prepare_cached(sql)?.execute(row)?;
    turn.audit(entry)
}

/// By whom it was found, if it is recorded on that word.
pub(crate) fn of(conn: &Connection, id: OperationId) -> Result<Option<FoundBy>, Fault> {
    let sql = "SELECT f.record_id, f.actor, f.found_at FROM found_by f
                 JOIN operation_archive a ON a.operation_id = f.operation_id AND a.committed_at = f.found_at
               WHERE f.operation_id = ?1";
    let found = conn.prepare_cached(sql)?.query_row(params![Text(id)], |row| {
        Ok(FoundBy {
            record_id: row.get::<_, Text<_>>(0)?.0,
            actor: row.get::<_, Text<_>>(1)?.0,
            at: row.get::<_, Text<_>>(2)?.0,
        })
    });
    Ok(found.optional()?)
}
