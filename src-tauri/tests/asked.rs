//! Other programs of this computer while the window is open: `holdfastctl` works through the window's process, as behind
//! the real window but without one, and the page is told. The programs are real: `cargo build -p holdfast-cli` first.

#![allow(clippy::unwrap_used)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use holdfast_shell::demo::{Demo, Place, house, open_at};
use holdfast_shell::{AtWork, Desk, go_on};
use holdfast_station::{Stop, StopHandle};
use holdfast_wire::{DemoFault, StationEvent, Told, Topic};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Longest that anything may take here; far above what it does take.
const PATIENCE: Duration = Duration::from_secs(60);
const SOCKET: &str = "holdfast.sock";

struct Scene {
    desk: Desk,
    demo: Demo,
    heard: UnboundedReceiver<StationEvent>,
    stop: StopHandle,
    loops: JoinHandle<()>,
    folder: TempDir,
}

impl Scene {
    async fn open() -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let words = folder.path().join("passphrase");
        std::fs::write(&words, "made-up words for a test\n").unwrap();
        let (station, demo) = open_at(Place::kept(folder.path(), &words).unwrap()).await.unwrap();
        let (tell, heard) = unbounded_channel();
        let (stop, asked) = Stop::new();
        let at_work =
            AtWork { station, house: house(), log: None, door: Some(demo.door()), configuration: None };
        let desk = Desk::at(at_work, Arc::new(move |event| drop(tell.send(event))), asked);
        let loops = tokio::spawn(go_on(desk.clone()));
        let scene = Self { desk, demo, heard, stop, loops, folder };
        scene.until_listening().await;
        scene
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("station")
    }

    async fn until_listening(&self) {
        let listening = async {
            while !self.data().join(SOCKET).exists() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(PATIENCE, listening).await.unwrap();
    }

    /// Runs `holdfastctl` beside the window.
    async fn run(&self, words: &'static [&'static str], input: impl Into<Vec<u8>>) -> Output {
        let (home, data, input) = (self.folder.path().to_owned(), self.data(), input.into());
        tokio::task::spawn_blocking(move || run(&home, &data, words, &input)).await.unwrap()
    }

    async fn until_told(&mut self, topic: Topic) {
        let told = async {
            let is_of = |told: &Told| matches!(told, Told::Changed { topics } if topics.contains(&topic));
            while !is_of(&self.heard.recv().await.unwrap().told) {}
        };
        timeout(PATIENCE, told).await.unwrap();
    }

    async fn until_recorded(&self, count: u64) {
        let recorded = async {
            while self.desk.station().unwrap().status().unwrap().books.committed < count {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(PATIENCE, recorded).await.unwrap();
    }

    fn forget_what_was_told(&mut self) {
        while self.heard.try_recv().is_ok() {}
    }

    async fn close(self) {
        let socket = self.data().join(SOCKET);
        self.stop.ask();
        timeout(PATIENCE, self.loops).await.unwrap().unwrap();
        assert!(!socket.exists(), "nothing stays behind");
        self.demo.end().await;
    }
}

fn run(home: &Path, data: &Path, words: &[&str], input: &[u8]) -> Output {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().unwrap().parent().unwrap().join("holdfastctl");
    assert!(program.is_file(), "build it first: cargo build -p holdfast-cli");
    let mut command = Command::new(program);
    command.env_clear().env("HOME", home).arg("--data-dir").arg(data);
    command.arg("--passphrase-file").arg(home.join("passphrase")).args(words).arg("--json");
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    // Whoever ends early need not read what it was told.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn application(address: &str) -> String {
    json!({"kind": "application", "payload": {"OriginalAddress1": address, "PIN": ["0010-22-417"],
        "PermitTypeMapped": "Fence", "WorkClassMapped": "Existing", "EstProjectCost": "2500.00"}})
    .to_string()
}

/// The answer of a command that ended well.
fn said(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_program_hands_in_has_its_receipt_is_told_to_the_page_and_is_sent() {
    let mut scene = Scene::open().await;
    scene.forget_what_was_told();
    let receipt = said(&scene.run(&["submit", "-"], application("1 OAK ST")).await);
    assert_eq!(receipt["receipt_no"], "front-1-1");
    scene.until_told(Topic::Queue).await;
    scene.until_recorded(1).await;

    scene.demo.break_sor(DemoFault::Refuse).await.unwrap();
    for n in 2..=3 {
        said(&scene.run(&["submit", "-"], application(&format!("{n} OAK ST"))).await);
    }
    // It waits longer than the breaker does, until the window's own station has brought all of it.
    let drain = scene.run(&["drain", "--until-empty", "--max-s", "50"], "");
    let mend = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        scene.demo.mend_sor().await.unwrap();
    };
    let (drained, ()) = tokio::join!(drain, mend);
    assert_eq!(said(&drained)["stopped_because"], "empty");
    scene.until_recorded(3).await;
    scene.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_signs_in_at_the_terminal_is_signed_in_at_the_window_of_the_same_user() {
    let mut scene = Scene::open().await;
    assert_eq!(scene.desk.station().unwrap().session().unwrap().unwrap().actor, "clerk");
    scene.forget_what_was_told();
    let session = said(&scene.run(&["sign-in", "--user", "supervisor"], "demo-supervisor\n").await);
    assert_eq!(session["actor"], "supervisor");
    scene.until_told(Topic::Session).await;
    assert_eq!(scene.desk.station().unwrap().session().unwrap().unwrap().actor, "supervisor");
    let refused = scene.run(&["sign-in", "--user", "clerk"], "wrong\n").await;
    assert_ne!(refused.status.code(), Some(0), "{refused:?}");
    assert_eq!(scene.desk.station().unwrap().session().unwrap().unwrap().actor, "supervisor");
    scene.close().await;
}
