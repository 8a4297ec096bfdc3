//! The port `RecordSystem` for an SoR without keys and without conditional writes (profile `look-before-write`).
//!
//! Promise: one call writes at most once. Before it writes it reads: is the reference there already, and is the record at
//! the version that the operation was made against? After it has written it reads again, and only what was read back is
//! handed on as proof. No idle connection is kept, so that no write meets a connection that has died, and nothing is sent
//! a second time. When an absence may be believed, and what is done about a twin, is not decided here.
//!
//! Between the reading and the writing somebody else may write too: this SoR has no way to prevent that.

mod reading;
mod refusals;
mod requests;
mod vendor;

use std::sync::Arc;

use async_trait::async_trait;
use holdfast_core::ids::{ApplicationId, ETag, FeedCursor, LocalSeq};
use holdfast_core::operation::Body;
use holdfast_core::outcome::{
    Answer, Content, Identity, Lost, ProblemBody, ProblemType, ReadBack, Reply, Sent, Unreachable,
};
use holdfast_core::people::SignedStatement;
use holdfast_core::reprove::Recollection;
use holdfast_core::sign::KeyPair;
use holdfast_station::ports::{
    ChangesAnswer, Clock, ContractAnswer, CopiedRecord, CopiedVisit, Delivery, Entropy, HeldThere, NoLife,
    RecordSystem, RecordsPage, SessionAsk, Sockets, SorFault, VisitsAsk,
};

use crate::answer::answer_without_token;
use crate::client::{Call, SorClient};
use crate::exchange::{Ended, Whole};
use crate::settings::{SettingsFault, SorSettings};
use reading::{NotSeen, Seen, echoed, look, look_at};
use requests::{NotOffered, Trace, Write};

/// An old vendor's system, over HTTP.
pub struct VendorClient {
    sor: SorClient,
}

impl VendorClient {
    /// A client for the SoR that the station was set up with. Nothing is sent yet.
    ///
    /// # Errors
    /// An address or limits that are refused, see [`SettingsFault`].
    pub fn new(
        settings: SorSettings,
        station_key: KeyPair,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, SettingsFault> {
        Ok(Self { sor: SorClient::without_idle_connections(settings, station_key, clock, entropy)? })
    }

    async fn write_once(&self, call: &Call<'_>, delivery: &Delivery) -> Answer {
        // Accepted here, so it can be read; if not, nothing is asked about it.
        let Ok(body) = serde_json::from_slice::<Body>(&delivery.body) else { return Answer::NotAsked };
        let seen = match look(call, delivery).await {
            Ok(seen) => seen,
            Err(NotSeen::NoRecord) => return refusals::parent_missing(),
            Err(NotSeen::Ended(ended)) => return refusals::answer_before_write(&ended, call.identity()),
        };
        if seen.carriers() > 0 {
            return found(&seen.read_back(delivery.key, Vec::new()), &sent(delivery, &body));
        }
        if let Err(refused) = compare(delivery, &seen) {
            return refused;
        }
        let made_by = seen.record.as_ref().and_then(|record| record.external_id.as_deref());
        let write = match Write::of(&body, &delivery.key, made_by) {
            Ok(write) => write,
            Err(NotOffered(pointer)) => return refusals::not_offered(pointer),
        };
        if !call.leaves_room() {
            return Answer::Unreachable(Unreachable::NotRead);
        }
        let record = seen.record.as_ref().map(|record| record.id.clone());
        let ended = call.ask(write.ask(call.endpoint(), record.as_ref())).await;
        match ended {
            Ended::Whole(whole) if (200..300).contains(&whole.status) => {
                read_back(call, delivery, seen, &whole).await
            }
            Ended::NotAsked | Ended::Unreachable(_) | Ended::Lost(_) | Ended::Whole(_) => {
                refusals::answer(&ended, call.identity())
            }
        }
    }

    async fn find(&self, call: &Call<'_>, delivery: &Delivery) -> Answer {
        if Trace::of(delivery.kind) == Trace::EchoOnly {
            // Nothing that could be asked would prove anything.
            return Answer::NotAsked;
        }
        match look(call, delivery).await {
            Ok(seen) if seen.carriers() > 0 || seen.whole => {
                replied(200, Content::ReadBack(seen.read_back(delivery.key, Vec::new())))
            }
            // The list goes on: an SoR that is alive, and no proof of an absence.
            Ok(_) => refusals::said(409, refusals::problem(ProblemType::InProgress)),
            Err(NotSeen::NoRecord) => refusals::parent_missing(),
            Err(NotSeen::Ended(ended)) => refusals::answer(&ended, call.identity()),
        }
    }
}

/// Whether the record is at the version that the operation was made against.
fn compare(delivery: &Delivery, seen: &Seen) -> Result<(), Answer> {
    let Some(record) = &seen.record else { return Ok(()) };
    let theirs = vendor::etag(record.modified);
    match &delivery.if_match {
        Some(base) if *base == theirs => Ok(()),
        Some(_) => Err(refusals::version_conflict(theirs)),
        None => Err(refusals::base_missing()),
    }
}

/// It was there before this call wrote anything.
fn found(read: &ReadBack, sent: &Sent) -> Answer {
    match read.receipt(sent) {
        Some(receipt) => {
            let operation = Some(receipt);
            let there = ProblemBody { operation, ..refusals::problem(ProblemType::AlreadyCommitted) };
            refusals::said(409, there)
        }
        None => replied(200, Content::ReadBack(read.clone())),
    }
}

/// What the records show after a success of the write. A success that cannot be read back is told as one that proves
/// nothing; one that comes from somebody else is not followed by a look.
async fn read_back(call: &Call<'_>, delivery: &Delivery, before: Seen, whole: &Whole) -> Answer {
    if crate::answer::identity(whole, call.identity()) != Identity::Right {
        return refusals::answer(&Ended::Whole(Box::new(whole.clone())), call.identity());
    }
    let warnings = vendor::warnings(whole, call.identity());
    let seen = match (Trace::of(delivery.kind), &before.record) {
        // A script that failed may have undone it, and nobody could find out.
        (Trace::EchoOnly, _) if !warnings.is_empty() => Ok(before),
        (Trace::EchoOnly, _) => Ok(before.with_echo(echoed(call, whole, &delivery.key))),
        (Trace::Line(_), Some(record)) => look_at(call, delivery, &record.id).await,
        (Trace::Record, _) | (Trace::Line(_), None) => look(call, delivery).await,
    };
    match seen {
        Ok(seen) => replied(whole.status, Content::ReadBack(seen.read_back(delivery.key, warnings))),
        Err(NotSeen::Ended(Ended::Lost(how))) => Answer::Lost(how),
        Err(NotSeen::Ended(Ended::NotAsked | Ended::Unreachable(_))) => Answer::Lost(Lost::TimedOut),
        Err(NotSeen::Ended(Ended::Whole(_)) | NotSeen::NoRecord) => replied(whole.status, Content::Other),
    }
}

fn replied(status: u16, content: Content) -> Answer {
    let identity = Identity::Right;
    Answer::Replied(Box::new(Reply { status, identity, content, retry_after: None, date: None }))
}

fn sent(delivery: &Delivery, body: &Body) -> Sent {
    Sent {
        key: delivery.key,
        operation_id: delivery.operation_id,
        application_id: delivery.application_id,
        payload_digest: holdfast_core::operation::payload_digest(&body.payload),
    }
}

#[async_trait]
impl RecordSystem for VendorClient {
    async fn deliver(&self, delivery: &Delivery, sockets: Sockets) -> Answer {
        match self.sor.call(sockets).await {
            Ok(call) => self.write_once(&call, delivery).await,
            Err(ended) => answer_without_token(&ended, &self.sor.identity),
        }
    }

