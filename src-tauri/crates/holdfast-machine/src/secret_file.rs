//! Secrets come from a file or from stdin, never from the command line, and are wiped from memory after use.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use zeroize::Zeroizing;

/// First line of a passphrase file.
pub const PASSPHRASE_MAX_BYTES: usize = 1024;

/// A secret text.
pub type SecretText = Zeroizing<String>;

/// Why there is no secret in a source.
#[derive(Debug, thiserror::Error)]
pub enum SecretFault {
    /// It cannot be read.
    #[error("cannot be read")]
    Io(#[from] io::Error),
    /// There is nothing in its first line.
    #[error("is empty")]
    Empty,
    /// There is too much in its first line.
    #[error("is longer than {max_bytes} bytes")]
    TooLong {
        /// The most that is taken.
        max_bytes: usize,
    },
    /// It is no text.
    #[error("is not UTF-8")]
    NotText,
}

/// The first line of a file that holds a secret.
///
/// # Errors
/// [`SecretFault`]
pub fn first_line_of_file(path: &Path, max_bytes: usize) -> Result<SecretText, SecretFault> {
    first_line(BufReader::new(File::open(path)?), max_bytes)
}

/// The first line, without its end.
///
/// # Errors
/// [`SecretFault`]
pub fn first_line(source: impl BufRead, max_bytes: usize) -> Result<SecretText, SecretFault> {
    // Room for a line end of two bytes, and one more to see that it is too long.
    let limit = max_bytes + 3;
    let mut line = Zeroizing::new(Vec::with_capacity(limit));
    let take = u64::try_from(limit).unwrap_or(u64::MAX);
    source.take(take).read_until(b'\n', &mut line)?;
    let text = std::str::from_utf8(&line).map_err(|_| SecretFault::NotText)?;
    let text = text.strip_suffix('\n').unwrap_or(text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    match text.len() {
        0 => Err(SecretFault::Empty),
        bytes if bytes > max_bytes => Err(SecretFault::TooLong { max_bytes }),
        _ => Ok(Zeroizing::new(text.to_owned())),
    }
}

/// Whether somebody else on this machine may read a file.
#[must_use]
pub fn is_open_to_others(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o077 != 0)
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
        assert!(matches!(read(b""), Err(SecretFault::Empty)));
        assert!(matches!(read(b"\nx"), Err(SecretFault::Empty)));
        assert!(matches!(read(b"secret 12"), Err(SecretFault::TooLong { max_bytes: 8 })));
        assert!(matches!(read(&[b'x'; 100]), Err(SecretFault::TooLong { max_bytes: 8 })));
        assert!(matches!(read(&[0xff, b'\n']), Err(SecretFault::NotText)));
    }
}
