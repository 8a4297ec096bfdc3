//! One station, several programs: whoever holds the write lock works for the others too, and no caller harms it.

#![allow(clippy::unwrap_used)]

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use holdfast_drills::{Limits, Office, Running, Sample, Silent, until};
use serde_json::json;

/// A receipt through another process; most of it is the key's derivation, twice as long on a busy machine.
const COUNTER_MAX: Duration = Duration::from_secs(3);
/// A holder that says nothing is given up within this.
const SILENT_MAX: Duration = Duration::from_secs(12);
const SOCKET: &str = "holdfast.sock";
const HOSTILE_CONNECTIONS: usize = 1_000;

/// An office whose drain holds the lock while its SoR hangs.
fn holding(limits: &Limits) -> (Office, Silent, Running) {
    let mut office = Office::at_work(limits);
    let _ = office.desk.submit_application("1 ASH ST");
    office.sor.kill();
    let hung = Silent::at(office.sor.address());
    let drain = office.desk.start(&["drain", "--until-empty", "--max-s", "50"]);
    until("the drain waits for an answer", || (!hung.requests().is_empty()).then_some(()));
    (office, hung, drain)
}

#[test]
fn work_handed_in_while_a_drain_holds_the_lock_has_its_receipt_at_once_and_is_sent_after_mending() {
    let (mut office, hung, drain) = holding(&Limits::default());
    let began = Instant::now();
    let second = office.desk.submit_application("2 ASH ST");
    assert!(began.elapsed() < COUNTER_MAX, "{:?}", began.elapsed());
    let _ = office.desk.run(&["contract", "refresh"]).is(1);
    let _ = office.desk.run_with(&["sign-in", "--user", "clerk"], b"demo-clerk\n").is(1);
    let third = office.desk.submit_application("3 ASH ST");
    assert_eq!(office.desk.status()["books"]["accepted"], 3);
    let follower = office.desk.start(&["drain", "--until-empty", "--max-s", "50"]);

    drop(hung);
    office.sor.restart();
    let report = drain.end_within(Duration::from_secs(60)).is(0).json();
    assert_eq!(report["stopped_because"], "empty", "{report}");
    let followed = follower.end_within(Duration::from_secs(60)).is(0).json();
    assert_eq!(followed["stopped_because"], "empty", "{followed}");
    assert_eq!(office.desk.status()["books"]["committed"], 3);
    assert_eq!((second.receipt_no.as_str(), third.receipt_no.as_str()), ("front-1-2", "front-1-3"));
    assert!(!office.desk.data().join(SOCKET).exists(), "nothing stays behind");
    office.desk.assert_audit_holds();
}

#[test]
fn a_holder_that_says_nothing_is_given_up_and_nothing_is_touched() {
    let (office, _hung, drain) = holding(&Limits::patient());
    drain.freeze();
    for words in [&["submit", "-"][..], &["contract", "refresh"], &["drain"]] {
        let document = json!({"kind": "application", "payload": {"OriginalAddress1": "2 ASH ST"}});
        let ended = office.desk.run_with(words, document.to_string().as_bytes()).is(5);
        assert_eq!(ended.json()["problems"][0]["code"], "in-use", "{ended:?}");
        assert!(ended.took < SILENT_MAX, "{words:?}: {:?}", ended.took);
    }
    assert_eq!(office.desk.status()["books"]["accepted"], 1, "readers read on");
    drain.thaw();
    let _ = office.desk.submit_application("2 ASH ST");
    drain.kill();
}

#[test]
fn an_import_goes_on_when_the_holder_is_killed_and_every_row_is_accepted_once() {
    let (mut office, hung, drain) = holding(&Limits::patient());
    let sample = Sample::committed_or_long(240, office.folder());
    let import = office.desk.start(&["import", sample.file.to_str().unwrap()]);
    until("rows come in", || {
        office.desk.status()["books"]["accepted"].as_u64().filter(|accepted| *accepted > 20)
    });
    drain.kill();
    let some_refused = if sample.short_lines.is_empty() { 0 } else { 6 };
    let report = import.end_within(Duration::from_secs(60)).is(some_refused).json();
    let rows = report["accepted"].as_u64().unwrap() + report["already"].as_u64().unwrap();
    assert_eq!(usize::try_from(rows).unwrap(), sample.numbers.len(), "{report}");
    assert!(report["already"].as_u64().unwrap() <= 1, "at most the row that was in its hands: {report}");
    assert_eq!(office.desk.status()["books"]["accepted"], sample.numbers.len() + 1);
    office.desk.assert_audit_holds();

    drop(hung);
    office.sor.restart();
    office.desk.drain_to_empty();
    assert_eq!(office.sor.effects(), sample.numbers.len() + 1);
}

#[test]
fn hostile_callers_neither_stop_nor_slow_the_holder() {
    let (office, _hung, mut drain) = holding(&Limits::patient());
    let socket = office.desk.data().join(SOCKET);
    let mut kept = Vec::new();
    for garbage in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0xff; 64], &[0, 0, 0, 2, b'{', b'}'], b"", &[0, 0]] {
        let mut stream = UnixStream::connect(&socket).unwrap();
        stream.write_all(garbage).unwrap();
        kept.push(stream);
    }
    let unproven = json!({"v": 1, "nonce": "00".repeat(32), "proof": "00".repeat(32)}).to_string();
    assert_eq!(refusal(&socket, &unproven), json!({"opening": "refused", "why": "unproven"}));
    let newer = json!({"v": 2, "nonce": "00".repeat(32), "proof": "00".repeat(32)}).to_string();
    assert_eq!(refusal(&socket, &newer), json!({"opening": "refused", "why": "version"}));

    // Each of them stays as long as it is let, and a clerk comes in the middle of them.
    let crowd = std::thread::spawn(move || {
        for _ in 0..HOSTILE_CONNECTIONS {
            kept.extend(UnixStream::connect(&socket));
            kept.truncate(200);
        }
        kept
    });
    for n in 2..=4 {
        let began = Instant::now();
        let _ = office.desk.submit_application(&format!("{n} ASH ST"));
        assert!(began.elapsed() < COUNTER_MAX, "{:?}", began.elapsed());
    }
    drop(crowd.join().unwrap());
    assert!(drain.is_running());
    assert_eq!(office.desk.status()["books"]["accepted"], 4);
    drain.kill();
}

/// What is said to somebody who opens with this.
fn refusal(socket: &Path, opening: &str) -> serde_json::Value {
    let mut stream = UnixStream::connect(socket).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let hello: serde_json::Value = serde_json::from_slice(&frame(&mut stream)).unwrap();
    assert_eq!(hello["v"], 1);
    stream.write_all(&u32::try_from(opening.len()).unwrap().to_be_bytes()).unwrap();
    stream.write_all(opening.as_bytes()).unwrap();
    serde_json::from_slice(&frame(&mut stream)).unwrap()
}

fn frame(stream: &mut UnixStream) -> Vec<u8> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).unwrap();
    let mut bytes = vec![0; usize::try_from(u32::from_be_bytes(length)).unwrap()];
    stream.read_exact(&mut bytes).unwrap();
    bytes
}
