//! The shell: the window around the station.
//!
//! Promise: it decides nothing. A command is one line to a verb of the station, an event says what the station said, and
//! the page in the window can ask for what the capability file lists and for nothing else. Only this crate knows Tauri.

mod commands;
mod compose;
mod desk;
mod events;
mod logging;
mod renderer;
mod sending;
mod signals;
mod window;

#[cfg(feature = "demo")]
pub mod demo;

use std::process::ExitCode;

pub use commands::handler;
pub use desk::{Desk, Tell};
pub use events::{STATION_EVENT, beat};
pub use sending::send_on;
pub use window::context;

/// Opens the window and stays until it is closed.
#[must_use]
pub fn run() -> ExitCode {
    logging::speak_without_payload();
    if let Err(cause) = renderer::settle() {
        logging::say(&format!("the window cannot be started: {cause}"));
        return ExitCode::FAILURE;
    }
    match compose::open_and_show() {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            logging::say(&sentence);
            ExitCode::FAILURE
        }
    }
}
