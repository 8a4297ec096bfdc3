//! One office for one test: a data folder on a real disk, a passphrase, a configuration, an SoR on loopback, and
//! `holdfastctl` as people start it.

#![allow(dead_code, unreachable_pub)] // Each test file uses its part of this.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Output};
use std::thread::JoinHandle;

use assert_cmd::Command;
use reference_sor::{Database, EnrolmentRule, Running, Settings};
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// Shorter than in an office; no rule is looser.
const CONFIG: &str = "\
sor_timeout_s = 1.5
sor_connect_timeout_s = 0.5
breaker_reset_s = 0.2
first_drain_jitter_s = 0.0
attempt_backoff_base_s = 0.05
attempt_backoff_max_s = 0.2
";
/// No command of these tests takes longer, unless it hangs.
const COMMAND_MAX_S: u64 = 240;
const PASSPHRASE: &str = "correct horse battery staple";

/// The office.
pub struct World {
    runtime: Runtime,
    sor: Option<Running>,
    folder: TempDir,
}

/// How one command ended.
#[derive(Debug)]
pub struct Ended {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// What a person would look at to see whether anything changed.
#[derive(Debug, PartialEq)]
pub struct Books {
    status: Value,
    queue: Value,
    applications: Value,
    events: Value,
}

impl World {
    /// An office whose SoR answers and takes every station. Nothing is set up.
    pub fn new() -> Self {
        Self::with_enrolment(EnrolmentRule::Open)
    }

    /// The same, with another rule for who may enrol.
    pub fn with_enrolment(enrolment: EnrolmentRule) -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let runtime = Runtime::new().unwrap();
        let database = Database::Sqlite(folder.path().join("sor.sqlite"));
        let settings = Settings { enrolment, ..Settings::for_drill(database) };
        let sor = runtime.block_on(reference_sor::serve(settings)).unwrap();
        let world = Self { runtime, sor: Some(sor), folder };
        world.write("passphrase", format!("{PASSPHRASE}\n").as_bytes());
        world.write("config.toml", CONFIG.as_bytes());
        world
    }

    /// An office at work: enrolled, rules fetched, a clerk signed in.
    pub fn at_work() -> Self {
        let world = Self::new();
        world.run(&["init", "--sor", &world.sor_url(), "--station", "front-1"]).is(0);
        world.run_with(&["sign-in", "--user", "clerk"], b"demo-clerk\n").is(0);
        world
    }

    /// Where the SoR answers.
    pub fn sor_url(&self) -> String {
        self.sor.as_ref().unwrap().url.clone()
    }

    /// The SoR is gone.
    pub fn stop_sor(&mut self) {
        let sor = self.sor.take().unwrap();
        self.runtime.block_on(sor.stop());
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn data_dir(&self) -> PathBuf {
        self.path("data")
    }

    pub fn passphrase(&self) -> &'static [u8] {
        PASSPHRASE.as_bytes()
    }

    /// Writes a file that only this user can read.
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        path
    }

    /// Runs a command with the options of this office, as JSON.
    pub fn run(&self, arguments: &[&str]) -> Ended {
        self.run_with(arguments, b"")
    }

    pub fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Ended {
        let mut command = self.command();
        command.arg("--json").args(arguments).write_stdin(stdin.to_vec());
        ended(&mut command)
    }

    /// The same without `--json`.
    pub fn run_plain(&self, arguments: &[&str]) -> Ended {
        ended(self.command().args(arguments))
    }

    /// `holdfastctl` with the options of this office.
    pub fn command(&self) -> Command {
        let mut command = holdfastctl();
        let options = [
            ("--data-dir", self.data_dir()),
            ("--config", self.path("config.toml")),
            ("--passphrase-file", self.path("passphrase")),
        ];
        for (option, path) in options {
            command.arg(option).arg(path);
        }
        command
    }

    /// The same, to be started and waited for by the test.
    pub fn started(&self) -> std::process::Command {
        let command = self.command();
        let mut started = std::process::Command::new(command.get_program());
        started.args(command.get_args()).env_clear().env("HOME", env!("CARGO_TARGET_TMPDIR"));
        started
    }

    pub fn submit(&self, document: &str) -> Ended {
        self.run_with(&["submit", "-"], document.as_bytes())
    }

    /// What was accepted and decided so far.
    pub fn books(&self) -> Books {
        let mut status = self.run(&["status"]).json();
        // That something was refused is counted; the other two change with time alone.
        status["counts"].as_object_mut().unwrap().remove("refused");
        status.as_object_mut().unwrap().remove("headroom");
        status["contract"].as_object_mut().unwrap().remove("age_s");
        let audit = self.run(&["audit", "verify"]).is(0).json();
        Books {
            status,
            queue: self.run(&["queue", "list"]).is(0).json(),
            applications: self.run(&["applications", "list"]).is(0).json(),
            events: audit["hash"].clone(),
        }
    }

    /// Every file of the data folder with its bytes.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.data_dir(), &mut files);
        files
    }
}

impl Ended {
    /// The exit code is `code`.
    #[track_caller]
    pub fn is(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// stderr holds `text`.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "{text:?} is not in: {}", self.stderr);
        self
    }

    /// stdout as the one JSON document that it has to be.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|cause| panic!("{cause} in {:?}", self.stdout))
    }

    /// `(pointer, code)` of each problem on stdout.
    #[track_caller]
    pub fn problems(&self) -> Vec<(String, String)> {
        problems_of(&self.json())
    }
}

/// `(pointer, code)` of each of `problems`.
#[track_caller]
pub fn problems_of(holder: &Value) -> Vec<(String, String)> {
    let text = |problem: &Value, name: &str| problem[name].as_str().unwrap().to_owned();
    let problems = holder["problems"].as_array().unwrap().iter();
    problems.map(|problem| (text(problem, "pointer"), text(problem, "code"))).collect()
}

/// `holdfastctl` in an environment of its own.
pub fn holdfastctl() -> Command {
    let mut command = Command::cargo_bin("holdfastctl").unwrap();
    command.env_clear().env("HOME", env!("CARGO_TARGET_TMPDIR"));
    command.timeout(std::time::Duration::from_secs(COMMAND_MAX_S));
    command
}

pub fn ended(command: &mut Command) -> Ended {
    of_output(command.output().unwrap())
}

pub fn ended_child(child: Child) -> Ended {
    of_output(child.wait_with_output().unwrap())
}

fn of_output(output: Output) -> Ended {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ended { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// A made-up file of the repository.
pub fn sample(name: &str) -> PathBuf {
    repository().join("tests/samples").join(name)
}

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).unwrap().to_owned()
}

/// A web server that is no SoR: answers `requests` connections with a page, as a hotel's sign-in page does.
pub fn web_page(requests: usize) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let page = "<!doctype html><title>Welcome</title>";
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{page}",
        page.len()
    );
    let thread = std::thread::spawn(move || {
        for _ in 0..requests {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = [0; 4096];
            let _ = stream.read(&mut asked).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    (url, thread)
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            let bytes = std::fs::read(&path).unwrap();
            files.insert(path, bytes);
        }
    }
}
