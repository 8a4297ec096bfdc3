//! An answer as data: what the HTTP side hands over, before anything is made of it.

use serde::{Deserialize, Serialize};

use crate::certificate::CertificateSays;
use crate::ids::{ApplicationId, Digest, ETag, IdempotencyKey, OperationId, PermitNum, RecordId};
use crate::time::UtcMillis;
use crate::wait::RetryAfter;

/// What came back from one send or one look-up.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// It was cancelled before it was sent, or never asked.
    NotAsked,
    /// Nothing was sent: no connection came about.
    Unreachable(Unreachable),
    /// Something was sent, and no whole answer came back.
    Lost(Lost),
    /// A whole answer came back.
    Replied(Box<Reply>),
}

/// Why no connection came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unreachable {
    /// The port is closed.
    Refused,
    /// The name is not known.
    NameNotFound,
    /// No trusted TLS connection, a wrong name included.
    TlsFailed,
    /// The same, for a certificate that does not hold now by this computer's clock.
    Certificate(CertificateSays),
    /// No connection in time.
    ConnectTimedOut,
    /// No way to it: the network is down, or the host cannot be reached.
    NoRoute,
    /// The station's token could not be fetched, so that nothing was sent with it.
    NoToken,
    /// What has to be read before a write could not be read, so that nothing was written.
    NotRead,
}

/// How an answer was lost after sending had begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lost {
    /// No answer, or not all of it, in time.
    TimedOut,
    /// The connection ended.
    Reset,
    /// What came was cut, too long, not what its length or encoding said, or no HTTP at all.
    BrokenBody,
}

/// A whole answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// Status code.
    pub status: u16,
    /// Whether it is the SoR that this station was set up with.
    pub identity: Identity,
    /// The body.
    pub content: Content,
    /// `Retry-After`, as far as it can be read.
    pub retry_after: Option<RetryAfter>,
    /// The answer's own `Date`.
    pub date: Option<UtcMillis>,
}

/// The header `Holdfast-Identity`, held against the pinned one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Identity {
    /// The pinned one. For a profile whose SoR sends none: what that profile demands in its place is there.
    Right,
    /// Another one.
    Wrong,
    /// None.
    Absent,
}

/// A body, read strictly by its media type.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// `application/json` that is one whole receipt.
    Receipt(ReceiptBody),
    /// `application/problem+json` that is one whole problem.
    Problem(ProblemBody),
    /// What was read at an SoR without keys, by one who looked for the reference that was sent.
    ReadBack(ReadBack),
    /// Anything else, nothing included.
    Other,
}

/// The receipt of an operation, as the SoR sends it. Unknown fields are ignored.
///
/// A `look-before-write` SoR sends none: there it is made from what was read back, see [`ReadBack::receipt`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptBody {
    /// The key, echoed.
    pub idempotency_key: IdempotencyKey,
    /// The operation, echoed.
    pub operation_id: OperationId,
    /// The application, echoed.
    pub application_id: ApplicationId,
    /// The record at the SoR.
    pub record_id: RecordId,
    /// The permit number, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permit_num: Option<PermitNum>,
    /// The record's version after this operation.
    pub etag: ETag,
    /// Applied, or only received.
    pub state: ReceiptState,
    /// When, by the SoR's clock.
    pub applied_at: UtcMillis,
    /// What the SoR wants a person to know.
    #[serde(default)]
    pub warnings: Vec<Warning>,
}

/// What an SoR without keys shows of the reference that travels with an operation.
///
/// It is proof only as a whole: a record, and one single thing that carries the reference. The adapter has read all of
/// it in answers of the pinned SoR; where a part could not be read, there is no `ReadBack` at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadBack {
    /// The reference that was looked for.
    pub reference: IdempotencyKey,
    /// The record of the application, if there is one.
    pub record: Option<RecordRead>,
    /// What carries the reference, each once: records, or entries of the record. Compared whole, never by a part.
    pub carriers: Vec<RecordId>,
    /// What the SoR said beside its success.
    pub warnings: Vec<Warning>,
}

