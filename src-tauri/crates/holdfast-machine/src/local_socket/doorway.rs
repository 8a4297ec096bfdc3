//! Letting callers in: the kernel's word for who they are, then both sides' proofs.
//!
//! Promise: whoever has proven nothing has a short time and a place among few, and a crowd of such loses its oldest, never
//! the holder; so nobody who can prove is kept out by those who cannot. What they want is not known here.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use holdfast_station::Stop;
use holdfast_station::ports::Entropy as _;
use holdfast_store::{LocalKey, LocalNonces, LocalSide, Sharing};
use holdfast_wire::{LOCAL_VERSION, LocalHello, LocalOpening, LocalProof, LocalRefusal};
use tokio::net::UnixStream;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::answering::{Desk, answer_all};
use super::frames::{message, read, write};
use super::peers::{Credentials, Peer, admit};
use super::serving::Holder;
use super::{CALLERS_MAX, OPENING_MAX_BYTES, OPENING_MAX_MS, UNPROVEN_MAX};
use crate::SystemEntropy;

/// Where callers come in.
pub(super) struct Doorway {
    shared: Arc<Shared>,
    unproven: VecDeque<AbortHandle>,
}

struct Shared {
    key: LocalKey,
    sharing: Sharing,
    places: Arc<Semaphore>,
    desk: Arc<Desk>,
    stop: Stop,
    serves: mpsc::Sender<()>,
}

impl Doorway {
    pub(super) fn new(
        key: LocalKey,
        sharing: Sharing,
        holder: Arc<dyn Holder>,
        stop: Stop,
        serves: mpsc::Sender<()>,
    ) -> Self {
        let places = Arc::new(Semaphore::new(CALLERS_MAX));
        let shared = Shared { key, sharing, places, desk: Arc::new(Desk::of(holder)), stop, serves };
        Self { shared: Arc::new(shared), unproven: VecDeque::new() }
    }

    /// Takes whoever came; never waits.
    pub(super) fn let_in(&mut self, stream: UnixStream) {
        let Some(peer) = self.peer(&stream) else { return };
        self.unproven.retain(|opening| !opening.is_finished());
        if self.unproven.len() >= UNPROVEN_MAX
            && let Some(oldest) = self.unproven.pop_front()
        {
            oldest.abort();
        }
        let opening = tokio::spawn(open(Arc::clone(&self.shared), stream, peer));
        self.unproven.push_back(opening.abort_handle());
    }

    fn peer(&self, stream: &UnixStream) -> Option<Peer> {
        let told = stream.peer_cred().ok()?;
        let peer = Credentials { uid: told.uid(), gid: told.gid(), pid: told.pid() };
        let admitted = admit(peer, self.shared.sharing);
        if admitted.is_none() {
            tracing::warn!(uid = peer.uid, "a stranger at the socket");
        }
        admitted
    }
}

/// Both proofs, and from then on a task of its own, which nobody sends away.
async fn open(shared: Arc<Shared>, mut stream: UnixStream, peer: Peer) {
    let proven = timeout(Duration::from_millis(OPENING_MAX_MS), prove(&shared.key, &mut stream)).await;
    let welcome = match proven {
        Ok(Ok(Ok(welcome))) => welcome,
        Ok(Ok(Err(why))) => return refuse(stream, why).await,
        Ok(Err(_)) | Err(_) => return,
    };
    let Ok(place) = Arc::clone(&shared.places).try_acquire_owned() else {
        return refuse(stream, LocalRefusal::Busy).await;
    };
    let (desk, stop, serves) = (Arc::clone(&shared.desk), shared.stop.clone(), shared.serves.clone());
    tokio::spawn(async move {
        if write(&mut stream, &welcome).await.is_ok() {
            answer_all(&desk, &mut stream, peer, stop).await;
        }
        drop((place, serves));
    });
}

async fn prove(key: &LocalKey, stream: &mut UnixStream) -> io::Result<Result<LocalOpening, LocalRefusal>> {
    let mut nonces = LocalNonces { holder: [0; 32], caller: [0; 32] };
    SystemEntropy.fill(&mut nonces.holder);
    write(stream, &LocalHello { v: LOCAL_VERSION, nonce: hex::encode(nonces.holder) }).await?;
    let said: LocalProof = message(&read(stream, OPENING_MAX_BYTES, OPENING_MAX_MS).await?)?;
    if said.v != LOCAL_VERSION {
        return Ok(Err(LocalRefusal::Version));
    }
    let proof = hex::decode(&said.proof).unwrap_or_default();
    let drawn = hex::decode_to_slice(&said.nonce, &mut nonces.caller).is_ok();
    if !drawn || !key.proves(LocalSide::Caller, &nonces, &proof) {
        return Ok(Err(LocalRefusal::Unproven));
    }
    Ok(Ok(LocalOpening::Welcome { proof: hex::encode(key.proof(LocalSide::Holder, &nonces)) }))
}

async fn refuse(mut stream: UnixStream, why: LocalRefusal) {
    tracing::warn!(?why, "a caller was refused");
    // Whoever has gone meanwhile need not hear it.
    let _ = write(&mut stream, &LocalOpening::Refused { why }).await;
}
