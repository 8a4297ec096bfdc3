//! A log file that does not grow without end: a defect that logs in a loop must not fill the disk that the queue needs.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use holdfast_station::ports::Clock as _;

use crate::SystemClock;

const LAST_LINE: &[u8] = b"{\"level\":\"WARN\",\"message\":\"the log of this day is full; nothing more is kept until tomorrow\"}\n";

/// Passes lines on until a day's limit, then one last line, then none until the next day.
#[derive(Debug)]
pub(super) struct Bounded<W> {
    files: W,
    file_max_bytes: u64,
    written_bytes: u64,
    day: String,
    full: bool,
    today: fn() -> String,
}

impl<W: Write> Bounded<W> {
    /// `written_bytes` are in today's file already.
    pub(super) fn new(files: W, file_max_bytes: u64, written_bytes: u64) -> Self {
        let full = written_bytes >= file_max_bytes;
        Self { files, file_max_bytes, written_bytes, day: today(), full, today }
    }

    fn turn_over(&mut self) {
        let day = (self.today)();
        if day != self.day {
            (self.day, self.written_bytes, self.full) = (day, 0, false);
        }
    }
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.turn_over();
        if self.full {
            return Ok(line.len());
        }
        self.written_bytes += u64::try_from(line.len()).unwrap_or(u64::MAX);
        if self.written_bytes > self.file_max_bytes {
            self.full = true;
            self.files.write_all(LAST_LINE)?;
        } else {
            self.files.write_all(line)?;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.files.flush()
    }
}

/// What earlier runs wrote into the file of this day.
pub(super) fn bytes_of_today(folder: &Path, prefix: &str, suffix: &str) -> u64 {
    let file = folder.join(format!("{prefix}.{}.{suffix}", today()));
    fs::metadata(file).map_or(0, |file| file.len())
}

/// The date in UTC, as the appender writes it into file names.
fn today() -> String {
    SystemClock.now().wall.to_string().chars().take("2026-11-30".len()).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_full_day_ends_with_one_line_and_the_next_begins_anew() {
        let mut log = Bounded::new(Vec::new(), 8, 4);
        log.write_all(b"one\n").unwrap();
        log.write_all(b"two\n").unwrap();
        log.write_all(b"three\n").unwrap();
        assert_eq!(log.files, [b"one\n", LAST_LINE].concat());

        log.today = || "2999-01-01".to_owned();
        log.write_all(b"four\n").unwrap();
        assert!(log.files.ends_with(b"four\n"));
    }
}
