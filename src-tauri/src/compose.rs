//! Putting the window together with a station, and taking both apart again.
//!
//! Promise: Tauri runs on the main thread and outside any runtime, the station's waiting is done on a runtime of its own;
//! at the end an attempt that is under way is finished, within its limit, before anything is closed.

use std::sync::{Arc, OnceLock};
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
    let runtime = Builder::new_multi_thread().worker_threads(WORKER_THREADS).enable_all().build();
    let runtime = runtime.map_err(|cause| format!("no threads can be started: {cause}"))?;
    tauri::async_runtime::set(runtime.handle().clone());
    let opened = open(&runtime)?;
    show(runtime, opened).map_err(|cause| format!("the window cannot be opened: {cause}"))
}

#[cfg(feature = "demo")]
fn open(runtime: &Runtime) -> Result<Opened, String> {
    match std::env::args_os().nth(1) {
        Some(argument) if argument == "--demo" => runtime.block_on(crate::demo::open()).map_err(|f| f.said()),
        Some(_) | None => Err("usage: holdfast --demo".to_owned()),
    }
}

#[cfg(not(feature = "demo"))]
fn open(_: &Runtime) -> Result<Opened, String> {
    Err("this version opens a window for a demonstration only: build it with --features demo".to_owned())
}

fn show(runtime: Runtime, opened: Opened) -> tauri::Result<()> {
    let (handle, stop) = Stop::new();
    let app_handle = Arc::new(OnceLock::new());
    let title = title(&opened.house);
    let desk = Desk::new(opened.station, opened.house, teller(Arc::clone(&app_handle)), stop);
    let app = build(desk.clone(), opened.behind, title)?;
    // Set once, here; until then there is nobody to tell.
    let _ = app_handle.set(app.handle().clone());
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

fn build(desk: Desk, behind: Behind, title: String) -> tauri::Result<App> {
    tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(|app, _, _| window::bring_forward(app)))
        .manage(desk)
        .manage(behind)
        .invoke_handler(commands::handler())
        .setup(move |app| Ok(window::open(app, &title)?))
        .build(window::context())
}

fn title(house: &HouseView) -> String {
    match house.rehearsal {
        Rehearsal::None => "Holdfast".to_owned(),
        Rehearsal::Drill => "DRILL – Holdfast".to_owned(),
        Rehearsal::Demo => "DEMO – Holdfast".to_owned(),
    }
}

fn teller(app: Arc<OnceLock<AppHandle>>) -> Tell {
    Arc::new(move |event: StationEvent| {
        let told = app.get().map_or(Ok(()), |app| app.emit(STATION_EVENT, event));
        // A window that is closing hears nothing more.
        if let Err(cause) = told {
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
