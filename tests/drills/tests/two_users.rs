//! Two users of one computer, one data folder: each acts in their own name, whoever holds the lock, and nobody else is let in.
//!
//! As root the drill is two members of a group and a stranger, by number. Without root it is one user, twice: then what a
//! second user would be refused or given is not shown, and everything else is.

#![allow(clippy::unwrap_used)]

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::time::Duration;

use holdfast_drills::{Crew, Desk, Ended, Limits, Running, Silent, Sor, folder_for_others, until};
use serde_json::{Value, json};
use tempfile::TempDir;

const END_MAX: Duration = Duration::from_secs(60);
const SOCKET: &str = "holdfast.sock";

/// A computer that two users share.
struct Shared {
    crew: Crew,
    first: Desk,
    second: Desk,
    data: PathBuf,
    sor: Sor,
    folder: TempDir,
}

impl Shared {
    /// Set up by the first user in a folder that an administrator gave to the group; nobody is signed in for the second.
    fn set_up() -> Self {
        let crew = Crew::of_this_computer();
        let folder = folder_for_others();
        open_to(folder.path(), 0o711);
        let data = given_to_group(&folder.path().join("data"), &crew);
        let sor = Sor::start(&folder.path().join("sor.sqlite"));
        let desk_of = |name: &str, member| {
            let own = folder.path().join(name);
            std::fs::create_dir(&own).unwrap();
            Desk::in_folder(&own).of(member, &data)
        };
        let (first, second) = (desk_of("first", crew.first), desk_of("second", crew.second));
        first.open_at(&sor.url());
        for desk in [&first, &second] {
            desk.go_by(&Limits::default());
        }
        Self { crew, first, second, data, sor, folder }
    }

    /// The first user's drain holds the lock while the SoR hangs.
    fn held_by_first(&mut self) -> (Silent, Running) {
        let _ = self.first.submit_application("1 ASH ST");
        self.sor.kill();
        let hung = Silent::at(self.sor.address());
        let drain = self.first.start(&["drain", "--until-empty", "--max-s", "50"]);
        until("the drain waits for an answer", || (!hung.requests().is_empty()).then_some(()));
        (hung, drain)
    }

    fn actors(&self) -> Vec<String> {
        self.sor.ledger().effects.into_iter().map(|effect| effect.actor).collect()
    }
}

fn open_to(folder: &Path, mode: u32) {
    std::fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
}

fn given_to_group(folder: &Path, crew: &Crew) -> PathBuf {
    std::fs::create_dir(folder).unwrap();
    chown(folder, None, Some(crew.group)).unwrap();
    open_to(folder, 0o2770);
    folder.to_owned()
}

fn application(address: &str) -> String {
    json!({"kind": "application", "payload": {
        "OriginalAddress1": address, "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence",
        "WorkClassMapped": "Existing", "EstProjectCost": "2500.00"}})
    .to_string()
}

fn submit(desk: &Desk, address: &str) -> Ended {
    desk.run_with(&["submit", "-"], application(address).as_bytes())
}

/// What was refused, and with which code it ended.
fn refusal(ended: &Ended) -> (i32, Value) {
    (ended.code(), ended.json()["problems"][0]["code"].clone())
}

#[test]
fn each_acts_under_their_own_session_at_their_own_terminal_and_through_the_others_process() {
    let mut shared = Shared::set_up();
    let nobody = refusal(&submit(&shared.second, "9 ASH ST"));
    if shared.crew.are_two() {
        assert_eq!(nobody, (6, json!("not-signed-in")), "the first user's session is not the second's");
    } else {
        assert_eq!(nobody.0, 0, "one user alone has one session");
    }
    let (hung, drain) = shared.held_by_first();
    assert_eq!(
        refusal_or_receipt(&submit(&shared.second, "9 ASH ST")),
        nobody,
        "through the holder it is the same"
    );
    drop(hung);
    shared.sor.restart();
    let _ = drain.end_within(END_MAX).is(0);

    // While the first one's drain goes on, the second signs in: the password goes to the SoR alone, the session comes here.
    let watch = shared.first.start(&["drain", "--watch", "--max-s", "50"]);
    until("the drain listens", || shared.data.join(SOCKET).exists().then_some(()));
    shared.second.sign_in("supervisor");
    let before = shared.actors().len();
    let _ = submit(&shared.second, "2 ASH ST").is(0);
    let _ = submit(&shared.first, "3 ASH ST").is(0);
    until("both are recorded", || (shared.actors().len() >= before + 2).then_some(()));
    let who = shared.actors().split_off(before);
    if shared.crew.are_two() {
        assert_eq!(who, ["supervisor", "clerk"], "each in their own name, through one process");
    } else {
        assert_eq!(who, ["supervisor", "supervisor"], "one user alone has one session: the last");
    }

    // Its holder is killed; the other one opens what it left, and goes on in their own name.
    watch.kill();
    let _ = submit(&shared.second, "4 ASH ST").is(0);
    let _ = submit(&shared.first, "5 ASH ST").is(0);
    shared.second.drain_to_empty();
    let who = shared.actors().split_off(before + 2);
    assert_eq!(who[0], "supervisor");
    assert_eq!(who[1], if shared.crew.are_two() { "clerk" } else { "supervisor" });
    shared.first.assert_audit_holds();
    shared.second.assert_audit_holds();
}

