//! What two processes of one data folder prove to each other.
//!
//! Promise: whoever can open the data can make a proof, and nobody else; a proof is bound to both sides' random numbers
//! and to the side that makes it, so that one that was overheard is of no use. The database key itself is not handed out.
//!
//! The proving key is `HMAC-SHA256(database key, "holdfast-local-v1\n" ‖ db_id)`; a proof is
//! `HMAC-SHA256(proving key, side ‖ "\n" ‖ holder's nonce ‖ caller's nonce)`, `side` being `holder` or `caller`.

use std::path::Path;

use hmac::{Hmac, KeyInit as _, Mac as _};
use holdfast_core::ids::DbId;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::keys::{DatabaseKey, Unlock};
use crate::store::{OpenError, find};

/// A random number of one side, in bytes.
pub const LOCAL_NONCE_BYTES: usize = 32;
/// A proof, in bytes.
pub const LOCAL_PROOF_BYTES: usize = 32;

/// Proves that its holder can open one data folder.
#[derive(Clone)]
pub struct LocalKey(Zeroizing<[u8; 32]>);

/// Who proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalSide {
    /// The process that holds the write lock.
    Holder,
    /// A process that asks it.
    Caller,
}

/// Both sides' random numbers.
#[derive(Clone, Copy, Debug)]
pub struct LocalNonces {
    /// The holder's.
    pub holder: [u8; LOCAL_NONCE_BYTES],
    /// The caller's.
    pub caller: [u8; LOCAL_NONCE_BYTES],
}

impl LocalKey {
    pub(crate) fn of(key: &DatabaseKey, db_id: DbId) -> Self {
        let mut mac = hmac(key.bytes());
        mac.update(format!("holdfast-local-v1\n{db_id}").as_bytes());
        Self(Zeroizing::new(mac.finalize().into_bytes().into()))
    }

    /// One side's proof.
    #[must_use]
    pub fn proof(&self, side: LocalSide, nonces: &LocalNonces) -> [u8; LOCAL_PROOF_BYTES] {
        self.mac(side, nonces).finalize().into_bytes().into()
    }

    /// Whether a proof is that side's; compared in constant time.
    #[must_use]
    pub fn proves(&self, side: LocalSide, nonces: &LocalNonces, proof: &[u8]) -> bool {
        self.mac(side, nonces).verify_slice(proof).is_ok()
    }

    fn mac(&self, side: LocalSide, nonces: &LocalNonces) -> Hmac<Sha256> {
        let mut mac = hmac(&self.0);
        mac.update(match side {
            LocalSide::Holder => b"holder\n",
            LocalSide::Caller => b"caller\n",
        });
        mac.update(&nonces.holder);
        mac.update(&nonces.caller);
        mac
    }
}

/// The proving key of a folder, for whoever can open it. Takes no lock and reads no row.
///
/// # Errors
/// See [`OpenError`]: there is no store, or this does not open it.
pub fn local_key<'a>(folder: &Path, unlock: impl Into<Unlock<'a>>) -> Result<LocalKey, OpenError> {
    let (_, keys) = find(folder)?;
    let key = keys.unlock(unlock.into())?;
    Ok(LocalKey::of(&key, keys.db_id))
}

fn hmac(key: &[u8; 32]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes a key of any length")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::scratch::{scratch, store_in};

    #[test]
    fn a_proof_is_of_one_folder_one_side_and_one_conversation() {
        let (folder, other) = (scratch(), scratch());
        let store = store_in(folder.path());
        store_in(other.path()).close().unwrap();
        let key = local_key(folder.path(), b"words").unwrap();
        let nonces = LocalNonces { holder: [1; 32], caller: [2; 32] };
        let proof = key.proof(LocalSide::Caller, &nonces);
        assert!(
            store.local_key().proves(LocalSide::Caller, &nonces, &proof),
            "the open store has the same key"
        );
        assert!(!key.proves(LocalSide::Holder, &nonces, &proof));
        assert!(!key.proves(LocalSide::Caller, &LocalNonces { holder: [3; 32], ..nonces }, &proof));
        assert!(!key.proves(LocalSide::Caller, &nonces, &proof[..31]));
        assert!(!local_key(other.path(), b"words").unwrap().proves(LocalSide::Caller, &nonces, &proof));
        assert!(local_key(folder.path(), b"other words").is_err());
    }
}
