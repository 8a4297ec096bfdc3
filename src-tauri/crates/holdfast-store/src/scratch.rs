//! A made-up store on a real disk, for the tests inside this crate.

use std::path::Path;

use holdfast_core::profile::Profile;
use holdfast_core::sign::KeyPair;
use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_station::ports::StationRecord;
use tempfile::TempDir;
use zeroize::Zeroizing;

use crate::{ArgonCost, NewStore, Store};

/// The moment of every test.
pub(crate) fn now() -> Now {
    let wall: UtcMillis = "2026-11-30T08:00:00.000Z".parse().expect("a time");
    Now { wall, boot: BootMillis(1_000) }
}

/// A folder beside the test program: where tests are built there is a real disk.
pub(crate) fn scratch() -> TempDir {
    let program = std::env::current_exe().expect("a test has a program");
    let folder = program.parent().expect("a program lies in a folder");
    tempfile::Builder::new().prefix("store-").tempdir_in(folder).expect("the folder can be written")
}

pub(crate) fn store_in(folder: &Path) -> Store {
    let new = NewStore {
        beside: Vec::new(),
        record: StationRecord {
            station_id: "front-1".parse().expect("an id"),
            db_id: "01932c6f-8f0a-7cc3-98a1-0242ac120001".parse().expect("an id"),
            sor_url: "https://permits.alder-falls.example".to_owned(),
            identity: "alder-falls".parse().expect("an identity"),
            sor_key: KeyPair::from_seed(&[9; 32]).public(),
            profile: Profile::Idempotent,
            created_at: now().wall,
        },
        office_key: None,
        station_key: Zeroizing::new([7; 32]),
        passphrase: Zeroizing::new(b"words".to_vec()),
        argon: ArgonCost { memory_kib: 64, passes: 1, lanes: 1 },
        entries: Vec::new(),
        now: now(),
    };
    Store::create(folder, new).expect("a new store")
}
