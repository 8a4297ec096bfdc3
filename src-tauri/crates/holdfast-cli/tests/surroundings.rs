//! When the folder, the key, the network or another process is in the way: a clear word, and nothing is touched.

#![allow(clippy::unwrap_used)]

mod world;

use std::path::Path;

use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_store::{Store, Unlock, add_keyring};
use reference_sor::EnrolmentRule;
use world::{World, ended, holdfastctl, web_page};

/// A public key (SPKI) that no reference SoR signs with.
const OTHER_OFFICE: &str = "MCowBQYDK2VwAyEAA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=";
const APPLICATION: &str =
    r#"{"kind":"application","payload":{"OriginalAddress1":"12 OAK ST","PIN":["0010-22-417"]}}"#;

#[test]
fn a_holder_of_the_lock_that_says_nothing_is_given_up_and_nothing_is_touched_and_a_reader_is_let_in() {
    let world = World::at_work();
    let now = Now { wall: UtcMillis::from_millis(1_900_000_000_000).unwrap(), boot: BootMillis(1) };
    let first = Store::open(&world.data_dir(), world.passphrase(), now).unwrap();
    let before = world.files();
    let writing: [&[&str]; 4] =
        [&["submit", "-"], &["drain"], &["contract", "refresh"], &["sign-in", "--user", "clerk"]];
    for command in writing {
        let ended = world.run_with(command, APPLICATION.as_bytes()).is(5).says("another process writes here");
        assert_eq!(ended.problems()[0].1, "in-use", "{command:?}");
    }
    let sample = world::sample("permits-sample.csv");
    world.run(&["import", sample.to_str().unwrap()]).is(5);
    let after = world.files();
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    for (path, bytes) in &before {
        assert!(*bytes == after[path], "{} was touched", path.display());
    }
    world.run(&["status"]).is(0);
    world.run(&["queue", "list"]).is(0);
    drop(first);
    world.submit(APPLICATION).is(0);
}

#[test]
fn a_wrong_key_opens_nothing_and_is_told_from_a_damaged_one() {
    let world = World::at_work();
    let before = world.files();
    let with_key = |file: &std::path::Path| {
        let mut command = holdfastctl();
        command.arg("--data-dir").arg(world.data_dir()).arg("--json").arg("--passphrase-file").arg(file);
        ended(command.arg("status"))
    };
    with_key(&world.write("wrong", b"another passphrase\n")).is(1).says("passphrase is wrong");
    with_key(&world.write("empty", b"\n")).is(2).says("is empty");
    with_key(&world.write("long", &[b'x'; 5_000])).is(2).says("longer than");
    with_key(&world.write("binary", &[0xff, 0xfe, b'\n'])).is(2).says("not UTF-8");
    with_key(&world.path("absent")).is(1).says("cannot be read");
    assert!(before == world.files());

    for damage in [&b"{}"[..], b"not json", b""] {
        std::fs::write(world.data_dir().join("keys.json"), damage).unwrap();
        let ended = with_key(&world.path("passphrase")).says("keys.json");
        assert!([1, 4].contains(&ended.code), "{ended:?}");
        assert_eq!(ended.problems().len(), 1);
    }
    std::fs::remove_file(world.data_dir().join("keys.json")).unwrap();
    with_key(&world.path("passphrase")).is(1).says("keys.json is missing");
}