fn refusal_or_receipt(ended: &Ended) -> (i32, Value) {
    refusal(ended)
}

#[test]
fn every_file_is_the_groups_whoever_made_it_and_whatever_their_umask() {
    let mut shared = Shared::set_up();
    shared.second.sign_in("clerk");
    let (_hung, drain) = shared.held_by_first();
    let _ = submit(&shared.second, "2 ASH ST").is(0);
    let mut seen = Vec::new();
    for entry in std::fs::read_dir(&shared.data).unwrap() {
        let entry = entry.unwrap();
        let is = entry.metadata().unwrap();
        let name = entry.file_name().into_string().unwrap();
        let wanted = if is.is_dir() { 0o2770 } else { 0o660 };
        assert_eq!(is.mode() & 0o7777, wanted, "{name}");
        assert_eq!(is.gid(), shared.crew.group, "{name}");
        seen.push(name);
    }
    for name in [
        "holdfast.db",
        "holdfast.db-wal",
        "holdfast.db-shm",
        "holdfast.lock",
        "keys.json",
        "head.json",
        SOCKET,
    ] {
        assert!(seen.iter().any(|seen| seen == name), "{name} is not in {seen:?}");
    }
    drain.kill();
    let _ = submit(&shared.second, "3 ASH ST").is(0);
    let logs: Vec<_> =
        std::fs::read_dir(shared.data.join("logs")).unwrap().map(|log| log.unwrap().file_name()).collect();
    for member in [shared.crew.first, shared.crew.second] {
        let own = format!("holdfastctl-{:010}.", member.uid());
        assert!(logs.iter().any(|log| log.to_string_lossy().starts_with(&own)), "{own} is not in {logs:?}");
    }
}

#[test]
fn a_stranger_reads_nothing_and_reaches_nobody_or_without_root_the_test_is_no_stranger() {
    let mut shared = Shared::set_up();
    let (_hung, mut drain) = shared.held_by_first();
    let Some(stranger) = shared.crew.stranger else {
        assert!(!shared.crew.are_two(), "only one who may be somebody else can be a stranger");
        return;
    };
    let own = shared.folder.path().join("stranger");
    std::fs::create_dir(&own).unwrap();
    let desk = Desk::in_folder(&own).of(stranger, &shared.data);
    for words in [&["status"][..], &["submit", "-"], &["drain"]] {
        let ended = desk.run_with(words, application("2 ASH ST").as_bytes()).is(1);
        assert!(!ended.stdout.contains("front-1"), "{ended:?}");
    }
    // The passphrase alone does not help, nor does a folder that was opened to everybody by mistake: it is refused then.
    open_to(&shared.data, 0o2775);
    assert_eq!(refusal(&desk.run(&["status"])), (1, json!("open-to-all")));
    open_to(&shared.data, 0o2770);
    assert!(drain.is_running());
    assert_eq!(shared.first.status()["books"]["accepted"], 1);
}

#[test]
fn a_folder_that_is_open_to_everybody_is_refused_before_anything_is_made_in_it() {
    let folder = folder_for_others();
    let desk = Desk::in_folder(folder.path());
    std::fs::create_dir(desk.data()).unwrap();
    for mode in [0o777, 0o1777, 0o2777, 0o2775] {
        open_to(&desk.data(), mode);
        let refused = desk.run(&["init", "--sor", "http://127.0.0.1:9", "--station", "front-1"]);
        assert_eq!(refusal(&refused), (1, json!("open-to-all")), "{mode:o}: {refused:?}");
        assert_eq!(std::fs::read_dir(desk.data()).unwrap().count(), 0);
        assert_eq!(desk.data().metadata().unwrap().mode() & 0o7777, mode, "nor is its mode changed");
    }
}
