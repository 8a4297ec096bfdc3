//! What is wrong with settings, key by key.
//!
//! Promise: every wrong value is named, one of an endpoint with its section, together with the bounds that it breaks.

use validator::{Validate as _, ValidationError, ValidationErrors};

use super::Settings;

/// Where validator keeps what is wrong with several values together.
const TOGETHER: &str = "__all__";

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongValue {
    /// A value by itself.
    Alone {
        /// Its key; `endpoint.NAME.KEY` in a section.
        key: String,
        /// What it breaks, as a part of a sentence.
        breaks: String,
    },
    /// Values that make no sense together.
    Together {
        /// What they break, as a sentence that names them.
        breaks: String,
    },
}

impl Settings {
    /// Everything that is wrong with these settings, in the order of the keys.
    #[must_use]
    pub fn wrong(&self) -> Vec<WrongValue> {
        let mut wrong = self.validate().err().map(|errors| all_of("", &errors)).unwrap_or_default();
        for (name, errors) in self.wrong_at_endpoints() {
            wrong.extend(all_of(&format!("endpoint.{name}."), &errors));
        }
        wrong
    }
}

fn all_of(section: &str, errors: &ValidationErrors) -> Vec<WrongValue> {
    let fields = errors.field_errors();
    let mut alone: Vec<(String, String)> = Vec::new();
    for (field, errors) in fields.iter().filter(|(field, _)| *field != TOGETHER) {
        alone.extend(errors.iter().map(|error| (format!("{section}{field}"), bounds_of(error))));
    }
    alone.sort();
    let together = fields.get(TOGETHER).into_iter().flat_map(|errors| errors.iter());
    let together = together.map(|error| WrongValue::Together { breaks: error.code.to_string() });
    alone.into_iter().map(|(key, breaks)| WrongValue::Alone { key, breaks }).chain(together).collect()
}

fn bounds_of(error: &ValidationError) -> String {
    match (error.params.get("min"), error.params.get("max")) {
        (Some(min), Some(max)) => format!("must be between {min} and {max}"),
        (Some(min), None) => format!("must be at least {min}"),
        (None, Some(max)) => format!("must be at most {max}"),
        (None, None) => format!("is wrong ({})", error.code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{EndpointOverrides, EndpointSections};

    #[test]
    fn a_wrong_value_of_an_endpoint_is_named_with_its_section_and_no_other_is_blamed() {
        let board =
            EndpointOverrides { breaker_fail_max: Some(0), probe_window: Some(3), ..Default::default() };
        let endpoint = EndpointSections { board: Some(board), ..EndpointSections::default() };
        let settings =
            Settings { endpoint, retry_after_max_s: 0, disk_low_water: 0.9, ..Settings::default() };
        let alone = |key: &str, breaks: &str| WrongValue::Alone { key: key.into(), breaks: breaks.into() };
        let together = "disk_low_water must be below disk_high_water";
        assert_eq!(
            settings.wrong(),
            [
                alone("retry_after_max_s", "must be between 1 and 900"),
                WrongValue::Together { breaks: together.into() },
                alone("endpoint.board.breaker_fail_max", "must be between 1 and 100"),
            ]
        );
        assert!(Settings::default().wrong().is_empty());
    }
}
