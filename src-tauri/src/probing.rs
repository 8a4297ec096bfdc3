//! The loop behind the window that notices an SoR that goes away although nobody hands anything in.
//!
//! Promise: it asks the station when a probe is due, and tells the window when one changed what is known; when probes are
//! sent, and what they mean, is the station's decision. Being asked to stop ends it at once.

use std::time::Duration;

use holdfast_wire::Topic;

use crate::desk::Desk;

/// Until the next look after one that failed, in milliseconds.
const AFTER_FAULT_MS: u64 = 10_000;

/// Probes from the station's opening on until the desk is asked to stop.
pub(crate) async fn probe_on(desk: Desk) {
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
    let Ok(look) = station.probe_when_due().await else { return AFTER_FAULT_MS };
    if look.changed {
        desk.changed(&[Topic::Standing, Topic::Outages]);
    }
    look.look_again_ms
}
