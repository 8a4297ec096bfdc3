//! A mirror that holds copies, as the station speaks to it.
//!
//! An adapter brings the accepted bytes and reports what came back; which copies are made, and when they are let go of, is
//! decided by `holdfast_core::custody` and the station.

use async_trait::async_trait;
use holdfast_core::ids::{ActorId, Digest, IdempotencyKey, LocalSeq, ReceiptNo};
use holdfast_core::operation::Kind;
use holdfast_core::time::UtcMillis;

use super::{Sockets, SorFault};

/// A copy as the mirror lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldCopy {
    /// The operation's key.
    pub key: IdempotencyKey,
    /// Its receipt number.
    pub receipt_no: ReceiptNo,
    /// Its kind.
    pub kind: Kind,
    /// When it was accepted.
    pub accepted_at: UtcMillis,
    /// Who handed it in.
    pub actor: ActorId,
    /// SHA-256 of the bytes that are held.
    pub digest: Digest,
    /// Since when, by the mirror's clock.
    pub held_at: UtcMillis,
}

/// A part of the mirror's list of this station's copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustodyPage {
    /// The copies, by their numbers.
    pub copies: Vec<HeldCopy>,
    /// The number of the last of them when there are more.
    pub next: Option<LocalSeq>,
}

/// A mirror that holds copies. Every call ends within the configured limits.
#[async_trait]
pub trait Custody: Send + Sync {
    /// Has it hold the accepted bytes, and makes sure that those are what it holds; gives their digest. The same may be asked
    /// any number of times.
    ///
    /// # Errors
    /// See [`SorFault`]; [`SorFault::Impostor`] when something else is held.
    async fn hold(&self, key: &IdempotencyKey, body: &[u8], sockets: Sockets) -> Result<Digest, SorFault>;

    /// Has it let go of a copy, whether or not it holds one.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn release(&self, key: &IdempotencyKey, sockets: Sockets) -> Result<(), SorFault>;

    /// Asks for at most `rows` of this station's copies with larger numbers than `after`.
    ///
    /// # Errors
    /// See [`SorFault`].
    async fn copies(&self, after: LocalSeq, rows: u32, sockets: Sockets) -> Result<CustodyPage, SorFault>;
}
