//! The decision what another configuration changes, and what is written for it.
//!
//! Promise: the audit is told once of every value that changed, with what it was and where it comes from, whether the change
//! was made while the program ran or while it did not; and once of every configuration that was refused. An endpoint that waits
//! follows its new limits at once, with the inputs of that written down.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::breaker::{Asked, BreakerDecision};
use holdfast_core::replay::BREAKER_DECISION;
use holdfast_core::time::Now;

use crate::ports::{
    ConfigurationChange, ConfigurationFacts, ConfigurationRecord, EndpointRecord, RefusedConfiguration,
};
use crate::settings::{ChangedValue, Origins, Settings};

/// A configuration that was read whole, and where each value comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Configured {
    /// Its values.
    pub settings: Settings,
    /// Where they come from.
    pub origins: Origins,
}

/// What these settings change; none when they are those that the audit knows, and nothing is refused.
pub(crate) fn taken(
    facts: &ConfigurationFacts,
    now: Now,
    configured: &Configured,
) -> (Vec<ChangedValue>, Option<ConfigurationChange>) {
    let told = configured.settings.listed();
    let changes = facts.record.told.changes(&told, &configured.origins);
    if changes.is_empty() && facts.record.refused.is_none() {
        return (changes, None);
    }
    let before = Settings::of_listed(&facts.record.told).unwrap_or_default();
    let retimed = facts.endpoints.iter().filter_map(|at| retimed(at, now, &before, &configured.settings));
    let (endpoints, waits): (Vec<_>, Vec<_>) = retimed.unzip();
    let changed = Entry::new(EventKind::ConfigurationChanged).with("values", &changes);
    let told_of = if changes.is_empty() { None } else { Some(changed) };
    let entries = told_of.into_iter().chain(waits).collect();
    let record = ConfigurationRecord { told, refused: None };
    (changes, Some(ConfigurationChange { record, endpoints, entries }))
}

/// What is kept of one that is refused; none when it was told before.
pub(crate) fn refused(
    facts: &ConfigurationFacts,
    refused: RefusedConfiguration,
) -> Option<ConfigurationChange> {
    let known = facts.record.refused.as_ref();
    let same = |known: &RefusedConfiguration| {
        (&known.source, &known.key, &known.problem) == (&refused.source, &refused.key, &refused.problem)
    };
    if known.is_some_and(same) {
        return None;
    }
    let entry = Entry::new(EventKind::ConfigurationRefused)
        .with("file", &refused.source)
        .with("key", &refused.key)
        .with("problem", &refused.problem);
    let record = ConfigurationRecord { refused: Some(refused), ..facts.record.clone() };
    Some(ConfigurationChange { record, endpoints: Vec::new(), entries: vec![entry] })
}

fn retimed(
    endpoint: &EndpointRecord,
    now: Now,
    before: &Settings,
    after: &Settings,
) -> Option<(EndpointRecord, Entry)> {
    let limits = |settings: &Settings| settings.for_endpoint(&endpoint.name).breaker();
    let (settings_before, settings) = (limits(before), limits(after));
    let mut retimed = endpoint.clone();
    if !retimed.breaker.retime(&settings_before, &settings) {
        return None;
    }
    let decision = BreakerDecision::of(&endpoint.breaker, now, &settings, Asked::Retimed { settings_before });
    let entry = Entry::new(EventKind::BreakerRetimed)
        .with("endpoint", &endpoint.name)
        .with("next_try_at", retimed.breaker.next_try_at(now))
        .with(BREAKER_DECISION, decision);
    Some((retimed, entry))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::made_up::{after_ms, endpoint, tripped, words};
    use crate::settings::Listed;

    fn facts(told: Listed) -> ConfigurationFacts {
        let record = ConfigurationRecord { told, refused: None };
        ConfigurationFacts { record, endpoints: vec![tripped(), endpoint()] }
    }

    fn short() -> Configured {
        let settings = Settings { breaker_reset_s: 0.5, city: "Alder Falls".into(), ..Settings::default() };
        Configured { settings, origins: Origins::default() }
    }

    #[test]
    fn what_changed_is_told_once_with_the_waits_that_follow() {
        let facts = facts(Listed::default());
        let (changes, change) = taken(&facts, after_ms(1), &short());
        let change = change.unwrap();
        assert_eq!(changes.iter().map(|c| c.key.as_str()).collect::<Vec<_>>(), ["breaker_reset_s", "city"]);
        assert_eq!(words(&change.entries), ["configuration.changed", "breaker.retimed"]);
        let told = &change.entries[0].data["values"][0];
        assert_eq!((&told["before"], &told["after"]), (&30.0.into(), &0.5.into()));
        let next = change.endpoints[0].breaker.next_try_at(after_ms(1)).unwrap();
        assert!(next.millis_since(after_ms(0).wall) < 1_000, "{next}");
        let again = ConfigurationFacts { record: change.record, ..facts };
        assert_eq!(taken(&again, after_ms(2), &short()).1.map(|_| ()), None);
    }

    #[test]
    fn what_is_refused_is_told_once_per_fault_until_it_is_mended() {
        let since = after_ms(5).wall;
        let fault = |problem: &str| RefusedConfiguration {
            since,
            source: "/etc/holdfast/config.toml".into(),
            key: Some("probe_window".into()),
            problem: problem.into(),
        };
        let first = refused(&facts(short().settings.listed()), fault("must be at least 1")).unwrap();
        assert_eq!(words(&first.entries), ["configuration.refused"]);
        let known = ConfigurationFacts { record: first.record, endpoints: Vec::new() };
        assert!(refused(&known, fault("must be at least 1")).is_none());
        assert!(refused(&known, fault("not a number")).is_some());
        let (changes, mended) = taken(&known, after_ms(9), &short());
        let mended = mended.unwrap();
        assert!(changes.is_empty() && mended.entries.is_empty() && mended.record.refused.is_none());
    }
}
