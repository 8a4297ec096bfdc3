//! What the window is told without asking.
//!
//! Promise: a heartbeat is sent only after the station has answered from its journal, so a window whose station hangs
//! hears nothing and says so. What changed by the passing of time alone is told with it.

use std::time::Duration;

use holdfast_wire::{EndpointView, ModeCause, StandingView, Told, Topic};

use crate::desk::Desk;

/// The name under which the page hears the station.
pub const STATION_EVENT: &str = "station";

/// A window that hears nothing for five seconds has lost its station.
const BEAT_EVERY_S: u64 = 2;

/// Beats from the station's opening on until the desk is asked to stop.
pub(crate) async fn beat(desk: Desk) {
    if !desk.is_at_work().await {
        return;
    }
    let mut stop = desk.stop();
    let mut shown = None;
    while !stop.is_asked() {
        if let Ok(standing) = desk.ask(|station| station.standing()).await {
            desk.tell(Told::Heartbeat);
            let now = Shown::of(standing);
            if shown.as_ref().is_some_and(|before| *before != now) {
                desk.changed(&[Topic::Standing]);
            }
            shown = Some(now);
        }
        stop.wait(Duration::from_secs(BEAT_EVERY_S)).await;
    }
}

/// The part of a standing that does not move by itself from one second to the next.
#[derive(PartialEq)]
struct Shown {
    mode: String,
    causes: Vec<ModeCause>,
    endpoints: Vec<EndpointView>,
}

impl Shown {
    fn of(standing: StandingView) -> Self {
        Self { mode: standing.status.mode, causes: standing.causes, endpoints: standing.endpoints }
    }
}
