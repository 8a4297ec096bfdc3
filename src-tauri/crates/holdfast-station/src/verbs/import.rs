//! Import: many new applications, each through the way of every acceptance.
//!
//! Promise: the ids come from the source's own numbers, so the same row again meets what it was before, and a changed
//! one is refused. Reading the file is the edge's matter.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::import::{ImportRow, import_application_id, import_operation_id};
use holdfast_core::operation::Kind;
use holdfast_wire::{ApiError, ImportEnd, ReceiptView};

use crate::ports::Accepting;
use crate::station::Station;
use crate::submission::Submission;
use crate::verbs::submit::refused;
use crate::views;

/// What became of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Imported {
    /// Accepted now.
    Accepted(ReceiptView),
    /// Accepted before, with the same content.
    Already(ReceiptView),
}

impl Station {
    /// Accepts one row as a new application. Blocks for one transaction.
    ///
    /// # Errors
    /// As [`Station::submit`]; problems point into the row by the names of its columns.
    pub fn import_row(&self, row: &ImportRow) -> Result<Imported, ApiError> {
        let station = &self.ports.journal.station().station_id;
        let submission = Submission {
            kind: Kind::Application,
            operation_id: Some(import_operation_id(station, &row.permit_num)),
            application_id: Some(import_application_id(station, &row.permit_num)),
            base: None,
            payload: row.payload.clone(),
        };
        match self.accept(submission)? {
            Accepting::Accepted(receipt) => Ok(Imported::Accepted(views::receipt(&receipt))),
            Accepting::Already(receipt) => Ok(Imported::Already(views::receipt(&receipt))),
            Accepting::Refused(refusal) => Err(by_column(refused(&refusal))),
        }
    }

    /// Audits that an import ended. Blocks for one transaction.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn import_finished(&self, end: ImportEnd) -> Result<(), ApiError> {
        let entry = Entry::new(EventKind::ImportFinished)
            .with("accepted", end.accepted)
            .with("already", end.already)
            .with("refused", end.refused);
        let actor = self.signed().map(|signed| signed.statement.actor);
        let entry = actor.into_iter().fold(entry, Entry::by);
        let noted = self.ports.journal.note(self.now(), vec![entry]);
        noted.map_err(|cause| views::journal_error(&cause))
    }
}

fn by_column(mut error: ApiError) -> ApiError {
    for problem in &mut error.problems {
        if let Some(inner) = problem.pointer.strip_prefix("/payload") {
            problem.pointer = inner.to_owned();
        }
    }
    error
}
