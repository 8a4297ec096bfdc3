//! The configuration: defaults, then the machine's file, the user's, the environment, and last the file named by
//! `--config`.
//!
//! Promise: an unknown key or a wrong value is named together with where it stands, and nothing is done under a
//! configuration that is only half understood.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use config::builder::{ConfigBuilder, DefaultState};
use config::{Config, Environment, File as Toml, FileFormat, Map};
use holdfast_station::Settings;
use holdfast_station::settings::WrongValue;

use crate::folder;

/// One configuration file.
const CONFIG_MAX_BYTES: u64 = 64 * 1024;
const PREFIX: &str = "HOLDFAST_";
/// Variables of that prefix that are no settings: the level of the log, and the long form of the tests.
const NOT_SETTINGS: [&str; 2] = ["HOLDFAST_LOG", "HOLDFAST_LONG"];

/// A source that is not understood.
#[derive(Debug, thiserror::Error)]
#[error("{origin}: {}", .wrong.join("; "))]
pub struct ConfigurationFault {
    origin: String,
    wrong: Vec<String>,
}

impl ConfigurationFault {
    /// The key that is wrong; the source where it has none.
    #[must_use]
    pub fn key(&self) -> &str {
        let named = self.wrong.iter().find_map(|sentence| sentence.split('`').nth(1));
        named.unwrap_or(&self.origin)
    }
}

/// Reads every source; `named` is a file that has to be there.
///
/// # Errors
/// [`ConfigurationFault`] names the key and the source.
pub fn configuration(named: Option<&Path>) -> Result<Settings, ConfigurationFault> {
    let mut layers = Vec::new();
    for path in [Some(folder::machine_config()), folder::user_config()].into_iter().flatten() {
        layers.extend(Layer::of_file_if_there(&path)?);
    }
    let texts =
        |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    layers.extend(Layer::of_variables(env::vars_os().filter_map(texts)));
    if let Some(path) = named {
        layers.push(Layer::of_file(path)?);
    }
    settle(&layers)
}

fn settle(layers: &[Layer]) -> Result<Settings, ConfigurationFault> {
    let mut builder = Config::builder();
    for layer in layers {
        layer.check()?;
        builder = layer.add_to(builder);
    }
    let settings = read(builder, "the configuration")?;
    let wrong: Vec<String> = settings.wrong().iter().map(sentence).collect();
    if wrong.is_empty() { Ok(settings) } else { Err(refusal("the configuration", &wrong)) }
}

/// One source, and what it is called in a message.
#[derive(Debug)]
struct Layer {
    origin: String,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Toml(String),
    Variables(Map<String, String>),
}

impl Layer {
    fn of_file(path: &Path) -> Result<Self, ConfigurationFault> {
        let origin = path.display().to_string();
        match text_of(path) {
            Ok(text) => Ok(Self { origin, source: Source::Toml(text) }),
            Err(cause) => Err(refusal(&origin, &[format!("cannot be read: {cause}")])),
        }
    }

    fn of_file_if_there(path: &Path) -> Result<Option<Self>, ConfigurationFault> {
        match path.try_exists() {
            Ok(false) => Ok(None),
            Ok(true) | Err(_) => Self::of_file(path).map(Some),
        }
    }

    fn of_variables(variables: impl Iterator<Item = (String, String)>) -> Option<Self> {
        let is_setting = |name: &str| name.starts_with(PREFIX) && !NOT_SETTINGS.contains(&name);
        let settings: Map<String, String> = variables.filter(|(name, _)| is_setting(name)).collect();
        if settings.is_empty() {
            return None;
        }
        Some(Self { origin: "the environment".to_owned(), source: Source::Variables(settings) })
    }

    /// Judges it alone, so that what is wrong is said of this source. Values that make no sense together are judged when
    /// all sources are known.
    fn check(&self) -> Result<(), ConfigurationFault> {
        let settings: Settings = match &self.source {
            // Strictly: merging would make 4 of 4.5 and 1 of true.
            Source::Toml(text) => {
                toml::from_str(text).map_err(|cause| refusal(&self.origin, &[named(text, &cause)]))?
            }
            Source::Variables(_) => read(self.add_to(Config::builder()), &self.origin)?,
        };
        let wrong: Vec<String> = settings.wrong().iter().filter_map(alone).collect();
        if wrong.is_empty() { Ok(()) } else { Err(refusal(&self.origin, &wrong)) }
    }

    fn add_to(&self, builder: ConfigBuilder<DefaultState>) -> ConfigBuilder<DefaultState> {
        match &self.source {
            Source::Toml(text) => builder.add_source(Toml::from_str(text, FileFormat::Toml)),
            Source::Variables(variables) => {
                let environment = Environment::with_prefix("HOLDFAST").prefix_separator("_").separator("__");
                builder.add_source(environment.try_parsing(true).source(Some(variables.clone())))
            }
        }
    }
}

