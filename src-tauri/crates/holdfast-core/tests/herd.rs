//! Two hundred stations after one outage: they come one by one, and no cap lines them up again.

#![allow(clippy::unwrap_used)]

use holdfast_core::wait::{BackoffSettings, Chance, RetryAfter, asked_ms, back_off_ms, longest_back_off_ms};

const STATIONS: usize = 200;
const FIRST_DRAIN_JITTER_MS: u64 = 30_000;
const BACK_OFF: BackoffSettings = BackoffSettings { base_ms: 1_000, max_ms: 60_000 };

/// Chance as it is drawn, from a fixed seed.
fn chances() -> Vec<Chance> {
    let mut state: u64 = 0x5DEE_CE66_D1CE_4E5B;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        Chance::from_bits(state)
    };
    (0..STATIONS).map(|_| draw()).collect()
}

/// The most of them in any tenth of the time from the first possible moment to the last.
fn fullest_tenth(times_ms: impl Iterator<Item = u64>, from_ms: u64, to_ms: u64) -> usize {
    let mut tenths = [0; 10];
    for time_ms in times_ms {
        assert!((from_ms..=to_ms).contains(&time_ms), "{time_ms}");
        let tenth = (time_ms - from_ms) * 10 / (to_ms - from_ms + 1);
        tenths[usize::try_from(tenth).unwrap()] += 1;
    }
    tenths.into_iter().max().unwrap()
}

/// Twenty in each tenth would be even; of as many by chance, the fullest tenth has hardly ever twice as many.
const FULLEST_MAX: usize = 40;

#[test]
fn after_an_outage_two_hundred_stations_come_one_by_one() {
    let first = chances().into_iter().map(|chance| chance.share_of(FIRST_DRAIN_JITTER_MS));
    assert!(fullest_tenth(first, 0, FIRST_DRAIN_JITTER_MS) <= FULLEST_MAX);
    for failures in [6, 20, 1_000] {
        let waits = chances().into_iter().map(|chance| back_off_ms(BACK_OFF, failures, chance));
        assert!(fullest_tenth(waits, 1_000, 60_000) <= FULLEST_MAX, "at the cap, after {failures}");
    }
    let longest = chances().into_iter().map(|chance| longest_back_off_ms(BACK_OFF, chance));
    assert!(fullest_tenth(longest, 30_000, 60_000) <= FULLEST_MAX);
    let told = RetryAfter::from_ms(600_000);
    let told = chances().into_iter().map(|chance| asked_ms(told, BACK_OFF, 10, chance));
    assert!(
        fullest_tenth(told, 600_000, 660_000) <= FULLEST_MAX,
        "told the same time, they do not come together"
    );
}
