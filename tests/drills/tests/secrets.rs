//! What lies on the disk in clear, and what the programs say, holds nothing of an applicant and no secret.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use holdfast_drills::{Desk, Ended, Limits, PASSPHRASE, Running, Sor, Tap, folder_on_disk, until};
use serde_json::{Value, json};

/// What an applicant and the city's people write, once each; none of it is a word that a program would use.
const APPLICATION: [(&str, &str); 12] = [
    ("ApplicantName", "Quillon Canary-Aa"),
    ("ApplicantPhone", "555-0199-77"),
    ("ApplicantEmail", "canary-ab@example.org"),
    ("OriginalAddress1", "7 CANARYAC LN"),
    ("OriginalAddress2", "Unit Canary-Ad"),
    ("Description", "A coop for Canary-Ae"),
    ("ContractorCompanyName", "Canary-Af Builders"),
    ("ContractorFullName", "Orsolya Canary-Ag"),
    ("ContractorPhone", "555-0188-66"),
    ("ContractorLicNum", "CANARY-AH-9"),
    ("ProjectName", "Canary-Ai Hall"),
    ("ProposedUse", "Canary-Aj keeping"),
];
/// In a stage's reason, an inspection's notes, answers of the SoR, a refused form, a broken document, rows of a file.
const ELSEWHERE: [&str; 8] =
    ["Canary-Ba", "Canary-Bb", "Canary-Bc", "Canary-Bd", "Canary-Be", "Canary-Bf", "Canary-Bg", "Canary-Bh"];
const PASSWORD: &str = "demo-clerk";
const DRAIN: [&str; 4] = ["drain", "--until-empty", "--max-s", "50"];

/// A station whose wire to the SoR is tapped, and everything that its programs said.
struct Watched {
    desk: Desk,
    sor: Sor,
    tap: Tap,
    said: Vec<(String, Ended)>,
    folder: tempfile::TempDir,
}

impl Watched {
    fn new() -> Self {
        let folder = folder_on_disk();
        let sor = Sor::start(&folder.path().join("sor.sqlite"));
        let tap = Tap::before(sor.address());
        let desk = Desk::in_folder(folder.path()).talkative();
        desk.go_by(&Limits::patient());
        Self { desk, sor, tap, said: Vec::new(), folder }
    }

    /// Runs a command as a person would, with a log that says all it can and files that anybody may read unless the
    /// program itself sees to it.
    fn run(&mut self, words: &[&str], input: &str, code: i32) {
        let running = Running::start(&mut careless(&self.desk.command(words)), input.as_bytes());
        let ended = running.end_within(Duration::from_secs(60)).is(code);
        self.said.push((words.join(" "), ended));
    }

    fn submit(&mut self, operation: &Value, code: i32) {
        self.run(&["submit", "-"], &operation.to_string(), code);
    }

    /// Every file that the programs left, but those that a test wrote and the SoR's own.
    fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        collect(self.folder.path(), &mut files);
        let own = |file: &PathBuf| {
            let name = file.file_name().unwrap().to_str().unwrap();
            name == "passphrase" || name == "rows.csv" || name.starts_with("sor.sqlite")
        };
        // What lies there while a program runs and is no file, as a socket, keeps nothing.
        files.retain(|file| file.is_file() && !own(file));
        files
    }

    fn assert_nothing_lies_in_clear(&self, needles: &BTreeSet<String>) {
        let files = self.files();
        for name in ["holdfast.db", "head.json", "keys.json"] {
            assert!(files.contains(&self.desk.data().join(name)), "{name} was searched");
        }
        assert!(
            files.iter().any(|file| file.starts_with(self.desk.data().join("logs"))),
            "the log was searched"
        );
        for file in files {
            let bytes = std::fs::read(&file).unwrap();
            for needle in needles {
                assert!(!holds(&bytes, needle), "{needle} lies in {}", file.display());
            }
        }
    }

    fn assert_nothing_was_said(&self, needles: &BTreeSet<String>) {
        for (words, ended) in &self.said {
            for needle in needles {
                assert!(
                    !ended.stderr.contains(needle.as_str()),
                    "{needle} in the talk of {words}: {}",
                    ended.stderr
                );
                assert!(
                    !ended.stdout.contains(needle.as_str()),
                    "{needle} in the data of {words}: {}",
                    ended.stdout
                );
            }
        }
    }
}

#[test]
fn nothing_of_an_applicant_and_no_secret_lies_in_clear_or_is_said() {
    let mut watched = Watched::new();
    journey(&mut watched);
    let needles = needles(&watched.tap);
    watched.assert_nothing_was_said(&needles);
    watched.assert_nothing_lies_in_clear(&needles);
    let sqlite = [watched.folder.path().join("sor.sqlite"), watched.folder.path().join("sor.sqlite-wal")];
    let sor: Vec<u8> = sqlite.iter().filter_map(|file| std::fs::read(file).ok()).flatten().collect();
    for (_, canary) in APPLICATION {
        assert!(holds(&watched.tap.bytes(), canary), "{canary} crossed the wire, so the search can find it");
        assert!(holds(&sor, canary), "{canary} lies in the SoR");
    }

    // The same while a log lies beside the database: its writer is killed.
    let stage = json!({"do": "timeout", "on": {"path": "/v1/operations"}});
    watched.submit(&application(), 0);
    watched.sor.put(&[stage]);
    let before = watched.sor.requests();
    let drain = Running::start(&mut careless(&watched.desk.command(&DRAIN)), b"");
    until("it is on its way", || (watched.sor.requests() > before).then_some(()));
    drain.kill();
    assert!(watched.desk.data().join("holdfast.db-wal").exists());
    watched.assert_nothing_lies_in_clear(&needles);
    assert_only_this_user_may_look(&watched.desk.data());
}

