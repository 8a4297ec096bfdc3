//! What was damaged or changed on the disk is found and named; a wrong passphrase is no damage.
//!
//! The store's own tests try every place; here it is the program that has to say so, and to end with 4.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use holdfast_drills::{Chance, Ended, Limits, Office, PASSPHRASE, Sample, count, long, until, wrap_cheaply};
use holdfast_store::tamper::{Tampering, tamper};
use holdfast_store::{Finding, Findings, verify};
use serde_json::{Value, json};

const PAGE_BYTES: usize = 4096;
const SEED: u64 = 0x5eed_0011;

/// A closed data folder after a small journey: some recorded, some waiting.
fn closed() -> Office {
    let office = Office::at_work(&Limits::default());
    let first = office.desk.submit_application("1 FIR ST");
    let _ = office.desk.run(&["import", Sample::committed().file.to_str().unwrap(), "--limit", "20"]).is(0);
    office.desk.drain_to_empty();
    for stage in ["PrelimReview", "FeeEstimated"] {
        let _ = office.desk.submit_stage(&first, stage);
    }
    office.desk.assert_audit_holds();
    assert!(!office.desk.data().join("holdfast.db-wal").exists(), "a closed database is one file");
    office
}

#[test]
fn one_flipped_byte_is_named_by_the_program_with_its_page() {
    let office = closed();
    if long() {
        wrap_cheaply(&office.desk.data());
    }
    let path = office.desk.data().join("holdfast.db");
    let whole = std::fs::read(&path).unwrap();
    let mut chance = Chance::seeded(SEED);
    for offset in offsets(&mut chance, whole.len()) {
        let mut bytes = whole.clone();
        bytes[offset] ^= 1 << chance.below(8);
        std::fs::write(&path, &bytes).unwrap();
        let report = office.desk.run(&["audit", "verify"]).is(4).json();
        let page = offset / PAGE_BYTES + 1;
        assert_eq!(
            (&report["whole"], &report["page"]),
            (&json!(false), &json!(page)),
            "offset {offset}: {report}"
        );
        let named = if page == 1 { "header" } else { "page" };
        assert!(report["first_fault"].as_str().unwrap().contains(named), "offset {offset}: {report}");
        assert_eq!(
            std::fs::read(&path).unwrap(),
            bytes,
            "offset {offset}: the only copy is left as it was found"
        );
    }
    std::fs::write(&path, &whole).unwrap();
    office.desk.assert_audit_holds();
}

/// Of the first page: the salt, the header and what follows. Then some of the others.
fn offsets(chance: &mut Chance, bytes: usize) -> Vec<usize> {
    let mut offsets: Vec<usize> = if long() {
        (0..PAGE_BYTES).collect()
    } else {
        [0, 1, 15, 16, 17, 18, 23, 24, 28, 99, 100, 101, 1_000, 2_000, 3_000, PAGE_BYTES - 81, PAGE_BYTES - 1]
            .to_vec()
    };
    offsets.extend((0..count(8, 500)).map(|_| PAGE_BYTES + chance.place(bytes - PAGE_BYTES)));
    offsets
}

#[test]
fn flipped_bits_of_the_first_page_and_of_others_are_found_with_their_page() {
    let office = closed();
    let copy = cheap_copy(&office);
    let path = copy.join("holdfast.db");
    let whole = std::fs::read(&path).unwrap();
    assert!(look(&copy).is_clean());
    let mut chance = Chance::seeded(SEED + 1);
    let first_page = (0..PAGE_BYTES).filter(|offset| long() || *offset < 100 || offset % 64 == 0);
    let others: Vec<usize> =
        (0..count(100, 500)).map(|_| PAGE_BYTES + chance.place(whole.len() - PAGE_BYTES)).collect();
    for offset in first_page.chain(others) {
        let mut bytes = whole.clone();
        bytes[offset] ^= 1 << chance.below(8);
        std::fs::write(&path, bytes).unwrap();
        let wanted = match u64::try_from(offset / PAGE_BYTES + 1).unwrap() {
            1 => Finding::Header,
            page => Finding::Page { page },
        };
        assert_eq!(look(&copy).found().first(), Some(&wanted), "offset {offset}");
    }
}

