//! A record system that answers from what a test lays down, and writes down what it was asked.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use holdfast_core::ids::{ApplicationId, ETag, FeedCursor, IdempotencyKey, LocalSeq, PermitNum, SessionId};
use holdfast_core::operation::Body;
use holdfast_core::outcome::Answer;
use holdfast_core::people::{SessionStatement, SignedStatement};
use holdfast_core::reprove::Recollection;
use holdfast_core::sign::{KeyPair, Purpose};
use holdfast_station::ports::{
    ChangesAnswer, ContractAnswer, CopiedRecord, CopiedVisit, Delivery, HeldThere, NoLife, NumberLease,
    RecordSystem, RecordsPage, SessionAsk, Sockets, SorFault, VisitsAsk,
};

use crate::answers::{absent, recorded};
use crate::desk::wall;

/// What was asked, in order: a delivered operation by its `local_seq`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Deliver {
        seq: u64,
        if_match: Option<String>,
        sockets: Sockets,
    },
    LookUp,
    /// A sign of life as the canary.
    Health,
    /// A sign of life while the breaker is closed.
    Probe,
    TokenForgotten,
    Visits,
    Records,
    Record,
}

type Delivered = dyn FnMut(u64, &Body) -> Answer + Send;
type LookedUp = dyn FnMut(&IdempotencyKey) -> Answer + Send;
type Lives = dyn FnMut() -> Result<(), NoLife> + Send;
type Probed = dyn FnMut() -> (Duration, Result<(), NoLife>) + Send;
type Recalled = dyn FnMut() -> Result<Recollection, SorFault> + Send;
type Rules = dyn FnMut(Option<ETag>) -> Result<ContractAnswer, SorFault> + Send;
type Carried = dyn FnMut(&VisitsAsk) -> Result<Vec<CopiedVisit>, SorFault> + Send;
type Listed = dyn FnMut(Option<&str>) -> Result<RecordsPage, SorFault> + Send;
type Opened = dyn FnMut(ApplicationId) -> Result<CopiedRecord, SorFault> + Send;
type Changed = dyn FnMut(Option<&FeedCursor>) -> Result<ChangesAnswer, SorFault> + Send;
type Leases = dyn FnMut(&NumberLease) -> Result<Vec<PermitNum>, SorFault> + Send;
type SignedIn = dyn FnMut(&SessionAsk<'_>) -> Result<SignedStatement, SorFault> + Send;

pub(crate) struct Scripted {
    deliver: Mutex<Box<Delivered>>,
    look_up: Mutex<Box<LookedUp>>,
    health: Mutex<Box<Lives>>,
    probe: Mutex<Box<Probed>>,
    recall: Mutex<Box<Recalled>>,
    held: Mutex<Vec<HeldThere>>,
    shown: Mutex<Vec<SessionId>>,
    contract: Mutex<Box<Rules>>,
    session: Mutex<Box<SignedIn>>,
    visits: Mutex<Box<Carried>>,
    records: Mutex<Box<Listed>>,
    record: Mutex<Box<Opened>>,
    changes: Mutex<Box<Changed>>,
    changes_asked: Mutex<Vec<Option<String>>>,
    lease: Mutex<Box<Leases>>,
    voided: Mutex<Vec<PermitNum>>,
    asked: Mutex<Vec<Asked>>,
    takes: Mutex<Duration>,
}

pub(crate) fn sor_key() -> KeyPair {
    KeyPair::from_seed(&[9; 32])
}

/// What the record system states about whoever asks.
pub(crate) fn statement(ask: &SessionAsk<'_>) -> SessionStatement {
    SessionStatement {
        sid: "01932c6f-8f0a-7cc3-98a1-0242ac120009".parse().unwrap(),
        actor: ask.user.parse().unwrap(),
        roles: vec![ask.user.parse().unwrap()],
        station_id: "front-1".parse().unwrap(),
        key: ask.key,
        from: wall("2026-11-30T07:59:00.000Z"),
        until: wall("2026-12-02T08:00:00.000Z"),
    }
}

pub(crate) fn signed(statement: SessionStatement, by: &KeyPair) -> SignedStatement {
    let sig = by.sign(Purpose::Session, &holdfast_core::canonical::canonical(&statement));
    SignedStatement { statement, sig }
}

impl Scripted {
    /// From now on blocks of numbers are leased like that.
    pub(crate) fn leases(
        &self,
        lease: impl FnMut(&NumberLease) -> Result<Vec<PermitNum>, SorFault> + Send + 'static,
    ) {
        *self.lease.lock().unwrap() = Box::new(lease);
    }

    /// What its feed of changes says.
    pub(crate) fn changes(
        &self,
        say: impl FnMut(Option<&FeedCursor>) -> Result<ChangesAnswer, SorFault> + Send + 'static,
    ) {
        *held(&self.changes) = Box::new(say);
    }

    /// Where the feed was asked from, in order.
    pub(crate) fn changes_asked(&self) -> Vec<Option<String>> {
        held(&self.changes_asked).clone()
    }

    /// The numbers that were reported as void.
    pub(crate) fn voided(&self) -> Vec<String> {
        self.voided.lock().unwrap().iter().map(ToString::to_string).collect()
    }

    /// Records everything, each operation with an ETag of its own.
    pub(crate) fn new() -> Self {
        Self {
            deliver: Mutex::new(Box::new(|_, body| recorded(body, body.local_seq.0))),
            look_up: Mutex::new(Box::new(absent)),
            health: Mutex::new(Box::new(|| Ok(()))),
            probe: Mutex::new(Box::new(|| (Duration::ZERO, Ok(())))),
            recall: Mutex::new(Box::new(|| Ok(Recollection::default()))),
            held: Mutex::new(Vec::new()),
            shown: Mutex::new(Vec::new()),
            contract: Mutex::new(Box::new(|_| Err(SorFault::NotAnswering))),
            session: Mutex::new(Box::new(|ask| Ok(signed(statement(ask), &sor_key())))),
            visits: Mutex::new(Box::new(|_| Ok(Vec::new()))),
            records: Mutex::new(Box::new(|_| Ok(RecordsPage { records: Vec::new(), next: None }))),
            record: Mutex::new(Box::new(|_| Err(SorFault::Unreadable))),
            changes: Mutex::new(Box::new(|_| Ok(ChangesAnswer::NotOffered))),
            changes_asked: Mutex::new(Vec::new()),
            lease: Mutex::new(Box::new(|_| Err(SorFault::NotAnswering))),
            voided: Mutex::new(Vec::new()),
            asked: Mutex::new(Vec::new()),
            takes: Mutex::new(Duration::ZERO),
        }
    }

    /// Deliveries are answered by their number from 1, and by what is delivered.
    pub(crate) fn deliveries(&self, say: impl FnMut(u64, &Body) -> Answer + Send + 'static) {
        *held(&self.deliver) = Box::new(say);
    }

    pub(crate) fn look_ups(&self, say: impl FnMut(&IdempotencyKey) -> Answer + Send + 'static) {
        *held(&self.look_up) = Box::new(say);
    }

    /// What signs of life as the canary come to.
    pub(crate) fn healths(&self, say: impl FnMut() -> Result<(), NoLife> + Send + 'static) {
        *held(&self.health) = Box::new(say);
    }

    /// How long other signs of life take, and what they come to.
    pub(crate) fn probes(&self, say: impl FnMut() -> (Duration, Result<(), NoLife>) + Send + 'static) {
        *held(&self.probe) = Box::new(say);
    }

    /// What it remembers of the station.
    pub(crate) fn recalls(&self, say: impl FnMut() -> Result<Recollection, SorFault> + Send + 'static) {
        *held(&self.recall) = Box::new(say);
    }

    /// What it lists of the station.
    pub(crate) fn holds(&self, rows: Vec<HeldThere>) {
        *held(&self.held) = rows;
    }

    /// The sessions that it was shown its own statement of.
    pub(crate) fn shown(&self) -> Vec<SessionId> {
        held(&self.shown).clone()
    }

    pub(crate) fn contracts(
        &self,
        say: impl FnMut(Option<ETag>) -> Result<ContractAnswer, SorFault> + Send + 'static,
    ) {
        *held(&self.contract) = Box::new(say);
    }

    pub(crate) fn sessions(
        &self,
        say: impl FnMut(&SessionAsk<'_>) -> Result<SignedStatement, SorFault> + Send + 'static,
    ) {
        *held(&self.session) = Box::new(say);
    }

    pub(crate) fn visits(
        &self,
        say: impl FnMut(&VisitsAsk) -> Result<Vec<CopiedVisit>, SorFault> + Send + 'static,
    ) {
        *held(&self.visits) = Box::new(say);
    }

    /// Pages by what the page before called them.
    pub(crate) fn records(
        &self,
        say: impl FnMut(Option<&str>) -> Result<RecordsPage, SorFault> + Send + 'static,
    ) {
        *held(&self.records) = Box::new(say);
    }

    pub(crate) fn record(
        &self,
        say: impl FnMut(ApplicationId) -> Result<CopiedRecord, SorFault> + Send + 'static,
    ) {
        *held(&self.record) = Box::new(say);
    }

    /// Every answer to a delivery takes so long.
    pub(crate) fn takes_ms(&self, ms: u64) {
        *held(&self.takes) = Duration::from_millis(ms);
    }

    /// In order; but the signs of life while the breaker is closed, which come between the others at times of their own.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        let all = held(&self.asked);
        all.iter().filter(|asked| **asked != Asked::Probe).cloned().collect()
    }

    /// How many signs of life were asked for while the breaker was closed.
    pub(crate) fn probed(&self) -> usize {
        held(&self.asked).iter().filter(|asked| **asked == Asked::Probe).count()
    }

    /// The `local_seq` of everything delivered, in order.
    pub(crate) fn delivered(&self) -> Vec<u64> {
        let seq = |asked| match asked {
            Asked::Deliver { seq, .. } => Some(seq),
            Asked::LookUp
            | Asked::Health
            | Asked::Probe
            | Asked::TokenForgotten
            | Asked::Visits
            | Asked::Records
            | Asked::Record => None,
        };
        self.asked().into_iter().filter_map(seq).collect()
    }

    fn hear(&self, asked: Asked) -> u64 {
        let mut all = held(&self.asked);
        all.push(asked);
        all.iter().filter(|asked| matches!(asked, Asked::Deliver { .. })).count() as u64
    }
}

#[async_trait]
impl RecordSystem for Scripted {
    async fn deliver(&self, delivery: &Delivery, sockets: Sockets) -> Answer {
        let body: Body = serde_json::from_slice(&delivery.body).unwrap();
        let if_match = delivery.if_match.as_ref().map(ToString::to_string);
        let nth = self.hear(Asked::Deliver { seq: body.local_seq.0, if_match, sockets });
        let takes = *held(&self.takes);
        tokio::time::sleep(takes).await;
        (*held(&self.deliver))(nth, &body)
    }

    async fn look_up(&self, delivery: &Delivery, _: Sockets) -> Answer {
        self.hear(Asked::LookUp);
        (*held(&self.look_up))(&delivery.key)
    }

    async fn health(&self, _: &str, sockets: Sockets) -> Result<(), NoLife> {
        match sockets {
            Sockets::Fresh => {
                self.hear(Asked::Health);
                (*held(&self.health))()
            }
            Sockets::Kept => {
                self.hear(Asked::Probe);
                let (takes, answer) = (*held(&self.probe))();
                tokio::time::sleep(takes).await;
                answer
            }
        }
    }

    async fn recall(&self, _: &str) -> Result<Recollection, SorFault> {
        (*held(&self.recall))()
    }

    async fn held_after(&self, after: LocalSeq) -> Result<Vec<HeldThere>, SorFault> {
        let rows = held(&self.held).clone();
        Ok(rows.into_iter().filter(|row| row.local_seq > after).collect())
    }

    async fn show_session(&self, signed: &SignedStatement) -> Result<(), SorFault> {
        held(&self.shown).push(signed.statement.sid);
        Ok(())
    }

    async fn lease_numbers(&self, lease: &NumberLease) -> Result<Vec<PermitNum>, SorFault> {
        (self.lease.lock().unwrap())(lease)
    }

    async fn void_numbers(&self, numbers: &[PermitNum]) -> Result<(), SorFault> {
        self.voided.lock().unwrap().extend(numbers.iter().cloned());
        Ok(())
    }

    fn forget_token(&self) {
        self.hear(Asked::TokenForgotten);
    }

    async fn open_session(&self, ask: &SessionAsk<'_>) -> Result<SignedStatement, SorFault> {
        (*held(&self.session))(ask)
    }

    async fn contract(&self, known: Option<&ETag>) -> Result<ContractAnswer, SorFault> {
        (*held(&self.contract))(known.cloned())
    }

    async fn visits(&self, ask: &VisitsAsk) -> Result<Vec<CopiedVisit>, SorFault> {
        self.hear(Asked::Visits);
        (*held(&self.visits))(ask)
    }

    async fn records(&self, after: Option<&str>) -> Result<RecordsPage, SorFault> {
        self.hear(Asked::Records);
        (*held(&self.records))(after)
    }

    async fn changes(&self, since: Option<&FeedCursor>) -> Result<ChangesAnswer, SorFault> {
        held(&self.changes_asked).push(since.map(ToString::to_string));
        (*held(&self.changes))(since)
    }

    async fn record(&self, id: ApplicationId) -> Result<CopiedRecord, SorFault> {
        self.hear(Asked::Record);
        (*held(&self.record))(id)
    }
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap()
}
