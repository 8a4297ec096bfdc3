//! The whole way of the work, as a person at a terminal goes it.

#![allow(clippy::unwrap_used)]

mod world;

use std::os::unix::fs::PermissionsExt as _;

use world::{World, ended, holdfastctl, sample};

const APPLICATION: &str =
    r#"{"kind":"application","payload":{"OriginalAddress1":"12 OAK ST","PIN":["0010-22-417"]}}"#;

#[test]
fn what_is_accepted_while_the_sor_is_away_is_recorded_once_and_can_be_looked_at_all_the_way() {
    let world = World::new();
    let set_up = world.run(&["init", "--sor", &world.sor_url(), "--station", "front-1"]).is(0).json();
    assert_eq!(set_up["station"], "front-1");
    assert!(set_up["identity"].is_string() && set_up["contract"]["valid"] == true, "{set_up}");

    let session = world.run_with(&["sign-in", "--user", "clerk"], b"demo-clerk\n").is(0).json();
    assert_eq!(session["actor"], "clerk");

    let receipt = world.submit(APPLICATION).is(0).json();
    assert_eq!((&receipt["receipt_no"], &receipt["route"]), (&"front-1-1".into(), &"direct".into()));
    let application_id = receipt["application_id"].as_str().unwrap();

    let file = sample("permits-sample.csv");
    let first = world.run(&["import", file.to_str().unwrap()]).is(6).json();
    assert_eq!((&first["accepted"], &first["already"]), (&118.into(), &0.into()));
    let lines: Vec<&serde_json::Value> =
        first["refused"].as_array().unwrap().iter().map(|row| &row["line"]).collect();
    assert_eq!(lines, [61, 62]);
    let second = world.run(&["import", file.to_str().unwrap()]).is(6).json();
    assert_eq!((&second["accepted"], &second["already"]), (&0.into(), &118.into()));

    let status = world.run(&["status"]).is(0).json();
    assert_eq!(
        status["books"],
        serde_json::json!({"accepted": 119, "pending": 119, "in_flight": 0, "committed": 0, "quarantined": 0, "voided": 0})
    );
    assert_eq!(status["breakers"][0]["state"], "closed");
    assert_eq!(status["backlog"]["count"], 119);
    for name in ["mode", "counts", "contract", "headroom", "outages_open"] {
        assert!(!status[name].is_null(), "{name}");
    }

    let page = world.run(&["queue", "list", "--skip", "1", "--rows", "2"]).is(0).json();
    let operations = page["operations"].as_array().unwrap();
    assert_eq!((operations.len(), &operations[0]["receipt_no"]), (2, &"front-1-2".into()));
    let key = receipt["idempotency_key"].as_str().unwrap();
    let shown = world.run(&["queue", "show", key]).is(0).json();
    assert_eq!(shown["body"]["payload"]["OriginalAddress1"], "12 OAK ST");

    let drained = world.run(&["drain", "--until-empty", "--max-s", "200"]).is(0).json();
    assert_eq!((&drained["committed"], &drained["stopped_because"]), (&119.into(), &"empty".into()));
    assert!(world.run(&["queue", "list"]).is(0).json()["operations"].as_array().unwrap().is_empty());
    let application = world.run(&["applications", "show", application_id]).is(0).json();
    assert!(application["record_id"].is_string(), "{application}");
    assert_eq!(application["operations"][0]["state"], "committed");
    assert_eq!(
        world.run(&["applications", "list"]).is(0).json()["applications"].as_array().unwrap().len(),
        119
    );

    let audit = world.run(&["audit", "verify"]).is(0).json();
    assert_eq!(audit["whole"], true);
}

#[test]
fn a_drain_that_cannot_reach_the_sor_says_so_and_loses_nothing() {
    let mut world = World::at_work();
    world.submit(APPLICATION).is(0);
    world.stop_sor();
    let drained = world.run(&["drain", "--until-empty", "--max-s", "2"]).is(3).json();
    assert_eq!((&drained["pending"], &drained["stopped_because"]), (&1.into(), &"time".into()));
    let status = world.run(&["status"]).is(3).json();
    assert_eq!((&status["mode"], &status["books"]["pending"]), (&"degraded".into(), &1.into()));
    let receipt = world.submit(APPLICATION).is(0).json();
    assert_eq!(receipt["route"], "defer");
}