/// Work of every kind, accepted, refused, sent, set aside.
fn journey(watched: &mut Watched) {
    let url = watched.tap.url();
    watched.run(&["init", "--sor", &url, "--station", "front-1"], "", 0);
    watched.run(&["sign-in", "--user", "clerk"], &format!("{PASSWORD}\n"), 0);
    watched.run(&["sign-in", "--user", "clerk"], "demo-wrong\n", 6);
    watched.submit(&application(), 0);
    let receipt = watched.desk.waiting().remove(0);
    let id = &receipt.application_id;
    let stage = json!({"kind": "stage", "application_id": id, "payload": {"to": "PrelimReview"}});
    watched.submit(&stage, 0);
    let back =
        json!({"kind": "stage", "application_id": id, "payload": {"to": "Intake", "reason": ELSEWHERE[0]}});
    watched.submit(&back, 0);
    refused_input(watched);

    let answers = [
        json!({"do": "status", "status": 500, "body": format!("<p>{}</p>", ELSEWHERE[1]), "count": 1,
            "on": {"path": "/v1/operations"}}),
        json!({"do": "status", "status": 422, "count": 1, "on": {"path": "/v1/operations", "method": "POST", "nth": 4},
            "body": {"type": "validation", "title": ELSEWHERE[2], "detail": format!("{} has no {}", id, ELSEWHERE[3])}}),
    ];
    watched.sor.put(&answers);
    watched.run(&DRAIN, "", 0);
    assert_eq!(watched.desk.status()["books"]["quarantined"], 1, "the refusal was met");
    for words in [&["status"][..], &["queue", "list"], &["contract", "status"], &["audit", "verify"]] {
        watched.run(words, "", if words == ["status"] { status_code(watched) } else { 0 });
    }
    watched.run(&["queue", "show", "abc"], "", 2);
}

/// What is refused is not repeated.
fn refused_input(watched: &mut Watched) {
    let mut wrong = application();
    wrong["payload"]["EstProjectCost"] = json!(ELSEWHERE[4]);
    watched.submit(&wrong, 6);
    watched.run(&["submit", "-"], &format!("{{\"kind\": \"{}\"", ELSEWHERE[5]), 2);
    let rows = format!(
        "PermitNum,ApplicantName,EstProjectCost\n2026-1,{},ten\n2026-2,{},5.00\n2026-3,\"{}",
        ELSEWHERE[6], ELSEWHERE[7], ELSEWHERE[7]
    );
    let file = watched.folder.path().join("rows.csv");
    std::fs::write(&file, rows).unwrap();
    watched.run(&["import", file.to_str().unwrap()], "", 6);
}

/// The mode is not what this is about.
fn status_code(watched: &Watched) -> i32 {
    watched.desk.run(&["status"]).code()
}

fn application() -> Value {
    let mut payload =
        json!({"PIN": ["0010-22-417"], "PermitTypeMapped": "Fence", "EstProjectCost": "2500.00"});
    for (field, canary) in APPLICATION {
        payload[field] = json!(canary);
    }
    json!({"kind": "application", "payload": payload})
}

/// The canaries, what was typed as a secret, and every token that really crossed.
fn needles(tap: &Tap) -> BTreeSet<String> {
    let crossed = String::from_utf8_lossy(&tap.bytes()).into_owned();
    let after = |mark: &str| {
        let mut tokens = BTreeSet::new();
        for rest in crossed.split(mark).skip(1) {
            let token: String = rest.chars().take_while(|c| !matches!(c, '"' | '\r' | '\n')).collect();
            tokens.insert(token);
        }
        tokens
    };
    let tokens: BTreeSet<String> = [
        after("Bearer "),
        after("bearer "),
        after("\"access_token\":\""),
        after("\"assertion\":\""),
        after("\"jwt\":\""),
    ]
    .into_iter()
    .flatten()
    .collect();
    assert!(tokens.iter().any(|token| token.len() > 20), "tokens crossed the wire: {tokens:?}");
    let typed = [PASSPHRASE, PASSWORD, "demo-wrong"];
    let canaries = APPLICATION.iter().map(|(_, canary)| *canary).chain(ELSEWHERE).chain(typed);
    canaries.map(str::to_owned).chain(tokens).filter(|needle| needle.len() > 6).collect()
}

/// The same command under a umask that takes nothing away.
fn careless(command: &Command) -> Command {
    let mut careless = Command::new("/bin/sh");
    careless.env_clear().args(["-c", "umask 000; exec \"$0\" \"$@\""]).arg(command.get_program());
    careless.args(command.get_args());
    careless.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    careless
}

fn assert_only_this_user_may_look(folder: &Path) {
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let mut files = Vec::new();
    collect(folder, &mut files);
    assert!(files.len() >= 5, "{files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
        assert_eq!(mode(file.parent().unwrap()), 0o700, "{}", file.display());
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), files);
        } else {
            files.push(entry.path());
        }
    }
}

fn holds(bytes: &[u8], needle: &str) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle.as_bytes())
}
