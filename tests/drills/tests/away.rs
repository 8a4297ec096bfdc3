//! What surrounds an outage, over the command line: an idle SoR that goes away, an endpoint that a person holds, and
//! maintenance that the SoR announces (scenario 30).

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use holdfast_core::time::UtcMillis;
use holdfast_drills::{Limits, Office, until};
use serde_json::{Value, json};

fn now_ms() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

/// So many seconds from now, as the command line takes it.
fn in_s(seconds: i64) -> String {
    UtcMillis::from_millis(now_ms() + seconds * 1_000).unwrap().to_string()
}

fn seconds_until(at: &Value) -> i64 {
    let at: UtcMillis = at.as_str().unwrap().parse().unwrap();
    (at.millis() - now_ms()) / 1_000
}

/// The latest outage with its tries.
fn latest(office: &Office) -> Value {
    let all = office.desk.run(&["outages", "list"]).is(0).json();
    let id = all["rows"][0]["outage_id"].as_str().unwrap();
    office.desk.run(&["outages", "show", id]).is(0).json()
}

#[test]
fn an_idle_sor_that_goes_away_is_noticed_and_noticed_again_when_it_is_back() {
    let office = Office::at_work(&Limits::default().with("probe_interval_s", 0.1));
    let watching = office.desk.start(&["drain", "--watch"]);
    for _ in 0..2 {
        office.sor.cut();
        office.until_breaker("open");
        assert_eq!(office.desk.status()["mode"], "degraded");
        office.sor.mend();
        office.until_breaker("closed");
    }
    watching.ask_to_stop();
    let report = watching.end_within(Duration::from_secs(60)).is(0).json();
    assert_eq!(report["stopped_because"], "empty");
    let outage = latest(&office);
    assert_eq!(outage["outage"]["cause"], "probes_failed", "{outage}");
    assert!(outage["outage"]["closed_at"].is_string());
    let tries = outage["tries"].as_array().unwrap();
    assert_eq!(tries.last().unwrap()["outcome"], "alive", "{outage}");
    assert!(tries.iter().all(|tried| tried["what"] == "probe"), "nothing waited: {outage}");
    assert_eq!(office.desk.run(&["audit", "replay"]).is(0).json()["agrees"], true);
    office.desk.assert_audit_holds();
}

#[test]
fn what_is_handed_in_while_somebody_watches_is_recorded_after_the_outage() {
    let office = Office::at_work(&Limits::default());
    let receipts =
        vec![office.desk.submit_application("1 ASH ST"), office.desk.submit_application("2 ASH ST")];
    office.sor.cut();
    let watching = office.desk.start(&["drain", "--watch", "--max-s", "60"]);
    office.until_breaker("open");
    office.sor.mend();
    office.until_effects(2);
    watching.ask_to_stop();
    let _ = watching.end_within(Duration::from_secs(60)).is(0);
    office.assert_all_recorded(&receipts);
}

#[test]
fn a_supervisor_holds_the_endpoint_beforehand_and_releases_it() {
    let office = Office::at_work(&Limits::default());
    let until = in_s(3_600);
    let held =
        ["endpoint", "hold", "primary", "--until", &until, "--reason", "the vendor updates it on Saturday"];
    let _ = office.desk.run(&held).is(6);
    assert_eq!(office.desk.status()["mode"], "normal", "a clerk may not");

    office.desk.sign_in("supervisor");
    office.sor.cut();
    assert_eq!(office.desk.run(&held).is(0).json()["held"]["by"], "supervisor", "it needs no SoR");
    office.sor.mend();
    let receipt = office.desk.submit_application("3 ASH ST");
    let report = office.desk.run(&["drain", "--until-empty", "--max-s", "20"]).is(3).json();
    assert_eq!((&report["stopped_because"], &report["pending"]), (&json!("held"), &json!(1)));
    assert_eq!(office.sor.requests(), 0, "nothing is sent");
    let status = office.desk.run(&["status"]).is(3).json();
    assert_eq!((&status["mode"], &status["outages_open"]), (&json!("held"), &json!(1)));
    assert!(seconds_until(&status["breakers"][0]["next_try_at"]) > 3_500);
    let outage = latest(&office);
    assert_eq!(outage["holds"][0]["reason"], "the vendor updates it on Saturday");
    assert_eq!(
        (&outage["outage"]["cause"], &outage["outage"]["books"]["accepted"]),
        (&json!("held"), &json!(1))
    );

    let _ = office.desk.run(&["endpoint", "release", "primary"]).is(0);
    office.desk.drain_to_empty();
    office.assert_all_recorded(&[receipt]);
    let outage = latest(&office);
    assert!(
        outage["outage"]["closed_at"].is_string() && outage["holds"][0]["ended_at"].is_string(),
        "{outage}"
    );
    let _ = office.desk.run(&["endpoint", "release", "primary"]).is(6);
    let _ = office.desk.run(&["endpoint", "hold", "primary", "--until", &in_s(-5), "--reason", "late"]).is(6);
    assert_eq!(office.desk.run(&["audit", "replay"]).is(0).json()["agrees"], true);
}

