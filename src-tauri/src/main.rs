//! The Holdfast window, as a program.

use std::process::ExitCode;

fn main() -> ExitCode {
    holdfast_shell::run()
}
