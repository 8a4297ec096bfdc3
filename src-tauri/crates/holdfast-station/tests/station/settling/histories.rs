//! Random histories at a vendor without keys, with a program that ends in between. Promise: one effect per operation, as long
//! as the vendor applies or drops a write within the settle time; and what it applies later is found and named.

use std::time::Duration;

use holdfast_wire::{DrainStop, ListRequest};
use serde_json::json;

use super::vendor::{Fate, Vendor};
use super::{SETTLED_MS, decide};
use crate::desk::{Desk, settings};

const HISTORIES: u64 = 10;
/// Writes with a bad fate in each; afterwards the vendor is well.
const BAD_WRITES: usize = 14;

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// How late a vendor may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lateness {
    /// Within the settle time.
    InTime,
    /// Sometimes later, but before the second look at whatever was sent in its place.
    TooLate,
}

fn fate(dice: &mut Dice, lateness: Lateness) -> Fate {
    match dice.below(8) {
        0 => Fate::Answered,
        1 | 2 => Fate::LostBefore,
        3 => Fate::LostAfter,
        4 => Fate::ScriptError,
        5 if lateness == Lateness::TooLate => Fate::Late { ms: SETTLED_MS + 10_000 + dice.below(200_000) },
        _ => Fate::Late { ms: dice.below(240_000) },
    }
}

/// Applications, moves behind them, and notes that no look can find.
fn accept_work(desk: &Desk, dice: &mut Dice) {
    for _ in 0..3 {
        let lane = desk.apply();
        if dice.below(2) == 0 {
            desk.advance(&lane, "PrelimReview");
        }
        if dice.below(3) == 0 {
            let note = json!({ "kind": "note", "application_id": lane, "payload": { "text": "called" } });
            desk.submit(&note).unwrap();
        }
    }
}

/// Passes, long drains, kills in the middle of an attempt and new starts, until nothing can be sent.
async fn work(mut desk: Desk, vendor: &Vendor, dice: &mut Dice) -> Desk {
    for _ in 0..100 {
        match dice.below(4) {
            0 => {
                desk.sor.takes_ms(3_000);
                let long = Duration::from_millis(1 + dice.below(9_000));
                let _ = tokio::time::timeout(long, desk.until_empty()).await;
                desk.sor.takes_ms(0);
                desk = desk.started_again(settings());
            }
            1 => {
                desk.pass().await;
            }
            _ => {
                let stopped = desk.until_empty().await.stopped_because;
                if matches!(stopped, DrainStop::Empty | DrainStop::Paused) && !vendor.is_restless() {
                    return desk;
                }
            }
        }
        desk.clock.go_on_ms(dice.below(60_000));
    }
    panic!("it does not come to an end");
}

/// Two whole settle times, so that every second look is over.
async fn look_again(desk: &Desk) {
    for _ in 0..2 {
        desk.clock.go_on_ms(SETTLED_MS);
        desk.pass().await;
    }
}

/// How many were there more than once.
async fn history(seed: u64, lateness: Lateness) -> usize {
    let what = format!("seed {seed}, {lateness:?}");
    let mut dice = Dice(seed);
    let desk = Desk::open_without_keys(settings()).await;
    let vendor = Vendor::behind(&desk);
    for _ in 0..BAD_WRITES {
        vendor.next(fate(&mut dice, lateness));
    }
    accept_work(&desk, &mut dice);
    let desk = work(desk, &vendor, &mut dice).await;
    look_again(&desk).await;

    let mut twins = 0;
    for sent in vendor.sent() {
        let key = sent.idempotency_key();
        let there = vendor.carriers(&key);
        let item = desk.station.operation(&key.to_string()).unwrap();
        let twin = item.said.and_then(|said| said.twin);
        let (state, reason) = (item.row.state, item.row.reason);
        match there.len() {
            0 => assert!(state != "committed", "{what}: {sent:?} is recorded nowhere"),
            1 => assert!(twin.is_none(), "{what}: {} is no twin", sent.local_seq.0),
            _ => {
                twins += 1;
                assert_eq!(lateness, Lateness::TooLate, "{what}: {} twice", sent.local_seq.0);
                assert_eq!(reason.as_deref(), Some("twin"), "{what}: {}", sent.local_seq.0);
                let named = twin.unwrap().record_ids;
                assert!(there.iter().all(|id| named.contains(&id.to_string())), "{what}: {named:?}");
                decide(&desk, &key.to_string(), holdfast_wire::Decision::Keep).unwrap();
            }
        }
        if reason.as_deref() == Some("unprovable") {
            assert!(there.len() <= 1, "{what}: it is sent once");
        }
    }
    let books = desk.station.status().unwrap().books;
    let sum = books.pending + books.in_flight + books.committed + books.quarantined + books.voided;
    assert_eq!(books.accepted, sum, "{what}: {books:?}");
    let rows = desk.station.queue(ListRequest { skip: 0, rows: 100 }).unwrap();
    let reasons: Vec<_> = rows.iter().filter_map(|row| row.reason.as_deref()).collect();
    assert!(
        reasons.iter().all(|reason| ["unprovable", "fails-alone"].contains(reason)),
        "{what}: {reasons:?}"
    );
    assert!(desk.clean(), "{what}");
    twins
}

#[tokio::test(start_paused = true)]
async fn whatever_is_lost_or_late_within_the_settle_time_each_operation_has_one_effect_at_most() {
    for seed in 0..HISTORIES {
        assert_eq!(history(seed, Lateness::InTime).await, 0);
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_applied_later_than_the_settle_time_is_found_and_named() {
    let mut twins = 0;
    for seed in 0..HISTORIES {
        twins += history(seed ^ 0xbeef, Lateness::TooLate).await;
    }
    assert!(twins > 3, "the histories have hardly any: {twins}");
}
