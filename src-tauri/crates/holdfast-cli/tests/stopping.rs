//! What is asked to stop stops where it can be stopped, and says how far it came.

#![allow(clippy::unwrap_used)]

mod world;

use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use world::{Ended, World, ended_child};

const APPLICATION: &str =
    r#"{"kind":"application","payload":{"OriginalAddress1":"12 OAK ST","PIN":["0010-22-417"]}}"#;
/// Longer than anything here takes, unless it hangs.
const WAIT_MAX_S: u64 = 120;
const ROWS: usize = 3_000;

#[test]
fn a_drain_that_is_asked_to_stop_finishes_its_attempt_and_reports() {
    let mut world = World::at_work();
    world.submit(APPLICATION).is(0);
    let listener = in_place_of_the_sor(&mut world);
    let child = spawn(&world, &["drain", "--until-empty", "--max-s", "60"]);
    let _held_open = until("the drain asks the SoR", || listener.accept().ok());
    let drained = terminate(child).is(3).json();
    assert_eq!((&drained["pending"], &drained["stopped_because"]), (&1.into(), &"time".into()));
    let books = &world.run(&["status"]).json()["books"];
    assert_eq!((&books["pending"], &books["in_flight"]), (&1.into(), &0.into()), "nothing stays in flight");
}

#[test]
fn an_import_that_is_asked_to_stop_reports_what_is_accepted_and_goes_on_from_there() {
    let world = World::at_work();
    let rows: String = (0..ROWS).map(|n| format!("A-{n},{n} OAK ST,77\n")).collect();
    let file = world.write("many.csv", format!("PermitNum,OriginalAddress1,PIN\n{rows}").as_bytes());
    let child = spawn(&world, &["import", file.to_str().unwrap()]);
    until("a row is accepted", || (world.run(&["status"]).json()["books"]["accepted"] != 0).then_some(()));
    let report = terminate(child).is(1).says("asked to").json();
    let accepted = report["accepted"].as_u64().unwrap();
    assert!(0 < accepted && accepted < ROWS as u64, "{accepted} of {ROWS}");
    assert_eq!(world.run(&["status"]).json()["books"]["accepted"], accepted);

    let limit = (accepted + 5).to_string();
    let report = world.run(&["import", file.to_str().unwrap(), "--limit", &limit]).is(0).json();
    assert_eq!((&report["already"], &report["accepted"]), (&accepted.into(), &5.into()));
}

#[test]
fn the_counter_opens_no_connection_to_the_sor() {
    let mut world = World::at_work();
    let listener = in_place_of_the_sor(&mut world);
    world.submit(APPLICATION).is(0);
    let file = world.write("one.csv", b"PermitNum,OriginalAddress1,PIN\nA-1,12 OAK ST,77\n");
    world.run(&["import", file.to_str().unwrap()]).is(0);
    world.run(&["status"]).is(0);
    world.run(&["contract", "status"]).is(0);
    assert_eq!(listener.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock, "somebody connected");
}

#[test]
fn an_import_of_a_thousand_and_more_says_how_far_it_came_in_plain_lines() {
    let world = World::at_work();
    let rows: String = (0..1_050).map(|n| format!("A-{n},{n} OAK ST,77\n")).collect();
    let file = world.write("many.csv", format!("PermitNum,OriginalAddress1,PIN\n{rows}").as_bytes());
    let imported = world.run(&["import", file.to_str().unwrap()]).is(0);
    let lines: Vec<&str> = imported.stderr.lines().collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("accepted 1000 of about 1") && !lines[0].contains('\u{1b}'), "{lines:?}");
}

/// Accepts connections where the SoR was, and never answers.
fn in_place_of_the_sor(world: &mut World) -> TcpListener {
    let address = world.sor_url().trim_start_matches("http://").to_owned();
    world.stop_sor();
    let listener = until("the SoR's address is free", || TcpListener::bind(&address).ok());
    listener.set_nonblocking(true).unwrap();
    listener
}

fn spawn(world: &World, arguments: &[&str]) -> Child {
    let mut command = world.started();
    command.arg("--json").args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn terminate(child: Child) -> Ended {
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    ended_child(child)
}

fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(began.elapsed() < Duration::from_secs(WAIT_MAX_S), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
