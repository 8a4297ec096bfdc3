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
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use holdfast_shell::demo::{NoDemo, Place};
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
    /// Keep the demonstration in this folder, so that it can be opened again.
    #[arg(long, value_name = "DIR", requires = "passphrase_file", conflicts_with = "above")]
    keep: Option<PathBuf>,
    /// File whose first line opens a kept demonstration.
    #[arg(long, value_name = "FILE", requires = "keep")]
    passphrase_file: Option<PathBuf>,
}

impl Arguments {
    fn place(&self, above: &Path) -> Result<Place, NoDemo> {
        match (&self.keep, &self.passphrase_file) {
            (Some(folder), Some(words)) => Place::kept(folder, words),
            (Some(_) | None, _) => Place::throw_away(self.above.as_deref().unwrap_or(above)),
        }
    }
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
    let scene = Scene::open(arguments.place(above.path())?).await?;
    seeding::seed(&scene, arguments.seed).await?;
    let asked_to_end = asked_to_end()?;
    let loops = scene.start();
    let door = Door::bind(&scene, &arguments.page).await?;
    writeln!(std::io::stdout(), "{}", serde_json::json!({ "listening": door.address() }))?;
    tokio::select! {
        () = door.serve() => {}
        () = asked_to_end => {}
        () = scene.closed() => {}
    }
    scene.end(loops).await;
    Ok(())
}

/// Listens for the end from now on: whoever started the program is gone, or wants it to end.
fn asked_to_end() -> Result<impl Future<Output = ()>, Fault> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let (close, closed) = oneshot::channel();
    // On a thread of its own, since a read that nothing ends would keep the runtime from ending.
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        let _ = close.send(());
    });
    Ok(async move {
        tokio::select! {
            _ = closed => {}
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
