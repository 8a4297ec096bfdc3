//! `keys.json`: the database key, wrapped once per provider.
//!
//! Promise: the key never lies on the disk in clear, and what goes wrong is told apart: no file, a damaged file, a wrong
//! passphrase or keyring secret, a provider that is not known here.
//!
//! The database key is 32 random bytes. A *wrap* holds it sealed by XChaCha20-Poly1305; for the passphrase the sealing key
//! comes from Argon2id. The *canary* is a known text (`"holdfast-canary-v1\n" ‖ db_id`) sealed under the database key
//! itself: with it a key is known to be right before the database is touched, so that a database that cannot be read
//! afterwards is a damaged one. Binary values are lower-case hex; `canary` is its nonce followed by the sealed text.
//!
//! For the keyring the sealing key itself, 32 random bytes, is what lies in the keyring under the `db_id`; so the database
//! key is never handed to another program, and a keyring that was exchanged is told from a damaged file.
//!
//! The providers machine and recovery are not known here yet; their wraps are kept when the file is rewritten.

use std::io;
use std::path::Path;

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use holdfast_core::ids::DbId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use zeroize::Zeroizing;

use crate::files::{KEYS_FILE, read_small, replace};
use crate::random::random;

const KEYS_VERSION: u32 = 1;
const PASSPHRASE: &str = "passphrase";
const KEYRING: &str = "keyring";
const NONCE_BYTES: usize = 24;
/// What lies in the keyring.
pub const KEYRING_SECRET_BYTES: usize = 32;

/// What a forged file may make this process spend, at most: memory in KiB, passes, lanes.
const ARGON_MAX: ArgonCost = ArgonCost { memory_kib: 1024 * 1024, passes: 16, lanes: 16 };

/// The key of a database.
#[derive(Clone)]
pub(crate) struct DatabaseKey(Zeroizing<[u8; 32]>);

/// What opens a folder.
#[derive(Clone, Copy)]
pub enum Unlock<'a> {
    /// Words that a person chose.
    Passphrase(&'a [u8]),
    /// What lies in the keyring.
    Keyring(&'a [u8; KEYRING_SECRET_BYTES]),
}

impl<'a> From<&'a [u8]> for Unlock<'a> {
    fn from(passphrase: &'a [u8]) -> Self {
        Self::Passphrase(passphrase)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Unlock<'a> {
    fn from(passphrase: &'a [u8; N]) -> Self {
        Self::Passphrase(passphrase)
    }
}

/// What deriving a key from a passphrase costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgonCost {
    /// Memory, in KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub passes: u32,
    /// Lanes.
    pub lanes: u32,
}

impl Default for ArgonCost {
    /// 64 MiB, three passes, one lane.
    fn default() -> Self {
        Self { memory_kib: 64 * 1024, passes: 3, lanes: 1 }
    }
}

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// There is no key file.
    #[error("keys.json is missing")]
    Missing,
    /// The file is not one of ours, or was changed.
    #[error("keys.json is damaged: {what}")]
    Damaged {
        /// Where.
        what: &'static str,
    },
    /// It is whole, but opens another database than the one beside it.
    #[error("keys.json belongs to another database")]
    Foreign,
    /// The passphrase opens no wrap. A wrap that was changed looks the same.
    #[error("the passphrase is wrong")]
    WrongPassphrase,
    /// What lies in the keyring opens no wrap. A wrap that was changed looks the same.
    #[error("what the keyring holds does not open this data")]
    WrongKeyring,
    /// The file has no wrap of the provider that was asked for.
    #[error("the key was not stored with a {wanted}; stored with: {found}")]
    UnknownProvider {
        /// The provider asked for.
        wanted: &'static str,
        /// The providers there are.
        found: String,
    },
    /// The parameters for Argon2 cannot be used.
    #[error("the parameters of the passphrase are outside the limits")]
    Parameters,
    /// The file cannot be read or written.
    #[error("keys.json cannot be read or written")]
    Io(#[source] io::Error),
}

/// The file's form.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeysFile {
    v: u32,
    pub(crate) db_id: DbId,
    canary: String,
    wraps: Vec<Wrap>,
}

#[derive(Serialize, Deserialize)]
struct Wrap {
    provider: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    argon2id: Option<Argon>,
    nonce: String,
    sealed: String,
    /// What a provider of a later version keeps here.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct Argon {
    m: u32,
    t: u32,
    p: u32,
    salt: String,
}

impl DatabaseKey {
    /// A new key.
    pub(crate) fn generate() -> Self {
        Self(Zeroizing::new(random()))
    }

