//! The rules of a contract, compiled once and asked often.
//!
//! Promise: a payload is judged by the contract's own schemas, all fields at once, with formats asserted; a set of files
//! that would judge loosely (a schema that takes everything, a misspelt keyword, no samples to reject) or for ever (a
//! schema bomb) never becomes [`Rules`], so that the rules before it stay in force. Who signed the files, and whether
//! they are still valid, is judged elsewhere. The `jsonschema` crate is known in this module alone.

mod dialect;
mod explain;
mod samples;
mod vocabulary;

use std::collections::BTreeMap;

use jsonschema::{Draft, PatternOptions, Registry, Validator};
use serde_json::Value;

use crate::canonical::{JsonFault, parse_strict};
use crate::form::{Form, FormSource, LayoutFault, properties_in_order};
use crate::limits::JSON_MAX_BYTES;
use crate::operation::Kind;
use crate::problem::{Problem, ProblemCode};
use crate::roles::{Roles, RolesFault};

pub use dialect::{DialectFault, SCHEMA_COST_MAX, SCHEMA_LEVELS_MAX};
pub use samples::SamplesFault;
pub use vocabulary::{Vocabularies, VocabularyFault};

/// The word lists, by file name in the contract.
pub const VOCABULARIES_FILE: &str = "vocabularies.json";
/// Who may do what.
pub const ROLES_FILE: &str = "roles.json";
/// Payloads that the contract must refuse, or it is not taken itself.
pub const MUST_REJECT_FILE: &str = "must-reject.json";
/// A file of this ending holds the rules of the kind that it is named after.
pub const SCHEMA_ENDING: &str = ".schema.json";
/// A file of this ending lays out the form of the kind that it is named after. No kind has to have one.
pub const LAYOUT_ENDING: &str = ".layout.json";
/// A contract without rules for one of these is no contract.
pub const KINDS_DEMANDED: [Kind; 3] = [Kind::Application, Kind::Stage, Kind::Inspection];

/// One pattern, compiled, in bytes.
const PATTERN_MAX_BYTES: usize = 256 * 1024;
/// Where the contract's files stand for one another. Nothing is ever fetched from it.
const BASE_URI: &str = "contract:///";

/// Why files are no rules.
#[derive(Debug, thiserror::Error)]
pub enum RulesFault {
    /// A file that every contract has is not there.
    #[error("the contract has no file {path}")]
    FileMissing {
        /// Its name.
        path: String,
    },
    /// A file is not strict JSON within the limits.
    #[error("{path} cannot be read")]
    NotJson {
        /// Its name.
        path: String,
        /// What is wrong with it.
        source: JsonFault,
    },
    /// Rules for something that is no kind of operation.
    #[error("{path} is named after no kind of operation")]
    UnknownKind {
        /// Its name.
        path: String,
    },
    /// A schema says something that this dialect does not know, says nothing, or costs too much.
    #[error("{path} is outside the dialect")]
    Dialect {
        /// Its name.
        path: String,
        /// What it says.
        source: DialectFault,
    },
    /// A schema that is none by JSON Schema 2020-12.
    #[error("{path} is no schema, see {pointer}")]
    NotASchema {
        /// Its name.
        path: String,
        /// Where in the file.
        pointer: String,
    },
    /// A layout is no layout of its schema.
    #[error("{path} is refused: {source}")]
    Layout {
        /// Its name.
        path: String,
        /// What is wrong with it.
        source: LayoutFault,
    },
    /// The word lists are not well-formed.
    #[error("{VOCABULARIES_FILE} is refused")]
    Vocabularies(#[from] VocabularyFault),
    /// The roles are not well-formed.
    #[error("{ROLES_FILE} is refused")]
    Roles(#[from] RolesFault),
    /// The contract does not reject what it must.
    #[error("{MUST_REJECT_FILE} is refused")]
    Samples(#[from] SamplesFault),
}

/// Compiled rules. Cheap to ask; to be compiled once per contract and shared.
#[derive(Debug)]
pub struct Rules {
    kinds: BTreeMap<Kind, KindRules>,
    forms: BTreeMap<Kind, Form>,
    vocabularies: Vocabularies,
    roles: Roles,
}

#[derive(Debug)]
struct KindRules {
    validator: Validator,
    schema: Value,
}

impl Rules {
    /// Compiles a contract's files, by name. Files that say nothing about payloads, words or roles are left alone.
    ///
    /// # Errors
    /// The first fault met; no rule of such a contract is ever applied.
    pub fn compile(files: &BTreeMap<String, Vec<u8>>) -> Result<Self, RulesFault> {
        let documents = documents(files)?;
        let words = demanded(&documents, VOCABULARIES_FILE)?;
        let rules = Self {
            kinds: compile_kinds(&documents)?,
            forms: compile_forms(files, &documents)?,
            vocabularies: Vocabularies::parse(words)?,
            roles: Roles::parse(demanded(&documents, ROLES_FILE)?)?,
        };
        samples::must_be_rejected(&rules, demanded(&documents, MUST_REJECT_FILE)?)?;
        Ok(rules)
    }

    /// Everything that is wrong with a payload, at most [`crate::limits::PROBLEMS_MAX`], one problem per field, by
    /// pointer. Empty: the rules have nothing against it.
    #[must_use]
    pub fn check(&self, kind: Kind, payload: &Value) -> Vec<Problem> {
        match self.kinds.get(&kind) {
            None => vec![Problem::at("", ProblemCode::UnknownKind)],
            Some(rules) if rules.validator.is_valid(payload) => Vec::new(),
            Some(rules) => explain::problems(rules.validator.iter_errors(payload), &rules.schema),
        }
    }

    /// Kinds of operations that these rules can judge.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.kinds.keys().copied()
    }

    /// The form by which a person fills in an operation of this kind.
    #[must_use]
    pub fn form(&self, kind: Kind) -> Option<&Form> {
        self.forms.get(&kind)
    }

    /// Who may do what.
    #[must_use]
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// The closed word lists.
    #[must_use]
    pub fn vocabularies(&self) -> &Vocabularies {
        &self.vocabularies
    }
}

/// Whether a file of a contract is one of those that [`Rules`] are made of.
fn is_of_rules(path: &str) -> bool {
    let by_kind = path.ends_with(SCHEMA_ENDING) || path.ends_with(LAYOUT_ENDING);
    by_kind || [VOCABULARIES_FILE, ROLES_FILE, MUST_REJECT_FILE].contains(&path)
}

fn documents(files: &BTreeMap<String, Vec<u8>>) -> Result<BTreeMap<&str, Value>, RulesFault> {
    let of_rules = files.iter().filter(|(path, _)| is_of_rules(path));
    of_rules
        .map(|(path, bytes)| match parse_strict(bytes, JSON_MAX_BYTES) {
            Ok(document) => Ok((path.as_str(), document)),
            Err(source) => Err(RulesFault::NotJson { path: path.clone(), source }),
        })
        .collect()
}

fn demanded<'a>(documents: &'a BTreeMap<&str, Value>, path: &str) -> Result<&'a Value, RulesFault> {
    documents.get(path).ok_or_else(|| RulesFault::FileMissing { path: path.to_owned() })
}

