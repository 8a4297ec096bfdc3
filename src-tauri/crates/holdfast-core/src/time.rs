//! Times as they are stored and compared: UTC milliseconds of the wall clock, and milliseconds since boot.
//!
//! Promise: a stored time has exactly one text, `YYYY-MM-DDThh:mm:ss.sssZ`, and an interval is the larger of the two
//! clocks' differences, so that neither a sleeping laptop nor a clock set back shortens a wait for ever. Nothing here
//! reads a clock.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::operation::ClockTrust;

pub use jiff::civil::{Date, Time};
pub use jiff::tz::TimeZone;

/// A moment of the wall clock, in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UtcMillis(i64);

/// Milliseconds since this machine booted, suspended time included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BootMillis(pub u64);

/// The present moment, by both clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Now {
    /// Wall clock.
    pub wall: UtcMillis,
    /// Boot clock.
    pub boot: BootMillis,
}

/// A text that is not a time in the one stored form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a time of the form YYYY-MM-DDThh:mm:ss.sssZ")]
pub struct NotATime;

impl UtcMillis {
    /// From milliseconds since the epoch; `None` outside the years 0000 to 9999.
    #[must_use]
    pub fn from_millis(millis: i64) -> Option<Self> {
        const YEAR_0: i64 = -62_167_219_200_000;
        const YEAR_9999_END: i64 = 253_402_207_200_000;
        (YEAR_0..YEAR_9999_END).contains(&millis).then_some(Self(millis))
    }

    /// A time as people write it: RFC 3339 with its offset; or without one, as it is on the wall of `zone`.
    #[must_use]
    pub fn as_told(text: &str, zone: &TimeZone) -> Option<Self> {
        let text = text.trim();
        let stamp = text.parse::<Timestamp>().ok().or_else(|| {
            let here = text.parse::<jiff::civil::DateTime>().ok()?;
            Some(zone.to_ambiguous_zoned_datetime(here).compatible().ok()?.timestamp())
        });
        Self::from_millis(stamp?.as_millisecond())
    }

    /// Milliseconds since the epoch.
    #[must_use]
    pub fn millis(self) -> i64 {
        self.0
    }

    /// Later by `millis`, held inside the range that can be written.
    #[must_use]
    pub fn plus_millis(self, millis: i64) -> Self {
        Self::from_millis(self.0.saturating_add(millis)).unwrap_or(self)
    }

    /// `self − earlier` in milliseconds; negative when `earlier` is later.
    #[must_use]
    pub fn millis_since(self, earlier: Self) -> i64 {
        self.0 - earlier.0
    }

    /// The day on the wall of `zone` at this moment.
    #[must_use]
    pub fn day_in(self, zone: &TimeZone) -> Date {
        let stamp = Timestamp::from_millisecond(self.0).expect("the years 0000 to 9999 are jiff's, too");
        zone.to_datetime(stamp).date()
    }
}

impl Now {
    /// Milliseconds since `earlier`: the larger of both clocks' differences, never negative. After a restart of the
    /// machine the boot clock has gone back, and the wall clock alone counts.
    #[must_use]
    pub fn millis_since(self, earlier: Now) -> u64 {
        let wall = u64::try_from(self.wall.millis_since(earlier.wall)).unwrap_or(0);
        let boot = self.boot.0.saturating_sub(earlier.boot.0);
        wall.max(boot)
    }

    /// Whether this moment lies before `other` by both clocks: the machine was restarted since and its clock set back,
    /// so that nobody can say how much time lies between them.
    #[must_use]
    pub fn predates(self, other: Now) -> bool {
        self.wall < other.wall && self.boot < other.boot
    }

    /// The time to write down for what happens now, when the last thing was written down at `last`: the wall clock, unless
    /// it has gone back behind that; then the last time and what the boot clock says has gone by since.
    #[must_use]
    pub fn written_after(self, last: Option<Now>) -> (UtcMillis, ClockTrust) {
        match last {
            Some(last) if self.wall < last.wall => {
                let gone_by = self.boot.0.saturating_sub(last.boot.0);
                let at = last.wall.plus_millis(i64::try_from(gone_by).unwrap_or(i64::MAX));
                (at, ClockTrust::Suspect)
            }
            Some(_) | None => (self.wall, ClockTrust::Ok),
        }
    }