    /// What other keys are derived from.
    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The key as SQLCipher takes it, inside `PRAGMA key`.
    pub(crate) fn pragma(&self) -> Zeroizing<String> {
        let hex = Zeroizing::new(hex::encode(self.0.as_slice()));
        Zeroizing::new(format!("PRAGMA key = \"x'{}'\";", hex.as_str()))
    }
}

impl KeysFile {
    /// A file that holds `key`, wrapped by a passphrase.
    pub(crate) fn new(
        db_id: DbId,
        key: &DatabaseKey,
        passphrase: &[u8],
        cost: ArgonCost,
    ) -> Result<Self, KeysError> {
        let nonce: [u8; NONCE_BYTES] = random();
        let sealed = seal(&key.0, &nonce, &canary_text(db_id), b"");
        let canary = hex::encode([nonce.as_slice(), &sealed].concat());
        Ok(Self { v: KEYS_VERSION, db_id, canary, wraps: vec![wrap(db_id, key, passphrase, cost)?] })
    }

    /// Reads the file of a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, KeysError> {
        let bytes = read_small(&folder.join(KEYS_FILE)).map_err(unreadable)?;
        let file: Self =
            serde_json::from_slice(&bytes).map_err(|_| KeysError::Damaged { what: "its form" })?;
        if file.v == KEYS_VERSION { Ok(file) } else { Err(KeysError::Damaged { what: "its version" }) }
    }

    /// Writes the file of a folder in place of the one before.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), KeysError> {
        replace(&folder.join(KEYS_FILE), &self.bytes()).map_err(KeysError::Io)
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec_pretty(self).expect("the file's form is JSON");
        text.push(b'\n');
        text
    }

    /// The key, proven right by the canary.
    pub(crate) fn unlock(&self, unlock: Unlock<'_>) -> Result<DatabaseKey, KeysError> {
        match unlock {
            Unlock::Passphrase(passphrase) => self.unlock_by_passphrase(passphrase),
            Unlock::Keyring(secret) => {
                let wrap = self.wrap_of(KEYRING)?;
                self.unseal(wrap, secret, KEYRING)?.ok_or(KeysError::WrongKeyring)
            }
        }
    }

    fn unlock_by_passphrase(&self, passphrase: &[u8]) -> Result<DatabaseKey, KeysError> {
        let wrap = self.wrap_of(PASSPHRASE)?;
        let argon = wrap.argon2id.as_ref().ok_or(KeysError::Damaged { what: "a wrap" })?;
        let salt = hex::decode(&argon.salt).map_err(|_| KeysError::Damaged { what: "a salt" })?;
        let cost = ArgonCost { memory_kib: argon.m, passes: argon.t, lanes: argon.p };
        let sealing = derive(passphrase, &salt, cost)?;
        self.unseal(wrap, &sealing, PASSPHRASE)?.ok_or(KeysError::WrongPassphrase)
    }

    /// None when the wrap does not open.
    fn unseal(
        &self,
        wrap: &Wrap,
        sealing: &[u8; 32],
        provider: &str,
    ) -> Result<Option<DatabaseKey>, KeysError> {
        let nonce: [u8; NONCE_BYTES] = bytes_of(&wrap.nonce).ok_or(KeysError::Damaged { what: "a nonce" })?;
        let sealed = hex::decode(&wrap.sealed).map_err(|_| KeysError::Damaged { what: "a wrap" })?;
        let Some(opened) = open(sealing, &nonce, &sealed, &bound_to(self.db_id, provider)) else {
            return Ok(None);
        };
        let opened = Zeroizing::new(opened);
        let key: [u8; 32] =
            opened.as_slice().try_into().map_err(|_| KeysError::Damaged { what: "a wrap" })?;
        self.prove(DatabaseKey(Zeroizing::new(key))).map(Some)
    }

    /// Whether there is a wrap for the keyring.
    pub(crate) fn is_in_keyring(&self) -> Result<(), KeysError> {
        self.wrap_of(KEYRING).map(drop)
    }

    /// Puts what lies in the keyring beside the other wraps, or in the place of the one before.
    fn wrap_for_keyring(&mut self, key: &DatabaseKey, secret: &[u8; KEYRING_SECRET_BYTES]) {
        let nonce: [u8; NONCE_BYTES] = random();
        let sealed = seal(secret, &nonce, key.0.as_slice(), &bound_to(self.db_id, KEYRING));
        self.wraps.retain(|other| other.provider != KEYRING);
        self.wraps.push(Wrap {
            provider: KEYRING.to_owned(),
            argon2id: None,
            nonce: hex::encode(nonce),
            sealed: hex::encode(sealed),
            rest: Map::new(),
        });
    }

    /// Puts another passphrase in the place of the one before; all other wraps stay.
    pub(crate) fn rewrap(
        &mut self,
        key: &DatabaseKey,
        passphrase: &[u8],
        cost: ArgonCost,
    ) -> Result<(), KeysError> {
        let wrap = wrap(self.db_id, key, passphrase, cost)?;
        self.wraps.retain(|other| other.provider != PASSPHRASE);
        self.wraps.push(wrap);
        Ok(())
    }

    fn wrap_of(&self, wanted: &'static str) -> Result<&Wrap, KeysError> {
        self.wraps.iter().find(|wrap| wrap.provider == wanted).ok_or_else(|| {
            let found: Vec<&str> = self.wraps.iter().map(|wrap| wrap.provider.as_str()).collect();
            KeysError::UnknownProvider { wanted, found: found.join(", ") }
        })
    }

    fn prove(&self, key: DatabaseKey) -> Result<DatabaseKey, KeysError> {
        let damaged = KeysError::Damaged { what: "the canary" };
        let Ok(canary) = hex::decode(&self.canary) else { return Err(damaged) };
        let Some((nonce, sealed)) = canary.split_first_chunk::<NONCE_BYTES>() else { return Err(damaged) };
        match open(&key.0, nonce, sealed, b"") {
            Some(text) if text == canary_text(self.db_id) => Ok(key),
            Some(_) | None => Err(damaged),
        }
    }
}

