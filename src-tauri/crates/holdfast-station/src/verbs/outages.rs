//! Outages and backlog: what a supervisor sees of what happened and of what waits.

use holdfast_wire::{
    ApiCode, ApiError, BacklogHour, BacklogHours, ListRequest, OutageRow, OutageView, OutagesView, TryView,
};

use crate::ports::{OutageInFull, OutageRecord, Try};
use crate::station::Station;
use crate::verbs::endpoints::held_view;
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

    /// One outage with what was tried in it and who held the endpoint.
    ///
    /// # Errors
    /// `NotFound` when there is none of this id; the journal cannot be read.
    pub fn outage(&self, id: &str) -> Result<OutageView, ApiError> {
        let _place = self.read_place()?;
        let not_found = || views::error(ApiCode::NotFound);
        let id = id.parse().map_err(|_| not_found())?;
        let found = self.ports.journal.outage(id).map_err(|cause| views::journal_error(&cause))?;
        let OutageInFull { record, tries, holds } = found.ok_or_else(not_found)?;
        let left_out = record.tries.saturating_sub(tries.len() as u64);
        Ok(OutageView {
            outage: row(&record),
            tries: tries.iter().map(|(n, tried)| try_view(*n, tried)).collect(),
            left_out: views::shown(left_out),
            holds: holds.iter().map(held_view).collect(),
        })
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

fn try_view(n: u64, tried: &Try) -> TryView {
    TryView {
        n: views::shown(n),
        at: tried.at.to_string(),
        what: tried.what.word().to_owned(),
        outcome: tried.outcome.clone(),
        next_try_at: tried.next_try_at.map(|at| at.to_string()),
    }
}

fn row(outage: &OutageRecord) -> OutageRow {
    OutageRow {
        outage_id: outage.outage_id.to_string(),
        endpoint: outage.endpoint.to_string(),
        first_failure_at: outage.first_failure_at.to_string(),
        tripped_at: outage.tripped_at.to_string(),
        closed_at: outage.closed_at.map(|at| at.to_string()),
        cause: outage.cause.map(|cause| cause.word().to_owned()),
        announced_until: outage.announced_until.map(|at| at.to_string()),
        held: outage.held.as_ref().map(held_view),
        tries: views::shown(outage.tries),
        books: views::books(&outage.books),
    }
}
