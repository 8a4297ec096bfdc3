//! What can be done with an item that was handed in: corrected, taken back, decided.
//!
//! Promise: possible or not, each says what follows or why not; the window turns the words into sentences and decides
//! nothing.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Both, for one item, by whoever is signed in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct OfferedView {
    /// A whole new payload instead.
    pub correct: OfferView,
    /// Nothing instead.
    pub take_back: OfferView,
    /// What a correction is filled in from; none for what has no form.
    pub correcting: Option<CorrectingView>,
    /// While it waits for a decision: what can be decided, but for the choice between two versions of its record.
    pub decisions: Vec<DecisionOffer>,
}

/// A decision that can be asked for, or why it would be refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DecisionOffer {
    /// Which.
    pub decision: DecisionWord,
    /// Why not; none when it can be made.
    pub refused: Option<DecisionRefusal>,
}

/// The decisions, by their words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DecisionWord {
    /// It is sent again.
    Requeue,
    /// It is taken back.
    Void,
    /// The recorded one of several stays.
    Keep,
    /// A person has seen it there.
    Found,
}

/// Why a decision would be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DecisionRefusal {
    /// It may have arrived.
    InDoubt,
    /// What it builds on was taken back.
    NothingToBuildOn,
    /// It does not wait for it.
    NotNow,
}

/// Whether it is possible, and what follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "offer", rename_all = "snake_case")]
pub enum OfferView {
    /// It waits, and was never sent: what is handed in stands in its place, or it is never sent at all.
    TakesPlace,
    /// It is recorded: what is handed in follows as an item of its own.
    Follows,
    /// Not now.
    Refused {
        /// Why.
        refusal: OfferRefusal,
    },
}

/// Why it is not possible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum OfferRefusal {
    /// It may have arrived, and nobody knows yet.
    InDoubt,
    /// It was taken back or replaced already.
    Voided,
    /// It takes something back itself.
    AVoid,
    /// What it builds on was taken back.
    NothingToBuildOn,
    /// There is no form for it.
    NoForm,
    /// Only these roles may.
    NotPermitted {
        /// Them.
        roles: Vec<String>,
    },
    /// Nobody is signed in, or no rules are here.
    NotNow,
}

/// The form of a correction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CorrectingView {
    /// The kind whose form it is.
    pub kind: String,
    /// What it begins with: what holds now.
    #[ts(type = "Record<string, unknown>")]
    pub payload: serde_json::Value,
    /// The operation that is corrected, and, where that is a correction, what it corrects, and so on.
    pub of: Vec<String>,
}
