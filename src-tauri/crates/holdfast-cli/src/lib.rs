//! `holdfastctl`: the station without a window.
//!
//! Promise: data on stdout, talk on stderr, one meaning for each exit code, and nothing asked without a terminal. What is
//! done is done by the same `holdfast_station::Station` as behind the window; nothing is decided here.

mod arguments;
mod compose;
mod exit;
mod failure;
mod holding;
mod input;
mod no_connection;
mod output;
mod panics;
mod progress;
mod rows;
mod secrets;
mod signals;
mod table;
mod verbs;
mod writing;

use std::process::ExitCode;

use clap::Parser as _;
use rustix::fs::Mode;

use arguments::Arguments;
use exit::Exit;
use failure::Failure;
use output::Form;

/// Runs one command of the process's command line.
#[must_use]
pub fn run() -> ExitCode {
    // Whatever is made from here on is for this user alone.
    rustix::process::umask(Mode::from_raw_mode(0o077));
    panics::speak_without_payload();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(talk) => return told_by_the_parser(&talk).into(),
    };
    let form = if arguments.common.json { Form::Json } else { Form::Plain };
    let exit = match std::panic::catch_unwind(|| verbs::carry_out(arguments, form)) {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) => told(&failure, form),
        Err(_) => Exit::Surroundings,
    };
    exit.into()
}

/// `--help` and `--version` are answers, everything else is a mistake.
fn told_by_the_parser(talk: &clap::Error) -> Exit {
    let _ = talk.print();
    if !talk.use_stderr() {
        return Exit::Done;
    }
    // The arguments were not understood, but that one document is wanted is plain.
    if std::env::args_os().any(|argument| argument == "--json") {
        let mistake = Failure::usage("the command line is not understood; see `holdfastctl --help`");
        drop(Form::Json.show(&mistake.problems(), |_| String::new()));
    }
    Exit::Usage
}

fn told(failure: &Failure, form: Form) -> Exit {
    output::say(&failure.sentence);
    let problems = failure.problems();
    let shown = match form {
        Form::Json => form.show(&problems, |_| String::new()),
        Form::Plain => form.show(&problems, |_| verbs::plain_problems(&failure.problems)),
    };
    // When stdout fails as well, the first failure is the one that counts.
    drop(shown);
    failure.exit
}
