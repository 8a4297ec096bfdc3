//! The bridge as a program: who is answered, with what, and how it ends.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Longest that anything may take here; far above what it does take.
const PATIENCE: Duration = Duration::from_secs(60);
const PAGE: &str = "<!doctype html><title>a page</title>";

struct Bridge {
    child: Child,
    /// Host and port.
    host: String,
    /// The path that holds the token, with a slash at both ends.
    base: String,
    above: TempDir,
}

impl Bridge {
    fn open(more: &[&str]) -> Self {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().to_str().unwrap().to_owned();
        Self::open_in(above, &[&["--above", &folder], more].concat())
    }

    fn open_in(above: TempDir, more: &[&str]) -> Self {
        let page = above.path().join("page");
        std::fs::create_dir(&page).unwrap();
        std::fs::write(page.join("index.html"), PAGE).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_ui-bridge"))
            .arg("--page")
            .arg(&page)
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let line: Value = serde_json::from_str(&line).unwrap();
        let address = line["listening"].as_str().unwrap().strip_prefix("http://").unwrap();
        let (host, path) = address.split_once('/').unwrap();
        Self { host: host.to_owned(), base: format!("/{path}"), child, above }
    }

    fn connect(&self, head: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let length = body.len();
        write!(stream, "{head}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
        stream
    }

    fn exchange(&self, head: &str, body: &str) -> (u16, String) {
        let mut answer = String::new();
        self.connect(head, body).read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer)
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.exchange(&format!("GET {path} HTTP/1.1\r\nhost: {}", self.host), "")
    }

    fn call(&self, command: &str, arguments: &Value) -> (u16, Value) {
        let (host, base) = (&self.host, &self.base);
        let head = format!(
            "POST {base}command/{command} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json"
        );
        let (status, answer) = self.exchange(&head, &arguments.to_string());
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        (status, serde_json::from_str(body).unwrap())
    }

    fn has_ended(&mut self) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }

    fn demonstrations(&self) -> usize {
        let entries = std::fs::read_dir(self.above.path()).unwrap();
        entries
            .filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with("demo-"))
            .count()
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn only_the_own_page_under_its_own_address_is_answered() {
    let bridge = Bridge::open(&[]);
    let (host, base) = (&bridge.host, &bridge.base);
    let (status, answer) = bridge.get(base);
    assert_eq!(status, 200);
    assert!(
        answer.ends_with(PAGE) && answer.contains("content-security-policy: default-src 'self'"),
        "{answer}"
    );
    for path in ["/", "/index.html", "/events", "/command/house", "/0123456789abcdef/"] {
        assert_eq!(bridge.get(path).0, 404, "{path} without the token");
    }
    let elsewhere = format!("GET {base} HTTP/1.1\r\nhost: permits.example");
    assert_eq!(bridge.exchange(&elsewhere, "").0, 403, "under another name");
    let foreign = format!("GET {base} HTTP/1.1\r\nhost: {host}\r\norigin: https://permits.example");
    assert_eq!(bridge.exchange(&foreign, "").0, 403, "from another page");
    let broken =
        format!("POST {base}command/house HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json");
    assert_eq!(bridge.exchange(&broken, "[").0, 400, "no JSON");
}

#[test]
fn a_call_is_answered_as_in_the_window_and_no_other_way() {
    let bridge = Bridge::open(&[]);
    let (status, house) = bridge.call("house", &json!({}));
    assert_eq!((status, &house["rehearsal"]), (200, &json!("demo")));
    let (status, refusal) = bridge.call("submit", &json!({"document": "[]"}));
    assert_eq!((status, &refusal["code"]), (409, &json!("not_an_object")));
    for unlisted in ["no_such_command", "plugin:window%7Cclose", "plugin:webview%7Ccreate_webview_window"] {
        let (status, why) = bridge.call(unlisted, &json!({}));
        assert!(status == 403 && why.is_string(), "{unlisted}: {status} {why}");
    }
    let (status, _) = bridge.call("submit", &json!({"other": 1}));
    assert_eq!(status, 403, "arguments of another form");
}

#[test]
fn the_station_is_heard() {
    let bridge = Bridge::open(&[]);
    let head = format!("GET {}events HTTP/1.1\r\nhost: {}", bridge.base, bridge.host);
    let lines = BufReader::new(bridge.connect(&head, "")).lines();
    let told = lines.map_while(Result::ok).find(|line| line.contains("heartbeat")).unwrap();
    assert!(told.starts_with("data:"), "{told}");
}

#[test]
fn seeded_work_waits_until_the_system_is_mended() {
    let bridge = Bridge::open(&["--seed", "25"]);
    let (_, standing) = bridge.call("standing", &json!({}));
    assert_eq!(standing["status"]["books"]["accepted"], 25);
    assert_eq!(standing["status"]["books"]["committed"], 0);
    assert_eq!(bridge.call("demo_mend", &json!({})).0, 200);
}

#[test]
fn it_ends_with_whoever_started_it_and_throws_its_folder_away() {
    let mut by_stdin = Bridge::open(&[]);
    assert_eq!(by_stdin.demonstrations(), 1);
    drop(by_stdin.child.stdin.take());
    assert!(by_stdin.has_ended());
    assert_eq!(by_stdin.demonstrations(), 0);

    let mut by_signal = Bridge::open(&[]);
    let process = rustix::process::Pid::from_child(&by_signal.child);
    rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
    assert!(by_signal.has_ended());
    assert_eq!(by_signal.demonstrations(), 0);
}

#[test]
fn a_draft_outlives_a_kill_and_a_kept_demonstration_opens_again() {
    let kept = tempfile::tempdir().unwrap();
    let words = kept.path().join("words");
    std::fs::write(&words, "made up for this test\n").unwrap();
    let folder = kept.path().join("demonstration");
    let paths = [folder.to_str().unwrap(), words.to_str().unwrap()];
    let more = ["--keep", paths[0], "--passphrase-file", paths[1]];
    let mut killed = Bridge::open_in(tempfile::tempdir().unwrap(), &more);
    let open = json!({"request": {"kind": "application", "application_id": null}});
    let (status, draft) = killed.call("open_draft", &open);
    assert_eq!(status, 200, "{draft}");
    let id = draft["operation_id"].as_str().unwrap();
    let values = json!({"OriginalAddress1": "6 OAK ST"});
    let keep = json!({"request": {"operation_id": id, "values": values}});
    assert_eq!(killed.call("keep_draft", &keep).0, 200);
    killed.child.kill().unwrap();
    killed.child.wait().unwrap();

    let again = Bridge::open_in(tempfile::tempdir().unwrap(), &more);
    let (status, draft) = again.call("draft", &json!({"id": id}));
    assert_eq!((status, &draft["values"]), (200, &values), "{draft}");
    drop(again);
    assert!(folder.exists(), "a kept folder stays");
}

#[test]
fn closing_the_window_ends_it_and_a_size_out_of_bounds_is_refused() {
    let mut bridge = Bridge::open(&[]);
    assert_eq!(bridge.call("set_text_size", &json!({"percent": 200})).0, 200);
    let (status, refusal) = bridge.call("set_text_size", &json!({"percent": 301}));
    assert_eq!((status, &refusal["code"]), (409, &json!("refused")));
    assert_eq!(bridge.call("start", &json!({})).1["start"], "ready");
    let _ = bridge.call("close_window", &json!({}));
    assert!(bridge.has_ended());
}
