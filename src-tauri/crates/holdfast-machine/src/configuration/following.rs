//! Looking at the configuration again while the station runs.
//!
//! Promise: a file that changed is read a moment after it rests, so that one that is being written is not taken half; what is
//! whole and different is taken, what is wrong changes nothing and is told once. SIGHUP reads at once. Looking costs three
//! questions to the file system; nothing is read while nothing changed.

use std::fs;
use std::io::IsTerminal as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use holdfast_station::Station;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::sleep;

use super::Configuration;

/// Between two looks, in milliseconds.
const LOOK_EVERY_MS: u64 = 2_000;
/// A file that was not touched for so long is read, in milliseconds.
const RESTS_MS: u64 = 100;
/// How often one that does not come to rest is waited for.
const RESTS_MAX_TIMES: u32 = 10;

/// What the files were like when they were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen(Vec<Option<FileSeen>>);

/// What tells one state of a file from another. The time of the last change of its entry cannot be set by anybody.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FileSeen {
    device: u64,
    inode: u64,
    bytes: u64,
    changed: (i64, i64),
}

/// What a look has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// Nothing is different.
    Same,
    /// Other settings are in force.
    Taken,
    /// What lies there is refused; the old ones stay.
    Refused,
}

impl Seen {
    pub(super) fn of<'p>(paths: impl Iterator<Item = &'p Path>) -> Self {
        Self(paths.map(FileSeen::of).collect())
    }
}

impl FileSeen {
    fn of(path: &Path) -> Option<Self> {
        let meta = fs::metadata(path).ok()?;
        let changed = (meta.ctime(), meta.ctime_nsec());
        Some(Self { device: meta.dev(), inode: meta.ino(), bytes: meta.len(), changed })
    }
}

impl Configuration {
    /// Tells the audit what is different from when it was told last; when it cannot be told, it is at the next look.
    pub fn begin(&mut self, station: &Station) {
        if station.begin_with(self.configured.clone()).is_err() {
            self.seen = Seen::default();
        }
    }

    /// Follows the configuration until this is dropped; `told` hears of what is different.
    pub async fn follow(mut self, station: Station, told: impl Fn(Followed) + Send) {
        let mut hang_up = hang_ups();
        loop {
            let asked = tokio::select! {
                () = sleep(Duration::from_millis(LOOK_EVERY_MS)) => false,
                () = hangs_up(&mut hang_up) => true,
            };
            match self.look(&station, asked).await {
                Followed::Same => {}
                different @ (Followed::Taken | Followed::Refused) => told(different),
            }
        }
    }

    /// One look; `asked` reads whatever the files are like.
    async fn look(&mut self, station: &Station, asked: bool) -> Followed {
        if !asked && self.sources.seen() == self.seen {
            return Followed::Same;
        }
        let seen = self.at_rest().await;
        let done = match self.sources.read() {
            Ok(configured) => station.reconfigure(configured).await.map(|changes| {
                if changes.is_empty() && !self.refused { Followed::Same } else { Followed::Taken }
            }),
            Err(fault) => station
                .refuse_configuration(fault.told())
                .await
                .map(|is_new| if is_new { Followed::Refused } else { Followed::Same }),
        };
        let Ok(done) = done else {
            // It could not be written down: looked at again, as if nothing had been read.
            return Followed::Same;
        };
        self.seen = seen;
        self.refused = match done {
            Followed::Same => self.refused,
            Followed::Taken => false,
            Followed::Refused => true,
        };
        done
    }

    async fn at_rest(&self) -> Seen {
        let mut seen = self.sources.seen();
        for _ in 0..RESTS_MAX_TIMES {
            sleep(Duration::from_millis(RESTS_MS)).await;
            let again = self.sources.seen();
            if again == seen {
                break;
            }
            seen = again;
        }
        seen
    }
}

/// A terminal that hangs up ends the program, as ever; where there is none, that signal means to read again.
fn hang_ups() -> Option<Signal> {
    if std::io::stderr().is_terminal() {
        return None;
    }
    signal(SignalKind::hangup()).ok()
}

async fn hangs_up(signal: &mut Option<Signal>) {
    let heard = match signal {
        Some(signal) => signal.recv().await,
        None => None,
    };
    if heard.is_none() {
        std::future::pending::<()>().await;
    }
}