#[test]
fn a_flipped_bit_in_the_log_of_a_killed_writer_is_found_or_cost_no_event_of_the_head() {
    let office = Office::at_work(&Limits::default());
    let _ = office.desk.import(&Sample::committed().file);
    office
        .sor
        .put(&[json!({"do": "slow", "delay_ms": 15, "on": {"path": "/v1/operations", "method": "POST"}})]);
    let before = head_seq(&office.desk.data());
    let drain = office.desk.start(&["drain", "--until-empty", "--max-s", "50"]);
    until("the head has moved on", || (head_seq(&office.desk.data()) > before).then_some(()));
    office.until_effects(office.sor.effects() + 5);
    drain.kill();

    let copy = cheap_copy(&office);
    let log = copy.join("holdfast.db-wal");
    let whole = std::fs::read(&log).unwrap();
    assert!(whole.len() > 32 * 1024, "a killed writer leaves its log: {} bytes", whole.len());
    let (head, unhurt) = (head_seq(&copy), look(&copy));
    assert!(unhurt.is_clean() && unhurt.events >= head, "{:?}", unhurt.found());
    let mut chance = Chance::seeded(SEED + 2);
    let (mut found, mut harmless) = (0, 0);
    for round in 0..count(100, 1_000) {
        let offset = chance.place(whole.len());
        let mut bytes = whole.clone();
        bytes[offset] ^= 1 << chance.below(8);
        write_log(&copy, &bytes);
        let findings = look(&copy);
        if findings.is_clean() {
            harmless += 1;
            assert!(
                findings.events >= head,
                "round {round}, offset {offset}: {} of {head} events",
                findings.events
            );
        } else {
            found += 1;
        }
        // Some of them through the program, which has to say the same.
        if round % 20 == 0 {
            let ended = office.desk.run_over(&copy, &["audit", "verify"]);
            assert_says_the_same(&ended, &findings, head);
        }
    }
    assert!(found > 0, "{harmless} flips were harmless, and none was found");
    write_log(&copy, &whole);
    let _ = office.desk.run_over(&copy, &["audit", "verify"]).is(0);
}

fn assert_says_the_same(ended: &Ended, findings: &Findings, head: u64) {
    assert_eq!(ended.code(), if findings.is_clean() { 0 } else { 4 }, "{ended:?}");
    let report = ended.json();
    assert!(report["whole"] == false || report["events"].as_u64() >= Some(head), "{report}");
}

#[test]
fn an_event_changed_through_the_key_is_named() {
    let office = closed();
    let events = office.desk.run(&["audit", "verify"]).is(0).json()["events"].as_u64().unwrap();
    for event in [1, events / 2, events] {
        let copy = cheap_copy(&office);
        tamper(&copy, PASSPHRASE.as_bytes(), &Tampering::ChangeEvent(event)).unwrap();
        let report = office.desk.run_over(&copy, &["audit", "verify"]).is(4).json();
        assert_eq!((&report["whole"], &report["event"]), (&json!(false), &json!(event)), "{report}");
        let plain = office.desk.run_over(&copy, &["audit", "verify"]);
        assert!(!plain.stdout.contains("FIR ST"), "what is found is named, not shown");
    }
}

#[test]
fn a_tail_that_was_cut_off_is_missed_by_the_head() {
    let office = closed();
    let copy = cheap_copy(&office);
    let events = head_seq(&copy);
    tamper(&copy, PASSPHRASE.as_bytes(), &Tampering::CutAfter(events - 3)).unwrap();
    let report = office.desk.run_over(&copy, &["audit", "verify"]).is(4).json();
    assert_eq!((&report["events"], &report["head_seq"]), (&json!(events - 3), &json!(events)), "{report}");
}

#[test]
fn a_wrong_passphrase_is_no_damage_and_makes_no_new_key() {
    let office = closed();
    let keys = office.desk.data().join("keys.json");
    let before = std::fs::read(&keys).unwrap();
    office.desk.write_passphrase("another one");
    for words in [&["audit", "verify"][..], &["status"], &["drain"]] {
        let ended = office.desk.run(words);
        assert_eq!(ended.code(), 1, "{words:?}: {ended:?}");
    }
    let _ = office.desk.run(&["init", "--sor", &office.sor.url(), "--station", "front-2"]).is(6);
    assert_eq!(std::fs::read(&keys).unwrap(), before);
    office.desk.write_passphrase(PASSPHRASE);
    office.desk.assert_audit_holds();
}

/// The data folder as it lies there, in a folder of its own, with a key that is quickly unlocked.
fn cheap_copy(office: &Office) -> PathBuf {
    let copy = office.folder().join("copy");
    let _ = std::fs::remove_dir_all(&copy);
    std::fs::create_dir(&copy).unwrap();
    for file in std::fs::read_dir(office.desk.data()).unwrap().map(Result::unwrap) {
        if file.file_type().unwrap().is_file() {
            std::fs::copy(file.path(), copy.join(file.file_name())).unwrap();
        }
    }
    wrap_cheaply(&copy);
    copy
}

/// Puts a log in place of the one before; the index of the other one goes with it.
fn write_log(folder: &Path, bytes: &[u8]) {
    let _ = std::fs::remove_file(folder.join("holdfast.db-shm"));
    std::fs::write(folder.join("holdfast.db-wal"), bytes).unwrap();
}

fn look(folder: &Path) -> Findings {
    verify(folder, PASSPHRASE.as_bytes(), &mut |_, _| {}).unwrap()
}

/// The number of the event that the head names, read without the program.
fn head_seq(folder: &Path) -> u64 {
    let head: Value = until("head.json is there", || {
        serde_json::from_slice(&std::fs::read(folder.join("head.json")).ok()?).ok()
    });
    let seq = ["/seq", "/head/seq"].iter().find_map(|place| head.pointer(place)?.as_u64());
    seq.unwrap_or_else(|| panic!("{head}"))
}
