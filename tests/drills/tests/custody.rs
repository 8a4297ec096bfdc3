//! The SoR is away, and a mirror holds copies of what waits: nothing of it is recorded there, whoever replaces a stolen
//! workstation can read it, and when the SoR is back each is recorded once and nothing is left at the mirror.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use holdfast_core::canonical::digest_of;
use holdfast_drills::{Desk, Limits, Receipt, Sor, folder_on_disk, until, wait_max, wrap_cheaply};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Applications of the outage, and an operation behind some of them: 23 in all.
const APPLICATIONS: usize = 16;
const STAGES: usize = 7;
const ALL: usize = APPLICATIONS + STAGES;

/// A station, its SoR, and a mirror that holds copies.
struct City {
    desk: Desk,
    sor: Sor,
    mirror: Sor,
    /// After the programs, so that it goes last.
    folder: TempDir,
}

impl City {
    fn at_work() -> Self {
        let folder = folder_on_disk();
        let sor = Sor::start(&folder.path().join("sor.sqlite"));
        let mirror = Sor::start(&folder.path().join("mirror.sqlite"));
        let desk = Desk::in_folder(folder.path());
        let city = Self { desk, sor, mirror, folder };
        city.set_up(&city.desk);
        city
    }

    /// Under the one name that the station has.
    fn set_up(&self, desk: &Desk) {
        desk.go_by(&Limits::patient());
        let (sor, mirror) = (self.sor.url(), self.mirror.url());
        let _ = desk.run(&["init", "--sor", &sor, "--mirror", &mirror, "--station", "front-1"]).is(0);
        wrap_cheaply(&desk.data());
        desk.sign_in("clerk");
        desk.go_by(&Limits::default().with_count("breaker_fail_max", 1));
    }

    fn accept(&self) -> Vec<Receipt> {
        let desk = &self.desk;
        let applications: Vec<Receipt> =
            (1..=APPLICATIONS).map(|n| desk.submit_application(&format!("{n} ELM ST"))).collect();
        let stages: Vec<Receipt> =
            applications[..STAGES].iter().map(|of| desk.submit_stage(of, "PrelimReview")).collect();
        [applications, stages].concat()
    }

    fn breaker(&self, endpoint: &str) -> String {
        let status = self.desk.status();
        let rows = status["breakers"].as_array().unwrap();
        let row = rows.iter().find(|row| row["endpoint"] == endpoint);
        row.map_or("closed", |row| row["state"].as_str().unwrap()).to_owned()
    }

    fn custody(&self) -> Value {
        self.desk.status()["custody"].clone()
    }

    /// Nothing changed for whoever asks how the books stand.
    fn assert_all_wait(&self) {
        let books = self.desk.status()["books"].clone();
        assert_eq!((&books["accepted"], &books["pending"]), (&json!(ALL), &json!(ALL)), "{books}");
        assert_eq!((self.sor.effects(), self.mirror.effects()), (0, 0), "a copy is no effect");
    }

    /// The SoR is back: everything is recorded there, once, and nothing lies at the mirror any more.
    fn assert_recorded_and_let_go(&self, accepted: &[Receipt]) {
        self.desk.drain_to_empty();
        self.sor.ledger().assert_exactly(accepted.iter().map(|receipt| receipt.key.as_str()));
        assert_eq!(self.mirror.effects(), 0);
        until("nothing lies at the mirror", || {
            let _ = self.desk.run(&["drain"]);
            held(&self.desk).is_empty().then_some(())
        });
        assert_eq!(self.custody(), json!({"held": 0, "waiting": 0, "refused": 0}));
        let books = self.desk.status()["books"].clone();
        assert_eq!((&books["committed"], &books["pending"]), (&json!(accepted.len()), &json!(0)), "{books}");
        self.desk.assert_audit_holds();
    }
}

/// What the mirror says that it holds of the station: digests by their keys.
fn held(desk: &Desk) -> BTreeMap<String, String> {
    let list = desk.run(&["custody", "list"]).is(0).json();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    let rows = list["copies"].as_array().unwrap().iter();
    rows.map(|row| (text(row, "idempotency_key"), text(row, "digest"))).collect()
}

/// The digests of the bytes that were accepted, which are RFC 8785 text.
fn accepted_bytes(desk: &Desk, accepted: &[Receipt]) -> BTreeMap<String, String> {
    let digest = |key: &str| {
        let item = desk.run(&["queue", "show", key]).is(0).json();
        // The drain beside it may be trying this very one.
        let waits = [json!("pending"), json!("in_flight")].contains(&item["state"]);
        assert!(waits && item["copy"] == "held", "{item}");
        digest_of(&item["body"]).to_string()
    };
    accepted.iter().map(|receipt| (receipt.key.clone(), digest(&receipt.key))).collect()
}

