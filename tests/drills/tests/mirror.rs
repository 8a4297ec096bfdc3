//! The SoR is away and its mirror records in its place; when it is back it records again, and both ledgers together have each
//! operation once.

#![allow(clippy::unwrap_used)]

use std::time::SystemTime;

use holdfast_core::time::UtcMillis;
use holdfast_drills::{Desk, Limits, Receipt, Sor, folder_on_disk, until};
use serde_json::json;

/// Lanes of the outage, each with an application and three operations behind it.
const LANES: usize = 5;

/// A city with a mirror that begins as a copy of its records.
struct City {
    desk: Desk,
    sor: Sor,
    mirror: Sor,
    /// After the programs, so that it goes last.
    _folder: tempfile::TempDir,
}

impl City {
    fn at_work() -> Self {
        let folder = folder_on_disk();
        let mut sor = Sor::start(&folder.path().join("sor.sqlite"));
        let copy = folder.path().join("mirror.sqlite");
        sor.back_up(&copy);
        let mirror = Sor::start(&copy);
        let desk = Desk::in_folder(folder.path());
        desk.go_by(&Limits::patient());
        let (sor_url, mirror_url) = (sor.url(), mirror.url());
        let init = ["init", "--sor", &sor_url, "--mirror", &mirror_url, "--mirror-is", "authoritative"];
        let _ = desk.run(&[&init[..], &["--station", "front-1"]].concat()).is(0);
        desk.sign_in("clerk");
        desk.go_by(&Limits::patient().with("first_drain_jitter_s", 0.0).with_count("breaker_fail_max", 1));
        Self { desk, sor, mirror, _folder: folder }
    }

    fn breaker(&self, endpoint: &str) -> String {
        let status = self.desk.status();
        let rows = status["breakers"].as_array().unwrap();
        let row = rows.iter().find(|row| row["endpoint"] == endpoint).unwrap();
        row["state"].as_str().unwrap().to_owned()
    }

    /// The application and three operations behind it.
    fn lane(&self, n: usize) -> Vec<Receipt> {
        let application = self.desk.submit_application(&format!("{n} ELM ST"));
        let mut lane = vec![application];
        for stage in ["PrelimReview", "FeeEstimated"] {
            lane.push(self.desk.submit_stage(&lane[0], stage));
        }
        let note = json!({"kind": "note", "application_id": lane[0].application_id, "payload": {"text": "Called back."}});
        lane.push(self.desk.submit(&note));
        lane
    }

    /// Both ledgers together have exactly these, each once.
    fn assert_recorded_once(&self, accepted: &[Receipt]) {
        let (here, there) = (self.sor.ledger(), self.mirror.ledger());
        let accepted: Vec<&str> = accepted.iter().map(|receipt| receipt.key.as_str()).collect();
        for ledger in [&here, &there] {
            ledger.assert_sound(accepted.iter().copied());
        }
        assert_eq!(here.effects.len() + there.effects.len(), accepted.len());
        for key in accepted {
            assert!(here.has(key) != there.has(key), "{key} is in one of them");
        }
    }
}

#[test]
fn the_mirror_records_the_outage_in_order_and_the_sor_what_comes_after_it() {
    let city = City::at_work();
    let desk = &city.desk;
    let mut accepted = vec![desk.submit_application("1 YEW ST"), desk.submit_application("2 YEW ST")];
    desk.drain_to_empty();
    assert_eq!((city.sor.effects(), city.mirror.effects()), (2, 0));

    city.sor.cut();
    let outage: Vec<Receipt> = (1..=LANES).flat_map(|n| city.lane(n)).collect();
    assert_eq!(outage.len(), 20);
    let drained = desk.drain_to_empty();
    assert_eq!((&drained["committed"], &drained["quarantined"]), (&json!(20), &json!(0)), "{drained}");
    assert_eq!((city.sor.effects(), city.mirror.effects()), (2, 20));
    let there = city.mirror.ledger();
    for lane in outage.chunks(outage.len() / LANES) {
        let places: Vec<usize> = lane.iter().map(|receipt| there.place(receipt)).collect();
        assert!(places.is_sorted(), "{places:?}");
    }
    assert_eq!(city.breaker("mirror"), "closed");
    assert_ne!(city.breaker("primary"), "closed", "the mode is told by the primary");
    assert_eq!(desk.status()["backlog"]["count"], 0);

    city.sor.mend();
    until("the SoR's breaker is closed", || {
        let _ = desk.run(&["drain"]);
        (city.breaker("primary") == "closed").then_some(())
    });
    let after: Vec<Receipt> = (1..=3).map(|n| desk.submit_application(&format!("{n} FIR ST"))).collect();
    desk.drain_to_empty();
    assert_eq!((city.sor.effects(), city.mirror.effects()), (5, 20));

    accepted.extend(outage);
    accepted.extend(after);
    city.assert_recorded_once(&accepted);
    let books = desk.status()["books"].clone();
    assert_eq!((&books["committed"], &books["accepted"]), (&json!(25), &json!(25)), "{books}");
    desk.assert_audit_holds();
}

