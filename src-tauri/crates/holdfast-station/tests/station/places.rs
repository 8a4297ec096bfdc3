//! Random days at the counter: work is handed in, corrected, taken back, and sent with answers that get lost; afterwards
//! each place has had at most one effect, and it is that of the last one that stood there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use holdfast_core::ids::IdempotencyKey;
use holdfast_core::operation::Body;
use holdfast_core::outcome::{Answer, Content, ReceiptBody, ReceiptState};
use holdfast_wire::ReceiptView;
use serde_json::{Value, json};

use crate::answers::{lost, receipt, replied, typed};
use crate::desk::{Desk, settings};

const DAYS: u64 = 16;
const STEPS: usize = 40;
const LANES: u64 = 4;

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// What the SoR really holds: it keeps keys, and what arrives may be applied although its answer is lost.
#[derive(Default)]
struct Truth {
    applied: BTreeMap<IdempotencyKey, ReceiptBody>,
    effects: Vec<String>,
    versions: BTreeMap<String, u64>,
}

impl Truth {
    fn take(&mut self, body: &Body) -> Answer {
        if let Some(there) = self.applied.get(&body.idempotency_key()) {
            return replied(200, Content::Receipt(there.clone()));
        }
        let version = self.versions.entry(body.application_id.to_string()).or_default();
        *version += 1;
        let whole = receipt(body, *version, ReceiptState::Applied);
        self.effects.push(body.operation_id.to_string());
        self.applied.insert(body.idempotency_key(), whole.clone());
        replied(201, Content::Receipt(whole))
    }

    fn answer(&mut self, dice: &mut Dice, body: &Body) -> Answer {
        match dice.below(6) {
            0 => lost(),
            1 => {
                let _ = self.take(body);
                lost()
            }
            2 if !self.applied.contains_key(&body.idempotency_key()) => typed(422, "validation"),
            _ => self.take(body),
        }
    }
}

/// What the person at the counter has in hand: receipts of what was handed in, by lane.
struct Day {
    desk: Desk,
    dice: Dice,
    truth: Arc<Mutex<Truth>>,
    lanes: Vec<Vec<ReceiptView>>,
    /// What was replaced or taken back.
    gone: BTreeSet<String>,
}

impl Day {
    async fn begin(seed: u64) -> Self {
        let desk = Desk::open(settings()).await;
        let truth = Arc::new(Mutex::new(Truth::default()));
        let (taking, finding) = (Arc::clone(&truth), Arc::clone(&truth));
        let mut dice = Dice(seed ^ 0x5eed);
        desk.sor.deliveries(move |_, body| taking.lock().unwrap().answer(&mut dice, body));
        desk.sor.look_ups(move |key| {
            let truth = finding.lock().unwrap();
            truth.applied.get(key).map_or_else(
                || typed(404, "unknown-operation"),
                |there| replied(200, Content::Receipt(there.clone())),
            )
        });
        Self { desk, dice: Dice(seed), truth, lanes: Vec::new(), gone: BTreeSet::new() }
    }

    fn one_of(&mut self, many: usize) -> usize {
        usize::try_from(self.dice.below(u64::try_from(many).unwrap())).unwrap()
    }

    fn payload(&mut self, kind: &str) -> Value {
        let n = self.dice.below(900);
        match kind {
            "application" => json!({ "OriginalAddress1": format!("{n} OAK ST"), "PIN": ["0010-22-417"] }),
            _ => json!({ "text": format!("Called at {n}.") }),
        }
    }

    fn hand_in(&mut self) {
        let fresh = self.lanes.is_empty() || (self.dice.below(LANES) == 0 && self.lanes.len() < 6);
        if fresh {
            let payload = self.payload("application");
            let receipt = self.desk.submit(&json!({ "kind": "application", "payload": payload })).unwrap();
            self.lanes.push(vec![receipt]);
            return;
        }
        let lane = self.one_of(self.lanes.len());
        let payload = self.payload("note");
        let id = &self.lanes[lane][0].application_id;
        let receipt = self.desk.submit(&json!({ "kind": "note", "application_id": id, "payload": payload }));
        // A lane whose intake was taken back, and that is empty, has nothing to build on.
        self.lanes[lane].extend(receipt);
    }

