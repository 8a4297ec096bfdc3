//! How many may be at the station at once: those who hand in, those for whom the SoR is asked, those who read what is here.
//!
//! Promise: whoever finds no place is told so at once and nothing is changed; nobody queues without an end. Each kind has
//! places of its own, so that a screen that reads much keeps nobody from handing in. Deliberately not here: the standing
//! (mode bar, heartbeat), which must be answered however many read.

use std::sync::atomic::{AtomicU32, Ordering};

use holdfast_wire::{ApiCode, ApiError};

use crate::station::Station;
use crate::views;

/// The places that are taken.
#[derive(Default)]
pub(crate) struct Admission {
    accepting: AtomicU32,
    asking: AtomicU32,
    reading: AtomicU32,
}

/// A place; given back when dropped.
pub(crate) struct Place<'a>(&'a AtomicU32);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Station {
    /// A place among those who hand in.
    pub(crate) fn accept_place(&self) -> Result<Place<'_>, ApiError> {
        enter(&self.admission.accepting, self.settings().accepts_waiting_max)
    }

    /// A place among those for whom the SoR is asked.
    pub(crate) fn ask_place(&self) -> Result<Place<'_>, ApiError> {
        enter(&self.admission.asking, self.settings().reads_in_flight_max)
    }

    /// A place among those who read what is here.
    pub(crate) fn read_place(&self) -> Result<Place<'_>, ApiError> {
        enter(&self.admission.reading, self.settings().cached_reads_max)
    }
}

fn enter(taken: &AtomicU32, at_most: u32) -> Result<Place<'_>, ApiError> {
    let place = Place(taken);
    let before = taken.fetch_add(1, Ordering::AcqRel);
    if before < at_most { Ok(place) } else { Err(views::error(ApiCode::Busy)) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn one_more_than_may_be_here_is_told_at_once_and_a_place_is_given_back() {
        let taken = AtomicU32::new(0);
        let first = enter(&taken, 2).unwrap();
        let second = enter(&taken, 2).unwrap();
        let refused = enter(&taken, 2).err().map(|error| error.code);
        assert_eq!(refused, Some(ApiCode::Busy));
        drop(first);
        assert!(enter(&taken, 2).is_ok());
        drop(second);
        assert_eq!(taken.load(Ordering::Acquire), 0);
    }
}
