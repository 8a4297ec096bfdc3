//! Numbers that look random and are the same in every run: a drill that fails is repeated by its seed.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// A sequence of its own for each seed; the seed is shown when the test fails.
    #[must_use]
    #[allow(clippy::print_stdout)] // The runner keeps it for tests that fail.
    pub fn seeded(seed: u64) -> Self {
        println!("seed {seed}");
        Self(seed)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }

    /// A place in something that has `length` of them.
    pub fn place(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap()
    }

    /// `count` different numbers from 1 to `most`, rising.
    #[must_use]
    pub fn rising(&mut self, count: usize, most: usize) -> Vec<usize> {
        assert!(count <= most, "{count} different numbers up to {most}");
        let mut numbers = std::collections::BTreeSet::new();
        while numbers.len() < count {
            numbers.insert(1 + self.place(most));
        }
        numbers.into_iter().collect()
    }
}
