//! The made-up files of permits, and which numbers are in them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Names a file of the same form, not compressed.
const FILE_VARIABLE: &str = "HOLDFAST_DRILL_FILE";

/// A file of permits.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Where it lies.
    pub file: PathBuf,
    /// The numbers of its good rows, in its order.
    pub numbers: Vec<String>,
    /// The lines of its rows that are too short to be one.
    pub short_lines: Vec<u64>,
}

impl Sample {
    /// The committed one: 120 rows, two of them too short.
    #[must_use]
    pub fn committed() -> Self {
        Self::of(folder().join("permits-sample.csv"))
    }

    /// The committed one, or in the long form one of `rows`, made in `folder`.
    ///
    /// # Panics
    /// Node does not make it.
    #[must_use]
    pub fn committed_or_long(rows: usize, into: &Path) -> Self {
        if crate::long() { Self::made(rows, into) } else { Self::committed() }
    }

    /// The file that `HOLDFAST_DRILL_FILE` names, for a trial with a city's own export; else as above.
    ///
    /// # Panics
    /// It cannot be read, or not be made.
    #[must_use]
    pub fn named_or(rows: usize, into: &Path) -> Self {
        std::env::var_os(FILE_VARIABLE)
            .map_or_else(|| Self::committed_or_long(rows, into), |file| Self::of(file.into()))
    }

    /// A file of `rows`, made in `folder`.
    ///
    /// # Panics
    /// Node does not make it.
    #[must_use]
    pub fn made(rows: usize, into: &Path) -> Self {
        let maker = folder().join("make-sample.mjs");
        let made = Command::new("node").arg(maker).arg("--rows").arg(rows.to_string()).output().unwrap();
        assert!(made.status.success(), "{made:?}");
        let file = into.join(format!("permits-{rows}.csv"));
        std::fs::write(&file, made.stdout).unwrap();
        Self::of(file)
    }

    /// The number stands first in each row and is never quoted; rows without one are the short ones.
    fn of(file: PathBuf) -> Self {
        let text =
            std::fs::read_to_string(&file).unwrap_or_else(|cause| panic!("{}: {cause}", file.display()));
        let (mut numbers, mut short_lines) = (Vec::new(), Vec::new());
        for (line, row) in (1..).zip(text.lines()).skip(1) {
            match row.split(',').next() {
                Some(number) if !number.is_empty() => numbers.push(number.to_owned()),
                Some(_) | None => short_lines.push(line),
            }
        }
        Self { file, numbers, short_lines }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("samples")
}
