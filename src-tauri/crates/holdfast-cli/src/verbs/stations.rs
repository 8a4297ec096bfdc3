//! `stations`: what every station told the board last, so that what lies at one that is gone is known by its numbers.
//!
//! What the board said last is shown with its age when it does not answer now; when it never said anything the command comes
//! to nothing.

use std::fmt::Write as _;

use holdfast_wire::{BoardSaid, StationHearing, StationRow, StationView, StationsView};

use crate::arguments::Stations;
use crate::compose::{Desk, WayToSor};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Form, say};
use crate::table::{Table, or_dash};

pub(crate) fn stations(desk: &Desk, command: &Stations, form: Form) -> Result<Exit, Failure> {
    let mut writer = desk.writer(WayToSor::Needed)?;
    match command {
        Stations::List => {
            let view = writer.stations()?;
            let exit = exit_of(&view.board, view.as_of.as_deref())?;
            form.show(&view, plain)?;
            Ok(exit)
        }
        Stations::Show { id } => {
            let view = writer.station(id)?;
            let exit = exit_of(&view.board, view.as_of.as_deref())?;
            if view.station.is_none() {
                let sentence = "the board has never heard of a station of that name";
                return Err(Failure::new(Exit::Refused, "not-found", sentence));
            }
            form.show(&view, plain_one)?;
            Ok(exit)
        }
    }
}

/// Whether what is shown is the board's answer, its last one, or nothing at all.
fn exit_of(board: &BoardSaid, as_of: Option<&str>) -> Result<Exit, Failure> {
    let (code, why) = match board {
        BoardSaid::Answered => return Ok(Exit::Done),
        BoardSaid::NoBoard => {
            let sentence = "this station was set up without a board (`init --board URL`)";
            return Err(Failure::new(Exit::Refused, "no-board", sentence));
        }
        BoardSaid::NotAsked => ("not-asked", "the board was not asked".to_owned()),
        BoardSaid::NotAnswering { next_try_at: None } => {
            ("not-answering", "the board does not answer".to_owned())
        }
        BoardSaid::NotAnswering { next_try_at: Some(at) } => {
            ("not-answering", format!("the board does not answer; it is tried again at {at}"))
        }
        BoardSaid::Refused => {
            ("board-refused", "the board refuses this station, or cannot be read".to_owned())
        }
        BoardSaid::WrongSystem => {
            ("impostor", "what answered is not the board; look for a wrong address".to_owned())
        }
    };
    match as_of {
        Some(as_of) => {
            say(&format!("{why}; this is what it said at {as_of}"));
            Ok(Exit::Degraded)
        }
        None => Err(Failure::new(Exit::Surroundings, code, format!("{why}, and never said anything before"))),
    }
}

fn plain(view: &StationsView) -> String {
    let mut table =
        Table::new(&["STATION", "HEARD", "AT", "MODE", "SINCE", "WAITING", "DECIDE", "OLDEST", "HEAD"]);
    for told in &view.stations {
        table.row([
            told.station_id.clone(),
            hearing(told).to_owned(),
            told.heard_at.clone(),
            told.mode.clone(),
            or_dash(told.since.as_ref()),
            (told.books.pending + told.books.in_flight).to_string(),
            told.books.quarantined.to_string(),
            or_dash(told.oldest_accepted_at.as_ref()),
            told.head.seq.clone(),
        ]);
    }
    table.text()
}

fn hearing(told: &StationRow) -> &'static str {
    match told.hearing {
        StationHearing::Heard => "heard",
        StationHearing::Silent => "silent",
    }
}

fn plain_one(view: &StationView) -> String {
    let mut text = view.station.as_ref().map(headline).unwrap_or_default();
    let mut table = Table::new(&["RECEIPT", "NUMBER", "KIND", "ACCEPTED", "WHO", "STATE", "REASON"]);
    for item in &view.waiting {
        table.row([
            item.receipt_no.clone(),
            or_dash(item.permit_num.as_ref()),
            item.kind.clone(),
            item.accepted_at.clone(),
            or_dash(item.actor.as_ref()),
            item.state.clone(),
            or_dash(item.reason.as_ref()),
        ]);
    }
    text += &table.text();
    if view.left_out > 0 {
        let _ = writeln!(text, "and {} more, accepted later", view.left_out);
    }
    text
}

fn headline(told: &StationRow) -> String {
    let waits = told.books.pending + told.books.in_flight;
    format!(
        "{} ({}, last at {}): {}, {waits} wait, {} before a person; head {} {}\n\n",
        told.station_id,
        hearing(told),
        told.heard_at,
        told.mode,
        told.books.quarantined,
        told.head.seq,
        told.head.hash
    )
}