fn compile_kinds(documents: &BTreeMap<&str, Value>) -> Result<BTreeMap<Kind, KindRules>, RulesFault> {
    for kind in KINDS_DEMANDED {
        demanded(documents, &format!("{kind}{SCHEMA_ENDING}"))?;
    }
    let mut kinds = BTreeMap::new();
    for (path, schema) in documents {
        let Some(name) = path.strip_suffix(SCHEMA_ENDING) else { continue };
        let kind = name.parse().map_err(|_| RulesFault::UnknownKind { path: (*path).to_owned() })?;
        let validator = compile_schema(documents, path, schema)?;
        kinds.insert(kind, KindRules { validator, schema: schema.clone() });
    }
    Ok(kinds)
}

/// One form for each schema. Called after the schemas were judged: a form follows their references.
fn compile_forms(
    files: &BTreeMap<String, Vec<u8>>,
    documents: &BTreeMap<&str, Value>,
) -> Result<BTreeMap<Kind, Form>, RulesFault> {
    let layouts = documents.keys().filter_map(|path| path.strip_suffix(LAYOUT_ENDING));
    for name in layouts {
        if !documents.contains_key(format!("{name}{SCHEMA_ENDING}").as_str()) {
            let path = format!("{name}{LAYOUT_ENDING}");
            return Err(RulesFault::Layout { path, source: LayoutFault::NoSchema });
        }
    }
    let mut forms = BTreeMap::new();
    for (path, schema) in documents {
        let Some(name) = path.strip_suffix(SCHEMA_ENDING) else { continue };
        let kind = name.parse().map_err(|_| RulesFault::UnknownKind { path: (*path).to_owned() })?;
        let layout_path = format!("{name}{LAYOUT_ENDING}");
        let source = FormSource {
            schema,
            vocabularies: documents.get(VOCABULARIES_FILE).unwrap_or(&Value::Null),
            order: &files.get(*path).map(|bytes| properties_in_order(bytes)).unwrap_or_default(),
            layout: documents.get(layout_path.as_str()),
        };
        let form = Form::compile(&source);
        forms.insert(kind, form.map_err(|source| RulesFault::Layout { path: layout_path, source })?);
    }
    Ok(forms)
}

/// The dialect first: it refuses what would be dear to compile.
fn compile_schema(
    documents: &BTreeMap<&str, Value>,
    path: &str,
    schema: &Value,
) -> Result<Validator, RulesFault> {
    dialect::judge(documents, path)
        .map_err(|source| RulesFault::Dialect { path: path.to_owned(), source })?;
    let not_a_schema = |pointer: String| RulesFault::NotASchema { path: path.to_owned(), pointer };
    let words = documents.get(VOCABULARIES_FILE).unwrap_or(&Value::Null);
    let registry = Registry::new()
        .add(format!("{BASE_URI}{VOCABULARIES_FILE}"), words)
        .and_then(|builder| builder.prepare())
        .map_err(|_| not_a_schema(format!("/ of {VOCABULARIES_FILE}")))?;
    jsonschema::options()
        .offline()
        .with_draft(Draft::Draft202012)
        .with_registry(&registry)
        .with_base_uri(format!("{BASE_URI}{path}"))
        .should_validate_formats(true)
        .should_ignore_unknown_formats(false)
        .with_pattern_options(PatternOptions::regex().size_limit(PATTERN_MAX_BYTES))
        .build(schema)
        .map_err(|error| not_a_schema(error.instance_path().to_string()))
}
