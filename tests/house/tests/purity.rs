//! Core learns nothing by itself: the lint that keeps it so is there, names what it must, and fires.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use holdfast_house::{repository, text_of};
use toml::{Table, Value};

const CORE: &str = "src-tauri/crates/holdfast-core";

/// What the lint must name at least; it may name more.
const METHODS: &[&str] = &[
    "jiff::Timestamp::now",
    "jiff::ZonedDateTime::now",
    "jiff::tz::TimeZone::system",
    "std::env::var",
    "std::fs::read",
    "std::fs::write",
    "std::net::TcpStream::connect",
    "std::thread::sleep",
    "std::thread::spawn",
    "std::time::Instant::now",
    "std::time::SystemTime::now",
    "uuid::Uuid::new_v4",
    "uuid::Uuid::now_v7",
];

const TYPES: &[&str] = &[
    "std::collections::HashMap",
    "std::fs::File",
    "std::net::TcpStream",
    "std::process::Command",
    "std::time::Instant",
    "std::time::SystemTime",
];

/// Sentences that core must not be able to say, one of each sort.
const VIOLATIONS: &[&str] = &[
    "pub fn f() -> std::time::Duration { std::time::UNIX_EPOCH.elapsed().unwrap_or_default() }",
    "pub fn f(since: std::time::Instant) -> bool { since.elapsed().as_secs() > 0 }",
    "pub fn f() -> bool { std::fs::read(\"x\").is_ok() }",
    "pub fn f() -> bool { std::path::Path::new(\"x\").exists() }",
    "pub fn f() -> bool { std::net::TcpStream::connect(\"127.0.0.1:1\").is_ok() }",
    "pub fn f() -> Option<String> { std::env::var(\"X\").ok() }",
    "pub fn f() { std::thread::sleep(std::time::Duration::ZERO) }",
    "pub fn f() { drop(std::process::Command::new(\"x\")) }",
    "pub fn f() -> std::collections::HashMap<u8, u8> { std::collections::HashMap::new() }",
];

#[test]
fn core_reads_no_clock_disk_network_or_entropy() {
    let lint = text_of(&format!("{CORE}/clippy.toml"));
    let lint: Table = lint.parse().unwrap();
    for (list, must_name) in [("disallowed-methods", METHODS), ("disallowed-types", TYPES)] {
        let named = paths_in(&lint[list]);
        for path in must_name {
            assert!(named.contains(*path), "{list} does not name {path}");
        }
    }
}

#[test]
fn lint_of_core_fires_for_each_sort_of_violation() {
    let folder = tempfile::tempdir().unwrap();
    let core = repository().join(CORE);
    assert!(!lint_says(&core, folder.path(), "pub fn f() {}").contains("error"));
    for violation in VIOLATIONS {
        let complaint = lint_says(&core, folder.path(), violation);
        assert!(complaint.contains("use of a disallowed"), "not refused: {violation}\n{complaint}");
    }
}

#[test]
fn core_does_not_switch_its_lint_off() {
    let manifest: Table = text_of(&format!("{CORE}/Cargo.toml")).parse().unwrap();
    assert_eq!(manifest["lints"]["workspace"], Value::Boolean(true));
    let lib = text_of(&format!("{CORE}/src/lib.rs"));
    assert!(
        !lib.contains("clippy::disallowed"),
        "an exception stands at the call, never over the whole crate"
    );
}

fn paths_in(list: &Value) -> BTreeSet<String> {
    let entries = list.as_array().unwrap().iter();
    entries.map(|entry| entry["path"].as_str().unwrap().to_owned()).collect()
}

/// What Clippy says of one source text as if it stood in the crate at `core`.
fn lint_says(core: &Path, folder: &Path, source: &str) -> String {
    let file = folder.join("sentence.rs");
    std::fs::write(&file, source).unwrap();
    let run = Command::new("clippy-driver")
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata"])
        .args(["-D", "clippy::disallowed_methods", "-D", "clippy::disallowed_types"])
        .arg("--out-dir")
        .arg(folder)
        .arg(&file)
        .env_remove("CLIPPY_CONF_DIR")
        .env("CARGO_MANIFEST_DIR", core)
        .output()
        .unwrap();
    String::from_utf8(run.stderr).unwrap()
}
