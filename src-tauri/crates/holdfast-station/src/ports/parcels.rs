//! The city's GIS, as the station speaks to it: parcels, a page at a time. Nothing is written there.

use async_trait::async_trait;
use holdfast_core::parcel::Parcel;
use holdfast_core::time::UtcMillis;

use super::{Sockets, SorFault};

/// Which page of parcels is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParcelsAsk {
    /// After what it begins, as the page before said.
    pub after: Option<String>,
    /// Those that changed since, by the clock of the GIS; all of them without.
    pub changed_since: Option<UtcMillis>,
}

/// A page of parcels.
#[derive(Clone, Debug, PartialEq)]
pub struct ParcelsPage {
    /// Them, in the order of their numbers.
    pub parcels: Vec<Parcel>,
    /// After what the next one begins; none on the last.
    pub next: Option<String>,
    /// When it was read, by the clock of the GIS.
    pub as_of: UtcMillis,
}

/// The GIS. One call is one attempt and ends within the limits of its endpoint.
#[async_trait]
pub trait Parcels: Send + Sync {
    /// A page, whole or not at all.
    ///
    /// # Errors
    /// What is wrong with the answer, or that there is none.
    async fn parcels(&self, ask: &ParcelsAsk, sockets: Sockets) -> Result<ParcelsPage, SorFault>;
}
