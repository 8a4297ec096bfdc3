//! The SoR comes back from an older copy: noticed at the first contact, named, and sent again once somebody agrees.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use holdfast_drills::{Desk, Epoch, Ledger, Limits, Office, PASSPHRASE, Receipt, Sor, folder_on_disk};
use serde_json::{Value, json};

const DRAIN: [&str; 4] = ["drain", "--until-empty", "--max-s", "50"];
/// Applications that are recorded after the copy was made; each is moved on once, and one twice.
const APPLICATIONS: usize = 20;

/// An office whose SoR lost everything after a copy, and what it lost, in order.
struct Lost {
    office: Office,
    /// Recorded before the copy was made.
    kept: Vec<Receipt>,
    lost: Vec<Receipt>,
    /// How it stood before.
    before: Ledger,
}

/// So many operations that were recorded are gone at the SoR.
fn lost(epoch: Epoch) -> Lost {
    let mut office = Office::at_work(&Limits::patient().with("first_drain_jitter_s", 0.0));
    let mut kept: Vec<Receipt> =
        (1..=4).map(|n| office.desk.submit_application(&format!("{n} YEW ST"))).collect();
    kept.push(office.desk.submit_stage(&kept[0], "PrelimReview"));
    office.desk.drain_to_empty();
    let copy: PathBuf = office.folder().join("copy.sqlite");
    office.sor.back_up(&copy);

    // The next shift: that it began the copy does not know either.
    office.desk.sign_in("clerk");
    let mut lost: Vec<Receipt> =
        (1..=APPLICATIONS).map(|n| office.desk.submit_application(&format!("{n} ELM ST"))).collect();
    for n in 0..APPLICATIONS {
        lost.push(office.desk.submit_stage(&lost[n], "PrelimReview"));
    }
    // One of them on an application that is in the copy.
    lost.push(office.desk.submit_stage(&kept[0], "FeeEstimated"));
    office.desk.drain_to_empty();
    let before = office.sor.ledger();
    office.sor.come_back_from(&copy, epoch);
    assert_eq!(office.sor.effects(), kept.len());
    Lost { office, kept, lost, before }
}

fn words(rows: &[Value], member: &str) -> Vec<String> {
    rows.iter().map(|row| row[member].as_str().unwrap_or("-").to_owned()).collect()
}

fn comes_back(epoch: Epoch, sign: &str) {
    let Lost { office, kept, lost, before } = lost(epoch);
    let desk = &office.desk;
    assert_eq!(lost.len(), 41);
    let later = [
        desk.submit_application("1 FIR ST"),
        desk.submit_stage(&lost[0], "FeeEstimated"),
        desk.submit_stage(&kept[1], "PrelimReview"),
    ];

    // Noticed at the first contact: nothing is sent.
    let report = desk.run(&DRAIN).is(3).json();
    assert_eq!((&report["stopped_because"], &report["pending"]), (&json!("paused"), &json!(3)), "{report}");
    assert_eq!(office.sor.effects(), kept.len());
    let view = desk.run(&["reprove", "list"]).is(0).json();
    let info = &view["restore"];
    assert_eq!(
        (&info["stage"], &info["sign"], &info["missing"], &info["official"]),
        (&json!("asking"), &json!(sign), &json!(41), &json!(41)),
        "{info}"
    );
    let rows = view["rows"].as_array().unwrap();
    let named: Vec<String> = lost.iter().map(|receipt| receipt.receipt_no.clone()).collect();
    assert_eq!(words(rows, "receipt_no"), named, "all of them, in order");
    let numbers: BTreeSet<String> = words(rows, "permit_num").into_iter().collect();
    assert!(!numbers.contains("-"), "permits that may have been printed are listed by their numbers");
    let _ = desk.run(&DRAIN).is(3);
    assert_eq!(office.sor.effects(), kept.len(), "it stays paused");

    // Only who may decide decides.
    let agree = ["reprove", "agree", "--reason", "the copy of Friday was put back"];
    let refused = desk.run(&agree).is(6).json();
    assert_eq!(refused["problems"][0]["code"], "forbidden", "{refused}");
    desk.sign_in("supervisor");
    let agreed = desk.run(&agree).is(0).json();
    assert_eq!((&agreed["decision"], &agreed["count"]), (&json!("send_again"), &json!(41)));
    let books = desk.status()["books"].clone();
    assert_eq!((&books["committed"], &books["pending"]), (&json!(5), &json!(44)), "{books}");

    // The drain goes on by itself: the same keys, in the same order, each once.
    desk.drain_to_empty();
    let all: Vec<Receipt> = kept.iter().chain(&lost).chain(&later).cloned().collect();
    office.assert_all_recorded(&all);
    let after = office.sor.ledger();
    let keys = |ledger: &Ledger| ledger.effects.iter().map(|effect| effect.key.clone()).collect::<Vec<_>>();
    assert_eq!(keys(&after)[..before.effects.len()], keys(&before)[..], "in the order in which they were");
    let view = desk.run(&["reprove", "list"]).is(0).json();
    assert_eq!(view["restore"]["stage"], "sent_again");
    let _ = desk.run(&agree).is(6);
}

