//! Values of one endpoint alone: the sections `[endpoint.NAME]` of the configuration.
//!
//! Promise: what a section does not say, the endpoint has from the whole station, and a value there keeps within the same
//! bounds as that of the whole station. An endpoint or a key that is not known is refused by its name.

use holdfast_core::ids::EndpointName;
use serde::{Deserialize, Serialize};
use validator::{Validate as _, ValidationErrors};

use super::Settings;

macro_rules! of_one_endpoint {
    ($($key:ident: $kind:ty,)*) => {
        /// What is different at one endpoint.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct EndpointOverrides {
            $(
                #[doc = concat!("Instead of the station's `", stringify!($key), "`.")]
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $key: Option<$kind>,
            )*
        }

        impl EndpointOverrides {
            /// Every key that may stand in a section.
            pub const KEYS: &'static [&'static str] = &[$(stringify!($key),)*];

            fn apply(&self, settings: &mut Settings) {
                $(if let Some(value) = self.$key { settings.$key = value; })*
            }

            fn says(&self, key: &str) -> bool {
                match key {
                    $(stringify!($key) => self.$key.is_some(),)*
                    _ => false,
                }
            }
        }
    };
}

of_one_endpoint! {
    breaker_fail_max: u32,
    breaker_reset_s: f64,
    sor_timeout_s: f64,
    sor_connect_timeout_s: f64,
    settle_s: u32,
    attempt_backoff_base_s: f64,
    attempt_backoff_max_s: f64,
    retry_after_max_s: u32,
    probe_interval_s: f64,
    probe_window: u32,
    probe_rtt_max_ms: u32,
    first_drain_jitter_s: f64,
    drain_in_flight_max: u32,
}

/// The sections of all endpoints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EndpointSections {
    /// Of the system-of-record itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary: Option<EndpointOverrides>,
    /// Of its mirror.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mirror: Option<EndpointOverrides>,
    /// Of the server of parcels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gis: Option<EndpointOverrides>,
    /// Of the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<EndpointOverrides>,
}

impl EndpointSections {
    /// No section at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    fn all(&self) -> impl Iterator<Item = (EndpointName, &EndpointOverrides)> {
        let every = [
            (EndpointName::primary(), &self.primary),
            (EndpointName::mirror(), &self.mirror),
            (EndpointName::gis(), &self.gis),
            (EndpointName::board(), &self.board),
        ];
        every.into_iter().filter_map(|(name, section)| Some((name, section.as_ref()?)))
    }
}

impl Settings {
    /// The settings as they are at one endpoint.
    #[must_use]
    pub fn for_endpoint(&self, name: &EndpointName) -> Settings {
        let mut settings = self.clone();
        if let Some((_, section)) = self.endpoint.all().find(|(known, _)| known == name) {
            section.apply(&mut settings);
        }
        settings
    }

    /// What is wrong in the sections, each with the name of its endpoint: the bounds are those of the whole station.
    pub(super) fn wrong_at_endpoints(&self) -> Vec<(EndpointName, ValidationErrors)> {
        let judged = self.endpoint.all().filter_map(|(name, section)| {
            let mut errors = self.for_endpoint(&name).validate().err()?;
            errors.errors_mut().retain(|key, _| section.says(key));
            (!errors.is_empty()).then_some((name, errors))
        });
        judged.collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        let mirror = EndpointOverrides {
            breaker_fail_max: Some(9),
            sor_timeout_s: Some(2.0),
            probe_window: Some(7),
            ..EndpointOverrides::default()
        };
        let endpoint = EndpointSections { mirror: Some(mirror), ..EndpointSections::default() };
        Settings { endpoint, breaker_reset_s: 3.0, ..Settings::default() }
    }

    #[test]
    fn an_endpoint_has_its_own_values_and_the_rest_from_the_station() {
        let settings = settings();
        let mirror = settings.for_endpoint(&EndpointName::mirror());
        assert_eq!((mirror.breaker().fail_max, mirror.breaker().reset_ms), (9, 3_000));
        assert_eq!((mirror.attempt_ms(), mirror.probes().window), (2_000, 7));
        for other in [EndpointName::primary(), EndpointName::gis(), EndpointName::board()] {
            assert_eq!(settings.for_endpoint(&other), settings, "{other}");
        }
    }

    #[test]
    fn every_key_of_a_section_takes_effect() {
        let plain = serde_json::to_value(Settings::default()).unwrap();
        for key in EndpointOverrides::KEYS {
            let one: EndpointOverrides = serde_json::from_value(serde_json::json!({ *key: 77 })).unwrap();
            assert!(one.says(key), "{key}");
            let sections = EndpointSections { gis: Some(one), ..EndpointSections::default() };
            let settings = Settings { endpoint: sections, ..Settings::default() };
            let there = serde_json::to_value(settings.for_endpoint(&EndpointName::gis())).unwrap();
            assert_eq!(there[*key].as_f64(), Some(77.0), "{key}");
            assert_ne!(there[*key], plain[*key], "{key}");
        }
    }

    #[test]
    fn an_unknown_endpoint_and_an_unknown_key_are_refused_by_name() {
        let refusal = |text: serde_json::Value| {
            serde_json::from_value::<EndpointSections>(text).unwrap_err().to_string()
        };
        let name = refusal(serde_json::json!({ "miror": {} }));
        assert!(name.contains("unknown field `miror`"), "{name}");
        let key = refusal(serde_json::json!({ "mirror": { "city": "x" } }));
        assert!(key.contains("unknown field `city`"), "{key}");
    }
}