/// Changes the passphrase of a folder; the database itself is not touched.
///
/// # Errors
/// [`KeysError`]; the old passphrase still holds.
pub fn change_passphrase(folder: &Path, old: &[u8], new: &[u8], cost: ArgonCost) -> Result<(), KeysError> {
    let mut file = KeysFile::read(folder)?;
    let key = file.unlock(old.into())?;
    file.rewrap(&key, new, cost)?;
    file.write(folder)
}

/// Lets a secret in the keyring open a folder from now on; its passphrase goes on opening it.
///
/// # Errors
/// [`KeysError`]; the file is as it was.
pub fn add_keyring(
    folder: &Path,
    passphrase: &[u8],
    secret: &[u8; KEYRING_SECRET_BYTES],
) -> Result<(), KeysError> {
    let mut file = KeysFile::read(folder)?;
    let key = file.unlock(passphrase.into())?;
    file.wrap_for_keyring(&key, secret);
    file.write(folder)
}

fn unreadable(error: io::Error) -> KeysError {
    if error.kind() == io::ErrorKind::NotFound {
        KeysError::Missing
    } else if error.kind() == io::ErrorKind::InvalidData {
        KeysError::Damaged { what: "its size" }
    } else {
        KeysError::Io(error)
    }
}

fn wrap(db_id: DbId, key: &DatabaseKey, passphrase: &[u8], cost: ArgonCost) -> Result<Wrap, KeysError> {
    let salt: [u8; 16] = random();
    let nonce: [u8; NONCE_BYTES] = random();
    let sealing = derive(passphrase, &salt, cost)?;
    let sealed = seal(&sealing, &nonce, key.0.as_slice(), &bound_to(db_id, PASSPHRASE));
    Ok(Wrap {
        provider: PASSPHRASE.to_owned(),
        argon2id: Some(Argon { m: cost.memory_kib, t: cost.passes, p: cost.lanes, salt: hex::encode(salt) }),
        nonce: hex::encode(nonce),
        sealed: hex::encode(sealed),
        rest: Map::new(),
    })
}

fn derive(passphrase: &[u8], salt: &[u8], cost: ArgonCost) -> Result<Zeroizing<[u8; 32]>, KeysError> {
    let within = cost.memory_kib <= ARGON_MAX.memory_kib
        && cost.passes <= ARGON_MAX.passes
        && cost.lanes <= ARGON_MAX.lanes;
    let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, Some(32));
    let (true, Ok(params)) = (within, params) else { return Err(KeysError::Parameters) };
    let mut key = Zeroizing::new([0; 32]);
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase, salt, key.as_mut_slice())
        .map_err(|_| KeysError::Parameters)?;
    Ok(key)
}

fn seal(key: &[u8; 32], nonce: &[u8; NONCE_BYTES], text: &[u8], bound: &[u8]) -> Vec<u8> {
    let cipher = XChaCha20Poly1305::new(&Key::from(*key));
    let sealed = cipher.encrypt(&XNonce::from(*nonce), Payload { msg: text, aad: bound });
    sealed.expect("a short text can be sealed")
}

fn open(key: &[u8; 32], nonce: &[u8; NONCE_BYTES], sealed: &[u8], bound: &[u8]) -> Option<Vec<u8>> {
    let cipher = XChaCha20Poly1305::new(&Key::from(*key));
    cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: bound }).ok()
}

