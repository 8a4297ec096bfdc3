//! Who may ask the shell for what, on Tauri's mock runtime with the real capability files: the page in the main window
//! what is listed there, and nobody anything else. Without the feature `demo` nobody may ask for its commands.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::sync::Arc;

use holdfast_shell::{Closing, Desk, context, handler};
use holdfast_station::Stop;
use holdfast_wire::{StartProblem, StartView};
use serde_json::{Value, json};
use tauri::ipc::{CallbackFn, InvokeBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
use tauri::webview::InvokeRequest;
use tauri::{App, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

const OWN_PAGE: &str = "tauri://localhost";

/// The list of commands, as the manifest is made from it.
const BUILD: &str = include_str!("../build.rs");
const MAIN: &str = include_str!("../capabilities/main.json");
const DEMO: &str = include_str!("../capabilities/demo.json");

struct Scene {
    app: App<MockRuntime>,
}

impl Scene {
    /// At a desk whose station did not open.
    fn without_a_station() -> Self {
        let (_, stop) = Stop::new();
        let opener = || {
            let folder = "data".to_owned();
            let why = StartView::Problem { problem: StartProblem::NotSetUp, folder, contact: None };
            Box::pin(std::future::ready(Err(why))) as holdfast_shell::Opening
        };
        let desk = Desk::new(Box::new(opener), Arc::new(|_| ()), stop);
        tauri::async_runtime::block_on(desk.open());
        Self { app: builder(desk).build(context()).unwrap() }
    }

    fn window(&self, label: &str) -> WebviewWindow<MockRuntime> {
        WebviewWindowBuilder::new(&self.app, label, WebviewUrl::default()).build().unwrap()
    }
}

fn builder(desk: Desk) -> tauri::Builder<MockRuntime> {
    mock_builder().manage(desk).manage(Closing::new(|| ())).invoke_handler(handler())
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

/// Every command of the manifest, by name.
fn commands() -> BTreeSet<String> {
    let list = BUILD.split_once("const COMMANDS").unwrap().1.split_once("];").unwrap().0;
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The commands of ours that a capability file grants.
fn granted(capability: &str) -> BTreeSet<String> {
    let capability: Value = serde_json::from_str(capability).unwrap();
    assert_eq!(capability["windows"], json!(["main"]));
    let granted = capability["permissions"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
    granted.filter_map(|name| name.strip_prefix("allow-")).map(|name| name.replace('-', "_")).collect()
}

#[test]
fn every_command_is_granted_in_one_place_and_nothing_else_is() {
    let (of_demo, others): (BTreeSet<_>, BTreeSet<_>) =
        commands().into_iter().partition(|name| name.starts_with("demo_"));
    assert_eq!(granted(MAIN), others);
    assert_eq!(granted(DEMO), of_demo);
    let foreign: Value = serde_json::from_str(MAIN).unwrap();
    let foreign: Vec<_> = foreign["permissions"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .filter(|name| !name.starts_with("allow-"))
        .collect();
    assert_eq!(foreign, ["core:event:allow-listen", "core:event:allow-unlisten"]);
}

#[test]
fn the_page_in_the_main_window_may_ask_for_every_command_and_nobody_else_for_any() {
    let scene = Scene::without_a_station();
    let (main, other) = (scene.window("main"), scene.window("other"));
    for command in commands() {
        let allowed = cfg!(feature = "demo") || !command.starts_with("demo_");
        let answer = ask(&main, OWN_PAGE, &command, json!({}));
        assert_eq!(is_refused(&answer), !allowed, "{command}: {answer:?}");
        let answer = ask(&main, "https://permits.example", &command, json!({}));
        assert!(is_refused(&answer), "{command} for a page from elsewhere: {answer:?}");
        let answer = ask(&other, OWN_PAGE, &command, json!({}));
        assert!(is_refused(&answer), "{command} for another window: {answer:?}");
    }
}

#[test]
fn what_is_not_in_the_list_is_refused() {
    let scene = Scene::without_a_station();
    let main = scene.window("main");
    let unlisted = [
        "no_such_command",
        "plugin:webview|create_webview_window",
        "plugin:window|close",
        "plugin:app|version",
        "plugin:event|emit",
        "plugin:path|resolve_directory",
    ];
    for command in unlisted {
        let answer = ask(&main, OWN_PAGE, command, json!({}));
        assert!(is_refused(&answer), "{command}: {answer:?}");
    }
}

#[test]
fn a_window_without_a_station_says_why_and_answers_nothing_else() {
    let scene = Scene::without_a_station();
    let main = scene.window("main");
    for command in ["start", "start_again"] {
        let start = ask(&main, OWN_PAGE, command, json!({})).unwrap();
        assert_eq!(
            (&start["start"], &start["problem"]),
            (&json!("problem"), &json!({"problem": "not_set_up"}))
        );
    }
    for command in ["house", "standing", "session", "drafts"] {
        let answer = ask(&main, OWN_PAGE, command, json!({})).unwrap_err();
        assert_eq!(answer["code"], "not_started", "{command}");
    }
    ask(&main, OWN_PAGE, "close_window", json!({})).unwrap();
}

#[cfg(feature = "demo")]
mod in_a_demonstration {
    use holdfast_shell::AtWork;
    use holdfast_shell::demo::{house, open_in};
    use tempfile::TempDir;

    use super::*;

    fn scene() -> (Scene, TempDir) {
        let above = tempfile::tempdir().unwrap();
        let (station, demo) = tauri::async_runtime::block_on(open_in(above.path())).unwrap();
        let (_, stop) = Stop::new();
        let at_work =
            AtWork { station, house: house(), log: None, door: Some(demo.door()), configuration: None };
        let desk = Desk::at(at_work, Arc::new(|_| ()), stop);
        (Scene { app: builder(desk).manage(demo).build(context()).unwrap() }, above)
    }

    #[test]
    fn the_page_is_answered_by_the_station() {
        let (scene, _above) = scene();
        let main = scene.window("main");
        assert_eq!(ask(&main, OWN_PAGE, "start", json!({})).unwrap(), json!({"start": "ready"}));
        assert_eq!(ask(&main, OWN_PAGE, "start_again", json!({})).unwrap(), json!({"start": "ready"}));
        let house = ask(&main, OWN_PAGE, "house", json!({})).unwrap();
        assert_eq!(house["rehearsal"], "demo");
        let standing = ask(&main, OWN_PAGE, "standing", json!({})).unwrap();
        assert_eq!(standing["status"]["mode"], "normal");
        let session = ask(&main, OWN_PAGE, "demo_switch", json!({"person": "inspector"})).unwrap();
        assert_eq!(session["actor"], "inspector");
    }

    #[test]
    fn a_refusal_reaches_the_page_as_the_station_said_it() {
        let (scene, _above) = scene();
        let main = scene.window("main");
        let answer = ask(&main, OWN_PAGE, "submit", json!({"document": "[]"})).unwrap_err();
        assert_eq!(answer["code"], "not_an_object");
        let answer = ask(&main, OWN_PAGE, "queue", json!({"request": {"skip": 0, "rows": 0}})).unwrap_err();
        assert_eq!(answer["code"], "refused");
        let answer = ask(&main, OWN_PAGE, "application", json!({"id": "no such thing"})).unwrap_err();
        assert_eq!(answer["code"], "not_found");
    }
}
