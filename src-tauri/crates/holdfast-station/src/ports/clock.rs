//! Time and chance, the two things that core never takes for itself.

use holdfast_core::time::{Now, TimeZone};
use holdfast_core::wait::Chance;
use uuid::Uuid;

/// Both clocks of this machine.
pub trait Clock: Send + Sync {
    /// The present moment: the wall clock, and the time since boot with suspended time included.
    fn now(&self) -> Now;

    /// The zone in which the people here read a clock.
    fn zone(&self) -> TimeZone;
}

/// The operating system's source of randomness.
pub trait Entropy: Send + Sync {
    /// Fills `bytes` with random bytes fit for keys.
    fn fill(&self, bytes: &mut [u8]);
}

/// Chance for a back-off or a jitter.
pub fn chance(entropy: &dyn Entropy) -> Chance {
    let mut bytes = [0; 8];
    entropy.fill(&mut bytes);
    Chance::from_bits(u64::from_le_bytes(bytes))
}

/// A new identifier, ordered by time (UUIDv7, RFC 9562 §5.7).
pub fn random_id(entropy: &dyn Entropy, now: Now) -> Uuid {
    let mut random = [0; 10];
    entropy.fill(&mut random);
    let millis = u64::try_from(now.wall.millis()).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}
