//! In which order a schema names its properties.
//!
//! Promise: the order of the file, which a parsed object does not keep. Judges nothing else about the file.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

/// The names under `properties`, as they stand in the file; none when there are none.
#[must_use]
pub fn properties_in_order(schema: &[u8]) -> Vec<String> {
    serde_json::from_slice::<Outermost>(schema).map(|schema| schema.properties.0).unwrap_or_default()
}

#[derive(Deserialize)]
struct Outermost {
    #[serde(default)]
    properties: Names,
}

#[derive(Default)]
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Names;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Names, M::Error> {
        let mut names = Vec::new();
        while let Some((name, IgnoredAny)) = map.next_entry()? {
            names.push(name);
        }
        Ok(Names(names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_file() {
        let schema =
            br#"{"type":"object","properties":{"b":{"properties":{"z":{}}},"a":{}},"required":["a"]}"#;
        assert_eq!(properties_in_order(schema), ["b", "a"]);
        assert!(properties_in_order(b"{}").is_empty());
    }
}
