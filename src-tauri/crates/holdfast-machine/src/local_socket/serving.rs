//! The holder's side: listens from the opening of a data folder until it is closed.
//!
//! Promise: the listening loop takes whoever comes and never waits for one of them; the end waits, within a limit, for
//! what was asked, so that nobody who asked is left without an answer that exists; afterwards the socket is gone.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use holdfast_station::{Station, Stop, StopHandle};
use holdfast_store::{LocalKey, Store};
use holdfast_wire::{ApiError, Topic};
use tokio::net::UnixListener;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::doorway::Doorway;
use super::{END_MAX_MS, place};

/// After a connection that could not be taken (too many open files), in milliseconds.
const REST_MS: u64 = 100;

/// The process that holds the write lock.
pub trait Holder: Send + Sync + 'static {
    /// Its station.
    ///
    /// # Errors
    /// `NotStarted` while there is none.
    fn station(&self) -> Result<&Station, ApiError>;

    /// Whether it has a way to the SoR.
    fn sends(&self) -> bool;

    /// Something changed on behalf of another process; whoever shows it, or sends it, is told.
    fn changed(&self, by: ChangedBy);

    /// Whether it ends soon because a window of the same user wants to take over.
    fn step_aside(&self) -> bool;
}

/// What another process has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedBy {
    /// Something was accepted or decided: there may be something to send.
    Work,
    /// Another person is signed in, or nobody.
    Session,
    /// There are other rules.
    Rules,
    /// Something was brought to the SoR.
    Sending,
}

impl ChangedBy {
    /// What a window shows no longer after it.
    #[must_use]
    pub fn topics(self) -> &'static [Topic] {
        match self {
            ChangedBy::Work | ChangedBy::Sending => {
                &[Topic::Standing, Topic::Queue, Topic::Applications, Topic::Outages]
            }
            ChangedBy::Session => &[Topic::Session, Topic::Standing],
            ChangedBy::Rules => &[Topic::Contract, Topic::Standing],
        }
    }
}

/// Where the other processes of a data folder ask, and what proves both sides.
#[derive(Clone)]
pub struct Door {
    folder: PathBuf,
    key: LocalKey,
}

impl Door {
    /// Of a store that is open for writing.
    #[must_use]
    pub fn of(store: &Store) -> Self {
        Self { folder: store.folder().to_owned(), key: store.local_key().clone() }
    }

    /// Listens from now on.
    ///
    /// # Errors
    /// There can be no socket in the folder. Work goes on without one; other processes are told that this one is silent.
    pub fn open(&self, holder: Arc<dyn Holder>, runtime: &Handle) -> io::Result<Serving> {
        serve(&self.folder, self.key.clone(), holder, runtime)
    }
}

/// Listens until it is dropped.
#[must_use]
pub struct Serving {
    folder: PathBuf,
    runtime: Handle,
    stop: StopHandle,
    /// Closed when nobody is served any more.
    served: Option<mpsc::Receiver<()>>,
}

fn serve(folder: &Path, key: LocalKey, holder: Arc<dyn Holder>, runtime: &Handle) -> io::Result<Serving> {
    let (listener, sharing) = place::bind(folder)?;
    let listener = {
        let _inside = runtime.enter();
        UnixListener::from_std(listener)?
    };
    let (handle, stop) = Stop::new();
    let (serves, served) = mpsc::channel(1);
    let doorway = Doorway::new(key, sharing, holder, stop.clone(), serves);
    runtime.spawn(listen(listener, doorway, stop));
    Ok(Serving { folder: folder.to_owned(), runtime: runtime.clone(), stop: handle, served: Some(served) })
}

async fn listen(listener: UnixListener, mut doorway: Doorway, mut stop: Stop) {
    loop {
        let came = tokio::select! {
            biased;
            () = stop.asked() => return,
            came = listener.accept() => came,
        };
        match came {
            Ok((stream, _)) => doorway.let_in(stream),
            Err(cause) => {
                tracing::warn!(error = %cause, "nobody can be let in");
                stop.wait(Duration::from_millis(REST_MS)).await;
            }
        }
    }
}

impl Serving {
    /// Nobody new is let in, and what was asked is answered, within a limit. For whoever may not block.
    pub async fn end(mut self) {
        self.close();
        if let Some(served) = self.served.take() {
            wait_for(served).await;
        }
    }

    fn close(&self) {
        self.stop.ask();
        if let Err(cause) = place::remove(&self.folder) {
            tracing::warn!(error = %cause, "the socket stays behind");
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let Some(served) = self.served.take() else { return };
        self.close();
        // Inside a runtime nobody may block; there `end` is called, or the process ends anyway.
        if Handle::try_current().is_err() {
            self.runtime.block_on(wait_for(served));
        }
    }
}

async fn wait_for(mut served: mpsc::Receiver<()>) {
    let all_gone = served.recv();
    if tokio::time::timeout(Duration::from_millis(END_MAX_MS), all_gone).await.is_err() {
        tracing::warn!("ended before all that was asked was answered");
    }
}