fn read(builder: ConfigBuilder<DefaultState>, origin: &str) -> Result<Settings, ConfigurationFault> {
    let settings = builder.build().and_then(Config::try_deserialize);
    settings.map_err(|cause| refusal(origin, &[cause.to_string()]))
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

fn refusal(origin: &str, wrong: &[String]) -> ConfigurationFault {
    ConfigurationFault { origin: origin.to_owned(), wrong: wrong.to_vec() }
}

fn sentence(wrong: &WrongValue) -> String {
    match wrong {
        WrongValue::Alone { key, breaks } => format!("`{key}` {breaks}"),
        WrongValue::Together { breaks } => breaks.clone(),
    }
}

fn alone(wrong: &WrongValue) -> Option<String> {
    match wrong {
        WrongValue::Alone { .. } => Some(sentence(wrong)),
        WrongValue::Together { .. } => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use holdfast_core::ids::EndpointName;

    use super::*;

    fn toml(text: &str) -> Layer {
        Layer { origin: "city.toml".to_owned(), source: Source::Toml(text.to_owned()) }
    }

    fn variables(pairs: &[(&str, &str)]) -> Vec<Layer> {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Layer::of_variables(pairs).into_iter().collect()
    }

    #[test]
    fn what_comes_later_counts_more_and_what_is_not_said_stays() {
        let mut layers = vec![toml("breaker_fail_max = 9\nsor_timeout_s = 2")];
        layers.extend(variables(&[
            ("HOLDFAST_BREAKER_FAIL_MAX", "7"),
            ("HOLDFAST_LOG", "info"),
            ("HOME", "x"),
        ]));
        let settings = settle(&layers).unwrap();
        assert_eq!((settings.breaker_fail_max, settings.sor_timeout_s), (7, 2.0));
        assert_eq!(settings.breaker_reset_s, Settings::default().breaker_reset_s);

        layers.push(toml("breaker_fail_max = 5"));
        assert_eq!(settle(&layers).unwrap().breaker_fail_max, 5);
        assert_eq!(settle(&[]).unwrap(), Settings::default());
    }

    #[test]
    fn a_section_of_an_endpoint_comes_from_files_and_from_the_environment() {
        let mut layers =
            vec![toml("breaker_fail_max = 9\n[endpoint.mirror]\nbreaker_fail_max = 2\nprobe_window = 5")];
        layers.extend(variables(&[("HOLDFAST_ENDPOINT__MIRROR__BREAKER_FAIL_MAX", "3")]));
        let settings = settle(&layers).unwrap();
        let at = |name: EndpointName| settings.for_endpoint(&name);
        let mirror = at(EndpointName::mirror());
        assert_eq!((mirror.breaker_fail_max, mirror.probe_window), (3, 5));
        assert_eq!(at(EndpointName::primary()).breaker_fail_max, 9);
    }

    #[test]
    fn what_is_wrong_is_named_with_where_it_stands() {
        let cases = [
            ("breaker_fail_maximum = 4", "unknown field `breaker_fail_maximum`"),
            ("breaker_fail_max = 0", "`breaker_fail_max` must be between 1 and 100"),
            (
                "settle_s = 9\nbreaker_fail_max = \"many\"",
                "city.toml: line 2: `breaker_fail_max`: invalid type: string \"many\"",
            ),
            ("breaker_fail_max = 4.5", "invalid type: floating point `4.5`"),
            ("breaker_fail_max = true", "invalid type: boolean `true`"),
            ("sor_timeout_s = \"5\"", "invalid type: string"),
            ("sor_timeout_s = nan", "`sor_timeout_s` is wrong (not a number)"),
            ("audit_sink = \"syslog\"", "unknown variant `syslog`"),
            ("breaker_fail_max = ", "city.toml: line 1"),
            ("disk_low_water = 0.7\ndisk_high_water = 0.6", "disk_low_water must be below disk_high_water"),
        ];
        for (text, named) in cases {
            let fault = settle(&[toml(text)]).unwrap_err().to_string();
            assert!(fault.contains(named), "{text}: {fault}");
        }
        for (text, named) in [
            ("[endpoint.miror]\nbreaker_fail_max = 4", "unknown field `miror`"),
            ("[endpoint.mirror]\ncity = \"x\"", "unknown field `city`"),
            (
                "[endpoint.mirror]\nprobe_window = 0",
                "`endpoint.mirror.probe_window` must be between 1 and 100",
            ),
        ] {
            let fault = settle(&[toml(text)]).unwrap_err().to_string();
            assert!(fault.contains(named), "{text}: {fault}");
        }
        let fault = settle(&variables(&[("HOLDFAST_BRAKER_RESET_S", "3")])).unwrap_err();
        assert!(fault.to_string().contains("the environment: unknown field `braker_reset_s`"), "{fault}");
    }

    #[test]
    fn the_key_that_is_wrong_is_known_by_itself() {
        let cases = [
            ("breaker_fail_maximum = 4", "breaker_fail_maximum"),
            ("settle_s = 9\nbreaker_fail_max = 0", "breaker_fail_max"),
            ("breaker_fail_max = \"many\"", "breaker_fail_max"),
            ("disk_low_water = 0.7\ndisk_high_water = 0.6", "the configuration"),
        ];
        for (text, key) in cases {
            assert_eq!(settle(&[toml(text)]).unwrap_err().key(), key, "{text}");
        }
    }
}
