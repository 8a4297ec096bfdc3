//! Progress of long work, on stderr.
//!
//! Promise: a terminal gets one line that rewrites itself at most five times a second; anything else gets one plain line
//! for every thousand steps, so that a log of a night's import stays readable.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

const REWRITE_EVERY_MS: u64 = 200;
const PLAIN_EVERY_STEPS: u64 = 1_000;

/// One line of progress.
#[derive(Debug)]
pub(crate) struct Progress {
    form: Form,
}

#[derive(Debug)]
enum Form {
    Rewritten { shown_at: Option<Instant> },
    Plain { next_at_step: u64 },
}

impl Progress {
    /// In the form that stderr takes.
    pub(crate) fn on_stderr() -> Self {
        let rewritable =
            io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let form = if rewritable {
            Form::Rewritten { shown_at: None }
        } else {
            Form::Plain { next_at_step: PLAIN_EVERY_STEPS }
        };
        Self { form }
    }

    /// Work stands at `step` now; `line` is asked for only when it is shown.
    pub(crate) fn at(&mut self, step: u64, line: impl FnOnce() -> String) {
        match &mut self.form {
            Form::Rewritten { shown_at } => {
                let due = shown_at.is_none_or(|at| at.elapsed() >= Duration::from_millis(REWRITE_EVERY_MS));
                if due {
                    *shown_at = Some(Instant::now());
                    say(&format!("\r\x1b[K{}", line()));
                }
            }
            Form::Plain { next_at_step } => {
                if step >= *next_at_step {
                    *next_at_step = (step / PLAIN_EVERY_STEPS + 1) * PLAIN_EVERY_STEPS;
                    say(&format!("{}\n", line()));
                }
            }
        }
    }
}

impl Drop for Progress {
    /// Leaves the terminal at the beginning of an empty line.
    fn drop(&mut self) {
        match self.form {
            Form::Rewritten { shown_at: Some(_) } => say("\r\x1b[K"),
            Form::Rewritten { shown_at: None } | Form::Plain { .. } => {}
        }
    }
}

/// A stderr that is gone does not stop the work.
fn say(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
