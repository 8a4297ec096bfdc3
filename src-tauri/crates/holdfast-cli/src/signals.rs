//! Ctrl-C and SIGTERM ask long work to stop where it can be stopped; nothing is cut off.

use std::io;
use std::thread;

use holdfast_station::{Stop, StopHandle};
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

/// A request to stop that is made by the first signal, heard on a thread of its own, and the handle to make it by.
///
/// # Errors
/// Signals cannot be listened to.
pub(crate) fn stop_on_signal() -> io::Result<(StopHandle, Stop)> {
    let (handle, stop) = Stop::new();
    let runtime = Builder::new_current_thread().enable_io().build()?;
    let (mut interrupt, mut terminate) = {
        let _inside = runtime.enter();
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?)
    };
    let asks = handle.clone();
    let listening = async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        tracing::info!("asked to stop");
        asks.ask();
    };
    thread::Builder::new().name("signals".to_owned()).spawn(move || runtime.block_on(listening))?;
    Ok((handle, stop))
}
