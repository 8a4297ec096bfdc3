//! The limits of every request to an endpoint, and the cell in which they change while a station runs.
//!
//! Promise: an attempt has the limits that stood when it began, and the next one those that stand then. Limits under which no
//! attempt could succeed never stand.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use holdfast_core::limits::JSON_MAX_BYTES;

use crate::settings::SettingsFault;

/// Default of [`Limits::contract_max_bytes`].
const CONTRACT_MAX_BYTES: usize = 16 * 1024 * 1024;
/// Longest limit of an attempt, in milliseconds.
const TIMEOUT_MAX_MS: u64 = 10 * 60 * 1000;

/// Limits of every request to the SoR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From the name look-up to the end of the TLS handshake, in milliseconds.
    pub connect_timeout_ms: u64,
    /// One whole attempt, in milliseconds: token, connection, sending, and all of the answer.
    pub timeout_ms: u64,
    /// Longest body of an answer, in bytes.
    pub body_max_bytes: usize,
    /// Longest body of a contract, in bytes.
    pub contract_max_bytes: usize,
}

/// Limits that can be exchanged: every clone is the same cell.
#[derive(Clone)]
pub struct SharedLimits(Arc<RwLock<Limits>>);

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect_timeout_ms: 1_000,
            timeout_ms: 5_000,
            body_max_bytes: JSON_MAX_BYTES,
            contract_max_bytes: CONTRACT_MAX_BYTES,
        }
    }
}

impl Limits {
    pub(crate) fn check(self) -> Result<(), SettingsFault> {
        let Self { connect_timeout_ms, timeout_ms, .. } = self;
        if 0 < connect_timeout_ms && connect_timeout_ms < timeout_ms && timeout_ms <= TIMEOUT_MAX_MS {
            return Ok(());
        }
        Err(SettingsFault::Limits { connect_timeout_ms, timeout_ms })
    }
}

impl SharedLimits {
    /// The limits as they stand now.
    #[must_use]
    pub fn now(&self) -> Limits {
        *self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Others stand from the next attempt on.
    ///
    /// # Errors
    /// Limits under which no attempt could succeed; the old ones stay.
    pub fn exchange(&self, limits: Limits) -> Result<(), SettingsFault> {
        limits.check()?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = limits;
        Ok(())
    }
}

impl From<Limits> for SharedLimits {
    fn from(limits: Limits) -> Self {
        Self(Arc::new(RwLock::new(limits)))
    }
}

impl fmt::Debug for SharedLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.now().fmt(f)
    }
}

impl PartialEq for SharedLimits {
    fn eq(&self, other: &Self) -> bool {
        self.now() == other.now()
    }
}

impl Eq for SharedLimits {}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_fits_into_an_attempt() {
        let check = |connect_timeout_ms, timeout_ms| {
            Limits { connect_timeout_ms, timeout_ms, ..Limits::default() }.check().is_ok()
        };
        assert!(Limits::default().check().is_ok());
        assert!(!check(0, 5_000) && !check(5_000, 5_000) && !check(6_000, 5_000));
        assert!(!check(1_000, u64::MAX));
    }

    #[test]
    fn limits_that_make_no_sense_leave_the_old_ones() {
        let shared = SharedLimits::from(Limits::default());
        let elsewhere = shared.clone();
        let shorter = Limits { connect_timeout_ms: 10, timeout_ms: 20, ..Limits::default() };
        elsewhere.exchange(shorter).unwrap();
        assert_eq!(shared.now(), shorter);
        assert!(elsewhere.exchange(Limits { connect_timeout_ms: 0, ..shorter }).is_err());
        assert_eq!(shared.now(), shorter);
    }
}
