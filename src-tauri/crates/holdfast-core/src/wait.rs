//! How long an operation waits before it is tried again: back-off with full jitter, and `Retry-After`.
//!
//! Promise: every wait is finite, is over by the larger of both clocks' differences (a clock set back freezes nothing),
//! and says what it was for. What is tried afterwards is decided by the outcome.

use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::limits::RETRY_AFTER_MAX_S;
use crate::time::{Now, UtcMillis};

/// A random share in [0, 1), passed in by whoever owns entropy.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Chance(f64);

/// The bounds of the back-off, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackoffSettings {
    /// Floor of every wait (`attempt_backoff_base_s`).
    pub base_ms: u64,
    /// Ceiling of the back-off (`attempt_backoff_max_s`).
    pub max_ms: u64,
}

/// What a `Retry-After` asked for, in milliseconds from the answer's own `Date`; not yet held within limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RetryAfter {
    ms: u64,
}

/// What a wait is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitCause {
    /// A failure that was the endpoint's.
    Endpoint,
    /// A failure that was the operation's own.
    Item,
    /// The SoR named a time.
    RetryAfter,
    /// The SoR has received it and is asked later.
    Received,
    /// Its parent is not there yet.
    Parent,
    /// It may still appear at an SoR without keys: not to be there is believed later.
    Settle,
}

/// A length of time that has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// When it began, by both clocks.
    pub from: Now,
    /// How long it lasts, in milliseconds.
    pub length_ms: u64,
}

/// A wait that has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// When it began, by both clocks.
    pub from: Now,
    /// How long it lasts, in milliseconds.
    pub length_ms: u64,
    /// What it is for.
    pub cause: WaitCause,
}

/// The wait after the `failures`-th failure in a row (from 1), in milliseconds: between the base and the base doubled
/// `failures` times, at most the maximum.
#[must_use]
pub fn back_off_ms(settings: BackoffSettings, failures: u32, chance: Chance) -> u64 {
    let ceiling = ceiling_ms(settings, failures);
    settings.base_ms + chance.share_of(ceiling.saturating_sub(settings.base_ms))
}

/// The longest wait of the back-off, in milliseconds, jittered over its upper half.
#[must_use]
pub fn longest_back_off_ms(settings: BackoffSettings, chance: Chance) -> u64 {
    let longest = settings.max_ms.max(settings.base_ms);
    longest - chance.share_of(longest / 2)
}

/// The wait that a `Retry-After` leads to, in milliseconds: what it asked for, held between the back-off's floor and
/// [`RETRY_AFTER_MAX_S`], and the back-off's jitter on top, so that stations told the same time do not return together.
#[must_use]
pub fn asked_ms(asked: RetryAfter, settings: BackoffSettings, failures: u32, chance: Chance) -> u64 {
    let most = u64::from(RETRY_AFTER_MAX_S) * 1000;
    let held = asked.ms.max(settings.base_ms).min(most.max(settings.base_ms));
    held + chance.share_of(ceiling_ms(settings, failures))
}

/// Whether such a wait ends when the endpoint's breaker closes.
#[must_use]
pub fn ends_on_close(cause: WaitCause) -> bool {
    match cause {
        WaitCause::Endpoint => true,
        WaitCause::Item
        | WaitCause::RetryAfter
        | WaitCause::Received
        | WaitCause::Parent
        | WaitCause::Settle => false,
    }
}

/// An HTTP date in any of the three forms of RFC 9110 §5.6.7; `None` for anything else, impossible days included.
#[must_use]
pub fn http_date(text: &str) -> Option<UtcMillis> {
    const FORMS: [&str; 3] =
        ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];
    let time =
        FORMS.iter().find_map(|form| BrokenDownTime::parse(form, text.trim()).ok()?.to_datetime().ok())?;
    let stamp = time.to_zoned_datetime(TimeZone::UTC).ok()?.timestamp();
    UtcMillis::from_millis(stamp.as_millisecond())
}

impl Chance {
    /// The middle: no jitter to either side.
    pub const MIDDLE: Self = Self(0.5);

