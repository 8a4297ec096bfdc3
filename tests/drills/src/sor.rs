//! The SoR as a program of its own: it can be cut, mended, killed, started again, and asked for its ledger.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

use serde_json::{Value, json};

use crate::exchange::ask;
use crate::ledger::Ledger;
use crate::program::{Running, program};
use crate::until::wait_max;

/// Ports are taken from below those that the operating system gives to callers, so that nobody takes one while its
/// server is down.
const PORTS: std::ops::Range<u16> = 15_000..31_000;
const PORT_TRIES_MAX: u32 = 50;

/// A running `reference-sor` with demo data, on a port that it keeps.
#[derive(Debug)]
pub struct Sor {
    /// None while it is down.
    running: Option<Running>,
    file: PathBuf,
    address: SocketAddr,
    drill: SocketAddr,
}

impl Sor {
    /// Starts it over a file that need not be there yet.
    ///
    /// # Panics
    /// No port of many can be had.
    #[must_use]
    pub fn start(file: &Path) -> Self {
        let mut port =
            PORTS.start + u16::try_from(std::process::id() % u32::from(PORTS.end - PORTS.start)).unwrap();
        for _ in 0..PORT_TRIES_MAX {
            let address = SocketAddr::from(([127, 0, 0, 1], port));
            if let Some((running, drill)) = serve(file, address) {
                return Self { running: Some(running), file: file.to_owned(), address, drill };
            }
            port = if port + 7 < PORTS.end { port + 7 } else { PORTS.start };
        }
        panic!("no port for the SoR")
    }

    /// Where stations are answered.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The same as an address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its database.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Puts a plan of faults in force.
    #[track_caller]
    pub fn put(&self, faults: &[Value]) {
        ask(self.drill, "PUT", "/drill/faults", Some(&json!({"faults": faults})));
    }

    /// Connections are refused until another plan comes.
    pub fn cut(&self) {
        self.put(&[json!({"do": "refuse"})]);
    }

    /// No faults.
    pub fn mend(&self) {
        self.put(&[]);
    }

    /// What it has.
    #[must_use]
    #[track_caller]
    pub fn ledger(&self) -> Ledger {
        Ledger::read(&ask(self.drill, "GET", "/drill/ledger", None))
    }

    /// How many effects it has.
    #[must_use]
    #[track_caller]
    pub fn effects(&self) -> usize {
        usize::try_from(self.counts()["effects"].as_u64().unwrap()).unwrap()
    }

    /// How many writes it received since it was started, faulted ones included.
    #[must_use]
    #[track_caller]
    pub fn requests(&self) -> u64 {
        self.counts()["requests"].as_u64().unwrap()
    }

    fn counts(&self) -> Value {
        ask(self.drill, "GET", "/drill/counts", None)
    }

    /// Kills it; connections are refused from now on.
    ///
    /// # Panics
    /// It had died before.
    pub fn kill(&mut self) {
        self.running.take().unwrap().kill();
    }

    /// Starts it again on the same port and file, without faults.
    ///
    /// # Panics
    /// It does not start.
    pub fn restart(&mut self) {
        let (running, drill) = serve(&self.file, self.address).unwrap();
        self.running = Some(running);
        self.drill = drill;
    }
}

/// The program and its drill's address; none if it could not start.
fn serve(file: &Path, address: SocketAddr) -> Option<(Running, SocketAddr)> {
    let mut command = Command::new(program("reference-sor"));
    command.env_clear().arg("--demo-data");
    command.args(["--listen", &address.to_string(), "--drill-listen", "127.0.0.1:0"]);
    command.arg("--db").arg(format!("sqlite:{}", file.display()));
    let mut running = Running::start_heard(&mut command, b"");
    let lines = lines_of(&mut running);
    let _listening = next(&lines)?;
    let drill = next(&lines)?["drill_listening"].as_str()?.strip_prefix("http://")?.parse().ok()?;
    Some((running, drill))
}

fn lines_of(running: &mut Running) -> Receiver<String> {
    let (tell, lines) = channel();
    let stdout = BufReader::new(running.take_stdout());
    std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
    lines
}

fn next(lines: &Receiver<String>) -> Option<Value> {
    match lines.recv_timeout(wait_max()) {
        Ok(line) => serde_json::from_str(&line).ok(),
        Err(RecvTimeoutError::Timeout) => panic!("the SoR did not say where it listens"),
        Err(RecvTimeoutError::Disconnected) => None,
    }
}
