//! Versions that must not go back.

#![allow(clippy::unwrap_used)]

use holdfast_house::text_of;
use toml::{Table, Value};

/// The binding that the store is written against.
const LIBSQLITE3_SYS_MIN: [u64; 3] = [0, 38, 0];

/// Before this one a checkpoint could lose committed pages: <https://sqlite.org/wal.html#walresetbug>.
const SQLITE_MIN: [u64; 3] = [3, 51, 3];

#[test]
fn sqlite_gate() {
    let binding = only_locked_version("libsqlite3-sys");
    assert!(parsed(&binding) >= LIBSQLITE3_SYS_MIN, "too old: {binding}");

    // Its version names what is inside: 420.0.0+sqlcipher-4.20.0-sqlite-3.54.1-...
    let source = only_locked_version("sqlcipher-src");
    let (_, inside) = source.split_once("-sqlite-").unwrap();
    let sqlite = inside.split('-').next().unwrap();
    assert!(parsed(sqlite) >= SQLITE_MIN, "too old: {sqlite}");
}

#[test]
fn versions_are_compared_as_numbers() {
    assert!(parsed("0.9.0") < LIBSQLITE3_SYS_MIN);
    assert!(parsed("3.51.2") < SQLITE_MIN);
    assert!(parsed("3.51.3") >= SQLITE_MIN);
    assert!(parsed("3.100.0") >= SQLITE_MIN);
}

fn only_locked_version(crate_name: &str) -> String {
    let lock: Table = text_of("Cargo.lock").parse().unwrap();
    let packages = lock["package"].as_array().unwrap().iter();
    let found: Vec<&Value> =
        packages.filter(|package| package["name"].as_str() == Some(crate_name)).collect();
    assert_eq!(found.len(), 1, "one {crate_name} and no other");
    found[0]["version"].as_str().unwrap().to_owned()
}

fn parsed(version: &str) -> [u64; 3] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap());
    std::array::from_fn(|_| parts.next().unwrap())
}
