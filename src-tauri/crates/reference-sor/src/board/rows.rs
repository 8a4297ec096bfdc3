//! The port through which the board's rows are reached.

use holdfast_core::audit::SignedHead;
use holdfast_core::board::{BoardReport, BoardRow};
use holdfast_core::ids::StationId;
use holdfast_core::time::UtcMillis;

use crate::records::RecordsFault;

/// What became of a report.
pub(crate) enum Told {
    /// It is kept; the head to be answered.
    Kept(SignedHead),
    /// A later one is here.
    Older,
}

/// Rows of stations. Each method is one transaction.
pub(crate) trait BoardRows: Send + Sync {
    /// Keeps a report in place of the one before.
    fn tell(&self, report: &BoardReport, at: UtcMillis) -> Result<Told, RecordsFault>;

    /// Rows after a station, by their stations' names.
    fn rows(&self, after: Option<&StationId>, limit_rows: u32) -> Result<Vec<BoardRow>, RecordsFault>;
}
