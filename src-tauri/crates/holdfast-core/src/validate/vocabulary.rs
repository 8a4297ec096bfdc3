//! The closed word lists of a contract, as the screens ask for them.
//!
//! Promise: a list has at least one word and none twice, in the order of the contract. Which field is bound to which
//! list is said by the schemas, by reference; this module binds nothing.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Why a file is no set of word lists.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VocabularyFault {
    /// No object of lists under `$defs`.
    #[error("no lists under $defs")]
    NoLists,
    /// A list that is not `{"enum": [words]}` with at least one word and none twice.
    #[error("{name} is no list of words")]
    NotAList {
        /// Its name.
        name: String,
    },
}

/// Word lists by the name of the field that they are for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vocabularies(BTreeMap<String, Vec<String>>);

impl Vocabularies {
    /// Reads `vocabularies.json`: a JSON Schema document whose definitions are enumerations.
    ///
    /// # Errors
    /// [`VocabularyFault`].
    pub fn parse(document: &Value) -> Result<Self, VocabularyFault> {
        let lists = document.get("$defs").and_then(Value::as_object).ok_or(VocabularyFault::NoLists)?;
        lists.iter().map(list).collect::<Result<_, _>>().map(Self)
    }

    /// The words of one list, in the contract's order.
    #[must_use]
    pub fn words(&self, name: &str) -> Option<&[String]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// Every list by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0.iter().map(|(name, words)| (name.as_str(), words.as_slice()))
    }
}

fn list((name, definition): (&String, &Value)) -> Result<(String, Vec<String>), VocabularyFault> {
    let words = definition.as_object().and_then(words);
    let words = words.ok_or_else(|| VocabularyFault::NotAList { name: name.clone() })?;
    Ok((name.clone(), words))
}

fn words(definition: &Map<String, Value>) -> Option<Vec<String>> {
    if definition.keys().any(|keyword| keyword != "enum" && keyword != "description") {
        return None;
    }
    let words = definition.get("enum")?.as_array()?;
    let words: Vec<String> =
        words.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<_>>()?;
    let twice = words.iter().enumerate().any(|(n, word)| words[..n].contains(word));
    (!words.is_empty() && !twice).then_some(words)
}
