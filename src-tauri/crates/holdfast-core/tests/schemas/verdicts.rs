//! What the city's rules say to a payload.

use std::collections::BTreeSet;

use holdfast_core::limits::PROBLEMS_MAX;
use holdfast_core::operation::Kind;
use holdfast_core::validate::Rules;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::city::{application, contract, examples, named, rules};

#[test]
fn valid_examples_are_accepted() {
    let (rules, examples) = (rules(), examples("valid"));
    assert!(examples.len() >= 10);
    for example in examples {
        assert_eq!(rules.check(example.kind, &example.payload), [], "{}", example.name);
    }
}

#[test]
fn invalid_examples_are_refused_at_every_field_that_is_wrong() {
    let (rules, examples) = (rules(), examples("invalid"));
    assert!(examples.len() >= 20);
    for example in examples {
        let problems = rules.check(example.kind, &example.payload);
        assert_eq!(named(&problems), example.expect, "{}", example.name);
        for problem in problems {
            let gaps = ["{expected}", "{limit}", "{format}", "{shape}", "{allowed}", "{with}"];
            assert!(gaps.iter().all(|gap| !problem.message().contains(gap)), "{problem}");
        }
    }
}

#[test]
fn the_payload_of_the_published_vector_is_accepted() {
    let payload = json!({"EstProjectCost": "25000.00", "HousingUnits": 1, "OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"]});
    assert_eq!(rules().check(Kind::Application, &payload), []);
}

#[test]
fn every_must_reject_sample_is_rejected() {
    let rules = rules();
    let samples: Value = serde_json::from_slice(&contract()["must-reject.json"]).unwrap();
    for sample in samples.as_array().unwrap() {
        let kind = sample["kind"].as_str().unwrap().parse().unwrap();
        assert_ne!(rules.check(kind, &sample["payload"]), [], "{}", sample["why"]);
    }
}

#[test]
fn a_problem_never_repeats_what_was_typed() {
    let rules = rules();
    let secret = "Jane-Roe-555-0142";
    let Value::Object(known) = json!({"PIN": [secret, secret], "OriginalAddress1": [secret], "WorkClassMapped": secret,
        "ApplicantEmail": secret, "EstProjectCost": secret, "AppliedDate": secret, "HousingUnits": secret,
        "NoParcelReason": secret, "Fee": {"x": secret}, "ExtraFields": {"x": [secret]}})
    else {
        unreachable!("an object")
    };
    let problems = rules.check(Kind::Application, &Value::Object(known));
    assert!(problems.len() >= 8, "{problems:?}");
    let told = format!("{problems:?} {}", serde_json::to_string(&problems).unwrap());
    let said: String = problems.iter().map(ToString::to_string).collect();
    assert!(!told.contains(secret) && !said.contains(secret));
}

#[test]
fn a_message_can_be_read_by_a_clerk() {
    let rules = rules();
    for (field, value, message) in [
        (
            "EstProjectCost",
            json!("12,5"),
            "/EstProjectCost: must be a decimal number as text, such as 25000.00",
        ),
        ("PIN", json!(["000"]), "/PIN/0: must be a parcel number, not zeros alone"),
        ("ApplicantName", json!("A\nB"), "/ApplicantName: must be one line of text"),
        ("AppliedDate", json!("2027-02-29"), "/AppliedDate: is not a valid date"),
        ("WorkClassMapped", json!("fence"), "/WorkClassMapped: must be one of: New, Existing"),
        ("NoParcelReason", json!("none yet"), "/NoParcelReason: must not be given together with PIN"),
        ("HousingUnits", json!("1"), "/HousingUnits: must be of type integer"),
    ] {
        let problems = rules.check(Kind::Application, &application(field, value));
        assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [message]);
    }
}

#[test]
fn the_list_of_problems_has_an_end() {
    let mut payload = application("PermitNum", "A-1".into());
    for n in 0..5_000 {
        payload[format!("unknown{n}")] = json!(n);
    }
    assert_eq!(rules().check(Kind::Application, &payload).len(), PROBLEMS_MAX);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
        "[0-9.,e-]{0,20}".prop_map(Value::from),
    ];
    let name = prop_oneof![
        "PIN",
        "OriginalAddress1",
        "HousingUnits",
        "to",
        "reason",
        "InspType",
        "ExtraFields",
        ".{0,8}"
    ];
    leaf.prop_recursive(4, 40, 8, move |inner| {
        let map = proptest::collection::btree_map(name.clone(), inner.clone(), 0..8);
        prop_oneof![
            proptest::collection::vec(inner, 0..8).prop_map(Value::from),
            map.prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_payload_gets_a_verdict_with_one_problem_per_field(payload in any_json()) {
        static RULES: std::sync::LazyLock<Rules> = std::sync::LazyLock::new(rules);
        for kind in RULES.kinds() {
            let problems = RULES.check(kind, &payload);
            let pointers: BTreeSet<&String> = problems.iter().map(|problem| &problem.pointer).collect();
            prop_assert!(problems.len() <= PROBLEMS_MAX && pointers.len() == problems.len());
            prop_assert!(!problems.is_empty() || payload.is_object());
        }
    }
}

#[test]
fn a_kind_without_rules_is_a_problem_not_a_pass() {
    for kind in Kind::ALL {
        let problems = rules().check(kind, &json!({"anything": 1}));
        assert!(!problems.is_empty(), "{kind}");
    }
}
