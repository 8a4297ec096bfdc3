//! The programs as child processes: found beside the tests, bounded in time, ended with the test.

use std::io::{Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Where a program of this workspace lies.
///
/// # Panics
/// It was not built.
#[must_use]
pub(crate) fn program(name: &str) -> PathBuf {
    let path = profile_folder().join(name);
    assert!(
        path.is_file(),
        "{} is missing; build the programs first: cargo build -p holdfast-cli -p reference-sor",
        path.display()
    );
    path
}

/// `target/debug`: tests lie in its `deps`.
pub(crate) fn profile_folder() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    tests.parent().unwrap().parent().unwrap().to_owned()
}

/// A program that runs; it is killed when this is dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    began: Instant,
    stdout: Option<JoinHandle<Vec<u8>>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
}

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// Its code, or the signal that ended it.
    pub status: ExitStatus,
    /// All that it said there.
    pub stdout: String,
    /// All that it said there.
    pub stderr: String,
    /// From its start to its end.
    pub took: Duration,
}

impl Running {
    /// Starts it and hands it `input`. What it says is kept until it ends.
    ///
    /// # Panics
    /// It cannot be started.
    #[must_use]
    pub fn start(command: &mut Command, input: &[u8]) -> Self {
        let mut running = Self::start_heard(command, input);
        running.stdout = running.child.stdout.take().map(|stdout: ChildStdout| keep(stdout));
        running
    }

    /// The same, with a stdout that [`Running::take_stdout`] hands over.
    pub(crate) fn start_heard(command: &mut Command, input: &[u8]) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Whoever ends early need not read what it was told.
        let _ = child.stdin.take().unwrap().write_all(input);
        let stderr = child.stderr.take().map(|stderr: ChildStderr| keep(stderr));
        Self { child, began: Instant::now(), stdout: None, stderr }
    }

    pub(crate) fn take_stdout(&mut self) -> ChildStdout {
        self.child.stdout.take().unwrap()
    }

    /// Whether it still runs.
    ///
    /// # Panics
    /// The operating system does not say.
    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Kills it as a power switch would: nothing of it runs any more when this returns.
    ///
    /// # Panics
    /// It had ended by itself.
    #[track_caller]
    pub fn kill(mut self) -> Ended {
        let still = self.is_running();
        self.child.kill().unwrap();
        let ended = self.ended();
        assert!(still, "it ended by itself before it was killed: {ended:?}");
        ended
    }

    /// Asks it to stop (SIGTERM).
    ///
    /// # Panics
    /// It is not there to be asked.
    pub fn ask_to_stop(&self) {
        self.signal(Signal::TERM);
    }

    /// Asks it to read its configuration again (SIGHUP).
    ///
    /// # Panics
    /// It is not there to be asked.
    pub fn hang_up(&self) {
        self.signal(Signal::HUP);
    }

    /// Stops it in the middle of whatever it does (SIGSTOP): it is there, and says nothing.
    ///
    /// # Panics
    /// It is not there to be stopped.
    pub fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    /// Lets it go on.
    ///
    /// # Panics
    /// It is not there.
    pub fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// It runs on after `max`.
    #[track_caller]
    pub fn end_within(mut self, max: Duration) -> Ended {
        while self.is_running() {
            if self.began.elapsed() > max {
                let _ = self.child.kill();
                panic!("it did not end within {max:?}: {:?}", self.ended());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.ended()
    }

    /// Ends it, and says what it said.
    pub(crate) fn give_up(mut self) -> Ended {
        let _ = self.child.kill();
        self.ended()
    }

    fn ended(&mut self) -> Ended {
        let status = self.child.wait().unwrap();
        let took = self.began.elapsed();
        let text = |kept: Option<JoinHandle<Vec<u8>>>| {
            String::from_utf8_lossy(&kept.map(|thread| thread.join().unwrap()).unwrap_or_default())
                .into_owned()
        };
        Ended { status, stdout: text(self.stdout.take()), stderr: text(self.stderr.take()), took }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    /// The exit code.
    ///
    /// # Panics
    /// A signal ended it.
    #[track_caller]
    #[must_use]
    pub fn code(&self) -> i32 {
        self.status.code().unwrap_or_else(|| panic!("ended by a signal: {self:?}"))
    }

    /// It ended with this code.
    ///
    /// # Panics
    /// With another.
    #[track_caller]
    pub fn is(self, code: i32) -> Self {
        assert_eq!(self.status.code(), Some(code), "{self:?}");
        self
    }

    /// stdout as the one JSON document that it has to be.
    ///
    /// # Panics
    /// It is none.
    #[track_caller]
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|cause| panic!("{cause} in {self:?}"))
    }
}

fn keep(mut source: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = source.read_to_end(&mut bytes);
        bytes
    })
}
