//! The queue: what is not disposed of, and one operation in full.

use holdfast_core::ids::IdempotencyKey;
use holdfast_wire::{ApiCode, ApiError, ListRequest, QueueItemView, QueueRow};
use validator::Validate as _;

use crate::ports::{OperationRecord, Page};
use crate::station::Station;
use crate::views;

impl Station {
    /// Operations that are not disposed of, in the order of work.
    ///
    /// # Errors
    /// The request is beyond its limits, or the journal cannot be read.
    pub fn queue(&self, request: ListRequest) -> Result<Vec<QueueRow>, ApiError> {
        let _place = self.read_place()?;
        let page = page(request)?;
        let rows = self.ports.journal.waiting(page).map_err(|cause| views::journal_error(&cause))?;
        let now = self.now();
        let mut rows: Vec<QueueRow> = rows.iter().map(|row| views::queue_row(row, now)).collect();
        self.say_what_they_look_like(rows.iter_mut())?;
        self.say_what_lies_in_custody(rows.iter_mut())?;
        Ok(rows)
    }

    /// One operation by its key, waiting or archived.
    ///
    /// # Errors
    /// `NotFound`, or the journal cannot be read.
    pub fn operation(&self, key: &str) -> Result<QueueItemView, ApiError> {
        let _place = self.read_place()?;
        let key = key.parse().map_err(|_| views::error(ApiCode::NotFound))?;
        let failed = |cause| views::journal_error(&cause);
        let found = match self.ports.journal.operation(&key).map_err(failed)? {
            Some(found) => found,
            None => self.taken_back_by(&key)?.ok_or_else(|| views::error(ApiCode::NotFound))?,
        };
        let id = found.receipt.operation_id;
        let replacements = self.ports.journal.replacements(id).map_err(failed)?;
        let said = self.ports.journal.said(found.receipt.operation_id);
        let said = said.map_err(|cause| views::journal_error(&cause))?;
        let mut item = views::queue_item(&found, &replacements, &said, self.now());
        self.say_what_they_look_like(std::iter::once(&mut item.row))?;
        self.say_what_lies_in_custody(std::iter::once(&mut item.row))?;
        item.parcels = self.parcels_seen(id)?;
        Ok(item)
    }

    /// A void that took back what waited has no row: its key leads to what it took back.
    fn taken_back_by(&self, key: &IdempotencyKey) -> Result<Option<OperationRecord>, ApiError> {
        let failed = |cause| views::journal_error(&cause);
        let Some(id) = self.ports.journal.taken_back_by(key).map_err(failed)? else { return Ok(None) };
        let found = self.ports.journal.item(id).map_err(failed)?;
        Ok(found.map(|opened| opened.item.operation))
    }
}

/// A page within the limits of the request.
pub(crate) fn page(request: ListRequest) -> Result<Page, ApiError> {
    request.validate().map_err(|_| views::error(ApiCode::Refused))?;
    Ok(Page { skip: request.skip, rows: request.rows })
}
