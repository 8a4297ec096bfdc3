//! A writer that is killed loses nothing that it has acknowledged, and what the disk loses afterwards is noticed.

#![allow(clippy::unwrap_used, missing_docs)]

mod city;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use city::*;
use holdfast_station::ports::Journal;
use holdfast_store::{Finding, Store, verify};

/// Tells this test program that it is the one to be killed, and in which folder.
const VICTIM: &str = "HOLDFAST_TEST_VICTIM";

/// After how many operations it waits to be killed.
const REST_AFTER: &str = "HOLDFAST_TEST_REST_AFTER";

/// Not a test of its own: what the killed process does.
#[test]
fn victim() {
    let Some(folder) = std::env::var_os(VICTIM) else { return };
    let store = open(Path::new(&folder), at(1));
    let mut out = std::io::stdout();
    for operation in 1..100_000 {
        if std::env::var(REST_AFTER).is_ok_and(|after| after == operation.to_string()) {
            // Until it is killed: the other end never writes.
            std::io::stdin().read_line(&mut String::new()).unwrap();
        }
        let receipt = accept(&store, at(2), &Paper::new(operation, operation % 7));
        writeln!(out, "receipt {}", receipt.local_seq.0).unwrap();
        if operation % 3 == 0 {
            let sent = begin(&store, at(3)).unwrap();
            if operation % 2 == 0 {
                commit(&store, at(4), &sent, operation);
            } else {
                put_back(&store, at(4), &sent, None);
            }
        }
    }
}

/// Lets a writer work until it has acknowledged so many, then kills it; how many it had acknowledged.
fn killed_after(folder: &Path, acknowledged: u64) -> u64 {
    let mut child = spawn(folder, 0);
    let mut last = 0;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let Some((_, number)) = line.split_once("receipt ") else { continue };
        last = number.parse().unwrap();
        if last == acknowledged {
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    last
}

/// Lets a writer rest until its head is written, then kills it; how many events that head names.
fn killed_at_rest(folder: &Path) -> u64 {
    let mut child = spawn(folder, 30);
    let named = loop {
        match head_seq(folder) {
            Some(named) if named > 30 => break named,
            Some(_) | None => std::thread::yield_now(),
        }
    };
    child.kill().unwrap();
    child.wait().unwrap();
    named
}

fn spawn(folder: &Path, rest_after: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["victim", "--exact", "--nocapture", "--test-threads=1"])
        .env(VICTIM, folder)
        .env(REST_AFTER, rest_after.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

#[test]
fn every_acknowledged_receipt_is_there_after_a_kill() {
    for acknowledged in [1, 2, 3, 5, 8, 13, 40, 90] {
        let folder = folder();
        create(folder.path()).close().unwrap();
        let last = killed_after(folder.path(), acknowledged);
        assert!(last >= acknowledged);
        let findings = verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap();
        assert!(findings.is_clean(), "{:?}", findings.found());
        // The lock died with its holder.
        let store = open(folder.path(), at(5));
        let books = store.standing().unwrap().books;
        assert!(books.balanced() && books.accepted >= last && books.in_flight == 0, "{books:?}");
        for operation in 1..=last {
            assert_eq!(receipt_no(&store, operation), operation);
        }
        store.close().unwrap();
        assert!(verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap().is_clean());
    }
}

#[test]
fn a_writer_killed_while_others_read_leaves_no_false_alarm() {
    let folder = folder();
    create(folder.path()).close().unwrap();
    std::thread::scope(|scope| {
        let killed = scope.spawn(|| killed_after(folder.path(), 250));
        // Readers hold checkpoints back: the file grows past pages that only the log holds.
        while !killed.is_finished() {
            let findings = verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap();
            assert!(findings.is_clean(), "{:?}", findings.found());
        }
    });
    let findings = verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap();
    assert!(findings.is_clean(), "{:?}", findings.found());
}

/// The number under which an operation was accepted.
fn receipt_no(store: &Store, operation: u64) -> u64 {
    let (_, operations) = store.application(lane(operation % 7)).unwrap().unwrap();
    let found = operations.iter().find(|row| row.receipt.operation_id == operation_id(operation));
    found.unwrap().receipt.local_seq.0
}

#[test]
fn a_hundred_flips_in_the_log_of_a_killed_writer_lose_nothing_unnoticed() {
    let killed = folder();
    create(killed.path()).close().unwrap();
    let named = killed_at_rest(killed.path());
    let log = std::fs::read(killed.path().join("holdfast.db-wal")).unwrap();
    assert!(log.len() > 100_000, "the log of a killed writer stays");
    let mut seeded = Seeded(2);
    let mut noticed = 0;
    for round in 0..100 {
        let mut bytes = log.clone();
        bytes[seeded.below(log.len())] ^= 1 << seeded.below(8);
        std::fs::write(killed.path().join("holdfast.db-wal"), bytes).unwrap();
        let findings = verify(killed.path(), PASSPHRASE, &mut |_, _| {}).unwrap();
        let lost = findings.found().iter().any(|finding| matches!(finding, Finding::EventsLost { .. }));
        assert!(lost || findings.events >= named, "round {round}: {:?}", findings.found());
        assert_eq!(lost, findings.events < named, "round {round}: {:?}", findings.found());
        noticed += u32::from(!findings.is_clean());
        let after = std::fs::metadata(killed.path().join("holdfast.db-wal")).unwrap().len();
        assert_eq!(after, log.len() as u64, "looking does not cut the log");
    }
    assert!(noticed > 50, "most of the log is read: {noticed}");
}
