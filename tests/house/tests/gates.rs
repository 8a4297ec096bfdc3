//! Versions that must not go back.

#![allow(clippy::unwrap_used)]

use holdfast_house::text_of;
use toml::{Table, Value};

/// libsqlite3-sys from 0.38 on bundles a SQLite in which a checkpoint cannot lose committed pages (3.51.3 and newer).
const LIBSQLITE3_SYS_MIN: (u64, u64) = (0, 38);

#[test]
fn sqlite_gate() {
    let found = locked_versions("libsqlite3-sys");
    assert_eq!(found.len(), 1, "one SQLite and no other: {found:?}");
    let version = major_and_minor(&found[0]);
    assert!(version >= LIBSQLITE3_SYS_MIN, "too old: {found:?}");
}

fn locked_versions(crate_name: &str) -> Vec<String> {
    let lock: Table = text_of("Cargo.lock").parse().unwrap();
    let packages = lock["package"].as_array().unwrap().iter();
    packages
        .filter(|package| package["name"].as_str() == Some(crate_name))
        .map(|package: &Value| package["version"].as_str().unwrap().to_owned())
        .collect()
}

fn major_and_minor(version: &str) -> (u64, u64) {
    let mut parts = version.split('.').map(|part| part.parse().unwrap());
    (parts.next().unwrap(), parts.next().unwrap())
}
