//! Asking the program to end from outside: it then ends as if its window had been closed.

use tokio::signal::unix::{SignalKind, signal};

/// Returns when the program was asked to end. Where signals cannot be heard it never does.
pub(crate) async fn asked_to_end() {
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
