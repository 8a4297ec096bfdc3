//! Settings as a list of keys and values, and what differs between two of them.
//!
//! Promise: every key that a source may say is in the list, those of an endpoint as `endpoint.NAME.KEY`; a list that was kept
//! by another version of the program is compared by the keys that both know.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Origin, Origins, Settings};

/// Between the parts of a key in a section.
pub const BETWEEN: char = '.';

/// Every key with its value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Listed(BTreeMap<String, Value>);

/// One value that is different.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangedValue {
    /// Its key.
    pub key: String,
    /// What it was; null for one of an endpoint that had none of its own.
    pub before: Value,
    /// What it is; null for one of an endpoint that has none of its own any more.
    pub after: Value,
    /// Where it comes from.
    pub origin: Origin,
    /// From when on it counts.
    pub takes_effect: TakesEffect,
}

/// From when on a changed value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TakesEffect {
    /// At once.
    Now,
    /// When the program starts again.
    NextStart,
}

impl Settings {
    /// Every key with its value.
    #[must_use]
    pub fn listed(&self) -> Listed {
        let mut list = BTreeMap::new();
        flatten("", &serde_json::to_value(self).unwrap_or_default(), &mut list);
        Listed(list)
    }

    /// What was listed once, as far as this version knows its keys; none when it makes no sense any more.
    #[must_use]
    pub fn of_listed(list: &Listed) -> Option<Settings> {
        let mut tree = serde_json::to_value(Settings::default()).ok()?;
        for (key, value) in &list.0 {
            let mut at = tree.as_object_mut()?;
            let mut parts: Vec<&str> = key.split(BETWEEN).collect();
            let last = parts.pop()?;
            if parts.is_empty() && !at.contains_key(last) {
                continue;
            }
            for part in parts {
                at = at.entry(part).or_insert_with(|| Map::new().into()).as_object_mut()?;
            }
            at.insert(last.to_owned(), value.clone());
        }
        serde_json::from_value(tree).ok()
    }
}

impl Listed {
    /// All of them, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// What is different in `after`. What is not listed is at its default.
    #[must_use]
    pub fn changes(&self, after: &Listed, origins: &Origins) -> Vec<ChangedValue> {
        let defaults = Settings::default().listed();
        let of = |list: &Listed, key: &str| {
            list.0.get(key).or_else(|| defaults.0.get(key)).cloned().unwrap_or(Value::Null)
        };
        let sections = self.0.keys().filter(|key| key.contains(BETWEEN));
        let keys = after.0.keys().chain(sections).collect::<std::collections::BTreeSet<_>>();
        let changed = keys.into_iter().map(|key| (key, of(self, key), of(after, key)));
        changed
            .filter(|(_, before, after)| before != after)
            .map(|(key, before, after)| ChangedValue {
                key: key.clone(),
                before,
                after,
                origin: origins.of(key),
                takes_effect: takes_effect(key),
            })
            .collect()
    }
}

/// Read once at a start: where the data lie, before they are opened; and what the window says of its city.
const AT_THE_START: [&str; 4] = ["city", "contact", "queue_path", "rules_contact"];

/// From when on another value of a key counts.
#[must_use]
pub fn takes_effect(key: &str) -> TakesEffect {
    if AT_THE_START.contains(&key) { TakesEffect::NextStart } else { TakesEffect::Now }
}

fn flatten(section: &str, value: &Value, list: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let key = if section.is_empty() { key.clone() } else { format!("{section}{BETWEEN}{key}") };
                flatten(&key, value, list);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            list.insert(section.to_owned(), value.clone());
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::settings::{EndpointOverrides, EndpointSections};

    fn with_mirror(fail_max: u32) -> Settings {
        let mirror = EndpointOverrides { breaker_fail_max: Some(fail_max), ..EndpointOverrides::default() };
        let endpoint = EndpointSections { mirror: Some(mirror), ..EndpointSections::default() };
        Settings { endpoint, breaker_reset_s: 3.0, ..Settings::default() }
    }

    #[test]
    fn what_is_listed_is_the_whole_and_can_be_read_back() {
        let settings = with_mirror(9);
        let list = settings.listed();
        assert_eq!(list.0["endpoint.mirror.breaker_fail_max"], json!(9));
        assert_eq!(list.0["breaker_reset_s"], json!(3.0));
        assert_eq!(Settings::of_listed(&list), Some(settings));
        let mut older = list;
        older.0.insert("a_key_of_another_version".into(), json!(1));
        older.0.remove("probe_window");
        assert_eq!(Settings::of_listed(&older), Some(with_mirror(9)));
    }

    #[test]
    fn what_differs_is_named_with_both_values_and_where_the_new_one_is_from() {
        let line = |line| Origin::MachineFile { path: "/etc/holdfast/config.toml".into(), line: Some(line) };
        let mut origins = Origins::default();
        origins.say("breaker_reset_s", line(4));
        let after = Settings { breaker_reset_s: 0.5, queue_path: Some("/x".into()), ..Settings::default() };
        let changes = with_mirror(9).listed().changes(&after.listed(), &origins);
        let change = |key: &str, before: Value, after: Value, origin, takes_effect| ChangedValue {
            key: key.into(),
            before,
            after,
            origin,
            takes_effect,
        };
        assert_eq!(
            changes,
            [
                change("breaker_reset_s", json!(3.0), json!(0.5), line(4), TakesEffect::Now),
                change(
                    "endpoint.mirror.breaker_fail_max",
                    json!(9),
                    Value::Null,
                    Origin::Default,
                    TakesEffect::Now
                ),
                change("queue_path", Value::Null, json!("/x"), Origin::Default, TakesEffect::NextStart),
            ]
        );
        assert!(after.listed().changes(&after.listed(), &origins).is_empty());
        assert!(Listed::default().changes(&Settings::default().listed(), &origins).is_empty());
    }
}