/// A record, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRead {
    /// Its id at the SoR.
    pub record_id: RecordId,
    /// The permit number, once there is one.
    pub permit_num: Option<PermitNum>,
    /// Its version, made from what the SoR has for one.
    pub etag: ETag,
    /// When it last changed, by the SoR's clock.
    pub modified_at: UtcMillis,
}

/// How far the SoR has come with an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptState {
    /// Recorded.
    Applied,
    /// Received, not yet applied.
    Received,
}

/// A warning of the SoR about an operation that it did apply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// Stable code.
    pub code: String,
    /// Text for a person; may hold personal data.
    pub text: String,
}

/// A problem document (RFC 9457). Unknown members are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemBody {
    /// What is wrong.
    #[serde(rename = "type")]
    pub kind: ProblemType,
    /// Short text for a person; may hold personal data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The status, repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The fields that are wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// The key that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<IdempotencyKey>,
    /// The version that the SoR has (`version-conflict`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<ETag>,
    /// The receipt of the operation that is there already (`already-committed`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<ReceiptBody>,
    /// Digest of the payload that is there already (`already-committed`, `key-reused`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload_digest: Option<Digest>,
}

/// One wrong field. The value itself is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldError {
    /// JSON pointer into the payload.
    pub pointer: String,
    /// Stable code.
    pub code: String,
}

/// The problem types of the SoR. Sent as `https://holdfast.example/problems/NAME`; the last path segment counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum ProblemType {
    /// The key is there already, applied.
    AlreadyCommitted,
    /// The key is being worked on.
    InProgress,
    /// The key is there with other contents.
    KeyReused,
    /// The record has another version than `If-Match` says.
    VersionConflict,
    /// The application that it belongs to is not there.
    ParentMissing,
    /// No operation with this key.
    UnknownOperation,
    /// The contents are refused.
    Validation,
    /// The person may not.
    Forbidden,
    /// The station's token is not accepted.
    Unauthorized,
    /// The record is locked.
    Locked,
    /// The SoR is down for a while.
    Unavailable,
    /// `If-Match` is missing.
    PreconditionRequired,
    /// The body is too large.
    TooLarge,
    /// A type that is not known here.
    Other(String),
}

/// What was sent: the answer is held against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    /// Its key.
    pub key: IdempotencyKey,
    /// The operation.
    pub operation_id: OperationId,
    /// Its application.
    pub application_id: ApplicationId,
    /// Digest of its payload.
    pub payload_digest: Digest,
}

impl Sent {
    /// Whether a receipt is the receipt of what was sent.
    #[must_use]
    pub fn is_proven_by(&self, receipt: &ReceiptBody) -> bool {
        receipt.idempotency_key == self.key
            && receipt.operation_id == self.operation_id
            && receipt.application_id == self.application_id
    }
}

impl ReadBack {
    /// The receipt that it stands for: of our reference, with a record, and carried once. The reference covers the
    /// operation and the application, so they need not be read beside it.
    #[must_use]
    pub fn receipt(&self, sent: &Sent) -> Option<ReceiptBody> {
        let record = self.record.as_ref()?;
        if self.reference != sent.key || self.carriers.len() != 1 {
            return None;
        }
        Some(ReceiptBody {
            idempotency_key: self.reference,
            operation_id: sent.operation_id,
            application_id: sent.application_id,
            record_id: record.record_id.clone(),
            permit_num: record.permit_num.clone(),
            etag: record.etag.clone(),
            state: ReceiptState::Applied,
            applied_at: record.modified_at,
            warnings: self.warnings.clone(),
        })
    }
}

impl Reply {
    /// The problem, when this answer is *typed*: problem+json of a known type with the right identity.
    #[must_use]
    pub fn typed_problem(&self) -> Option<&ProblemBody> {
        match (&self.content, self.identity) {
            (Content::Problem(problem), Identity::Right) if problem.kind.is_known() => Some(problem),
            (Content::Problem(_) | Content::Receipt(_) | Content::ReadBack(_) | Content::Other, _) => None,
        }
    }

