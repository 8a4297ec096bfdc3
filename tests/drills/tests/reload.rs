//! The configuration changes while a drain runs: it goes on under the new one, and the audit tells of it.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::time::{Duration, Instant};

use holdfast_drills::{Limits, Office, PASSPHRASE, Receipt, until};
use holdfast_store::tamper;
use serde_json::{Value, json};

/// Longer than any drill.
const LONG_S: f64 = 600.0;
/// What is asked of a drain that need not wait any longer.
const SOON: Duration = Duration::from_secs(20);

/// An office whose SoR is away, with applications waiting behind an open breaker.
fn away() -> (Office, Vec<Receipt>) {
    let office = Office::at_work(&Limits::default());
    let receipts = (1..=6).map(|n| office.desk.submit_application(&format!("{n} ELM ST"))).collect();
    office.desk.go_by(&long());
    office.sor.put(&[json!({"do": "refuse"})]);
    (office, receipts)
}

fn long() -> Limits {
    Limits::default().with("breaker_reset_s", LONG_S)
}

fn events(office: &Office, kind: &str) -> Vec<Value> {
    let events = tamper::events(&office.desk.data(), PASSPHRASE.as_bytes()).unwrap();
    let events = events.iter().map(|event| serde_json::from_str::<Value>(event).unwrap());
    events.filter(|event| event["kind"] == kind).collect()
}

fn changed(office: &Office, key: &str) -> Vec<Value> {
    let values = |event: &Value| event["data"]["values"].as_array().cloned().unwrap();
    let all = events(office, "configuration.changed");
    all.iter().flat_map(values).filter(|value| value["key"] == key).collect()
}

#[test]
fn a_drain_that_waits_goes_on_as_soon_as_a_shorter_wait_is_configured() {
    let (office, receipts) = away();
    let mut drain = office.desk.start(&["drain", "--until-empty", "--max-s", "300"]);
    office.until_breaker("open");
    office.sor.mend();
    assert!(drain.is_running());

    let began = Instant::now();
    office.desk.go_by(&long().with("breaker_reset_s", 0.5));
    let report = drain.end_within(Duration::from_secs(60)).is(0).json();
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    assert_eq!(report["pending"], 0, "{report}");

    office.assert_all_recorded(&receipts);
    let told = changed(&office, "breaker_reset_s").pop().unwrap();
    assert_eq!((told["before"].as_f64(), told["after"].as_f64()), (Some(LONG_S), Some(0.5)), "{told}");
    assert_eq!(told["takes_effect"], "now");
    let path = office.folder().join("config.toml");
    assert_eq!(told["origin"]["from"], "named_file", "{told}");
    assert_eq!(told["origin"]["path"], path.to_str().unwrap());
    let retimed = events(&office, "breaker.retimed");
    assert_eq!(retimed.last().unwrap()["data"]["endpoint"], "primary");
    office.desk.assert_audit_holds();
}

#[test]
fn a_wrong_value_is_refused_by_name_and_the_running_ones_stay() {
    let (office, receipts) = away();
    let path = office.folder().join("config.toml");
    let right = fs::read_to_string(&path).unwrap();
    let drain = office.desk.start(&["drain", "--watch", "--max-s", "300"]);
    office.until_breaker("open");

    fs::write(&path, format!("{right}\n[endpoint.mirror]\nprobe_window = 0\n")).unwrap();
    drain.hang_up();
    let refused = until("the fault is told", || events(&office, "configuration.refused").pop());
    assert_eq!(refused["data"]["file"], path.to_str().unwrap());
    assert_eq!(refused["data"]["key"], "endpoint.mirror.probe_window", "{refused}");
    let _ = office.desk.run(&["status"]).is(2);

    // The same fault again, and another one.
    drain.hang_up();
    fs::write(&path, "breaker_fail_maximum = 4\n").unwrap();
    drain.hang_up();
    let second = until("the next fault is told", || {
        let all = events(&office, "configuration.refused");
        all.into_iter().find(|event| event["data"]["key"] == "breaker_fail_maximum")
    });
    assert!(second["data"]["problem"].as_str().unwrap().contains("unknown field"), "{second}");
    assert_eq!(events(&office, "configuration.refused").len(), 2);

    // What it ran under is what it runs under, and the same file again changes nothing but that the fault is gone.
    let before = events(&office, "configuration.changed").len();
    fs::write(&path, &right).unwrap();
    drain.hang_up();
    let notices = |office: &Office| office.desk.status()["notices"].clone();
    until("the fault is forgotten", || {
        let told = notices(&office)
            .as_array()
            .unwrap()
            .iter()
            .any(|notice| notice["cause"] == "configuration_refused");
        (!told).then_some(())
    });
    assert_eq!(events(&office, "configuration.changed").len(), before);

    office.sor.mend();
    fs::write(&path, right.replace("600.0", "0.5")).unwrap();
    drain.hang_up();
    office.until_effects(receipts.len());
    drain.ask_to_stop();
    let _ = drain.end_within(Duration::from_secs(30)).is(0);
    office.desk.assert_audit_holds();
}

#[test]
fn what_changed_while_nothing_ran_is_told_at_the_next_start_and_only_once() {
    let office = Office::at_work(&Limits::default());
    let before = events(&office, "configuration.changed").len();
    office.desk.go_by(&Limits::default().with_count("probe_window", 7));
    let _ = office.desk.submit_application("1 ELM ST");
    let told = changed(&office, "probe_window");
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((&told[0]["before"], &told[0]["after"]), (&json!(3), &json!(7)));
    let _ = office.desk.submit_application("2 ELM ST");
    assert_eq!(changed(&office, "probe_window").len(), 1);
    assert_eq!(events(&office, "configuration.changed").len(), before + 1, "what stays is not told again");

    let shown = office.desk.run(&["configuration", "show"]).is(0).json();
    let values = shown["values"].as_array().unwrap();
    let value = values.iter().find(|value| value["key"] == "probe_window").unwrap();
    assert_eq!((&value["value"], &value["origin"]["from"]), (&json!(7), &json!("named_file")));
    office.desk.assert_audit_holds();
}
