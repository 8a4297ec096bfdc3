//! What single fields hold: days, money, counts, text, words.

use holdfast_core::problem::ProblemCode;
use serde_json::{Value, json};

use crate::city::{contract, judged, rules};

#[test]
fn dates_are_days_of_the_calendar() {
    let rules = rules();
    for good in ["2028-02-29", "2000-02-29", "2026-12-31"] {
        assert_eq!(judged(&rules, "AppliedDate", good.into()), None, "{good}");
    }
    for bad in
        ["2027-02-29", "1900-02-29", "2025-02-31", "2026-13-01", "2026-1-2", "02/03/2026", "２026-01-02"]
    {
        assert_eq!(judged(&rules, "AppliedDate", bad.into()), Some(ProblemCode::Format), "{bad}");
    }
    assert!(judged(&rules, "AppliedDate", "2026-01-02T00:00:00Z".into()).is_some());
    assert!(judged(&rules, "AppliedDate", "".into()).is_some());
}

#[test]
fn money_is_exact_or_refused() {
    let rules = rules();
    for good in ["0", "25000.00", "-0.5", "0010", "9999999999999.9999", "1070468.14", "0.07"] {
        assert_eq!(judged(&rules, "EstProjectCost", good.into()), None, "{good}");
    }
    let bad = [
        "12,5",
        "1e3",
        "1.234,56",
        "1,234.56",
        "1 234",
        "123,00",
        "",
        ".5",
        "5.",
        "+5",
        "--5",
        "$5",
        "12345678901234",
        "0.12345",
        "１２",
        "٣",
        "5\n",
        " 5",
        "NaN",
    ];
    for text in bad {
        assert_eq!(judged(&rules, "EstProjectCost", text.into()), Some(ProblemCode::Pattern), "{text:?}");
    }
    for value in [json!(25000), json!(25000.5), json!(null), json!(true)] {
        assert_eq!(judged(&rules, "EstProjectCost", value), Some(ProblemCode::WrongType));
    }
}

#[test]
fn counts_are_safe_integers() {
    let rules = rules();
    for good in [json!(-12), json!(0), json!(9_007_199_254_740_991_i64), json!(-9_007_199_254_740_991_i64)] {
        assert_eq!(judged(&rules, "HousingUnits", good), None);
    }
    for large in [json!(9_007_199_254_740_992_i64), json!(-9_007_199_254_740_992_i64), json!(u64::MAX)] {
        assert_eq!(judged(&rules, "HousingUnits", large), Some(ProblemCode::NumberTooLarge));
    }
    assert_eq!(judged(&rules, "HousingUnits", json!(1.5)), Some(ProblemCode::WrongType));
}

#[test]
fn text_has_a_limit_in_characters_and_keeps_what_people_type() {
    let rules = rules();
    let megabyte = "x".repeat(1_000_000);
    assert_eq!(judged(&rules, "Description", megabyte.clone().into()), Some(ProblemCode::TooLong));
    assert_eq!(judged(&rules, "EstProjectCost", "1".repeat(1_000_000).into()), Some(ProblemCode::TooLong));
    assert_eq!(judged(&rules, &megabyte, json!(1)), Some(ProblemCode::UnknownField));
    assert_eq!(judged(&rules, "ApplicantName", "é".repeat(250).into()), None);
    assert_eq!(judged(&rules, "ApplicantName", "é".repeat(251).into()), Some(ProblemCode::TooLong));
    for name in ["O'Brien", "O’Brien", "'); DROP TABLE", "שרה", "👩‍👩‍👧‍👦", "<img src=x>"]
    {
        assert_eq!(judged(&rules, "ApplicantName", name.into()), None, "{name}");
    }
    assert_eq!(judged(&rules, "Description", "first line\r\n\tsecond".into()), None);
    for name in ["A\0B", "A\nB", "A\u{7f}B", "A\u{1b}[31m"] {
        assert_eq!(judged(&rules, "ApplicantName", name.into()), Some(ProblemCode::Pattern), "{name:?}");
    }
    assert_eq!(judged(&rules, "ApplicantEmail", "o'brien@example.org".into()), None);
}

#[test]
fn only_mapped_fields_are_bound_to_words() {
    let rules = rules();
    let schema: Value = serde_json::from_slice(&contract()["application.schema.json"]).unwrap();
    for (name, field) in schema["properties"].as_object().unwrap() {
        let list = field["$ref"].as_str().and_then(|text| text.strip_prefix("vocabularies.json#/$defs/"));
        assert_eq!(list, name.ends_with("Mapped").then_some(name.as_str()));
    }
    for (name, words) in rules.vocabularies().iter() {
        let field = if name.starts_with("Insp") || name == "ResultMapped" { continue } else { name };
        for word in words {
            assert_eq!(judged(&rules, field, word.as_str().into()), None, "{field} {word}");
        }
        assert_eq!(judged(&rules, field, "no such word".into()), Some(ProblemCode::NotInVocabulary));
    }
    assert!(rules.vocabularies().words("ResultMapped").unwrap().contains(&"NoAccess".to_owned()));
}
