//! What one operation costs while few and while many others wait.
//!
//! Two folders on the same disk, one with 1,000 and one with 100,000 operations waiting and as many archived; the same
//! steps on both in turn, five rounds. Printed are the medians of the rounds and the ratio many / few, by the clock on the
//! wall and by the CPU time of all threads (without what the disk takes). The budget is 1.2.
//!
//! `cargo bench -p holdfast-store --features test-tamper --bench waiting`

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

#[path = "../tests/city/mod.rs"]
mod city;

use std::time::Instant;

use city::*;
use holdfast_store::Store;
use holdfast_store::tamper::{Tampering, tamper};

const FEW: u64 = 1_000;
const MANY: u64 = 100_000;
const ROUNDS: usize = 5;
/// Steps of one kind on each folder in one round.
const STEPS: u64 = 60;

fn main() {
    let (few, many) = (crowded(FEW), crowded(MANY));
    let mut accepts = Rounds::default();
    let mut drains = Rounds::default();
    for round in 0..ROUNDS as u64 {
        let first = round * STEPS + 1;
        accepts.add(&few.store, &many.store, |store, n| drop(accept(store, at(1), &Paper::new(n, n))), first);
        drains.add(&few.store, &many.store, attempt, first);
    }
    accepts.print("accept");
    drains.print("begin and settle");
}

/// One attempt that is recorded: in flight, then archived.
fn attempt(store: &Store, n: u64) {
    let sent = begin(store, at(2)).unwrap();
    commit(store, at(3), &sent, n);
}

struct Crowded {
    store: Store,
    _folder: tempfile::TempDir,
}

/// A folder in which so many wait, each in a lane of its own, and as many are archived.
fn crowded(waiting: u64) -> Crowded {
    let folder = folder();
    create(folder.path()).close().unwrap();
    tamper(folder.path(), PASSPHRASE, &Tampering::Run(crowd(waiting))).unwrap();
    Crowded { store: open(folder.path(), at(0)), _folder: folder }
}

/// Laid down in one transaction: what is measured is not how they came there.
fn crowd(waiting: u64) -> String {
    const FACTS: &str = "printf('01932c6e-0000-7000-8000-%012x', n), printf('%064x', n),
        printf('01932c6e-0001-7000-8000-%012x', n), 'application', CAST(printf('%0900d', n) AS BLOB), printf('%064x', n),
        '2026-11-30T07:00:00.000Z', printf('front-1-%d', n), 'ordinary', 'defer'";
    const NAMES: &str =
        "local_seq, operation_id, idempotency_key, application_id, kind, body, payload_digest, accepted_at,
        receipt_no, urgency, origin_route";
    let all = 2 * waiting;
    let numbers = |from: u64, to: u64| {
        format!(
            "WITH RECURSIVE number (n) AS (SELECT {from} UNION ALL SELECT n + 1 FROM number WHERE n < {to})"
        )
    };
    format!(
        "INSERT INTO application (application_id, stage, payload, waiting, updated_at, changed)
           {} SELECT printf('01932c6e-0001-7000-8000-%012x', n), 'Intake', '{{}}', n > {waiting}, '2026-11-30T07:00:00.000Z', n
           FROM number;
         INSERT INTO operation_archive ({NAMES}, state, doubt, place, revision, attempts, failures_charged, failures_alone,
             failures, committed_at, record_id, etag)
           {} SELECT n, {FACTS}, 'committed', 'none', n, 0, 1, 0, 0, 0, '2026-11-30T07:00:00.000Z', 'R-1', '\"v1\"'
           FROM number;
         INSERT INTO operation ({NAMES}, state, doubt, next_step, place, revision, attempts, failures_charged,
             failures_alone, failures, parent_waits, head, lane_rank)
           {} SELECT n, {FACTS}, 'pending', 'none', 'send', n, 0, 0, 0, 0, 0, 0, 1, 1 FROM number;
         UPDATE books SET accepted = {all}, committed = {waiting}, pending = {waiting};
         UPDATE counts SET last_seq = {all}, deferred = {all}",
        numbers(1, all),
        numbers(1, waiting),
        numbers(waiting + 1, all),
    )
}

/// What the rounds took, in microseconds per step: with few waiting, with many.
#[derive(Default)]
struct Rounds {
    wall: Vec<(f64, f64)>,
    cpu: Vec<(f64, f64)>,
}

impl Rounds {
    /// Step by step in turn, so that what else the machine does falls on both alike.
    fn add(&mut self, few: &Store, many: &Store, step: impl Fn(&Store, u64), first: u64) {
        let (mut of_few, mut of_many) = (Spent::default(), Spent::default());
        for n in first..first + STEPS {
            of_few.add(|| step(few, n));
            of_many.add(|| step(many, n));
        }
        self.wall.push((of_few.wall_us(), of_many.wall_us()));
        self.cpu.push((of_few.cpu_us(), of_many.cpu_us()));
    }

    fn print(&self, what: &str) {
        for (clock, rounds) in [("wall", &self.wall), ("CPU", &self.cpu)] {
            let few = median(rounds.iter().map(|round| round.0));
            let many = median(rounds.iter().map(|round| round.1));
            let ratio = median(rounds.iter().map(|round| round.1 / round.0));
            println!("{what:<17} {clock:<4} {few:>7.0} µs  {many:>7.0} µs  ratio {ratio:.2}");
        }
    }
}

/// What the steps of a round have taken, in nanoseconds: by the clock on the wall, and of all threads' CPU time.
#[derive(Default)]
struct Spent {
    wall_ns: u128,
    cpu_ns: u64,
}

impl Spent {
    fn add(&mut self, step: impl FnOnce()) {
        let (began, ran) = (Instant::now(), cpu_ns());
        step();
        self.wall_ns += began.elapsed().as_nanos();
        self.cpu_ns += cpu_ns() - ran;
    }

    fn wall_us(&self) -> f64 {
        self.wall_ns as f64 / 1_000.0 / STEPS as f64
    }

    fn cpu_us(&self) -> f64 {
        self.cpu_ns as f64 / 1_000.0 / STEPS as f64
    }
}

/// Nanoseconds that all threads of this process have run (`proc(5)`, `schedstat`).
fn cpu_ns() -> u64 {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let ran = |task: std::io::Result<std::fs::DirEntry>| {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    };
    tasks.filter_map(ran).sum()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
