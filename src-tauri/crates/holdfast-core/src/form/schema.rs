//! What a schema says about one property, with its references followed.
//!
//! Promise: only reads; a keyword that stands in several layers (beside a reference and behind it, in an `allOf`) counts
//! as the strictest. Schemas that the dialect has not taken do not come here, so that following references ends.

use serde_json::{Map, Value};

use crate::validate::VOCABULARIES_FILE;

/// A schema and the word lists that it refers to.
pub(super) struct Schema<'a> {
    root: &'a Value,
    vocabularies: &'a Value,
}

/// What the schema says about one property.
pub(super) struct Facts<'a> {
    /// Each part that has to hold at once.
    layers: Vec<&'a Map<String, Value>>,
    /// Definitions that it refers to, in order.
    definitions: Vec<&'a str>,
}

/// What kind of value a property takes.
pub(super) enum Holds<'a> {
    /// One of these words.
    Codes(Vec<&'a str>),
    /// Text.
    Text,
    /// A whole number.
    Integer,
    /// A list of such.
    ListOf(Facts<'a>),
    /// Something that no field of a form takes.
    Other,
}

impl<'a> Schema<'a> {
    pub(super) fn new(root: &'a Value, vocabularies: &'a Value) -> Self {
        Self { root, vocabularies }
    }

    pub(super) fn title(&self) -> Option<&'a str> {
        self.root.get("title")?.as_str()
    }

    /// What is said about a property; `None`: there is none of this name.
    pub(super) fn property(&self, name: &str) -> Option<Facts<'a>> {
        self.properties()?.get(name).map(|property| self.facts(property))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.properties().into_iter().flat_map(|properties| properties.keys().map(String::as_str))
    }

    fn properties(&self) -> Option<&'a Map<String, Value>> {
        self.root.get("properties")?.as_object()
    }

    /// Whether the rules demand the property whatever else is given.
    pub(super) fn requires(&self, name: &str) -> bool {
        names_in(self.root).any(|required| required == name)
    }

    /// The properties of which the rules demand one: an `anyOf` or `oneOf` whose branches each ask for one.
    pub(super) fn choices_of_required(&self) -> Vec<Vec<&'a str>> {
        ["oneOf", "anyOf"].iter().filter_map(|keyword| choice(self.root.get(keyword)?)).collect()
    }

    fn facts(&self, schema: &'a Value) -> Facts<'a> {
        let mut facts = Facts { layers: Vec::new(), definitions: Vec::new() };
        self.collect(self.root, schema, &mut facts);
        facts
    }

    fn collect(&self, document: &'a Value, schema: &'a Value, facts: &mut Facts<'a>) {
        let Some(map) = schema.as_object() else { return };
        facts.layers.push(map);
        if let Some((document, name, definition)) = self.reference(document, map) {
            facts.definitions.push(name);
            self.collect(document, definition, facts);
        }
        for part in map.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.collect(document, part, facts);
        }
    }

    fn reference(
        &self,
        document: &'a Value,
        map: &'a Map<String, Value>,
    ) -> Option<(&'a Value, &'a str, &'a Value)> {
        let (file, fragment) = map.get("$ref")?.as_str()?.split_once('#')?;
        let document = if file == VOCABULARIES_FILE { self.vocabularies } else { document };
        let name = fragment.rsplit('/').next()?;
        Some((document, name, document.get("$defs")?.get(name)?))
    }
}

impl<'a> Facts<'a> {
    /// What kind of value it is, in `schema`.
    pub(super) fn holds(&self, schema: &Schema<'a>) -> Holds<'a> {
        if let Some(codes) = self.codes() {
            return Holds::Codes(codes);
        }
        match self.text("type") {
            Some("string") => Holds::Text,
            Some("integer") => Holds::Integer,
            Some("array") => {
                self.get("items").map_or(Holds::Other, |items| Holds::ListOf(schema.facts(items)))
            }
            Some(_) | None => Holds::Other,
        }
    }

    /// Whether it refers to a definition of this name.
    pub(super) fn is_a(&self, definition: &str) -> bool {
        self.definitions.contains(&definition)
    }

    /// The list that its words stand in, by the names under which a layout may give them.
    pub(super) fn definitions(&self) -> &[&'a str] {
        &self.definitions
    }

    pub(super) fn text(&self, keyword: &str) -> Option<&'a str> {
        self.get(keyword)?.as_str()
    }

    /// The strictest of an upper limit.
    pub(super) fn at_most(&self, keyword: &str) -> Option<u32> {
        let limits = self.layers.iter().filter_map(|layer| layer.get(keyword)?.as_u64());
        limits.min().map(|limit| u32::try_from(limit).unwrap_or(u32::MAX))
    }

    fn codes(&self) -> Option<Vec<&'a str>> {
        self.get("enum")?.as_array()?.iter().map(Value::as_str).collect()
    }

    fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.layers.iter().find_map(|layer| layer.get(keyword))
    }
}

fn names_in(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn choice(branches: &Value) -> Option<Vec<&str>> {
    let branches: Option<Vec<&str>> =
        branches.as_array()?.iter().map(|branch| names_in(branch).next()).collect();
    branches.filter(|names| names.len() > 1)
}
