//! The SoR as a program of its own: it can be cut, mended, killed, started again, and asked for its ledger.

use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};

use crate::exchange::ask;
use crate::ledger::Ledger;
use crate::program::{Running, program};
use crate::until::wait_max;

/// SoRs that one process may have, without two of any processes sharing an address.
const PER_PROCESS: u32 = 8;
static STARTED: AtomicU32 = AtomicU32::new(0);

/// A running `reference-sor` with demo data, at an address that it keeps.
#[derive(Debug)]
pub struct Sor {
    /// None while it is down.
    running: Option<Running>,
    file: PathBuf,
    address: SocketAddr,
    drill: SocketAddr,
    /// What kind of SoR it is, for each start.
    profile: &'static [&'static str],
}

impl Sor {
    /// Starts it over a file that need not be there yet.
    ///
    /// # Panics
    /// It does not start.
    #[must_use]
    pub fn start(file: &Path) -> Self {
        Self::start_as(file, &[])
    }

    /// The same, as an old vendor's system: no keys, no conditional writes.
    ///
    /// # Panics
    /// It does not start.
    #[must_use]
    pub fn start_old_vendor(file: &Path) -> Self {
        Self::start_as(file, &["--profile", "legacy"])
    }

    /// The city's GIS alone: parcels, and nothing else.
    ///
    /// # Panics
    /// It does not start.
    #[must_use]
    pub fn start_gis(file: &Path) -> Self {
        Self::start_as(file, &["--gis-only"])
    }

    /// The same, as the board of an office and nothing else.
    ///
    /// # Panics
    /// It does not start.
    #[must_use]
    pub fn start_board(file: &Path) -> Self {
        Self::start_as(file, &["--board-only"])
    }

    fn start_as(file: &Path, profile: &'static [&'static str]) -> Self {
        let (running, address, drill) = serve(file, SocketAddr::from((own_address(), 0)), profile);
        Self { running: Some(running), file: file.to_owned(), address, drill, profile }
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

    /// City hall changes fields of an application.
    #[track_caller]
    pub fn edit(&self, application_id: &str, fields: &Value) {
        ask(self.drill, "PATCH", &format!("/drill/applications/{application_id}"), Some(fields));
    }

    /// The GIS office changes a parcel.
    #[track_caller]
    pub fn put_parcel(&self, pin: &str, parcel: &Value) {
        ask(self.drill, "PUT", &format!("/drill/parcels/{pin}"), Some(parcel));
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

    /// The numbers of its applications, in the order in which they came.
    #[must_use]
    #[track_caller]
    pub fn permit_nums(&self) -> Vec<String> {
        self.ledger().effects.into_iter().filter_map(|effect| effect.permit_num).collect()
    }

    /// City hall places a hold, whatever the plan of faults says.
    #[must_use]
    #[track_caller]
    pub fn place_hold(&self, application_id: &str, kind: &str, reason: &str) -> Value {
        let path = format!("/drill/applications/{application_id}/holds");
        ask(self.drill, "POST", &path, Some(&json!({"type": kind, "reason": reason})))
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

    /// Another SoR answers at the same address from now on, over a file of its own.
    ///
    /// # Panics
    /// It does not start.
    pub fn change_for(&mut self, file: &Path) {
        self.kill();
        file.clone_into(&mut self.file);
        self.restart();
    }

    /// Starts it again at the same address, over the same file, without faults.
    ///
    /// # Panics
    /// It does not start.
    pub fn restart(&mut self) {
        self.start_again(&[]);
    }

    /// Copies its records as they are now; it is away meanwhile.
    ///
    /// # Panics
    /// They cannot be copied, or it does not start.
    pub fn back_up(&mut self, to: &Path) {
        self.kill();
        for suffix in ["", "-wal"] {
            let from = with_suffix(&self.file, suffix);
            if from.exists() {
                std::fs::copy(from, with_suffix(to, suffix)).unwrap();
            }
        }
        self.restart();
    }

    /// It comes back from a copy of its records; all that came after it is gone.
    ///
    /// # Panics
    /// The copy cannot be put in place, or it does not start.
    pub fn come_back_from(&mut self, copy: &Path, epoch: Epoch) {
        self.kill();
        for suffix in ["", "-wal", "-shm"] {
            let (from, to) = (with_suffix(copy, suffix), with_suffix(&self.file, suffix));
            let _ = std::fs::remove_file(&to);
            if from.exists() {
                std::fs::copy(from, to).unwrap();
            }
        }
        self.start_again(match epoch {
            Epoch::GoesUp => &["--restored"],
            Epoch::Stays => &[],
        });
    }

    fn start_again(&mut self, arguments: &[&str]) {
        let (running, _, drill) = serve(&self.file, self.address, &[self.profile, arguments].concat());
        self.running = Some(running);
        self.drill = drill;
    }
}

/// What an SoR says of itself when it comes back from a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Epoch {
    /// That it did.
    GoesUp,
    /// Nothing: whoever put the copy back did not tell it.
    Stays,
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// A loopback address that no other SoR of a test has: nobody takes the port of one that is down.
fn own_address() -> Ipv4Addr {
    let n =
        std::process::id().wrapping_mul(PER_PROCESS) + STARTED.fetch_add(1, Ordering::Relaxed) % PER_PROCESS;
    let digit = |place: u32| u8::try_from(1 + n / 250_u32.pow(place) % 250).unwrap();
    Ipv4Addr::new(127, digit(2), digit(1), digit(0))
}

/// The program, where it answers, and where its drill does.
fn serve(file: &Path, address: SocketAddr, arguments: &[&str]) -> (Running, SocketAddr, SocketAddr) {
    let mut command = Command::new(program("reference-sor"));
    command.env_clear().arg("--demo-data").args(arguments);
    command.args(["--listen", &address.to_string(), "--drill-listen", "127.0.0.1:0"]);
    command.arg("--db").arg(format!("sqlite:{}", file.display()));
    let mut running = Running::start_heard(&mut command, b"");
    let lines = lines_of(&mut running);
    let told = |name| lines.recv_timeout(wait_max()).ok().and_then(|line| address_in(&line, name));
    match (told("listening"), told("drill_listening")) {
        (Some(listening), Some(drill)) => (running, listening, drill),
        (listening, drill) => {
            panic!("the SoR does not start at {address} ({listening:?}, {drill:?}): {:?}", running.give_up())
        }
    }
}

fn lines_of(running: &mut Running) -> Receiver<String> {
    let (tell, lines) = channel();
    let stdout = BufReader::new(running.take_stdout());
    std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
    lines
}

fn address_in(line: &str, name: &str) -> Option<SocketAddr> {
    let line: Value = serde_json::from_str(line).ok()?;
    line[name].as_str()?.strip_prefix("http://")?.parse().ok()
}
