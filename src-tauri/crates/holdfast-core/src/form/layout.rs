//! A layout: which fields of a schema a person is asked for, in which groups, and in whose words.
//!
//! Promise: read strictly. A member, a field or a word that nothing answers to is refused by its name, since it would be
//! shown to nobody, or asked for in vain. Texts are short, in both languages, and without control characters.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use super::schema::{Holds, Schema};
use super::{Form, Width, Words};

/// Version of the layout file.
const LAYOUT_VERSION: u32 = 1;
/// Groups of one layout, in entries.
const GROUPS_MAX: usize = 20;
/// Fields of one layout, in entries.
const FIELDS_MAX: usize = 100;
/// One label, legend, hint, example, word or name, in characters.
const TEXT_MAX_CHARS: usize = 120;
/// What is repeated of a file's own text in a reason, in characters.
const REASON_MAX_CHARS: usize = 200;

/// Words of closed lists: by the list or the property, then by code.
pub(super) type WordLists = BTreeMap<String, BTreeMap<String, Words>>;

/// No word is given.
pub(super) const NO_WORDS: WordLists = WordLists::new();

/// Why a file is no layout of its schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayoutFault {
    /// There is no schema for it to lay out.
    #[error("no schema of this kind")]
    NoSchema,
    /// Not of the form of a layout.
    #[error("no layout: {reason}")]
    NotALayout {
        /// What is wrong, in the parser's words.
        reason: String,
    },
    /// Another version of the file.
    #[error("a layout of version {v}; this program reads version {LAYOUT_VERSION}")]
    Version {
        /// Its version.
        v: u32,
    },
    /// More than a form may have.
    #[error("more than {GROUPS_MAX} groups or {FIELDS_MAX} fields")]
    TooMany,
    /// A text that is empty, too long, or holds control characters.
    #[error("a text of {of} is blank, longer than {TEXT_MAX_CHARS} characters, or holds control characters")]
    Text {
        /// What it belongs to.
        of: String,
    },
    /// A field that the schema does not know.
    #[error("the schema knows no field {name}")]
    UnknownField {
        /// Its name.
        name: String,
    },
    /// The same twice: a group, or a field.
    #[error("{name} is there twice")]
    Doubled {
        /// Its name.
        name: String,
    },
    /// No field of a form takes what the schema wants there.
    #[error("nothing takes a value of {name}")]
    NoControl {
        /// Its name.
        name: String,
    },
    /// A way of entering that gives values of another shape than the schema's.
    #[error("the widget of {name} does not fit its schema")]
    WidgetDoesNotFit {
        /// Its name.
        name: String,
    },
    /// Words for a list that no field has.
    #[error("no field has the words {list}")]
    UnknownWords {
        /// Its name.
        list: String,
    },
    /// A word for a code that is not in the list.
    #[error("{list} has no code {code}")]
    UnknownCode {
        /// The list.
        list: String,
        /// The code.
        code: String,
    },
}

impl LayoutFault {
    pub(super) fn unknown_field(name: &str) -> Self {
        Self::UnknownField { name: shortened(name) }
    }

    pub(super) fn no_control(name: &str) -> Self {
        Self::NoControl { name: shortened(name) }
    }
}

