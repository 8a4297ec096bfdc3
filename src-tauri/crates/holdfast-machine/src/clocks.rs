//! This machine's clocks and randomness, behind the station's ports.

use std::time::{SystemTime, UNIX_EPOCH};

use holdfast_core::time::{BootMillis, Now, TimeZone, UtcMillis};
use holdfast_station::ports::{Clock, Entropy};
use rustix::time::{ClockId, clock_gettime};

/// The wall clock, and the clock that goes on while the machine sleeps.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

/// The kernel's random bytes.
#[derive(Clone, Copy, Debug)]
pub struct SystemEntropy;

impl Clock for SystemClock {
    fn now(&self) -> Now {
        Now { wall: wall(), boot: boot() }
    }

    /// As the operating system is set; UTC where it says nothing that can be read.
    fn zone(&self) -> TimeZone {
        TimeZone::try_system().unwrap_or(TimeZone::UTC)
    }
}

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the kernel hands out random bytes once it has booted");
    }
}

/// A clock that stands before 1970 or after 9999 is read as 1970: the audit then says that it cannot be believed.
fn wall() -> UtcMillis {
    let millis = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    let millis = i64::try_from(millis).ok().and_then(UtcMillis::from_millis);
    millis.or_else(|| UtcMillis::from_millis(0)).expect("1970 can be written")
}

fn boot() -> BootMillis {
    let since = clock_gettime(ClockId::Boottime);
    let seconds = u64::try_from(since.tv_sec).unwrap_or(0);
    let millis = u64::try_from(since.tv_nsec).unwrap_or(0) / 1_000_000;
    BootMillis(seconds * 1_000 + millis)
}
