//! Putting the window together with a station, and taking both apart again.
//!
//! Promise: Tauri runs on the main thread and outside any runtime, the station's waiting is done on a runtime of its own;
//! at the end an attempt that is under way is finished, within its limit, before anything is closed.

use std::sync::Arc;
use std::time::Duration;

use holdfast_station::{Station, Stop, StopHandle};
use holdfast_wire::{HouseView, Rehearsal, StationEvent};
use tauri::{App, AppHandle, Emitter as _, Manager as _, RunEvent};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

use crate::desk::{Desk, Tell};
use crate::events::{STATION_EVENT, beat};
use crate::sending::send_on;
use crate::{commands, signals, window};

/// Threads for waiting on the network and for the commands of the page.
const WORKER_THREADS: usize = 2;
/// Longest that the end waits for what is under way, in seconds; more than one attempt may take.
const END_WAITS_S: u64 = 8;

/// What the window is opened on.
pub(crate) struct Opened {
    pub(crate) station: Station,
    pub(crate) house: HouseView,
    pub(crate) behind: Behind,
}

/// What has to stay as long as the window, and to go after it.
#[cfg(feature = "demo")]
pub(crate) type Behind = crate::demo::Demo;
/// What has to stay as long as the window, and to go after it.
#[cfg(not(feature = "demo"))]
pub(crate) struct Behind;

#[cfg(not(feature = "demo"))]
impl Behind {
    /// Nothing has to go.
    #[allow(clippy::unused_async, reason = "a demonstration has something to do here")]
    async fn end(&self) {}
}

/// Opens a station and the window on it, and stays until the window is closed.
///
/// # Errors
/// A sentence for whoever started the program.
pub(crate) fn open_and_show() -> Result<(), String> {
    let what = asked_for()?;
    let runtime = Builder::new_multi_thread().worker_threads(WORKER_THREADS).enable_all().build();
    let runtime = runtime.map_err(|cause| format!("no threads can be started: {cause}"))?;
    tauri::async_runtime::set(runtime.handle().clone());
    // A second start ends in here, before it has opened anything.
    let no_window = |cause| format!("the window cannot be opened: {cause}");
    let app = build().map_err(no_window)?;
    let opened = runtime.block_on(open(what))?;
    show(app, runtime, opened).map_err(no_window)
}

/// What can be opened.
enum What {
    #[cfg(feature = "demo")]
    Demonstration,
}

#[cfg(feature = "demo")]
fn asked_for() -> Result<What, String> {
    let mut arguments = std::env::args_os().skip(1);
    match (arguments.next(), arguments.next()) {
        (Some(argument), None) if argument == "--demo" => Ok(What::Demonstration),
        (Some(_) | None, _) => Err("usage: holdfast --demo".to_owned()),
    }
}

#[cfg(not(feature = "demo"))]
fn asked_for() -> Result<What, String> {
    Err("this version opens a window for a demonstration only: build it with --features demo".to_owned())
}

async fn open(what: What) -> Result<Opened, String> {
    match what {
        #[cfg(feature = "demo")]
        What::Demonstration => crate::demo::open().await.map_err(|fault| fault.said()),
    }
}

fn build() -> tauri::Result<App> {
    tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(|app, _, _| window::bring_forward(app)))
        .invoke_handler(commands::handler())
        .build(window::context())
}

fn show(app: App, runtime: Runtime, opened: Opened) -> tauri::Result<()> {
    let (handle, stop) = Stop::new();
    let title = title(&opened.house);
    let desk = Desk::new(opened.station, opened.house, teller(app.handle().clone()), stop);
    app.manage(desk.clone());
    app.manage(opened.behind);
    window::open(&app, title)?;
    let loops = start(&runtime, &desk, app.handle());
    let mut end = Some(End { runtime, loops, handle });
    app.run(move |app, event| {
        if matches!(event, RunEvent::Exit)
            && let Some(end) = end.take()
        {
            end.carry_out(app);
        }
    });
    Ok(())
}

fn title(house: &HouseView) -> &'static str {
    match house.rehearsal {
        Rehearsal::None => "Holdfast",
        Rehearsal::Drill => "DRILL – Holdfast",
        Rehearsal::Demo => "DEMO – Holdfast",
    }
}

fn teller(app: AppHandle) -> Tell {
    Arc::new(move |event: StationEvent| {
        // A window that is closing hears nothing more.
        if let Err(cause) = app.emit(STATION_EVENT, event) {
            tracing::debug!(error = %cause, "not told");
        }
    })
}

fn start(runtime: &Runtime, desk: &Desk, app: &AppHandle) -> Vec<JoinHandle<()>> {
    let app = app.clone();
    runtime.spawn(async move {
        signals::asked_to_end().await;
        app.exit(0);
    });
    vec![runtime.spawn(beat(desk.clone())), runtime.spawn(send_on(desk.clone()))]
}

/// What the end of the program has to do.
struct End {
    runtime: Runtime,
    loops: Vec<JoinHandle<()>>,
    handle: StopHandle,
}

impl End {
    fn carry_out(self, app: &AppHandle) {
        self.handle.ask();
        self.runtime.block_on(async {
            let ended = async {
                for task in self.loops {
                    let _ = task.await;
                }
            };
            if tokio::time::timeout(Duration::from_secs(END_WAITS_S), ended).await.is_err() {
                tracing::warn!("ended before what was under way");
            }
            app.state::<Behind>().end().await;
        });
    }
}
