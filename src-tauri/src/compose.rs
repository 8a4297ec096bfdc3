//! Putting the window together with a station, and taking both apart again.
//!
//! Promise: Tauri runs on the main thread and outside any runtime, the station's waiting is done on a runtime of its own;
//! at the end an attempt that is under way is finished, within its limit, before anything is closed.

use std::sync::Arc;
use std::time::Duration;

use clap::Parser as _;
use holdfast_machine::{StartAsk, Started, start};
use holdfast_station::{Stop, StopHandle};
use holdfast_wire::{Rehearsal, StartProblem, StartView, StationEvent};
use tauri::{App, AppHandle, Emitter as _, Manager as _, RunEvent, WindowEvent};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

use crate::arguments::{Arguments, What};
use crate::closing::{self, Closing};
use crate::desk::{AtWork, Desk, Opener, Tell};
use crate::events::STATION_EVENT;
use crate::{commands, logging, signals, window};

/// Name of this program's log files.
pub(crate) const LOG_NAME: &str = "holdfast";
/// Threads for waiting on the network and for the commands of the page.
const WORKER_THREADS: usize = 2;
/// Longest that the end waits for what is under way, in seconds; more than one attempt, or what another program asked, may take.
const END_WAITS_S: u64 = 10;

/// Opens the window, and the station behind it, and stays until the window is closed.
///
/// # Errors
/// A sentence for whoever started the program. A data folder that does not open is none: the window says it.
pub(crate) fn open_and_show() -> Result<(), String> {
    let what = Arguments::parse().what();
    if !window::has_display() {
        return Err(
            "there is no display to open a window on (DISPLAY and WAYLAND_DISPLAY name none)".to_owned()
        );
    }
    let runtime = Builder::new_multi_thread().worker_threads(WORKER_THREADS).enable_all().build();
    let runtime = runtime.map_err(|cause| format!("no threads can be started: {cause}"))?;
    tauri::async_runtime::set(runtime.handle().clone());
    // A second start ends in here, before it has opened anything.
    let no_window = |cause| format!("the window cannot be opened: {cause}");
    let app = build().map_err(no_window)?;
    let (handle, stop) = Stop::new();
    let (desk, rehearsal) = desk_for(what, &app, &runtime, stop)?;
    show(app, runtime, (desk, rehearsal), handle).map_err(no_window)
}

/// A demonstration is open before its window; a data folder may take longer, since a person may have to unlock it.
fn desk_for(what: What, app: &App, runtime: &Runtime, stop: Stop) -> Result<(Desk, Rehearsal), String> {
    let tell = teller(app.handle().clone());
    match what {
        What::Folder(ask) => {
            let desk = Desk::new(opener(ask), tell, stop);
            let opening = desk.clone();
            runtime.spawn(async move { opening.open().await });
            Ok((desk, Rehearsal::None))
        }
        #[cfg(feature = "demo")]
        What::Demonstration { kept } => {
            let opened = runtime.block_on(async {
                let place = kept.map(|(folder, words)| crate::demo::Place::kept(&folder, &words));
                crate::demo::open(place.transpose()?).await
            });
            let (at_work, demo) = opened.map_err(|fault| logging::with_causes(&fault))?;
            app.manage(demo);
            Ok((Desk::at(at_work, tell, stop), Rehearsal::Demo))
        }
    }
}

fn opener(ask: StartAsk) -> Opener {
    Box::new(move || {
        let ask = ask.clone();
        Box::pin(async move {
            let started = tokio::task::spawn_blocking(move || {
                start(&ask, LOG_NAME, env!("CARGO_PKG_VERSION"))
                    .inspect_err(|fault| logging::say(&logging::with_causes(fault)))
                    .map_err(|fault| fault.view())
            });
            let Started { station, house, log, door, configuration } =
                started.await.unwrap_or_else(|_| Err(broke_off()))?;
            Ok(AtWork { station, house, log, door: Some(door), configuration: Some(configuration) })
        })
    })
}

fn broke_off() -> StartView {
    StartView::Problem { problem: StartProblem::Failed, folder: String::new(), contact: None }
}

fn build() -> tauri::Result<App> {
    tauri::Builder::default()
        .plugin(tauri_plugin_single_instance::init(|app, _, _| {
            // While the first start is still on its way there is nothing to bring back.
            if let Some(closing) = app.try_state::<Closing>() {
                closing.came_back();
            }
            window::bring_forward(app);
        }))
        .invoke_handler(commands::handler())
        .on_window_event(|window, event| {
            if let WindowEvent::CloseRequested { api, .. } = event {
                closing::wanted(window.app_handle(), api);
            }
        })
        .build(window::context())
}

fn show(
    app: App,
    runtime: Runtime,
    (desk, rehearsal): (Desk, Rehearsal),
    handle: StopHandle,
) -> tauri::Result<()> {
    app.manage(desk.clone());
    let ending = app.handle().clone();
    app.manage(Closing::new(move || ending.exit(0)));
    window::open(&app, title(rehearsal))?;
    let loops = start_loops(&runtime, &desk, app.handle());
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

fn title(rehearsal: Rehearsal) -> &'static str {
    match rehearsal {
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

fn start_loops(runtime: &Runtime, desk: &Desk, app: &AppHandle) -> JoinHandle<()> {
    let app = app.clone();
    runtime.spawn(async move {
        signals::asked_to_end().await;
        app.exit(0);
    });
    runtime.spawn(crate::go_on(desk.clone()))
}

/// What the end of the program has to do.
struct End {
    runtime: Runtime,
    loops: JoinHandle<()>,
    handle: StopHandle,
}

impl End {
    fn carry_out(self, app: &AppHandle) {
        self.handle.ask();
        self.runtime.block_on(async {
            if tokio::time::timeout(Duration::from_secs(END_WAITS_S), self.loops).await.is_err() {
                tracing::warn!("ended before what was under way");
            }
            app.state::<Desk>().end();
            #[cfg(feature = "demo")]
            if let Some(demo) = app.try_state::<crate::demo::Demo>() {
                demo.end().await;
            }
        });
    }
}
