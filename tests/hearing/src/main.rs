//! What a screen reader hears of the real window: one line of JSON per message, `{"role", "text"}`.
//!
//! Promise: it listens where a screen reader listens, on the accessibility bus, and tells of every element that is put
//! into a live region (`log`, `alert`, `status`), because that is what a reader speaks; a changed text alone is not told,
//! since no event is sent for it. The first line, `{"listening": N}`, comes when the window is there and its
//! N objects were walked, or null when there is none. Start it after the window. It ends when its input ends, or after
//! [`LISTENS_MAX_S`]. Deliberately not here: what ought to be heard; that is the journeys' to say.

mod bus;
mod live;

use std::io::{Read as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

/// Longest that it listens, in seconds.
const LISTENS_MAX_S: u64 = 1_800;
/// How often it walks to find the window, and after how long again.
const WALKS_MAX: usize = 40;
const WALKS_AGAIN_MS: u64 = 500;

fn main() -> ExitCode {
    end_with_the_input();
    match listen() {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            // The pipe of the journey's test may be gone already.
            let _ = writeln!(std::io::stderr(), "hearing: {cause}");
            ExitCode::FAILURE
        }
    }
}

fn listen() -> zbus::Result<()> {
    let ear = bus::Ear::on_the_accessibility_bus()?;
    let added = ear.added()?;
    tell(&serde_json::json!({ "listening": window_shown(&ear) }));
    for added in added {
        if let Some(message) = live::message(&ear, &added?) {
            tell(&serde_json::json!({ "role": message.role, "text": message.text }));
        }
    }
    Ok(())
}

/// Walks until the window shows its page; none when it never does.
fn window_shown(ear: &bus::Ear) -> Option<usize> {
    (0..WALKS_MAX).find_map(|walk| {
        if walk > 0 {
            std::thread::sleep(Duration::from_millis(WALKS_AGAIN_MS));
        }
        live::page_objects(ear)
    })
}

fn end_with_the_input() {
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_secs(LISTENS_MAX_S));
        std::process::exit(1);
    });
    std::thread::spawn(|| {
        let mut rest = [0; 64];
        while std::io::stdin().read(&mut rest).is_ok_and(|read| read > 0) {}
        std::process::exit(0);
    });
}

fn tell(line: &serde_json::Value) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}
