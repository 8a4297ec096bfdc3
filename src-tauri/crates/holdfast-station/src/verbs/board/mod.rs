//! Stations: what the board says of all of them, and the last copy of it.
//!
//! Promise: what the board said is shown with when it said it; a board that does not answer leaves the last copy standing,
//! with its age, and is never shown as if nothing waited anywhere. No station is called heard because nothing is known of it.

mod telling;

use holdfast_core::beside::Part;
use holdfast_core::board::{BoardRow, WaitingTold};
use holdfast_core::ids::{EndpointName, StationId};
use holdfast_core::outcome::QuarantineReason;
use holdfast_core::time::UtcMillis;
use holdfast_wire::{
    ApiError, BoardSaid, StationContract, StationHead, StationHearing, StationItem, StationRow, StationView,
    StationWhose, StationsView,
};

pub use telling::BoardLook;

use crate::beside::BesideAnswer;
use crate::ports::{BOARD_STATIONS_MAX_ROWS, Board, BoardCopy, JournalError, Sockets, SorFault};
use crate::station::Station;
use crate::verbs::drain::on_journal;
use crate::views;

impl Station {
    /// The last copy of what the board says of all stations; nobody is asked.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn known_stations(&self) -> Result<StationsView, ApiError> {
        let _place = self.read_place()?;
        let read = || Ok(self.all_of(self.unasked()?, self.ports.journal.board_copy()?.as_ref()));
        read().map_err(|cause: JournalError| views::journal_error(&cause))
    }

    /// The same of one of them, with what waits there.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn known_station(&self, id: &str) -> Result<StationView, ApiError> {
        let _place = self.read_place()?;
        let read = || Ok(self.one_of(id, self.unasked()?, self.ports.journal.board_copy()?.as_ref()));
        read().map_err(|cause: JournalError| views::journal_error(&cause))
    }

    /// Asks the board, and keeps a copy of what it says; what it said last when it does not answer.
    ///
    /// # Errors
    /// The journal cannot be used, or too many are asking.
    pub async fn stations(&self) -> Result<StationsView, ApiError> {
        let (said, copy) = self.ask_board().await?;
        Ok(self.all_of(said, copy.as_ref()))
    }

    /// The same of one of them, with what waits there.
    ///
    /// # Errors
    /// The journal cannot be used, or too many are asking.
    pub async fn told_by(&self, id: &str) -> Result<StationView, ApiError> {
        let (said, copy) = self.ask_board().await?;
        Ok(self.one_of(id, said, copy.as_ref()))
    }

    async fn ask_board(&self) -> Result<(BoardSaid, Option<BoardCopy>), ApiError> {
        let _place = self.ask_place()?;
        let asked = async {
            let said = self.board_said().await?;
            Ok((said, on_journal(&self.ports.journal, |journal| journal.board_copy()).await?))
        };
        asked.await.map_err(|cause: JournalError| views::journal_error(&cause))
    }

    async fn board_said(&self) -> Result<BoardSaid, JournalError> {
        let Some(board) = self.ports.beside.board.clone() else { return Ok(BoardSaid::NoBoard) };
        let name = EndpointName::board();
        Ok(match self.ask_beside(&name, |sockets| all_pages(&*board, sockets)).await? {
            BesideAnswer::Came((as_of, rows)) => {
                let copy = BoardCopy { as_of, copied_at: self.now().wall, rows };
                on_journal(&self.ports.journal, move |journal| journal.keep_board_copy(copy)).await?;
                BoardSaid::Answered
            }
            BesideAnswer::Failed(fault) => failed(&fault),
            BesideAnswer::NotNow { next_try_at } => {
                BoardSaid::NotAnswering { next_try_at: next_try_at.map(|at| at.to_string()) }
            }
        })
    }

    /// A station that was opened for reading alone has no way to the board, and still was set up with one.
    fn unasked(&self) -> Result<BoardSaid, JournalError> {
        let is_board = |part: Part| part.endpoint() == EndpointName::board();
        let there = self.ports.beside.board.is_some()
            || self.ports.journal.besides()?.iter().any(|beside| is_board(beside.part));
        Ok(if there { BoardSaid::NotAsked } else { BoardSaid::NoBoard })
    }

    fn all_of(&self, board: BoardSaid, copy: Option<&BoardCopy>) -> StationsView {
        let own = &self.ports.journal.station().station_id;
        let shown = copy.iter().flat_map(|copy| copy.rows.iter().map(|row| shown(row, copy, own)));
        StationsView { board, as_of: as_of(copy), stations: shown.collect() }
    }

    fn one_of(&self, id: &str, board: BoardSaid, copy: Option<&BoardCopy>) -> StationView {
        let own = &self.ports.journal.station().station_id;
        let is_it = |row: &&BoardRow| row.report.station_id.as_str() == id;
        let found = copy.and_then(|copy| Some((copy, copy.rows.iter().find(is_it)?)));
        let report = found.map(|(_, row)| &row.report);
        StationView {
            board,
            as_of: as_of(copy),
            station: found.map(|(copy, row)| shown(row, copy, own)),
            waiting: report.iter().flat_map(|report| report.waiting.iter().map(item)).collect(),
            left_out: report.map_or(0, |report| views::shown(report.left_out)),
        }
    }
}

