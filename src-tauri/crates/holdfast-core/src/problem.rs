//! What is wrong with an input, field by field, in a form that screens can translate.
//!
//! Promise: a problem names the place (a JSON pointer), a code that stays the same over the years, and the numbers or
//! words of the *rule*. It never holds the value that was given: that may be personal, and problems go into logs,
//! answers and the audit.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::canonical::pointer_step;

/// Longest pointer that is kept, in characters; a field name of a megabyte would otherwise come back whole.
const POINTER_MAX_CHARS: usize = 200;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $message:literal;)*) => {
        /// Why an input was refused. The order is the order of the explanation: of several problems of one field the
        /// first is the one to mend first.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum ProblemCode {
            $($(#[$doc])* #[serde(rename = $text)] $name,)*
        }

        impl ProblemCode {
            /// Every code, in order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The stable text of the code, kebab-case.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The English sentence of the code; `{name}` stands for a parameter.
            const fn template(self) -> &'static str {
                match self { $(Self::$name => $message,)* }
            }
        }
    };
}

codes! {
    /// The kind of operation has no rules in this contract.
    UnknownKind = "unknown-kind", "this kind of operation is not known to the rules";
    /// A field that must be there is not.
    Missing = "missing", "must be given";
    /// A field that the rules do not know.
    UnknownField = "unknown-field", "is not a known field";
    /// Text where a number belongs, and the like.
    WrongType = "wrong-type", "must be of type {expected}";
    /// An integer beyond ±(2^53−1).
    NumberTooLarge = "number-too-large", "is beyond the largest safe integer, {limit}";
    /// A number outside its range.
    OutOfRange = "out-of-range", "is outside the range; the limit is {limit}";
    /// A text longer than allowed, in code points.
    TooLong = "too-long", "is longer than {limit} characters";
    /// A text shorter than allowed, in code points.
    TooShort = "too-short", "is shorter than {limit} characters";
    /// A list or an object with more entries than allowed.
    TooMany = "too-many", "has more than {limit} entries";
    /// A list or an object with fewer entries than allowed.
    TooFew = "too-few", "has fewer than {limit} entries";
    /// The same entry twice in one list.
    Doubled = "doubled", "names the same entry twice";
    /// Not a date, an address, ... of the named format.
    Format = "format", "is not a valid {format}";
    /// The text does not have the shape that the rules ask for.
    Pattern = "pattern", "must be {shape}";
    /// A word outside its closed list.
    NotInVocabulary = "not-in-vocabulary", "must be one of: {allowed}";
    /// Two fields of which only one may be given.
    ExclusiveChoice = "exclusive-choice", "must not be given together with {with}";
    /// Fits none of the shapes that the rules allow here.
    NoChoiceFits = "no-choice-fits", "fits none of the allowed forms";
    /// Something the rules forbid here.
    NotAllowed = "not-allowed", "is not allowed here";
    /// The role of the person has no right to this.
    Forbidden = "forbidden", "the role {role} has no right to this";
    /// The move is no step of the life of an application.
    StepNotAllowed = "step-not-allowed", "{from} to {to} is no step of an application's life";
    /// The application is not known at this station.
    UnknownApplication = "unknown-application", "this application is not known here";
    /// The operation is not known at this station.
    UnknownOperation = "unknown-operation", "this operation is not known here";
    /// The operation belongs to another application.
    OtherApplication = "other-application", "belongs to another application";
    /// The operation was taken back or replaced.
    Voided = "voided", "was taken back or replaced already";
    /// Neither a lane nor a snapshot says what the operation builds on.
    BaseMissing = "base-missing", "what this builds on is not known here";
    /// The same operation came before with other contents.
    Changed = "changed", "was accepted before with other contents";
    /// The earlier operation was sent and its outcome is not known yet.
    InDoubt = "in-doubt", "the earlier operation was sent and its outcome is not known yet";
    /// The operation waits for no decision, or no longer.
    NotWaiting = "not-waiting", "does not wait for a decision";
    /// The operation waits for another reason than two versions of its record.
    NotAConflict = "not-a-conflict", "does not wait because of two versions of its record";
    /// What the SoR has was not fetched yet.
    TheirsUnknown = "theirs-unknown", "what the record system has is not known here yet";
    /// What the operation opens is at the SoR already.
    ThereAlready = "there-already", "is in the record system already; take its version, and correct that";
    /// Another version than the one that was looked at is known by now.
    SeenAnother = "seen-another", "the record has changed again; look at it once more";
    /// Both versions changed the field, and none was chosen.
    Undecided = "undecided", "was changed in both versions; one has to be chosen";
    /// One of the two versions has the field, and what was made of them does not speak of it.
    WouldBeLost = "would-be-lost", "is in one of the versions; give it, or null to leave it out";
    /// A column of a file that is no BLDS field.
    UnknownColumn = "unknown-column", "is not a known column";
    /// A column that stands in the file twice.
    DoubledColumn = "doubled-column", "stands in the header more than once";
    /// The first line of a file is not a header.
    NoHeader = "no-header", "the first line is not a header of column names";
    /// A row with more or fewer cells than the header.
    RowLength = "row-length", "has {found} cells where the header has {expected}";
    /// A row that is not UTF-8.
    Encoding = "encoding", "is not UTF-8";
    /// Not CSV at all, e.g. a quote that never closes, or beyond a limit of size.
    Unreadable = "unreadable", "cannot be read as a row";
    /// The file itself cannot be read further: cut or damaged gzip, or more than a file may have.
    CutOff = "cut-off", "the file is damaged, cut off or too large here; nothing behind this was read";
}

