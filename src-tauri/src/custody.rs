//! The loop behind the window that has a mirror hold copies of what is not recorded yet.
//!
//! Promise: it asks the station when something is due, and tells the window when a copy was made or let go of; what is copied,
//! and when, is the station's decision. Being asked to stop ends it at once: a copy that was asked for is asked for again.

use std::time::Duration;

use holdfast_wire::Topic;

use crate::desk::Desk;

/// Until the next look after one that failed, in milliseconds.
const AFTER_FAULT_MS: u64 = 10_000;

/// Looks after custody from the station's opening on until the desk is asked to stop.
pub(crate) async fn look_after_custody_on(desk: Desk) {
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
    let Ok(look) = station.look_after_custody_when_due().await else { return AFTER_FAULT_MS };
    if look.changed {
        desk.changed(&[Topic::Standing, Topic::Queue, Topic::Outages]);
    }
    look.look_again_ms
}
