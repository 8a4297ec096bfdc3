//! The part of JSON Schema 2020-12 that a contract may use, and what a schema may cost.
//!
//! Promise: a schema that passes says something about every field it names (no `true`, no `{}`, no unknown keyword, no
//! reference to itself or out of the contract), is closed at its outermost level, and is at most [`SCHEMA_COST_MAX`]
//! subschemas large with every reference written out. That number bounds the work of one check, and it is known before
//! anything is compiled. Whether keyword values are well-formed is left to the compiler.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::VOCABULARIES_FILE;
use crate::canonical::pointer_step;

/// Subschemas of one schema with all references written out and lists counted to their longest, at most.
pub const SCHEMA_COST_MAX: u64 = 4_000;
/// Subschemas inside one another, references followed, at most.
pub const SCHEMA_LEVELS_MAX: usize = 16;

/// What a list or an open object counts for when the schema names no limit.
const ENTRIES_ASSUMED: u64 = 1_000;
const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Why a schema is outside the dialect. Pointers are into the file that the schema stands in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DialectFault {
    /// Another draft, or none named.
    #[error("$schema must be {DRAFT}")]
    Draft,
    /// The outermost level takes things that it does not name.
    #[error("the outermost schema must be a closed object: type, properties, and additionalProperties false")]
    NotClosed,
    /// A keyword that is misspelt, or that contracts may not use.
    #[error("unknown keyword at {pointer}")]
    UnknownKeyword {
        /// Where it stands.
        pointer: String,
    },
    /// A schema that takes everything.
    #[error("the schema at {pointer} says nothing")]
    SaysNothing {
        /// Where it stands.
        pointer: String,
    },
    /// Something else where a schema belongs.
    #[error("no schema at {pointer}")]
    NotASchema {
        /// Where it stands.
        pointer: String,
    },
    /// A reference to anything but a definition of this file or of the vocabularies.
    #[error("the reference at {pointer} leads to no definition of the contract")]
    Reference {
        /// Where it stands.
        pointer: String,
    },
    /// A definition that refers to itself, or nesting without end.
    #[error("nested deeper than {SCHEMA_LEVELS_MAX} levels at {pointer}, or refers to itself")]
    TooDeep {
        /// Where it stands.
        pointer: String,
    },
    /// More work than one check may be.
    #[error("written out, the schema at {pointer} is larger than {SCHEMA_COST_MAX} subschemas")]
    TooCostly {
        /// Where it stands.
        pointer: String,
    },
}

/// Judges one schema file; `documents` are the contract's files by name.
///
/// # Errors
/// The first fault met.
pub(super) fn judge(documents: &BTreeMap<&str, Value>, path: &str) -> Result<(), DialectFault> {
    let schema = documents.get(path).unwrap_or(&Value::Null);
    let Value::Object(root) = schema else {
        return Err(DialectFault::NotASchema { pointer: String::new() });
    };
    if root.get("$schema").is_none_or(|draft| draft != DRAFT) {
        return Err(DialectFault::Draft);
    }
    let mut walk = Walk { documents, costs: BTreeMap::new() };
    let cost = walk.schema(Spot { file: path, pointer: String::new(), level: 1 }, schema)?;
    if cost > SCHEMA_COST_MAX {
        return Err(DialectFault::TooCostly { pointer: String::new() });
    }
    if is_closed(root) { Ok(()) } else { Err(DialectFault::NotClosed) }
}

fn is_closed(root: &Map<String, Value>) -> bool {
    let refuses = |keyword| root.get(keyword) == Some(&Value::Bool(false));
    root.get("type").is_some_and(|word| word == "object")
        && root.get("properties").is_some_and(Value::is_object)
        && (refuses("additionalProperties") || refuses("unevaluatedProperties"))
}

/// What stands behind a keyword.
enum Holds {
    /// Text for people.
    Annotation,
    /// A rule by itself.
    Assertion,
    /// One schema.
    Schema,
    /// A schema for each entry of a list or an open object, whose length that keyword limits.
    SchemaOfEntries(&'static str),
    /// Schemas that are all tried.
    Schemas,
    /// Schemas by the name of a property.
    Properties,
    /// Schemas by name, for reference only.
    Definitions,
    /// A reference.
    Reference,
}

fn keyword(name: &str) -> Option<Holds> {
    Some(match name {
        "$schema" | "$comment" | "title" | "description" => Holds::Annotation,
        "type" | "enum" | "const" | "required" | "dependentRequired" | "minLength" | "maxLength"
        | "pattern" | "format" | "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum"
        | "minItems" | "maxItems" | "uniqueItems" | "minProperties" | "maxProperties" => Holds::Assertion,
        "not" | "if" | "then" | "else" => Holds::Schema,
        "items" => Holds::SchemaOfEntries("maxItems"),
        "additionalProperties" | "unevaluatedProperties" | "propertyNames" => {
            Holds::SchemaOfEntries("maxProperties")
        }
        "allOf" | "anyOf" | "oneOf" => Holds::Schemas,
        "properties" => Holds::Properties,
        "$defs" => Holds::Definitions,
        "$ref" => Holds::Reference,
        _ => return None,
    })
}

#[derive(Clone)]
struct Spot<'a> {
    file: &'a str,
    pointer: String,
    level: usize,
}

