//! The city's GIS is away and its permit system is not: permits go straight through, with what was copied of their parcels and
//! how old that is.

#![allow(clippy::unwrap_used)]

use holdfast_drills::{Desk, Limits, Running, Sor, folder_on_disk, until};
use serde_json::{Value, json};
use tempfile::TempDir;

const KNOWN: &str = "0010-22-401";
const UNKNOWN: &str = "9999-99-999";

/// A station whose permit system and GIS are two programs.
struct City {
    desk: Desk,
    sor: Sor,
    gis: Sor,
    _folder: TempDir,
}

/// The copy is old after a second, so that the GIS is asked again and again.
fn limits() -> Limits {
    Limits::default().with_count("parcels_refresh_interval_s", 1)
}

impl City {
    fn at_work() -> Self {
        let folder = folder_on_disk();
        let sor = Sor::start(&folder.path().join("sor.sqlite"));
        let gis = Sor::start_gis(&folder.path().join("gis.sqlite"));
        let desk = Desk::in_folder(folder.path());
        desk.go_by(&Limits::patient());
        let (sor_url, gis_url) = (sor.url(), gis.url());
        let _ = desk.run(&["init", "--sor", &sor_url, "--gis", &gis_url, "--station", "front-1"]).is(0);
        desk.sign_in("clerk");
        desk.go_by(&limits());
        Self { desk, sor, gis, _folder: folder }
    }

    fn breaker(&self, endpoint: &str) -> String {
        let status = self.desk.status();
        let breakers = status["breakers"].as_array().unwrap();
        let breaker = breakers.iter().find(|breaker| breaker["endpoint"] == endpoint);
        breaker.map_or_else(|| "closed".to_owned(), |breaker| breaker["state"].as_str().unwrap().to_owned())
    }

    fn until_gis_is(&self, state: &str) {
        until(&format!("the breaker of the GIS is {state}"), || (self.breaker("gis") == state).then_some(()));
    }

    fn copied_at(&self) -> Option<String> {
        self.desk.status()["parcels"]["copied_at"].as_str().map(str::to_owned)
    }

    fn parcel(&self, pin: &str) -> Value {
        self.desk.run(&["parcels", "show", pin]).is(0).json()["parcels"][0].clone()
    }

    /// Hands in a permit on a parcel; the receipt whole.
    fn submit(&self, pin: &str) -> Value {
        let document = json!({"kind": "application", "payload": {
            "OriginalAddress1": "12 OAK ST", "PIN": [pin], "PermitTypeMapped": "Fence"}});
        self.desk.run_with(&["submit", "-"], document.to_string().as_bytes()).is(0).json()
    }

    /// What the application says of its parcel.
    fn seen(&self, receipt: &Value) -> Value {
        let id = receipt["application_id"].as_str().unwrap();
        self.desk.run(&["applications", "show", id]).is(0).json()["parcels"][0].clone()
    }

    fn until_effects(&self, count: usize) {
        until(&format!("{count} effects are there"), || (self.sor.effects() >= count).then_some(()));
    }

    /// Only the GIS is away: its breaker is open, and nothing else is said of anything.
    fn assert_only_gis_is_away(&self) {
        let status = self.desk.run(&["status"]).is(0).json();
        assert_eq!(status["mode"], "normal", "{status}");
        assert_eq!(self.breaker("primary"), "closed");
        assert_ne!(self.breaker("gis"), "closed");
        let outages = self.desk.run(&["outages", "list"]).is(0).json();
        let outages = outages["rows"].as_array().unwrap();
        let endpoints: Vec<_> = outages.iter().map(|outage| outage["endpoint"].as_str().unwrap()).collect();
        assert_eq!(endpoints, ["gis"], "{outages:?}");
    }
}

/// Sends what is handed in, and looks after the parcels beside it, until it is stopped.
fn watching(desk: &Desk) -> Running {
    desk.start(&["drain", "--watch", "--max-s", "120"])
}

#[test]
fn with_the_gis_hung_and_then_down_a_permit_goes_straight_through_with_its_cached_parcel_and_the_age() {
    let mut city = City::at_work();
    let drain = watching(&city.desk);
    let copied = until("parcels are copied", || city.copied_at());
    assert_eq!(city.parcel(KNOWN)["zoning"], "R-2");

    city.gis.put(&[json!({"do": "timeout"})]);
    city.until_gis_is("open");
    let copied_last = city.copied_at().unwrap();
    assert!(copied_last >= copied);
    let permit = city.submit(KNOWN);
    assert_eq!((&permit["route"], &permit["warnings"]), (&json!("direct"), &Value::Null), "{permit}");
    city.until_effects(1);
    let (told, seen) = (&permit["parcels"][0], city.seen(&permit));
    assert_eq!(
        (&told["zoning"], &told["as_of"]),
        (&json!("R-2"), &json!(copied_last)),
        "the receipt says it, too"
    );
    assert_eq!((&seen["seen"], &seen["zoning"]), (&json!("known"), &json!("R-2")));
    assert_eq!(seen["overlays"], json!(["Flood zone AE"]));
    assert_eq!((&seen["as_of"], seen["age_s"].is_u64()), (&json!(copied_last), true), "{seen}");
    city.assert_only_gis_is_away();

    city.gis.kill();
    let stranger = city.submit(UNKNOWN);
    assert_eq!(stranger["route"], "direct", "{stranger}");
    let warning = &stranger["warnings"][0];
    assert_eq!((&warning["code"], &warning["pointer"]), (&json!("parcel-unknown"), &json!("/payload/PIN/0")));
    city.until_effects(2);
    city.assert_only_gis_is_away();

    city.gis.restart();
    city.gis.put_parcel(KNOWN, &json!({"zoning": "C-2", "address": "12 OAK ST"}));
    city.until_gis_is("closed");
    until("the copy is fresh", || (city.parcel(KNOWN)["zoning"] == "C-2").then_some(()));
    assert!(city.copied_at().unwrap() > copied_last);
    assert_eq!(city.seen(&permit)["zoning"], "R-2", "what was seen stays as it was seen");
    drain.kill();
    city.desk.assert_audit_holds();
}

#[test]
fn with_the_gis_down_from_the_first_minute_permits_go_through_and_say_that_nothing_was_copied() {
    let city = City::at_work();
    city.gis.cut();
    let permit = city.submit(KNOWN);
    assert_eq!(
        (&permit["route"], &permit["warnings"][0]["code"]),
        (&json!("direct"), &json!("parcel-never-copied"))
    );
    let again = city.desk.run(&["drain"]).is(0).json();
    assert_eq!((&again["committed"], &again["stopped_because"]), (&json!(1), &json!("empty")), "{again}");
    assert_eq!(city.seen(&permit)["seen"], "never_copied");
    assert_eq!(city.desk.run(&["status"]).is(0).json()["mode"], "normal");
    assert_eq!(city.copied_at(), None);
    let refused = city.desk.run(&["parcels", "refresh"]);
    assert_eq!(refused.code(), 1, "{refused:?}");
    city.desk.assert_audit_holds();
    city.gis.mend();
    let refreshed = until("the GIS may be asked again", || {
        let ended = city.desk.run(&["parcels", "refresh"]);
        (ended.code() == 0).then(|| ended.json())
    });
    assert_eq!(refreshed["copy"]["usable"], true, "{refreshed}");
    assert_eq!(city.parcel(UNKNOWN)["warning"], "parcel-unknown");
    city.desk.assert_audit_holds();
}