impl fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing that is wrong with an input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Problem {
    /// RFC 6901 pointer of the field itself, `""` for the whole.
    pub pointer: String,
    /// Why it was refused.
    pub code: ProblemCode,
    /// The numbers and words of the rule that the message needs; never of the input's values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
}

impl Problem {
    /// A problem at a pointer. An overlong pointer is cut, and ends with `…`.
    #[must_use]
    pub fn at(pointer: impl Into<String>, code: ProblemCode) -> Self {
        Self { pointer: shortened(pointer.into()), code, params: BTreeMap::new() }
    }

    /// A problem of a named field of the outermost object.
    #[must_use]
    pub fn of_field(name: &str, code: ProblemCode) -> Self {
        Self::at(pointer_step("", name), code)
    }

    /// The same, with a parameter of the rule.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl fmt::Display) -> Self {
        self.params.insert(name.to_owned(), value.to_string());
        self
    }

    /// The English sentence for the terminal, to be read after the pointer.
    #[must_use]
    pub fn message(&self) -> String {
        let mut text = self.code.template().to_owned();
        for (name, value) in &self.params {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        text
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            f.write_str(&self.message())
        } else {
            write!(f, "{}: {}", self.pointer, self.message())
        }
    }
}

fn shortened(pointer: String) -> String {
    match pointer.char_indices().nth(POINTER_MAX_CHARS) {
        None => pointer,
        Some((end, _)) => format!("{}…", &pointer[..end]),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_one_text_in_every_form() {
        for code in ProblemCode::ALL {
            let text = code.as_str();
            assert!(text.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{text}");
            assert_eq!(serde_json::to_value(code).unwrap(), text);
            assert_eq!(serde_json::from_value::<ProblemCode>(text.into()).unwrap(), *code);
        }
    }

    #[test]
    fn the_message_holds_the_limit_of_the_rule() {
        let problem = Problem::of_field("WorkClass", ProblemCode::TooLong).with("limit", 250);
        assert_eq!(problem.to_string(), "/WorkClass: is longer than 250 characters");
    }

    #[test]
    fn a_field_name_is_escaped_and_cut() {
        assert_eq!(Problem::of_field("a/b~c", ProblemCode::UnknownField).pointer, "/a~1b~0c");
        let long = Problem::of_field(&"é".repeat(1 << 20), ProblemCode::UnknownField);
        assert_eq!(long.pointer.chars().count(), POINTER_MAX_CHARS + 1);
    }
}
