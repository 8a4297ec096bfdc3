//! `kill -9` while work is accepted and while it is sent: nothing is lost and nothing is doubled.
//!
//! One desk is killed again and again over the same backlog, so that each kill meets what the one before has left. What a
//! kill cannot show is the loss of what the operating system had not yet written; that needs a power cut.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::Duration;

use holdfast_drills::{Chance, Feed, Limits, Office, PASSPHRASE, Sample, count, until, wrap_cheaply};
use holdfast_station::ports::Journal as _;
use holdfast_store::Store;
use serde_json::json;

const SEED: u64 = 0x5eed_0001;
/// Each write is answered so late that a kill may come before its answer, in milliseconds.
const WRITE_DELAY_MS: u64 = 10;
/// Effects that are left after the last kill, so that each of them meets a drain at work.
const EFFECTS_LEFT: usize = 20;
/// Rows that an import has before it when it is killed: it is in the middle of one of them.
const ROWS_AHEAD: usize = 8;

/// In every other round nobody opens what a killed writer has left before the next writer does.
fn somebody_looks(round: usize) -> bool {
    round.is_multiple_of(2)
}

#[test]
fn a_drain_killed_at_effect_after_effect_loses_nothing_and_doubles_nothing() {
    let office = Office::at_work(&Limits::default());
    let sample = Sample::committed_or_long(400, office.folder());
    let accepted = office.accept_backlog(&sample);
    wrap_cheaply(&office.desk.data());
    let slow =
        json!({"do": "slow", "delay_ms": WRITE_DELAY_MS, "on": {"path": "/v1/operations", "method": "POST"}});
    office.sor.put(&[slow]);

    let mut chance = Chance::seeded(SEED);
    for (round, k) in (1..).zip(chance.rising(count(20, 100), accepted.len() - EFFECTS_LEFT)) {
        // Earlier kills may have left more than was aimed at.
        let k = k.max(office.sor.effects() + 1);
        let drain = office.desk.start(&["drain", "--until-empty", "--max-s", "50"]);
        office.until_effects(k);
        sleep(Duration::from_millis(chance.below(WRITE_DELAY_MS + 5)));
        drain.kill();
        let ledger = office.sor.ledger();
        ledger.assert_sound(accepted.iter().map(|receipt| receipt.key.as_str()));
        if somebody_looks(round) {
            let books = office.desk.status()["books"].clone();
            assert_eq!(books["accepted"], accepted.len(), "at {k}: {books}");
            let committed = usize::try_from(books["committed"].as_u64().unwrap()).unwrap();
            assert!(committed <= ledger.effects.len(), "at {k}: more is called recorded than is: {books}");
        }
    }
    office.sor.mend();
    let report = office.desk.drain_to_empty();
    assert_eq!(report["quarantined"], 0, "{report}");
    office.assert_all_recorded(&accepted);
}

#[test]
fn an_import_killed_at_row_after_row_loses_nothing_and_doubles_nothing() {
    let office = Office::at_work(&Limits::default());
    let sample = Sample::committed_or_long(240, office.folder());
    let feed = Feed::of(&sample, office.folder());
    wrap_cheaply(&office.desk.data());
    let mut chance = Chance::seeded(SEED + 1);
    let mut seen = 0;
    let mut receipts = BTreeSet::new();
    for (round, k) in (1..).zip(chance.rising(count(20, 100), sample.numbers.len() - ROWS_AHEAD - 1)) {
        let fed = feed.hand_out(k + ROWS_AHEAD);
        let import = office.desk.start(&["import", feed.path()]);
        let reader = Store::open_beside(&office.desk.data(), PASSPHRASE.as_bytes()).unwrap();
        let accepted = || reader.standing().unwrap().books.accepted;
        seen =
            until("the k-th row is accepted", || Some(accepted()).filter(|accepted| *accepted >= k as u64));
        import.kill();
        drop(fed);
        // Closed before anybody opens the data again, so that the next one finds what a dead writer left.
        drop(reader);
        if somebody_looks(round) {
            let kept = office.desk.waiting();
            assert!(kept.len() as u64 >= seen, "{seen} were on the disk, {} are left", kept.len());
            let kept: BTreeSet<_> =
                kept.into_iter().map(|receipt| (receipt.receipt_no, receipt.key)).collect();
            assert!(
                kept.is_superset(&receipts),
                "a receipt of an earlier round is gone, or says something else"
            );
            receipts = kept;
        }
    }
    let rest = office.desk.import(&sample.file);
    let numbers = u64::try_from(sample.numbers.len()).unwrap();
    assert_eq!(rest["accepted"].as_u64().unwrap() + rest["already"].as_u64().unwrap(), numbers, "{rest}");
    assert!(rest["already"].as_u64().unwrap() >= seen, "{rest}");

    let accepted = office.desk.waiting();
    assert_eq!(accepted.len(), sample.numbers.len());
    office.desk.drain_to_empty();
    office.assert_all_recorded(&accepted);
    let recorded: BTreeSet<_> =
        office.sor.ledger().effects.into_iter().filter_map(|effect| effect.permit_num).collect();
    assert_eq!(recorded, sample.numbers.into_iter().collect());
}
