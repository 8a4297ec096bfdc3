//! Who may ask the shell for what, on Tauri's mock runtime with the real capability files: the page in the main window
//! what is listed there, and nobody anything else.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use holdfast_shell::demo::{house, open_in};
use holdfast_shell::{Desk, context, handler};
use holdfast_station::Stop;
use serde_json::{Value, json};
use tauri::ipc::{CallbackFn, InvokeBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
use tauri::webview::InvokeRequest;
use tauri::{App, WebviewUrl, WebviewWindow, WebviewWindowBuilder};
use tempfile::TempDir;

const OWN_PAGE: &str = "tauri://localhost";

struct Scene {
    app: App<MockRuntime>,
    _folder: TempDir,
}

impl Scene {
    fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let opening = open_in(folder.path(), false);
        let (station, demo) = tauri::async_runtime::block_on(opening).unwrap();
        let (_, stop) = Stop::new();
        let desk = Desk::new(station, house(), Arc::new(|_| ()), stop);
        let builder = mock_builder().manage(desk).manage(demo).invoke_handler(handler());
        Self { app: builder.build(context()).unwrap(), _folder: folder }
    }

    fn window(&self, label: &str) -> WebviewWindow<MockRuntime> {
        WebviewWindowBuilder::new(&self.app, label, WebviewUrl::default()).build().unwrap()
    }
}

fn ask(window: &WebviewWindow<MockRuntime>, from: &str, command: &str, body: Value) -> Result<Value, Value> {
    let request = InvokeRequest {
        cmd: command.to_owned(),
        callback: CallbackFn(0),
        error: CallbackFn(1),
        url: from.parse().unwrap(),
        body: InvokeBody::Json(body),
        headers: tauri::http::HeaderMap::new(),
        invoke_key: INVOKE_KEY.to_owned(),
    };
    get_ipc_response(window, request).map(|body| body.deserialize().unwrap())
}

fn is_refused(answer: &Result<Value, Value>) -> bool {
    matches!(answer, Err(Value::String(why)) if why.contains("not allowed"))
}

#[test]
fn the_page_may_ask_what_is_listed_and_nobody_anything_else() {
    let scene = Scene::open();
    let main = scene.window("main");
    let house = ask(&main, OWN_PAGE, "house", json!({})).unwrap();
    assert_eq!(house["rehearsal"], "demo");
    let standing = ask(&main, OWN_PAGE, "standing", json!({})).unwrap();
    assert_eq!(standing["status"]["mode"], "normal");
    let session = ask(&main, OWN_PAGE, "demo_switch", json!({"person": "inspector"})).unwrap();
    assert_eq!(session["actor"], "inspector");

    for unlisted in ["plugin:webview|create_webview_window", "plugin:window|close", "plugin:app|version"] {
        let answer = ask(&main, OWN_PAGE, unlisted, json!({}));
        assert!(is_refused(&answer), "{unlisted}: {answer:?}");
    }
    let answer = ask(&main, "https://permits.example", "standing", json!({}));
    assert!(is_refused(&answer), "a page from elsewhere: {answer:?}");
    let other = scene.window("other");
    let answer = ask(&other, OWN_PAGE, "standing", json!({}));
    assert!(is_refused(&answer), "another window: {answer:?}");
}

#[test]
fn a_refusal_reaches_the_page_as_the_station_said_it() {
    let scene = Scene::open();
    let main = scene.window("main");
    let answer = ask(&main, OWN_PAGE, "submit", json!({"document": "[]"})).unwrap_err();
    assert_eq!(answer["code"], "not_an_object");
    let answer = ask(&main, OWN_PAGE, "queue", json!({"request": {"skip": 0, "rows": 0}})).unwrap_err();
    assert_eq!(answer["code"], "refused");
    let answer = ask(&main, OWN_PAGE, "application", json!({"id": "no such thing"})).unwrap_err();
    assert_eq!(answer["code"], "not_found");
}
