//! Outages and backlog: what a supervisor sees of what happened and of what waits.

use holdfast_wire::{ApiError, BacklogHour, BacklogHours, ListRequest, OutageRow, OutagesView};

use crate::ports::OutageRecord;
use crate::station::Station;
use crate::verbs::queue::page;
use crate::views;

/// Hours of the backlog that are told one by one.
const BACKLOG_HOURS_MAX: u32 = 24;

impl Station {
    /// The outage register, latest first.
    ///
    /// # Errors
    /// The request is beyond its limits, or the journal cannot be read.
    pub fn outages(&self, request: ListRequest) -> Result<OutagesView, ApiError> {
        let _place = self.read_place()?;
        let page = page(request)?;
        let (rows, all) = self.ports.journal.outages(page).map_err(|cause| views::journal_error(&cause))?;
        Ok(OutagesView { rows: rows.iter().map(row).collect(), all })
    }

    /// What waits by the hour in which it was accepted.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn backlog_hours(&self) -> Result<BacklogHours, ApiError> {
        let _place = self.read_place()?;
        let backlog = self.ports.journal.backlog(BACKLOG_HOURS_MAX);
        let backlog = backlog.map_err(|cause| views::journal_error(&cause))?;
        let hours = backlog
            .hours
            .iter()
            .map(|(from, waiting)| BacklogHour { from: from.to_string(), waiting: views::shown(*waiting) });
        Ok(BacklogHours { hours: hours.collect(), earlier: views::shown(backlog.earlier) })
    }
}

fn row(outage: &OutageRecord) -> OutageRow {
    OutageRow {
        outage_id: outage.outage_id.to_string(),
        endpoint: outage.endpoint.to_string(),
        first_failure_at: outage.first_failure_at.to_string(),
        tripped_at: outage.tripped_at.to_string(),
        closed_at: outage.closed_at.map(|at| at.to_string()),
        books: views::books(&outage.books),
    }
}
