//! What opens a data folder: words in a file, or the keyring.

use std::path::Path;

use holdfast_store::{OpenError, Unlock, keyring_name};

use crate::keyring::{self, KeyringFault, KeyringSecret};
use crate::secret_file::{PASSPHRASE_MAX_BYTES, SecretFault, SecretText, first_line_of_file};

/// What opens a folder, held until it is open.
pub enum HeldKey {
    /// A passphrase.
    Passphrase(SecretText),
    /// What lies in the keyring.
    Keyring(KeyringSecret),
}

/// Why there is nothing that opens a folder.
#[derive(Debug, thiserror::Error)]
pub enum KeyFault {
    /// The passphrase.
    #[error("the passphrase file {0}")]
    Passphrase(#[from] SecretFault),
    /// The keyring.
    #[error(transparent)]
    Keyring(#[from] KeyringFault),
    /// The folder says that the keyring is no way to open it, or there is no folder.
    #[error(transparent)]
    Folder(#[from] OpenError),
}

impl HeldKey {
    /// From the file that is named.
    ///
    /// # Errors
    /// There is no passphrase in it.
    pub fn in_file(file: &Path) -> Result<Self, KeyFault> {
        Ok(Self::Passphrase(first_line_of_file(file, PASSPHRASE_MAX_BYTES)?))
    }

    /// From the keyring, under the folder's name there. Blocks while a person unlocks it.
    ///
    /// # Errors
    /// [`KeyFault`]: of the folder or of the keyring.
    pub fn in_keyring(folder: &Path) -> Result<Self, KeyFault> {
        Ok(Self::Keyring(keyring::read(keyring_name(folder)?)?))
    }

    /// As the store takes it.
    #[must_use]
    pub fn unlock(&self) -> Unlock<'_> {
        match self {
            HeldKey::Passphrase(words) => Unlock::Passphrase(words.as_bytes()),
            HeldKey::Keyring(secret) => Unlock::Keyring(secret),
        }
    }
}
