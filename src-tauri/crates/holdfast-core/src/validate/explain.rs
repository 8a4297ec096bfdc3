//! From what the validator says to problems of fields.
//!
//! Promise: every problem points at the field that a person has to mend, also where the validator points at the object
//! around it; one problem per field, the one to mend first; none holds a value of the payload.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value;

use crate::canonical::pointer_step;
use crate::limits::{INTEGER_MAX, PROBLEMS_MAX};
use crate::problem::{Problem, ProblemCode};

/// Errors that are looked at, in entries: several may concern one field.
const ERRORS_MAX: usize = 10 * PROBLEMS_MAX;
/// Words of a closed list that are repeated in a problem, in entries.
const WORDS_MAX: usize = 40;

/// The problems behind a validator's errors, sorted by pointer; `schema` is what it was compiled from.
pub(super) fn problems<'a>(
    errors: impl Iterator<Item = ValidationError<'a>>,
    schema: &Value,
) -> Vec<Problem> {
    let mut problems: Vec<Problem> =
        errors.flat_map(|error| of_error(&error, schema)).take(ERRORS_MAX).collect();
    problems.sort();
    problems.dedup_by(|later, first| later.pointer == first.pointer);
    problems.truncate(PROBLEMS_MAX);
    problems
}

fn of_error(error: &ValidationError<'_>, schema: &Value) -> Vec<Problem> {
    use ProblemCode as Code;
    use ValidationErrorKind as Kind;
    let at = error.instance_path().to_string();
    let one = |code| Problem::at(at.as_str(), code);
    match error.kind() {
        Kind::Required { property } => {
            vec![of_child(&at, property.as_str().unwrap_or_default(), Code::Missing)]
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected.iter().map(|name| of_child(&at, name, Code::UnknownField)).collect()
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => vec![no_choice(&at, context)],
        Kind::OneOfMultipleValid { .. } => vec![both_choices(&at, error, schema)],
        Kind::Type { kind } => vec![one(Code::WrongType).with("expected", expected(kind))],
        Kind::Enum { options } => vec![one(Code::NotInVocabulary).with("allowed", words(options))],
        Kind::Constant { expected_value } => {
            vec![one(Code::NotInVocabulary).with("allowed", word(expected_value))]
        }
        Kind::Format { format } => vec![one(Code::Format).with("format", format)],
        Kind::Pattern { pattern } => vec![one(Code::Pattern).with("shape", shape(error, schema, pattern))],
        Kind::MaxLength { limit } => vec![one(Code::TooLong).with("limit", limit)],
        Kind::MinLength { limit } => vec![one(Code::TooShort).with("limit", limit)],
        Kind::MaxItems { limit } | Kind::MaxProperties { limit } => {
            vec![one(Code::TooMany).with("limit", limit)]
        }
        Kind::AdditionalItems { limit } => vec![one(Code::TooMany).with("limit", limit)],
        Kind::MinItems { limit } | Kind::MinProperties { limit } => {
            vec![one(Code::TooFew).with("limit", limit)]
        }
        Kind::Maximum { limit } => vec![beyond(&at, "at_most", limit)],
        Kind::Minimum { limit } => vec![beyond(&at, "at_least", limit)],
        Kind::ExclusiveMaximum { limit } => vec![beyond(&at, "below", limit)],
        Kind::ExclusiveMinimum { limit } => vec![beyond(&at, "above", limit)],
        Kind::UniqueItems => vec![one(Code::Doubled)],
        Kind::FalseSchema
        | Kind::Not { .. }
        | Kind::PropertyNames { .. }
        | Kind::UnevaluatedItems { .. }
        | Kind::Contains
        | Kind::MultipleOf { .. }
        | Kind::ContentEncoding { .. }
        | Kind::ContentMediaType { .. }
        | Kind::Custom { .. }
        | Kind::FromUtf8 { .. }
        | Kind::BacktrackLimitExceeded { .. }
        | Kind::RegexEngineFailure { .. }
        | Kind::Referencing(_) => vec![one(Code::NotAllowed)],
    }
}

fn of_child(parent: &str, name: &str, code: ProblemCode) -> Problem {
    Problem::at(pointer_step(parent, name), code)
}

/// None of the choices fits. Where each only asks for a field, the first of those fields is what is missing.
fn no_choice(at: &str, context: &[Vec<ValidationError<'static>>]) -> Problem {
    let fields: Option<Vec<&str>> = context.iter().map(|errors| only_missing(errors)).collect();
    match fields.as_deref() {
        Some([first, others @ ..]) if !others.is_empty() => {
            of_child(at, first, ProblemCode::Missing).with("or", others.join(", "))
        }
        Some(_) | None => Problem::at(at, ProblemCode::NoChoiceFits),
    }
}

fn only_missing<'a>(errors: &'a [ValidationError<'static>]) -> Option<&'a str> {
    let [error] = errors else { return None };
    if let ValidationErrorKind::Required { property } = error.kind() { property.as_str() } else { None }
}

/// More than one choice fits. Where each only asks for a field, the later of the two given ones is too many.
fn both_choices(at: &str, error: &ValidationError<'_>, schema: &Value) -> Problem {
    let branches = schema.pointer(error.schema_path().as_str()).and_then(Value::as_array);
    let given: Vec<&str> = branches
        .into_iter()
        .flatten()
        .filter_map(|branch| branch.pointer("/required/0")?.as_str())
        .filter(|name| error.instance().get(name).is_some())
        .collect();
    match given.as_slice() {
        [first, second, ..] => of_child(at, second, ProblemCode::ExclusiveChoice).with("with", first),
        [] | [_] => Problem::at(at, ProblemCode::NoChoiceFits),
    }
}

/// What the rules office says beside the pattern; else the pattern itself.
fn shape<'a>(error: &ValidationError<'_>, schema: &'a Value, pattern: &'a str) -> &'a str {
    let path = error.schema_path().as_str();
    let beside = path.strip_suffix("/pattern").and_then(|path| schema.pointer(path));
    beside.and_then(|schema| schema.get("description")?.as_str()).unwrap_or(pattern)
}

fn expected(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => one.to_string(),
        TypeKind::Multiple(set) => set.iter().map(|one| one.to_string()).collect::<Vec<_>>().join(" or "),
    }
}

/// Words of the contract, never of the payload.
fn words(options: &Value) -> String {
    let options = options.as_array().map_or(&[][..], Vec::as_slice);
    let mut words: Vec<String> = options.iter().take(WORDS_MAX).map(word).collect();
    if options.len() > WORDS_MAX {
        words.push("…".to_owned());
    }
    words.join(", ")
}

fn word(option: &Value) -> String {
    option.as_str().map_or_else(|| option.to_string(), str::to_owned)
}

/// On which side of its limit a number has to be is a parameter, for whoever says it in other words.
fn beyond(at: &str, bound: &str, limit: &Value) -> Problem {
    Problem::at(at, range_code(limit)).with("bound", bound).with("limit", limit)
}

fn range_code(limit: &Value) -> ProblemCode {
    let safest = limit.as_i64().is_some_and(|limit| limit.abs() == INTEGER_MAX);
    if safest { ProblemCode::NumberTooLarge } else { ProblemCode::OutOfRange }
}
