//! Random histories: a record system that keeps keys and versions honestly and answers as badly as it can, a program that
//! ends in between, and at the end the promises.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use holdfast_core::ids::IdempotencyKey;
use holdfast_core::operation::Body;
use holdfast_core::outcome::{Answer, Content, ReceiptBody, ReceiptState};
use holdfast_wire::{DrainStop, ListRequest};
use serde_json::json;

use crate::answers::{asking, down, lost, receipt, replied, stranger, typed};
use crate::desk::{Desk, settings};
use crate::sor::Asked;

const HISTORIES: u64 = 24;
const LANES: usize = 5;
/// Answers that may be bad; afterwards the SoR is well.
const BAD_ANSWERS: u32 = 60;

/// What the SoR really holds.
#[derive(Default)]
struct Truth {
    applied: BTreeMap<IdempotencyKey, ReceiptBody>,
    /// Every effect in order: its lane and its number.
    effects: Vec<(String, u64)>,
    versions: BTreeMap<String, u64>,
}

impl Truth {
    /// An SoR with keys: a known key before anything else, then the version, then the effect.
    fn take(&mut self, body: &Body) -> Answer {
        if let Some(there) = self.applied.get(&body.idempotency_key()) {
            let problem =
                json!({ "type": "https://holdfast.example/problems/already-committed", "operation": there });
            return replied(409, Content::Problem(serde_json::from_value(problem).unwrap()));
        }
        let lane = body.application_id.to_string();
        let version = self.versions.entry(lane.clone()).or_default();
        *version += 1;
        let whole = receipt(body, *version, ReceiptState::Applied);
        self.effects.push((lane, body.local_seq.0));
        self.applied.insert(body.idempotency_key(), whole.clone());
        replied(201, Content::Receipt(whole))
    }

    fn find(&self, key: &IdempotencyKey) -> Answer {
        self.applied.get(key).map_or_else(
            || typed(404, "unknown-operation"),
            |there| replied(200, Content::Receipt(there.clone())),
        )
    }
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// Answers to a delivery, some of them after the effect.
fn badly(dice: &mut Dice, truth: &mut Truth, body: &Body) -> Answer {
    match dice.below(16) {
        0 => lost(),
        1 | 2 => {
            truth.take(body);
            lost()
        }
        3 => {
            truth.take(body);
            stranger(502)
        }
        4 => stranger(500),
        5 => asking(dice.below(2_000), stranger(503)),
        6 => stranger(429),
        7 => typed(423, "locked"),
        8 => {
            truth.take(body);
            typed(409, "in-progress")
        }
        9 => stranger(200),
        10 => {
            truth.take(body);
            stranger(403)
        }
        11 => down(),
        12 => typed(401, "unauthorized"),
        13 => stranger(302),
        14 => Answer::NotAsked,
        _ => truth.take(body),
    }
}

fn badly_found(dice: &mut Dice, truth: &Truth, key: &IdempotencyKey) -> Answer {
    match dice.below(6) {
        0 => lost(),
        1 => stranger(404),
        2 => stranger(200),
        3 => typed(401, "unauthorized"),
        _ => truth.find(key),
    }
}

/// A desk whose SoR answers badly for a while.
fn let_loose(desk: &Desk, seed: u64) -> Arc<Mutex<Truth>> {
    let truth = Arc::new(Mutex::new(Truth::default()));
    let left = Arc::new(Mutex::new((Dice(seed), BAD_ANSWERS)));
    let (to_take, dice) = (Arc::clone(&truth), Arc::clone(&left));
    desk.sor.deliveries(move |_, body| {
        let (mut truth, mut dice) = (to_take.lock().unwrap(), dice.lock().unwrap());
        if dice.1 == 0 {
            return truth.take(body);
        }
        dice.1 -= 1;
        badly(&mut dice.0, &mut truth, body)
    });
    let to_find = Arc::clone(&truth);
    desk.sor.look_ups(move |key| {
        let (truth, mut dice) = (to_find.lock().unwrap(), left.lock().unwrap());
        if dice.1 == 0 {
            return truth.find(key);
        }
        dice.1 -= 1;
        badly_found(&mut dice.0, &truth, key)
    });
    truth
}

fn accept_a_day(desk: &Desk, dice: &mut Dice) {
    let lanes: Vec<_> = (0..LANES).map(|_| desk.apply()).collect();
    for to in ["PrelimReview", "FeeEstimated", "ConditionalApproval"] {
        for lane in &lanes {
            if desk.station.application(lane).unwrap().row.stage != "Withdrawn" && dice.below(3) > 0 {
                let document = json!({ "kind": "stage", "application_id": lane, "payload": { "to": to } });
                // A step that was skipped before is refused now: that is no work of this day.
                let _ = desk.submit(&document);
            }
        }
    }
}

fn balanced(desk: &Desk, what: &str) {
    let books = desk.station.status().unwrap().books;
    let sum = books.pending + books.in_flight + books.committed + books.quarantined + books.voided;
    assert_eq!(books.accepted, sum, "{what}: {books:?}");
}

#[tokio::test(start_paused = true)]
async fn whatever_the_answers_everything_is_recorded_once_in_order_or_before_a_person() {
    for seed in 0..HISTORIES {
        let what = format!("seed {seed}");
        let mut desk = Desk::open(settings()).await;
        let truth = let_loose(&desk, seed);
        let mut dice = Dice(seed ^ 0xfeed);
        accept_a_day(&desk, &mut dice);
        let mut stopped = DrainStop::Pass;
        // Passes, long drains and new starts, until nothing is left that could be sent.
        for _ in 0..200 {
            stopped = match dice.below(4) {
                0 => desk.pass().await.stopped_because,
                _ => desk.until_empty().await.stopped_because,
            };
            balanced(&desk, &what);
            if dice.below(3) == 0 {
                desk = desk.started_again(settings());
            }
            desk.clock.go_on_ms(dice.below(90_000));
            // Nothing is forbidden in these histories: a pause means that the rest waits behind a person.
            if matches!(stopped, DrainStop::Empty | DrainStop::Paused) {
                break;
            }
        }
        let rows = desk.station.queue(ListRequest { skip: 0, rows: 100 }).unwrap();
        let reasons: Vec<_> = rows.iter().filter_map(|row| row.reason.as_deref()).collect();
        assert!(reasons.iter().all(|reason| *reason == "fails-alone"), "{what}: {reasons:?}");
        assert!(stopped == DrainStop::Empty || !reasons.is_empty(), "{what}: {stopped:?}");

        let truth = truth.lock().unwrap();
        let committed = desk.station.status().unwrap().books.committed;
        assert!(truth.effects.len() as u64 >= committed, "{what}: nothing is recorded here and not there");
        assert_eq!(truth.effects.len(), truth.applied.len(), "{what}: each at most once");
        for lane in truth.versions.keys() {
            let of_lane: Vec<_> =
                truth.effects.iter().filter(|(of, _)| of == lane).map(|(_, seq)| *seq).collect();
            assert!(of_lane.is_sorted(), "{what}: {of_lane:?}");
            for asked in desk.sor.asked() {
                let Asked::Deliver { seq, if_match, .. } = asked else { continue };
                let Some(nth) = of_lane.iter().position(|of| *of == seq) else { continue };
                let before = (nth > 0).then(|| format!("\"v{nth}\""));
                assert_eq!(if_match, before, "{what}: {seq} is bound to the one before it");
            }
        }
    }
}
