//! A made-up city for the tests of the store: a station, its folder, and operations that decide plainly.

#![allow(dead_code)]

use std::path::Path;

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::blame::ItemFailures;
use holdfast_core::cascade::Recorder;
use holdfast_core::decision;
use holdfast_core::headroom::HeadroomClass;
use holdfast_core::ids::{ApplicationId, ETag, IdempotencyKey, LocalSeq, OperationId, ReceiptNo};
use holdfast_core::lane::{self, Place, Urgency};
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::{ActorProof, Body, Kind, OPERATION_VERSION, OriginRoute, payload_digest};
use holdfast_core::outcome::{Doubt, NextStep, QuarantineReason, ReceiptBody, ReceiptState};
use holdfast_core::profile::Profile;
use holdfast_core::sign::KeyPair;
use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_core::wait::Wait;
use holdfast_station::ports::{
    AcceptAsk, AcceptDecision, AcceptFacts, Acceptance, Accepting, ApplicationChange, Commit, DecideFacts,
    Decisions, EndpointWaits, InFlight, InLane, ItemChange, Journal, JournalError, OutageChange, Quarantine,
    Receipt, Refusal, RefusalReason, Requeueing, Ruled, Ruling, SendFacts, SettleFacts, Settlement, Sought,
    StationRecord, Step, StillPending, Voiding,
};
use holdfast_store::{ArgonCost, NewStore, Store};
use serde_json::json;
use tempfile::TempDir;
use uuid::Uuid;
use zeroize::Zeroizing;

pub(crate) const PASSPHRASE: &[u8] = b"made-up words for a test";
pub(crate) const CHEAP: ArgonCost = ArgonCost { memory_kib: 64, passes: 1, lanes: 1 };
pub(crate) const STATION_SEED: [u8; 32] = [7; 32];