#[test]
fn what_is_not_there_is_said_and_what_is_no_key_is_a_mistake() {
    let world = World::at_work();
    let key = "0".repeat(64);
    assert_eq!(world.run(&["queue", "show", &key]).is(6).problems()[0].1, "not-found");
    world.run(&["queue", "show", "front-1-1"]).is(2);
    world.run(&["applications", "show", "01932c6f-8f0a-7cc3-98a1-0242ac120003"]).is(6);
    world.run(&["applications", "show", "12 OAK ST"]).is(2);
}

#[test]
fn everything_that_is_shown_to_people_says_the_same_in_plain_text() {
    let world = World::at_work();
    world.submit(APPLICATION).is(0);
    let status = world.run_plain(&["status"]).is(0).stdout;
    assert!(
        status.starts_with("mode      normal\n") && status.contains("accepted 1 = pending 1"),
        "{status}"
    );
    let queue = world.run_plain(&["queue", "list"]).is(0).stdout;
    assert!(queue.starts_with("RECEIPT") && queue.contains("front-1-1"), "{queue}");
    assert!(world.run_plain(&["applications", "list"]).is(0).stdout.contains("12 OAK ST"));
    assert!(world.run_plain(&["contract", "status"]).is(0).stdout.contains("version 1"));
    let drained = world.run_plain(&["drain", "--until-empty", "--max-s", "200"]).is(0).stdout;
    assert!(drained.contains("recorded      1\n") && drained.contains("nothing is left"), "{drained}");
    assert!(world.run_plain(&["audit", "verify"]).is(0).stdout.contains("whole"));
}

#[test]
fn the_log_is_private_and_holds_no_applicant_data_and_no_secret() {
    let world = World::at_work();
    world.submit(&APPLICATION.replace("12 OAK ST", "917 ZEPHYRANTHES LN")).is(0);
    world.run(&["drain", "--until-empty", "--max-s", "200"]).is(0);
    let logs = world.data_dir().join("logs");
    assert_eq!(std::fs::metadata(&logs).unwrap().permissions().mode() & 0o777, 0o700);
    let mut text = String::new();
    for entry in std::fs::read_dir(&logs).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        text.push_str(&std::fs::read_to_string(path).unwrap());
    }
    for secret in ["ZEPHYRANTHES", "demo-clerk", "correct horse"] {
        assert!(!text.contains(secret), "the log holds {secret}");
    }
    for line in text.lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
    }
}

#[test]
fn damage_is_named_with_its_page_and_other_faults_are_no_damage() {
    let world = World::at_work();
    world.submit(APPLICATION).is(0);
    let whole = world.run(&["audit", "verify"]).is(0).json();
    assert_eq!((&whole["whole"], &whole["events"]), (&true.into(), &whole["head_seq"]));
    assert_eq!(whole["hash"].as_str().unwrap().len(), 64);

    let database = world.data_dir().join("holdfast.db");
    let mut bytes = std::fs::read(&database).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&database, &bytes).unwrap();
    let damaged = world.run(&["audit", "verify"]).is(4).json();
    assert_eq!((&damaged["whole"], &damaged["page"]), (&false.into(), &1.into()), "{damaged}");
    assert!(damaged["first_fault"].as_str().unwrap().contains("page 1"));
    assert!(world.run_plain(&["audit", "verify"]).is(4).stdout.contains("DOES NOT HOLD"));
    world.run(&["status"]).is(4).says("audit verify");
    world.submit(APPLICATION).is(4).says("audit verify");
    assert_eq!(std::fs::read(&database).unwrap(), bytes, "a damaged file may be the only copy");

    world.write("passphrase", b"another one");
    world.run(&["audit", "verify"]).is(1).says("passphrase is wrong");
    std::fs::remove_dir_all(world.data_dir()).unwrap();
    world.run(&["audit", "verify"]).is(1).says("is not set up");
}

#[test]
fn a_closed_pipe_ends_the_showing_and_nothing_else() {
    let world = World::at_work();
    let mut child = world
        .started()
        .args(["queue", "list"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn help_and_version_are_answers() {
    let help = ended(holdfastctl().arg("--help")).is(0).stdout;
    assert!(help.contains("Examples:") && help.contains("Exit codes:"), "{help}");
    let version = ended(holdfastctl().arg("--version")).is(0).stdout;
    assert_eq!(version, format!("holdfastctl {}\n", env!("CARGO_PKG_VERSION")));
}
