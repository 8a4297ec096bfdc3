//! Secrets come from a file or from stdin, never from the command line, and are wiped from memory after use.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use holdfast_machine::secret_file::{
    self, PASSPHRASE_MAX_BYTES, SecretFault, SecretText, first_line, is_open_to_others,
};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use tokio::runtime::Runtime;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::say;

/// First line of the file with the enrolment code.
pub(crate) const ENROL_CODE_MAX_BYTES: usize = 256;
/// First line of stdin.
const PASSWORD_MAX_BYTES: usize = 1024;

/// The passphrase in a file.
///
/// # Errors
/// There is none in it.
pub(crate) fn passphrase(file: &Path) -> Result<SecretText, Failure> {
    if is_open_to_others(file) {
        say(&format!("others can read {}; protect it: chmod 600", file.display()));
    }
    first_line_of_file(file, PASSPHRASE_MAX_BYTES, "passphrase")
}

/// The first line of a file that holds a secret.
///
/// # Errors
/// It cannot be read, or there is nothing in its first line, or too much.
pub(crate) fn first_line_of_file(path: &Path, max_bytes: usize, what: &str) -> Result<SecretText, Failure> {
    let line = secret_file::first_line_of_file(path, max_bytes);
    line.map_err(|fault| about(&fault, &format!("the {what} file {}", path.display())))
}

/// The password: the first line of stdin, or typed unseen on a terminal. `runtime` listens for Ctrl-C meanwhile.
///
/// # Errors
/// Nothing came, or too much.
pub(crate) fn password(user: &str, runtime: &Runtime) -> Result<SecretText, Failure> {
    let stdin = io::stdin();
    let unseen = stdin.is_terminal().then(|| Unseen::begin(user)).flatten();
    let listening =
        unseen.as_ref().map(|unseen| runtime.spawn(give_back_on_interrupt(unseen.before.clone())));
    let line = first_line(stdin.lock(), PASSWORD_MAX_BYTES);
    if let Some(listening) = listening {
        listening.abort();
    }
    line.map_err(|fault| about(&fault, "the password on stdin"))
}

fn about(fault: &SecretFault, what: &str) -> Failure {
    match fault {
        SecretFault::Io(cause) => Failure::of_io(&format!("{what} cannot be read"), cause),
        SecretFault::Empty | SecretFault::TooLong { .. } | SecretFault::NotText => {
            Failure::usage(format!("{what} {fault}"))
        }
    }
}

/// A terminal that does not show what is typed, until this is dropped.
struct Unseen {
    before: Termios,
}

impl Unseen {
    fn begin(user: &str) -> Option<Self> {
        let _ = write!(io::stderr(), "Password of {}: ", crate::table::printable(user));
        let before = tcgetattr(io::stdin()).ok()?;
        let mut unseen = before.clone();
        unseen.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Flush, &unseen).ok()?;
        Some(Self { before })
    }
}

impl Drop for Unseen {
    fn drop(&mut self) {
        show_again(&self.before);
    }
}

fn show_again(before: &Termios) {
    let _ = tcsetattr(io::stdin(), OptionalActions::Flush, before);
    let _ = writeln!(io::stderr());
}

/// Who breaks off while typing gets the terminal back as it was. Nothing was begun yet that would have to be ended.
async fn give_back_on_interrupt(before: Termios) {
    if tokio::signal::ctrl_c().await.is_ok() {
        show_again(&before);
        std::process::exit(Exit::Surroundings.number().into());
    }
}
