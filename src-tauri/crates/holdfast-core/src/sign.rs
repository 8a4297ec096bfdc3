//! What is signed, and checking it. Ed25519 (RFC 8032); signatures travel as base64url without padding.
//!
//! Promise: every signed message begins with the name of its purpose, so that a signature made for one purpose is never
//! taken for another. Keys are held, and drawn, elsewhere.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::pkcs8::{DecodePublicKey as _, EncodePublicKey as _, spki::der::pem::LineEnding};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ids::IdempotencyKey;

/// The purposes for which something is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A person's proof inside an operation, over its key.
    Operation,
    /// The manifest of a contract.
    Contract,
    /// An attestation that a contract holds.
    Attestation,
    /// The SoR's statement about a session.
    Session,
    /// The head of the audit chain.
    AuditHead,
}

impl Purpose {
    fn prefix(self) -> &'static [u8] {
        match self {
            Purpose::Operation => b"holdfast-op-v1\n",
            Purpose::Contract => b"holdfast-contract-v1\n",
            Purpose::Attestation => b"holdfast-attestation-v1\n",
            Purpose::Session => b"holdfast-session-v1\n",
            Purpose::AuditHead => b"holdfast-audit-head-v1\n",
        }
    }

    fn message(self, content: &[u8]) -> Vec<u8> {
        [self.prefix(), content].concat()
    }
}

/// A signature or a key that does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureFault {
    /// Not base64url of the right length.
    #[error("not a signature in base64url")]
    NotASignature,
    /// Not an Ed25519 public key.
    #[error("not an Ed25519 public key")]
    NotAKey,
    /// Made by another key, or over other bytes.
    #[error("the signature does not hold")]
    DoesNotHold,
}

/// An Ed25519 public key; its text is 64 lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// From its 32 bytes.
    ///
    /// # Errors
    /// [`SignatureFault::NotAKey`].
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, SignatureFault> {
        VerifyingKey::from_bytes(bytes).map(Self).map_err(|_| SignatureFault::NotAKey)
    }

    /// From an SPKI PEM document (RFC 8410).
    ///
    /// # Errors
    /// [`SignatureFault::NotAKey`].
    pub fn from_pem(pem: &str) -> Result<Self, SignatureFault> {
        VerifyingKey::from_public_key_pem(pem).map(Self).map_err(|_| SignatureFault::NotAKey)
    }

    /// As an SPKI PEM document.
    #[must_use]
    pub fn to_pem(&self) -> String {
        self.0.to_public_key_pem(LineEnding::LF).expect("an Ed25519 key has an SPKI form")
    }

    /// Its 32 bytes.
    #[must_use]
    pub fn bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// Whether `signature` (base64url) was made by this key for `purpose` over `content`.
    ///
    /// # Errors
    /// [`SignatureFault::NotASignature`] or [`SignatureFault::DoesNotHold`].
    pub fn check(&self, purpose: Purpose, content: &[u8], signature: &str) -> Result<(), SignatureFault> {
        self.check_bytes(&purpose.message(content), signature)
    }

    /// The same over bytes without a purpose, as JWTs have them (RFC 7515).
    ///
    /// # Errors
    /// [`SignatureFault::NotASignature`] or [`SignatureFault::DoesNotHold`].
    pub fn check_bytes(&self, message: &[u8], signature: &str) -> Result<(), SignatureFault> {
        let raw = from_b64u(signature).ok_or(SignatureFault::NotASignature)?;
        let signature = Signature::from_slice(&raw).map_err(|_| SignatureFault::NotASignature)?;
        self.0.verify_strict(message, &signature).map_err(|_| SignatureFault::DoesNotHold)
    }
}

impl Serialize for PublicKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(self.bytes()))
    }
}

impl<'de> Deserialize<'de> for PublicKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        let mut bytes = [0; 32];
        hex::decode_to_slice(text.as_bytes(), &mut bytes).map_err(serde::de::Error::custom)?;
        Self::from_bytes(&bytes).map_err(serde::de::Error::custom)
    }
}

/// An Ed25519 key pair. Its seed is wiped when it is dropped, and it has no `Debug` form.
#[derive(Clone)]
pub struct KeyPair(SigningKey);

impl KeyPair {
    /// From a 32-byte seed.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    /// The seed, to be kept in a vault.
    #[must_use]
    pub fn seed(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// The public half.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// Signature for `purpose` over `content`, base64url.
    #[must_use]
    pub fn sign(&self, purpose: Purpose, content: &[u8]) -> String {
        self.sign_bytes(&purpose.message(content))
    }

    /// Signature over bytes without a purpose, as JWTs have them (RFC 7515).
    #[must_use]
    pub fn sign_bytes(&self, message: &[u8]) -> String {
        b64u(&self.0.sign(message).to_bytes())
    }

    /// A person's proof over an operation's key.
    #[must_use]
    pub fn prove(&self, key: &IdempotencyKey) -> String {
        self.sign(Purpose::Operation, key.to_string().as_bytes())
    }
}

/// base64url without padding.
#[must_use]
pub fn b64u(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The bytes of a base64url text without padding.
#[must_use]
pub fn from_b64u(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}
