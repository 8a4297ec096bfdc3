//! Ways for an SoR to be down, or not to be the one it should be: the drain waits or pauses, and nothing is set aside.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use holdfast_drills::{Limits, Office, Receipt, Sample};
use serde_json::{Value, json};

const DRAIN: [&str; 4] = ["drain", "--until-empty", "--max-s", "50"];
/// What a backlog moves on by between two outages.
const EFFECTS_BETWEEN: usize = 8;

/// Each of them meets every request, tokens and signs of life included.
fn outages() -> [(&'static str, Value); 9] {
    let status = |status: u16, body: Value| json!({"do": "status", "status": status, "body": body});
    [
        ("refused", json!({"do": "refuse"})),
        ("silent", json!({"do": "timeout"})),
        ("reset", json!({"do": "reset"})),
        ("reset, and applied all the same", json!({"do": "reset", "commit_after_ms": 50})),
        ("a captive portal", json!({"do": "portal"})),
        ("redirected", json!({"do": "redirect"})),
        ("a gateway's 502", status(502, json!("<h1>Bad gateway</h1>"))),
        ("a proxy's 407", status(407, json!("sign in first"))),
        ("unavailable", status(503, json!({"type": "unavailable"}))),
    ]
}

fn late() -> Value {
    json!({"do": "slow", "delay_ms": 5, "on": {"path": "/v1/operations", "method": "POST"}})
}

#[test]
fn one_drain_comes_through_every_kind_of_outage_and_sets_nothing_aside() {
    let office = Office::at_work(&Limits::default().with("sor_timeout_s", 0.5));
    let accepted = office.accept_backlog(&Sample::committed());
    let mut drain = office.desk.start(&DRAIN);
    for (name, outage) in outages() {
        office.sor.put(&[late()]);
        office.until_effects(office.sor.effects() + EFFECTS_BETWEEN);
        office.sor.put(&[outage]);
        office.until_breaker("open");
        assert!(drain.is_running(), "{name}");
    }
    office.sor.mend();
    let report = drain.end_within(Duration::from_secs(70)).is(0).json();
    assert_eq!(report["quarantined"], 0, "nobody is asked because the SoR was down: {report}");
    office.assert_all_recorded(&accepted);
}

/// An office with `count` applications waiting.
fn with_waiting(count: usize) -> (Office, Vec<Receipt>) {
    let office = Office::at_work(&Limits::default());
    let receipts = (1..=count).map(|n| office.desk.submit_application(&format!("{n} YEW ST"))).collect();
    (office, receipts)
}

#[test]
fn a_refusal_of_the_station_pauses_the_drain_and_keeps_everything() {
    let (office, receipts) = with_waiting(4);
    let refused = |status: u16, kind: &str, path: &str| json!({"do": "status", "status": status, "body": {"type": kind}, "on": {"path": path, "method": "POST"}});
    let cases = [
        (refused(401, "unauthorized", "/v1/operations"), "unauthorized"),
        (refused(401, "unauthorized", "/v1/station-tokens"), "unauthorized"),
        (refused(403, "forbidden", "/v1/operations"), "paused"),
    ];
    for (fault, stopped) in cases {
        office.sor.put(&[fault]);
        let report = office.desk.run(&DRAIN).is(3).json();
        assert_eq!(
            (&report["stopped_because"], &report["pending"], &report["quarantined"]),
            (&json!(stopped), &json!(receipts.len()), &json!(0)),
            "{report}"
        );
    }
    assert_eq!(office.sor.effects(), 0);
    office.sor.mend();
    office.desk.drain_to_empty();
    office.assert_all_recorded(&receipts);
}

#[test]
fn another_sor_at_the_same_address_is_given_nothing() {
    let (mut office, receipts) = with_waiting(2);
    let right = office.sor.file().to_owned();
    office.sor.change_for(&office.folder().join("another.sqlite"));
    let report = office.desk.run(&["drain", "--until-empty", "--max-s", "3"]).is(3).json();
    assert_eq!((&report["pending"], &report["quarantined"]), (&json!(receipts.len()), &json!(0)), "{report}");
    assert_eq!(office.sor.effects(), 0);
    assert_eq!(office.sor.requests(), 0, "not even offered: it is not the one that was enrolled at");

    office.sor.change_for(&right);
    office.desk.drain_to_empty();
    office.assert_all_recorded(&receipts);
}