#[test]
fn what_an_sor_lost_is_named_and_after_consent_sent_again_once_and_in_order() {
    comes_back(Epoch::GoesUp, "epoch");
}

#[test]
fn an_sor_that_does_not_know_itself_that_it_came_back_is_noticed_too() {
    comes_back(Epoch::Stays, "sequence");
}

#[test]
fn what_is_left_missing_is_never_sent_and_does_not_hold_up_the_rest() {
    let Lost { office, kept, lost, .. } = lost(Epoch::GoesUp);
    let desk = &office.desk;
    let later = desk.submit_application("1 FIR ST");
    let _ = desk.run(&DRAIN).is(3);
    desk.sign_in("supervisor");
    let left = desk.run(&["reprove", "leave", "--reason", "entered there by hand"]).is(0).json();
    assert_eq!(left["count"], lost.len());
    desk.drain_to_empty();
    let _ = desk.run(&DRAIN).is(0);
    let there: Vec<&str> = kept.iter().chain([&later]).map(|receipt| receipt.key.as_str()).collect();
    office.sor.ledger().assert_exactly(there);
    assert_eq!(desk.status()["books"]["committed"], kept.len() + lost.len() + 1);
    desk.assert_audit_holds();
}

#[test]
fn looking_goes_on_where_a_kill_ended_it() {
    let Lost { office, lost, .. } = lost(Epoch::GoesUp);
    let desk = &office.desk;
    // Each look takes so long that the kill comes in the middle of them.
    office
        .sor
        .put(&[json!({"do": "slow", "delay_ms": 60, "on": {"path": "/v1/operations/", "method": "GET"}})]);
    let drain = desk.start(&DRAIN);
    holdfast_drills::until("some were looked for", || {
        let view = desk.run(&["reprove", "list"]).is(0).json();
        (view["restore"]["missing"].as_u64() >= Some(5)).then_some(())
    });
    drain.kill();
    let so_far = desk.run(&["reprove", "list"]).is(0).json();
    assert_eq!(so_far["restore"]["stage"], "looking");
    let refused = desk.run(&["reprove", "agree", "--reason", "too early"]).is(6).json();
    assert!(refused["problems"].is_array(), "{refused}");
    office.sor.mend();
    let _ = desk.run(&DRAIN).is(3);
    let view = desk.run(&["reprove", "list"]).is(0).json();
    let named: Vec<String> = lost.iter().map(|receipt| receipt.receipt_no.clone()).collect();
    assert_eq!(words(view["rows"].as_array().unwrap(), "receipt_no"), named, "none twice, none passed over");
    desk.assert_audit_holds();
}

