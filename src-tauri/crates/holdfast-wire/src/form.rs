//! A form as a person fills it in: groups of fields, in order, as the rules in force want them.
//!
//! Promise: what the window draws follows from this alone; it never reads a schema, and judges no value.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use validator::Validate;

use crate::view::ProblemView;

/// The same words in each language of the window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Words {
    /// English of the United States.
    pub en: String,
    /// Spanish of the United States.
    pub es: String,
}

/// The form of one kind of operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FormView {
    /// The kind.
    pub kind: String,
    /// Version of the rules that it comes from.
    #[ts(type = "number")]
    pub contract_version: u64,
    /// Groups in the order of the page.
    pub groups: Vec<FormGroup>,
}

/// Fields under one legend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FormGroup {
    /// Its name in the rules: `site`, `work`, `people`, `money`, …
    pub id: String,
    /// Its legend.
    pub legend: Words,
    /// Its fields in order.
    pub fields: Vec<FormField>,
}

/// One field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FormField {
    /// Name of the member of the payload, as in BLDS.
    pub name: String,
    /// RFC 6901 pointer into a submission: `/payload/EstProjectCost`.
    pub pointer: String,
    /// What it is called.
    pub label: Words,
    /// An example, not an instruction.
    pub hint: Option<Words>,
    /// What a value looks like, the same in every language: completes "must look like …". Days and times have none,
    /// since each reader's language writes them in its own way.
    pub example: Option<String>,
    /// Whether it may be left out.
    pub need: FieldNeed,
    /// The expected length.
    pub width: FieldWidth,
    /// What takes the value.
    pub control: FieldControl,
}

/// Whether a field may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FieldNeed {
    /// It may not.
    Required,
    /// It may.
    Optional,
}

/// How wide a field looks, by the length that is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FieldWidth {
    /// A postcode.
    Xs,
    /// An amount.
    Sm,
    /// A telephone number.
    Md,
    /// A name.
    Lg,
    /// An address.
    Xl,
    /// The whole column.
    Full,
}

/// What takes a value, and the shape of that value in a payload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "control", rename_all = "snake_case")]
pub enum FieldControl {
    /// One line of text.
    Line {
        /// Most characters (code points).
        limit: u32,
    },
    /// Several lines of text.
    LongText {
        /// Most characters (code points).
        limit: u32,
    },
    /// A telephone number, one line, kept as typed.
    Phone {
        /// Most characters.
        limit: u32,
    },
    /// An address for electronic mail.
    Email {
        /// Most characters.
        limit: u32,
    },
    /// A whole number; an integer in the payload.
    Count,
    /// US dollars; a decimal text in the payload.
    Money,
    /// A measure; a decimal text in the payload.
    Measure {
        /// Its unit, after the value.
        unit: Words,
    },
    /// A day; `YYYY-MM-DD`.
    Day,
    /// A local time of day; `HH:MM`.
    TimeOfDay,
    /// One of a closed list; its code.
    Choice {
        /// In order.
        options: Vec<FormOption>,
    },
    /// Several of a closed list; a list of codes.
    Several {
        /// In order.
        options: Vec<FormOption>,
        /// Most of them.
        entries_max: u32,
    },
    /// A site address, found in what is known here or typed freely.
    Address {
        /// Most characters.
        limit: u32,
    },
    /// Parcel numbers, or the reason why there are none, which goes into a member of its own.
    Parcels {
        /// Most numbers.
        entries_max: u32,
        /// Pointer of the reason.
        reason_pointer: String,
        /// Name of the member of the reason.
        reason_name: String,
    },
    /// The rules name a way of entering that this version does not know: shown as a line of text, and said so.
    Unknown {
        /// What the rules asked for.
        widget: String,
        /// Most characters.
        limit: u32,
    },
}

/// One entry of a closed list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FormOption {
    /// What is stored.
    pub code: String,
    /// What is read.
    pub word: Words,
}

/// A look at values before they are handed in.
#[derive(Clone, Debug, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct CheckRequest {
    /// The kind of operation.
    #[validate(length(min = 1, max = 32))]
    pub kind: String,
    /// The payload as it would be handed in.
    #[ts(type = "Record<string, unknown>")]
    pub payload: serde_json::Map<String, serde_json::Value>,
    /// Which fields are asked about, each with all that lies under it.
    #[validate(length(min = 1, max = 100))]
    pub pointers: Vec<String>,
}

/// What is wrong with the fields that were asked about: formats and limits, never what is still missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CheckView {
    /// Each problem.
    pub problems: Vec<ProblemView>,
}
