//! The caller's side: asks the process that holds the write lock.
//!
//! Promise: the holder has proven that it can open the same data before it hears anything. Nothing is waited for longer than a holder may be silent. What is not known is said to be: a
//! connection that breaks after a request was sent says nothing about whether it was carried out.

use std::io::{self, ErrorKind};
use std::os::unix::net::UnixStream;
use std::path::Path;

use holdfast_station::ports::Entropy as _;
use holdfast_store::{LocalKey, LocalNonces, LocalSide};
use holdfast_wire::{
    LOCAL_VERSION, LocalAnswer, LocalHello, LocalOpening, LocalProof, LocalRefusal, LocalRequest, SentSoFar,
};
use rustix::net::sockopt::socket_peercred;
use rustix::process::geteuid;

use super::frames::{message, read_blocking, write_blocking, write_bytes_blocking};
use super::{ANSWER_MAX_BYTES, OPENING_MAX_BYTES, place};
use crate::SystemEntropy;

/// One conversation with the holder.
pub struct Caller {
    stream: UnixStream,
    holder_is_own: bool,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum CallFault {
    /// Nobody listens: the holder has just ended, has not begun to listen, or has no socket.
    #[error("nobody listens in the data folder")]
    Nobody,
    /// As many as may are asking already.
    #[error("as many as may are asking already")]
    Busy,
    /// Somebody listens and says nothing.
    #[error("the process that writes here does not answer")]
    Silent,
    /// The operating system keeps this user out.
    #[error("the process that writes here is another user's, who does not share the folder")]
    KeptOut,
    /// What listens has not proven that it can open the data, speaks another version, or makes no sense.
    #[error("what answers in the data folder is not the process that writes there")]
    Stranger,
    /// The connection broke after the request was sent: it may have been carried out, or not.
    #[error("the process that writes here ended before it answered")]
    Unknown,
}

impl Caller {
    /// Reaches the holder, and waits for its proof.
    ///
    /// # Errors
    /// [`CallFault`]; nothing was asked.
    pub fn reach(folder: &Path, key: &LocalKey) -> Result<Self, CallFault> {
        let mut stream = place::reach(folder).map_err(|cause| unreached(&cause))?;
        let hello: LocalHello = heard(&mut stream)?;
        if hello.v != LOCAL_VERSION {
            return Err(CallFault::Stranger);
        }
        let mut nonces = LocalNonces { holder: [0; 32], caller: [0; 32] };
        hex::decode_to_slice(&hello.nonce, &mut nonces.holder).map_err(|_| CallFault::Stranger)?;
        SystemEntropy.fill(&mut nonces.caller);
        let proof = LocalProof {
            v: LOCAL_VERSION,
            nonce: hex::encode(nonces.caller),
            proof: hex::encode(key.proof(LocalSide::Caller, &nonces)),
        };
        write_blocking(&mut stream, &proof).map_err(|cause| unheard(&cause))?;
        match heard(&mut stream)? {
            LocalOpening::Welcome { proof } => {
                let proof = hex::decode(proof).map_err(|_| CallFault::Stranger)?;
                if !key.proves(LocalSide::Holder, &nonces, &proof) {
                    return Err(CallFault::Stranger);
                }
            }
            LocalOpening::Refused { why: LocalRefusal::Busy } => return Err(CallFault::Busy),
            LocalOpening::Refused { why: LocalRefusal::Version | LocalRefusal::Unproven } => {
                return Err(CallFault::Stranger);
            }
        }
        let holder = socket_peercred(&stream).map_err(|_| CallFault::Stranger)?;
        Ok(Self { stream, holder_is_own: holder.uid == geteuid() })
    }

    /// Whether the holder is a process of the same user.
    #[must_use]
    pub fn is_at_own(&self) -> bool {
        self.holder_is_own
    }

    /// Asks, and waits as long as the holder says that it is at it. `document` goes along where the request has one.
    ///
    /// # Errors
    /// [`CallFault::Unknown`] when the holder was lost with the request in its hands; the others say that nothing was done.
    pub fn ask(
        &mut self,
        request: &LocalRequest,
        document: Option<&[u8]>,
        working: &mut dyn FnMut(SentSoFar),
    ) -> Result<LocalAnswer, CallFault> {
        self.send(request, document)?;
        loop {
            let frame = read_blocking(&mut self.stream, ANSWER_MAX_BYTES).map_err(|_| CallFault::Unknown)?;
            match message(&frame).map_err(|_| CallFault::Unknown)? {
                LocalAnswer::Working(so_far) => working(so_far),
                answer @ (LocalAnswer::Receipt(_)
                | LocalAnswer::Row { .. }
                | LocalAnswer::Decided(_)
                | LocalAnswer::Restored(_)
                | LocalAnswer::Conflict(_)
                | LocalAnswer::Steered(_)
                | LocalAnswer::Session(_)
                | LocalAnswer::Contract(_)
                | LocalAnswer::Stations(_)
                | LocalAnswer::Station(_)
                | LocalAnswer::LikenessKept(_)
                | LocalAnswer::Parcels(_)
                | LocalAnswer::Copies(_)
                | LocalAnswer::Drained(_)
                | LocalAnswer::Done
                | LocalAnswer::Leaving(_)
                | LocalAnswer::Refused(_)) => return Ok(answer),
            }
        }
    }

    /// A request that did not go out whole was not carried out, but whether it did is not always known: a holder that ends
    /// says so in a frame that is still to be read.
    fn send(&mut self, request: &LocalRequest, document: Option<&[u8]>) -> Result<(), CallFault> {
        let sent = write_blocking(&mut self.stream, request).and_then(|()| {
            document.map_or(Ok(()), |document| write_bytes_blocking(&mut self.stream, document))
        });
        match sent {
            Ok(()) => Ok(()),
            Err(cause) if cause.kind() == ErrorKind::BrokenPipe => Err(CallFault::Nobody),
            Err(_) => Err(CallFault::Unknown),
        }
    }
}

fn heard<T: serde::de::DeserializeOwned>(stream: &mut UnixStream) -> Result<T, CallFault> {
    let frame = read_blocking(stream, OPENING_MAX_BYTES).map_err(|cause| unheard(&cause))?;
    message(&frame).map_err(|_| CallFault::Stranger)
}

#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the library may add kinds; in all of them nobody was reached"
)]
fn unreached(cause: &io::Error) -> CallFault {
    match cause.kind() {
        ErrorKind::PermissionDenied => CallFault::KeptOut,
        ErrorKind::WouldBlock | ErrorKind::TimedOut => CallFault::Silent,
        _ => CallFault::Nobody,
    }
}

#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the library may add kinds; in all of them the holder is gone"
)]
fn unheard(cause: &io::Error) -> CallFault {
    match cause.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => CallFault::Silent,
        ErrorKind::InvalidData => CallFault::Stranger,
        _ => CallFault::Nobody,
    }
}