fn as_of(copy: Option<&BoardCopy>) -> Option<String> {
    copy.map(|copy| copy.copied_at.to_string())
}

/// Page after page, at most [`BOARD_STATIONS_MAX_ROWS`]; each page goes on where the last one ended.
async fn all_pages(board: &dyn Board, sockets: Sockets) -> Result<(UtcMillis, Vec<BoardRow>), SorFault> {
    let mut rows: Vec<BoardRow> = Vec::new();
    loop {
        let after = rows.last().map(|row| row.report.station_id.clone());
        let page = board.stations(after.as_ref(), sockets).await?;
        let ended = page.next.is_none() || page.rows.is_empty();
        rows.extend(page.rows);
        if ended || rows.len() >= BOARD_STATIONS_MAX_ROWS {
            rows.truncate(BOARD_STATIONS_MAX_ROWS);
            return Ok((page.as_of, rows));
        }
    }
}

fn failed(fault: &SorFault) -> BoardSaid {
    tracing::warn!(error = %fault, "the board");
    match fault {
        SorFault::NotAnswering => BoardSaid::NotAnswering { next_try_at: None },
        SorFault::Impostor => BoardSaid::WrongSystem,
        SorFault::StationUnauthorized | SorFault::Refused { .. } | SorFault::Unreadable => BoardSaid::Refused,
    }
}

fn shown(row: &BoardRow, copy: &BoardCopy, own: &StationId) -> StationRow {
    let BoardRow { report, head, .. } = row;
    let silent_ms = copy.as_of.millis_since(row.heard_at);
    StationRow {
        station_id: report.station_id.to_string(),
        whose: if report.station_id == *own { StationWhose::This } else { StationWhose::Other },
        hearing: if row.is_silent(copy.as_of) { StationHearing::Silent } else { StationHearing::Heard },
        heard_at: copy.copied_at.plus_millis(-silent_ms).to_string(),
        mode: report.mode.word().to_owned(),
        since: report.since.map(|at| at.to_string()),
        program: report.program.to_string(),
        books: views::books(&report.books),
        oldest_accepted_at: report.oldest_accepted_at.map(|at| at.to_string()),
        contract: report.contract.map(|contract| StationContract {
            version: views::shown(contract.version),
            valid: contract.valid,
        }),
        head: StationHead {
            seq: head.head.seq.to_string(),
            hash: head.head.hash.to_string(),
            at: head.head.at.to_string(),
        },
    }
}

fn item(row: &WaitingTold) -> StationItem {
    StationItem {
        receipt_no: row.receipt_no.to_string(),
        permit_num: row.permit_num.as_ref().map(ToString::to_string),
        kind: row.kind.word().to_owned(),
        accepted_at: row.accepted_at.to_string(),
        actor: row.actor.as_ref().map(ToString::to_string),
        state: row.state.word().to_owned(),
        reason: row.reason.map(QuarantineReason::word).map(str::to_owned),
    }
}
