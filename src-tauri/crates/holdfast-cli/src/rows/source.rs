//! Opening an import file: plain, or gzip by its first two bytes, whatever it is called.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

/// One import file, unpacked: far beyond any city's year, and a gzip bomb ends here.
const IMPORT_MAX_BYTES: u64 = 1024 * 1024 * 1024;
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// How far the file on the disk is read, for progress.
#[derive(Clone, Debug)]
pub(crate) struct Consumed {
    read_bytes: Arc<AtomicU64>,
    all_bytes: u64,
}

/// Whose fault it is that a file cannot be read further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Its content: cut or damaged gzip, or too much of it.
    Content,
    /// The disk.
    Disk,
}

impl Fault {
    /// Tells from what reading said.
    pub(crate) fn of(cause: &io::Error) -> Self {
        let of_content = [
            io::ErrorKind::InvalidData,
            io::ErrorKind::InvalidInput,
            io::ErrorKind::UnexpectedEof,
            io::ErrorKind::FileTooLarge,
        ];
        if of_content.contains(&cause.kind()) { Fault::Content } else { Fault::Disk }
    }
}

impl Consumed {
    /// How many rows there are in all, if the rest is like the `rows` so far.
    pub(crate) fn rows_expected(&self, rows: u64) -> u64 {
        let read = self.read_bytes.load(Ordering::Relaxed).clamp(1, self.all_bytes.max(1));
        let expected = u128::from(rows) * u128::from(self.all_bytes) / u128::from(read);
        u64::try_from(expected).unwrap_or(u64::MAX).max(rows)
    }
}

/// Opens a file.
///
/// # Errors
/// It cannot be opened or read.
pub(crate) fn open(path: &Path) -> io::Result<(Box<dyn BufRead>, Consumed)> {
    let file = File::open(path)?;
    let consumed = Consumed { read_bytes: Arc::default(), all_bytes: file.metadata()?.len() };
    let mut plain = BufReader::new(Counted { source: file, read_bytes: Arc::clone(&consumed.read_bytes) });
    let is_gzip = plain.fill_buf()?.starts_with(&GZIP_MAGIC);
    let limited: Box<dyn BufRead> = if is_gzip {
        Box::new(BufReader::new(Limited { source: MultiGzDecoder::new(plain), left_bytes: IMPORT_MAX_BYTES }))
    } else {
        Box::new(BufReader::new(Limited { source: plain, left_bytes: IMPORT_MAX_BYTES }))
    };
    Ok((limited, consumed))
}

struct Counted<R> {
    source: R,
    read_bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.source.read(buffer)?;
        self.read_bytes.fetch_add(u64::try_from(bytes).unwrap_or(0), Ordering::Relaxed);
        Ok(bytes)
    }
}

/// Fails once more was read than a file may have; `Read::take` would look like its end.
struct Limited<R> {
    source: R,
    left_bytes: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.source.read(buffer)?;
        let left = self.left_bytes.checked_sub(u64::try_from(bytes).unwrap_or(u64::MAX));
        self.left_bytes = left.ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(bytes)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_unpacks_to_too_much_is_a_fault_of_its_content() {
        let mut limited = Limited { source: io::repeat(b'x'), left_bytes: 100 };
        let cause = limited.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(Fault::of(&cause), Fault::Content);
        assert_eq!(Fault::of(&io::Error::from_raw_os_error(5)), Fault::Disk);
    }

    #[test]
    fn the_rest_is_expected_to_be_like_what_was_read() {
        let consumed = Consumed { read_bytes: Arc::new(AtomicU64::new(250)), all_bytes: 1_000 };
        assert_eq!(consumed.rows_expected(10), 40);
        let nothing = Consumed { read_bytes: Arc::default(), all_bytes: 0 };
        assert_eq!(nothing.rows_expected(0), 0);
    }
}
