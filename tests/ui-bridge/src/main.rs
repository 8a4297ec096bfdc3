//! `ui-bridge`: the page in a browser on this machine, on the real station of a demonstration. For browser tests; never
//! shipped, and nothing depends on it.
//!
//! Promise: the browser is given no way that the window does not have: every call goes through the shell's own command
//! list, capability files and handlers on Tauri's mock runtime. Only who knows the random address is answered. The program
//! says where it listens as JSON on its first line, and ends, with all it made, when its stdin closes or on SIGTERM.

mod door;
mod events;
mod page;
mod seeding;
mod window;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

use crate::door::Door;
use crate::seeding::SEED_MAX;
use crate::window::Scene;

/// Serves the page on the loopback, on a demonstration of its own.
#[derive(Debug, Parser)]
struct Arguments {
    /// The built page: a folder with index.html, built with `vite build --mode bridge`.
    #[arg(long, value_name = "DIR")]
    page: PathBuf,
    /// Applications that wait from the beginning; the SoR refuses connections then.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=SEED_MAX))]
    seed: u32,
    /// A folder for the demonstration's own folder; without it a new one that goes with the program.
    #[arg(long, value_name = "DIR")]
    above: Option<PathBuf>,
}

/// Why the bridge does not stand.
type Fault = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> ExitCode {
    match serve(&Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            let _ = writeln!(std::io::stderr(), "ui-bridge: {fault}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(arguments: &Arguments) -> Result<(), Fault> {
    tauri::async_runtime::set(tokio::runtime::Handle::current());
    let above = tempfile::tempdir()?;
    let scene = Scene::open(arguments.above.as_deref().unwrap_or(above.path())).await?;
    seeding::seed(&scene, arguments.seed).await?;
    let loops = scene.start();
    let door = Door::bind(&scene, &arguments.page).await?;
    writeln!(std::io::stdout(), "{}", serde_json::json!({ "listening": door.address() }))?;
    tokio::select! {
        () = door.serve() => {}
        () = asked_to_end() => {}
    }
    scene.end(loops).await;
    Ok(())
}

/// Returns when whoever started the program is gone or wants it to end.
async fn asked_to_end() {
    let (close, closed) = oneshot::channel();
    // On a thread of its own, since a read that nothing ends would keep the runtime from ending.
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        let _ = close.send(());
    });
    let closed = async { drop(closed.await) };
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return closed.await;
    };
    tokio::select! {
        () = closed => {}
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
