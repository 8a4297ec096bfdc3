//! Secrets at rest.

use zeroize::Zeroizing;

use super::{JournalError, OsUser};

/// A secret's bytes, wiped when dropped.
pub type Secret = Zeroizing<Vec<u8>>;

/// The secrets that a station keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretName {
    /// Seed of the station's own key pair.
    StationKey,
    /// Seed of the session key of the person who is signed in, for this user of the computer.
    SessionKey(OsUser),
}

/// Where secrets are kept: never in clear on the disk, never in a log.
pub trait Vault: Send + Sync {
    /// The secret, if there is one.
    ///
    /// # Errors
    /// The vault cannot be read.
    fn secret(&self, name: SecretName) -> Result<Option<Secret>, JournalError>;

    /// Keeps a secret in place of the one before.
    ///
    /// # Errors
    /// The vault cannot be written.
    fn keep(&self, name: SecretName, secret: Secret) -> Result<(), JournalError>;

    /// Forgets a secret; there may be none.
    ///
    /// # Errors
    /// It is still there.
    fn forget(&self, name: SecretName) -> Result<(), JournalError>;
}
