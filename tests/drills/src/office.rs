//! An office for one test: a folder on a real disk that goes with the test, an SoR, a desk.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::desk::{Desk, Limits};
use crate::ledger::Receipt;
use crate::program::profile_folder;
use crate::sample::Sample;
use crate::sor::Sor;
use crate::until::until;

/// The file systems that forget: tmpfs and ramfs. The station refuses them.
const IN_MEMORY: [u64; 2] = [0x0102_1994, 0x8584_58f6];

/// Applications of a backlog that have stages waiting behind them.
const LANES_MOVED: usize = 5;

/// The office.
#[derive(Debug)]
pub struct Office {
    /// Its station.
    pub desk: Desk,
    /// Its SoR.
    pub sor: Sor,
    /// After the programs, so that it goes last.
    folder: TempDir,
}

impl Office {
    /// An office at work: enrolled, rules fetched, a clerk signed in.
    #[must_use]
    #[track_caller]
    pub fn at_work(limits: &Limits) -> Self {
        let folder = folder_on_disk();
        let sor = Sor::start(&folder.path().join("sor.sqlite"));
        let desk = Desk::in_folder(folder.path());
        desk.open_at(&sor.url());
        desk.go_by(limits);
        Self { desk, sor, folder }
    }

    /// The same in a city whose permit system is an old vendor's.
    #[must_use]
    #[track_caller]
    pub fn with_old_vendor(limits: &Limits) -> Self {
        let folder = folder_on_disk();
        let sor = Sor::start_old_vendor(&folder.path().join("sor.sqlite"));
        let desk = Desk::in_folder(folder.path());
        desk.open_at_old_vendor(&sor.url());
        desk.go_by(limits);
        Self { desk, sor, folder }
    }

    /// Another station of this office, with nobody signed in.
    ///
    /// # Panics
    /// Its folder cannot be made.
    #[must_use]
    #[track_caller]
    pub fn second_desk(&self, station: &str) -> Desk {
        let own = self.folder.path().join(station);
        std::fs::create_dir(&own).unwrap();
        let desk = Desk::in_folder(&own);
        desk.enrol_at(&self.sor.url(), station);
        desk
    }

    /// A folder for what a test needs besides.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Accepts all good rows of a file, and moves the first applications of it on by two stages each. Answers with the
    /// receipts, in the order of work.
    ///
    /// # Panics
    /// Other rows than the short ones are refused.
    #[must_use]
    #[track_caller]
    pub fn accept_backlog(&self, sample: &Sample) -> Vec<Receipt> {
        let taken = self.desk.import(&sample.file);
        assert_eq!(taken["accepted"], sample.numbers.len(), "{taken}");
        let refused = taken["refused"].as_array().unwrap();
        let lines: Vec<u64> = refused.iter().map(|row| row["line"].as_u64().unwrap()).collect();
        assert_eq!(lines, sample.short_lines, "only the short rows are refused, by their lines");
        for application in &self.desk.waiting()[..LANES_MOVED] {
            let _ = self.desk.submit_stage(application, "PrelimReview");
            let _ = self.desk.submit_stage(application, "FeeEstimated");
        }
        let accepted = self.desk.waiting();
        assert_eq!(accepted.len(), sample.numbers.len() + 2 * LANES_MOVED);
        accepted
    }

    /// Waits until the breaker is in this state.
    #[track_caller]
    pub fn until_breaker(&self, wanted: &str) {
        until(&format!("the breaker is {wanted}"), || (self.desk.breaker() == wanted).then_some(()));
    }

    /// Waits until the SoR has so many effects.
    #[track_caller]
    pub fn until_effects(&self, count: usize) {
        until(&format!("{count} effects are there"), || (self.sor.effects() >= count).then_some(()));
    }

    /// Everything that was accepted was recorded, once and in order; the books say the same; the audit holds.
    ///
    /// # Panics
    /// One of these does not hold.
    #[track_caller]
    pub fn assert_all_recorded(&self, accepted: &[Receipt]) {
        self.sor.ledger().assert_exactly(accepted.iter().map(|receipt| receipt.key.as_str()));
        let books = self.desk.status()["books"].clone();
        assert_eq!(books, books_of_committed(accepted.len()));
        self.desk.assert_audit_holds();
    }
}

fn books_of_committed(count: usize) -> Value {
    serde_json::json!({
        "accepted": count, "pending": 0, "in_flight": 0, "committed": count, "quarantined": 0, "voided": 0,
    })
}

/// A folder that is removed when it is dropped: in the target folder, else in `/var/tmp`; never in memory.
///
/// # Panics
/// There is no such place.
#[must_use]
pub fn folder_on_disk() -> TempDir {
    let beside_tests = profile_folder().parent().unwrap().join("tmp");
    folder_in(&[beside_tests.as_path(), Path::new("/var/tmp")])
}

/// The same where other users of this computer can be let in: a checkout may lie where its owner alone gets.
///
/// # Panics
/// There is no such place.
#[must_use]
pub fn folder_for_others() -> TempDir {
    let beside_tests = profile_folder().parent().unwrap().join("tmp");
    std::fs::create_dir_all(&beside_tests).unwrap();
    let is_open = |folder: &Path| folder.metadata().is_ok_and(|folder| folder.mode() & 0o001 != 0);
    match beside_tests.ancestors().all(is_open) {
        true => folder_on_disk(),
        false => folder_in(&[Path::new("/var/tmp")]),
    }
}

fn folder_in(parents: &[&Path]) -> TempDir {
    for parent in parents {
        std::fs::create_dir_all(parent).unwrap();
        let kind = u64::try_from(rustix::fs::statfs(*parent).unwrap().f_type).unwrap();
        if !IN_MEMORY.contains(&kind) {
            return tempfile::Builder::new().prefix("drill-").tempdir_in(parent).unwrap();
        }
    }
    panic!("no folder on a real disk was found: the queue does not go into memory")
}
