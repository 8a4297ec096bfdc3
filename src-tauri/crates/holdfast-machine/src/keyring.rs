//! The keyring of the signed-in user: the Secret Service, over D-Bus.
//!
//! Promise: a keyring that says nothing keeps nobody waiting longer than [`ANSWER_MAX_S`], and its states are told apart:
//! none, mute, locked, no entry. Reading never writes, so that a key which cannot be read is never replaced by a new one.
//!
//! The conversation is done on a thread of its own, since its library blocks and must not do so inside a runtime. A thread
//! whose keyring never answers stays until the process ends; it holds nothing.

use std::collections::HashMap;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use holdfast_core::ids::DbId;
use holdfast_station::ports::Entropy as _;
use holdfast_store::KEYRING_SECRET_BYTES;
use keyring_core::api::CredentialStoreApi as _;
use keyring_core::{Entry, Error};
use zbus_secret_service_keyring_store::Store;
use zeroize::Zeroizing;

use crate::SystemEntropy;

/// Longest that the keyring may take to answer, in seconds; a person may have to unlock it meanwhile.
pub const ANSWER_MAX_S: u64 = 10;
const SERVICE: &str = "org.holdfast.counter";

/// What lies in the keyring for one data folder.
pub type KeyringSecret = Zeroizing<[u8; KEYRING_SECRET_BYTES]>;

/// Why there is no secret.
#[derive(Debug, thiserror::Error)]
pub enum KeyringFault {
    /// This desktop has no keyring.
    #[error("there is no keyring on this desktop")]
    None,
    /// It did not answer in time.
    #[error("the keyring does not answer within {ANSWER_MAX_S} seconds")]
    Mute,
    /// It is locked, and nobody unlocked it.
    #[error("the keyring is locked")]
    Locked,
    /// It holds nothing for this folder.
    #[error("the keyring holds no key for this folder")]
    Absent,
    /// It holds something that is no key of ours, or more than one.
    #[error("what the keyring holds for this folder is no key")]
    NotAKey,
    /// It answered, and failed.
    #[error("the keyring failed")]
    Failed,
}

/// What opens the folder with this name.
///
/// # Errors
/// [`KeyringFault`]
pub fn read(name: DbId) -> Result<KeyringSecret, KeyringFault> {
    bounded(ANSWER_MAX_S, move || {
        let secret = Zeroizing::new(entry(name)?.get_secret().map_err(|error| fault(&error))?);
        secret.as_slice().try_into().map(Zeroizing::new).map_err(|_| KeyringFault::NotAKey)
    })
}

/// Puts a new secret into the keyring, where there was none, and reads it back.
///
/// # Errors
/// [`KeyringFault`]; `NotAKey` when something lies there already, which is left as it is.
pub fn make(name: DbId) -> Result<KeyringSecret, KeyringFault> {
    match read(name) {
        Err(KeyringFault::Absent) => {}
        Ok(_) => return Err(KeyringFault::NotAKey),
        Err(fault) => return Err(fault),
    }
    let mut secret = Zeroizing::new([0; KEYRING_SECRET_BYTES]);
    SystemEntropy.fill(secret.as_mut_slice());
    let kept = secret.clone();
    bounded(ANSWER_MAX_S, move || entry(name)?.set_secret(kept.as_slice()).map_err(|error| fault(&error)))?;
    if *read(name)? == *secret { Ok(secret) } else { Err(KeyringFault::Failed) }
}

fn entry(name: DbId) -> Result<Entry, KeyringFault> {
    let keyring = Store::new().map_err(|_| KeyringFault::None)?;
    let label = HashMap::from([("label", "Holdfast: key of the stored data")]);
    keyring.build(SERVICE, &name.to_string(), Some(&label)).map_err(|error| fault(&error))
}

/// Runs a conversation on a thread of its own, and waits for it within the limit.
fn bounded<T: Send + 'static>(
    answer_max_s: u64,
    talk: impl FnOnce() -> Result<T, KeyringFault> + Send + 'static,
) -> Result<T, KeyringFault> {
    let (said, heard) = mpsc::sync_channel(1);
    // Nobody may listen any more.
    let talking = thread::Builder::new().name("keyring".to_owned()).spawn(move || drop(said.send(talk())));
    talking.map_err(|_| KeyringFault::Failed)?;
    heard.recv_timeout(Duration::from_secs(answer_max_s)).map_err(|silence| match silence {
        mpsc::RecvTimeoutError::Timeout => KeyringFault::Mute,
        mpsc::RecvTimeoutError::Disconnected => KeyringFault::Failed,
    })?
}

#[allow(clippy::wildcard_enum_match_arm, reason = "the library may add errors; none of them is a key")]
fn fault(error: &Error) -> KeyringFault {
    match error {
        Error::NoEntry => KeyringFault::Absent,
        Error::NoStorageAccess(_) => KeyringFault::Locked,
        Error::BadEncoding(_) | Error::BadDataFormat(..) | Error::Ambiguous(_) => KeyringFault::NotAKey,
        _ => KeyringFault::Failed,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_mute_keyring_keeps_nobody_waiting() {
        let (_stays_open, never) = mpsc::channel::<()>();
        let answer = bounded(0, move || never.recv().map_err(|_| KeyringFault::Failed));
        assert!(matches!(answer, Err(KeyringFault::Mute)));
        let broken = bounded(ANSWER_MAX_S, || -> Result<(), _> { std::panic::resume_unwind(Box::new(())) });
        assert!(matches!(broken, Err(KeyringFault::Failed)));
        assert_eq!(bounded(ANSWER_MAX_S, || Ok(7)).unwrap(), 7);
    }

    #[test]
    fn what_the_keyring_says_is_told_apart() {
        let because = || Box::new(std::io::Error::other("locked"));
        let cases = [
            (Error::NoEntry, "Absent"),
            (Error::NoStorageAccess(because()), "Locked"),
            (Error::PlatformFailure(because()), "Failed"),
            (Error::BadEncoding(vec![1]), "NotAKey"),
            (Error::Ambiguous(vec![]), "NotAKey"),
            (Error::NoDefaultStore, "Failed"),
        ];
        for (error, told) in cases {
            assert_eq!(format!("{:?}", fault(&error)), told, "{error:?}");
        }
    }
}