#[test]
fn announced_maintenance_is_on_the_banner_and_in_the_register_from_the_first_minute() {
    // Limits as they are by default, but for the wait after the outage.
    let office = Office::at_work(&Limits::default().with("breaker_reset_s", 30.0));
    office.desk.sign_in("supervisor");
    let receipt = office.desk.submit_application("4 ASH ST");
    office.sor.put(&[json!({"do": "status", "status": 503, "retry_after": 3600})]);
    let report = office.desk.run(&["drain"]).is(3).json();
    assert_eq!((&report["pending"], &report["quarantined"]), (&json!(1), &json!(0)));

    let status = office.desk.run(&["status"]).is(3).json();
    assert_eq!((&status["mode"], &status["outages_open"]), (&json!("degraded"), &json!(1)));
    let next = seconds_until(&status["breakers"][0]["next_try_at"]);
    assert!((800..=900).contains(&next), "when the header says, but never later than 15 minutes: {next} s");
    let outage = latest(&office)["outage"].clone();
    assert_eq!(outage["cause"], "announced", "{outage}");
    assert!((3_500..=3_600).contains(&seconds_until(&outage["announced_until"])), "{outage}");

    let held = ["endpoint", "hold", "primary", "--until", &in_s(3_600), "--reason", "announced until seven"];
    let _ = office.desk.run(&held).is(0);
    assert_eq!(office.desk.status()["mode"], "held");
    assert_eq!(latest(&office)["holds"].as_array().unwrap().len(), 1, "in the same outage");
    let _ = office.desk.run(&["endpoint", "release", "primary"]).is(0);
    office.sor.mend();
    let later = office.desk.submit_application("5 ASH ST");
    let _ = office.desk.run(&["drain", "--until-empty", "--max-s", "3"]).is(3);
    assert!(latest(&office)["outage"]["closed_at"].is_string());
    office.sor.ledger().assert_exactly([later.key.as_str()]);
    // The one that was told to come later does, and is not asked of anybody.
    let waiting = office.desk.queue();
    assert_eq!((waiting.len(), &waiting[0]["idempotency_key"]), (1, &json!(receipt.key)));
    assert!((700..=900).contains(&seconds_until(&waiting[0]["waits_until"])), "{waiting:?}");
    assert_eq!(office.desk.run(&["audit", "replay"]).is(0).json()["agrees"], true);
    office.desk.assert_audit_holds();
}

#[test]
fn maintenance_that_only_signs_of_life_hear_of_is_noticed_within_the_first_minute() {
    let office = Office::at_work(&Limits::default());
    office.sor.put(&[json!({"do": "status", "status": 503, "retry_after": 3600})]);
    let mut watching = office.desk.start(&["drain", "--watch"]);
    let began = std::time::Instant::now();
    office.until_breaker("open");
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    assert!(watching.is_running());
    assert_eq!(latest(&office)["outage"]["cause"], "announced");
    let next = seconds_until(&office.desk.status()["breakers"][0]["next_try_at"]);
    assert!((800..=900).contains(&next), "{next} s");
    watching.ask_to_stop();
    let _ = watching.end_within(Duration::from_secs(60)).is(0);
    until("it is told", || (office.desk.status()["outages_open"] == 1).then_some(()));
}
