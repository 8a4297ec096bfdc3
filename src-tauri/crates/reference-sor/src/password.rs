//! Passwords of people: kept as Argon2id, compared in constant time, tried a bounded number of times.
//!
//! Promise: a wrong password and an unknown name take the same work and give the same answer.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use argon2::{Algorithm, Argon2, Params, Version};
use holdfast_core::ids::ActorId;
use holdfast_core::time::UtcMillis;

/// Longest password that is looked at, in bytes.
pub(crate) const PASSWORD_MAX_BYTES: usize = 1024;
/// Failed tries of one name within [`TRIES_WINDOW_S`] before further ones are turned away.
pub(crate) const TRIES_MAX: u32 = 10;
/// For how long failed tries count, in seconds.
pub(crate) const TRIES_WINDOW_S: u32 = 300;
/// Names whose failures are remembered, in entries; at the limit the oldest is forgotten.
const NAMES_MAX: usize = 1_000;

/// Memory of one hash, in KiB: OWASP's first choice for Argon2id with two passes.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// A salted hash. The parameters are this program's own and the same for everyone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PasswordHash {
    pub(crate) salt: [u8; 16],
    pub(crate) hash: [u8; 32],
}

impl PasswordHash {
    /// Hashes a password.
    pub(crate) fn of(password: &str, salt: [u8; 16]) -> Self {
        let params =
            Params::new(MEMORY_KIB, PASSES, 1, None).expect("constant parameters are within Argon2's range");
        let mut hash = [0; 32];
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into(password.as_bytes(), &salt, &mut hash)
            .expect("salt and output have lengths that Argon2 takes");
        Self { salt, hash }
    }

    /// Whether `password` is the one. `None` (an unknown name) costs the same and is never the one.
    pub(crate) fn fits(kept: Option<&Self>, password: &str) -> bool {
        let salt = kept.map_or([0; 16], |kept| kept.salt);
        let tried = Self::of(password, salt).hash;
        let right = kept.map_or([0; 32], |kept| kept.hash);
        let difference = tried.iter().zip(right).fold(0, |sum, (a, b)| sum | (a ^ b));
        kept.is_some() && difference == 0
    }
}

/// Failed tries by name. In memory: a restart forgives them.
#[derive(Default)]
pub(crate) struct Tries(Mutex<BTreeMap<ActorId, Failures>>);

#[derive(Clone, Copy)]
struct Failures {
    count: u32,
    first: UtcMillis,
}

impl Tries {
    /// Seconds to wait when the name has been tried too often.
    pub(crate) fn wait_s(&self, name: &ActorId, now: UtcMillis) -> Option<u32> {
        let failures = *self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name)?;
        let gone_s = now.millis_since(failures.first).div_euclid(1000);
        let left_s = u32::try_from(i64::from(TRIES_WINDOW_S) - gone_s).unwrap_or(0).min(TRIES_WINDOW_S);
        (failures.count >= TRIES_MAX && left_s > 0).then_some(left_s)
    }

    /// Notes how a try ended.
    pub(crate) fn note(&self, name: &ActorId, fits: bool, now: UtcMillis) {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if fits {
            names.remove(name);
            return;
        }
        if names.len() >= NAMES_MAX && !names.contains_key(name) {
            forget_oldest(&mut names);
        }
        let fresh = Failures { count: 0, first: now };
        let failures = names.entry(name.clone()).or_insert(fresh);
        if now.millis_since(failures.first) >= i64::from(TRIES_WINDOW_S) * 1000 {
            *failures = fresh;
        }
        failures.count += 1;
    }
}

fn forget_oldest(names: &mut BTreeMap<ActorId, Failures>) {
    let oldest = names.iter().min_by_key(|(_, failures)| failures.first).map(|(name, _)| name.clone());
    if let Some(oldest) = oldest {
        names.remove(&oldest);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_password_fits_and_an_unknown_name_never_does() {
        let kept = PasswordHash::of("demo-clerk", [7; 16]);
        assert!(PasswordHash::fits(Some(&kept), "demo-clerk"));
        assert!(!PasswordHash::fits(Some(&kept), "demo-clerk "));
        assert!(!PasswordHash::fits(None, "demo-clerk"));
    }

    #[test]
    fn tries_of_one_name_are_bounded_and_forgiven_after_the_window() {
        let tries = Tries::default();
        let name: ActorId = "clerk".parse().unwrap();
        let start = UtcMillis::from_millis(1_000_000).unwrap();
        for _ in 0..TRIES_MAX {
            assert_eq!(tries.wait_s(&name, start), None);
            tries.note(&name, false, start);
        }
        assert_eq!(tries.wait_s(&name, start), Some(TRIES_WINDOW_S));
        assert_eq!(tries.wait_s(&"other".parse().unwrap(), start), None);
        let later = start.plus_millis(i64::from(TRIES_WINDOW_S) * 1000);
        assert_eq!(tries.wait_s(&name, later), None);
    }
}
