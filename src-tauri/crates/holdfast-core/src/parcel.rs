//! Parcels as the city's GIS knows them, and what a copy of them says about those that an application names.
//!
//! Promise: what is said follows from the copy, its age and `now`, and from nothing else; the GIS is never asked while
//! somebody stands at the counter. A copy past its ceiling, or dated in the future, says nothing about a parcel. What is
//! missing here is a warning and never a refusal: the city's records decide whether a parcel exists. Deliberately not here:
//! fetching and keeping the copy.

pub mod copying;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::breaker::Admission;
use crate::copies::{Age, age};
use crate::ids::{EndpointName, NotAnId};
use crate::route::NotReplayable;
use crate::time::{Now, UtcMillis};

/// Parcels that one application names at most, in entries; its schema has the same limit.
pub const PINS_MAX: usize = 50;
/// One parcel number, in bytes.
const PIN_MAX_BYTES: usize = 64;
/// A text of a parcel, in characters.
const TEXT_MAX_CHARS: usize = 200;
/// Overlays of one parcel, in entries.
const OVERLAYS_MAX: usize = 32;
/// Version of the rule of [`ParcelTally`]. A change of it is a new version beside the old.
pub const LOOK_VERSION: u32 = 1;
/// Member of an acceptance's event that holds what was decided about parcels.
pub const PARCEL_DECISION: &str = "parcels";

/// The number of a parcel, as the city writes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pin(String);

/// A parcel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parcel {
    /// Its number.
    pub pin: Pin,
    /// Its address, where it has one.
    pub address: Option<String>,
    /// Its zoning district.
    pub zoning: String,
    /// What else lies over it: a flood zone, a historic district.
    #[serde(default)]
    pub overlays: Vec<String>,
    /// The box around it.
    pub bounds: Option<Bounds>,
    /// When the GIS changed it last.
    pub updated_at: UtcMillis,
}

/// A box around a parcel, in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Its western edge.
    pub west: f64,
    /// Its southern edge.
    pub south: f64,
    /// Its eastern edge.
    pub east: f64,
    /// Its northern edge.
    pub north: f64,
}

/// How a copy of the city's parcels stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CopyStanding {
    /// There is none.
    Never,
    /// It may be used.
    Usable,
    /// It is older than it may be, or dated in the future: it says nothing.
    Refused,
}

/// What a copy says about one parcel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "seen", rename_all = "snake_case")]
pub enum Seen {
    /// It is in the copy.
    Known {
        /// As it is there.
        parcel: Box<Parcel>,
        /// As of when.
        as_of: UtcMillis,
    },
    /// It is not in the copy.
    Unknown {
        /// As of when.
        as_of: UtcMillis,
    },
    /// The copy is older than it may be.
    TooOld {
        /// As of when.
        as_of: UtcMillis,
    },
    /// There is no copy.
    NeverCopied,
}

/// What a person is warned of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParcelWarning {
    /// The copy does not know the parcel.
    ParcelUnknown,
    /// The copy is older than it may be.
    ParcelCopyOld,
    /// Parcels were never copied to this computer.
    ParcelNeverCopied,
}

/// What was decided about the parcels of one acceptance, as the audit keeps it: counts and ages, no parcel number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParcelDecision {
    /// Which endpoint's matter it is.
    pub endpoint: EndpointName,
    /// [`LOOK_VERSION`] at that time.
    pub look_version: u32,
    /// What it was decided from.
    pub inputs: LookInputs,
    /// What was decided.
    #[serde(flatten)]
    pub tally: ParcelTally,
}

/// Everything that a tally depends on, and what the GIS's own breaker said meanwhile, on which it does not depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookInputs {
    /// Parcels that the application names.
    pub asked: u32,
    /// How many of them are in the copy, whatever its age.
    pub found: u32,
    /// When the copy was asked for, if there is one.
    pub copied: Option<Now>,
    /// When it was looked into.
    pub now: Now,
    /// How old it may be.
    pub max_h: u32,
    /// What the breaker of the GIS said.
    pub breaker: Admission,
}

/// How many parcels are what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParcelTally {
    /// How the copy stands.
    pub copy: CopyStanding,
    /// In a copy that may be used.
    pub known: u32,
    /// Not in it.
    pub unknown: u32,
    /// The copy may not be used.
    pub too_old: u32,
    /// There is no copy.
    pub never_copied: u32,
    /// Age of the copy, by whichever clock makes it older.
    pub age_s: Option<u64>,
}

/// How a copy that was asked for then stands now.
#[must_use]
pub fn standing(copied: Option<Now>, now: Now, max_h: u32) -> CopyStanding {
    match copied.map(|copied| age(copied, now, max_h)) {
        None => CopyStanding::Never,
        Some(Age::Usable) => CopyStanding::Usable,
        Some(Age::TooOld | Age::FromTheFuture) => CopyStanding::Refused,
    }
}

/// What the copy says about one parcel; `found` is what it has under that number.
#[must_use]
pub fn look(copied: Option<Now>, found: Option<Parcel>, now: Now, max_h: u32) -> Seen {
    let Some(asked) = copied else { return Seen::NeverCopied };
    let as_of = asked.wall;
    match (standing(copied, now, max_h), found) {
        (CopyStanding::Never, _) => Seen::NeverCopied,
        (CopyStanding::Refused, _) => Seen::TooOld { as_of },
        (CopyStanding::Usable, None) => Seen::Unknown { as_of },
        (CopyStanding::Usable, Some(parcel)) => Seen::Known { parcel: Box::new(parcel), as_of },
    }
}

