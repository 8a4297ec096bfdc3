//! The one place where this program reads the time.

use std::time::{SystemTime, UNIX_EPOCH};

use holdfast_core::time::{TimeZone, UtcMillis};

/// The present moment of the wall clock; the epoch, should the clock stand outside the years that can be written.
pub(crate) fn now() -> UtcMillis {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = i64::try_from(since_epoch.as_millis()).unwrap_or(0);
    UtcMillis::from_millis(millis).unwrap_or_else(epoch)
}

/// The zone in which the people of this city read a clock: that of this machine, UTC where it says nothing.
pub(crate) fn zone() -> TimeZone {
    TimeZone::try_system().unwrap_or(TimeZone::UTC)
}

/// The year of a moment, in UTC.
pub(crate) fn year(at: UtcMillis) -> String {
    at.to_string().chars().take(4).collect()
}

fn epoch() -> UtcMillis {
    UtcMillis::from_millis(0).expect("the epoch can be written")
}
