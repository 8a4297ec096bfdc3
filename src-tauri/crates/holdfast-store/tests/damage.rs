//! Damage on the disk is found and named.

#![allow(clippy::unwrap_used, missing_docs)]

mod city;

use std::path::Path;

use city::*;
use holdfast_station::ports::{Journal, Page};
use holdfast_store::{Finding, Findings, KeysError, OpenError, Store, verify};

const PAGE_BYTES: usize = 4096;

fn look(folder: &Path) -> Findings {
    verify(folder, PASSPHRASE, &mut |_, _| {}).unwrap()
}

/// A closed store with something of everything.
fn lived_in(folder: &Path) {
    let store = create(folder);
    for operation in 1..=60 {
        accept(&store, at(1), &Paper::new(operation, operation % 20));
    }
    for version in 1..=10 {
        let sent = begin(&store, at(2)).unwrap();
        commit(&store, at(3), &sent, version);
    }
    let sent = begin(&store, at(4)).unwrap();
    quarantine(&store, at(5), &sent);
    store.close().unwrap();
}

#[test]
fn a_whole_store_has_no_findings_and_looking_changes_nothing() {
    let folder = folder();
    lived_in(folder.path());
    let before = snapshot(folder.path());
    let mut last = (0, 0);
    let findings = verify(folder.path(), PASSPHRASE, &mut |done, total| last = (done, total)).unwrap();
    assert!(findings.is_clean(), "{:?}", findings.found());
    assert_eq!((findings.events, findings.operations), (83, 60));
    assert_eq!(last, (143, 143));
    assert_eq!(snapshot(folder.path()), before);
}

#[test]
fn a_store_can_be_looked_at_while_it_is_written() {
    let folder = folder();
    let store = create(folder.path());
    while head_seq(folder.path()).is_none() {
        std::thread::yield_now();
    }
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| {
            for n in 1..=300 {
                accept(&store, at(1), &Paper::new(n, n % 50));
            }
        });
        while !writing.is_finished() {
            let findings = look(folder.path());
            assert!(findings.is_clean(), "{:?}", findings.found());
        }
    });
}

#[test]
fn one_flipped_byte_anywhere_in_the_first_page_is_named_as_the_header() {
    let folder = folder();
    lived_in(folder.path());
    let path = folder.path().join("holdfast.db");
    let whole = std::fs::read(&path).unwrap();
    let all = std::env::var_os("HOLDFAST_LONG").is_some();
    for offset in (0..PAGE_BYTES).filter(|offset| all || *offset < 200 || offset % 16 == 0) {
        let mut bytes = whole.clone();
        bytes[offset] ^= 0x01;
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(look(folder.path()).found(), [Finding::Header], "offset {offset}");
    }
}

#[test]
fn five_hundred_flipped_bytes_elsewhere_are_found_and_their_page_is_named() {
    let folder = folder();
    lived_in(folder.path());
    let path = folder.path().join("holdfast.db");
    let whole = std::fs::read(&path).unwrap();
    let mut seeded = Seeded(1);
    for round in 0..500 {
        let offset = PAGE_BYTES + seeded.below(whole.len() - PAGE_BYTES);
        let mut bytes = whole.clone();
        bytes[offset] ^= 1 << seeded.below(8);
        std::fs::write(&path, bytes).unwrap();
        let page = (offset / PAGE_BYTES + 1) as u64;
        let found = look(folder.path());
        assert_eq!(found.found().first(), Some(&Finding::Page { page }), "round {round}, offset {offset}");
    }
}

#[test]
fn a_database_cut_short_is_damage() {
    let folder = folder();
    lived_in(folder.path());
    let path = folder.path().join("holdfast.db");
    let whole = std::fs::read(&path).unwrap();
    for length in [0, 100, PAGE_BYTES, whole.len() - PAGE_BYTES, whole.len() - 7] {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert!(!look(folder.path()).is_clean(), "{length} bytes");
    }
}

