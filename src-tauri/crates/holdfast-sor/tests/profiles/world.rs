//! One SoR of either profile, a station that is enrolled at it, and what a drill may do to it.

use std::sync::Arc;
use std::time::Duration;

use holdfast_core::ids::{ApplicationId, ETag, LocalSeq, OperationId, RecordId};
use holdfast_core::look_up::{LookUp, judge_look_up};
use holdfast_core::operation::{ActorProof, Body, ClockTrust, Kind, OriginRoute, payload_digest};
use holdfast_core::outcome::{Outcome, ReceiptBody, Sent, judge};
use holdfast_core::people::SignedStatement;
use holdfast_core::profile::Profile;
use holdfast_core::sign::KeyPair;
use holdfast_sor::{EnrolAsk, Limits, SorClient, SorSettings, VendorClient, enrol};
use holdfast_station::ports::{Delivery, RecordSystem, SessionAsk, Sockets};
use reference_sor::{Api, Database, Running, Settings, serve};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::scripted::{Counting, TestClock, endpoint, station, station_key};

/// How long something that must happen may take, in milliseconds.
const HAPPENS_MAX_MS: u64 = 20_000;
/// Between two looks at whether it has, in milliseconds.
const PAUSE_MS: u64 = 20;

pub(crate) const BOTH: [Profile; 2] = [Profile::Idempotent, Profile::LookBeforeWrite];

pub(crate) struct World {
    pub(crate) profile: Profile,
    pub(crate) client: Box<dyn RecordSystem>,
    sor: Running,
    session: SignedStatement,
    seq: std::cell::Cell<u64>,
    _folder: tempfile::TempDir,
}

/// An operation and where it belongs.
#[derive(Clone)]
pub(crate) struct Work {
    pub(crate) delivery: Delivery,
    pub(crate) sent: Sent,
}

