//! A command that holds the write lock, as other processes see it.
//!
//! Promise: it is asked like a window, only that nothing has to be shown; a window of the same user may take over from a
//! command that only sends, since the window sends on by itself.

use std::sync::{Arc, Mutex, PoisonError};

use holdfast_machine::local_socket::{ChangedBy, Holder};
use holdfast_station::{Station, StopHandle};
use holdfast_wire::ApiError;

/// See the module.
pub(crate) struct AtWork {
    station: Arc<Station>,
    sends: bool,
    ends_by: Mutex<Option<StopHandle>>,
}

impl AtWork {
    pub(crate) fn new(station: Arc<Station>, sends: bool) -> Self {
        Self { station, sends, ends_by: Mutex::new(None) }
    }

    /// From now on a window may take over, by asking this.
    pub(crate) fn ends_by(&self, handle: StopHandle) {
        *self.ends_by.lock().unwrap_or_else(PoisonError::into_inner) = Some(handle);
    }
}

impl Holder for AtWork {
    fn station(&self) -> Result<&Station, ApiError> {
        Ok(&self.station)
    }

    fn sends(&self) -> bool {
        self.sends
    }

    fn changed(&self, by: ChangedBy) {
        tracing::info!(?by, "changed on behalf of another process");
    }

    fn step_aside(&self) -> bool {
        let ends_by = self.ends_by.lock().unwrap_or_else(PoisonError::into_inner);
        ends_by.as_ref().inspect(|handle| handle.ask()).is_some()
    }
}
