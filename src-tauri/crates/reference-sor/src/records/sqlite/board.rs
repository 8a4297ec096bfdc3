//! The rows of the board, in the same file as everything else.

use holdfast_core::audit::SignedHead;
use holdfast_core::board::{BoardReport, BoardRow, head_at_board, is_older};
use holdfast_core::ids::StationId;
use holdfast_core::time::UtcMillis;
use rusqlite::{OptionalExtension as _, Row, Transaction, params};
use serde::Serialize;

use super::super::{Answer, RecordsFault};
use super::{SqliteRecords, codec};
use crate::board::rows::{BoardRows, Told};

impl SqliteRecords {
    /// Makes the table when it is not there.
    ///
    /// # Errors
    /// [`RecordsFault`]
    pub(crate) fn put_up_board(&self) -> Answer<()> {
        self.write_with(|tx| Ok(tx.execute_batch(include_str!("board.sql"))?))
    }
}

impl BoardRows for SqliteRecords {
    fn tell(&self, report: &BoardReport, at: UtcMillis) -> Answer<Told> {
        self.write_with(|tx| tell(tx, report, at))
    }

    fn rows(&self, after: Option<&StationId>, limit_rows: u32) -> Answer<Vec<BoardRow>> {
        self.read_with(|tx| rows(tx, after, limit_rows))
    }
}

fn tell(tx: &Transaction<'_>, report: &BoardReport, at: UtcMillis) -> Answer<Told> {
    let kept = row(tx, &report.station_id)?;
    if kept.as_ref().is_some_and(|kept| is_older(&kept.report, report)) {
        return Ok(Told::Older);
    }
    let head = head_at_board(kept.map(|kept| kept.head), report.audit_head.clone());
    tx.execute(
        "INSERT INTO board (station_id, heard_at, head, report) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (station_id) DO UPDATE SET heard_at = ?2, head = ?3, report = ?4",
        params![report.station_id.as_str(), at.millis(), text(&head.kept)?, text(report)?],
    )?;
    Ok(Told::Kept(head.answered))
}

fn row(tx: &Transaction<'_>, station: &StationId) -> Answer<Option<BoardRow>> {
    let mut select = tx.prepare_cached("SELECT heard_at, head, report FROM board WHERE station_id = ?1")?;
    Ok(select.query_row([station.as_str()], of_row).optional()?)
}

fn rows(tx: &Transaction<'_>, after: Option<&StationId>, limit_rows: u32) -> Answer<Vec<BoardRow>> {
    let sql = "SELECT heard_at, head, report FROM board WHERE station_id > ?1 ORDER BY station_id LIMIT ?2";
    let mut select = tx.prepare_cached(sql)?;
    // Every name is after the empty text.
    let rows = select.query_map(params![after.map_or("", StationId::as_str), limit_rows], of_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn of_row(row: &Row<'_>) -> rusqlite::Result<BoardRow> {
    Ok(BoardRow {
        heard_at: codec::time(row, 0)?,
        head: codec::json::<SignedHead>(row, 1)?,
        report: codec::json::<BoardReport>(row, 2)?,
    })
}

fn text(value: &impl Serialize) -> Answer<String> {
    serde_json::to_string(value).map_err(|_| RecordsFault::Unreadable { what: "board row" })
}
