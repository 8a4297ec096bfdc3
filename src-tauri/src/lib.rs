//! The shell: the window around the station.
//!
//! Promise: it decides nothing. A command is one line to a verb of the station, an event says what the station said, and
//! the page in the window can ask for what the capability file lists and for nothing else. Only this crate knows Tauri.

mod answering;
mod arguments;
mod closing;
mod commands;
mod compose;
mod desk;
mod events;
mod logging;
mod looking;
mod reloading;
mod renderer;
mod sending;
mod signals;
mod window;

#[cfg(feature = "demo")]
pub mod demo;

use std::process::ExitCode;

pub use closing::Closing;
pub use commands::handler;
pub use desk::{AtWork, Desk, Opener, Opening, Tell};
pub use events::STATION_EVENT;
pub use window::context;

/// Everything that goes on behind the window by itself, from the station's opening on until the desk is asked to stop.
pub async fn go_on(desk: Desk) {
    tokio::join!(
        events::beat(desk.clone()),
        answering::answer_on(desk.clone()),
        looking::look_on(desk.clone()),
        reloading::reload_on(desk.clone()),
        sending::send_on(desk),
    );
}

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
