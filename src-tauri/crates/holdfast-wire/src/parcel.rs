//! Parcels: what this computer's copy of the city's GIS says about them, with its age.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use validator::Validate;

/// Parcels that are looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct ParcelsRequest {
    /// Their numbers, as typed.
    #[validate(length(max = 50))]
    pub pins: Vec<String>,
}

/// What is known of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ParcelsView {
    /// Each of them, in the order of the question; none where this station has no GIS.
    pub parcels: Vec<ParcelView>,
    /// The copy; none where this station has no GIS.
    pub copy: Option<ParcelCopyView>,
}

/// One parcel as the copy has it, or that it does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ParcelView {
    /// Its number.
    pub pin: String,
    /// `known`, `unknown`, `too_old` or `never_copied`.
    pub seen: String,
    /// Its address, if it is known and has one.
    pub address: Option<String>,
    /// Its zoning district, if it is known.
    pub zoning: Option<String>,
    /// What else lies over it.
    pub overlays: Vec<String>,
    /// When the copy was asked for.
    pub as_of: Option<String>,
    /// How old it was when it was looked into, in seconds.
    #[ts(type = "number | null")]
    pub age_s: Option<u64>,
    /// What a person is warned of: `parcel-unknown`, `parcel-copy-old` or `parcel-never-copied`.
    pub warning: Option<String>,
}

/// How the copy of the city's parcels stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ParcelCopyView {
    /// When it was asked for, if there is one.
    pub copied_at: Option<String>,
    /// Its age in seconds.
    #[ts(type = "number | null")]
    pub age_s: Option<u64>,
    /// Whether it may be used.
    pub usable: bool,
}

/// Something that a receipt warns of; nothing was refused because of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReceiptWarning {
    /// `parcel-unknown`, `parcel-copy-old` or `parcel-never-copied`.
    pub code: String,
    /// Where in what was handed in.
    pub pointer: String,
    /// As of when what is known here is.
    pub as_of: Option<String>,
}