    /// Later by `millis`, by both clocks.
    #[must_use]
    pub fn plus_millis(self, millis: u64) -> Self {
        let wall = self.wall.plus_millis(i64::try_from(millis).unwrap_or(i64::MAX));
        Self { wall, boot: BootMillis(self.boot.0.saturating_add(millis)) }
    }

    /// Whether at least `millis` have gone by since `earlier`, by either clock.
    #[must_use]
    pub fn has_passed(self, earlier: Now, millis: u64) -> bool {
        self.millis_since(earlier) >= millis
    }
}

impl fmt::Display for UtcMillis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stamp = Timestamp::from_millisecond(self.0).map_err(|_| fmt::Error)?;
        let t = TimeZone::UTC.to_datetime(stamp);
        write!(
            f,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            t.year(),
            t.month(),
            t.day(),
            t.hour(),
            t.minute(),
            t.second(),
            t.millisecond()
        )
    }
}

impl FromStr for UtcMillis {
    type Err = NotATime;

    fn from_str(text: &str) -> Result<Self, NotATime> {
        let stamp: Timestamp = text.parse().map_err(|_| NotATime)?;
        let millis = Self::from_millis(stamp.as_millisecond()).ok_or(NotATime)?;
        // One stored form: what does not come back as it was is another form.
        if millis.to_string() == text { Ok(millis) } else { Err(NotATime) }
    }
}

impl Serialize for UtcMillis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for UtcMillis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_one_text_and_only_that_is_read() {
        let text = "2026-11-30T08:07:31.042Z";
        assert_eq!(text.parse::<UtcMillis>().unwrap().to_string(), text);
        for other in [
            "2026-11-30T08:07:31Z",
            "2026-11-30T08:07:31.04Z",
            "2026-11-30T08:07:31.042+00:00",
            "2026-11-30 08:07:31.042Z",
            "2026-02-30T08:07:31.042Z",
            "",
        ] {
            assert_eq!(other.parse::<UtcMillis>(), Err(NotATime), "{other}");
        }
    }

    #[test]
    fn an_interval_is_the_larger_of_both_clocks() {
        let at = |wall, boot| Now { wall: UtcMillis::from_millis(wall).unwrap(), boot: BootMillis(boot) };
        assert_eq!(at(5_000, 900).millis_since(at(0, 800)), 5_000, "slept");
        assert_eq!(at(0, 30_800).millis_since(at(3_600_000, 800)), 30_000, "clock set back");
        assert_eq!(at(9_000, 10).millis_since(at(1_000, 999_999)), 8_000, "restarted");
        assert_eq!(at(0, 0).millis_since(at(9, 9)), 0);
    }

    #[test]
    fn a_written_time_never_goes_back() {
        let at = |wall, boot| Now { wall: UtcMillis::from_millis(wall).unwrap(), boot: BootMillis(boot) };
        for (now, last, wall, trust) in [
            (at(5_000, 900), None, 5_000, ClockTrust::Ok),
            (at(5_000, 900), Some(at(5_000, 800)), 5_000, ClockTrust::Ok),
            (at(5_000, 900), Some(at(9_000, 800)), 9_100, ClockTrust::Suspect),
            (at(5_000, 10), Some(at(9_000, 800)), 9_000, ClockTrust::Suspect),
        ] {
            let written = now.written_after(last);
            assert_eq!(written, (UtcMillis::from_millis(wall).unwrap(), trust), "{now:?} after {last:?}");
        }
    }

    #[test]
    fn a_time_is_understood_as_people_write_it() {
        let zone = TimeZone::get("America/New_York").unwrap();
        let noon: UtcMillis = "2026-12-05T17:00:00.000Z".parse().unwrap();
        for text in
            ["2026-12-05T17:00:00Z", "2026-12-05T12:00-05:00", "2026-12-05T12:00", " 2026-12-05 12:00:00 "]
        {
            assert_eq!(UtcMillis::as_told(text, &zone), Some(noon), "{text}");
        }
        for text in ["", "noon", "2026-02-31T12:00", "12:00"] {
            assert_eq!(UtcMillis::as_told(text, &zone), None, "{text}");
        }
    }
}
