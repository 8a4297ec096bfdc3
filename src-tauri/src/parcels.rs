//! The loop behind the window that keeps the copy of the city's parcels fresh.
//!
//! Promise: it asks the station when a page is due, and says to the window when the copy is new or the GIS is no longer
//! reached; what is asked, and when, is the station's decision. Being asked to stop ends it at once: a copy is whole or not
//! there, and goes on where it stood.

use std::time::Duration;

use holdfast_station::ParcelsDid;
use holdfast_wire::Topic;

use crate::desk::Desk;

/// Until the next look after one that failed, in milliseconds.
const AFTER_FAULT_MS: u64 = 10_000;

/// Copies from the station's opening on until the desk is asked to stop.
pub(crate) async fn copy_on(desk: Desk) {
    if !desk.is_at_work().await {
        return;
    }
    let mut stop = desk.stop();
    while !stop.is_asked() {
        let mut asked_to_stop = desk.stop();
        let again_ms = tokio::select! {
            again_ms = look(&desk) => again_ms,
            () = asked_to_stop.asked() => return,
        };
        stop.wait(Duration::from_millis(again_ms)).await;
    }
}

/// When to look again, in milliseconds.
async fn look(desk: &Desk) -> u64 {
    let Ok(station) = desk.station() else { return AFTER_FAULT_MS };
    let Ok(look) = station.refresh_parcels_when_due().await else { return AFTER_FAULT_MS };
    match look.did {
        ParcelsDid::Renewed => desk.changed(&[Topic::Standing, Topic::Outages, Topic::Copies]),
        ParcelsDid::Failed => desk.changed(&[Topic::Standing, Topic::Outages]),
        ParcelsDid::NoGis | ParcelsDid::Rested | ParcelsDid::TookPage => {}
    }
    look.look_again_ms
}
