//! Reading what was handed in: the document of one operation.
//!
//! Promise: whatever comes, the answer is a submission or the problems by pointer, all at once; nothing is guessed and no
//! member is passed over. Whether it may be recorded is decided in [`crate::accepting`].

use holdfast_core::canonical::{JsonFault, parse_object};
use holdfast_core::ids::{ApplicationId, ETag, OperationId};
use holdfast_core::limits::PROBLEMS_MAX;
use holdfast_core::operation::Kind;
use holdfast_core::problem::{Problem, ProblemCode};
use serde_json::{Map, Value};

/// What was handed in.
#[derive(Clone, Debug, PartialEq)]
pub struct Submission {
    /// What kind of thing is recorded.
    pub kind: Kind,
    /// Minted when the form was opened; `None`: to be drawn.
    pub operation_id: Option<OperationId>,
    /// The application it belongs to; `None` only for a new one.
    pub application_id: Option<ApplicationId>,
    /// Entity tag of the copy that the person saw.
    pub base: Option<ETag>,
    /// What is to be recorded.
    pub payload: Value,
}

/// Why a document is no submission.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotASubmission {
    /// Not one JSON object within the limits.
    #[error(transparent)]
    NotAnObject(#[from] JsonFault),
    /// An object, but not of this form.
    #[error("{} problems", .0.len())]
    Problems(Vec<Problem>),
}

const MEMBERS: [&str; 5] = ["kind", "operation_id", "application_id", "base", "payload"];

impl Submission {
    /// Reads `{kind, operation_id?, application_id?, base?, payload}`.
    ///
    /// # Errors
    /// See [`NotASubmission`].
    pub fn parse(document: &[u8]) -> Result<Self, NotASubmission> {
        let mut reading = Reading { members: parse_object(document)?, problems: Vec::new() };
        reading.refuse_unknown_members();
        let kind = reading.kind();
        let operation_id = reading.optional("operation_id", "a UUID");
        let application_id = reading.optional("application_id", "a UUID");
        let base = reading.optional("base", "an entity tag");
        let payload = reading.payload();
        if let Some(kind) = kind {
            reading.demand_application(kind, application_id);
        }
        match (kind, payload, reading.problems) {
            (Some(kind), Some(payload), problems) if problems.is_empty() => {
                Ok(Self { kind, operation_id, application_id, base, payload })
            }
            (_, _, problems) => Err(NotASubmission::Problems(problems)),
        }
    }
}

struct Reading {
    members: Map<String, Value>,
    problems: Vec<Problem>,
}

impl Reading {
    fn refuse_unknown_members(&mut self) {
        let unknown = self.members.keys().filter(|name| !MEMBERS.contains(&name.as_str()));
        // Each known member has at most one problem, and keeps its place in the list.
        let unknown = unknown.take(PROBLEMS_MAX - MEMBERS.len());
        self.problems.extend(unknown.map(|name| Problem::of_field(name, ProblemCode::UnknownField)));
    }

    fn kind(&mut self) -> Option<Kind> {
        match self.members.get("kind") {
            Some(Value::String(word)) => match word.parse() {
                Ok(kind) => Some(kind),
                Err(_) => self.problem(Problem::of_field("kind", ProblemCode::UnknownKind)),
            },
            Some(_) => self.problem(wrong_type("kind", "text")),
            None => self.problem(Problem::of_field("kind", ProblemCode::Missing)),
        }
    }

