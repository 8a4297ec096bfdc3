//! A session that one process has opened at the SoR, on its way to the one that holds the journal.
//!
//! Promise: the password is not in it. It crosses between two processes that have both proven that they can open the data,
//! where the session's key will lie anyway; its bytes are wiped on both sides.

use holdfast_core::people::SignedStatement;
use holdfast_station::OpenedSession;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize as _, Zeroizing};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HandedOver {
    signed: SignedStatement,
    /// 64 hex digits.
    seed: String,
}

impl Drop for HandedOver {
    fn drop(&mut self) {
        self.seed.zeroize();
    }
}

/// A session as a document.
///
/// # Panics
/// Never: a statement is JSON.
#[must_use]
pub fn hand_over(opened: &OpenedSession) -> Zeroizing<Vec<u8>> {
    let handed = HandedOver { signed: opened.signed().clone(), seed: hex::encode(opened.seed()) };
    Zeroizing::new(serde_json::to_vec(&handed).expect("a statement is JSON"))
}

/// The same again; none when it is no session.
pub(super) fn taken_over(document: &[u8]) -> Option<(SignedStatement, Zeroizing<[u8; 32]>)> {
    let handed: HandedOver = serde_json::from_slice(document).ok()?;
    let mut key = Zeroizing::new([0; 32]);
    hex::decode_to_slice(handed.seed.as_bytes(), key.as_mut_slice()).ok()?;
    Some((handed.signed.clone(), key))
}
