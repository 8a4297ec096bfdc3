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
