//! What each source says, which counts, what is wrong and where each value comes from.

#![allow(clippy::unwrap_used)]

use std::fs;

use holdfast_core::ids::EndpointName;
use holdfast_station::Settings;
use holdfast_station::settings::Origin;

use super::*;

fn layer(place: fn(PathBuf) -> Place, name: &str, text: &str) -> Layer {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    Layer::of_file(place(name.into()), &path).unwrap()
}

fn toml(text: &str) -> Layer {
    layer(Place::NamedFile, "city.toml", text)
}

fn settled(layers: &[Layer]) -> Settings {
    settle(layers).unwrap().settings
}

fn variables(pairs: &[(&str, &str)]) -> Vec<Layer> {
    let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Layer::of_variables(pairs).into_iter().collect()
}

#[test]
fn what_comes_later_counts_more_and_what_is_not_said_stays() {
    let mut layers = vec![toml("breaker_fail_max = 9\nsor_timeout_s = 2")];
    layers.extend(variables(&[("HOLDFAST_BREAKER_FAIL_MAX", "7"), ("HOLDFAST_LOG", "info"), ("HOME", "x")]));
    let settings = settled(&layers);
    assert_eq!((settings.breaker_fail_max, settings.sor_timeout_s), (7, 2.0));
    assert_eq!(settings.breaker_reset_s, Settings::default().breaker_reset_s);

    layers.push(toml("breaker_fail_max = 5"));
    assert_eq!(settled(&layers).breaker_fail_max, 5);
    assert_eq!(settled(&[]), Settings::default());
}

#[test]
fn a_section_of_an_endpoint_comes_from_files_and_from_the_environment() {
    let mut layers =
        vec![toml("breaker_fail_max = 9\n[endpoint.mirror]\nbreaker_fail_max = 2\nprobe_window = 5")];
    layers.extend(variables(&[("HOLDFAST_ENDPOINT__MIRROR__BREAKER_FAIL_MAX", "3")]));
    let settings = settled(&layers);
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
        ("[endpoint.mirror]\nprobe_window = 0", "`endpoint.mirror.probe_window` must be between 1 and 100"),
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

#[test]
fn of_each_value_it_is_known_where_it_comes_from() {
    let mut layers = vec![
        layer(
            Place::MachineFile,
            "machine.toml",
            "city = \"A\"\nprobe_window = 3\nsettle_s = 9\nbreaker_fail_max = 2",
        ),
        layer(
            Place::UserFile,
            "user.toml",
            "# ours\ncity = \"B\"\n\n[endpoint.mirror]\nprobe_window = 5\nsettle_s = 7",
        ),
    ];
    layers.extend(variables(&[("HOLDFAST_SETTLE_S", "11"), ("HOLDFAST_ENDPOINT__MIRROR__SETTLE_S", "12")]));
    layers.push(layer(Place::NamedFile, "named.toml", "endpoint.board = { breaker_fail_max = 1 }"));
    let origins = settle(&layers).unwrap().origins;
    let variable = |name: &str| Origin::Environment { variable: name.into() };
    let rows = [
        ("probe_window", Origin::MachineFile { path: "machine.toml".into(), line: Some(2) }),
        ("city", Origin::UserFile { path: "user.toml".into(), line: Some(2) }),
        ("settle_s", variable("HOLDFAST_SETTLE_S")),
        ("endpoint.mirror.probe_window", Origin::UserFile { path: "user.toml".into(), line: Some(5) }),
        ("endpoint.mirror.settle_s", variable("HOLDFAST_ENDPOINT__MIRROR__SETTLE_S")),
        ("endpoint.board.breaker_fail_max", Origin::NamedFile { path: "named.toml".into(), line: Some(1) }),
        ("contact", Origin::Default),
    ];
    for (key, origin) in rows {
        assert_eq!(origins.of(key), origin, "{key}");
    }
}
