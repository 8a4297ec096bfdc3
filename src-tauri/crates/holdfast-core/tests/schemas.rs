//! The contract of the made-up city, and the gate that a contract has to pass.
//!
//! The files under `schemas/` are both the product's own rules in demo and drill, and the pattern that a city's rules
//! office starts from; what their README says of them is tried here.
#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods)] // The tests read the contract's source; core itself never does.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use holdfast_core::audit::EventKind;
use holdfast_core::canonical::parse_strict;
use holdfast_core::ids::RoleName;
use holdfast_core::import::Columns;
use holdfast_core::lifecycle::Stage;
use holdfast_core::limits::PROBLEMS_MAX;
use holdfast_core::operation::Kind;
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::roles::{Act, Permission};
use holdfast_core::validate::{DialectFault, Rules, RulesFault, SamplesFault};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schemas").join(path)
}

fn contract() -> BTreeMap<String, Vec<u8>> {
    let names = [
        "application.schema.json",
        "stage.schema.json",
        "inspection.schema.json",
        "vocabularies.json",
        "roles.json",
        "must-reject.json",
    ];
    names.map(|name| (name.to_owned(), std::fs::read(folder(name)).unwrap())).into()
}

fn rules() -> Rules {
    Rules::compile(&contract()).unwrap()
}

fn with_file(name: &str, text: &str) -> Result<Rules, RulesFault> {
    let mut files = contract();
    files.insert(name.to_owned(), text.as_bytes().to_vec());
    Rules::compile(&files)
}

/// The contract with one keyword of the application's schema put in or replaced.
fn with_keyword(keyword: &str, value: Value) -> Result<Rules, RulesFault> {
    let mut schema: Value = serde_json::from_slice(&contract()["application.schema.json"]).unwrap();
    schema[keyword] = value;
    with_file("application.schema.json", &schema.to_string())
}

fn dialect_fault(result: Result<Rules, RulesFault>) -> DialectFault {
    let fault = result.unwrap_err();
    let RulesFault::Dialect { source, .. } = fault else { panic!("another fault: {fault}") };
    source
}

struct Example {
    name: String,
    kind: Kind,
    payload: Value,
    expect: BTreeSet<(String, String)>,
}

fn examples(of: &str) -> Vec<Example> {
    let files = std::fs::read_dir(folder("examples").join(of)).unwrap();
    files.map(|file| example(&file.unwrap().path())).collect()
}

fn example(path: &Path) -> Example {
    let document: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let expect = document["expect"].as_array().into_iter().flatten();
    Example {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        kind: document["kind"].as_str().unwrap().parse().unwrap(),
        payload: document["payload"].clone(),
        expect: expect.map(|problem| (text(&problem["pointer"]), text(&problem["code"]))).collect(),
    }
}

fn named(problems: &[Problem]) -> BTreeSet<(String, String)> {
    problems.iter().map(|problem| (problem.pointer.clone(), problem.code.to_string())).collect()
}

fn application(field: &str, value: Value) -> Value {
    let mut payload = json!({"OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"]});
    payload[field] = value;
    payload
}

/// The code that a value of one field of an application meets, if any.
fn judged(rules: &Rules, field: &str, value: Value) -> Option<ProblemCode> {
    let problems = rules.check(Kind::Application, &application(field, value));
    assert!(problems.len() <= 1, "{problems:?}");
    problems.first().map(|problem| problem.code)
}

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
fn every_text_and_every_list_has_a_limit() {
    for (name, bytes) in contract().into_iter().filter(|(name, _)| name.ends_with(".schema.json")) {
        let schema: Value = serde_json::from_slice(&bytes).unwrap();
        let subschemas = subschemas(&schema);
        assert!(subschemas.len() > 3);
        for map in subschemas {
            let has = |keyword| map.contains_key(keyword);
            match map.get("type").and_then(Value::as_str) {
                Some("string") => assert!(has("maxLength"), "{name}: {map:?}"),
                Some("array") => assert!(has("maxItems"), "{name}: {map:?}"),
                Some("object") => assert!(has("maxProperties") || has("properties"), "{name}: {map:?}"),
                Some("integer") => assert!(has("minimum") && has("maximum"), "{name}: {map:?}"),
                Some(other) => panic!("{name}: a field of type {other}"),
                None => (),
            }
        }
    }
}

