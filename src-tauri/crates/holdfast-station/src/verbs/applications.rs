//! Applications as they stand here, with what was accepted and is not recorded yet.

use holdfast_wire::{ApiCode, ApiError, ApplicationRow, ApplicationView, ListRequest};

use crate::station::Station;
use crate::verbs::parcels::parcel_view;
use crate::verbs::queue::page;
use crate::views;

impl Station {
    /// Applications, latest change first.
    ///
    /// # Errors
    /// The request is beyond its limits, or the journal cannot be read.
    pub fn applications(&self, request: ListRequest) -> Result<Vec<ApplicationRow>, ApiError> {
        let _place = self.read_place()?;
        let page = page(request)?;
        let rows = self.ports.journal.applications(page).map_err(|cause| views::journal_error(&cause))?;
        Ok(rows.iter().map(views::application_row).collect())
    }

    /// One application with its operations, oldest first.
    ///
    /// # Errors
    /// `NotFound`, or the journal cannot be read.
    pub fn application(&self, id: &str) -> Result<ApplicationView, ApiError> {
        let _place = self.read_place()?;
        let id = id.parse().map_err(|_| views::error(ApiCode::NotFound))?;
        let found = self.ports.journal.application(id).map_err(|cause| views::journal_error(&cause))?;
        let (record, operations) = found.ok_or_else(|| views::error(ApiCode::NotFound))?;
        let parcels = self.ports.journal.parcels_of(id).map_err(|cause| views::journal_error(&cause))?;
        let parcels = parcels.iter().map(parcel_view).collect();
        Ok(ApplicationView { parcels, ..views::application(&record, &operations, self.now()) })
    }
}
