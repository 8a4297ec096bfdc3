//! Which files never become rules.

use holdfast_core::operation::Kind;
use holdfast_core::validate::{DialectFault, KINDS_DEMANDED, Rules, RulesFault, SCHEMA_ENDING, SamplesFault};
use serde_json::{Map, Value, json};

use crate::city::{contract, dialect_fault, rules, with_file, with_keyword};

#[test]
fn a_schema_that_takes_everything_is_no_schema() {
    let draft = r#""$schema":"https://json-schema.org/draft/2020-12/schema""#;
    for text in [
        "true",
        "{}",
        r##"{"$ref":"#"}"##,
        &format!("{{{draft}}}"),
        &format!(r##"{{{draft},"$ref":"#"}}"##),
        &format!(r##"{{{draft},"$ref":"#/$defs/a","$defs":{{"a":{{"$ref":"#/$defs/a"}}}}}}"##),
        &format!(r#"{{{draft},"requird":["PIN"]}}"#),
        &format!(r#"{{{draft},"type":"object"}}"#),
        &format!(r#"{{{draft},"type":"object","properties":{{}},"additionalProperties":true}}"#),
        &format!(r#"{{{draft},"type":"object","properties":{{"PIN":{{}}}},"additionalProperties":false}}"#),
        r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{},"additionalProperties":false}"#,
    ] {
        assert!(with_file("application.schema.json", text).is_err(), "{text}");
    }
}

#[test]
fn a_keyword_outside_the_dialect_is_refused_by_its_place() {
    let unknown = |pointer: &str| DialectFault::UnknownKeyword { pointer: pointer.to_owned() };
    assert_eq!(dialect_fault(with_keyword("requird", json!(["PIN"]))), unknown("/requird"));
    let nested = json!({"a/b": {"type": "string", "maxLenght": 5}});
    assert_eq!(dialect_fault(with_keyword("properties", nested)), unknown("/properties/a~1b/maxLenght"));
    for keyword in ["$id", "$dynamicRef", "$anchor", "patternProperties", "contentEncoding", "definitions"] {
        assert_eq!(dialect_fault(with_keyword(keyword, json!({}))), unknown(&format!("/{keyword}")));
    }
}

#[test]
fn a_reference_never_leaves_the_contract() {
    for text in [
        "http://169.254.169.254/latest",
        "https://example.org/schema.json#/$defs/a",
        "file:///etc/passwd#/$defs/a",
        r"\\host\share#/$defs/a",
        "../vocabularies.json#/$defs/WorkClassMapped",
        "roles.json#/$defs/a",
        "vocabularies.json",
        "vocabularies.json#/$defs/NoSuchList",
        "vocabularies.json#/$defs/a/b",
        "#",
        "#/properties/PIN",
        "#/$defs/none",
    ] {
        let fault = dialect_fault(with_keyword("properties", json!({"A": {"$ref": text}})));
        assert_eq!(fault, DialectFault::Reference { pointer: "/properties/A/$ref".to_owned() }, "{text}");
    }
}

#[test]
fn a_schema_bomb_is_refused_before_it_is_compiled() {
    for combinator in ["anyOf", "allOf", "oneOf"] {
        for levels in [12, 20, 28, 40, 2_000] {
            let fault = dialect_fault(with_file("application.schema.json", &bomb(levels, 2, combinator)));
            assert!(matches!(fault, DialectFault::TooDeep { .. }), "{levels} {combinator}: {fault}");
        }
        let fault = dialect_fault(with_file("application.schema.json", &bomb(5, 10, combinator)));
        assert!(matches!(fault, DialectFault::TooCostly { .. }), "{combinator}: {fault}");
    }
    let wide: Vec<Value> = (0..5_000).map(|n| json!({"maxLength": n})).collect();
    let fault = dialect_fault(with_keyword("properties", json!({"A": {"allOf": wide}})));
    assert!(matches!(fault, DialectFault::TooCostly { .. }));
    let lists = json!({"A": {"type": "array", "maxItems": 100,
        "items": {"type": "array", "maxItems": 100, "items": {"type": "string"}}}});
    assert!(matches!(dialect_fault(with_keyword("properties", lists)), DialectFault::TooCostly { .. }));
}

/// A schema whose definitions each refer to the next several times: branches^levels when written out.
fn bomb(levels: usize, branches: usize, combinator: &str) -> String {
    let next = |n: usize| json!({"$ref": format!("#/$defs/b{n}")});
    let mut definitions: Map<String, Value> =
        (0..levels).map(|n| (format!("b{n}"), json!({combinator: vec![next(n + 1); branches]}))).collect();
    definitions.insert(format!("b{levels}"), json!({"type": "string"}));
    json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "properties": {"A": next(0)}, "additionalProperties": false, "$defs": definitions})
    .to_string()
}

#[test]
fn a_contract_that_cannot_be_read_strictly_is_refused() {
    for text in ["", "{", "{\"a\":1,\"a\":1}", "[9007199254740992]", "\u{feff}{}", &"[".repeat(5_000)] {
        for name in contract().keys() {
            assert!(with_file(name, text).is_err(), "{name}: {text:.20}");
        }
    }
    let long = format!("{{\"title\":\"{}\"}}", "x".repeat(1_000_000));
    assert!(matches!(with_file("stage.schema.json", &long), Err(RulesFault::NotJson { .. })));
}

#[test]
fn an_ill_formed_schema_is_refused_by_its_place() {
    for (keyword, value) in [
        ("required", json!("PIN")),
        ("type", json!("objekt")),
        ("properties", json!({"A": {"type": "string", "maxLength": -1}})),
        ("properties", json!({"A": {"type": "string", "pattern": "("}})),
        ("properties", json!({"A": {"type": "string", "pattern": "(a+)+\\1(?=x)"}})),
        ("properties", json!({"A": {"type": "string", "format": "no-such-format"}})),
    ] {
        assert!(with_keyword(keyword, value.clone()).is_err(), "{keyword} {value}");
    }
}

#[test]
fn a_contract_without_one_of_its_files_is_refused() {
    let of_a_kind = |name: &str| name.strip_suffix(SCHEMA_ENDING).map(|kind| kind.parse::<Kind>().unwrap());
    for name in contract().keys() {
        let mut files = contract();
        files.remove(name);
        if of_a_kind(name).is_some_and(|kind| !KINDS_DEMANDED.contains(&kind)) {
            let rules = Rules::compile(&files).unwrap();
            let kind = of_a_kind(name).unwrap();
            assert!(
                rules.kinds().all(|judged| judged != kind),
                "a city may leave {kind} to its record system"
            );
            continue;
        }
        let fault = Rules::compile(&files).unwrap_err();
        assert!(matches!(fault, RulesFault::FileMissing { ref path } if path == name), "{name}: {fault}");
    }
    assert!(matches!(with_file("permit.schema.json", "{}"), Err(RulesFault::UnknownKind { .. })));
    assert!(with_file("fees.json", "not of the rules").is_ok());
}

#[test]
fn a_contract_must_reject_its_own_samples() {
    let fault = |samples: Value| match with_file("must-reject.json", &samples.to_string()) {
        Err(RulesFault::Samples(fault)) => fault,
        other => panic!("{other:?}"),
    };
    let sample = |kind: &str, payload: Value| json!({"kind": kind, "payload": payload, "why": "because"});
    assert_eq!(fault(json!([])), SamplesFault::NoneOf { kind: Kind::Application });
    assert_eq!(fault(json!({})), SamplesFault::NotSamples);
    assert_eq!(fault(json!([{"kind": "application", "payload": {}}])), SamplesFault::NotSamples);
    let of =
        |kinds: &[Kind]| -> Vec<Value> { kinds.iter().map(|kind| sample(kind.word(), json!({}))).collect() };
    let judged: Vec<Kind> = rules().kinds().collect();
    let but_inspection: Vec<Kind> = judged.iter().copied().filter(|kind| *kind != Kind::Inspection).collect();
    assert_eq!(fault(of(&but_inspection).into()), SamplesFault::NoneOf { kind: Kind::Inspection });
    let good = sample("stage", json!({"to": "PrelimReview"}));
    let one_more: Vec<Value> = of(&judged).into_iter().chain([good]).collect();
    let n = one_more.len();
    assert_eq!(fault(one_more.into()), SamplesFault::Accepted { n, kind: Kind::Stage });
    // A schema that forgot its formats is found by a sample, not by a reader.
    let mut schema: Value = serde_json::from_slice(&contract()["application.schema.json"]).unwrap();
    schema["$defs"]["date"].as_object_mut().unwrap().remove("format");
    let loose = with_file("application.schema.json", &schema.to_string());
    assert!(matches!(loose, Err(RulesFault::Samples(SamplesFault::Accepted { .. }))));
}
