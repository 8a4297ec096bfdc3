//! Where the house stands and how to ask the tools about it, for the tests beside this file.
//!
//! Deliberately knows nothing of what Holdfast does: it is about manifests, scripts and files.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the repository, two above this crate.
#[must_use]
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.ancestors().nth(2);
    root.expect("the crate lies two folders below the repository").to_path_buf()
}

/// What `program` prints when it is run in the repository.
///
/// # Panics
/// When it cannot be started or ends with an error; its own words are in the message.
#[must_use]
pub fn output_of<I, S>(program: &str, arguments: I) -> String
where
    I: IntoIterator<Item = S>,
    S: AsRef<OsStr>,
{
    let run = Command::new(program)
        .args(arguments)
        .current_dir(repository())
        .output()
        .unwrap_or_else(|error| panic!("{program} could not be started: {error}"));
    let complaint = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{program} failed: {complaint}");
    String::from_utf8_lossy(&run.stdout).into_owned()
}

/// Cargo itself, offline and with exactly the locked versions.
#[must_use]
pub fn cargo(arguments: &[&str]) -> String {
    let locked = ["--locked", "--offline"];
    output_of(env!("CARGO"), arguments.iter().chain(&locked))
}

/// The text of a file, by its path from the repository's folder.
///
/// # Panics
/// When it is not there or not UTF-8.
#[must_use]
pub fn text_of(path: &str) -> String {
    std::fs::read_to_string(repository().join(path))
        .unwrap_or_else(|error| panic!("{path} cannot be read: {error}"))
}