#[test]
fn a_folder_that_no_keyring_opens_says_so_and_is_not_touched() {
    let world = World::at_work();
    let keyring = |folder: &Path| {
        let mut program = holdfastctl();
        program.args(["--key-provider", "keyring", "status", "--data-dir"]).arg(folder);
        // No bus, so that nobody's own keyring is asked.
        ended(program.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent"))
    };
    let folder = world.data_dir();
    let before = world.files();
    keyring(&folder).is(1).says("not stored with a keyring");
    assert_eq!(world.files(), before);
    add_keyring(&folder, world.passphrase(), &[7; 32]).unwrap();
    let before = world.files();
    keyring(&folder).is(1).says("no keyring on this desktop");
    keyring(&world.path("nowhere")).is(1).says("not set up");
    assert_eq!(world.files(), before);
    Store::open_beside(&folder, Unlock::Keyring(&[7; 32])).unwrap();
    Store::open_beside(&folder, world.passphrase()).unwrap();
}

#[test]
fn key_providers_of_later_versions_are_refused_plainly() {
    ended(holdfastctl().args(["--key-provider", "machine", "status"])).is(2).says("passphrase");
    ended(holdfastctl().arg("status")).is(2).says("--passphrase-file");
    ended(holdfastctl().args(["--key-provider", "memory", "status"])).is(2);
    ended(holdfastctl().arg("salvage")).is(2);
    let mistake = ended(holdfastctl().args(["--json", "salvage"])).is(2);
    assert_eq!(mistake.problems(), [(String::new(), "usage".to_owned())]);
    ended(&mut holdfastctl()).is(2);
}

#[test]
fn nothing_is_made_where_the_sor_is_not() {
    let world = World::new();
    let (page, thread) = web_page(1);
    world.run(&["init", "--sor", &page, "--station", "front-1"]).is(1).says("not a permit system");
    thread.join().unwrap();

    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    world.run(&["init", "--sor", &closed, "--station", "front-1"]).is(1).says("does not answer");

    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent_url = format!("http://{}", silent.local_addr().unwrap());
    world.run(&["init", "--sor", &silent_url, "--station", "front-1"]).is(1).says("does not answer");

    world.run(&["init", "--sor", "http://permits.example", "--station", "front-1"]).is(2).says("https://");
    world.run(&["init", "--sor", "permits", "--station", "front-1"]).is(2);
    world.run(&["init", "--sor", &closed, "--station", "front 1"]).is(2);
    let unknown = ["init", "--sor", &closed, "--station", "front-1", "--profile", "legacy"];
    world.run(&unknown).is(2).says("idempotent or look-before-write");
    world.run(&["status"]).is(1);
    assert!(!world.data_dir().exists());
}

#[test]
fn nothing_is_made_where_the_sor_refuses() {
    let codes = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    std::fs::write(codes.path(), "A1B2C3D4E5\n").unwrap();
    let world = World::with_enrolment(EnrolmentRule::ByCode(Some(codes.path().to_owned())));
    let url = world.sor_url();
    let init = ["init", "--sor", &url, "--station", "front-1", "--enrol-code-file"];
    world.run(&init[..5]).is(6).says("refuses to enrol");
    let wrong = world.write("code", b"not-the-code\n");
    world.run(&[&init[..], &[wrong.to_str().unwrap()]].concat()).is(6).says("refuses to enrol");
    assert!(!world.data_dir().exists());
    let right = world.write("code", b"A1B2C3D4E5\n");
    world.run(&[&init[..], &[right.to_str().unwrap()]].concat()).is(0);
}

#[test]
fn a_folder_in_memory_is_refused_before_the_sor_is_asked() {
    let is_tmpfs = std::process::Command::new("stat").args(["-f", "-c", "%T", "/dev/shm"]).output();
    if !is_tmpfs.is_ok_and(|output| output.stdout.starts_with(b"tmpfs")) {
        return;
    }
    let world = World::new();
    let in_memory = format!("/dev/shm/holdfast-test-{}", std::process::id());
    let mut command = holdfastctl();
    command.args(["--data-dir", &in_memory, "--passphrase-file"]).arg(world.path("passphrase"));
    // Nothing listens there: had it been asked, the answer would be another.
    let refused = ended(command.args(["init", "--sor", "http://127.0.0.1:9", "--station", "front-1"]));
    refused.is(1).says("tmpfs");
    assert!(!std::path::Path::new(&in_memory).exists());
}

#[test]
fn rules_of_another_office_than_the_named_one_are_not_taken_and_it_is_said_why() {
    let world = World::new();
    let pem = format!("-----BEGIN PUBLIC KEY-----\n{OTHER_OFFICE}\n-----END PUBLIC KEY-----\n");
    let key = world.write("office.pem", pem.as_bytes());
    let init = ["init", "--sor", &world.sor_url(), "--station", "front-1", "--contract-key"];
    let set_up = world.run(&[&init[..], &[key.to_str().unwrap()]].concat()).is(0);
    let set_up = set_up.says("without rules").says("not signed by the rules office");
    assert_eq!(set_up.json()["contract"]["valid"], false);
    world.run(&["contract", "refresh"]).is(6).says("not signed by the rules office");
    world.run(&["contract", "load", world.write("rules.json", b"{}").to_str().unwrap()]).is(6);
}

#[test]
fn a_folder_that_is_set_up_is_not_set_up_again() {
    let world = World::at_work();
    let before = world.files();
    world.run(&["init", "--sor", &world.sor_url(), "--station", "front-2"]).is(6).says("set up already");
    assert!(before == world.files());
}

#[test]
fn a_configuration_that_is_not_understood_is_refused_by_name() {
    let world = World::at_work();
    let status_with = |text: &str| {
        world.write("config.toml", text.as_bytes());
        world.run(&["status"])
    };
    status_with("breaker_fail_maximum = 4\n").is(2).says("unknown field `breaker_fail_maximum`");
    status_with("breaker_fail_max = 0\n").is(2).says("`breaker_fail_max` must be between 1 and 100");
    status_with("sor_timeout_s = \"soon\"\n").is(2).says("sor_timeout_s");
    status_with("= 4").is(2).says("config.toml");
    status_with("").is(0);
    // The limit of connecting, one second by default, is no obstacle to a shorter attempt.
    world.write("config.toml", b"sor_timeout_s = 1\n");
    world.run(&["contract", "refresh"]).is(0);
    std::fs::remove_file(world.path("config.toml")).unwrap();
    world.run(&["status"]).is(2).says("cannot be read");
}

#[test]
fn a_wrong_value_is_named_with_the_source_that_it_stands_in() {
    let world = World::at_work();
    let folder = world.path("xdg").join("holdfast");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), "breaker_fail_max = 0\n").unwrap();
    let status = |variables: &[(&str, &str)]| {
        let mut command = world.command();
        command.env("XDG_CONFIG_HOME", world.path("xdg")).envs(variables.iter().copied());
        ended(command.arg("status"))
    };
    // Each source is judged for itself, so that a wrong value does not wait behind another one for its day.
    status(&[]).is(2).says("xdg/holdfast/config.toml: line 1: `breaker_fail_max`");
    std::fs::write(folder.join("config.toml"), "breaker_fail_max = 2\n").unwrap();
    status(&[("HOLDFAST_BREAKER_FAIL_MAX", "none")]).is(2).says("the environment");
    status(&[("HOLDFAST_BREAKER_FAIL_MAX", "3"), ("HOLDFAST_LOG", "debug")]).is(0);
    status(&[("HOLDFAST_LOG", "loud")]).is(2).says("HOLDFAST_LOG");
}

