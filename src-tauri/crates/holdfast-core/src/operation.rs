//! An operation: one thing to be recorded, and the bytes that stand for it for ever.
//!
//! Promise: the body that is built here is what is stored, hashed, signed and sent, unchanged, by every attempt; the key
//! depends on the operation's own random id, so that two equal applications stay two. When and where it is sent is not
//! known here.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::canonical::{canonical, digest_of};
use crate::ids::{
    ActorId, ApplicationId, Digest, IdempotencyKey, LocalSeq, OperationId, OutageId, RoleName, SessionId,
    StationId,
};
use crate::time::UtcMillis;

/// Version of the operation's bytes.
pub const OPERATION_VERSION: u32 = 1;

/// What kind of thing is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A new application.
    Application,
    /// A move of an application to another stage.
    Stage,
    /// An inspection's result.
    Inspection,
    /// A whole new payload for an earlier operation.
    Correction,
    /// Taking an earlier operation back.
    Void,
    /// A hold on an application.
    Hold,
    /// A notice that tolls a clock.
    Notice,
    /// A payment or waiver.
    Fee,
    /// A note.
    Note,
    /// A tag on a damaged building.
    Tag,
    /// A file that belongs to an application.
    Attachment,
}

/// A word that is not a kind of operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a kind of operation")]
pub struct UnknownKind;

impl Kind {
    /// Every kind, in the order of the design.
    pub const ALL: [Kind; 11] = [
        Kind::Application,
        Kind::Stage,
        Kind::Inspection,
        Kind::Correction,
        Kind::Void,
        Kind::Hold,
        Kind::Notice,
        Kind::Fee,
        Kind::Note,
        Kind::Tag,
        Kind::Attachment,
    ];

    /// The stored and sent word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Kind::Application => "application",
            Kind::Stage => "stage",
            Kind::Inspection => "inspection",
            Kind::Correction => "correction",
            Kind::Void => "void",
            Kind::Hold => "hold",
            Kind::Notice => "notice",
            Kind::Fee => "fee",
            Kind::Note => "note",
            Kind::Tag => "tag",
            Kind::Attachment => "attachment",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(word: &str) -> Result<Self, UnknownKind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word).ok_or(UnknownKind)
    }
}

/// What identifies an operation and its content: the input of its key.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeyInput<'a> {
    /// [`OPERATION_VERSION`].
    pub v: u32,
    /// Its own id.
    pub operation_id: OperationId,
    /// Its kind.
    pub kind: Kind,
    /// The application that it belongs to.
    pub application_id: ApplicationId,
    /// What is to be recorded, as typed.
    pub payload: &'a Value,
}

impl KeyInput<'_> {
    /// SHA-256 of the RFC 8785 text of `{v, operation_id, kind, application_id, payload}`.
    #[must_use]
    pub fn idempotency_key(&self) -> IdempotencyKey {
        IdempotencyKey::from_bytes(*digest_of(self).bytes())
    }
}

/// SHA-256 of the RFC 8785 text of a payload: a fingerprint, never a key.
#[must_use]
pub fn payload_digest(payload: &Value) -> Digest {
    digest_of(payload)
}

/// Whether this workstation's clock could be believed when the operation was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockTrust {
    /// Not earlier than the last audit event.
    Ok,
    /// The wall clock had gone back; the time is last-good plus boot time.
    Suspect,
}

/// Who acted, proven by the key of that person's session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActorProof {
    /// The session.
    pub sid: SessionId,
    /// Signature over `"holdfast-op-v1\n" ‖ key`, base64url without padding.
    pub sig: String,
}

/// Which way the operation was headed when it was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OriginRoute {
    /// Straight away.
    Direct,
    /// As the canary of a half-open breaker.
    Probe,
    /// Later.
    Defer,
}

/// The whole operation: stored as bytes, sent as bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// [`OPERATION_VERSION`].
    pub v: u32,
    /// Its own id.
    pub operation_id: OperationId,
    /// Its kind.
    pub kind: Kind,
    /// The application that it belongs to: its lane.
    pub application_id: ApplicationId,
    /// What is to be recorded, as typed.
    pub payload: Value,
    /// The contract that it was validated against.
    pub contract_version: u64,
    /// Who acted.
    pub actor: ActorId,
    /// In which role.
    pub role: RoleName,
    /// Proof of who acted.
    pub actor_proof: ActorProof,
    /// Which station accepted it.
    pub station_id: StationId,
    /// Position among all that this station accepted.
    pub local_seq: LocalSeq,
    /// When it was accepted, for the statute; never used for order.
    pub accepted_at: UtcMillis,
    /// Whether that time can be believed.
    pub clock: ClockTrust,
    /// Which way it was headed then.
    pub origin_route: OriginRoute,
    /// The outage during which it was accepted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub outage_id: Option<OutageId>,
    /// The waiting operation whose place it takes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replaces: Option<OperationId>,
}

impl Body {
    /// The bytes that are stored and sent: RFC 8785.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        canonical(self)
    }

    /// The key that these contents have.
    #[must_use]
    pub fn idempotency_key(&self) -> IdempotencyKey {
        KeyInput {
            v: self.v,
            operation_id: self.operation_id,
            kind: self.kind,
            application_id: self.application_id,
            payload: &self.payload,
        }
        .idempotency_key()
    }
}
