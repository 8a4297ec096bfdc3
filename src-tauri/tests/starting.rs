//! A window that starts while another program holds its data folder: a drain gives way, another window does not. The
//! programs are real: `cargo build -p holdfast-cli` first.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use holdfast_machine::{NotStarted, StartAsk, Started, start};
use holdfast_shell::demo::{Place, house, open_at};
use holdfast_shell::{AtWork, Desk, go_on};
use holdfast_station::Stop;
use holdfast_wire::{StartProblem, StartView};

const PATIENCE: Duration = Duration::from_secs(60);
const SOCKET: &str = "holdfast.sock";

fn watch(home: &Path) -> Child {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().unwrap().parent().unwrap().join("holdfastctl");
    assert!(program.is_file(), "build it first: cargo build -p holdfast-cli");
    let mut command = Command::new(program);
    command.env_clear().env("HOME", home).arg("--data-dir").arg(home.join("station"));
    command.arg("--passphrase-file").arg(home.join("passphrase")).args(["drain", "--watch", "--max-s", "50"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

async fn until_listening(home: &Path) {
    let began = Instant::now();
    while !home.join("station").join(SOCKET).exists() {
        assert!(began.elapsed() < PATIENCE, "nobody listens");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Opens the folder as a window does.
async fn start_window(home: &Path) -> Result<Started, NotStarted> {
    let ask = StartAsk {
        data_dir: Some(home.join("station")),
        config: None,
        passphrase_file: Some(home.join("passphrase")),
    };
    tokio::task::spawn_blocking(move || start(&ask, "holdfast", "0")).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drain_gives_way_to_a_window_that_starts_and_a_window_does_not() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let home = folder.path();
    std::fs::write(home.join("passphrase"), "made-up words for a test\n").unwrap();
    let place = Place::kept(home, &home.join("passphrase")).unwrap();
    let (station, demo) = open_at(place).await.unwrap();
    drop(station);

    let mut drain = watch(home);
    until_listening(home).await;
    let began = Instant::now();
    let Started { station, door, .. } = start_window(home).await.unwrap();
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
    let ended = tokio::task::spawn_blocking(move || drain.wait().unwrap()).await.unwrap();
    assert!(ended.code().is_some(), "it ended by itself, and said so: {ended}");

    let (stop, asked) = Stop::new();
    let at_work = AtWork { station, house: house(), log: None, door: Some(door), configuration: None };
    let desk = Desk::at(at_work, Arc::new(|_| ()), asked);
    let loops = tokio::spawn(go_on(desk.clone()));
    until_listening(home).await;
    let second = start_window(home).await.map(drop).unwrap_err().view();
    let StartView::Problem { problem, .. } = second else { panic!("two windows hold one folder") };
    assert_eq!(problem, StartProblem::InUse);
    assert!(desk.station().unwrap().status().is_ok(), "the first one works on");
    stop.ask();
    tokio::time::timeout(PATIENCE, loops).await.unwrap().unwrap();
    demo.end().await;
}
