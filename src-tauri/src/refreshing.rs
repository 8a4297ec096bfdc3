//! The loop behind the window that keeps what is carried fresh.
//!
//! Promise: it asks the station every few seconds whether copies are due, and tells the window when some were fetched; when
//! they are due is the station's decision. Soon after somebody signed in they are. Being asked to stop ends it at once, also
//! in the middle of a fetch: a copy is kept whole or not at all.

use std::time::Duration;

use holdfast_wire::Topic;

use crate::desk::Desk;

/// Until the next look, in milliseconds.
const LOOK_AGAIN_MS: u64 = 2_000;

/// Refreshes from the station's opening on until the desk is asked to stop.
pub(crate) async fn refresh_on(desk: Desk) {
    if !desk.is_at_work().await {
        return;
    }
    let mut stop = desk.stop();
    while !stop.is_asked() {
        let mut asked_to_stop = desk.stop();
        tokio::select! {
            () = look(&desk) => {}
            () = asked_to_stop.asked() => {}
        }
        stop.wait(Duration::from_millis(LOOK_AGAIN_MS)).await;
    }
}

/// What goes wrong is in the log; the age of the copies says it on the screen.
async fn look(desk: &Desk) {
    let Ok(station) = desk.station() else { return };
    if let Ok(Some(_)) = station.refresh_copies_when_due().await {
        desk.changed(&[Topic::Copies, Topic::Applications]);
    }
}
