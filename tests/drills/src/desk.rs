//! The desk: one station's data folder, and `holdfastctl` as people run it there.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use holdfast_store::{ArgonCost, change_passphrase};
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::ledger::Receipt;
use crate::member::Member;
use crate::program::{Ended, Running, program};
use crate::until::wait_max;

/// What opens the data folder of every drill.
pub const PASSPHRASE: &str = "seven-herons-over-the-mill";
/// Rows of one page of the queue.
const PAGE_ROWS: usize = 1_000;

/// Wraps the key of a data folder again, so that it is unlocked in no time: for folders that are opened hundreds of times,
/// and where a test has to be there as soon as the program. The key itself stays.
///
/// # Panics
/// The folder is not one that [`PASSPHRASE`] opens.
pub fn wrap_cheaply(data: &Path) {
    let cheap = ArgonCost { memory_kib: 64, passes: 1, lanes: 1 };
    change_passphrase(data, PASSPHRASE.as_bytes(), PASSPHRASE.as_bytes(), cheap).unwrap();
}

/// Settings of a desk: the shortened limits of a drill, and what a test changes of them. No rule is looser.
#[derive(Clone, Debug)]
pub struct Limits(Vec<(&'static str, String)>);

impl Default for Limits {
    fn default() -> Self {
        Self(Vec::new())
            .with("breaker_reset_s", 0.3)
            .with("attempt_backoff_base_s", 0.02)
            .with("attempt_backoff_max_s", 0.2)
            .with("first_drain_jitter_s", 0.0)
            .with("sor_timeout_s", 1.0)
            .with("sor_connect_timeout_s", 0.3)
    }
}

impl Limits {
    /// For tests that count requests: no attempt runs into its limit only because the machine is busy.
    #[must_use]
    pub fn patient() -> Self {
        Self::default().with("sor_timeout_s", 20.0).with("sor_connect_timeout_s", 5.0)
    }

    /// The same with another value of one of them.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: f64) -> Self {
        self.0.retain(|(other, _)| *other != name);
        self.0.push((name, format!("{value:?}")));
        self
    }

    /// The same with a count in place of one of them.
    #[must_use]
    pub fn with_count(mut self, name: &'static str, count: u32) -> Self {
        self.0.retain(|(other, _)| *other != name);
        self.0.push((name, count.to_string()));
        self
    }

    /// The same with a word in place of one of them.
    #[must_use]
    pub fn saying(mut self, name: &'static str, word: &str) -> Self {
        self.0.retain(|(other, _)| *other != name);
        self.0.push((name, format!("{word:?}")));
        self
    }

    fn toml(&self) -> String {
        self.0.iter().map(|(name, value)| format!("{name} = {value}\n")).collect()
    }
}

/// A data folder with its passphrase and configuration beside it.
#[derive(Clone, Debug)]
pub struct Desk {
    folder: PathBuf,
    data: PathBuf,
    run_by: Option<Member>,
    log_level: &'static str,
}

impl Desk {
    /// Writes passphrase and configuration into `folder`; the data folder is made by `init`.
    ///
    /// # Panics
    /// The folder cannot be written.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        let desk =
            Self { folder: folder.to_owned(), data: folder.join("data"), run_by: None, log_level: "info" };
        desk.go_by(&Limits::default());
        desk.write_passphrase(PASSPHRASE);
        desk
    }

    /// The same for a user of this computer, over a data folder that others use too.
    ///
    /// # Panics
    /// Their files cannot be given to them.
    #[must_use]
    pub fn of(self, member: Member, data: &Path) -> Self {
        member.own(&self.folder, 0o700);
        for name in ["config.toml", "passphrase"] {
            member.own(&self.folder.join(name), 0o600);
        }
        Self { data: data.to_owned(), run_by: Some(member), ..self }
    }

    /// The next commands go by these.
    ///
    /// # Panics
    /// The configuration cannot be written.
    pub fn go_by(&self, limits: &Limits) {
        std::fs::write(self.folder.join("config.toml"), limits.toml()).unwrap();
    }

    /// The same with a log that says everything.
    #[must_use]
    pub fn talkative(self) -> Self {
        Self { log_level: "trace", ..self }
    }

    /// The next commands open the data with this.
    ///
    /// # Panics
    /// The file cannot be written.
    pub fn write_passphrase(&self, passphrase: &str) {
        let path = self.folder.join("passphrase");
        std::fs::write(&path, format!("{passphrase}\n")).unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    }

    /// The data folder.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.data.clone()
    }

    /// `holdfastctl` at this desk, in an environment of its own.
    #[must_use]
    pub fn command(&self, words: &[&str]) -> Command {
        self.command_over(&self.data(), words)
    }

    fn command_over(&self, data: &Path, words: &[&str]) -> Command {
        let program = program("holdfastctl");
        let mut command =
            self.run_by.map_or_else(|| Command::new(&program), |member| member.command(&program));
        command.env_clear().env("HOME", &self.folder).env("HOLDFAST_LOG", self.log_level);
        command.arg("--data-dir").arg(data);
        for name in ["config.toml", "passphrase"] {
            let option = if name == "passphrase" { "--passphrase-file" } else { "--config" };
            command.arg(option).arg(self.folder.join(name));
        }
        command.args(words);
        command
    }

    /// Starts a command that answers with JSON.
    #[must_use]
    pub fn start(&self, words: &[&str]) -> Running {
        Running::start(self.command(words).arg("--json"), b"")
    }

    /// Runs a command that answers with JSON.
    #[track_caller]
    #[must_use]
    pub fn run(&self, words: &[&str]) -> Ended {
        self.run_with(words, b"")
    }

    /// The same with something on stdin.
    #[track_caller]
    #[must_use]
    pub fn run_with(&self, words: &[&str], input: &[u8]) -> Ended {
        Running::start(self.command(words).arg("--json"), input).end_within(wait_max())
    }

    /// Runs a command that answers a person.
    #[track_caller]
    #[must_use]
    pub fn run_plain(&self, words: &[&str]) -> Ended {
        Running::start(&mut self.command(words), b"").end_within(wait_max())
    }

    /// Runs a command over another data folder with the same passphrase.
    #[track_caller]
    #[must_use]
    pub fn run_over(&self, data: &Path, words: &[&str]) -> Ended {
        Running::start(self.command_over(data, words).arg("--json"), b"").end_within(wait_max())
    }

    /// Sets the station up and signs the clerk in, with all the time that a busy machine may need.
    #[track_caller]
    pub fn open_at(&self, sor_url: &str) {
        self.go_by(&Limits::patient());
        let _ = self.run(&["init", "--sor", sor_url, "--station", "front-1"]).is(0);
        self.sign_in("clerk");
    }

    /// The same for a station of another name, with nobody signed in.
    #[track_caller]
    pub fn enrol_at(&self, sor_url: &str, station: &str) {
        self.go_by(&Limits::patient());
        let _ = self.run(&["init", "--sor", sor_url, "--station", station]).is(0);
    }

    /// The same at an SoR without keys.
    #[track_caller]
    pub fn open_at_old_vendor(&self, sor_url: &str) {
        self.go_by(&Limits::patient());
        let init = ["init", "--sor", sor_url, "--station", "front-1", "--profile", "look-before-write"];
        let _ = self.run(&init).is(0);
        self.sign_in("clerk");
    }

    /// Signs one of the made-up people in.
    #[track_caller]
    pub fn sign_in(&self, user: &str) {
        let _ = self.run_with(&["sign-in", "--user", user], format!("demo-{user}\n").as_bytes()).is(0);
    }

    /// Submits one operation.
    #[track_caller]
    #[must_use]
    pub fn submit(&self, operation: &Value) -> Receipt {
        let ended = self.run_with(&["submit", "-"], operation.to_string().as_bytes()).is(0);
        Receipt::deserialize(ended.json()).unwrap()
    }

    /// Submits a made-up application at an address.
    #[track_caller]
    #[must_use]
    pub fn submit_application(&self, address: &str) -> Receipt {
        self.submit(&json!({"kind": "application", "payload": {
            "OriginalAddress1": address, "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence",
            "WorkClassMapped": "Existing", "EstProjectCost": "2500.00"}}))
    }

    /// Submits a made-up application at an address; the receipt whole.
    #[track_caller]
    #[must_use]
    pub fn submit_numbered(&self, address: &str) -> Value {
        let document = json!({"kind": "application", "payload": {
            "OriginalAddress1": address, "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence"}});
        self.run_with(&["submit", "-"], document.to_string().as_bytes()).is(0).json()
    }

    /// Moves an application on.
    #[track_caller]
    #[must_use]
    pub fn submit_stage(&self, application: &Receipt, to: &str) -> Receipt {
        let id = &application.application_id;
        self.submit(&json!({"kind": "stage", "application_id": id, "payload": {"to": to}}))
    }

    /// Imports a file; some of its rows may be refused.
    #[track_caller]
    #[must_use]
    pub fn import(&self, file: &Path) -> Value {
        let ended = self.run(&["import", file.to_str().unwrap()]);
        assert!([0, 6].contains(&ended.code()), "{ended:?}");
        ended.json()
    }

    /// The status, in whatever mode.
    #[track_caller]
    #[must_use]
    pub fn status(&self) -> Value {
        let ended = self.run(&["status"]);
        assert!([0, 3].contains(&ended.code()), "{ended:?}");
        ended.json()
    }

    /// The state of the primary's breaker.
    #[track_caller]
    #[must_use]
    pub fn breaker(&self) -> String {
        self.status()["breakers"][0]["state"].as_str().unwrap().to_owned()
    }

    /// What is not disposed of, in the order of work.
    #[track_caller]
    #[must_use]
    pub fn queue(&self) -> Vec<Value> {
        let mut rows = Vec::new();
        loop {
            let skip = rows.len().to_string();
            let page = self.run(&["queue", "list", "--skip", &skip]).is(0).json();
            let page = page["operations"].as_array().unwrap();
            rows.extend(page.iter().cloned());
            if page.len() < PAGE_ROWS {
                return rows;
            }
        }
    }

    /// The receipts of what is not disposed of.
    #[track_caller]
    #[must_use]
    pub fn waiting(&self) -> Vec<Receipt> {
        self.queue().iter().map(|row| Receipt::deserialize(row).unwrap()).collect()
    }

    /// Drains until nothing is left.
    ///
    /// # Panics
    /// Something is left.
    #[track_caller]
    pub fn drain_to_empty(&self) -> Value {
        self.run(&["drain", "--until-empty", "--max-s", "50"]).is(0).json()
    }

    /// All that is stored holds, and every decision follows from its inputs.
    ///
    /// # Panics
    /// Something does not.
    #[track_caller]
    pub fn assert_audit_holds(&self) {
        let _ = self.run(&["audit", "verify"]).is(0);
        let replayed = self.run(&["audit", "replay"]).is(0).json();
        assert_eq!(replayed["agrees"], true, "{replayed}");
    }
}