#[test]
fn what_waits_lies_at_the_mirror_byte_for_byte_and_is_let_go_of_when_it_is_recorded() {
    let city = City::at_work();
    let desk = &city.desk;
    city.sor.cut();
    let accepted = city.accept();
    let watched = desk.start(&["drain", "--watch", "--max-s", "300"]);
    until("all of it is copied", || (city.custody()["held"] == json!(ALL)).then_some(()));
    city.assert_all_wait();
    assert_eq!(city.custody(), json!({"held": ALL, "waiting": 0, "refused": 0}));
    assert_eq!(held(desk), accepted_bytes(desk, &accepted));
    assert!(desk.queue().iter().all(|row| row["copy"] == "held"));
    assert_eq!((city.breaker("mirror").as_str(), city.breaker("primary").as_str()), ("closed", "open"));

    city.sor.mend();
    until("nothing waits any more", || (desk.status()["books"]["committed"] == json!(ALL)).then_some(()));
    until("nothing lies at the mirror", || (city.custody()["held"] == 0).then_some(()));
    watched.ask_to_stop();
    let _ = watched.end_within(wait_max()).is(0);
    city.assert_recorded_and_let_go(&accepted);
}

#[test]
fn one_pass_copies_as_well_and_a_replacement_for_a_stolen_workstation_reads_the_copies() {
    let city = City::at_work();
    city.sor.cut();
    let accepted = city.accept();
    let _ = city.desk.run(&["drain"]).is(3);
    city.assert_all_wait();
    let known = accepted_bytes(&city.desk, &accepted);
    assert_eq!(held(&city.desk), known);

    std::fs::remove_dir_all(city.desk.data()).unwrap();
    city.sor.mend();
    let own = city.folder.path().join("replacement");
    std::fs::create_dir(&own).unwrap();
    let replacement = Desk::in_folder(&own);
    city.set_up(&replacement);
    assert_eq!(held(&replacement), known, "all that lay on it and reached nobody");
    let list = replacement.run_plain(&["custody", "list"]).is(0);
    let text = list.stdout;
    for receipt in &accepted {
        assert!(text.contains(&receipt.receipt_no), "{text}");
    }
    assert!(!text.contains("ELM ST"), "a list of copies is no copy");
}

#[test]
fn both_away_together_changes_nothing_at_the_counter_and_everything_is_right_later() {
    let city = City::at_work();
    city.sor.cut();
    city.mirror.cut();
    let accepted = city.accept();
    let _ = city.desk.run(&["drain", "--until-empty", "--max-s", "3"]).is(3);
    city.assert_all_wait();
    assert_eq!(city.custody(), json!({"held": 0, "waiting": ALL, "refused": 0}));
    assert_ne!((city.breaker("mirror").as_str(), city.breaker("primary").as_str()), ("closed", "closed"));
    assert_ne!(city.breaker("mirror"), "closed");

    // The mirror is back first; some of its answers are lost, and one comes from somebody else.
    let on = json!({"path": "/v1/custody"});
    city.mirror.put(&[
        json!({"do": "commit_then_drop", "on": on, "count": 3}),
        json!({"do": "portal", "on": on, "count": 1}),
    ]);
    until("all of it is copied", || {
        let _ = city.desk.run(&["drain"]);
        (city.custody()["held"] == json!(ALL)).then_some(())
    });
    city.assert_all_wait();
    assert_eq!(held(&city.desk), accepted_bytes(&city.desk, &accepted));

    // It goes away again while the SoR comes back: nothing waits for it.
    city.mirror.cut();
    city.sor.mend();
    city.desk.drain_to_empty();
    city.mirror.mend();
    city.assert_recorded_and_let_go(&accepted);
}

#[test]
fn another_system_at_the_mirrors_address_is_given_nothing() {
    let mut city = City::at_work();
    city.sor.cut();
    let accepted = city.accept();
    let own = city.mirror.file().to_owned();
    city.mirror.change_for(&city.folder.path().join("stranger.sqlite"));
    let _ = city.desk.run(&["drain"]).is(3);
    assert_eq!(city.custody(), json!({"held": 0, "waiting": ALL, "refused": 0}));
    assert_ne!(city.breaker("mirror"), "closed");
    city.mirror.change_for(&own);
    city.sor.mend();
    city.assert_recorded_and_let_go(&accepted);
}