    /// A share; `None` outside [0, 1).
    #[must_use]
    pub fn new(share: f64) -> Option<Self> {
        (0.0..1.0).contains(&share).then_some(Self(share))
    }

    /// From 53 of the bits of a random number.
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        // 53 bits are what a float holds exactly, so the quotient stays below 1.
        Self((bits >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// The 53 bits that it was drawn from, so that it can be written down exactly.
    #[must_use]
    pub fn bits_53(self) -> u64 {
        (self.0 * (1_u64 << 53) as f64) as u64
    }

    /// A share that was written down; `None` for more than 53 bits.
    #[must_use]
    pub fn from_bits_53(bits: u64) -> Option<Self> {
        (bits < 1 << 53).then(|| Self::from_bits(bits << 11))
    }

    /// This share of `whole`, rounded down: 0 to `whole` − 1 (0 of 0).
    #[must_use]
    pub fn share_of(self, whole: u64) -> u64 {
        ((self.0 * whole as f64) as u64).min(whole.saturating_sub(1))
    }
}

impl RetryAfter {
    /// A wait of so many milliseconds.
    #[must_use]
    pub fn from_ms(ms: u64) -> Self {
        Self { ms }
    }

    /// Reads the header (RFC 9110 §10.2.3: delay in seconds, or an HTTP date held against the answer's own `Date`).
    ///
    /// `values` are all the header's lines. `None` for none, several, or one that is of neither form (a sign, a
    /// fraction, a day that does not exist), and for a date when the answer had no `Date`. A date in the past asks for 0.
    #[must_use]
    pub fn parse(values: &[&str], date: Option<UtcMillis>) -> Option<Self> {
        let [value] = values else { return None };
        let value = value.trim();
        if !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
            return Some(Self { ms: value.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(1000) });
        }
        let wait = http_date(value)?.millis_since(date?);
        Some(Self { ms: u64::try_from(wait).unwrap_or(0) })
    }

    /// What was asked for, in milliseconds.
    #[must_use]
    pub fn ms(self) -> u64 {
        self.ms
    }
}

impl Interval {
    /// What is left of it, in milliseconds.
    #[must_use]
    pub fn left_ms(&self, now: Now) -> u64 {
        left_ms(self.from, self.length_ms, now)
    }
}

impl Wait {
    /// Whether it is over.
    #[must_use]
    pub fn is_over(&self, now: Now) -> bool {
        left_ms(self.from, self.length_ms, now) == 0
    }

