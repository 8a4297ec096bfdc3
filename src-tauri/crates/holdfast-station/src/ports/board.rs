//! The board, as the station speaks to it.
//!
//! An adapter builds requests and reports what came back; what a later head there means is judged by `holdfast_core::board`.

use async_trait::async_trait;
use holdfast_core::audit::SignedHead;
use holdfast_core::board::{BoardReport, BoardRow};
use holdfast_core::ids::StationId;
use holdfast_core::time::UtcMillis;

use super::{Sockets, SorFault};

/// A part of the board's list.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardPage {
    /// The stations, by their names.
    pub rows: Vec<BoardRow>,
    /// The last of them when there are more; none after the last page.
    pub next: Option<StationId>,
    /// The board's own time.
    pub as_of: UtcMillis,
}

/// Where stations tell how they are. Every call ends within the configured limits.
#[async_trait]
pub trait Board: Send + Sync {
    /// Tells it; gives the highest head of this station's database that it had before, or the one told when it had none.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn tell(&self, report: &BoardReport, sockets: Sockets) -> Result<SignedHead, SorFault>;

    /// Asks for a page of what all stations told last.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn stations(&self, after: Option<&StationId>, sockets: Sockets) -> Result<BoardPage, SorFault>;
}
