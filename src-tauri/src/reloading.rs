//! The loop behind the window that follows the configuration.
//!
//! Promise: what is read again, when, and what it changes is decided elsewhere; the window is told when what it shows may be
//! different. A demonstration has no configuration to follow.

use holdfast_machine::Followed;
use holdfast_wire::Topic;

use crate::desk::Desk;

/// Follows from the station's opening on until the desk is asked to stop.
pub(crate) async fn reload_on(desk: Desk) {
    if !desk.is_at_work().await {
        return;
    }
    let Some((station, configuration)) = desk.station().ok().cloned().zip(desk.take_configuration()) else {
        return;
    };
    let told = |followed| match followed {
        Followed::Same => {}
        Followed::Taken | Followed::Refused => desk.changed(&[Topic::Standing, Topic::Queue]),
    };
    let mut stop = desk.stop();
    tokio::select! {
        () = configuration.follow(station, told) => {}
        () = stop.asked() => {}
    }
}
