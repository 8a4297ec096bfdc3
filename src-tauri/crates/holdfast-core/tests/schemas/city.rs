//! The contract's source as the tests use it: whole, or with one thing changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use holdfast_core::operation::Kind;
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::validate::{DialectFault, Rules, RulesFault};
use serde_json::{Value, json};

pub(crate) fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schemas").join(path)
}

pub(crate) fn contract() -> BTreeMap<String, Vec<u8>> {
    let names = [
        "application.schema.json",
        "stage.schema.json",
        "inspection.schema.json",
        "hold.schema.json",
        "notice.schema.json",
        "note.schema.json",
        "correction.schema.json",
        "void.schema.json",
        "tag.schema.json",
        "fee.schema.json",
        "vocabularies.json",
        "roles.json",
        "must-reject.json",
    ];
    names.map(|name| (name.to_owned(), std::fs::read(folder(name)).unwrap())).into()
}

/// The same with its layouts; a contract need not have any.
pub(crate) fn contract_with_layouts() -> BTreeMap<String, Vec<u8>> {
    let names = [
        "application.layout.json",
        "inspection.layout.json",
        "stage.layout.json",
        "hold.layout.json",
        "notice.layout.json",
        "note.layout.json",
        "tag.layout.json",
        "fee.layout.json",
    ];
    let mut files = contract();
    files.extend(names.map(|name| (name.to_owned(), std::fs::read(folder(name)).unwrap())));
    files
}

pub(crate) fn rules() -> Rules {
    Rules::compile(&contract()).unwrap()
}

pub(crate) fn with_file(name: &str, text: &str) -> Result<Rules, RulesFault> {
    let mut files = contract();
    files.insert(name.to_owned(), text.as_bytes().to_vec());
    Rules::compile(&files)
}

/// The contract with one keyword of the application's schema put in or replaced.
pub(crate) fn with_keyword(keyword: &str, value: Value) -> Result<Rules, RulesFault> {
    let mut schema: Value = serde_json::from_slice(&contract()["application.schema.json"]).unwrap();
    schema[keyword] = value;
    with_file("application.schema.json", &schema.to_string())
}

pub(crate) fn dialect_fault(result: Result<Rules, RulesFault>) -> DialectFault {
    let fault = result.unwrap_err();
    let RulesFault::Dialect { source, .. } = fault else { panic!("another fault: {fault}") };
    source
}

pub(crate) struct Example {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) payload: Value,
    pub(crate) expect: BTreeSet<(String, String)>,
}

pub(crate) fn examples(of: &str) -> Vec<Example> {
    let files = std::fs::read_dir(folder("examples").join(of)).unwrap();
    files.map(|file| example(&file.unwrap().path())).collect()
}

pub(crate) fn example(path: &Path) -> Example {
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

pub(crate) fn named(problems: &[Problem]) -> BTreeSet<(String, String)> {
    problems.iter().map(|problem| (problem.pointer.clone(), problem.code.to_string())).collect()
}

pub(crate) fn application(field: &str, value: Value) -> Value {
    let mut payload = json!({"OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"]});
    payload[field] = value;
    payload
}

/// The code that a value of one field of an application meets, if any.
pub(crate) fn judged(rules: &Rules, field: &str, value: Value) -> Option<ProblemCode> {
    let problems = rules.check(Kind::Application, &application(field, value));
    assert!(problems.len() <= 1, "{problems:?}");
    problems.first().map(|problem| problem.code)
}
