//! The loop behind the window that tells the board how this station stands.
//!
//! Promise: it asks the station when something is to be told, and says to the window when the board is reached or no longer
//! is; what is told, and when, is the station's decision. Being asked to stop ends it at once.

use std::time::Duration;

use holdfast_wire::Topic;

use crate::desk::Desk;

/// Until the next look after one that failed, in milliseconds.
const AFTER_FAULT_MS: u64 = 10_000;

/// Tells the board from the station's opening on until the desk is asked to stop.
pub(crate) async fn tell_on(desk: Desk) {
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
    let Ok(look) = station.tell_board_when_due().await else { return AFTER_FAULT_MS };
    if look.changed {
        desk.changed(&[Topic::Standing, Topic::Outages]);
    }
    look.look_again_ms
}
