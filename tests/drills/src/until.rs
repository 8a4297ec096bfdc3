//! Waiting for something to become true, never longer than a limit.

use std::time::{Duration, Instant};

const LOOK_EVERY: Duration = Duration::from_millis(2);

/// Longest that anything is waited for: far more than it takes, so that a slow machine fails no test. The long form
/// brings more.
#[must_use]
pub fn wait_max() -> Duration {
    Duration::from_secs(if crate::long() { 1_800 } else { 60 })
}

/// Waits until `look` finds something.
///
/// # Panics
/// It found nothing within [`wait_max`].
#[track_caller]
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < wait_max(), "waited {:?} in vain until {what}", wait_max());
        std::thread::sleep(LOOK_EVERY);
    }
}