#[test]
fn the_log_keeps_a_fortnight_of_files_and_gives_up_the_oldest() {
    let world = World::at_work();
    let logs = world.data_dir().join("logs");
    for day in 1..=28 {
        std::fs::write(logs.join(format!("holdfastctl.2020-02-{day:02}.jsonl")), "{}\n").unwrap();
    }
    world.submit(APPLICATION).is(0);
    let kept = std::fs::read_dir(&logs).unwrap().count();
    assert!((14..=15).contains(&kept), "{kept} files");
    let today: Vec<_> = std::fs::read_dir(&logs).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(today.iter().any(|name| !name.to_string_lossy().contains("2020-02")), "{today:?}");
}

#[test]
fn work_goes_on_without_a_log() {
    let world = World::at_work();
    let logs = world.data_dir().join("logs");
    std::fs::remove_dir_all(&logs).unwrap();
    std::fs::write(&logs, "in the way").unwrap();
    world.submit(APPLICATION).is(0).says("no log of this run");
}

#[test]
fn every_value_and_where_it_comes_from_is_told_without_a_data_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("city.toml");
    std::fs::write(&file, "city = \"Alder Falls\"\n\n[endpoint.gis]\nsor_timeout_s = 2.0\n").unwrap();
    let mut command = holdfastctl();
    command.env("XDG_CONFIG_HOME", folder.path()).env("HOLDFAST_ENDPOINT__GIS__PROBE_WINDOW", "9");
    command.arg("--config").arg(&file).args(["--json", "configuration", "show"]);
    let shown = ended(&mut command).is(0).json();
    let value = |key: &str| {
        let values = shown["values"].as_array().unwrap();
        values.iter().find(|value| value["key"] == key).unwrap_or_else(|| panic!("{key}: {shown}")).clone()
    };
    let city = value("city");
    assert_eq!((&city["value"], &city["takes_effect"]), (&"Alder Falls".into(), &"next_start".into()));
    let line = serde_json::json!({ "from": "named_file", "path": file, "line": 4 });
    assert_eq!(value("endpoint.gis.sor_timeout_s")["origin"], line);
    let variable = "HOLDFAST_ENDPOINT__GIS__PROBE_WINDOW";
    let environment = serde_json::json!({ "from": "environment", "variable": variable });
    assert_eq!(value("endpoint.gis.probe_window")["origin"], environment);
    assert_eq!(value("breaker_fail_max")["origin"]["from"], "default");
}