    /// The wall-clock time at which it will be over, as seen from `now`.
    #[must_use]
    pub fn ends_at(&self, now: Now) -> UtcMillis {
        end_of(self.from, self.length_ms, now)
    }
}

/// What is left of an interval. One whose beginning lies ahead by both clocks can't be measured any more and is over: to
/// try once too early does no harm, to wait until the clocks have caught up might take years.
pub(crate) fn left_ms(from: Now, length_ms: u64, now: Now) -> u64 {
    if now.predates(from) { 0 } else { length_ms.saturating_sub(now.millis_since(from)) }
}

/// When an interval ends, by the wall clock as it is now.
pub(crate) fn end_of(from: Now, length_ms: u64, now: Now) -> UtcMillis {
    now.wall.plus_millis(i64::try_from(left_ms(from, length_ms, now)).unwrap_or(i64::MAX))
}

fn ceiling_ms(settings: BackoffSettings, failures: u32) -> u64 {
    let doubled =
        1_u64.checked_shl(failures).map_or(u64::MAX, |factor| settings.base_ms.saturating_mul(factor));
    doubled.min(settings.max_ms).max(settings.base_ms)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::BootMillis;

    const SETTINGS: BackoffSettings = BackoffSettings { base_ms: 1_000, max_ms: 60_000 };
    const ALMOST_ONE: Chance = Chance(0.999_999_999);

    fn at(wall_ms: i64, boot_ms: u64) -> Now {
        let wall = UtcMillis::from_millis(1_800_000_000_000 + wall_ms).unwrap();
        Now { wall, boot: BootMillis(boot_ms) }
    }

    #[test]
    fn a_chance_lies_below_one_and_its_share_below_the_whole() {
        for bad in [-0.1, 1.0, 1.5, f64::NAN, f64::INFINITY] {
            assert_eq!(Chance::new(bad), None);
        }
        assert_eq!(Chance::from_bits(0), Chance::new(0.0).unwrap());
        assert!(Chance::new(Chance::from_bits(u64::MAX).0).is_some());
        for whole in [0, 1, 2, 1_000, u64::MAX] {
            assert!(Chance::from_bits(u64::MAX).share_of(whole) <= whole.saturating_sub(1));
        }
    }

    #[test]
    fn the_back_off_doubles_to_its_maximum_and_jitters_over_all_of_it() {
        for (failures, longest) in
            [(1, 2_000), (2, 4_000), (5, 32_000), (6, 60_000), (64, 60_000), (u32::MAX, 60_000)]
        {
            assert_eq!(back_off_ms(SETTINGS, failures, Chance(0.0)), 1_000, "{failures}");
            let most = back_off_ms(SETTINGS, failures, ALMOST_ONE);
            assert!((longest - 2..longest).contains(&most), "{failures}: {most}");
        }
        let upside_down = BackoffSettings { base_ms: 5_000, max_ms: 10 };
        assert_eq!(back_off_ms(upside_down, 9, ALMOST_ONE), 5_000);
    }

    #[test]
    fn the_longest_back_off_is_never_short() {
        for chance in [Chance(0.0), Chance::MIDDLE, ALMOST_ONE] {
            assert!((30_000..=60_000).contains(&longest_back_off_ms(SETTINGS, chance)));
        }
    }

    #[test]
    fn an_http_date_has_three_forms_and_no_impossible_day() {
        let moment = "1994-11-06T08:49:37.000Z".parse().unwrap();
        let forms =
            ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"];
        for form in forms {
            assert_eq!(http_date(form), Some(moment), "{form}");
        }
        let bad = [
            "",
            "Sun, 31 Feb 2027 08:49:37 GMT",
            "Sun, 06 Nov 1994 25:49:37 GMT",
            "1994-11-06T08:49:37Z",
            "06 Nov",
        ];
        for form in bad {
            assert_eq!(http_date(form), None, "{form}");
        }
    }

    #[test]
    fn a_date_is_held_against_the_answers_own_date() {
        let value = ["Sun, 06 Nov 1994 08:49:37 GMT"];
        let own = http_date("Sun, 06 Nov 1994 08:48:37 GMT");
        assert_eq!(RetryAfter::parse(&value, own), Some(RetryAfter::from_ms(60_000)));
        assert_eq!(RetryAfter::parse(&value, None), None);
        assert_eq!(RetryAfter::parse(&[], own), None);
    }

    #[test]
    fn a_wait_ends_by_either_clock() {
        let wait = Wait { from: at(0, 1_000), length_ms: 30_000, cause: WaitCause::Item };
        let cases = [
            ("too early", at(29_999, 30_999), false),
            ("in time", at(30_000, 31_000), true),
            ("slept", at(30_000, 1_001), true),
            ("clock set back", at(-3_600_000, 31_000), true),
            ("clock set back, too early", at(-3_600_000, 30_999), false),
            ("restarted", at(30_000, 5), true),
            ("restarted, too early", at(29_999, 5), false),
            ("restarted with the clock set back", at(-3_600_000, 5), true),
        ];
        for (name, now, over) in cases {
            assert_eq!(wait.is_over(now), over, "{name}");
        }
        assert_eq!(wait.ends_at(at(-3_600_000, 11_000)), at(-3_580_000, 0).wall);
    }

    #[test]
    fn a_close_ends_only_what_was_charged_to_the_endpoint() {
        use WaitCause::{Endpoint, Item, Parent, Received, RetryAfter, Settle};
        let ending: Vec<_> = [Endpoint, Item, RetryAfter, Received, Parent, Settle]
            .into_iter()
            .filter(|cause| ends_on_close(*cause))
            .collect();
        assert_eq!(ending, [Endpoint]);
    }
}