#[test]
fn a_missing_or_forged_head_is_a_finding() {
    let folder = folder();
    lived_in(folder.path());
    let path = folder.path().join("head.json");
    let head = std::fs::read_to_string(&path).unwrap();
    for (text, finding) in [
        (head.replace("\"seq\":83", "\"seq\":82"), Finding::HeadForged),
        (head.replace("front-1", "front-2"), Finding::HeadUnreadable),
        ("{}".to_owned(), Finding::HeadUnreadable),
    ] {
        std::fs::write(&path, text).unwrap();
        assert_eq!(look(folder.path()).found(), [finding]);
    }
    std::fs::remove_file(&path).unwrap();
    assert_eq!(look(folder.path()).found(), [Finding::HeadMissing]);
}

#[test]
fn a_wrong_passphrase_and_missing_keys_are_no_findings() {
    let folder = folder();
    lived_in(folder.path());
    let wrong = verify(folder.path(), b"other words", &mut |_, _| {}).unwrap_err();
    assert!(matches!(wrong.reason(), OpenError::Keys(KeysError::WrongPassphrase)));
    std::fs::remove_file(folder.path().join("keys.json")).unwrap();
    let missing = verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap_err();
    assert!(matches!(missing.reason(), OpenError::Keys(KeysError::Missing)));
}

#[test]
fn damage_that_is_met_while_working_is_called_damage_and_is_never_built_upon() {
    let folder = folder();
    lived_in(folder.path());
    let path = folder.path().join("holdfast.db");
    let whole = std::fs::read(&path).unwrap();
    let head = std::fs::read(folder.path().join("head.json")).unwrap();
    let mut met = 0;
    for page in 1..=whole.len() / PAGE_BYTES {
        let mut bytes = whole.clone();
        bytes[(page - 1) * PAGE_BYTES + 99] ^= 0x80;
        std::fs::write(&path, bytes).unwrap();
        std::fs::write(folder.path().join("head.json"), &head).unwrap();
        met += u32::from(work(folder.path()).is_err_and(|error| {
            assert!(error.contains("damaged"), "page {page}: {error}");
            true
        }));
        assert!(!look(folder.path()).is_clean(), "page {page}");
        // What the work itself has written must not lie over the next page's test.
        for left in ["holdfast.db-wal", "holdfast.db-shm"] {
            let _ = std::fs::remove_file(folder.path().join(left));
        }
    }
    assert!(met > 5, "{met}");
}

/// A little of everything; the words of the first error.
fn work(folder: &Path) -> Result<(), String> {
    let store = Store::open(folder, PASSPHRASE, at(10)).map_err(|error| error.to_string())?;
    let all = Page { skip: 0, rows: 1000 };
    store.waiting(all).map_err(|error| error.to_string())?;
    store.applications(all).map_err(|error| error.to_string())?;
    let paper = Paper::new(1_000, 1_000);
    try_accept(&store, at(11), &paper).map_err(|error| error.to_string())?;
    Ok(())
}

/// Tells this test program to look at a folder and to say nothing.
const LOOKER: &str = "HOLDFAST_TEST_LOOKER";

/// Not a test of its own: what the process below does.
#[test]
fn looker() {
    let Some(folder) = std::env::var_os(LOOKER) else { return };
    assert!(!look(Path::new(&folder)).is_clean());
    assert!(Store::open(Path::new(&folder), PASSPHRASE, at(9)).is_err());
    assert!(Store::open_beside(Path::new(&folder), PASSPHRASE).is_err());
}

#[test]
fn the_engine_says_nothing_on_the_terminal() {
    let folder = folder();
    lived_in(folder.path());
    let path = folder.path().join("holdfast.db");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[77] ^= 0x01;
    std::fs::write(&path, bytes).unwrap();
    let looker = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["looker", "--exact", "--nocapture"])
        .env(LOOKER, folder.path())
        .output()
        .unwrap();
    assert!(looker.status.success());
    assert_eq!(String::from_utf8(looker.stderr).unwrap(), "");
}