    /// Corrects or voids any that was ever handed in; refused or not, what it says holds.
    fn change(&mut self, kind: &str) {
        if self.lanes.is_empty() {
            return;
        }
        let lane = self.one_of(self.lanes.len());
        let nth = self.one_of(self.lanes[lane].len());
        let target = self.lanes[lane][nth].clone();
        let payload = match kind {
            "void" => json!({ "of": target.operation_id, "reason": "Taken in twice" }),
            _ => {
                let payload = self.payload(&target.kind);
                json!({ "of": target.operation_id, "payload": payload })
            }
        };
        let document = json!({ "kind": kind, "application_id": target.application_id, "payload": payload,
            "operation_id": format!("01932c6f-8f0a-7cc3-98a1-{:012x}", self.dice.below(1 << 31)) });
        let before = self.desk.station.item(&target.operation_id).unwrap();
        let Ok(receipt) = self.desk.submit(&document) else { return };
        assert_eq!(self.desk.submit(&document).unwrap(), receipt, "the same again");
        let takes_place = before.item.row.state != "committed";
        if takes_place {
            assert_eq!(before.item.row.doubt, "none", "{before:?}");
            self.gone.insert(target.operation_id);
        }
        if kind != "void" && takes_place {
            self.lanes[lane].push(receipt);
        }
    }

    async fn step(&mut self) {
        match self.dice.below(8) {
            0..=2 => self.hand_in(),
            3 | 4 => self.change("correction"),
            5 => self.change("void"),
            6 => self.send().await,
            _ => {
                self.desk.clock.go_on_ms(120_000);
                self.send().await;
            }
        }
        self.balanced();
    }

    async fn send(&self) {
        let _ = self.desk.pass().await;
    }

    fn balanced(&self) {
        let books = self.desk.station.status().unwrap().books;
        let sum = books.pending + books.in_flight + books.committed + books.quarantined + books.voided;
        assert_eq!(books.accepted, sum, "{books:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn whatever_is_corrected_and_taken_back_each_place_has_one_effect_at_most() {
    for seed in 0..DAYS {
        let mut day = Day::begin(seed).await;
        for _ in 0..STEPS {
            day.step().await;
        }
        let truth = Arc::clone(&day.truth);
        day.desk.sor.deliveries(move |_, body| truth.lock().unwrap().take(body));
        day.desk.clock.go_on_ms(600_000);
        day.desk.until_empty().await;
        day.balanced();
        let truth = day.truth.lock().unwrap();
        let effects: BTreeSet<&String> = truth.effects.iter().collect();
        assert_eq!(effects.len(), truth.effects.len(), "seed {seed}: an effect twice");
        for gone in &day.gone {
            assert!(!effects.contains(gone), "seed {seed}: {gone} was taken back, and is there");
        }
        let mut places: BTreeMap<String, u32> = BTreeMap::new();
        for receipt in day.lanes.iter().flatten() {
            let item = day.desk.station.item(&receipt.operation_id).unwrap();
            let recorded = item.item.row.state == "committed";
            assert_eq!(
                recorded,
                effects.contains(&receipt.operation_id),
                "seed {seed}: {}",
                receipt.receipt_no
            );
            if item.item.replaced_by.is_some() {
                assert_eq!(item.item.row.state, "voided", "seed {seed}");
            }
            *places.entry(receipt.receipt_no.clone()).or_default() += 1;
        }
        assert!(places.values().all(|times| *times == 1), "seed {seed}: a number twice");
        drop(truth);
        assert!(day.desk.clean(), "seed {seed}");
    }
}
