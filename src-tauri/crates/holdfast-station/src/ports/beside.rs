//! The endpoints beside the primary, as the station speaks to them: each has a port of its own, and may not be there.

use std::sync::Arc;

use super::{Board, Custody, Parcels, RecordSystem};

/// What is there beside the primary.
#[derive(Clone, Default)]
pub struct Beside {
    /// Where stations tell how they are.
    pub board: Option<Arc<dyn Board>>,
    /// The mirror that holds copies.
    pub custody: Option<Arc<dyn Custody>>,
    /// Where parcels come from.
    pub gis: Option<Arc<dyn Parcels>>,
    /// The mirror whose receipt commits.
    pub mirror: Option<Arc<dyn RecordSystem>>,
}
