//! How many operations are on their way at once, after an outage and in calm.
//!
//! Promise: it begins with one; it doubles after [`GOOD_ANSWERS_TO_DOUBLE`] good answers and is halved by a failure, by an
//! SoR that asks for fewer, and when nine of ten answers take more than twice as long as before the outage. Order inside a
//! lane is not its matter: two of one lane are never on their way at once, whatever it says.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::breaker::Verdict;

/// Good answers in a row after which twice as many may be on their way.
pub const GOOD_ANSWERS_TO_DOUBLE: u32 = 20;
/// Answers whose time is remembered.
const TIMES_MAX: usize = 100;
/// Fewer answers say nothing about a share of them.
const TIMES_MIN: usize = 20;
/// The share of answers that is looked at, in hundredths.
const SHARE_HUNDREDTHS: usize = 95;
/// How many times slower than before the outage is too slow.
const TOO_SLOW_TIMES: u64 = 2;

/// What an SoR says about the order in which operations reach it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// It keeps the order in which they come: one at a time.
    OfArrival,
    /// It orders by the time of acceptance itself: several lanes at once.
    AcceptedAt,
}

/// How many may be on their way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ramp {
    allowed: u32,
    good: u32,
    /// Whether it was halved since the last answers that doubled it.
    strained: bool,
    /// Latest times, in milliseconds.
    times_ms: VecDeque<u64>,
    /// The 95th hundredth of the times before the last outage, in milliseconds, if there were enough.
    before_ms: Option<u64>,
}

impl Default for Ramp {
    fn default() -> Self {
        Self { allowed: 1, good: 0, strained: false, times_ms: VecDeque::new(), before_ms: None }
    }
}

impl Ramp {
    /// How many may be on their way now; `most` is the configured limit, at least 1.
    #[must_use]
    pub fn allowed(&self, order: Order, most: u32) -> u32 {
        match order {
            Order::OfArrival => 1,
            Order::AcceptedAt => self.allowed.clamp(1, most.max(1)),
        }
    }

    /// An answer has come, after so many milliseconds.
    pub fn answered(&mut self, verdict: Verdict, took_ms: u64, most: u32) {
        match verdict {
            Verdict::Success | Verdict::Alive => self.good_answer(took_ms, most),
            Verdict::Failure | Verdict::Neutral => self.halve(),
            Verdict::None => {}
        }
    }

    /// The breaker has closed: it begins with one again. What is known of times is from before the outage.
    pub fn closed(&mut self) {
        self.before_ms = self.slow_share_ms().or(self.before_ms);
        (self.allowed, self.good, self.strained) = (1, 0, false);
        self.times_ms.clear();
    }

    /// Whether the SoR failed, asked for fewer or was slow since it last answered well for a while.
    #[must_use]
    pub fn is_strained(&self) -> bool {
        self.strained
    }

    /// It was left alone for a while.
    pub fn rested(&mut self) {
        self.strained = false;
    }

    fn good_answer(&mut self, took_ms: u64, most: u32) {
        self.times_ms.push_back(took_ms);
        if self.times_ms.len() > TIMES_MAX {
            self.times_ms.pop_front();
        }
        if self.is_too_slow() {
            self.halve();
            // Judged anew by what comes from here on.
            self.times_ms.clear();
            return;
        }
        self.good += 1;
        if self.good >= GOOD_ANSWERS_TO_DOUBLE {
            self.good = 0;
            self.strained = false;
            self.allowed = self.allowed.saturating_mul(2).min(most.max(1));
        }
    }

    fn halve(&mut self) {
        self.allowed = (self.allowed / 2).max(1);
        self.good = 0;
        self.strained = true;
    }

    fn is_too_slow(&self) -> bool {
        let slow = self.slow_share_ms().zip(self.before_ms);
        slow.is_some_and(|(now_ms, before_ms)| now_ms > before_ms.max(1).saturating_mul(TOO_SLOW_TIMES))
    }

    fn slow_share_ms(&self) -> Option<u64> {
        if self.times_ms.len() < TIMES_MIN {
            return None;
        }
        let mut times_ms: Vec<u64> = self.times_ms.iter().copied().collect();
        times_ms.sort_unstable();
        times_ms.get((times_ms.len() * SHARE_HUNDREDTHS).div_ceil(100) - 1).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u32 = 4;

    fn good(ramp: &mut Ramp, times: u32, took_ms: u64) {
        (0..times).for_each(|_| ramp.answered(Verdict::Success, took_ms, MOST));
    }

    fn allowed(ramp: &Ramp) -> u32 {
        ramp.allowed(Order::AcceptedAt, MOST)
    }

    #[test]
    fn it_begins_with_one_and_doubles_after_twenty_good_answers_up_to_the_limit() {
        let mut ramp = Ramp::default();
        let mut seen = Vec::new();
        for _ in 0..5 {
            seen.push(allowed(&ramp));
            good(&mut ramp, GOOD_ANSWERS_TO_DOUBLE, 50);
        }
        assert_eq!(seen, [1, 2, 4, 4, 4]);
    }

    #[test]
    fn a_failure_and_an_sor_that_asks_for_fewer_halve_it() {
        for verdict in [Verdict::Failure, Verdict::Neutral] {
            let mut ramp = Ramp::default();
            good(&mut ramp, 2 * GOOD_ANSWERS_TO_DOUBLE, 50);
            good(&mut ramp, GOOD_ANSWERS_TO_DOUBLE - 1, 50);
            let mut seen = vec![allowed(&ramp)];
            for _ in 0..3 {
                ramp.answered(verdict, 50, MOST);
                seen.push(allowed(&ramp));
            }
            assert_eq!(seen, [4, 2, 1, 1]);
            good(&mut ramp, 1, 50);
            assert_eq!(allowed(&ramp), 1, "good answers are counted from the failure on");
        }
    }

    #[test]
    fn what_strains_an_sor_is_remembered_until_it_answers_well_again_or_was_left_alone() {
        let mut ramp = Ramp::default();
        good(&mut ramp, 5, 50);
        assert!(!ramp.is_strained());
        ramp.answered(Verdict::Neutral, 50, MOST);
        good(&mut ramp, GOOD_ANSWERS_TO_DOUBLE - 1, 50);
        assert!(ramp.is_strained());
        good(&mut ramp, 1, 50);
        assert!(!ramp.is_strained());
        ramp.answered(Verdict::Failure, 50, MOST);
        ramp.rested();
        assert!(!ramp.is_strained());
    }

    #[test]
    fn twice_as_slow_as_before_the_outage_halves_it() {
        let mut ramp = Ramp::default();
        good(&mut ramp, 60, 100);
        ramp.closed();
        assert_eq!(allowed(&ramp), 1);
        good(&mut ramp, 40, 200);
        assert_eq!(allowed(&ramp), 4, "just twice is not over twice");
        good(&mut ramp, 20, 201);
        assert!(allowed(&ramp) < 4, "{ramp:?}");
    }

    #[test]
    fn without_a_word_of_the_sor_about_its_order_one_is_on_its_way() {
        let mut ramp = Ramp::default();
        good(&mut ramp, 100, 50);
        assert_eq!(ramp.allowed(Order::OfArrival, MOST), 1);
        assert_eq!(ramp.allowed(Order::AcceptedAt, 2), 2, "a limit that was lowered holds at once");
    }
}
