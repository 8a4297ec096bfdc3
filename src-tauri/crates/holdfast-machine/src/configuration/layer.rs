//! One source of the configuration, judged by itself.
//!
//! Promise: what is wrong is said of the source that says it, with the line of a file. Values that make no sense together are
//! judged when all sources are known.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use config::builder::{ConfigBuilder, DefaultState};
use config::{Config, Environment, File as Toml, FileFormat, Map};
use holdfast_station::Settings;
use holdfast_station::settings::{BETWEEN, Origin, WrongValue};
use toml::de::{DeTable, DeValue};

use super::fault::{ConfigurationFault, alone, refusal};

/// One configuration file.
const CONFIG_MAX_BYTES: u64 = 64 * 1024;
const PREFIX: &str = "HOLDFAST_";
/// Between the parts of a variable's name.
const PARTS: &str = "__";
/// Variables of that prefix that are no settings: the level of the log, and the long form of the tests.
const NOT_SETTINGS: [&str; 2] = ["HOLDFAST_LOG", "HOLDFAST_LONG"];

/// Where a source is, in the order in which they count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    MachineFile(PathBuf),
    UserFile(PathBuf),
    Environment,
    NamedFile(PathBuf),
}

/// One source, and where it is.
#[derive(Debug)]
pub(super) struct Layer {
    place: Place,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Toml(String),
    Variables(Map<String, String>),
}

impl Place {
    /// What it is called in a message.
    fn name(&self) -> String {
        match self {
            Self::MachineFile(path) | Self::UserFile(path) | Self::NamedFile(path) => {
                path.display().to_string()
            }
            Self::Environment => "the environment".to_owned(),
        }
    }

    fn origin(&self, line: Option<u32>) -> Origin {
        match self {
            Self::MachineFile(_) => Origin::MachineFile { path: self.name(), line },
            Self::UserFile(_) => Origin::UserFile { path: self.name(), line },
            Self::NamedFile(_) => Origin::NamedFile { path: self.name(), line },
            Self::Environment => Origin::Environment { variable: String::new() },
        }
    }
}

impl Layer {
    /// A file that has to be there.
    pub(super) fn of_file(place: Place, path: &Path) -> Result<Self, ConfigurationFault> {
        match text_of(path) {
            Ok(text) => Ok(Self { place, source: Source::Toml(text) }),
            Err(cause) => Err(refusal(&place.name(), &[format!("cannot be read: {cause}")])),
        }
    }

    pub(super) fn of_file_if_there(place: Place, path: &Path) -> Result<Option<Self>, ConfigurationFault> {
        match path.try_exists() {
            Ok(false) => Ok(None),
            Ok(true) | Err(_) => Self::of_file(place, path).map(Some),
        }
    }

    pub(super) fn of_variables(variables: impl Iterator<Item = (String, String)>) -> Option<Self> {
        let settings: Map<String, String> = variables.filter(|(name, _)| is_setting(name)).collect();
        if settings.is_empty() {
            return None;
        }
        Some(Self { place: Place::Environment, source: Source::Variables(settings) })
    }

    /// Judges it alone.
    pub(super) fn check(&self) -> Result<(), ConfigurationFault> {
        let name = self.place.name();
        let settings: Settings = match &self.source {
            // Strictly: merging would make 4 of 4.5 and 1 of true.
            Source::Toml(text) => {
                toml::from_str(text).map_err(|cause| refusal(&name, &[named(text, &cause)]))?
            }
            Source::Variables(_) => read(self.add_to(Config::builder()), &name)?,
        };
        let wrong: Vec<String> = settings.wrong().iter().filter_map(|wrong| self.placed(wrong)).collect();
        if wrong.is_empty() { Ok(()) } else { Err(refusal(&name, &wrong)) }
    }

