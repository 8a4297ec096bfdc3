//! Asking a loop to stop, and waiting so that the request is heard at once.

use std::time::Duration;

use tokio::sync::watch;

/// Asks loops to stop. Dropping it does not.
#[derive(Clone, Debug)]
pub struct StopHandle(watch::Sender<bool>);

/// Heard by a loop.
#[derive(Clone, Debug)]
pub struct Stop {
    asked: watch::Receiver<bool>,
    /// Keeps the channel open when whoever could ask has gone.
    _open: watch::Sender<bool>,
}

impl StopHandle {
    /// Asks; what is in flight is finished first.
    pub fn ask(&self) {
        self.0.send_replace(true);
    }
}

impl Stop {
    /// A request that can be made once, for any number of loops.
    #[must_use]
    pub fn new() -> (StopHandle, Stop) {
        let (sender, asked) = watch::channel(false);
        (StopHandle(sender.clone()), Stop { asked, _open: sender })
    }

    /// Whether somebody asked.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        *self.asked.borrow()
    }

    /// Waits until somebody asks.
    pub async fn asked(&mut self) {
        // It cannot be closed: this holds the other end too.
        let _ = self.asked.wait_for(|asked| *asked).await;
    }

    /// Waits for `length`, or until somebody asks.
    pub async fn wait(&mut self, length: Duration) {
        let asked = self.asked.wait_for(|asked| *asked);
        // Either end of the wait is fine; the loop looks again what is true.
        let _ = tokio::time::timeout(length, asked).await;
    }
}
