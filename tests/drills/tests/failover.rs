//! The SoR is cut while the backlog is brought to it; what was accepted is recorded all the same, once and in order.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use holdfast_drills::{Desk, Limits, Office, PASSPHRASE, Running, Sample, Sor};
use holdfast_station::ports::Journal as _;
use holdfast_store::Store;
use serde_json::{Value, json};

/// A few rows are written a little late, so that the drain is still on its way when the SoR is cut.
const WRITE_DELAY_MS: u64 = 15;
/// What is more than a few.
const MANY: usize = 1_000;

fn late(all: usize) -> Value {
    let delay_ms = if all < MANY { WRITE_DELAY_MS } else { 0 };
    json!({"do": "slow", "delay_ms": delay_ms, "on": {"path": "/v1/operations", "method": "POST"}})
}

/// Longest that one drain may take, in seconds: the cuts, and ten times what a row needs.
fn drain_max_s(all: usize) -> u64 {
    60 + all as u64 / 10
}

/// The breaker's state costs a process to see; these are shorter than a person would wait.
fn limits() -> Limits {
    Limits::default().with("sor_timeout_s", 0.5)
}

#[test]
fn an_import_drained_through_three_cuts_ends_balanced_and_a_second_import_brings_nothing() {
    let mut office = Office::at_work(&limits());
    let sample = Sample::named_or(2_000, office.folder());
    let accepted = office.accept_backlog(&sample);
    let all = accepted.len();
    office.sor.put(&[late(all)]);
    let drain = office.desk.start(&["drain", "--until-empty", "--max-s", &drain_max_s(all).to_string()]);

    let watch = Watch::over(&office);

    let drain = cut_at(&office, all / 4, drain, |office| office.sor.cut());
    office.sor.put(&[late(all)]);

    let drain = cut_at(&office, all / 2, drain, |office| office.sor.put(&[json!({"do": "timeout"})]));
    office.sor.put(&[late(all)]);

    office.until_effects(all * 3 / 4);
    office.sor.kill();
    office.until_breaker("open");
    office.sor.restart();

    watch.assert_balanced_throughout();
    let report = drain.end_within(Duration::from_secs(drain_max_s(all) + 20)).is(0).json();
    assert_eq!((&report["stopped_because"], &report["pending"]), (&json!("empty"), &json!(0)));
    assert_eq!(report["quarantined"], 0, "nothing is put before a person because the SoR was down");
    office.assert_all_recorded(&accepted);
    assert_numbers(&office.sor, &sample);
    assert_nothing_new(&office.desk, &sample);
}

#[test]
fn every_way_to_fail_in_between_leaves_one_effect_each_and_nobody_to_ask() {
    let office = Office::at_work(&limits());
    let sample = Sample::committed();
    let accepted = office.accept_backlog(&sample);
    let once = |key: &str, fault: Value| with(fault, &json!({"on": {"key": key}, "count": 1}));
    let post =
        |key: &str, fault: Value| with(fault, &json!({"on": {"key": key, "method": "POST"}, "count": 1}));
    let key = |n: usize| accepted[n].key.as_str();
    office.sor.put(&[
        post(key(3), json!({"do": "commit_then_drop"})),
        post(key(8), json!({"do": "half_body"})),
        post(key(13), json!({"do": "portal"})),
        post(key(18), json!({"do": "status", "status": 500, "body": "<h1>oops</h1>"})),
        post(
            key(23),
            json!({"do": "status", "status": 503, "retry_after": 1, "body": {"type": "unavailable"}}),
        ),
        post(key(28), json!({"do": "redirect"})),
        post(key(33), json!({"do": "reset"})),
        post(key(38), json!({"do": "reset", "commit_after_ms": 300})),
        post(key(43), json!({"do": "timeout", "commit_after_ms": 900})),
        post(
            key(48),
            json!({"do": "status", "status": 429, "retry_after": 1, "body": {"type": "unavailable"}}),
        ),
        post(key(53), json!({"do": "status", "status": 404, "body": "no such page"})),
        post(key(58), json!({"do": "status", "status": 409, "body": {"type": "in-progress"}})),
        // The answer is lost, and then the look-up's answer too.
        post(key(63), json!({"do": "portal"})),
        once(key(63), json!({"do": "portal"})),
    ]);
    let drained = office.desk.drain_to_empty();
    assert_eq!(drained["quarantined"], 0, "{drained}");
    office.assert_all_recorded(&accepted);
    assert_numbers(&office.sor, &sample);
    let failed = office.desk.status()["counts"]["failed"].as_u64().unwrap();
    // Three of the faults end a reused connection before any byte of an answer: resent at once, and no failure.
    assert!(failed >= 9, "the faults were met: {failed} attempts failed");
}

/// Somebody who looks at the books beside the drain, again and again.
struct Watch {
    end: Arc<AtomicBool>,
    looking: JoinHandle<u64>,
}

impl Watch {
    fn over(office: &Office) -> Self {
        let end = Arc::new(AtomicBool::new(false));
        let (told, data) = (Arc::clone(&end), office.desk.data());
        let looking = std::thread::spawn(move || {
            let reader = Store::open_beside(&data, PASSPHRASE.as_bytes()).unwrap();
            let mut looks = 0;
            while !told.load(Ordering::Relaxed) {
                let books = reader.standing().unwrap().books;
                assert!(books.balanced(), "{books:?}");
                looks += 1;
                std::thread::sleep(Duration::from_millis(5));
            }
            looks
        });
        Self { end, looking }
    }

    fn assert_balanced_throughout(self) {
        self.end.store(true, Ordering::Relaxed);
        assert!(self.looking.join().unwrap() > 20, "looked often enough");
    }
}

/// Cuts the SoR when it has `effects`, and waits until the station knows.
fn cut_at(office: &Office, effects: usize, mut drain: Running, cut: impl FnOnce(&Office)) -> Running {
    office.until_effects(effects);
    cut(office);
    office.until_breaker("open");
    assert!(drain.is_running(), "cut while the drain is on its way");
    drain
}

/// Judged by the file alone, not by what the station says of it.
fn assert_numbers(sor: &Sor, sample: &Sample) {
    let applications = sor.ledger().effects.into_iter().filter(|effect| effect.kind == "application");
    let recorded: Vec<String> = applications.map(|effect| effect.permit_num.unwrap()).collect();
    assert_eq!(recorded.len(), sample.numbers.len());
    assert_eq!(recorded.iter().collect::<BTreeSet<_>>(), sample.numbers.iter().collect());
}

fn assert_nothing_new(desk: &Desk, sample: &Sample) {
    let again = desk.import(&sample.file);
    assert_eq!((&again["accepted"], &again["already"]), (&json!(0), &json!(sample.numbers.len())), "{again}");
    assert_eq!(desk.queue(), Vec::<Value>::new());
}

fn with(mut fault: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        fault[name] = value.clone();
    }
    fault
}
