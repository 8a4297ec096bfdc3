//! Room on the disk, and what work it still allows.
//!
//! Promise: the class changes at two marks far apart, so that it does not flap; the floor is absolute; the last reserve
//! is kept for work that the law asks for. The space counted is what this user may use, not what root may.

use serde::{Deserialize, Serialize};

use crate::operation::Kind;

/// Space of the file system that holds the queue, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskSpace {
    /// Used.
    pub used_bytes: u64,
    /// Available to this user (`f_bavail`), blocks reserved for root left out.
    pub available_bytes: u64,
}

/// The marks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HeadroomSettings {
    /// From this share used on, ambient work is shed (`disk_high_water`).
    pub high_water: f64,
    /// Below this share used, it is taken up again (`disk_low_water`).
    pub low_water: f64,
    /// Below this much available, standard work stops, in bytes (`disk_floor_mib`).
    pub floor_bytes: u64,
    /// Below this much available, everything stops, in bytes.
    pub reserve_bytes: u64,
}

/// How much room there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadroomClass {
    /// Enough for everything.
    Ample,
    /// Ambient work is shed.
    Tight,
    /// Only compliance work is taken.
    Floor,
    /// Nothing is taken.
    Exhausted,
}

/// How much a piece of work matters when room is short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkClass {
    /// Thumbnails, tiles, prefetch.
    Ambient,
    /// The counter's work.
    Standard,
    /// Inspection results, holds, stop-work.
    Compliance,
}

/// The class now, given the class before.
#[must_use]
pub fn assess(previous: HeadroomClass, space: DiskSpace, settings: &HeadroomSettings) -> HeadroomClass {
    if space.available_bytes < settings.reserve_bytes {
        return HeadroomClass::Exhausted;
    }
    if space.available_bytes < settings.floor_bytes {
        return HeadroomClass::Floor;
    }
    let used = space.used_share();
    let sheds_already = previous != HeadroomClass::Ample;
    if used >= settings.high_water || (sheds_already && used >= settings.low_water) {
        HeadroomClass::Tight
    } else {
        HeadroomClass::Ample
    }
}

/// Whether there is room for work of this class.
#[must_use]
pub fn admits(class: HeadroomClass, work: WorkClass) -> bool {
    match class {
        HeadroomClass::Ample => true,
        HeadroomClass::Tight => matches!(work, WorkClass::Standard | WorkClass::Compliance),
        HeadroomClass::Floor => matches!(work, WorkClass::Compliance),
        HeadroomClass::Exhausted => false,
    }
}

impl WorkClass {
    /// The class of an operation.
    #[must_use]
    pub fn of(kind: Kind) -> Self {
        match kind {
            Kind::Inspection | Kind::Hold | Kind::Tag => Self::Compliance,
            Kind::Application
            | Kind::Stage
            | Kind::Correction
            | Kind::Void
            | Kind::Notice
            | Kind::Fee
            | Kind::Note
            | Kind::Attachment => Self::Standard,
        }
    }
}

impl HeadroomClass {
    /// The stored and shown word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ample => "ample",
            Self::Tight => "tight",
            Self::Floor => "floor",
            Self::Exhausted => "exhausted",
        }
    }
}

impl DiskSpace {
    fn used_share(self) -> f64 {
        let whole = self.used_bytes as f64 + self.available_bytes as f64;
        if whole > 0.0 { self.used_bytes as f64 / whole } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::HeadroomClass::{Ample, Exhausted, Floor, Tight};
    use super::*;

    const MIB: u64 = 1024 * 1024;
    const SETTINGS: HeadroomSettings =
        HeadroomSettings { high_water: 0.80, low_water: 0.65, floor_bytes: 100 * MIB, reserve_bytes: MIB };

    /// A large disk of which so many hundredths are used.
    fn used(hundredths: u64) -> DiskSpace {
        DiskSpace { used_bytes: hundredths * 1_000 * MIB, available_bytes: (100 - hundredths) * 1_000 * MIB }
    }

    fn free(mib: u64) -> DiskSpace {
        DiskSpace { used_bytes: 0, available_bytes: mib * MIB }
    }

    #[test]
    fn it_sheds_at_the_high_mark_and_restores_only_below_the_low_one() {
        let history = [
            (79, Ample),
            (80, Tight),
            (81, Tight),
            (79, Tight),
            (66, Tight),
            (65, Tight),
            (64, Ample),
            (79, Ample),
            (80, Tight),
        ];
        let mut class = Ample;
        for (hundredths, expected) in history {
            class = assess(class, used(hundredths), &SETTINGS);
            assert_eq!(class, expected, "{hundredths} %");
        }
    }

    #[test]
    fn below_the_floor_standard_work_always_stops() {
        for previous in [Ample, Tight, Floor, Exhausted] {
            for (mib, stops) in [(101, false), (100, false), (99, true), (1, true), (0, true)] {
                let class = assess(previous, free(mib), &SETTINGS);
                assert_eq!(!admits(class, WorkClass::Standard), stops, "{mib} MiB after {previous:?}");
            }
        }
    }

    #[test]
    fn compliance_work_is_taken_to_the_last_reserved_megabyte() {
        assert!(admits(assess(Ample, free(1), &SETTINGS), WorkClass::Compliance));
        assert!(!admits(assess(Floor, free(0), &SETTINGS), WorkClass::Compliance));
    }

    #[test]
    fn blocks_reserved_for_root_are_not_room() {
        let reserved_for_root = DiskSpace { used_bytes: 900_000 * MIB, available_bytes: 50 * MIB };
        assert_eq!(assess(Ample, reserved_for_root, &SETTINGS), Floor);
        assert_eq!(assess(Ample, DiskSpace { used_bytes: 0, available_bytes: 0 }, &SETTINGS), Exhausted);
    }

    #[test]
    fn each_class_takes_what_the_one_before_took_and_less() {
        use WorkClass::{Ambient, Compliance, Standard};
        let table = [
            (Ample, [true, true, true]),
            (Tight, [false, true, true]),
            (Floor, [false, false, true]),
            (Exhausted, [false, false, false]),
        ];
        for (class, taken) in table {
            assert_eq!([Ambient, Standard, Compliance].map(|work| admits(class, work)), taken, "{class:?}");
        }
    }

    #[test]
    fn inspections_holds_and_tags_are_compliance_work() {
        let compliance: Vec<_> =
            Kind::ALL.into_iter().filter(|kind| WorkClass::of(*kind) == WorkClass::Compliance).collect();
        assert_eq!(compliance, [Kind::Inspection, Kind::Hold, Kind::Tag]);
    }
}
