//! A file of permits that is handed out as far as a test wants and never ends: whoever imports it is at work, or waits
//! for more, until it is killed.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, mkfifoat};

use crate::sample::Sample;

/// What a pipe takes before whoever writes has to wait for whoever reads.
const PIPE_MAX_BYTES: usize = 64 * 1024;

/// The rows, and the named pipe through which they go.
#[derive(Debug)]
pub struct Feed {
    path: PathBuf,
    header: String,
    /// Each with whether it is a good one.
    rows: Vec<(bool, String)>,
}

/// One handing out; nothing of it is left when this is dropped.
#[derive(Debug)]
pub struct Fed {
    _pipe: File,
}

impl Feed {
    /// Makes the pipe in a folder.
    ///
    /// # Panics
    /// The file system has no pipes, or the file is too long for one.
    #[must_use]
    pub fn of(sample: &Sample, folder: &Path) -> Self {
        let path = folder.join("feed.csv");
        mkfifoat(CWD, &path, Mode::RUSR | Mode::WUSR).unwrap();
        let text = std::fs::read_to_string(&sample.file).unwrap();
        assert!(text.len() < PIPE_MAX_BYTES, "a pipe takes {PIPE_MAX_BYTES} bytes");
        let mut lines = text.lines().map(|line| format!("{line}\n"));
        let header = lines.next().unwrap();
        let rows = lines.map(|row| (!row.starts_with(','), row)).collect();
        Self { path, header, rows }
    }

    /// Where to read it.
    #[must_use]
    pub fn path(&self) -> &str {
        self.path.to_str().unwrap()
    }

    /// Hands out the first `good` good rows and what lies between them.
    ///
    /// # Panics
    /// There are not so many.
    #[must_use]
    pub fn hand_out(&self, good: usize) -> Fed {
        // Open for both, so that nobody has to be there yet, and no end is read while it is held.
        let mut pipe = OpenOptions::new().read(true).write(true).open(&self.path).unwrap();
        pipe.write_all(self.header.as_bytes()).unwrap();
        let mut handed = 0;
        for (is_good, row) in &self.rows {
            if handed == good {
                return Fed { _pipe: pipe };
            }
            handed += usize::from(*is_good);
            pipe.write_all(row.as_bytes()).unwrap();
        }
        panic!("there are only {handed} good rows, and one has to be left")
    }
}