/// A layout as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layout {
    v: u32,
    pub(super) groups: Vec<PlacedGroup>,
    #[serde(default)]
    pub(super) words: WordLists,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlacedGroup {
    pub(super) id: String,
    pub(super) legend: Words,
    pub(super) fields: Vec<Placed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Placed {
    pub(super) name: String,
    pub(super) label: Words,
    #[serde(default)]
    pub(super) hint: Option<Words>,
    #[serde(default)]
    pub(super) example: Option<String>,
    #[serde(default)]
    pub(super) width: Option<Width>,
    #[serde(default)]
    pub(super) widget: Option<String>,
    #[serde(default)]
    pub(super) with: Option<String>,
}

impl Layout {
    /// Reads a layout of `schema`.
    pub(super) fn parse(document: &Value, schema: &Schema<'_>) -> Result<Self, LayoutFault> {
        let layout = Self::deserialize(document)
            .map_err(|error| LayoutFault::NotALayout { reason: shortened(&error.to_string()) })?;
        layout.judge()?;
        known_words(&layout.words, schema)?;
        Ok(layout)
    }

    fn judge(&self) -> Result<(), LayoutFault> {
        if self.v != LAYOUT_VERSION {
            return Err(LayoutFault::Version { v: self.v });
        }
        let fields: usize = self.groups.iter().map(|group| group.fields.len()).sum();
        if self.groups.len() > GROUPS_MAX || fields > FIELDS_MAX {
            return Err(LayoutFault::TooMany);
        }
        no_double(self.groups.iter().map(|group| group.id.as_str()))?;
        let wrong = self.texts().find(|(_, text)| !is_text(text));
        wrong.map_or(Ok(()), |(of, _)| Err(LayoutFault::Text { of: shortened(of) }))
    }

    /// Every text that is shown, with the name of what it belongs to.
    fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let groups = self.groups.iter().flat_map(|group| {
            [(group.id.as_str(), group.id.as_str())].into_iter().chain(both(&group.id, &group.legend))
        });
        let fields = self.groups.iter().flat_map(|group| &group.fields).flat_map(Placed::texts);
        let lists =
            self.words.iter().flat_map(|(list, words)| words.values().flat_map(|word| both(list, word)));
        groups.chain(fields).chain(lists)
    }
}

impl Placed {
    fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let single = [&self.example, &self.widget, &self.with].into_iter().flatten();
        both(&self.name, &self.label)
            .into_iter()
            .chain(self.hint.iter().flat_map(|hint| both(&self.name, hint)))
            .chain(single.map(|text| (self.name.as_str(), text.as_str())))
    }
}

/// Refuses a form in which two fields fill the same member.
pub(super) fn refuse_doubled(form: &Form) -> Result<(), LayoutFault> {
    no_double(form.fields().flat_map(|field| [Some(field.name.as_str()), field.control.reason()]).flatten())
}

fn no_double<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), LayoutFault> {
    let mut seen = BTreeSet::new();
    let mut names = names;
    let twice = names.find(|name| !seen.insert(*name));
    twice.map_or(Ok(()), |name| Err(LayoutFault::Doubled { name: shortened(name) }))
}

/// Words belong to a closed list of the schema, by the property or by the list that it refers to.
fn known_words(words: &WordLists, schema: &Schema<'_>) -> Result<(), LayoutFault> {
    let lists = closed_lists(schema);
    for (list, words) in words {
        let codes = lists.get(list.as_str());
        let codes = codes.ok_or_else(|| LayoutFault::UnknownWords { list: shortened(list) })?;
        if let Some(code) = words.keys().find(|code| !codes.contains(&code.as_str())) {
            return Err(LayoutFault::UnknownCode { list: shortened(list), code: shortened(code) });
        }
    }
    Ok(())
}

fn closed_lists<'a>(schema: &Schema<'a>) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut lists = BTreeMap::new();
    for name in schema.names() {
        let Some(facts) = schema.property(name) else { continue };
        let facts = if let Holds::ListOf(entries) = facts.holds(schema) { entries } else { facts };
        if let Holds::Codes(codes) = facts.holds(schema) {
            lists.extend(facts.definitions().iter().map(|list| (*list, codes.clone())));
            lists.insert(name, codes);
        }
    }
    lists
}

fn both<'a>(of: &'a str, words: &'a Words) -> [(&'a str, &'a str); 2] {
    [(of, &words.en), (of, &words.es)]
}

fn is_text(text: &str) -> bool {
    let blank = text.trim().is_empty();
    !blank && text.chars().count() <= TEXT_MAX_CHARS && !text.chars().any(char::is_control)
}

fn shortened(text: &str) -> String {
    text.chars().take(REASON_MAX_CHARS).collect()
}
