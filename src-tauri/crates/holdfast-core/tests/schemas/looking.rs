//! What is told while someone types.

use std::collections::BTreeSet;

use holdfast_core::form::{Told, look};
use holdfast_core::operation::Kind;
use holdfast_core::problem::ProblemCode;
use holdfast_core::validate::KINDS_DEMANDED;
use serde_json::{Value, json};

use crate::city::{examples, named, rules};

fn told(kind: Kind, payload: &Value, asked: &[&str]) -> BTreeSet<(String, String)> {
    named(&look(&rules(), kind, payload.as_object().unwrap(), asked))
}

fn one(pointer: &str, code: &str) -> BTreeSet<(String, String)> {
    [(pointer.to_owned(), code.to_owned())].into()
}

#[test]
fn what_is_missing_is_never_told() {
    for kind in KINDS_DEMANDED {
        assert_eq!(told(kind, &json!({}), &[""]), BTreeSet::new());
    }
    let empty = json!({"OriginalAddress1": "", "PIN": [], "NoParcelReason": " ", "EstProjectCost": "", "AppliedDate": null});
    assert_eq!(told(Kind::Application, &empty, &[""]), BTreeSet::new());
    let row_begun = json!({"PIN": ["0010-22-417", ""]});
    assert_eq!(told(Kind::Application, &row_begun, &["/PIN"]), BTreeSet::new());
}

#[test]
fn what_does_not_go_together_is_never_told() {
    let both = json!({"OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"], "NoParcelReason": "new lot"});
    assert_eq!(told(Kind::Application, &both, &[""]), BTreeSet::new());
    let no_day = json!({"InspType": "Footing", "ResultMapped": "Passed"});
    assert_eq!(told(Kind::Inspection, &no_day, &["/ResultMapped"]), BTreeSet::new());
    assert_eq!(told(Kind::Stage, &json!({"to": "Withdrawn"}), &["/to", "/reason"]), BTreeSet::new());
}

#[test]
fn only_the_fields_that_are_asked_about_are_told_with_all_under_them() {
    let wrong = json!({"EstProjectCost": "12,5", "AppliedDate": "2027-02-29", "PIN": ["0010-22-417", "000"]});
    assert_eq!(told(Kind::Application, &wrong, &["/EstProjectCost"]), one("/EstProjectCost", "pattern"));
    assert_eq!(told(Kind::Application, &wrong, &["/PIN"]), one("/PIN/1", "pattern"));
    assert_eq!(told(Kind::Application, &wrong, &["/PIN/1"]), one("/PIN/1", "pattern"));
    assert_eq!(told(Kind::Application, &wrong, &["/PIN/0", "/PI", "/Est", "PIN", "/none"]), BTreeSet::new());
    assert_eq!(told(Kind::Application, &wrong, &[""]).len(), 3);
}

#[test]
fn the_problems_of_other_fields_crowd_out_nothing() {
    let mut payload: serde_json::Map<String, Value> = (0..500).map(|n| (format!("A{n}"), json!(n))).collect();
    payload.insert("EstProjectCost".to_owned(), "12,5".into());
    let found = told(Kind::Application, &Value::Object(payload), &["/EstProjectCost"]);
    assert_eq!(found, one("/EstProjectCost", "pattern"));
}

#[test]
fn whatever_is_told_while_typing_is_a_problem_of_the_whole_as_well() {
    for example in examples("invalid") {
        let Some(payload) = example.payload.as_object() else { continue };
        for problem in look(&rules(), example.kind, payload, &[""]) {
            assert_eq!(problem.code.told(), Told::OnLeaving);
            let named = (problem.pointer.clone(), problem.code.to_string());
            assert!(example.expect.contains(&named), "{}: {named:?}", example.name);
        }
    }
}

#[test]
fn each_problem_has_what_a_sentence_in_another_language_needs() {
    let mut seen = BTreeSet::new();
    for example in examples("invalid") {
        for problem in rules().check(example.kind, &example.payload) {
            let needs = needs(problem.code);
            assert!(needs.iter().all(|need| problem.params.contains_key(*need)), "{problem:?}");
            seen.insert(problem.code);
        }
    }
    assert!(seen.len() >= 10, "{seen:?}");
}

fn needs(code: ProblemCode) -> &'static [&'static str] {
    const NEEDS: &[(ProblemCode, &[&str])] = &[
        (ProblemCode::WrongType, &["expected"]),
        (ProblemCode::NumberTooLarge, &["limit", "bound"]),
        (ProblemCode::OutOfRange, &["limit", "bound"]),
        (ProblemCode::TooLong, &["limit"]),
        (ProblemCode::TooShort, &["limit"]),
        (ProblemCode::TooMany, &["limit"]),
        (ProblemCode::TooFew, &["limit"]),
        (ProblemCode::Format, &["format"]),
        (ProblemCode::Pattern, &["shape"]),
        (ProblemCode::NotInVocabulary, &["allowed"]),
        (ProblemCode::ExclusiveChoice, &["with"]),
    ];
    NEEDS.iter().find(|(needing, _)| *needing == code).map_or(&[], |(_, needs)| needs)
}
