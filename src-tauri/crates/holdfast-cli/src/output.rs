//! Data on stdout, talk on stderr.
//!
//! Promise: with `--json` stdout holds exactly one JSON document. A reader that closed the pipe ends nothing: what was to
//! be done is done, and only the showing is cut. No colour is used, so `NO_COLOR` has nothing to turn off.

use std::io::{self, Write};

use serde::Serialize;

use crate::failure::Failure;

/// How the answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// For people.
    Plain,
    /// One JSON document.
    Json,
}

impl Form {
    /// Prints `document` as JSON, or what `plain` makes of it.
    ///
    /// # Errors
    /// stdout cannot be written, e.g. a full disk behind it.
    pub(crate) fn show<T: Serialize>(
        self,
        document: &T,
        plain: impl FnOnce(&T) -> String,
    ) -> Result<(), Failure> {
        let mut text = match self {
            Form::Plain => plain(document),
            Form::Json => {
                serde_json::to_string_pretty(document).expect("views have text keys and finite numbers")
            }
        };
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        to_stdout(&text)
            .map_err(|cause| Failure::of_io("it is done, but the answer cannot be written to stdout", &cause))
    }
}

/// Says one line on stderr.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "holdfastctl: {line}");
}

fn to_stdout(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(cause) if cause.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
