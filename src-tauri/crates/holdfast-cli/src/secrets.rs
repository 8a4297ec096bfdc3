//! Secrets come from a file or from stdin, never from the command line, and are wiped from memory after use.

use std::fs::File;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use tokio::runtime::Runtime;
use zeroize::Zeroizing;

use crate::arguments::{Common, KeyProvider};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::say;

/// First line of the passphrase file.
pub(crate) const PASSPHRASE_MAX_BYTES: usize = 1024;
/// First line of the file with the enrolment code.
pub(crate) const ENROL_CODE_MAX_BYTES: usize = 256;
/// First line of stdin.
const PASSWORD_MAX_BYTES: usize = 1024;

/// A secret text.
pub(crate) type SecretText = Zeroizing<String>;

/// What opens the data.
///
/// # Errors
/// A provider that this version does not have, no file, or a file without a passphrase in it.
pub(crate) fn passphrase(common: &Common) -> Result<SecretText, Failure> {
    match common.key_provider {
        None | Some(KeyProvider::Passphrase) => {}
        Some(KeyProvider::Keyring | KeyProvider::Machine) => {
            return Err(Failure::usage(
                "this version opens its data with a passphrase only; give --passphrase-file FILE",
            ));
        }
    }
    let Some(path) = &common.passphrase_file else {
        return Err(Failure::usage("the data are opened with a passphrase; give --passphrase-file FILE"));
    };
    warn_if_others_can_read(path);
    first_line_of_file(path, PASSPHRASE_MAX_BYTES, "passphrase")
}

/// The first line of a file that holds a secret.
///
/// # Errors
/// It cannot be read, or there is nothing in its first line, or too much.
pub(crate) fn first_line_of_file(path: &Path, max_bytes: usize, what: &str) -> Result<SecretText, Failure> {
    let file = File::open(path).map_err(|cause| {
        Failure::of_io(&format!("the {what} file {} cannot be read", path.display()), &cause)
    })?;
    let line = first_line(io::BufReader::new(file), max_bytes);
    line.map_err(|fault| fault.about(&format!("the {what} file {}", path.display())))
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
    line.map_err(|fault| fault.about("the password on stdin"))
}

#[derive(Debug)]
enum LineFault {
    Io(io::Error),
    Empty,
    TooLong { max_bytes: usize },
    NotText,
}

impl LineFault {
    fn about(self, what: &str) -> Failure {
        match self {
            LineFault::Io(cause) => Failure::of_io(&format!("{what} cannot be read"), &cause),
            LineFault::Empty => Failure::usage(format!("{what} is empty")),
            LineFault::TooLong { max_bytes } => {
                Failure::usage(format!("{what} is longer than {max_bytes} bytes"))
            }
            LineFault::NotText => Failure::usage(format!("{what} is not UTF-8")),
        }
    }
}

fn first_line(source: impl io::BufRead, max_bytes: usize) -> Result<SecretText, LineFault> {
    // Room for a line end of two bytes, and one more to see that it is too long.
    let limit = max_bytes + 3;
    let mut line = Zeroizing::new(Vec::with_capacity(limit));
    let take = u64::try_from(limit).unwrap_or(u64::MAX);
    source.take(take).read_until(b'\n', &mut line).map_err(LineFault::Io)?;
    let text = std::str::from_utf8(&line).map_err(|_| LineFault::NotText)?;
    let text = text.strip_suffix('\n').unwrap_or(text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    match text.len() {
        0 => Err(LineFault::Empty),
        bytes if bytes > max_bytes => Err(LineFault::TooLong { max_bytes }),
        _ => Ok(Zeroizing::new(text.to_owned())),
    }
}

fn warn_if_others_can_read(path: &Path) {
    let open_to_others = std::fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o077 != 0);
    if open_to_others {
        say(&format!("others can read {}; protect it: chmod 600", path.display()));
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_the_first_line_without_its_end() {
        let read = |bytes: &[u8]| first_line(bytes, 8).map(|text| text.to_string());
        for bytes in [&b"secret 1"[..], b"secret 1\n", b"secret 1\r\n", b"secret 1\nsecond line"] {
            assert_eq!(read(bytes).unwrap(), "secret 1");
        }
        assert!(matches!(read(b""), Err(LineFault::Empty)));
        assert!(matches!(read(b"\nx"), Err(LineFault::Empty)));
        assert!(matches!(read(b"secret 12"), Err(LineFault::TooLong { max_bytes: 8 })));
        assert!(matches!(read(&[b'x'; 100]), Err(LineFault::TooLong { max_bytes: 8 })));
        assert!(matches!(read(&[0xff, b'\n']), Err(LineFault::NotText)));
    }
}