    /// An absent or null member is `None`; one of another form is a problem.
    fn optional<T: std::str::FromStr>(&mut self, name: &str, shape: &str) -> Option<T> {
        match self.members.get(name) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => match text.parse() {
                Ok(value) => Some(value),
                Err(_) => self.problem(Problem::of_field(name, ProblemCode::Pattern).with("shape", shape)),
            },
            Some(_) => self.problem(wrong_type(name, "text")),
        }
    }

    fn payload(&mut self) -> Option<Value> {
        match self.members.remove("payload") {
            Some(payload @ Value::Object(_)) => Some(payload),
            Some(_) => self.problem(wrong_type("payload", "object")),
            None => self.problem(Problem::of_field("payload", ProblemCode::Missing)),
        }
    }

    fn demand_application(&mut self, kind: Kind, application_id: Option<ApplicationId>) {
        let given =
            application_id.is_some() || self.members.get("application_id").is_some_and(|v| !v.is_null());
        if kind != Kind::Application && !given {
            self.problems.push(Problem::of_field("application_id", ProblemCode::Missing));
        }
    }

    fn problem<T>(&mut self, problem: Problem) -> Option<T> {
        self.problems.push(problem);
        None
    }
}

fn wrong_type(name: &str, expected: &str) -> Problem {
    Problem::of_field(name, ProblemCode::WrongType).with("expected", expected)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn problems(document: &str) -> Vec<(String, &'static str)> {
        match Submission::parse(document.as_bytes()) {
            Err(NotASubmission::Problems(problems)) => {
                problems.iter().map(|p| (p.pointer.clone(), p.code.as_str())).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_wrong_member_is_named_at_once() {
        let named = problems(r#"{"kind":"party","operation_id":7,"base":"a b","payload":[],"extra":1}"#);
        assert_eq!(
            named,
            [
                ("/extra".to_owned(), "unknown-field"),
                ("/kind".to_owned(), "unknown-kind"),
                ("/operation_id".to_owned(), "wrong-type"),
                ("/base".to_owned(), "pattern"),
                ("/payload".to_owned(), "wrong-type"),
            ]
        );
        assert_eq!(problems("{}"), [("/kind".to_owned(), "missing"), ("/payload".to_owned(), "missing")]);
        assert_eq!(problems(r#"{"kind":"stage","payload":{}}"#), [("/application_id".to_owned(), "missing")]);
    }

    #[test]
    fn what_is_no_single_object_is_told_apart() {
        let levels = format!(r#"{{"payload":{}{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
        let long = format!(r#"{{"kind":"note","payload":{{"text":"{}"}}}}"#, "x".repeat(1 << 20));
        let beyond = r#"{"kind":"note","payload":{"n":9007199254740992}}"#;
        let cases = [
            "",
            "nonsense",
            "[]",
            "{} {}",
            r#"{"a":1,"a":2}"#,
            r#"{"kind":"\u0000"}"#,
            &levels,
            &long,
            beyond,
        ];
        for document in cases {
            let refused = Submission::parse(document.as_bytes());
            assert!(matches!(refused, Err(NotASubmission::NotAnObject(_))), "{document:.60}");
        }
    }

    #[test]
    fn a_null_stands_for_an_absent_id_and_for_nothing_else() {
        let note =
            r#"{"kind":"application","operation_id":null,"application_id":null,"base":null,"payload":{}}"#;
        let submission = Submission::parse(note.as_bytes()).unwrap();
        assert_eq!((submission.operation_id, submission.application_id, submission.base), (None, None, None));
        assert_eq!(
            problems(r#"{"kind":null,"payload":null}"#),
            [("/kind".to_owned(), "wrong-type"), ("/payload".to_owned(), "wrong-type")]
        );
        let unnamed = r#"{"kind":"stage","application_id":null,"payload":{}}"#;
        assert_eq!(problems(unnamed), [("/application_id".to_owned(), "missing")]);
    }

    #[test]
    fn one_refusal_names_so_many_problems_and_no_more() {
        let strange: Vec<String> = (0..10_000).map(|n| format!(r#""field {n}":1"#)).collect();
        let named = problems(&format!("{{{}}}", strange.join(",")));
        assert!(named.len() <= PROBLEMS_MAX, "{}", named.len());
        assert!(named.contains(&("/kind".to_owned(), "missing")), "what is missing is not crowded out");
    }
}
