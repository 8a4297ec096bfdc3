//! The listening socket, which can be shut and opened again on the same port.
//!
//! Promise: while it is shut, connections are refused by the operating system and none of the old ones is left; the
//! answer to `shut` and `open` comes when that is so. At most [`CONNECTIONS_MAX`] connections are served at once; further
//! ones wait in the operating system's queue.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;
use tracing::{debug, warn};

use crate::reception::Reception;

/// Connections served at once.
const CONNECTIONS_MAX: usize = 256;
/// Commands that may wait for the door.
const COMMANDS_MAX: usize = 16;
/// Tries to bind the port again, [`BIND_PAUSE_MS`] apart.
const BIND_TRIES_MAX: u32 = 50;
const BIND_PAUSE_MS: u64 = 100;
/// Pause after the operating system could not hand over a connection (no descriptors left), in milliseconds.
const ACCEPT_PAUSE_MS: u64 = 50;

/// Whether the program goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Serving,
    Stopping,
}

/// Returns when the program is to stop, or whoever could say so is gone.
pub(crate) async fn stopping(mut phase: watch::Receiver<Phase>) {
    let _ = phase.wait_for(|phase| *phase == Phase::Stopping).await;
}

/// Speaks to a door.
#[derive(Clone)]
pub(crate) struct Doorbell(mpsc::Sender<Command>);

enum Command {
    Shut(oneshot::Sender<()>),
    Open(oneshot::Sender<io::Result<()>>),
}

impl Doorbell {
    /// Shuts the door; whoever is inside is thrown out.
    pub(crate) async fn shut(&self) {
        let (done, when_done) = oneshot::channel();
        if self.0.send(Command::Shut(done)).await.is_ok() {
            let _ = when_done.await;
        }
    }

    /// Opens the door on the port that it had; nothing when it is open.
    ///
    /// # Errors
    /// The operating system's, when the port cannot be had any more.
    pub(crate) async fn open(&self) -> io::Result<()> {
        let (done, when_done) = oneshot::channel();
        let gone = || io::Error::from(io::ErrorKind::NotConnected);
        self.0.send(Command::Open(done)).await.map_err(|_| gone())?;
        when_done.await.map_err(|_| gone())?
    }
}

/// An address that is bound, and what will be served there.
pub(crate) struct Door {
    address: SocketAddr,
    listener: Option<TcpListener>,
    commands: mpsc::Receiver<Command>,
    phase: watch::Receiver<Phase>,
}

impl Door {
    /// Binds the address.
    ///
    /// # Errors
    /// The operating system's.
    pub(crate) async fn bind(
        address: SocketAddr,
        phase: watch::Receiver<Phase>,
    ) -> io::Result<(Self, Doorbell)> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let (bell, commands) = mpsc::channel(COMMANDS_MAX);
        Ok((Self { address, listener: Some(listener), commands, phase }, Doorbell(bell)))
    }

    /// `http://ADDRESS`, with the port that was really taken.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Serves until the program stops.
    pub(crate) fn serve(self, reception: Arc<Reception>) -> JoinHandle<()> {
        tokio::spawn(self.run(reception))
    }

    async fn run(mut self, reception: Arc<Reception>) {
        let mut inside = JoinSet::new();
        let mut stop = pin!(stopping(self.phase.clone()));
        loop {
            tokio::select! {
                biased;
                () = &mut stop => break,
                Some(command) = self.commands.recv() => self.obey(command, &mut inside).await,
                Some(_) = inside.join_next(), if !inside.is_empty() => {}
                stream = accept(self.listener.as_ref()), if inside.len() < CONNECTIONS_MAX => {
                    inside.spawn(reception.clone().serve(stream, self.phase.clone()));
                }
            }
        }
        self.listener = None;
        // Each connection ends by itself within the reception's own limit.
        while inside.join_next().await.is_some() {}
    }

    async fn obey(&mut self, command: Command, inside: &mut JoinSet<()>) {
        match command {
            Command::Shut(done) => {
                self.listener = None;
                inside.shutdown().await;
                let _ = done.send(());
            }
            Command::Open(done) => {
                let opened = if self.listener.is_some() { Ok(()) } else { self.bind_again().await };
                let _ = done.send(opened);
            }
        }
    }

    async fn bind_again(&mut self) -> io::Result<()> {
        let mut tries = 0;
        loop {
            match TcpListener::bind(self.address).await {
                Ok(listener) => {
                    self.listener = Some(listener);
                    return Ok(());
                }
                Err(fault) if tries >= BIND_TRIES_MAX => return Err(fault),
                Err(fault) => debug!(%fault, "the port is still taken"),
            }
            tries += 1;
            sleep(Duration::from_millis(BIND_PAUSE_MS)).await;
        }
    }
}

/// The next connection; never, while the door is shut.
async fn accept(listener: Option<&TcpListener>) -> TcpStream {
    let Some(listener) = listener else {
        return std::future::pending().await;
    };
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            Err(fault) => warn!(%fault, "a connection could not be taken"),
        }
        sleep(Duration::from_millis(ACCEPT_PAUSE_MS)).await;
    }
}
