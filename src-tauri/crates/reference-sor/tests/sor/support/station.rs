//! A station as far as the SoR sees one.

use std::cell::Cell;

use holdfast_core::canonical::parse_object;
use holdfast_core::ids::{
    ApplicationId, IdempotencyKey, LocalSeq, OperationId, RoleName, SorIdentity, StationId,
};
use holdfast_core::operation::{ActorProof, Body, ClockTrust, Kind, OriginRoute};
use holdfast_core::people::{SignedStatement, token_request};
use holdfast_core::sign::KeyPair;
use holdfast_core::time::UtcMillis;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{City, Request, Seen};

/// An enrolled station with a token and somebody signed in.
pub(crate) struct Station {
    pub(crate) id: StationId,
    pub(crate) key: KeyPair,
    pub(crate) token: String,
    pub(crate) session_key: KeyPair,
    pub(crate) session: SignedStatement,
    seq: Cell<u64>,
}

/// An operation, ready to be sent.
#[derive(Clone)]
pub(crate) struct Prepared {
    pub(crate) body: Body,
    pub(crate) bytes: Vec<u8>,
    pub(crate) key: IdempotencyKey,
}

pub(crate) fn now() -> UtcMillis {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    UtcMillis::from_millis(i64::try_from(since_epoch.as_millis()).unwrap()).unwrap()
}

pub(crate) fn key_of(name: &str) -> KeyPair {
    KeyPair::from_seed(holdfast_core::canonical::sha256(name.as_bytes()).bytes())
}

pub(crate) fn new_application_id() -> ApplicationId {
    ApplicationId::from_uuid(random_uuid())
}

pub(crate) fn random_uuid() -> Uuid {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).unwrap();
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

pub(crate) fn enrolment(id: &str, key: &KeyPair) -> Request {
    Request::post("/v1/enrolments", &json!({"station_id": id, "key": key.public()}))
}

/// A request for a token, as the station's own code makes it.
pub(crate) fn assertion(city: &City, id: &StationId, at: UtcMillis, key: &KeyPair) -> String {
    let identity: SorIdentity = city.identity().parse().unwrap();
    token_request(id, &identity, at, &random_uuid().to_string(), key)
}

pub(crate) fn ask_token(city: &City, assertion: &str) -> Seen {
    city.send(&Request::post("/v1/station-tokens", &json!({"assertion": assertion})))
}

/// The payload of a valid application.
pub(crate) fn fence() -> Value {
    json!({"OriginalAddress1": "12 ELM ST", "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence"})
}

impl Station {
    /// Enrols, asks for a token and signs `user` in with the password of the demo.
    pub(crate) fn new(city: &City, user: &str) -> Self {
        let id: StationId = "front-1".parse().unwrap();
        Self::named(city, id, user)
    }

    pub(crate) fn named(city: &City, id: StationId, user: &str) -> Self {
        let key = key_of(id.as_str());
        assert!(city.send(&enrolment(id.as_str(), &key)).code() < 300);
        let token = ask_token(city, &assertion(city, &id, now(), &key)).json();
        let token = token["access_token"].as_str().unwrap().to_owned();
        let session_key = key_of(&format!("{id} {user}"));
        let session = sign_in(city, &token, user, &format!("demo-{user}"), &session_key);
        let session = serde_json::from_slice(&session.body).unwrap();
        Self { id, key, token, session_key, session, seq: Cell::new(0) }
    }

    pub(crate) fn get(&self, city: &City, path: impl Into<String>) -> Seen {
        city.send(&Request::get(path).bearer(&self.token))
    }

    /// An operation by whoever is signed in.
    pub(crate) fn prepare(&self, kind: Kind, application: ApplicationId, payload: Value) -> Prepared {
        self.prepare_with(kind, application, payload, |_| {})
    }

    /// The same, changed before it is signed.
    pub(crate) fn prepare_with(
        &self,
        kind: Kind,
        application_id: ApplicationId,
        payload: Value,
        change: impl FnOnce(&mut Body),
    ) -> Prepared {
        self.seq.set(self.seq.get() + 1);
        let statement = &self.session.statement;
        let role: RoleName = statement.roles[0].clone();
        let mut body = Body {
            v: 1,
            operation_id: OperationId::from_uuid(random_uuid()),
            kind,
            application_id,
            payload,
            contract_version: 1,
            actor: statement.actor.clone(),
            role,
            actor_proof: ActorProof { sid: statement.sid, sig: String::new() },
            station_id: self.id.clone(),
            local_seq: LocalSeq(self.seq.get()),
            accepted_at: now(),
            clock: ClockTrust::Ok,
            origin_route: OriginRoute::Direct,
            outage_id: None,
            replaces: None,
        };
        change(&mut body);
        Prepared::sign(body, &self.session_key)
    }

    pub(crate) fn application(&self) -> Prepared {
        self.prepare(Kind::Application, new_application_id(), fence())
    }

    pub(crate) fn request(&self, operation: &Prepared, if_match: Option<&str>) -> Request {
        let request = Request::new("POST", "/v1/operations")
            .bearer(&self.token)
            .header("Idempotency-Key", operation.key.to_string())
            .body(operation.bytes.clone());
        match if_match {
            None => request,
            Some(etag) => request.header("If-Match", etag),
        }
    }

    pub(crate) fn post(&self, city: &City, operation: &Prepared, if_match: Option<&str>) -> Seen {
        city.send(&self.request(operation, if_match))
    }

    /// Posts a new application and gives its id and its ETag.
    #[track_caller]
    pub(crate) fn open_application(&self, city: &City) -> (ApplicationId, String) {
        let operation = self.application();
        let seen = self.post(city, &operation, None);
        assert_eq!(seen.status, Some(201), "{seen:?}");
        (operation.body.application_id, seen.header("etag").unwrap().to_owned())
    }

    pub(crate) fn moved(&self, application: ApplicationId, to: &str) -> Prepared {
        self.prepare(Kind::Stage, application, json!({"to": to}))
    }
}

impl Prepared {
    pub(crate) fn sign(mut body: Body, session_key: &KeyPair) -> Self {
        let key = body.idempotency_key();
        if body.actor_proof.sig.is_empty() {
            body.actor_proof.sig = session_key.prove(&key);
        }
        let bytes = body.bytes();
        assert!(parse_object(&bytes).is_ok());
        Self { body, bytes, key }
    }
}

pub(crate) fn sign_in(city: &City, token: &str, user: &str, password: &str, key: &KeyPair) -> Seen {
    let body = json!({"user": user, "password": password, "key": key.public()});
    city.send(&Request::post("/v1/sessions", &body).bearer(token))
}
