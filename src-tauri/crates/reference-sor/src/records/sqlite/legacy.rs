//! The tables of an old vendor's system. A version is the time of the last change, later than the one before it.

use holdfast_core::ids::{ApplicationId, ETag};
use holdfast_core::lifecycle::{Stage, step};
use holdfast_core::time::UtcMillis;
use rusqlite::{OptionalExtension as _, Row, Transaction, params};
use serde_json::Value;

use super::super::{Answer, RecordsFault};
use super::SqliteRecords;
use super::codec::{self, stored};
use super::numbers;
use super::operations::{self, New};
use crate::entropy;
use crate::judge::shown_stage;
use crate::legacy::records::{
    Change, Changed, Effect, Entered, LegacyRecords, LineView, List, Listed, Marks, NewRecord, RecordView,
    Search,
};

const RECORD: &str = "SELECT a.record_id, a.permit_num, a.stage, a.application_id, w.reference, w.external_id,
       coalesce(w.modified, trim(a.etag, '\"')), trim(a.etag, '\"'), a.payload
  FROM applications a LEFT JOIN legacy_writes w ON w.application_id = a.application_id AND w.list = 'records'";

/// A record that is to be changed.
struct Standing {
    application_id: ApplicationId,
    stage: Stage,
    updated_at: UtcMillis,
}

impl LegacyRecords for SqliteRecords {
    fn prepare(&self) -> Answer<()> {
        self.write_with(|tx| {
            tx.execute_batch(include_str!("legacy.sql"))?;
            stamp_what_was_planted(tx)
        })
    }

    fn create(&self, new: &NewRecord, marks: &Marks, entered: &Entered) -> Answer<RecordView> {
        self.write_with(|tx| create(tx, new, marks, entered))
    }

    fn search(&self, search: &Search<'_>, limit_rows: u32) -> Answer<Vec<RecordView>> {
        self.read_with(|tx| {
            let (column, text) = match *search {
                Search::Reference(text) => ("w.reference", text),
                Search::Application(text) => ("w.named", text),
            };
            let sql = format!("{RECORD} WHERE {column} = ?1 ORDER BY a.n LIMIT ?2");
            let mut select = tx.prepare_cached(&sql)?;
            let rows = select.query_map(params![text, limit_rows], record_view)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn record(&self, id: &str) -> Answer<Option<RecordView>> {
        self.read_with(|tx| record(tx, id))
    }

    fn change(&self, id: &str, change: &Change, marks: &Marks, entered: &Entered) -> Answer<Changed> {
        self.write_with(|tx| apply(tx, id, change, marks, entered))
    }

    fn list(&self, id: &str, list: List, limit_rows: u32) -> Answer<Option<Listed>> {
        self.read_with(|tx| {
            let Some(record) = record(tx, id)? else { return Ok(None) };
            let mut select = tx.prepare_cached(
                "SELECT n, kind, reference, comment, external_id, modified FROM legacy_writes
                 WHERE application_id = ?1 AND list = ?2 ORDER BY n DESC LIMIT ?3",
            )?;
            let rows = select.query_map(params![record.application_id, list.word(), limit_rows], |row| {
                line_view(row, list)
            })?;
            let lines = rows.collect::<rusqlite::Result<_>>()?;
            Ok(Some(Listed { record, lines }))
        })
    }

    fn legacy_ledger(&self) -> Answer<Vec<Effect>> {
        self.read_with(ledger)
    }
}

/// What a city was planted with has versions of the other form.
fn stamp_what_was_planted(tx: &Transaction<'_>) -> Answer<()> {
    let mut select = tx.prepare("SELECT n, updated_at FROM applications WHERE etag NOT LIKE '\"%Z\"'")?;
    let rows = select.query_map([], |row| Ok((row.get::<_, i64>(0)?, codec::time(row, 1)?)))?;
    for (n, at) in rows.collect::<rusqlite::Result<Vec<_>>>()? {
        tx.execute("UPDATE applications SET etag = ?2 WHERE n = ?1", params![n, etag(at).as_str()])?;
    }
    Ok(())
}

fn create(tx: &Transaction<'_>, new: &NewRecord, marks: &Marks, entered: &Entered) -> Answer<RecordView> {
    let at = entered.arrived_at;
    let id = free_id(tx, new.application_id.as_deref())?;
    let permit_num = numbers::permit_num(tx, &new.fields, at, &mut Vec::new())?;
    let etag = etag(at);
    let row = New { id, etag: &etag, stage: Stage::Intake, at };
    let record_id = operations::add_application(tx, &row, &permit_num, &new.fields)?;
    let write =
        Write { id, list: List::Records, content: &new.fields, named: new.application_id.as_deref(), at };
    keep(tx, &write, marks, entered)?;
    record(tx, record_id.as_str())?.ok_or(RecordsFault::Unreadable { what: "record" })
}

/// The sender's own name of a record, if no other record has it.
fn free_id(tx: &Transaction<'_>, named: Option<&str>) -> Answer<ApplicationId> {
    if let Some(id) = named.and_then(|text| text.parse::<ApplicationId>().ok()) {
        let mut select = tx.prepare_cached("SELECT 1 FROM applications WHERE application_id = ?1")?;
        if !select.exists([stored(&id)])? {
            return Ok(id);
        }
    }
    let bytes = entropy::bytes::<16>().map_err(|_| RecordsFault::Unreadable { what: "entropy" })?;
    Ok(ApplicationId::from_uuid(uuid::Builder::from_random_bytes(bytes).into_uuid()))
}

fn apply(
    tx: &Transaction<'_>,
    record_id: &str,
    change: &Change,
    marks: &Marks,
    entered: &Entered,
) -> Answer<Changed> {
    let Some(standing) = standing(tx, record_id)? else { return Ok(Changed::NoSuchRecord) };
    let at = entered.arrived_at.max(standing.updated_at.plus_millis(1));
    let id = standing.application_id;
    let empty = Value::Null;
    let (list, content, stage) = match change {
        Change::Status(to) => match status_after(standing.stage, *to) {
            Some(stage) => (List::History, &empty, stage),
            None => return Ok(Changed::StatusNotAllowed),
        },
        Change::Fields(fields) => {
            let mut update =
                tx.prepare_cached("UPDATE applications SET payload = ?2 WHERE application_id = ?1")?;
            update.execute(params![stored(&id), fields.to_string()])?;
            (List::History, fields, standing.stage)
        }
        Change::Inspection(result) => {
            operations::add_inspection(tx, id, result)?;
            (List::Inspections, result, standing.stage)
        }
        Change::Line(list, content) => (*list, content, standing.stage),
    };
    operations::touch(tx, id, &etag(at), stage, at)?;
    let n = keep(tx, &Write { id, list, content, named: None, at }, marks, entered)?;
    let mut select = tx.prepare_cached(
        "SELECT n, kind, reference, comment, external_id, modified FROM legacy_writes WHERE n = ?1",
    )?;
    Ok(Changed::Done(select.query_row([n], |row| line_view(row, list))?))
}

/// The same status may be set again: an old system writes twice what it is sent twice.
fn status_after(stage: Stage, to: Stage) -> Option<Stage> {
    let again = stage == to || (stage == Stage::Returned && to == Stage::Intake);
    if again { Some(stage) } else { step(stage, to, Some("as it stands in the comment")).ok() }
}

fn standing(tx: &Transaction<'_>, record_id: &str) -> Answer<Option<Standing>> {
    let mut select =
        tx.prepare_cached("SELECT application_id, stage, updated_at FROM applications WHERE record_id = ?1")?;
    let standing = select.query_row([record_id], |row| {
        Ok(Standing {
            application_id: codec::text(row, 0)?,
            stage: codec::text(row, 1)?,
            updated_at: codec::time(row, 2)?,
        })
    });
    Ok(standing.optional()?)
}

struct Write<'a> {
    id: ApplicationId,
    list: List,
    content: &'a Value,
    named: Option<&'a str>,
    at: UtcMillis,
}

fn keep(tx: &Transaction<'_>, write: &Write<'_>, marks: &Marks, entered: &Entered) -> Answer<i64> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO legacy_writes (application_id, list, kind, reference, comment, external_id, named, content, modified,
                                    sequence, entered_at, entered_by, station_id, arrived_at, body_digest)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    )?;
    insert.execute(params![
        stored(&write.id),
        write.list.word(),
        entered.kind,
        marks.reference,
        marks.comment,
        marks.external_id,
        write.named,
        write.content.to_string(),
        stored(&write.at),
        codec::integer(entered.sequence),
        entered.at,
        entered.by,
        entered.station,
        entered.arrived_at.millis(),
        entered.body_digest,
    ])?;
    Ok(tx.last_insert_rowid())
}

