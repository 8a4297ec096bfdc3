//! What every tracked file keeps to.

#![allow(clippy::unwrap_used)]

use holdfast_house::{output_of, repository};

/// Beyond this a file holds more than one idea.
const RUST_FILE_LINES_MAX: usize = 600;

#[test]
fn no_file_is_long_and_no_document_points_outside() {
    let mut wrong = Vec::new();
    for path in tracked_files() {
        let Some(text) = text_of_tracked(&path) else {
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
fn every_rust_file_opens_with_its_promise() {
    let files = tracked_files().into_iter().filter(|path| path.ends_with(".rs"));
    let silent: Vec<String> =
        files.filter(|path| text_of_tracked(path).is_some_and(|text| !text.starts_with("//!"))).collect();
    assert!(silent.is_empty(), "no word of what it promises: {silent:?}");
}

#[test]
fn no_test_is_switched_off() {
    let marks = [["#[", "ignore"].concat(), ["test", ".skip("].concat(), ["test", ".todo("].concat()];
    let mut found = Vec::new();
    for path in tracked_files() {
        let text = text_of_tracked(&path).unwrap_or_default();
        found.extend(marks.iter().filter(|mark| text.contains(*mark)).map(|mark| format!("{path}: {mark}")));
    }
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn links_in_documents_lead_somewhere() {
    let mut broken = Vec::new();
    for path in tracked_files().into_iter().filter(|path| path.ends_with(".md")) {
        let document = repository().join(&path);
        let text = text_of_tracked(&path).unwrap_or_default();
        for target in relative_links(&text) {
            if !document.with_file_name(target).exists() {
                broken.push(format!("{path} links to {target}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn links_are_read_without_their_anchors() {
    let text = "[a](b.md), [c](d/e.md#f), [g](https://h.example/i), [j](#k)";
    assert_eq!(relative_links(text), ["b.md", "d/e.md"]);
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
    for script in [
        "run.sh",
        "test.sh",
        ".ci/run",
        "scripts/setup.sh",
        "scripts/unseen-display.sh",
        "scripts/pictures.sh",
    ] {
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

/// None for a file that is removed and still listed, and for a sample that is no text at all.
fn text_of_tracked(path: &str) -> Option<String> {
    std::fs::read_to_string(repository().join(path)).ok()
}

/// Where the links of a Markdown text lead, but for addresses and places inside the same text.
fn relative_links(text: &str) -> Vec<&str> {
    let behind = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let links = behind.filter(|link| !link.contains("://") && !link.starts_with('#'));
    links.filter_map(|link| link.split('#').next()).collect()
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