    pub(super) fn add_to(&self, builder: ConfigBuilder<DefaultState>) -> ConfigBuilder<DefaultState> {
        match &self.source {
            Source::Toml(text) => builder.add_source(Toml::from_str(text, FileFormat::Toml)),
            Source::Variables(variables) => {
                let environment = Environment::with_prefix("HOLDFAST").prefix_separator("_").separator(PARTS);
                builder.add_source(environment.try_parsing(true).source(Some(variables.clone())))
            }
        }
    }

    /// Every key that it says, with where it says it.
    pub(super) fn keys(&self) -> Vec<(String, Origin)> {
        match &self.source {
            Source::Toml(text) => self.keys_of(text),
            Source::Variables(variables) => variables
                .keys()
                .map(|variable| (key_of(variable), Origin::Environment { variable: variable.clone() }))
                .collect(),
        }
    }

    fn keys_of(&self, text: &str) -> Vec<(String, Origin)> {
        let mut keys = Vec::new();
        if let Ok(table) = DeTable::parse(text) {
            walk("", table.get_ref(), &mut |key, at| {
                keys.push((key, self.place.origin(Some(line_of(text, at)))));
            });
        }
        keys
    }

    fn placed(&self, wrong: &WrongValue) -> Option<String> {
        let sentence = alone(wrong)?;
        let WrongValue::Alone { key, .. } = wrong else { return Some(sentence) };
        let line = self.keys().into_iter().find_map(|(known, origin)| match origin {
            Origin::MachineFile { line, .. }
            | Origin::UserFile { line, .. }
            | Origin::NamedFile { line, .. } => line.filter(|_| known == *key),
            Origin::Default | Origin::Environment { .. } => None,
        });
        Some(line.map_or(sentence.clone(), |line| format!("line {line}: {sentence}")))
    }
}

pub(super) fn read(builder: ConfigBuilder<DefaultState>, name: &str) -> Result<Settings, ConfigurationFault> {
    let settings = builder.build().and_then(Config::try_deserialize);
    settings.map_err(|cause| refusal(name, &[cause.to_string()]))
}

/// Whether a variable is one of the configuration.
pub(super) fn is_setting(variable: &str) -> bool {
    variable.starts_with(PREFIX) && !NOT_SETTINGS.contains(&variable)
}

fn key_of(variable: &str) -> String {
    let key = variable.strip_prefix(PREFIX).unwrap_or(variable).to_lowercase();
    key.replace(PARTS, &BETWEEN.to_string())
}

fn walk(section: &str, table: &DeTable<'_>, found: &mut impl FnMut(String, usize)) {
    for (key, value) in table {
        let name = key.get_ref();
        let whole = if section.is_empty() { name.to_string() } else { format!("{section}{BETWEEN}{name}") };
        match value.get_ref() {
            DeValue::Table(inner) => walk(&whole, inner, found),
            DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_) => found(whole, key.span().start),
        }
    }
}

fn line_of(text: &str, at: usize) -> u32 {
    let before = text.get(..at).unwrap_or_default();
    u32::try_from(before.matches('\n').count() + 1).unwrap_or(u32::MAX)
}

fn text_of(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(CONFIG_MAX_BYTES + 1).read_to_string(&mut text)?;
    let too_large = u64::try_from(text.len()).is_ok_and(|bytes| bytes > CONFIG_MAX_BYTES);
    if too_large {
        return Err(io::Error::other(format!("longer than {CONFIG_MAX_BYTES} bytes")));
    }
    Ok(text)
}

/// What is wrong with a file, with its line and what stands there before the mistake, which is the key of a wrong value.
fn named(text: &str, cause: &toml::de::Error) -> String {
    let before = cause.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let number = before.matches('\n').count() + 1;
    let beginning = before.lines().last().filter(|_| !before.ends_with('\n')).unwrap_or_default();
    match beginning.trim_end_matches([' ', '=']) {
        "" => format!("line {number}: {}", cause.message()),
        key => format!("line {number}: `{key}`: {}", cause.message()),
    }
}