#[test]
fn an_answer_that_is_lost_at_the_mirror_is_looked_for_at_the_mirror_after_the_sor_is_back() {
    let city = City::at_work();
    let desk = &city.desk;
    desk.go_by(&Limits::default().with_count("breaker_fail_max", 1));
    city.sor.cut();
    // The mirror knows this station and its session before its answers are lost.
    let first = desk.submit_application("1 YEW ST");
    desk.drain_to_empty();
    let post = json!({"path": "/v1/operations", "method": "POST"});
    city.mirror.put(&[
        json!({"do": "timeout", "commit_after_ms": 1, "on": post, "count": 1}),
        json!({"do": "timeout", "on": {"path": "/v1/operations"}}),
    ]);
    let lost = desk.submit_application("1 ELM ST");
    let _ = desk.run(&["drain", "--until-empty", "--max-s", "5"]);
    assert_eq!(city.mirror.effects(), 2);

    city.sor.mend();
    let other = desk.submit_application("2 ELM ST");
    let _ = desk.run(&["drain", "--until-empty", "--max-s", "8"]);
    assert!(city.sor.ledger().has(&other.key));
    assert!(!city.sor.ledger().has(&lost.key), "it goes to no other before it was looked up");

    city.mirror.mend();
    desk.drain_to_empty();
    city.assert_recorded_once(&[first, lost.clone(), other]);
    assert!(city.mirror.ledger().has(&lost.key));
    desk.assert_audit_holds();
}

fn in_an_hour() -> UtcMillis {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    UtcMillis::from_millis(i64::try_from(since.as_millis()).unwrap() + 3_600_000).unwrap()
}

#[test]
fn a_mirror_is_held_and_released_like_any_endpoint() {
    let city = City::at_work();
    let desk = &city.desk;
    let held =
        desk.run(&["endpoint", "hold", "mirror", "--until", "2199-01-01T00:00:00Z", "--reason", "new disks"]);
    assert_ne!(held.code(), 0, "a week ahead at the most");
    let until = in_an_hour();
    desk.sign_in("supervisor");
    let _ = desk
        .run(&["endpoint", "hold", "mirror", "--until", &until.to_string(), "--reason", "new disks"])
        .is(0);
    city.sor.cut();
    let receipt = desk.submit_application("1 ELM ST");
    let _ = desk.run(&["drain"]);
    assert_eq!((city.breaker("mirror").as_str(), city.mirror.effects()), ("open", 0));
    let _ = desk.run(&["endpoint", "release", "mirror"]).is(0);
    desk.drain_to_empty();
    assert!(city.mirror.ledger().has(&receipt.key));
    desk.assert_audit_holds();
}

#[test]
fn an_old_vendors_system_is_set_up_with_no_mirror_that_records() {
    let folder = folder_on_disk();
    let sor = Sor::start_old_vendor(&folder.path().join("sor.sqlite"));
    let desk = Desk::in_folder(folder.path());
    let url = sor.url();
    let init =
        ["init", "--sor", &url, "--mirror", &url, "--mirror-is", "authoritative", "--station", "front-1"];
    let refused = desk.run(&[&init[..], &["--profile", "look-before-write"]].concat());
    assert_ne!(refused.code(), 0);
    assert!(!desk.data().exists());
}