    /// The receipt, when this answer proves that it is the receipt of what was sent.
    #[must_use]
    pub fn proven_receipt(&self, sent: &Sent) -> Option<ReceiptBody> {
        match (&self.content, self.identity) {
            (Content::Receipt(receipt), Identity::Right) if sent.is_proven_by(receipt) => {
                Some(receipt.clone())
            }
            (Content::ReadBack(read), Identity::Right) => read.receipt(sent),
            (Content::Receipt(_) | Content::ReadBack(_) | Content::Problem(_) | Content::Other, _) => None,
        }
    }

    /// What was read of our reference, when this answer is the SoR's own.
    #[must_use]
    pub fn read_back(&self, sent: &Sent) -> Option<&ReadBack> {
        match (&self.content, self.identity) {
            (Content::ReadBack(read), Identity::Right) if read.reference == sent.key => Some(read),
            (Content::ReadBack(_) | Content::Receipt(_) | Content::Problem(_) | Content::Other, _) => None,
        }
    }
}

impl ProblemType {
    /// Every known type.
    pub const KNOWN: [Self; 13] = [
        Self::AlreadyCommitted,
        Self::InProgress,
        Self::KeyReused,
        Self::VersionConflict,
        Self::ParentMissing,
        Self::UnknownOperation,
        Self::Validation,
        Self::Forbidden,
        Self::Unauthorized,
        Self::Locked,
        Self::Unavailable,
        Self::PreconditionRequired,
        Self::TooLarge,
    ];

    /// The type that the last path segment of a URI, or a bare name, stands for.
    #[must_use]
    pub fn parse(uri: &str) -> Self {
        let name = uri.rsplit('/').next().unwrap_or(uri);
        Self::KNOWN
            .into_iter()
            .find(|kind| kind.name() == name)
            .unwrap_or_else(|| Self::Other(uri.to_owned()))
    }

    /// The bare name; of an unknown type, all that was sent.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::AlreadyCommitted => "already-committed",
            Self::InProgress => "in-progress",
            Self::KeyReused => "key-reused",
            Self::VersionConflict => "version-conflict",
            Self::ParentMissing => "parent-missing",
            Self::UnknownOperation => "unknown-operation",
            Self::Validation => "validation",
            Self::Forbidden => "forbidden",
            Self::Unauthorized => "unauthorized",
            Self::Locked => "locked",
            Self::Unavailable => "unavailable",
            Self::PreconditionRequired => "precondition-required",
            Self::TooLarge => "too-large",
            Self::Other(uri) => uri,
        }
    }

    /// The URI that is sent.
    #[must_use]
    pub fn uri(&self) -> String {
        match self {
            Self::Other(uri) => uri.clone(),
            Self::AlreadyCommitted
            | Self::InProgress
            | Self::KeyReused
            | Self::VersionConflict
            | Self::ParentMissing
            | Self::UnknownOperation
            | Self::Validation
            | Self::Forbidden
            | Self::Unauthorized
            | Self::Locked
            | Self::Unavailable
            | Self::PreconditionRequired
            | Self::TooLarge => format!("https://holdfast.example/problems/{}", self.name()),
        }
    }

    /// Whether it is one of [`ProblemType::KNOWN`].
    #[must_use]
    pub fn is_known(&self) -> bool {
        !matches!(self, Self::Other(_))
    }
}

impl From<String> for ProblemType {
    fn from(uri: String) -> Self {
        Self::parse(&uri)
    }
}

impl From<ProblemType> for String {
    fn from(kind: ProblemType) -> Self {
        kind.uri()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_type_is_named_by_the_last_segment_of_its_uri() {
        for kind in ProblemType::KNOWN {
            assert_eq!(ProblemType::parse(&kind.uri()), kind);
            assert_eq!(ProblemType::parse(kind.name()), kind);
            let text = serde_json::to_string(&kind).unwrap();
            assert_eq!(serde_json::from_str::<ProblemType>(&text).unwrap(), kind);
            assert!(kind.is_known());
        }
        for unknown in ["", "about:blank", "https://holdfast.example/problems/", "Validation", "validation/"]
        {
            assert_eq!(ProblemType::parse(unknown), ProblemType::Other(unknown.to_owned()));
        }
    }
}
