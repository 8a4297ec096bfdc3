//! The copy of the city's parcels on the real engine: whole or not there, and nothing of an older one left lying about.

#![allow(clippy::unwrap_used, missing_docs)]

mod city;

use city::*;
use holdfast_core::beside::Part;
use holdfast_core::breaker::Admission;
use holdfast_core::parcel::copying::{CopyRun, CopyStep, PageEnd, ParcelCopy, after_page, step};
use holdfast_core::parcel::{Parcel, Pin};
use holdfast_station::ports::{BesideRecord, KeepParcels, ParcelCopies as _, ParcelFacts};
use holdfast_store::{NewStore, Store, verify};
use tempfile::TempDir;

const EVERY_MS: u64 = 1_000;
const DAY_MS: i64 = 24 * 3_600_000;

fn with_gis() -> (TempDir, Store) {
    let folder = folder();
    let gis = BesideRecord {
        part: Part::Gis,
        url: "https://gis.alder-falls.example".to_owned(),
        identity: "alder-falls-gis".parse().unwrap(),
    };
    let store = Store::create(folder.path(), NewStore { beside: vec![gis], ..new_store() }).unwrap();
    (folder, store)
}

fn pin(n: usize) -> Pin {
    format!("0010-{n:05}").parse().unwrap()
}

fn parcel(n: usize, zoning: &str) -> Parcel {
    Parcel {
        pin: pin(n),
        address: None,
        zoning: zoning.to_owned(),
        overlays: Vec::new(),
        bounds: None,
        updated_at: at(0).wall,
    }
}

fn due(store: &Store, millis: i64) -> (ParcelCopy, CopyRun) {
    let copy = store.parcel_copy().unwrap().unwrap();
    match step(&copy, at(millis), EVERY_MS) {
        CopyStep::Ask(run) => (copy, run),
        CopyStep::Rest { ms } => panic!("rests for {ms} ms"),
    }
}

/// A page that comes at this moment.
fn page(store: &Store, millis: i64, parcels: Vec<Parcel>, next: Option<&str>) {
    let (copy, run) = due(store, millis);
    let end = PageEnd { as_of: at(millis).wall, rows: parcels.len() as u64, next: next.map(str::to_owned) };
    let copy = after_page(&copy, run.clone(), end).unwrap();
    store.keep_parcels(KeepParcels { run, parcels, copy }).unwrap();
}

fn facts(store: &Store, pins: &[Pin]) -> ParcelFacts {
    store.parcel_facts(at(0), pins).unwrap().unwrap()
}

fn zonings(store: &Store, pins: &[Pin]) -> Vec<String> {
    facts(store, pins).found.into_iter().map(|parcel| parcel.zoning).collect()
}

#[test]
fn a_copy_is_looked_into_only_when_its_last_page_is_here_and_survives_a_restart() {
    let (folder, store) = with_gis();
    page(&store, 0, vec![parcel(1, "R-1")], Some("a"));
    assert_eq!(facts(&store, &[pin(1)]).copied, None);
    store.close().unwrap();
    let store = open(folder.path(), at(10));
    page(&store, 20, vec![parcel(2, "R-2")], None);
    let known = facts(&store, &[pin(1), pin(2), pin(3)]);
    assert_eq!((known.copied, known.found.len(), known.breaker), (Some(at(0)), 2, Admission::Closed));
    store.close().unwrap();
    let store = open(folder.path(), at(30));
    assert_eq!(zonings(&store, &[pin(1), pin(2)]), ["R-1", "R-2"]);
    store.close().unwrap();
    assert!(verify(folder.path(), PASSPHRASE, &mut |_, _| ()).unwrap().is_clean());
}

#[test]
fn changes_go_where_the_copy_is_and_a_new_whole_one_takes_its_place_in_one_step() {
    let (_folder, store) = with_gis();
    page(&store, 0, vec![parcel(1, "R-1"), parcel(2, "R-2")], None);
    page(&store, 2_000, vec![parcel(2, "C-1")], None);
    assert_eq!(zonings(&store, &[pin(1), pin(2)]), ["R-1", "C-1"]);
    page(&store, DAY_MS + 1_000, vec![parcel(2, "C-2")], Some("a"));
    assert_eq!(zonings(&store, &[pin(1), pin(2)]), ["R-1", "C-1"], "the new one is not whole yet");
    page(&store, DAY_MS + 2_000, vec![parcel(3, "R-3")], None);
    assert_eq!(zonings(&store, &[pin(1), pin(2), pin(3)]), ["C-2", "R-3"], "the first one is gone");
}

#[test]
fn a_run_that_is_given_up_begins_anew_and_the_copy_before_stays() {
    let (_folder, store) = with_gis();
    page(&store, 0, vec![parcel(1, "R-1")], None);
    page(&store, DAY_MS, vec![parcel(1, "R-9")], Some("a"));
    store.give_up_parcels().unwrap();
    assert_eq!(due(&store, DAY_MS + 1).1.after, None);
    assert_eq!(zonings(&store, &[pin(1)]), ["R-1"]);
}

#[test]
fn without_a_gis_nothing_is_looked_for() {
    let folder = folder();
    let store = create(folder.path());
    assert_eq!(store.parcel_copy().unwrap(), None);
    assert_eq!(store.parcel_facts(at(0), &[pin(1)]).unwrap(), None);
}
