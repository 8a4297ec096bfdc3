//! Copies at a mirror that holds them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the mirror has of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CopyInCustody {
    /// It holds a copy.
    Held,
}

/// What of the operations that are not disposed of the mirror holds a copy of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CustodyView {
    /// A copy is there.
    #[ts(type = "number")]
    pub held: u64,
    /// None is there yet.
    #[ts(type = "number")]
    pub waiting: u64,
    /// None is there, and the mirror refuses it.
    #[ts(type = "number")]
    pub refused: u64,
}

/// This station's copies, as the mirror lists them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustodyCopiesView {
    /// By their numbers.
    pub copies: Vec<CopyRow>,
}

/// One copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyRow {
    /// The operation's key.
    pub idempotency_key: String,
    /// `{station}-{n}`.
    pub receipt_no: String,
    /// Kind.
    pub kind: String,
    /// When it was accepted.
    pub accepted_at: String,
    /// Who handed it in.
    pub actor: String,
    /// SHA-256 of the bytes that are held.
    pub digest: String,
    /// Since when, by the mirror's clock.
    pub held_at: String,
}