fn record(tx: &Transaction<'_>, id: &str) -> Answer<Option<RecordView>> {
    let sql = format!("{RECORD} WHERE a.record_id = ?1");
    Ok(tx.prepare_cached(&sql)?.query_row([id], record_view).optional()?)
}

fn record_view(row: &Row<'_>) -> rusqlite::Result<RecordView> {
    Ok(RecordView {
        id: row.get(0)?,
        number: row.get(1)?,
        status: shown_stage(codec::text(row, 2)?),
        application_id: row.get(3)?,
        reference: row.get(4)?,
        external_id: row.get(5)?,
        created: row.get(6)?,
        modified: row.get(7)?,
        fields: codec::json(row, 8)?,
    })
}

fn line_view(row: &Row<'_>, list: List) -> rusqlite::Result<LineView> {
    let n: i64 = row.get(0)?;
    Ok(LineView {
        id: format!("AF-{}-{n:07}", list.word()),
        kind: row.get(1)?,
        reference: row.get(2)?,
        comment: row.get(3)?,
        external_id: row.get(4)?,
        modified: row.get(5)?,
    })
}

fn ledger(tx: &Transaction<'_>) -> Answer<Vec<Effect>> {
    let mut select = tx.prepare_cached(
        "SELECT w.reference, w.comment, coalesce(w.named, w.application_id), a.permit_num, w.kind, w.sequence, w.entered_at,
                w.entered_by, w.station_id, w.arrived_at, w.body_digest
         FROM legacy_writes w JOIN applications a ON a.application_id = w.application_id ORDER BY w.n",
    )?;
    let rows = select.query_map([], |row| {
        let reference: Option<String> = row.get(0)?;
        let comment: Option<String> = row.get(1)?;
        Ok(Effect {
            key: reference.or_else(|| comment.as_deref().and_then(in_comment)).unwrap_or_default(),
            application_id: row.get(2)?,
            permit_num: row.get(3)?,
            kind: row.get(4)?,
            local_seq: codec::count(row, 5)?,
            accepted_at: row.get(6)?,
            actor: row.get(7)?,
            station_id: row.get(8)?,
            arrived_at: codec::time(row, 9)?,
            body_digest: row.get(10)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The reference that stands in a comment: its first run of 64 hexadecimal digits.
fn in_comment(comment: &str) -> Option<String> {
    let runs = comment.split(|c: char| !c.is_ascii_hexdigit());
    runs.filter(|run| run.len() == 64).map(str::to_owned).next()
}

fn etag(at: UtcMillis) -> ETag {
    format!("\"{at}\"").parse().expect("a time in quotes is an entity tag")
}