/// The parcel numbers that an application's payload names, each once; what is no number is the rules' matter.
#[must_use]
pub fn pins(payload: &Value) -> Vec<Pin> {
    let named = payload.get("PIN").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut pins: Vec<Pin> = Vec::new();
    for pin in named.iter().take(PINS_MAX).filter_map(|value| value.as_str()?.parse().ok()) {
        if !pins.contains(&pin) {
            pins.push(pin);
        }
    }
    pins
}

impl Seen {
    /// What a person is warned of, if of anything.
    #[must_use]
    pub fn warning(&self) -> Option<ParcelWarning> {
        match self {
            Self::Known { .. } => None,
            Self::Unknown { .. } => Some(ParcelWarning::ParcelUnknown),
            Self::TooOld { .. } => Some(ParcelWarning::ParcelCopyOld),
            Self::NeverCopied => Some(ParcelWarning::ParcelNeverCopied),
        }
    }

    /// As of when, where there is a copy.
    #[must_use]
    pub fn as_of(&self) -> Option<UtcMillis> {
        match self {
            Self::Known { as_of, .. } | Self::Unknown { as_of } | Self::TooOld { as_of } => Some(*as_of),
            Self::NeverCopied => None,
        }
    }

    /// The stored and shown word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Known { .. } => "known",
            Self::Unknown { .. } => "unknown",
            Self::TooOld { .. } => "too_old",
            Self::NeverCopied => "never_copied",
        }
    }

    /// The parcel, if it is known.
    #[must_use]
    pub fn parcel(&self) -> Option<&Parcel> {
        match self {
            Self::Known { parcel, .. } => Some(parcel),
            Self::Unknown { .. } | Self::TooOld { .. } | Self::NeverCopied => None,
        }
    }
}

impl ParcelWarning {
    /// The code on receipts and screens.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::ParcelUnknown => "parcel-unknown",
            Self::ParcelCopyOld => "parcel-copy-old",
            Self::ParcelNeverCopied => "parcel-never-copied",
        }
    }
}

impl ParcelTally {
    /// Counts.
    #[must_use]
    pub fn of(inputs: &LookInputs) -> Self {
        let LookInputs { asked, found, copied, now, max_h, breaker: _ } = *inputs;
        let copy = standing(copied, now, max_h);
        let none = Self {
            copy,
            known: 0,
            unknown: 0,
            too_old: 0,
            never_copied: 0,
            age_s: copied.map(|copied| now.millis_since(copied) / 1_000),
        };
        match copy {
            CopyStanding::Never => Self { never_copied: asked, ..none },
            CopyStanding::Refused => Self { too_old: asked, ..none },
            CopyStanding::Usable => {
                Self { known: found.min(asked), unknown: asked.saturating_sub(found), ..none }
            }
        }
    }
}

impl ParcelDecision {
    /// Decides, and keeps what it was decided from.
    #[must_use]
    pub fn of(inputs: LookInputs) -> Self {
        let tally = ParcelTally::of(&inputs);
        Self { endpoint: EndpointName::gis(), look_version: LOOK_VERSION, inputs, tally }
    }
}

/// A recorded tally and the one that its inputs lead to.
///
/// # Errors
/// [`NotReplayable`], when the record is not one, or from rules that are not known here.
pub fn replay(recorded: &Value) -> Result<(ParcelTally, ParcelTally), NotReplayable> {
    let decision = ParcelDecision::deserialize(recorded).map_err(NotReplayable::NotADecision)?;
    match decision.look_version {
        LOOK_VERSION => Ok((decision.tally, ParcelTally::of(&decision.inputs))),
        other => Err(NotReplayable::UnknownVersion(other)),
    }
}

impl Parcel {
    /// Whether all of it is within the limits of what is kept.
    #[must_use]
    pub fn fits(&self) -> bool {
        let short = |text: &String| {
            (1..=TEXT_MAX_CHARS).contains(&text.chars().count()) && !text.chars().any(char::is_control)
        };
        self.address.iter().all(short)
            && short(&self.zoning)
            && self.overlays.len() <= OVERLAYS_MAX
            && self.overlays.iter().all(short)
            && self.bounds.is_none_or(Bounds::lies_on_earth)
    }
}

impl Bounds {
    fn lies_on_earth(self) -> bool {
        let ordered = self.west <= self.east && self.south <= self.north;
        ordered && self.west >= -180.0 && self.east <= 180.0 && self.south >= -90.0 && self.north <= 90.0
    }
}

impl Pin {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Pin {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let text = text.trim();
        let fits = (1..=PIN_MAX_BYTES).contains(&text.len()) && !text.chars().any(char::is_control);
        if fits { Ok(Self(text.to_owned())) } else { Err(NotAnId("parcel number")) }
    }
}

impl TryFrom<String> for Pin {
    type Error = NotAnId;

    fn try_from(text: String) -> Result<Self, NotAnId> {
        text.parse()
    }
}

impl From<Pin> for String {
    fn from(pin: Pin) -> Self {
        pin.0
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
