//! A window that starts while another program holds its data folder: a drain gives way, what stays is told apart by whose
//! it is. The programs are real: `cargo build -p holdfast-cli` first.

#![allow(clippy::unwrap_used)]

use std::fs::{Permissions, read_dir, set_permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
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
/// Two users of the computer by number, and the group of both.
const FIRST: u32 = 61_001;
const SECOND: u32 = 61_002;
const GROUP: u32 = 61_000;
/// Names the folder that this program opens as another user; no name of the configuration.
const AS_ANOTHER: &str = "OPENS_AS_ANOTHER";

fn watch(home: &Path) -> Child {
    holdfastctl(home, &["drain", "--watch", "--max-s", "50"]).stdin(Stdio::null()).spawn().unwrap()
}

/// Whether every user of this computer gets there: a checkout may lie where its owner alone does.
fn is_reachable(path: &Path) -> bool {
    path.ancestors().all(|folder| folder.metadata().is_ok_and(|folder| folder.mode() & 0o001 != 0))
}

/// A folder that other users may be let into.
fn folder_for_others() -> tempfile::TempDir {
    let beside = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let parent = if is_reachable(beside) { beside } else { Path::new("/var/tmp") };
    tempfile::tempdir_in(parent).unwrap()
}

/// A program where other users may run it.
fn program_for_others(program: &Path, home: &Path) -> PathBuf {
    if is_reachable(program) {
        return program.to_owned();
    }
    let copy = home.join(program.file_name().unwrap());
    std::fs::copy(program, &copy).unwrap();
    copy
}

fn holdfastctl(home: &Path, words: &[&str]) -> Command {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().unwrap().parent().unwrap().join("holdfastctl");
    assert!(program.is_file(), "build it first: cargo build -p holdfast-cli");
    let mut command = Command::new(program_for_others(&program, home));
    command.env_clear().env("HOME", home).arg("--data-dir").arg(home.join("station"));
    command.arg("--passphrase-file").arg(home.join("passphrase")).args(words);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
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
    assert_eq!(problem_at(home).await, StartProblem::InUse, "two windows hold no folder");
    assert!(desk.station().unwrap().status().is_ok(), "the first one works on");
    stop.ask();
    tokio::time::timeout(PATIENCE, loops).await.unwrap().unwrap();
    demo.end().await;
}

/// What a window is told that starts in this folder, in this process.
async fn problem_at(home: &Path) -> StartProblem {
    match start_window(home).await.map(drop).unwrap_err().view() {
        StartView::Problem { problem, .. } => problem,
        StartView::Ready => panic!("a view of what went wrong"),
    }
}

/// The folder is given to the group, and all that is in it to the first user.
fn give(home: &Path) {
    let own = |path: &Path| chown(path, Some(FIRST), Some(GROUP)).unwrap();
    set_permissions(home, Permissions::from_mode(0o711)).unwrap();
    // As everybody's own copy of the words: in this test they lie in one file.
    set_permissions(home.join("passphrase"), Permissions::from_mode(0o644)).unwrap();
    let data = home.join("station");
    for entry in read_dir(&data).unwrap() {
        own(&entry.unwrap().path());
    }
    own(&data);
    set_permissions(&data, Permissions::from_mode(0o2770)).unwrap();
}

/// Another user's window is another process: this program again, which then does nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn where_another_user_works_a_window_says_so_and_without_root_that_it_is_open_already() {
    if let Some(home) = std::env::var_os(AS_ANOTHER) {
        assert_eq!(problem_at(Path::new(&home)).await, StartProblem::OtherUser);
        return;
    }
    let folder = folder_for_others();
    let home = folder.path();
    std::fs::write(home.join("passphrase"), "made-up words for a test\n").unwrap();
    let place = Place::kept(home, &home.join("passphrase")).unwrap();
    let (station, demo) = open_at(place).await.unwrap();
    drop(station);
    let is_root = home.metadata().unwrap().uid() == 0;

    // It holds the folder until it is given a password, and has no reason to step aside.
    let mut holder = holdfastctl(home, &["sign-in", "--user", "clerk"]);
    if is_root {
        give(home);
        holder.uid(FIRST).gid(GROUP);
    }
    let mut holder = holder.stdin(Stdio::piped()).spawn().unwrap();
    until_listening(home).await;
    if is_root {
        let name = "where_another_user_works_a_window_says_so_and_without_root_that_it_is_open_already";
        let mut second = Command::new(program_for_others(&std::env::current_exe().unwrap(), home));
        second.args(["--exact", name]).env_clear().env("HOME", home).env(AS_ANOTHER, home);
        second.uid(SECOND).gid(GROUP);
        let told = tokio::task::spawn_blocking(move || second.output().unwrap()).await.unwrap();
        assert!(told.status.success(), "{told:?}");
        let said = String::from_utf8_lossy(&told.stdout).into_owned();
        assert!(said.contains("1 passed"), "{said}");
    } else {
        assert_eq!(problem_at(home).await, StartProblem::InUse);
    }
    holder.kill().unwrap();
    holder.wait().unwrap();
    demo.end().await;
}
