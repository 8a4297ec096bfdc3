//! A look at values while they are being typed.
//!
//! Promise: only what a person can mend in the field itself is told (its format, its limits, its list), and only about
//! the fields that are asked about. What is missing, and what does not go together, is told when the whole is handed in:
//! until then it is no mistake, only unfinished.

use serde_json::{Map, Value};

use crate::operation::Kind;
use crate::problem::{Problem, ProblemCode};
use crate::validate::Rules;

/// When a problem is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// As soon as the field is left.
    OnLeaving,
    /// When the whole is handed in.
    OnHandingIn,
}

impl ProblemCode {
    /// When a problem of this code is told.
    #[must_use]
    pub const fn told(self) -> Told {
        match self {
            Self::WrongType
            | Self::NumberTooLarge
            | Self::OutOfRange
            | Self::TooLong
            | Self::TooShort
            | Self::TooMany
            | Self::TooFew
            | Self::Doubled
            | Self::Format
            | Self::Pattern
            | Self::NotInVocabulary => Told::OnLeaving,
            Self::UnknownKind
            | Self::Missing
            | Self::UnknownField
            | Self::ExclusiveChoice
            | Self::NoChoiceFits
            | Self::NotAllowed
            | Self::Forbidden
            | Self::StepNotAllowed
            | Self::UnknownApplication
            | Self::BaseMissing
            | Self::Changed
            | Self::InDoubt
            | Self::UnknownColumn
            | Self::DoubledColumn
            | Self::NoHeader
            | Self::RowLength
            | Self::Encoding
            | Self::Unreadable
            | Self::CutOff
            | Self::UnknownOperation
            | Self::OtherApplication
            | Self::Voided
            | Self::NotWaiting
            | Self::NotAConflict
            | Self::TheirsUnknown
            | Self::ThereAlready
            | Self::SeenAnother
            | Self::Undecided
            | Self::WouldBeLost => Told::OnHandingIn,
        }
    }
}

/// What is wrong with the values at `asked` (pointers into the payload) and under them, by themselves.
///
/// The fields that are asked about are checked alone, so that those of others neither crowd them out nor bear on them.
#[must_use]
pub fn look(rules: &Rules, kind: Kind, payload: &Map<String, Value>, asked: &[&str]) -> Vec<Problem> {
    let alone = payload.iter().filter(|(name, _)| asked.iter().any(|pointer| touches(pointer, name)));
    let alone = Value::Object(alone.map(|(name, value)| (name.clone(), value.clone())).collect());
    let mut problems = rules.check(kind, &alone);
    problems.retain(|problem| {
        problem.code.told() == Told::OnLeaving
            && asked.iter().any(|pointer| is_at_or_under(&problem.pointer, pointer))
            && alone.pointer(&problem.pointer).is_some_and(|value| !is_empty(value))
    });
    problems
}

/// Whether a pointer leads into the member, or to the whole.
fn touches(pointer: &str, member: &str) -> bool {
    is_at_or_under(pointer, &crate::canonical::pointer_step("", member)) || pointer.is_empty()
}

fn is_at_or_under(pointer: &str, above: &str) -> bool {
    pointer.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A field without a value has nothing wrong yet.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
