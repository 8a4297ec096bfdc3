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
