//! A certificate that does not hold now: the office's fault, or that of this computer's clock?
//!
//! Promise: it is refused either way, whatever is found here; this decides the words alone. The clock is blamed only upon what
//! is certain: the true time is no earlier than what the SoR told last, and what the clock that nobody sets has counted since.
//! Where nothing is certain, both are named.

use serde::{Deserialize, Serialize};

use crate::time::{Now, UtcMillis};

/// What speaks of a clock and is no more than this says nothing, in milliseconds.
pub const CLOCK_TOLERANCE_MS: i64 = 5 * 60_000;

/// Why a certificate does not hold, by this computer's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "says", rename_all = "snake_case")]
pub enum CertificateSays {
    /// It ended.
    Ended {
        /// When.
        at: UtcMillis,
    },
    /// It has not begun.
    NotBegun {
        /// When it does.
        at: UtcMillis,
    },
}

/// A time that the SoR told, and this computer's clocks at that moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeTold {
    /// What it told: its answer's own date, or a signed moment.
    pub true_at: UtcMillis,
    /// This computer's clocks when it was heard.
    pub here: Now,
}

/// Whose fault it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateFault {
    /// This computer's clock is wrong.
    ThisClock,
    /// The certificate does not hold, whatever the clock says.
    Certificate,
    /// It can be either.
    Unclear,
}

/// Whose fault it is that a certificate does not hold at `now`, by all that was told before.
#[must_use]
pub fn fault(says: CertificateSays, now: Now, told: &[TimeTold]) -> CertificateFault {
    let earliest = told.iter().map(|told| told.earliest(now)).max();
    let Some(earliest) = earliest else { return CertificateFault::Unclear };
    match says {
        // Later than it is nobody can say; earlier than it was told nobody can be.
        CertificateSays::NotBegun { .. } if is_behind(now, earliest) => CertificateFault::ThisClock,
        CertificateSays::NotBegun { at } if earliest.millis_since(at) >= 0 => CertificateFault::ThisClock,
        CertificateSays::NotBegun { .. } => CertificateFault::Unclear,
        CertificateSays::Ended { at } if earliest.millis_since(at) > 0 => CertificateFault::Certificate,
        CertificateSays::Ended { .. } if told.iter().any(|told| told.was_set_ahead(now)) => {
            CertificateFault::ThisClock
        }
        CertificateSays::Ended { .. } => CertificateFault::Unclear,
    }
}

fn is_behind(now: Now, earliest: UtcMillis) -> bool {
    earliest.millis_since(now.wall) > CLOCK_TOLERANCE_MS
}

impl TimeTold {
    /// The earliest that it can be at `now`: after a restart the boot clock has counted less than went by, never more.
    fn earliest(&self, now: Now) -> UtcMillis {
        let counted_ms = now.boot.0.saturating_sub(self.here.boot.0);
        self.true_at.plus_millis(i64::try_from(counted_ms).unwrap_or(i64::MAX))
    }

    /// Whether this clock was ahead when the time was told, or was set ahead since, as far as no restart lies between.
    fn was_set_ahead(&self, now: Now) -> bool {
        let was_ahead_ms = self.here.wall.millis_since(self.true_at);
        let same_boot = now.boot.0 >= self.here.boot.0;
        let counted_ms = i64::try_from(now.boot.0.saturating_sub(self.here.boot.0)).unwrap_or(i64::MAX);
        let jumped_ms = now.wall.millis_since(self.here.wall).saturating_sub(counted_ms);
        was_ahead_ms > CLOCK_TOLERANCE_MS || (same_boot && jumped_ms > CLOCK_TOLERANCE_MS)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::BootMillis;

    const HOUR_MS: i64 = 3_600_000;
    const YEAR_MS: i64 = 365 * 24 * HOUR_MS;

    fn wall(hours: i64) -> UtcMillis {
        "2026-11-30T08:00:00.000Z".parse::<UtcMillis>().unwrap().plus_millis(hours * HOUR_MS)
    }

    fn at(hours: i64, boot_hours: u64) -> Now {
        Now { wall: wall(hours), boot: BootMillis(boot_hours * 3_600_000) }
    }

    /// At eight the SoR told the time, and this computer's clocks agreed.
    fn told() -> TimeTold {
        TimeTold { true_at: wall(0), here: at(0, 100) }
    }

    #[test]
    fn the_clock_is_blamed_upon_what_is_certain_and_else_both_are_named() {
        let ended = |hours| CertificateSays::Ended { at: wall(hours) };
        let not_begun = |hours| CertificateSays::NotBegun { at: wall(hours) };
        let years = |n: i64| n * YEAR_MS / HOUR_MS;
        for (says, now, fault_of, what) in [
            (ended(1), at(2, 102), CertificateFault::Certificate, "it ended while both clocks went on"),
            (ended(1), at(years(2), 102), CertificateFault::Certificate, "and the clock is wrong, too"),
            (ended(24), at(years(2), 102), CertificateFault::ThisClock, "the clock was set two years ahead"),
            (ended(24), at(48, 1), CertificateFault::Unclear, "restarted: a day may have gone by"),
            (not_begun(-48), at(-years(2), 102), CertificateFault::ThisClock, "two years back"),
            (not_begun(-48), at(-years(2), 1), CertificateFault::ThisClock, "two years back, and restarted"),
            (not_begun(24), at(-years(2), 102), CertificateFault::ThisClock, "behind what was told"),
            (not_begun(24), at(1, 101), CertificateFault::Unclear, "one of tomorrow"),
        ] {
            assert_eq!(fault(says, now, &[told()]), fault_of, "{what}");
            assert_eq!(fault(says, now, &[]), CertificateFault::Unclear, "{what}: nothing was ever told");
        }
    }

    #[test]
    fn a_clock_that_was_ahead_when_the_time_was_told_is_blamed() {
        let ahead = TimeTold { true_at: wall(0), here: at(9, 100) };
        let says = CertificateSays::Ended { at: wall(8) };
        assert_eq!(fault(says, at(10, 101), &[ahead]), CertificateFault::ThisClock);
        let a_little =
            TimeTold { true_at: wall(0), here: Now { wall: wall(0).plus_millis(240_000), ..at(0, 100) } };
        assert_eq!(fault(says, at(10, 100), &[a_little]), CertificateFault::ThisClock, "ten hours in none");
        assert_eq!(
            fault(says, at(8, 108), &[a_little]),
            CertificateFault::Unclear,
            "four minutes say nothing"
        );
    }
}
