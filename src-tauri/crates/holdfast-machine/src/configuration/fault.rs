//! What is wrong with a source of the configuration.

use holdfast_station::WrongConfiguration;
use holdfast_station::settings::WrongValue;

/// Longest sentence that is kept of a configuration that is not taken, in characters.
const PROBLEM_MAX_CHARS: usize = 400;

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
        self.named().unwrap_or(&self.origin)
    }

    /// As the station keeps it.
    #[must_use]
    pub fn told(&self) -> WrongConfiguration {
        WrongConfiguration {
            source: self.origin.clone(),
            key: self.named().map(str::to_owned),
            problem: self.wrong.join("; ").chars().take(PROBLEM_MAX_CHARS).collect(),
        }
    }

    fn named(&self) -> Option<&str> {
        self.wrong.iter().find_map(|sentence| sentence.split('`').nth(1))
    }
}

pub(super) fn refusal(origin: &str, wrong: &[String]) -> ConfigurationFault {
    ConfigurationFault { origin: origin.to_owned(), wrong: wrong.to_vec() }
}

pub(super) fn sentence(wrong: &WrongValue) -> String {
    match wrong {
        WrongValue::Alone { key, breaks } => format!("`{key}` {breaks}"),
        WrongValue::Together { breaks } => breaks.clone(),
    }
}

/// The same of a value by itself.
pub(super) fn alone(wrong: &WrongValue) -> Option<String> {
    match wrong {
        WrongValue::Alone { .. } => Some(sentence(wrong)),
        WrongValue::Together { .. } => None,
    }
}
