//! Permit numbers that a station gives out itself, from blocks that the SoR leased to it.
//!
//! Promise: a number of one year is given to no application of another, each number once, in order; with none left the
//! application is taken all the same. Where a block comes from and how it is kept is not known here.

use serde_json::Value;

use crate::ids::PermitNum;
use crate::time::{TimeZone, UtcMillis};

/// The unused numbers of one year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeNumbers {
    /// The year.
    pub year: i16,
    /// The next one.
    pub next: PermitNum,
    /// How many there are, the next one included.
    pub left: u32,
}

/// How a station is off for numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Supply {
    /// There are more than the low mark says.
    Ample,
    /// Another block is due.
    Low {
        /// How many are left.
        left: u32,
    },
    /// What is accepted now gets its number later.
    NoneLeft,
}

/// The year of the city's calendar in which a moment lies.
#[must_use]
pub fn year(at: UtcMillis, zone: &TimeZone) -> i16 {
    at.day_in(zone).year()
}

/// The numbers of this year.
#[must_use]
pub fn of_year(free: &[FreeNumbers], year: i16) -> Option<&FreeNumbers> {
    free.iter().find(|numbers| numbers.year == year && numbers.left > 0)
}

/// How far so many numbers go.
#[must_use]
pub fn supply(left: u32, low_mark: u32) -> Supply {
    match left {
        0 => Supply::NoneLeft,
        _ if left <= low_mark => Supply::Low { left },
        _ => Supply::Ample,
    }
}

/// An application's payload with its number put in; one that brings a number keeps it.
#[must_use]
pub fn with_number(payload: &Value, number: &PermitNum) -> Value {
    let mut payload = payload.clone();
    if let Some(members) = payload.as_object_mut() {
        members.entry(MEMBER).or_insert_with(|| number.as_str().into());
    }
    payload
}

/// Whether an application brings a number along.
#[must_use]
pub fn brings_number(payload: &Value) -> bool {
    payload.get(MEMBER).is_some()
}

const MEMBER: &str = "PermitNum";

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    fn number(text: &str) -> PermitNum {
        text.parse().unwrap()
    }

    #[test]
    fn the_year_is_that_of_the_citys_calendar() {
        let at = "2027-01-01T03:30:00.000Z".parse().unwrap();
        assert_eq!(year(at, &TimeZone::UTC), 2027);
        let west = TimeZone::fixed(jiff::tz::offset(-8));
        assert_eq!(year(at, &west), 2026, "New Year's Eve in the west");
    }

    #[test]
    fn numbers_of_a_year_serve_that_year_alone() {
        let free = [
            FreeNumbers { year: 2026, next: number("AF-2026-00007"), left: 3 },
            FreeNumbers { year: 2027, next: number("AF-2027-00001"), left: 0 },
        ];
        assert_eq!(of_year(&free, 2026).map(|numbers| numbers.next.as_str()), Some("AF-2026-00007"));
        assert_eq!(of_year(&free, 2027), None);
        assert_eq!(of_year(&free, 2028), None);
    }

    #[test]
    fn the_low_mark_is_reached_before_the_end() {
        let cases = [
            (21, Supply::Ample),
            (20, Supply::Low { left: 20 }),
            (1, Supply::Low { left: 1 }),
            (0, Supply::NoneLeft),
        ];
        for (left, expected) in cases {
            assert_eq!(supply(left, 20), expected, "{left}");
        }
    }

    #[test]
    fn a_number_is_put_in_only_where_there_is_none() {
        let numbered = with_number(&json!({"OriginalAddress1": "12 OAK ST"}), &number("AF-2026-00007"));
        assert_eq!(numbered, json!({"OriginalAddress1": "12 OAK ST", "PermitNum": "AF-2026-00007"}));
        assert_eq!(with_number(&numbered, &number("AF-2026-00008")), numbered);
        assert!(brings_number(&numbered) && !brings_number(&json!({})));
    }
}
