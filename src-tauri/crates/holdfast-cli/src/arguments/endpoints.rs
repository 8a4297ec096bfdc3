//! What can be said about the endpoints, and about what was copied from them or to them.

use clap::Subcommand;
use holdfast_core::ids::StationId;
use holdfast_core::parcel::Pin;

use super::Paging;

#[derive(Debug, Subcommand)]
pub(crate) enum Parcels {
    /// One parcel with the age of the copy, or that it is not in it
    Show {
        /// Its number, as the city writes it
        #[arg(value_name = "PIN")]
        pin: Pin,
    },
    /// Bring the copy up to date now
    Refresh,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Stations {
    /// Who was heard when, and how much waits there
    List,
    /// What waits at one of them: receipts, numbers, times and who handed it in
    Show {
        /// Its name
        #[arg(value_name = "ID")]
        id: StationId,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Endpoint {
    /// Send nothing to it until a time
    Hold {
        /// Its name: primary, mirror, board or gis
        #[arg(value_name = "NAME")]
        name: String,
        /// Until when: RFC 3339, or as the clock on the wall shows it (2026-12-05T12:00)
        #[arg(long, value_name = "T")]
        until: String,
        /// Why
        #[arg(long, value_name = "R")]
        reason: String,
    },
    /// End its hold; it is tried next
    Release {
        /// Its name
        #[arg(value_name = "NAME")]
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Custody {
    /// What the mirror says that it holds of this station's work
    List,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Copies {
    /// Fetch them now, for whoever is signed in
    Refresh,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Outages {
    /// Latest first
    List(Paging),
    /// One in full: what was tried, and who held the endpoint
    Show {
        /// Its id
        #[arg(value_name = "ID")]
        id: String,
    },
}
