//! Ctrl-C and SIGTERM ask long work to stop where it can be stopped; nothing is cut off.

use std::io;

use holdfast_station::Stop;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

/// A request to stop that is made by the first signal.
///
/// # Errors
/// Signals cannot be listened to.
pub(crate) fn stop_on_signal(runtime: &Runtime) -> io::Result<Stop> {
    let (handle, stop) = Stop::new();
    let (mut interrupt, mut terminate) = {
        let _inside = runtime.enter();
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?)
    };
    runtime.spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        tracing::info!("asked to stop");
        handle.ask();
    });
    Ok(stop)
}