fn canary_text(db_id: DbId) -> Vec<u8> {
    format!("holdfast-canary-v1\n{db_id}").into_bytes()
}

/// Additional data of a wrap: it opens for its own database and provider only.
fn bound_to(db_id: DbId, provider: &str) -> Vec<u8> {
    format!("holdfast-wrap-v1\n{db_id}\n{provider}").into_bytes()
}

fn bytes_of<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    const CHEAP: ArgonCost = ArgonCost { memory_kib: 64, passes: 1, lanes: 1 };

    fn file() -> (KeysFile, DatabaseKey) {
        let key = DatabaseKey::generate();
        let db_id = "01932c6f-8f0a-7cc3-98a1-0242ac120001".parse().unwrap();
        (KeysFile::new(db_id, &key, b"old words", CHEAP).unwrap(), key)
    }

    fn changed(change: impl FnOnce(&mut Value)) -> Result<DatabaseKey, KeysError> {
        let mut value = serde_json::to_value(file().0).unwrap();
        change(&mut value);
        let file: KeysFile =
            serde_json::from_value(value).map_err(|_| KeysError::Damaged { what: "its form" })?;
        file.unlock(Unlock::Passphrase(b"old words"))
    }

    #[test]
    fn the_right_passphrase_gives_the_key_and_a_wrong_one_is_told_from_damage() {
        let (file, key) = file();
        assert_eq!(file.unlock(Unlock::Passphrase(b"old words")).ok().unwrap().0, key.0);
        assert!(matches!(file.unlock(Unlock::Passphrase(b"other words")), Err(KeysError::WrongPassphrase)));
        let canary = changed(|file| file["canary"] = json!("00"));
        assert!(matches!(canary, Err(KeysError::Damaged { what: "the canary" })));
        let other = changed(|file| file["canary"] = json!(hex::encode([7; 120])));
        assert!(matches!(other, Err(KeysError::Damaged { what: "the canary" })));
        let nonce = changed(|file| file["wraps"][0]["nonce"] = json!("zz"));
        assert!(matches!(nonce, Err(KeysError::Damaged { .. })));
        let provider = changed(|file| file["wraps"][0]["provider"] = json!("machine"));
        assert!(matches!(provider, Err(KeysError::UnknownProvider { .. })));
    }

    #[test]
    fn a_forged_file_cannot_eat_the_memory() {
        for (name, value) in [("m", u32::MAX), ("t", 1_000_000), ("p", 1_000), ("m", 0)] {
            let answer = changed(|file| file["wraps"][0]["argon2id"][name] = json!(value));
            assert!(matches!(answer, Err(KeysError::Parameters)), "{name} {value}");
        }
    }

    #[test]
    fn a_keyring_opens_its_own_folder_beside_the_passphrase_and_no_other() {
        let (mut file, key) = file();
        let without = file.unlock(Unlock::Keyring(&[7; 32]));
        assert!(matches!(without, Err(KeysError::UnknownProvider { wanted: KEYRING, .. })));
        file.wrap_for_keyring(&key, &[7; 32]);
        assert_eq!(file.unlock(Unlock::Keyring(&[7; 32])).ok().unwrap().0, key.0);
        assert_eq!(file.unlock(Unlock::Passphrase(b"old words")).ok().unwrap().0, key.0);
        assert!(matches!(file.unlock(Unlock::Keyring(&[8; 32])), Err(KeysError::WrongKeyring)));
        file.wrap_for_keyring(&key, &[8; 32]);
        assert!(matches!(file.unlock(Unlock::Keyring(&[7; 32])), Err(KeysError::WrongKeyring)));
        file.canary = hex::encode([7; 120]);
        let damaged = file.unlock(Unlock::Keyring(&[8; 32]));
        assert!(matches!(damaged, Err(KeysError::Damaged { what: "the canary" })));
    }

    #[test]
    fn wraps_of_other_providers_outlive_a_change_of_the_passphrase() {
        let (file, key) = file();
        let mut value = serde_json::to_value(file).unwrap();
        let other = json!({"provider": "machine", "service": "holdfast", "nonce": "00", "sealed": "11"});
        value["wraps"].as_array_mut().unwrap().insert(0, other.clone());
        let mut file: KeysFile = serde_json::from_value(value).unwrap();
        file.rewrap(&key, b"new words", CHEAP).unwrap();
        assert!(file.unlock(Unlock::Passphrase(b"new words")).is_ok());
        assert!(matches!(file.unlock(Unlock::Passphrase(b"old words")), Err(KeysError::WrongPassphrase)));
        assert_eq!(serde_json::to_value(&file).unwrap()["wraps"][0], other);
    }
}
