//! The city's parcels, as its GIS answers for them.
//!
//! Promise: parcels are public, so that whoever asks is answered; nothing here is about a permit, and no station writes.
//! A page is whole parcels in the order of their numbers; what changed since a moment can be asked for alone. A parcel that
//! is gone is in no page any more: who carries a copy notices by fetching all of them.

pub(crate) mod demo;

use holdfast_core::parcel::{Parcel, Pin};
use holdfast_core::time::UtcMillis;

use crate::records::RecordsFault;

/// Rows of one page when nothing is asked for.
pub(crate) const PAGE_ROWS: u32 = 250;
/// Rows of one page at most.
pub(crate) const LIMIT_MAX: u32 = 500;

type Answer<T> = Result<T, RecordsFault>;

/// Where parcels are kept.
pub(crate) trait ParcelBook: Send + Sync {
    /// Makes the table when it is not there, and plants parcels into an empty one.
    fn open_parcels(&self, planted: &[Parcel]) -> Answer<()>;

    /// Parcels after a number, of those changed since a moment.
    fn parcels(
        &self,
        after: Option<&Pin>,
        changed_since: Option<UtcMillis>,
        limit_rows: u32,
    ) -> Answer<Vec<Parcel>>;

    /// One parcel.
    fn parcel(&self, pin: &Pin) -> Answer<Option<Parcel>>;

    /// A parcel is as it is said now, whether it was there before or not.
    fn put_parcel(&self, parcel: &Parcel) -> Answer<()>;

    /// A parcel is gone; false when it was not there.
    fn remove_parcel(&self, pin: &Pin) -> Answer<bool>;
}
