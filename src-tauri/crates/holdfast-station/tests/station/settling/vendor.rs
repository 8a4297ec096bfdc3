//! A vendor without keys, made up: each write becomes a record or an entry, now, later or never, whatever is answered.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use holdfast_core::ids::{ApplicationId, IdempotencyKey, RecordId};
use holdfast_core::operation::{Body, Kind};
use holdfast_core::outcome::{Answer, Content, ReadBack, RecordRead, Warning};
use holdfast_station::ports::Clock as _;

use crate::answers::{lost, replied, stranger};
use crate::desk::{Desk, ToldClock, wall};

/// What becomes of a write, and of its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Applied and answered.
    Answered,
    /// Lost on the way there.
    LostBefore,
    /// Applied; the answer is lost.
    LostAfter,
    /// Applied so much later; no answer comes.
    Late { ms: u64 },
    /// Not applied; a success with an error inside.
    ScriptError,
}

struct Entry {
    id: RecordId,
    key: IdempotencyKey,
    lane: ApplicationId,
    kind: Kind,
    /// When it is there, by the vendor's own clock.
    from_ms: u64,
}

#[derive(Default)]
struct Held {
    entries: Vec<Entry>,
    next: VecDeque<Fate>,
    next_answer: Option<Answer>,
    remark: Option<Warning>,
    blind: bool,
    /// Bodies as they were sent last, by their number.
    sent: BTreeMap<u64, Body>,
}

/// See above.
#[derive(Clone)]
pub(crate) struct Vendor {
    held: Arc<Mutex<Held>>,
    clock: Arc<ToldClock>,
}

impl Vendor {
    /// The vendor that a desk sends to.
    pub(crate) fn behind(desk: &Desk) -> Self {
        let vendor = Self { held: Arc::default(), clock: Arc::clone(&desk.clock) };
        let (to_take, to_find) = (vendor.clone(), vendor.clone());
        desk.sor.deliveries(move |_, body| to_take.take(body));
        desk.sor.look_ups(move |key| to_find.find(key));
        vendor
    }

    /// What becomes of the next write that has no fate yet.
    pub(crate) fn next(&self, fate: Fate) {
        self.held().next.push_back(fate);
    }

    /// The next write is not applied, and answered so.
    pub(crate) fn next_says(&self, answer: Answer) {
        self.held().next_answer = Some(answer);
    }

    /// It says so with every success.
    pub(crate) fn remarks(&self, remark: Warning) {
        self.held().remark = Some(remark);
    }

    /// No look proves anything from now on.
    pub(crate) fn goes_blind(&self) {
        self.held().blind = true;
    }

    /// A person voids a record there.
    pub(crate) fn void(&self, id: &str) {
        self.held().entries.retain(|entry| entry.id.to_string() != id);
    }

    /// What was on its way when the program was killed meets its fate there.
    pub(crate) fn arrives(&self, desk: &Desk, seq: u64) {
        assert!(self.held().sent.is_empty(), "it was not heard");
        let key = desk.station.queue(holdfast_wire::ListRequest { skip: 0, rows: 10 }).unwrap();
        let key = key.into_iter().next().unwrap().idempotency_key;
        let view = desk.station.operation(&key).unwrap();
        let body: Body = serde_json::from_value(view.body).unwrap();
        assert_eq!(body.local_seq.0, seq);
        self.take(&body);
    }

    /// How many effects each operation has had, by its number; what is still to come is none yet.
    pub(crate) fn effects(&self) -> Vec<usize> {
        let held = self.held();
        let now = self.now_ms();
        let count = |body: &Body| {
            let key = body.idempotency_key();
            held.entries.iter().filter(|entry| entry.key == key && entry.from_ms <= now).count()
        };
        held.sent.values().map(count).collect()
    }

    /// What carries a reference now.
    pub(crate) fn carriers(&self, key: &IdempotencyKey) -> Vec<RecordId> {
        let now = self.now_ms();
        let mut there: Vec<_> = self
            .held()
            .entries
            .iter()
            .filter(|entry| entry.key == *key && entry.from_ms <= now)
            .map(|entry| (entry.from_ms, entry.id.clone()))
            .collect();
        there.sort_by_key(|(from_ms, _)| *from_ms);
        there.into_iter().map(|(_, id)| id).collect()
    }

    /// Whether writes may still come to be there.
    pub(crate) fn is_restless(&self) -> bool {
        let now = self.now_ms();
        self.held().entries.iter().any(|entry| entry.from_ms > now)
    }

    /// Everything that was sent, by its number.
    pub(crate) fn sent(&self) -> Vec<Body> {
        self.held().sent.values().cloned().collect()
    }

    fn take(&self, body: &Body) -> Answer {
        self.held().sent.insert(body.local_seq.0, body.clone());
        if let Some(answer) = self.held().next_answer.take() {
            return answer;
        }
        let fate = self.held().next.pop_front().unwrap_or(Fate::Answered);
        match fate {
            Fate::Answered => {
                self.apply(body, 0);
                let remark = self.held().remark.clone();
                self.read_back(&body.idempotency_key(), remark.into_iter().collect())
            }
            Fate::LostBefore => lost(),
            Fate::LostAfter => {
                self.apply(body, 0);
                lost()
            }
            Fate::Late { ms } => {
                self.apply(body, ms);
                lost()
            }
            Fate::ScriptError => replied(200, Content::Other),
        }
    }

    fn apply(&self, body: &Body, after_ms: u64) {
        let mut held = self.held();
        let id = format!("R-{}", held.entries.len() + 1).parse().unwrap();
        held.entries.push(Entry {
            id,
            key: body.idempotency_key(),
            lane: body.application_id,
            kind: body.kind,
            from_ms: self.now_ms() + after_ms,
        });
    }

    fn find(&self, key: &IdempotencyKey) -> Answer {
        if self.held().blind { stranger(404) } else { self.read_back(key, Vec::new()) }
    }

    fn read_back(&self, key: &IdempotencyKey, warnings: Vec<Warning>) -> Answer {
        let carriers = self.carriers(key);
        let held = self.held();
        let lane = held.entries.iter().find(|entry| entry.key == *key).map(|entry| entry.lane);
        let record = held
            .entries
            .iter()
            .filter(|entry| Some(entry.lane) == lane && entry.kind == Kind::Application)
            .min_by_key(|entry| entry.from_ms)
            .filter(|_| !carriers.is_empty());
        let record = record.map(|entry| RecordRead {
            record_id: entry.id.clone(),
            permit_num: None,
            etag: format!("\"v{}\"", held.entries.len()).parse().unwrap(),
            modified_at: wall(crate::desk::MORNING),
        });
        replied(200, Content::ReadBack(ReadBack { reference: *key, record, carriers, warnings }))
    }

    fn now_ms(&self) -> u64 {
        self.clock.now().boot.0
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap()
    }
}
