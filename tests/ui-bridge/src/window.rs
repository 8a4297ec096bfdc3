//! The window that nobody sees: the shell's commands and capability files on Tauri's mock runtime, with a demonstration
//! behind them.
//!
//! Promise: a call is judged by the same access list as one of the page in the real window, and answered by the same
//! handler. What goes with the program is thrown away at its end.

use std::sync::Arc;
use std::time::Duration;

use holdfast_shell::demo::{Demo, NoDemo, Place, house, open_at};
use holdfast_shell::{AtWork, Closing, Desk, context, go_on, handler};
use holdfast_station::{Stop, StopHandle};
use holdfast_wire::StationEvent;
use serde_json::Value;
use tauri::ipc::{CallbackFn, InvokeBody, InvokeResponseBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
use tauri::webview::InvokeRequest;
use tauri::{App, Manager as _, WebviewUrl, WebviewWindow, WebviewWindowBuilder};
use tokio::sync::{Notify, broadcast};
use tokio::task::JoinHandle;

/// The page that the access list grants to.
const OWN_PAGE: &str = "tauri://localhost";
/// The window that the capability files grant to.
const LABEL: &str = "main";
/// Events that a slow listener may be behind.
const EVENTS_WAITING_MAX: usize = 1_024;
/// Longest that the end waits for an attempt that is under way, in seconds.
const END_WAITS_S: u64 = 8;

/// A demonstration with a window that nobody sees.
pub(crate) struct Scene {
    app: App<MockRuntime>,
    pub(crate) window: Window,
    pub(crate) desk: Desk,
    stop: StopHandle,
    told: broadcast::Sender<StationEvent>,
    closed: Arc<Notify>,
}

/// Where commands are called.
#[derive(Clone)]
pub(crate) struct Window(WebviewWindow<MockRuntime>);

/// What came of a call.
pub(crate) enum Answer {
    /// What the command said.
    Done(Value),
    /// The station understood and did not do it.
    Refused(Value),
    /// There is no such command, it is not granted, or its arguments are not of its form.
    NotACall(String),
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoWindow {
    #[error("there is no demonstration: {0}")]
    Demo(#[from] NoDemo),
    #[error("the mock runtime gives no window: {0}")]
    Tauri(#[from] tauri::Error),
}

impl Scene {
    pub(crate) async fn open(place: Place) -> Result<Self, NoWindow> {
        let (station, demo) = open_at(place).await?;
        let (told, _) = broadcast::channel(EVENTS_WAITING_MAX);
        let (stop, asked) = Stop::new();
        let tell = told.clone();
        let door = Some(demo.door());
        let at_work = AtWork { station, house: house(), log: None, door, configuration: None };
        // Nobody may listen.
        let desk = Desk::at(at_work, Arc::new(move |event| drop(tell.send(event))), asked);
        let closed = Arc::new(Notify::new());
        let close = Arc::clone(&closed);
        let builder = mock_builder()
            .manage(desk.clone())
            .manage(demo)
            .manage(Closing::new(move || close.notify_one()))
            .invoke_handler(handler());
        let app = builder.build(context())?;
        let window = WebviewWindowBuilder::new(&app, LABEL, WebviewUrl::default()).build()?;
        Ok(Self { app, window: Window(window), desk, stop, told, closed })
    }

    /// Returns when the page has closed its window.
    pub(crate) async fn closed(&self) {
        self.closed.notified().await;
    }

    pub(crate) fn demo(&self) -> tauri::State<'_, Demo> {
        self.app.state::<Demo>()
    }

    pub(crate) fn events(&self) -> broadcast::Sender<StationEvent> {
        self.told.clone()
    }

    /// What the window's content policy is: the page has to do with the same one here.
    pub(crate) fn content_policy(&self) -> String {
        self.app.config().app.security.csp.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    pub(crate) fn start(&self) -> JoinHandle<()> {
        tokio::spawn(go_on(self.desk.clone()))
    }

    pub(crate) async fn end(self, loops: JoinHandle<()>) {
        self.stop.ask();
        let _ = tokio::time::timeout(Duration::from_secs(END_WAITS_S), loops).await;
        self.demo().end().await;
    }
}

impl Window {
    /// Calls a command as the page in the window does. Blocks until it answers.
    pub(crate) fn call(&self, command: String, arguments: Value) -> Answer {
        let request = InvokeRequest {
            cmd: command,
            callback: CallbackFn(0),
            error: CallbackFn(1),
            url: OWN_PAGE.parse().expect("the page has an address"),
            body: InvokeBody::Json(arguments),
            headers: tauri::http::HeaderMap::new(),
            invoke_key: INVOKE_KEY.to_owned(),
        };
        match get_ipc_response(&self.0, request) {
            Ok(InvokeResponseBody::Json(text)) => {
                serde_json::from_str(&text).map_or_else(|_| not_json(), Answer::Done)
            }
            Ok(InvokeResponseBody::Raw(_)) => not_json(),
            Err(Value::String(why)) => Answer::NotACall(why),
            Err(refusal) => Answer::Refused(refusal),
        }
    }
}

fn not_json() -> Answer {
    Answer::NotACall("the command answers no JSON".to_owned())
}