fn subschemas(value: &Value) -> Vec<&Map<String, Value>> {
    match value {
        Value::Object(map) => std::iter::once(map).chain(map.values().flat_map(subschemas)).collect(),
        Value::Array(list) => list.iter().flat_map(subschemas).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
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
    for name in contract().keys() {
        let mut files = contract();
        files.remove(name);
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
    let two = json!([sample("application", json!({})), sample("stage", json!({}))]);
    assert_eq!(fault(two), SamplesFault::NoneOf { kind: Kind::Inspection });
    let good = sample("stage", json!({"to": "PrelimReview"}));
    let three = json!([sample("application", json!({})), sample("inspection", json!({})), good]);
    assert_eq!(fault(three), SamplesFault::Accepted { n: 3, kind: Kind::Stage });
    // A schema that forgot its formats is found by a sample, not by a reader.
    let mut schema: Value = serde_json::from_slice(&contract()["application.schema.json"]).unwrap();
    schema["$defs"]["date"].as_object_mut().unwrap().remove("format");
    let loose = with_file("application.schema.json", &schema.to_string());
    assert!(matches!(loose, Err(RulesFault::Samples(SamplesFault::Accepted { .. }))));
}

#[test]
fn each_role_has_exactly_the_rights_of_the_table() {
    use Kind::{
        Application, Attachment, Correction, Fee, Hold, Inspection, Note, Notice, Stage as Move, Tag, Void,
    };
    use Stage::{
        Committed, ConditionalApproval, FeeEstimated, Intake, PrelimReview, Returned, Voided, Withdrawn,
    };
    let everything =
        vec![Application, Move, Inspection, Correction, Void, Hold, Notice, Fee, Note, Tag, Attachment];
    let table: [(&str, Vec<Kind>, Vec<Stage>); 4] = [
        (
            "clerk",
            vec![Application, Move, Note, Correction],
            vec![Intake, PrelimReview, FeeEstimated, Withdrawn],
        ),
        ("inspector", vec![Inspection, Note, Tag, Hold], vec![]),
        (
            "supervisor",
            everything,
            vec![Intake, PrelimReview, FeeEstimated, ConditionalApproval, Withdrawn, Voided],
        ),
        ("visitor", vec![], vec![]),
    ];
    let all =
        [Intake, PrelimReview, FeeEstimated, ConditionalApproval, Committed, Returned, Withdrawn, Voided];
    let rules = rules();
    for (role, kinds, stages) in table {
        let role: RoleName = role.parse().unwrap();
        let granted = |act| rules.roles().may(&role, act) == Permission::Granted;
        for kind in Kind::ALL {
            assert_eq!(granted(Act::Submit(kind)), kinds.contains(&kind), "{role} {kind}");
        }
        for to in all {
            assert_eq!(granted(Act::Move { to }), stages.contains(&to), "{role} {to}");
        }
    }
}

#[test]
fn the_audit_schema_names_every_kind_of_event_and_no_other() {
    let schema: Value = serde_json::from_slice(&std::fs::read(folder("audit-event.json")).unwrap()).unwrap();
    let listed: BTreeSet<&str> =
        schema["properties"]["kind"]["enum"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(listed, EventKind::ALL.iter().map(|kind| kind.word()).collect());
    let validator = jsonschema::options().offline().should_validate_formats(true).build(&schema).unwrap();
    let event = json!({"actor_id": "clerk", "at": "2026-11-30T08:07:31.042Z", "boot_ms": 911_042,
        "data": {"reason": "open", "route": "defer"}, "kind": "operation.accepted",
        "operation_id": "01932c6f-8f0a-7cc3-98a1-0242ac120002", "seq": 1, "station_id": "front-1", "v": 1});
    assert!(validator.is_valid(&event));
    for (field, value) in [
        ("kind", json!("operation.deleted")),
        ("seq", json!(0)),
        ("at", json!("2026-11-30T08:07:31Z")),
        ("operation_id", json!("01932C6F-8F0A-7CC3-98A1-0242AC120002")),
        ("payload", json!({})),
    ] {
        let mut event = event.clone();
        event[field] = value;
        assert!(!validator.is_valid(&event), "{field}");
    }
}

#[test]
fn every_core_permit_column_is_a_field_of_the_application() {
    let schema: Value = serde_json::from_slice(&contract()["application.schema.json"]).unwrap();
    let fields: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    let own = ["NoParcelReason", "ApplicantName", "ApplicantPhone", "ApplicantEmail"];
    let (extensions, blds): (Vec<_>, Vec<_>) =
        fields.into_iter().partition(|name| own.contains(&name.as_str()));
    assert_eq!(extensions.len(), own.len());
    assert!(Columns::from_header(&blds).is_ok(), "each field but the city's own is a column");
    assert_eq!(blds.len(), 61, "and each column is a field");
}

#[test]
fn the_contract_is_strict_json_itself() {
    for (name, bytes) in contract() {
        assert!(parse_strict(&bytes, bytes.len()).is_ok(), "{name}");
        assert!(!bytes.contains(&b'\r') && bytes.ends_with(b"}\n") || bytes.ends_with(b"]\n"), "{name}");
    }
}
