//! The port through which copies in custody are reached.

use holdfast_core::ids::{ActorId, Digest, IdempotencyKey, LocalSeq, ReceiptNo, StationId};
use holdfast_core::operation::{Body, Kind};
use holdfast_core::time::UtcMillis;
use serde::Serialize;

use crate::records::RecordsFault;

/// A copy that a station brings.
pub(crate) struct Brought<'a> {
    pub(crate) key: IdempotencyKey,
    /// What the bytes say.
    pub(crate) body: &'a Body,
    /// The accepted bytes.
    pub(crate) bytes: &'a [u8],
    pub(crate) digest: Digest,
    pub(crate) at: UtcMillis,
}

/// What became of it.
pub(crate) enum Kept {
    /// It is held.
    Held(HeldCopy),
    /// Other bytes, or another station's, are held under this key.
    KeyReused,
}

/// What became of a release.
pub(crate) enum Gone {
    /// It is not held any more, if it was.
    Gone,
    /// It is another station's.
    OfAnother,
}

/// A copy as it is listed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct HeldCopy {
    pub(crate) key: IdempotencyKey,
    pub(crate) receipt_no: ReceiptNo,
    pub(crate) kind: Kind,
    pub(crate) accepted_at: UtcMillis,
    pub(crate) actor: ActorId,
    pub(crate) local_seq: LocalSeq,
    /// SHA-256 of the bytes that are held.
    pub(crate) digest: Digest,
    pub(crate) held_at: UtcMillis,
}

/// Copies in custody. Each method is one transaction; none touches a record.
pub(crate) trait CustodyRows: Send + Sync {
    /// Holds a copy, unless the key stands for something else.
    fn hold(&self, brought: &Brought<'_>) -> Result<Kept, RecordsFault>;

    /// Lets go of a station's own copy.
    fn release(&self, station: &StationId, key: IdempotencyKey) -> Result<Gone, RecordsFault>;

    /// A station's copies with larger numbers than `after`, by their numbers.
    fn copies(
        &self,
        station: &StationId,
        after: LocalSeq,
        limit_rows: u32,
    ) -> Result<Vec<HeldCopy>, RecordsFault>;

    /// The bytes of a station's own copy.
    fn copy(&self, station: &StationId, key: IdempotencyKey) -> Result<Option<Vec<u8>>, RecordsFault>;
}
