//! The books: what was accepted, and what has become of it.
//!
//! Promise: accepted = pending + in_flight + committed + quarantined + voided after every entry, since an entry either
//! adds one to both sides or moves one between two states. Counters are kept, never recounted.

use serde::{Deserialize, Serialize};

use crate::lane::State;

/// The counters of one station, or of one outage, in operations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Books {
    /// Durable here.
    pub accepted: u64,
    /// Wait here; includes what the SoR has received but not applied.
    pub pending: u64,
    /// Between the transaction before a send and the one after it.
    pub in_flight: u64,
    /// Durable in the SoR.
    pub committed: u64,
    /// Wait for a person; includes rows that can't be read.
    pub quarantined: u64,
    /// Taken back before they were recorded.
    pub voided: u64,
}

/// An entry that would not be true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FalseEntry {
    /// Nothing leads from one state to the other.
    #[error("no operation goes from {} to {}", from.word(), to.word())]
    NoSuchMove {
        /// The state before.
        from: State,
        /// The state after.
        to: State,
    },
    /// The books know of no operation in that state.
    #[error("the books hold no operation that is {}", from.word())]
    NoneThere {
        /// The state before.
        from: State,
    },
}

impl Books {
    /// One operation was accepted and waits.
    #[must_use]
    pub fn accepted_one(self) -> Self {
        Self { accepted: self.accepted + 1, pending: self.pending + 1, ..self }
    }

    /// One more operation, which is in this state already.
    #[must_use]
    pub fn with_one(mut self, state: State) -> Self {
        self.accepted += 1;
        *self.count_mut(state) += 1;
        self
    }

    /// One operation went from one state to another.
    ///
    /// # Errors
    /// [`FalseEntry`], and the books stay as they are.
    pub fn moved(mut self, from: State, to: State) -> Result<Self, FalseEntry> {
        if !leads_to(from, to) {
            return Err(FalseEntry::NoSuchMove { from, to });
        }
        let source = self.count_mut(from);
        *source = source.checked_sub(1).ok_or(FalseEntry::NoneThere { from })?;
        *self.count_mut(to) += 1;
        Ok(self)
    }

    /// How many are in a state.
    #[must_use]
    pub fn count(&self, state: State) -> u64 {
        match state {
            State::Pending => self.pending,
            State::InFlight => self.in_flight,
            State::Committed => self.committed,
            State::Quarantined => self.quarantined,
            State::Voided => self.voided,
        }
    }

    /// Accepted less all that is accounted for: 0, unless something was lost or counted twice.
    #[must_use]
    pub fn difference(&self) -> i128 {
        let accounted: i128 = State::ALL.iter().map(|state| i128::from(self.count(*state))).sum();
        i128::from(self.accepted) - accounted
    }

    /// Whether every accepted operation is accounted for once.
    #[must_use]
    pub fn balanced(&self) -> bool {
        self.difference() == 0
    }

    fn count_mut(&mut self, state: State) -> &mut u64 {
        match state {
            State::Pending => &mut self.pending,
            State::InFlight => &mut self.in_flight,
            State::Committed => &mut self.committed,
            State::Quarantined => &mut self.quarantined,
            State::Voided => &mut self.voided,
        }
    }
}

/// Committed ones come back when the SoR lost them (pending) or holds them twice (quarantined); voided ones never do.
fn leads_to(from: State, to: State) -> bool {
    match from {
        State::Pending => {
            matches!(to, State::InFlight | State::Committed | State::Quarantined | State::Voided)
        }
        State::InFlight => matches!(to, State::Pending | State::Committed | State::Quarantined),
        State::Committed => matches!(to, State::Pending | State::Quarantined),
        State::Quarantined => matches!(to, State::Pending | State::Committed | State::Voided),
        State::Voided => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Row: from. Column, in the order of `State::ALL`: whether an operation goes there.
    const MOVES: [(State, [bool; 5]); 5] = [
        (State::Pending, [false, true, true, true, true]),
        (State::InFlight, [true, false, true, true, false]),
        (State::Committed, [true, false, false, true, false]),
        (State::Quarantined, [true, false, true, false, true]),
        (State::Voided, [false; 5]),
    ];

    #[test]
    fn an_operation_goes_only_where_operations_go() {
        let one_each =
            Books { accepted: 5, pending: 1, in_flight: 1, committed: 1, quarantined: 1, voided: 1 };
        for (from, row) in MOVES {
            for (to, goes) in State::ALL.into_iter().zip(row) {
                match one_each.moved(from, to) {
                    Ok(after) => {
                        assert!(goes && after.count(to) == 2 && after.count(from) == 0, "{from:?} {to:?}")
                    }
                    Err(why) => {
                        assert!(!goes && why == FalseEntry::NoSuchMove { from, to }, "{from:?} {to:?}")
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_comes_from_an_empty_account() {
        let empty = Books::default();
        let refused = empty.moved(State::Pending, State::InFlight);
        assert_eq!(refused, Err(FalseEntry::NoneThere { from: State::Pending }));
    }

    #[test]
    fn a_lost_or_doubled_operation_shows_as_a_difference() {
        let books = Books::default().accepted_one();
        assert_eq!(Books { pending: 0, ..books }.difference(), 1);
        assert_eq!(Books { committed: 1, ..books }.difference(), -1);
        assert!(!Books { committed: 1, ..books }.balanced());
    }

    proptest! {
        #[test]
        fn the_books_balance_at_every_moment(entries in prop::collection::vec((0_usize..6, 0_usize..5), 0..200)) {
            let mut books = Books::default();
            for (from, to) in entries {
                books = match State::ALL.get(from) {
                    None => books.accepted_one(),
                    Some(from) => books.moved(*from, State::ALL[to]).unwrap_or(books),
                };
                prop_assert!(books.balanced());
            }
        }
    }
}