/// A folder on a real disk.
pub(crate) fn folder() -> TempDir {
    tempfile::Builder::new().prefix("store-").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// So many milliseconds after a morning in November.
pub(crate) fn at(millis: i64) -> Now {
    let morning: UtcMillis = "2026-11-30T08:00:00.000Z".parse().unwrap();
    let boot = u64::try_from(millis.max(0)).unwrap();
    Now { wall: morning.plus_millis(millis), boot: BootMillis(1_000_000 + boot) }
}

pub(crate) fn record() -> StationRecord {
    StationRecord {
        station_id: "front-1".parse().unwrap(),
        db_id: "01932c6f-8f0a-7cc3-98a1-0242ac120001".parse().unwrap(),
        sor_url: "https://permits.alder-falls.example".to_owned(),
        identity: "alder-falls".parse().unwrap(),
        sor_key: KeyPair::from_seed(&[9; 32]).public(),
        profile: Profile::Idempotent,
        created_at: at(0).wall,
    }
}

pub(crate) fn new_store() -> NewStore {
    NewStore {
        record: record(),
        office_key: None,
        beside: Vec::new(),
        station_key: Zeroizing::new(STATION_SEED),
        passphrase: Zeroizing::new(PASSPHRASE.to_vec()),
        argon: CHEAP,
        entries: vec![Entry::new(EventKind::StationInitialised)],
        now: at(0),
    }
}

pub(crate) fn create(folder: &Path) -> Store {
    Store::create(folder, new_store()).unwrap()
}

pub(crate) fn open(folder: &Path, now: Now) -> Store {
    Store::open(folder, PASSPHRASE, now).unwrap()
}

/// What a clerk hands over.
#[derive(Clone, Debug)]
pub(crate) struct Paper {
    pub(crate) operation: u64,
    pub(crate) lane: u64,
    pub(crate) kind: Kind,
    pub(crate) urgency: Urgency,
    pub(crate) follows_tail: bool,
}

impl Paper {
    pub(crate) fn new(operation: u64, lane: u64) -> Self {
        Self { operation, lane, kind: Kind::Application, urgency: Urgency::Ordinary, follows_tail: true }
    }

    pub(crate) fn ask(&self) -> AcceptAsk {
        AcceptAsk::of(operation_id(self.operation), lane(self.lane))
    }
}

pub(crate) fn operation_id(n: u64) -> OperationId {
    OperationId::from_uuid(Uuid::from_u64_pair(0x0193_2c6f_0000_7000, 0x8000_0000_0000_0000 | n))
}

pub(crate) fn lane(n: u64) -> ApplicationId {
    ApplicationId::from_uuid(Uuid::from_u64_pair(0x0193_2c6f_0001_7000, 0x8000_0000_0000_0000 | n))
}

pub(crate) fn etag(n: u64) -> ETag {
    format!("\"v{n}\"").parse().unwrap()
}

/// All that is written when a paper is accepted.
pub(crate) fn acceptance(paper: &Paper, facts: &AcceptFacts) -> Acceptance {
    let payload = if paper.kind == Kind::Stage {
        json!({"to": "PrelimReview"})
    } else {
        json!({"OriginalAddress1": format!("{} OAK ST", paper.operation)})
    };
    let body = Body {
        v: OPERATION_VERSION,
        operation_id: operation_id(paper.operation),
        kind: paper.kind,
        application_id: lane(paper.lane),
        payload: payload.clone(),
        contract_version: 1,
        actor: "clerk".parse().unwrap(),
        role: "clerk".parse().unwrap(),
        actor_proof: ActorProof {
            sid: "01932c6f-8f0a-7cc3-98a1-0242ac120009".parse().unwrap(),
            sig: "made-up".to_owned(),
        },
        station_id: record().station_id,
        local_seq: facts.next_seq,
        accepted_at: facts.stamp.at,
        clock: facts.stamp.clock,
        origin_route: OriginRoute::Defer,
        outage_id: facts.endpoint.outage,
        replaces: None,
    };
    let entry = Entry::new(EventKind::OperationAccepted).of(body.operation_id).with_private(
        "OriginalAddress1",
        [u8::try_from(paper.operation % 256).unwrap(); 32],
        format!("{} OAK ST", paper.operation),
    );
    Acceptance {
        bytes: body.bytes(),
        key: body.idempotency_key(),
        payload_digest: payload_digest(&payload),
        receipt_no: ReceiptNo::new(&body.station_id, facts.next_seq),
        permit_num: None,
        urgency: paper.urgency,
        place: Place { place: facts.next_seq, revision: 0 },
        base_etag: None,
        seen_etag: None,
        base_snapshot: None,
        after_op: facts.lane_tail.filter(|_| paper.follows_tail).map(|tail| tail.operation_id),
        application: ApplicationChange {
            application_id: body.application_id,
            stage: Stage::Intake,
            permit_num: None,
            payload: Some(payload),
        },
        leasing: None,
        likeness: None,
        parcels: Vec::new(),
        headroom: HeadroomClass::Ample,
        entry,
        body,
    }
}

pub(crate) fn try_accept(store: &Store, now: Now, paper: &Paper) -> Result<Accepting, JournalError> {
    let asked = paper.clone();
    store.accept(
        now,
        paper.ask(),
        Box::new(move |facts| match &facts.twin {
            None => AcceptDecision::Accept(Box::new(acceptance(&asked, facts))),
            Some(_) => AcceptDecision::Already,
        }),
    )
}

pub(crate) fn accept(store: &Store, now: Now, paper: &Paper) -> Receipt {
    let accepting = try_accept(store, now, paper).unwrap();
    let Accepting::Accepted(receipt) = accepting else { panic!("not accepted: {accepting:?}") };
    receipt
}

/// Puts the first head in flight, whatever the breaker says.
pub(crate) fn begin(store: &Store, now: Now) -> Option<InFlight> {
    let decide = move |facts: &SendFacts| {
        let endpoint = Box::new(facts.endpoint.clone());
        let entries = Vec::new();
        match lane::pick(&facts.heads, now) {
            Some(head) => Step::Attempt {
                operation_id: head.operation_id,
                what: NextStep::Send,
                endpoint,
                lost: None,
                entries: vec![Entry::new(EventKind::OperationSent).of(head.operation_id)],
            },
            None => Step::Rest { endpoint, lost: None, entries },
        }
    };
    store.begin(now, Recorder::Primary, Box::new(decide)).unwrap()
}

/// The facts of a drain's next step; nothing is sent.
pub(crate) fn send_facts(store: &Store, now: Now) -> SendFacts {
    let (give, given) = std::sync::mpsc::channel();
    let decide = move |facts: &SendFacts| {
        give.send(facts.clone()).unwrap();
        Step::Rest { endpoint: Box::new(facts.endpoint.clone()), lost: None, entries: Vec::new() }
    };
    store.begin(now, Recorder::Primary, Box::new(decide)).unwrap();
    given.recv().unwrap()
}

pub(crate) fn settlement(facts: &SettleFacts, item: Option<ItemChange>, entries: Vec<Entry>) -> Settlement {
    Settlement {
        endpoint: Box::new(facts.endpoint.clone()),
        item,
        set_aside: Vec::new(),
        endpoint_waits: EndpointWaits::GoOn,
        failed_attempts: 0,
        outage: OutageChange::None,
        tried: None,
        entries,
    }
}

pub(crate) fn settle(store: &Store, now: Now, sent: &InFlight, change: ItemChange, kind: EventKind) {
    settle_at(store, now, Recorder::Primary, sent, change, kind);
}

fn settle_at(
    store: &Store,
    now: Now,
    recorder: Recorder,
    sent: &InFlight,
    change: ItemChange,
    kind: EventKind,
) {
    let id = sent.operation_id;
    let decide = move |facts: &SettleFacts| settlement(facts, Some(change), vec![Entry::new(kind).of(id)]);
    store.settle(now, recorder, Some(id), Box::new(decide)).unwrap();
}

pub(crate) fn commit(store: &Store, now: Now, sent: &InFlight, version: u64) {
    commit_at(store, now, Recorder::Primary, sent, version);
}

/// By the receipt of this endpoint.
pub(crate) fn commit_at(store: &Store, now: Now, recorder: Recorder, sent: &InFlight, version: u64) {
    let receipt = ReceiptBody {
        idempotency_key: sent.key,
        operation_id: sent.operation_id,
        application_id: sent.application_id,
        record_id: "R-1".parse().unwrap(),
        permit_num: None,
        etag: etag(version),
        state: ReceiptState::Applied,
        applied_at: now.wall,
        warnings: Vec::new(),
    };
    let change = ItemChange::Committed(Commit {
        receipt,
        at: now.wall,
        stage: None,
        outcome: "committed",
        second_look_ms: None,
    });
    settle_at(store, now, recorder, sent, change, EventKind::OperationCommitted);
}

pub(crate) fn put_back(store: &Store, now: Now, sent: &InFlight, wait: Option<Wait>) {
    let change = ItemChange::Pending(StillPending {
        doubt: Doubt::Sent,
        next_step: NextStep::Send,
        wait,
        failures: ItemFailures::default(),
        parent_waits: 0,
        outcome: "unknown",
    });
    settle(store, now, sent, change, EventKind::OperationWaiting);
}

pub(crate) fn quarantined() -> Quarantine {
    Quarantine {
        reason: QuarantineReason::Rejected,
        doubt: Doubt::None,
        failures: ItemFailures::default(),
        outcome: "rejected",
        answer: json!({"status": 422}),
    }
}

pub(crate) fn quarantine(store: &Store, now: Now, sent: &InFlight) {
    settle(store, now, sent, ItemChange::Quarantined(quarantined()), EventKind::OperationQuarantined);
}

pub(crate) fn quarantine_in_doubt(store: &Store, now: Now, sent: &InFlight, doubt: Doubt) {
    let change = ItemChange::Quarantined(Quarantine { doubt, ..quarantined() });
    settle(store, now, sent, change, EventKind::OperationQuarantined);
}

/// A person's decision, as core makes it; none when core refuses it.
pub(crate) fn decide(
    store: &Store,
    now: Now,
    key: IdempotencyKey,
    made: fn(&InLane) -> Option<Ruling>,
) -> Option<Ruled> {
    let refusal = Refusal { reason: RefusalReason::Invalid, problems: Vec::new(), entry: None };
    let decide = move |facts: &DecideFacts| match &facts.sought {
        Sought::InLane(there) => made(there).unwrap_or(Ruling::Refuse(refusal)),
        Sought::Unknown | Sought::Disposed { .. } => Ruling::Refuse(refusal),
    };
    let ruled = store.decide(now, key, Box::new(decide)).unwrap();
    Some(ruled).filter(|ruled| matches!(ruled, Ruled::Done { .. }))
}

pub(crate) fn requeue(there: &InLane) -> Option<Ruling> {
    let next_step = decision::requeue(&there.item).ok()?;
    let operation_id = there.item.operation_id;
    let entry = Entry::new(EventKind::OperationRequeued).of(operation_id);
    Some(Ruling::Requeue(Requeueing { operation_id, next_step, going_on: 0, entry }))
}

pub(crate) fn void(there: &InLane) -> Option<Ruling> {
    let void = decision::void(&there.item, &there.behind).ok()?;
    let now = there.application.stage;
    let stages = decision::stages_without(&there.item, &there.behind, now, there.recorded);
    Some(Ruling::Void(Box::new(Voiding {
        operation_id: there.item.operation_id,
        heir: void.heir,
        set_aside: void.set_aside,
        going_on: void.going_on,
        stage: stages.stage,
        stood: stages.stood,
        at: at(0).wall,
        entries: vec![Entry::new(EventKind::OperationVoided).of(there.item.operation_id)],
    })))
}

pub(crate) fn seq(n: u64) -> LocalSeq {
    LocalSeq(n)
}

/// The event that `head.json` names.
pub(crate) fn head_seq(folder: &Path) -> Option<u64> {
    let bytes = std::fs::read(folder.join("head.json")).ok()?;
    let head: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    head["head"]["seq"].as_u64()
}

/// Every file of a folder with its bytes and its time of change.
pub(crate) fn snapshot(folder: &Path) -> Vec<(String, Vec<u8>, std::time::SystemTime)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let modified = entry.metadata().unwrap().modified().unwrap();
            (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap(), modified)
        })
        .collect();
    files.sort();
    files
}

/// The same numbers in every run.
pub(crate) struct Seeded(pub(crate) u64);

impl Seeded {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        // SplitMix64 (Steele, Lea, Flood 2014).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % limit as u64).unwrap()
    }
}