    async fn look_up(&self, delivery: &Delivery, sockets: Sockets) -> Answer {
        match self.sor.call(sockets).await {
            Ok(call) => self.find(&call, delivery).await,
            Err(ended) => answer_without_token(&ended, &self.sor.identity),
        }
    }

    async fn health(&self, nonce: &str, sockets: Sockets) -> Result<(), NoLife> {
        self.sor.health(nonce, sockets).await
    }

    async fn recall(&self, nonce: &str) -> Result<Recollection, SorFault> {
        self.sor.recall(nonce).await
    }

    async fn held_after(&self, after: LocalSeq) -> Result<Vec<HeldThere>, SorFault> {
        self.sor.held_after(after).await
    }

    async fn show_session(&self, signed: &SignedStatement) -> Result<(), SorFault> {
        self.sor.show_session(signed).await
    }

    fn forget_token(&self) {
        self.sor.forget_token();
    }

    async fn open_session(&self, ask: &SessionAsk<'_>) -> Result<SignedStatement, SorFault> {
        self.sor.open_session(ask).await
    }

    async fn contract(&self, known: Option<&ETag>) -> Result<ContractAnswer, SorFault> {
        self.sor.contract(known).await
    }

    async fn visits(&self, ask: &VisitsAsk) -> Result<Vec<CopiedVisit>, SorFault> {
        self.sor.visits(ask).await
    }

    async fn records(&self, after: Option<&str>) -> Result<RecordsPage, SorFault> {
        self.sor.records(after).await
    }

    /// An old vendor's system has no such feed, and is not asked for one.
    async fn changes(&self, _: Option<&FeedCursor>) -> Result<ChangesAnswer, SorFault> {
        Ok(ChangesAnswer::NotOffered)
    }

    async fn record(&self, id: ApplicationId) -> Result<CopiedRecord, SorFault> {
        self.sor.record(id).await
    }
}
