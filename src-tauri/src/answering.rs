//! Answering the other programs of this computer while the window holds the data folder.
//!
//! Promise: the window is told what they changed as if it had changed it itself, and keeps the folder until it is closed.
//! Who may ask for what, and what comes of it, is decided in `holdfast_machine::local_socket`.

use std::sync::Arc;

use holdfast_machine::local_socket::{ChangedBy, Holder};
use holdfast_station::Station;
use holdfast_wire::ApiError;
use tokio::runtime::Handle;

use crate::desk::Desk;

impl Holder for Desk {
    fn station(&self) -> Result<&Station, ApiError> {
        Desk::station(self)
    }

    fn sends(&self) -> bool {
        true
    }

    fn changed(&self, by: ChangedBy) {
        Desk::changed(self, by.topics());
    }

    fn step_aside(&self) -> bool {
        false
    }
}

/// Answers from the station's opening on until the desk is asked to stop; what was asked by then is answered first.
pub(crate) async fn answer_on(desk: Desk) {
    if !desk.is_at_work().await {
        return;
    }
    let Some(door) = desk.door() else { return };
    match door.open(Arc::new(desk.clone()), &Handle::current()) {
        Ok(serving) => {
            desk.stop().asked().await;
            serving.end().await;
        }
        Err(cause) => tracing::warn!(error = %cause, "other programs cannot ask this window"),
    }
}