/// Copies the files of a data folder; those of `leave` stay as they are.
fn copy_folder(from: &Path, to: &Path, leave: &[&str]) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let is_file = entry.file_type().unwrap().is_file();
        if is_file && !leave.contains(&entry.file_name().to_str().unwrap()) {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// An office whose station came back from a copy: two were recorded before it and three after it, and one more was accepted
/// that the SoR has not. Answers with those three.
fn station_came_back(leave: &[&str]) -> (Office, Vec<Receipt>) {
    let office = Office::at_work(&Limits::patient().with("first_drain_jitter_s", 0.0));
    let desk = &office.desk;
    let _ = [desk.submit_application("1 YEW ST"), desk.submit_application("2 YEW ST")];
    desk.drain_to_empty();
    let copy = office.folder().join("copy");
    copy_folder(&desk.data(), &copy, &[]);
    let gone = (3..=5).map(|n| desk.submit_application(&format!("{n} YEW ST"))).collect();
    desk.drain_to_empty();
    let _ = desk.submit_application("6 YEW ST");
    copy_folder(&copy, &desk.data(), leave);
    (office, gone)
}

/// The data of the events of one kind, as the store keeps them.
fn events(office: &Office, kind: &str) -> Vec<Value> {
    let chain = holdfast_store::tamper::events(&office.desk.data(), PASSPHRASE.as_bytes()).unwrap();
    let events = chain.iter().map(|text| serde_json::from_str::<Value>(text).unwrap());
    events.filter(|event| event["kind"] == kind).map(|event| event["data"].clone()).collect()
}

#[test]
fn a_station_that_came_back_from_a_copy_gives_no_number_out_that_the_sor_has_seen() {
    let (office, gone) = station_came_back(&[]);
    let desk = &office.desk;
    desk.drain_to_empty();
    let restored = events(&office, "station.restored");
    assert_eq!(restored.len(), 1);
    assert_eq!((&restored[0]["first"], &restored[0]["last"]), (&json!(3), &json!(5)));
    assert_eq!(restored[0]["noticed_by"], "sequence");
    let strangers = events(&office, "station.strangers");
    let named: Vec<&str> = strangers[0]["operations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["idempotency_key"].as_str().unwrap())
        .collect();
    assert_eq!(named, gone.iter().map(|receipt| receipt.key.as_str()).collect::<Vec<_>>());

    let next = desk.submit_application("7 YEW ST");
    assert_eq!(next.receipt_no, "front-1-6");
    desk.drain_to_empty();
    desk.drain_to_empty();
    assert_eq!(events(&office, "station.restored").len(), 1, "told once");
    assert_eq!(events(&office, "station.strangers").len(), 1);
    let view = desk.run(&["reprove", "list"]).is(0).json();
    let (skipped, restore) = (&view["skipped"][0], &view["restore"]);
    assert_eq!((&skipped["first"], &skipped["last"], restore), (&json!(3), &json!(5), &Value::Null));
    let status = desk.status();
    assert_eq!(status["notices"][0]["cause"], "station_restored", "{status}");
    desk.assert_audit_holds();
}

#[test]
fn a_database_that_is_older_than_its_head_is_noticed_before_anything_is_accepted() {
    let (office, _) = station_came_back(&["head.json"]);
    let desk = &office.desk;
    let _ = desk.run(&["audit", "verify"]).is(4);
    let next = desk.submit_application("7 YEW ST");
    let number: u64 = next.receipt_no.rsplit('-').next().unwrap().parse().unwrap();
    assert!(number > 6, "{} was given out before, to nobody knows whom", next.receipt_no);
    let restored = events(&office, "station.restored");
    assert_eq!((restored.len(), &restored[0]["noticed_by"]), (1, &json!("head")));
    desk.drain_to_empty();
    assert_eq!(events(&office, "station.restored").len(), 1);
    assert_eq!(office.sor.effects(), 6);
    desk.assert_audit_holds();
}

#[test]
fn a_canary_that_goes_out_before_anybody_can_know_is_recorded_with_the_rest() {
    let limits = Limits::patient().with("first_drain_jitter_s", 0.0).with("breaker_reset_s", 0.3);
    let mut office = Office::at_work(&limits.with("attempt_backoff_max_s", 0.2));
    let copy = office.folder().join("copy.sqlite");
    office.sor.back_up(&copy);
    let mut all: Vec<Receipt> =
        (1..=3).map(|n| office.desk.submit_application(&format!("{n} YEW ST"))).collect();
    office.desk.drain_to_empty();
    office.sor.cut();
    // Each builds on an application that will be gone.
    for n in 0..3 {
        all.push(office.desk.submit_stage(&all[n], "PrelimReview"));
    }
    let _ = office.desk.run(&["drain", "--until-empty", "--max-s", "2"]).is(3);
    assert_ne!(office.desk.breaker(), "closed");
    office.sor.come_back_from(&copy, Epoch::GoesUp);
    let report = office.desk.run(&DRAIN).is(3).json();
    assert_eq!(report["stopped_because"], "paused", "{report}");
    assert_eq!(office.sor.effects(), 0);
    office.desk.sign_in("supervisor");
    let agreed = office.desk.run(&["reprove", "agree", "--reason", "the copy was put back"]).is(0).json();
    assert_eq!(agreed["count"], 3);
    office.desk.drain_to_empty();
    office.assert_all_recorded(&all);
}

#[test]
fn an_sor_that_tells_nothing_of_itself_is_noticed_by_what_is_not_there() {
    let folder = folder_on_disk();
    let mut sor = Sor::start_old_vendor(&folder.path().join("sor.sqlite"));
    let desk = Desk::in_folder(folder.path());
    desk.open_at_old_vendor(&sor.url());
    desk.go_by(&Limits::patient().with("first_drain_jitter_s", 0.0));
    let kept = [desk.submit_application("1 YEW ST"), desk.submit_application("2 YEW ST")];
    desk.drain_to_empty();
    let copy = folder.path().join("copy.sqlite");
    sor.back_up(&copy);
    let gone = [desk.submit_application("3 YEW ST"), desk.submit_application("4 YEW ST")];
    let moved = desk.submit_stage(&gone[0], "PrelimReview");
    desk.drain_to_empty();
    sor.come_back_from(&copy, Epoch::Stays);
    assert_eq!(sor.effects(), kept.len());

    let _ = desk.run(&DRAIN).is(3);
    let view = desk.run(&["reprove", "list"]).is(0).json();
    assert_eq!(
        (&view["restore"]["sign"], &view["restore"]["missing"]),
        (&json!("sample"), &json!(3)),
        "{view}"
    );
    desk.sign_in("supervisor");
    let _ = desk.run(&["reprove", "agree", "--reason", "the copy was put back"]).is(0);
    desk.drain_to_empty();
    let all = kept.iter().chain(&gone).chain([&moved]);
    sor.ledger().assert_exactly(all.map(|receipt| receipt.key.as_str()));
    desk.assert_audit_holds();
}
