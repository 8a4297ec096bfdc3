//! The configuration of a station: every value with its default, its unit in its name, and its bounds.
//!
//! Promise: values that make no sense are refused by name before they are used. Where a value came from is the
//! composition's matter.

mod endpoints;
mod listing;
mod origin;
mod wrong;

use std::path::PathBuf;

use holdfast_core::breaker::BreakerSettings;
use holdfast_core::breaker::probes::ProbeSettings;
use holdfast_core::cascade::MirrorKeys;
use holdfast_core::headroom::HeadroomSettings;
use holdfast_core::limits::RETRY_AFTER_MAX_S;
use holdfast_core::wait::BackoffSettings;
use serde::{Deserialize, Serialize};
use validator::{Validate, ValidationError};

pub use self::endpoints::{EndpointOverrides, EndpointSections};
pub use self::listing::{BETWEEN, ChangedValue, Listed, TakesEffect, takes_effect};
pub use self::origin::{Origin, Origins};
pub use self::wrong::WrongValue;

const MIB: u64 = 1024 * 1024;
/// Below this much available nothing is taken at all: what the engine needs to finish what it holds.
const RESERVE_MIB: u64 = 8;

/// All settings of a station.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Validate)]
#[serde(default, deny_unknown_fields)]
#[validate(schema(function = "low_below_high", skip_on_field_errors = false))]
pub struct Settings {
    /// Failures in a row that trip the breaker.
    #[validate(range(min = 1, max = 100))]
    pub breaker_fail_max: u32,
    /// Cool-down of an open breaker, ±10 %.
    #[validate(range(min = 0.05, max = 3600.0), custom(function = "is_number"))]
    pub breaker_reset_s: f64,
    /// One attempt: token, connect, send and whole answer.
    #[validate(range(min = 0.05, max = 120.0), custom(function = "is_number"))]
    pub sor_timeout_s: f64,
    /// Connecting alone.
    #[validate(range(min = 0.05, max = 60.0), custom(function = "is_number"))]
    pub sor_connect_timeout_s: f64,
    /// How long after a send an SoR without keys may still apply it.
    #[validate(range(min = 1, max = 86_400))]
    pub settle_s: u32,
    /// Failures charged to an operation before it waits for a person.
    #[validate(range(min = 1, max = 100))]
    pub item_failures_max: u32,
    /// How often an operation waits for its parent before it waits for a person.
    #[validate(range(min = 1, max = 1_000))]
    pub parent_waits_max: u32,
    /// First back-off.
    #[validate(range(min = 0.01, max = 600.0), custom(function = "is_number"))]
    pub attempt_backoff_base_s: f64,
    /// Longest back-off.
    #[validate(range(min = 0.01, max = 3600.0), custom(function = "is_number"))]
    pub attempt_backoff_max_s: f64,
    /// Longest `Retry-After` that is obeyed.
    #[validate(range(min = 1, max = 900))]
    pub retry_after_max_s: u32,
    /// Between two probes of a closed breaker's endpoint.
    #[validate(range(min = 0.1, max = 600.0), custom(function = "is_number"))]
    pub probe_interval_s: f64,
    /// Probes that have to be down, one after the other, to trip the breaker.
    #[validate(range(min = 1, max = 100))]
    pub probe_window: u32,
    /// A probe whose round trip is longer counts as down.
    #[validate(range(min = 1, max = 60_000))]
    pub probe_rtt_max_ms: u32,
    /// Shortest time between two reports to the board; that nothing is new it hears every five minutes.
    #[validate(range(min = 0.05, max = 300.0), custom(function = "is_number"))]
    pub board_tell_interval_s: f64,
    /// From which age on what is not recorded is copied to a mirror that holds copies, although the primary answers.
    #[validate(range(min = 1, max = 3_600))]
    pub custody_after_s: u32,
    /// Longest random wait between a breaker's closing and the first drain.
    #[validate(range(min = 0.0, max = 600.0), custom(function = "is_number"))]
    pub first_drain_jitter_s: f64,
    /// Operations of one pass.
    #[validate(range(min = 1, max = 10_000))]
    pub reconcile_batch: u32,
    /// Lanes in flight at once with an SoR that orders by itself (`order = accepted_at` in its health); others get one at a time.
    #[validate(range(min = 1, max = 64))]
    pub drain_in_flight_max: u32,
    /// Whether primary and mirror answer for each other's keys at once: what is in doubt at one may then be sent to the other.
    pub mirror_shares_keys: bool,
    /// How long a session may be extended without the SoR.
    #[validate(range(min = 1, max = 72))]
    pub session_offline_max_h: u32,
    /// Name of the city, as on paper.
    #[validate(length(max = 200))]
    pub city: String,
    /// Whom to call when something is wrong here, with the number.
    #[validate(length(max = 200))]
    pub contact: String,
    /// Who can load a rules file, with the number.
    #[validate(length(max = 200))]
    pub rules_contact: String,
    /// The data folder, where the command line names none.
    pub queue_path: Option<PathBuf>,
    /// Where audit events go besides the store.
    pub audit_sink: AuditSink,
    /// How long a contract holds after it was attested.
    #[validate(range(min = 1, max = 72))]
    pub schema_cache_ttl_h: u32,
    /// How old a copy of inspections may be before it is no longer shown; a city may want less than a week, never more.
    #[validate(range(min = 1, max = 168))]
    pub copy_inspections_max_h: u32,
    /// How old a copy of parcels may be before it says nothing any more; a city may want less than a month, never more.
    #[validate(range(min = 1, max = 720))]
    pub copy_parcels_max_h: u32,
    /// How often the copy of parcels is brought up to date.
    #[validate(range(min = 1, max = 86_400))]
    pub parcels_refresh_interval_s: u32,
    /// How far apart two applications may have been filed to be said to look alike.
    #[validate(range(min = 1, max = 720))]
    pub likeness_window_h: u32,
    /// How long archived operations are kept at least.
    #[validate(range(min = 2555, max = 36_500))]
    pub queue_retention_days: u32,
    /// Share of the disk in use from which ambient work is shed.
    #[validate(range(min = 0.1, max = 1.0), custom(function = "is_number"))]
    pub disk_high_water: f64,
    /// Share below which it comes back.
    #[validate(range(min = 0.0, max = 1.0), custom(function = "is_number"))]
    pub disk_low_water: f64,
    /// Free space below which only compliance work is taken.
    #[validate(range(min = 16, max = 1_048_576))]
    pub disk_floor_mib: u64,
    /// Where permit numbers come from.
    pub numbers: NumberSource,
    /// Numbers of one leased block.
    #[validate(range(min = 1, max = 500))]
    pub number_block_size: u32,
    /// So many left, and another block is asked for.
    #[validate(range(min = 1, max = 500))]
    pub number_low_mark: u32,
    /// Acceptances at once.
    #[validate(range(min = 1, max = 1_000))]
    pub accepts_waiting_max: u32,
    /// Questions to the SoR at once that somebody waits for: signing in, rules, copies.
    #[validate(range(min = 1, max = 1_000))]
    pub reads_in_flight_max: u32,
    /// Readings at once of what is on this computer.
    #[validate(range(min = 8, max = 1_000))]
    pub cached_reads_max: u32,
    /// What is different at one endpoint.
    #[serde(skip_serializing_if = "EndpointSections::is_empty")]
    pub endpoint: EndpointSections,
}

