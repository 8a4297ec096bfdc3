//! The table `draft`: what is being filled in.
//!
//! Promise: what was kept is on the disk when the caller is told so, and goes only when its operation is accepted or its
//! writer throws it away. Nothing of it is judged here.

use holdfast_core::ids::{ActorId, OperationId};
use holdfast_core::time::UtcMillis;
use holdfast_station::ports::{DraftAsk, DraftHead, DraftOpening, DraftRecord, Drafts, JournalError, Typed};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use crate::columns::{Json, Text, text};
use crate::fault::Fault;
use crate::store::Store;

/// A site address that was typed; a field may also hold something else than a text.
const HEAD: &str = "SELECT operation_id, kind, application_id, saved_at,
    CASE json_type(typed, '$.OriginalAddress1') WHEN 'text' THEN trim(json_extract(typed, '$.OriginalAddress1')) END";

/// In which nothing was typed.
const EMPTY: &str = "'{}'";

impl Drafts for Store {
    fn open_draft(&self, ask: DraftAsk, drafts_max: u32) -> Result<DraftOpening, JournalError> {
        self.write_untold(move |tx| open(tx, &ask, drafts_max))
    }

    fn keep_draft(
        &self,
        actor: &ActorId,
        id: OperationId,
        typed: Typed,
        at: UtcMillis,
    ) -> Result<Option<UtcMillis>, JournalError> {
        let actor = actor.clone();
        self.write_untold(move |tx| keep(tx, &actor, id, &typed, at))
    }

    fn drafts(&self, actor: &ActorId) -> Result<Vec<DraftHead>, JournalError> {
        self.read(|tx| heads(tx, actor))
    }

    fn draft(&self, actor: &ActorId, id: OperationId) -> Result<Option<DraftRecord>, JournalError> {
        self.read(|tx| draft(tx, actor, id))
    }

    fn discard_draft(&self, actor: &ActorId, id: OperationId) -> Result<Option<DraftRecord>, JournalError> {
        let actor = actor.clone();
        self.write_untold(move |tx| {
            let found = draft(tx, &actor, id)?;
            found.map(|found| handed_in(tx, id).map(|()| found)).transpose()
        })
    }
}

/// The operation is accepted, or the draft thrown away: it is gone.
pub(crate) fn handed_in(tx: &Transaction<'_>, id: OperationId) -> Result<(), Fault> {
    tx.prepare_cached("DELETE FROM draft WHERE operation_id = ?1")?.execute(params![Text(id)])?;
    Ok(())
}

fn open(tx: &Transaction<'_>, ask: &DraftAsk, drafts_max: u32) -> Result<DraftOpening, Fault> {
    if let Some(untouched) = untouched(tx, ask)? {
        return Ok(DraftOpening::Open(untouched));
    }
    let count: u32 = tx
        .prepare_cached("SELECT count(*) FROM draft WHERE actor = ?1")?
        .query_row(params![Text(&ask.actor)], |row| row.get(0))?;
    if count >= drafts_max {
        return Ok(DraftOpening::TooMany);
    }
    let sql = format!(
        "INSERT INTO draft (operation_id, kind, application_id, actor, typed, opened_at, saved_at)
         VALUES (?1, ?2, ?3, ?4, {EMPTY}, ?5, ?5)"
    );
    tx.prepare_cached(&sql)?.execute(params![
        Text(ask.operation_id),
        Text(ask.kind),
        ask.application_id.map(Text),
        Text(&ask.actor),
        Text(ask.at),
    ])?;
    let opened = draft(tx, &ask.actor, ask.operation_id)?;
    opened.map(DraftOpening::Open).ok_or_else(|| Fault::damaged("a draft cannot be read back"))
}

fn untouched(conn: &Connection, ask: &DraftAsk) -> Result<Option<DraftRecord>, Fault> {
    let sql = format!(
        "{HEAD}, typed FROM draft WHERE actor = ?1 AND kind = ?2 AND application_id IS ?3 AND typed = {EMPTY}
         ORDER BY saved_at DESC LIMIT 1"
    );
    let asked = params![Text(&ask.actor), Text(ask.kind), ask.application_id.map(Text)];
    Ok(conn.prepare_cached(&sql)?.query_row(asked, draft_of).optional()?)
}

fn keep(
    tx: &Transaction<'_>,
    actor: &ActorId,
    id: OperationId,
    typed: &Typed,
    at: UtcMillis,
) -> Result<Option<UtcMillis>, Fault> {
    let sql = "UPDATE draft SET typed = ?3, saved_at = ?4 WHERE operation_id = ?1 AND actor = ?2";
    let rows = tx.prepare_cached(sql)?.execute(params![Text(id), Text(actor), Json(typed), Text(at)])?;
    Ok((rows == 1).then_some(at))
}

fn heads(conn: &Connection, actor: &ActorId) -> Result<Vec<DraftHead>, Fault> {
    let sql = format!(
        "{HEAD} FROM draft WHERE actor = ?1 AND typed <> {EMPTY} ORDER BY saved_at DESC, operation_id DESC"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let rows = statement.query_map(params![Text(actor)], head_of)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn draft(conn: &Connection, actor: &ActorId, id: OperationId) -> Result<Option<DraftRecord>, Fault> {
    let sql = format!("{HEAD}, typed FROM draft WHERE operation_id = ?1 AND actor = ?2");
    let found = conn.prepare_cached(&sql)?.query_row(params![Text(id), Text(actor)], draft_of);
    Ok(found.optional()?)
}

fn draft_of(row: &Row<'_>) -> rusqlite::Result<DraftRecord> {
    Ok(DraftRecord { head: head_of(row)?, typed: row.get::<_, Json<_>>(5)?.0 })
}

fn head_of(row: &Row<'_>) -> rusqlite::Result<DraftHead> {
    let about: Option<String> = row.get(4)?;
    Ok(DraftHead {
        operation_id: row.get::<_, Text<_>>(0)?.0,
        kind: row.get::<_, Text<_>>(1)?.0,
        application_id: text(row.get(2)?),
        saved_at: row.get::<_, Text<_>>(3)?.0,
        about: about.filter(|about| !about.is_empty()),
    })
}
