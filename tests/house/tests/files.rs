//! What every tracked file keeps to.

#![allow(clippy::unwrap_used)]

use holdfast_house::{output_of, repository};

/// Beyond this a file holds more than one idea.
const RUST_FILE_LINES_MAX: usize = 600;

#[test]
fn no_file_is_long_and_no_document_points_outside() {
    let mut wrong = Vec::new();
    for path in tracked_files() {
        // A file that is staged as removed is listed and not there; a sample may be no text at all.
        let Ok(text) = std::fs::read_to_string(repository().join(&path)) else {
            continue;
        };
        if path.ends_with(".rs") && text.lines().count() > RUST_FILE_LINES_MAX {
            wrong.push(format!("{path} has more than {RUST_FILE_LINES_MAX} lines"));
        }
        if is_lock_file(&path) {
            continue;
        }
        for place in places_outside() {
            if points_to(&text, &place) {
                wrong.push(format!("{path} points to {place}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pointing_outside_is_seen_where_a_path_begins_and_only_there() {
    let home = ["", "home", "someone"].join("/");
    assert!(points_to(&format!("see {home}/notes"), &["", "home", ""].join("/")));
    assert!(points_to(&format!("\"{home}\""), &["", "home", ""].join("/")));
    let inside = ["https://city.example", "home", "permits"].join("/");
    assert!(!points_to(&inside, &["", "home", ""].join("/")));
}

#[test]
fn scripts_of_the_house_can_be_run() {
    use std::os::unix::fs::PermissionsExt;
    for script in ["run.sh", "test.sh", ".ci/run", "scripts/setup.sh"] {
        let mode = std::fs::metadata(repository().join(script)).unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{script} is not executable");
    }
}

/// Git is told that the folder is safe: a clone is often tested by another user than its owner.
fn tracked_files() -> Vec<String> {
    let listing = output_of("git", ["-c", "safe.directory=*", "ls-files", "-z"]);
    let files = listing.split('\0').filter(|path| !path.is_empty());
    files.map(str::to_owned).collect()
}

fn is_lock_file(path: &str) -> bool {
    path.ends_with("Cargo.lock") || path.ends_with("package-lock.json")
}

/// Folders that exist on one machine only; put together here so that this file does not name them either.
fn places_outside() -> Vec<String> {
    let mut places = vec![["..", "shared"].join("/")];
    for folder in ["home", "root", "work", "Users"] {
        places.push(["", folder, ""].join("/"));
    }
    places
}

/// Whether `place` stands in the text as the beginning of a path, not in the middle of an address.
fn points_to(text: &str, place: &str) -> bool {
    let begins = |at: usize| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "._-/}$~".contains(c))
    };
    text.match_indices(place).any(|(at, _)| begins(at))
}
