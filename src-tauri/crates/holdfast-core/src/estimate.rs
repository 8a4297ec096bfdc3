//! How long a backlog may still take.
//!
//! Promise: an estimate is the rate that was seen, carried on, or it is none: below [`ESTIMATE_FROM_RECORDED`] nobody
//! could tell.

/// How many have to be recorded before an estimate is given, in operations.
pub const ESTIMATE_FROM_RECORDED: u64 = 20;
const MINUTE_MS: u128 = 60_000;

/// Minutes until the rest is recorded, at least one, if `recorded` took `elapsed_ms`.
#[must_use]
pub fn minutes_left(recorded: u64, left: u64, elapsed_ms: u64) -> Option<u32> {
    if recorded < ESTIMATE_FROM_RECORDED || left == 0 {
        return None;
    }
    let left_ms = u128::from(elapsed_ms) * u128::from(left) / u128::from(recorded);
    Some(u32::try_from(left_ms.div_ceil(MINUTE_MS).max(1)).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_the_rate_that_was_seen_and_none_before_twenty() {
        let cases = [
            ("too few", (19, 100, 60_000), None),
            ("nothing left", (100, 0, 60_000), None),
            ("as many again", (20, 20, 300_000), Some(5)),
            ("rounded up", (60, 61, 60_000), Some(2)),
            ("at least a minute", (1_000, 1, 10), Some(1)),
            ("in no time", (20, 1_000, 0), Some(1)),
            ("for ever", (20, u64::MAX, u64::MAX), Some(u32::MAX)),
        ];
        for (name, (recorded, left, elapsed_ms), expected) in cases {
            assert_eq!(minutes_left(recorded, left, elapsed_ms), expected, "{name}");
        }
    }
}