impl World {
    pub(crate) async fn of(profile: Profile) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let api = if profile.has_keys() { Api::Operations } else { Api::Records };
        let database = Database::Sqlite(folder.path().join("sor.db"));
        let sor = serve(Settings { api, ..Settings::for_drill(database) }).await.unwrap();
        let client = enrolled(&sor.url, profile).await;
        let key = session_key().public();
        let ask = SessionAsk { user: "supervisor", password: "demo-supervisor", key };
        let session = client.open_session(&ask).await.unwrap();
        Self { profile, client, sor, session, seq: std::cell::Cell::new(0), _folder: folder }
    }

    /// An operation of this kind.
    pub(crate) fn work(&self, kind: Kind, application_id: ApplicationId, payload: Value) -> Work {
        self.seq.set(self.seq.get() + 1);
        let statement = &self.session.statement;
        let mut body = Body {
            v: 1,
            operation_id: OperationId::from_uuid(Uuid::from_u128(u128::from(self.seq.get()))),
            kind,
            application_id,
            payload,
            contract_version: 1,
            actor: statement.actor.clone(),
            role: statement.roles[0].clone(),
            actor_proof: ActorProof { sid: statement.sid, sig: String::new() },
            station_id: station(),
            local_seq: LocalSeq(self.seq.get()),
            accepted_at: statement.from,
            clock: ClockTrust::Ok,
            origin_route: OriginRoute::Direct,
            outage_id: None,
            replaces: None,
        };
        body.actor_proof.sig = session_key().prove(&body.idempotency_key());
        let sent = Sent {
            key: body.idempotency_key(),
            operation_id: body.operation_id,
            application_id,
            payload_digest: payload_digest(&body.payload),
        };
        let delivery = Delivery {
            key: sent.key,
            kind,
            operation_id: body.operation_id,
            application_id,
            record_id: None,
            body: body.bytes(),
            if_match: None,
        };
        Work { delivery, sent }
    }

    pub(crate) fn application(&self) -> Work {
        let id = ApplicationId::from_uuid(Uuid::from_u128(u128::from(self.seq.get() + 1) << 64));
        self.work(Kind::Application, id, fence())
    }

    /// The same on top of a receipt.
    pub(crate) fn after(&self, receipt: &ReceiptBody, kind: Kind, payload: Value) -> Work {
        let mut work = self.work(kind, receipt.application_id, payload);
        work.delivery.record_id = Some(receipt.record_id.clone());
        work.delivery.if_match = Some(receipt.etag.clone());
        work
    }

    pub(crate) async fn send(&self, work: &Work) -> Outcome {
        judge(&self.client.deliver(&work.delivery, Sockets::Kept).await, &work.sent)
    }

    pub(crate) async fn look(&self, work: &Work) -> LookUp {
        judge_look_up(&self.client.look_up(&work.delivery, Sockets::Kept).await, &work.sent)
    }

    /// Sends what must be recorded.
    pub(crate) async fn record(&self, work: &Work) -> ReceiptBody {
        let outcome = self.send(work).await;
        let Outcome::Committed { receipt } = outcome else { panic!("{:?}: {outcome:?}", self.profile) };
        receipt
    }

    /// A recorded application.
    pub(crate) async fn recorded(&self) -> ReceiptBody {
        let work = self.application();
        self.record(&work).await
    }

    /// One fault for writes of either profile.
    pub(crate) async fn break_writes(&self, mut fault: Value) {
        let path = if self.profile.has_keys() { "/v1/operations" } else { "/records" };
        fault["on"] = json!({ "path": path, "method": "POST" });
        self.plan(json!({ "faults": [fault] })).await;
    }

    pub(crate) async fn break_reads(&self, mut fault: Value) {
        fault["on"] = json!({ "path": "/records", "method": "GET" });
        self.plan(json!({ "faults": [fault] })).await;
    }

    pub(crate) async fn plan(&self, plan: Value) {
        self.sor.put_faults(plan.to_string().as_bytes()).await.unwrap();
    }

    pub(crate) async fn mend(&self) {
        self.plan(json!({ "faults": [] })).await;
    }

    /// The keys of all effects, in order.
    pub(crate) async fn effects(&self) -> Vec<String> {
        let url = format!("{}/drill/ledger", self.sor.drill_url.as_deref().unwrap());
        let body = reqwest::get(url).await.unwrap().bytes().await.unwrap();
        let ledger: Value = serde_json::from_slice(&body).unwrap();
        let effects = ledger["effects"].as_array().unwrap();
        effects.iter().map(|effect| effect["key"].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) async fn effects_of(&self, work: &Work) -> usize {
        let key = work.sent.key.to_string();
        self.effects().await.iter().filter(|of| **of == key).count()
    }

    /// Waits until there are as many effects of it.
    pub(crate) async fn until_effects(&self, work: &Work, effects: usize) {
        for _ in 0..HAPPENS_MAX_MS / PAUSE_MS {
            if self.effects_of(work).await == effects {
                return;
            }
            tokio::time::sleep(Duration::from_millis(PAUSE_MS)).await;
        }
        panic!("{:?}: not {effects} effects", self.profile);
    }
}

async fn enrolled(url: &str, profile: Profile) -> Box<dyn RecordSystem> {
    let station_id = station();
    let who = EnrolAsk { station_id: &station_id, key: station_key().public(), code: None, nonce: "n0nce" };
    let settings = endpoint(url, Limits::default());
    let identity = enrol(&settings, &who).await.unwrap().identity;
    let settings = SorSettings { endpoint: settings, identity, station_id };
    let (clock, entropy) = (TestClock::new(), Arc::new(Counting::default()));
    match profile {
        Profile::Idempotent => Box::new(SorClient::new(settings, station_key(), clock, entropy).unwrap()),
        Profile::LookBeforeWrite => {
            Box::new(VendorClient::new(settings, station_key(), clock, entropy).unwrap())
        }
    }
}

fn session_key() -> KeyPair {
    KeyPair::from_seed(&[9; 32])
}

pub(crate) fn fence() -> Value {
    json!({"OriginalAddress1": "12 ELM ST", "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence"})
}

pub(crate) fn review() -> Value {
    json!({"to": "PrelimReview"})
}

pub(crate) fn inspected() -> Value {
    json!({"InspType": "Final", "InspectedDate": "2026-11-30", "Result": "Passed", "ResultMapped": "Passed"})
}

pub(crate) fn etag(text: &str) -> ETag {
    text.parse().unwrap()
}

pub(crate) fn record_id(text: &str) -> RecordId {
    text.parse().unwrap()
}
