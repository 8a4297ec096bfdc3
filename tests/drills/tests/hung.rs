//! An SoR that takes every connection and answers nothing: the worst neighbour of a counter.

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use holdfast_drills::{Limits, Office, Silent};
use serde_json::json;

/// Failures that trip the breaker.
const FAIL_MAX: usize = 4;
/// Before a drain sends anything it asks once what the SoR remembers.
const ASKED_FIRST: usize = 1;
const TIMEOUT_S: f64 = 0.8;
const RESET_S: f64 = 0.5;
/// The cool-down may be shorter by this share.
const JITTER: f64 = 0.1;
const DRAIN_S: u64 = 9;
/// A process needs time to start and to end, more so on a busy machine.
const START_AND_END_MAX: Duration = Duration::from_secs(20);

fn limits() -> Limits {
    let limits = Limits::default().with("sor_timeout_s", TIMEOUT_S).with("breaker_reset_s", RESET_S);
    // What is counted here are attempts; signs of life come beside them.
    limits.with("probe_interval_s", 600.0)
}

#[test]
fn a_hung_sor_gets_four_requests_and_then_one_per_half_open() {
    let mut office = Office::at_work(&limits());
    let receipts: Vec<_> = (1..=6).map(|n| office.desk.submit_application(&format!("{n} ASH ST"))).collect();
    office.sor.kill();
    let hung = Silent::at(office.sor.address());

    let drain = office.desk.start(&["drain", "--until-empty", "--max-s", &DRAIN_S.to_string()]);
    let ended = drain.end_within(Duration::from_secs(DRAIN_S) + START_AND_END_MAX).is(3);
    assert_eq!(ended.json()["stopped_because"], "time");
    assert_eq!(ended.json()["pending"], receipts.len());

    let all = hung.requests();
    assert_eq!(hung.connections(), all.len(), "one connection for each request, and none besides");
    let requests = &all[ASKED_FIRST..];
    assert!(requests.len() > FAIL_MAX + 1, "it came to canaries: {} requests", requests.len());
    let cool_down = Duration::from_secs_f64(RESET_S * (1.0 - JITTER));
    for canary in requests[FAIL_MAX - 1..].windows(2) {
        // From one to the next lies the rest of the first one's time-out, and the whole cool-down.
        assert!(
            canary[1] - canary[0] >= cool_down,
            "two requests within one cool-down: {:?}",
            gaps(requests)
        );
    }
    let most = FAIL_MAX
        + (Duration::from_secs(DRAIN_S).as_secs_f64() / (TIMEOUT_S + RESET_S * (1.0 - JITTER))) as usize;
    assert!(requests.len() <= most + 1, "{} requests in {DRAIN_S} s: {:?}", requests.len(), gaps(requests));

    let status = office.desk.status();
    assert_eq!(status["mode"], "degraded");
    assert_eq!(status["counts"]["failed"], requests.len(), "each request is one attempt that failed");
    assert_eq!(status["books"]["pending"], receipts.len());
    assert_eq!(office.desk.queue().iter().filter(|row| row["state"] != "pending").count(), 0);

    drop(hung);
    office.sor.restart();
    office.desk.drain_to_empty();
    office.assert_all_recorded(&receipts);
}

#[test]
fn the_breaker_outlives_the_process_and_submitting_opens_no_connection() {
    let mut office = Office::at_work(&limits().with("breaker_reset_s", 3600.0));
    let first = office.desk.submit_application("1 ASH ST");
    office.sor.kill();
    let hung = Silent::at(office.sor.address());
    let _ = office.desk.run(&["drain", "--until-empty", "--max-s", "6"]).is(3);
    assert_eq!(hung.requests().len(), ASKED_FIRST + FAIL_MAX, "the fourth failure tripped it");

    // Another process, and the open breaker of the one before.
    let report = office.desk.run(&["drain", "--until-empty", "--max-s", "1"]).is(3).json();
    assert_eq!(report["stopped_because"], "time");
    let second = office.desk.submit_application("2 ASH ST");
    assert_eq!(hung.requests().len(), ASKED_FIRST + FAIL_MAX, "nothing is sent before the published time");
    assert_eq!(hung.connections(), ASKED_FIRST + FAIL_MAX);

    let status = office.desk.status();
    assert_eq!(status["breakers"][0]["state"], "open");
    assert_eq!(status["backlog"]["count"], json!([first, second].len()));
    assert!(status["breakers"][0]["next_try_at"].is_string(), "{status}");
}

fn gaps(requests: &[Instant]) -> Vec<Duration> {
    requests.windows(2).map(|pair| pair[1] - pair[0]).collect()
}
