//! The program: its two lines, its refusals, its end.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use crate::support::Request;

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reference-sor"));
    command.args(["--listen", "127.0.0.1:0", "--db"]).arg(format!("sqlite:{}/sor.db", folder.display()));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn stop(mut child: Child) -> Output {
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let status = child.wait().unwrap();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    child.stdout.take().map(|mut out| out.read_to_end(&mut stdout));
    child.stderr.take().map(|mut err| err.read_to_end(&mut stderr));
    Output { status, stdout, stderr }
}

#[test]
fn stdout_holds_the_addresses_and_nothing_else_and_a_signal_ends_it_cleanly() {
    let folder = tempfile::tempdir().unwrap();
    let mut child =
        program(folder.path(), &["--demo-data", "--drill-listen", "127.0.0.1:0"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut url = |name: &str| {
        let line: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        line[name].as_str().unwrap().to_owned()
    };
    let (main, drill) = (url("listening"), url("drill_listening"));
    assert_eq!(Request::get("/livez").send(&main).code(), 200);
    assert_eq!(Request::get("/drill/counts").send(&drill).code(), 200);
    assert_eq!(Request::get("/drill/counts").send(&main).code(), 404);
    let end = stop(child);
    assert_eq!(end.status.code(), Some(0));
    assert_eq!(String::from_utf8(end.stderr).unwrap(), "");
    assert!(lines.next().is_none());
}

#[test]
fn a_board_alone_starts_as_every_sor_does() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = program(folder.path(), &["--board-only"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    let url = line["listening"].as_str().unwrap().to_owned();
    assert_eq!(Request::get("/v1/health?nonce=n").send(&url).json()["nonce"], "n");
    assert_eq!(Request::get("/v1/contract").send(&url).problem(), (404, "not-found".into()));
    assert_eq!(stop(child).status.code(), Some(0));
}

#[test]
fn what_is_not_supported_is_refused_at_the_start_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 4] = [
        (&["--board-only", "--restored"], "cannot be used with"),
        (&["--session-h", "0"], "1 to 168 hours"),
        (&["--enrol-codes-file", "/nonexistent"], "one-time codes"),
        (&["--drill-listen", "0.0.0.0:0"], "loopback"),
    ];
    for (arguments, reason) in cases {
        let output = program(folder.path(), arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(reason), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty());
    }
    let mut postgres = Command::new(env!("CARGO_BIN_EXE_reference-sor"));
    let output = postgres.args(["--listen", "127.0.0.1:0", "--db", "postgres://x"]).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("PostgreSQL is not supported yet"));
}
