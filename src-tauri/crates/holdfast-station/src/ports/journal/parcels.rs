//! The copy of the city's parcels, and what was seen of them when an application was accepted.

use holdfast_core::breaker::Admission;
use holdfast_core::ids::{ApplicationId, OperationId};
use holdfast_core::parcel::copying::{CopyRun, ParcelCopy};
use holdfast_core::parcel::{Parcel, ParcelDecision, Pin, Seen};
use holdfast_core::time::{Now, UtcMillis};

use super::JournalError;

/// A page of a run, and how far the copy has come with it.
#[derive(Clone, Debug, PartialEq)]
pub struct KeepParcels {
    /// The run that it belongs to, as it was before.
    pub run: CopyRun,
    /// Its parcels.
    pub parcels: Vec<Parcel>,
    /// How far the copy has come.
    pub copy: ParcelCopy,
}

/// What is known here of parcels that are looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct ParcelFacts {
    /// When the copy was asked for, if there is one.
    pub copied: Option<Now>,
    /// Those of them that are in it.
    pub found: Vec<Parcel>,
    /// The breaker of the GIS at this moment.
    pub breaker: Admission,
}

/// What was seen of one parcel when an application was accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenParcel {
    /// Its number.
    pub pin: Pin,
    /// What the copy said.
    pub seen: Seen,
    /// When that was.
    pub at: UtcMillis,
}

/// What is kept of the parcels of an acceptance.
#[derive(Clone, Debug, PartialEq)]
pub struct LookedAt {
    /// Each of them.
    pub parcels: Vec<SeenParcel>,
    /// What was decided about them, for the audit.
    pub decision: ParcelDecision,
}

/// The part of the journal that keeps parcels. They are no acts, so the audit is told only of what was decided from them.
pub trait ParcelCopies {
    /// How far the copy has come; none where no GIS was set up.
    ///
    /// # Errors
    /// It cannot be read.
    fn parcel_copy(&self) -> Result<Option<ParcelCopy>, JournalError>;

    /// Keeps a page, all of it or nothing, and how far the copy has come; some of the rows that no copy has any more go.
    ///
    /// # Errors
    /// Nothing was kept.
    fn keep_parcels(&self, page: KeepParcels) -> Result<(), JournalError>;

    /// A run is given up; the next one begins anew.
    ///
    /// # Errors
    /// It goes on.
    fn give_up_parcels(&self) -> Result<(), JournalError>;

    /// What is known of these parcels; none where no GIS was set up.
    ///
    /// # Errors
    /// It cannot be read.
    fn parcel_facts(&self, now: Now, pins: &[Pin]) -> Result<Option<ParcelFacts>, JournalError>;

    /// What was seen when an operation was accepted.
    ///
    /// # Errors
    /// It cannot be read.
    fn parcels_seen(&self, id: OperationId) -> Result<Vec<SeenParcel>, JournalError>;

    /// What was seen when the last operation of an application was accepted that names its parcels and was not voided.
    ///
    /// # Errors
    /// It cannot be read.
    fn parcels_of(&self, id: ApplicationId) -> Result<Vec<SeenParcel>, JournalError>;
}
