//! Waking whoever waits for work.
//!
//! Promise: what may have given something to send wakes every loop of this process that waits for that, however long it
//! meant to wait, and nothing that came between a loop's look and its wait is missed. Whether there is something to send
//! the loop finds out by itself.

use tokio::sync::watch;

use crate::station::Station;

/// Where work is told of.
pub(crate) struct Waking(watch::Sender<()>);

impl Default for Waking {
    fn default() -> Self {
        Self(watch::channel(()).0)
    }
}

/// Hears of work that comes after this was asked for.
#[derive(Debug)]
pub struct Work {
    came: watch::Receiver<()>,
    /// Keeps the channel open when the station has gone.
    _open: watch::Sender<()>,
}

impl Work {
    /// Waits until some has come since this was last awaited.
    pub async fn came(&mut self) {
        // It cannot be closed: this holds the other end too.
        let _ = self.came.changed().await;
    }
}

impl Station {
    /// For a loop that sends: what comes from here on wakes it.
    #[must_use]
    pub fn work(&self) -> Work {
        Work { came: self.waking.0.subscribe(), _open: self.waking.0.clone() }
    }

    /// There may be something to send.
    pub fn work_came(&self) {
        self.waking.0.send_replace(());
    }
}