/// Where permit numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NumberSource {
    /// The SoR gives an application its number when it records it.
    Assigned,
    /// This station gives numbers out itself, from blocks that the SoR leased to it.
    Leased,
}

/// Where audit events go besides the store. A sink that this version does not have is refused, not ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditSink {
    /// Nowhere.
    None,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            breaker_fail_max: 4,
            breaker_reset_s: 30.0,
            sor_timeout_s: 5.0,
            sor_connect_timeout_s: 1.0,
            settle_s: 240,
            item_failures_max: 5,
            parent_waits_max: 20,
            attempt_backoff_base_s: 1.0,
            attempt_backoff_max_s: 60.0,
            retry_after_max_s: RETRY_AFTER_MAX_S,
            probe_interval_s: 5.0,
            probe_window: 3,
            probe_rtt_max_ms: 800,
            board_tell_interval_s: 15.0,
            custody_after_s: 60,
            first_drain_jitter_s: 30.0,
            reconcile_batch: 200,
            drain_in_flight_max: 4,
            mirror_shares_keys: false,
            session_offline_max_h: 72,
            city: String::new(),
            contact: String::new(),
            rules_contact: String::new(),
            queue_path: None,
            audit_sink: AuditSink::None,
            schema_cache_ttl_h: 24,
            copy_inspections_max_h: 168,
            copy_parcels_max_h: 720,
            parcels_refresh_interval_s: 900,
            likeness_window_h: 24,
            queue_retention_days: 2555,
            disk_high_water: 0.80,
            disk_low_water: 0.65,
            disk_floor_mib: 100,
            numbers: NumberSource::Assigned,
            number_block_size: 100,
            number_low_mark: 20,
            accepts_waiting_max: 32,
            reads_in_flight_max: 8,
            cached_reads_max: 64,
            endpoint: EndpointSections::default(),
        }
    }
}