impl Spot<'_> {
    fn step(&self, name: &str) -> Self {
        Self { pointer: pointer_step(&self.pointer, name), ..self.clone() }
    }

    fn inner(&self) -> Self {
        Self { level: self.level + 1, ..self.clone() }
    }
}

struct Walk<'a> {
    documents: &'a BTreeMap<&'a str, Value>,
    /// Definitions already judged, so that a schema is walked once however often it is referred to.
    costs: BTreeMap<(&'a str, String), u64>,
}

impl<'a> Walk<'a> {
    /// The cost of a schema with its references written out.
    fn schema(&mut self, spot: Spot<'a>, schema: &Value) -> Result<u64, DialectFault> {
        let pointer = spot.pointer.clone();
        if spot.level > SCHEMA_LEVELS_MAX {
            return Err(DialectFault::TooDeep { pointer });
        }
        let map = match schema {
            Value::Bool(false) => return Ok(1),
            Value::Object(map) => map,
            Value::Bool(true) => return Err(DialectFault::SaysNothing { pointer }),
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                return Err(DialectFault::NotASchema { pointer });
            }
        };
        let mut cost: u64 = 1;
        let mut says_something = false;
        for (name, value) in map {
            let at = spot.step(name);
            let holds =
                keyword(name).ok_or_else(|| DialectFault::UnknownKeyword { pointer: at.pointer.clone() })?;
            says_something |= !matches!(holds, Holds::Annotation | Holds::Definitions);
            cost = cost.saturating_add(self.behind(&holds, at, map, value)?);
        }
        if says_something { Ok(cost) } else { Err(DialectFault::SaysNothing { pointer }) }
    }

    fn behind(
        &mut self,
        holds: &Holds,
        at: Spot<'a>,
        map: &Map<String, Value>,
        value: &Value,
    ) -> Result<u64, DialectFault> {
        match holds {
            Holds::Annotation | Holds::Assertion => Ok(0),
            Holds::Schema => self.schema(at.inner(), value),
            Holds::SchemaOfEntries(limit) => {
                let entries = map.get(*limit).and_then(Value::as_u64).unwrap_or(ENTRIES_ASSUMED);
                let times = if value.is_boolean() { 1 } else { entries.max(1) };
                Ok(self.schema(at.inner(), value)?.saturating_mul(times))
            }
            Holds::Schemas => self.list(&at, value),
            Holds::Properties => self.map(&at, value),
            Holds::Definitions => self.map(&at, value).map(|_| 0),
            Holds::Reference => self.reference(at, value),
        }
    }

    fn list(&mut self, at: &Spot<'a>, value: &Value) -> Result<u64, DialectFault> {
        let not_a_list = || DialectFault::NotASchema { pointer: at.pointer.clone() };
        let mut cost: u64 = 0;
        for (n, schema) in value.as_array().ok_or_else(not_a_list)?.iter().enumerate() {
            cost = cost.saturating_add(self.schema(at.step(&n.to_string()).inner(), schema)?);
        }
        Ok(cost)
    }

    fn map(&mut self, at: &Spot<'a>, value: &Value) -> Result<u64, DialectFault> {
        let not_a_map = || DialectFault::NotASchema { pointer: at.pointer.clone() };
        let mut cost: u64 = 0;
        for (name, schema) in value.as_object().ok_or_else(not_a_map)? {
            cost = cost.saturating_add(self.schema(at.step(name).inner(), schema)?);
        }
        Ok(cost)
    }

    /// A reference costs what it leads to. One that leads back to itself is met by the limit of levels.
    fn reference(&mut self, at: Spot<'a>, value: &Value) -> Result<u64, DialectFault> {
        let target = value.as_str().and_then(|text| target(at.file, text));
        let Some((file, name)) = target else {
            return Err(DialectFault::Reference { pointer: at.pointer });
        };
        let pointer = pointer_step("/$defs", name);
        let known = (file, pointer.clone());
        if let Some(cost) = self.costs.get(&known) {
            return Ok(*cost);
        }
        let Some(definition) = self.documents.get(file).and_then(|document| document.pointer(&pointer))
        else {
            return Err(DialectFault::Reference { pointer: at.pointer });
        };
        let cost = self.schema(Spot { file, pointer, level: at.level + 1 }, definition)?;
        self.costs.insert(known, cost);
        Ok(cost)
    }
}

/// `#/$defs/NAME` of this file, or of the vocabularies.
fn target<'a, 'b>(file: &'a str, text: &'b str) -> Option<(&'a str, &'b str)> {
    let (document, fragment) = text.split_once('#')?;
    let file = match document {
        "" => file,
        VOCABULARIES_FILE => VOCABULARIES_FILE,
        _ => return None,
    };
    let name = fragment.strip_prefix("/$defs/")?;
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    (plain && !name.is_empty()).then_some((file, name))
}