impl Settings {
    /// What the breaker goes by.
    #[must_use]
    pub fn breaker(&self) -> BreakerSettings {
        BreakerSettings {
            fail_max: self.breaker_fail_max,
            reset_ms: millis(self.breaker_reset_s),
            // A canary is lost only when its attempt can no longer end by itself.
            canary_deadline_ms: 2 * self.attempt_ms() + 1_000,
            retry_after_max_s: self.retry_after_max_s,
        }
    }

    /// Whether primary and mirror share their keys.
    #[must_use]
    pub fn mirror_keys(&self) -> MirrorKeys {
        if self.mirror_shares_keys { MirrorKeys::Shared } else { MirrorKeys::Apart }
    }

    /// What probes go by.
    #[must_use]
    pub fn probes(&self) -> ProbeSettings {
        ProbeSettings {
            interval_ms: millis(self.probe_interval_s),
            window: self.probe_window,
            rtt_max_ms: u64::from(self.probe_rtt_max_ms),
        }
    }

    /// Shortest time between two reports to the board, in milliseconds.
    #[must_use]
    pub fn board_tell_interval_ms(&self) -> u64 {
        millis(self.board_tell_interval_s)
    }

    /// What back-offs go by.
    #[must_use]
    pub fn backoff(&self) -> BackoffSettings {
        BackoffSettings {
            base_ms: millis(self.attempt_backoff_base_s),
            max_ms: millis(self.attempt_backoff_max_s),
        }
    }

    /// What the room on the disk is judged by.
    #[must_use]
    pub fn headroom(&self) -> HeadroomSettings {
        HeadroomSettings {
            high_water: self.disk_high_water,
            low_water: self.disk_low_water,
            floor_bytes: self.disk_floor_mib * MIB,
            reserve_bytes: RESERVE_MIB * MIB,
        }
    }

    /// Limit of one attempt, in milliseconds.
    #[must_use]
    pub fn attempt_ms(&self) -> u64 {
        millis(self.sor_timeout_s)
    }

    /// Limit of connecting, in milliseconds.
    #[must_use]
    pub fn connect_ms(&self) -> u64 {
        millis(self.sor_connect_timeout_s)
    }

    /// Longest wait before the first drain, in milliseconds.
    #[must_use]
    pub fn first_drain_jitter_ms(&self) -> u64 {
        millis(self.first_drain_jitter_s)
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Bounded by the validated ranges above.
fn millis(seconds: f64) -> u64 {
    (seconds * 1_000.0).round().max(0.0) as u64
}

/// A range lets through what compares with nothing.
fn is_number(value: f64) -> Result<(), ValidationError> {
    if value.is_nan() { Err(ValidationError::new("not a number")) } else { Ok(()) }
}

fn low_below_high(settings: &Settings) -> Result<(), ValidationError> {
    if settings.disk_low_water < settings.disk_high_water {
        return Ok(());
    }
    Err(ValidationError::new("disk_low_water must be below disk_high_water"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_the_design_and_are_valid() {
        let settings = Settings::default();
        assert!(settings.validate().is_ok());
        assert_eq!(settings.breaker().reset_ms, 30_000);
        assert_eq!(settings.backoff(), BackoffSettings { base_ms: 1_000, max_ms: 60_000 });
        assert_eq!(settings.headroom().floor_bytes, 100 * MIB);
    }

    #[test]
    fn every_key_stands_in_the_documentation_with_its_default() {
        let text = include_str!("../../../../docs/configuration.md");
        let keys = serde_json::to_value(Settings::default()).unwrap();
        for (key, value) in keys.as_object().unwrap() {
            let row = text.lines().find(|line| line.starts_with(&format!("| `{key}` |"))).unwrap_or_default();
            let default = row.split('|').nth(3).unwrap_or_default().trim();
            let said = if value.is_null() {
                default == "none"
            } else if value == "" {
                default == "empty"
            } else {
                default.trim_matches('`').parse().ok().as_ref() == Some(value)
            };
            assert!(said, "{key}: {value} and {default:?}");
        }
        for key in EndpointOverrides::KEYS {
            let section = text.split("## One endpoint").nth(1).unwrap();
            assert!(section.contains(&format!("`{key}`")), "{key} in a section");
        }
    }

    #[test]
    fn a_wrong_value_is_refused_by_name() {
        let wrong = Settings { breaker_fail_max: 0, queue_retention_days: 30, ..Settings::default() };
        let errors = wrong.validate().unwrap_err();
        assert!(errors.field_errors().contains_key("breaker_fail_max"));
        assert!(errors.field_errors().contains_key("queue_retention_days"), "retention is a floor");
        let nothing = Settings { breaker_reset_s: f64::NAN, ..Settings::default() };
        assert!(nothing.validate().unwrap_err().field_errors().contains_key("breaker_reset_s"));
        let crossed = Settings { disk_low_water: 0.9, ..Settings::default() };
        assert!(crossed.validate().is_err());
    }
}
