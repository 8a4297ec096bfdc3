//! The port `RecordSystem` for an SoR with idempotency keys and entity tags (profile `idempotent`).
//!
//! Promise: one call is one attempt, its token included, and ends within the limits; nothing is repeated but what
//! [`crate::exchange::ask`] and [`crate::token`] say. Requests are built and answers handed on; core judges them.

use std::sync::Arc;

use async_trait::async_trait;
use holdfast_core::canonical::{canonical, parse_strict};
use holdfast_core::contract::{Bundle, SignedAttestation};
use holdfast_core::ids::{ApplicationId, ETag, FeedCursor, IdempotencyKey, LocalSeq, PermitNum, SorIdentity};
use holdfast_core::outcome::{Answer, Identity, Lost, Unreachable};
use holdfast_core::people::SignedStatement;
use holdfast_core::reprove::Recollection;
use holdfast_core::sign::KeyPair;
use holdfast_station::ports::{
    ChangesAnswer, Clock, ContractAnswer, CopiedRecord, CopiedVisit, Delivery, Entropy, HeldThere, NoLife,
    NumberLease, RecordSystem, RecordsPage, SessionAsk, Sockets, SorFault, VisitsAsk,
};
use reqwest::Client;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH};
use serde_json::json;

use crate::answer::{self, answer, answer_without_token, identity};
use crate::changes;
use crate::connection::{Endpoint, Idle};
use crate::copies;
use crate::exchange::{Ask, Deadline, Ended, Whole, ask, ask_once};
use crate::fault::{fault, no_life};
use crate::health::{self, Health};
use crate::numbers;
use crate::settings::{SettingsFault, SorSettings};
use crate::token::{Bearer, Tokens};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const ATTESTATION: HeaderName = HeaderName::from_static("holdfast-attestation");

/// The SoR, over HTTP.
pub struct SorClient {
    pub(crate) endpoint: Endpoint,
    pub(crate) identity: SorIdentity,
    tokens: Tokens,
}

/// How an attempt that needs the station's token ended.
enum Attempt {
    /// There was no token, so nothing else was sent.
    WithoutToken(Ended),
    /// It was asked.
    Asked(Ended),
}

/// An attempt of several requests, each sent once, under one deadline.
pub(crate) struct Call<'a> {
    sor: &'a SorClient,
    client: Client,
    deadline: Deadline,
    bearer: Bearer,
}

impl Call<'_> {
    /// Asks once; what is begun too late to connect is not sent.
    pub(crate) async fn ask(&self, ask: Ask) -> Ended {
        if !self.leaves_room() {
            return Ended::Unreachable(Unreachable::ConnectTimedOut);
        }
        let ended = ask_once(&self.client, self.deadline, with_bearer(ask, &self.bearer)).await;
        self.sor.tokens.hear(&ended);
        ended
    }

    pub(crate) fn leaves_room(&self) -> bool {
        self.deadline.leaves_room()
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.sor.endpoint
    }

    pub(crate) fn identity(&self) -> &SorIdentity {
        &self.sor.identity
    }
}

impl SorClient {
    /// A client for the SoR that the station was set up with. Nothing is sent yet, and no certificate is read: one that
    /// cannot be is a failed connection, later.
    ///
    /// # Errors
    /// An address or limits that are refused, see [`SettingsFault`].
    pub fn new(
        settings: SorSettings,
        station_key: KeyPair,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, SettingsFault> {
        Self::with_idle(settings, station_key, (clock, entropy), Idle::Kept)
    }

    /// The same for an SoR at which a write that is sent twice is done twice.
    pub(crate) fn without_idle_connections(
        settings: SorSettings,
        station_key: KeyPair,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, SettingsFault> {
        Self::with_idle(settings, station_key, (clock, entropy), Idle::Closed)
    }

    fn with_idle(
        settings: SorSettings,
        station_key: KeyPair,
        (clock, entropy): (Arc<dyn Clock>, Arc<dyn Entropy>),
        idle: Idle,
    ) -> Result<Self, SettingsFault> {
        let SorSettings { endpoint, identity, station_id } = settings;
        let endpoint = Endpoint::with_idle(endpoint, idle)?;
        let tokens = Tokens::new((station_id, identity.clone()), station_key, clock, entropy);
        Ok(Self { endpoint, identity, tokens })
    }

    /// Begins an attempt of several requests: the token, and one deadline for all of them.
    ///
    /// # Errors
    /// How it ended when there was no token, so that nothing else was sent.
    pub(crate) async fn call(&self, sockets: Sockets) -> Result<Call<'_>, Ended> {
        let deadline = Deadline::of(&self.endpoint);
        let client = self.client(sockets).map_err(|_| Ended::Unreachable(Unreachable::TlsFailed))?;
        let bearer = self.tokens.bearer(&self.endpoint, &client, deadline).await?;
        Ok(Call { sor: self, client, deadline, bearer })
    }

    /// One attempt: the token, then the request that `build` makes.
    async fn attempt(&self, sockets: Sockets, build: impl Fn() -> Ask + Send + Sync) -> Attempt {
        let deadline = Deadline::of(&self.endpoint);
        match self.client(sockets) {
            Ok(client) => self.attempt_with(&client, deadline, build).await,
            Err(_) => Attempt::Asked(Ended::Unreachable(Unreachable::TlsFailed)),
        }
    }

    async fn attempt_with(
        &self,
        client: &Client,
        deadline: Deadline,
        build: impl Fn() -> Ask + Send + Sync,
    ) -> Attempt {
        let bearer = match self.tokens.bearer(&self.endpoint, client, deadline).await {
            Ok(bearer) => bearer,
            Err(ended) => return Attempt::WithoutToken(ended),
        };
        if !deadline.leaves_room() {
            return Attempt::WithoutToken(Ended::Lost(Lost::TimedOut));
        }
        let authorized = || with_bearer(build(), &bearer);
        let ended = ask(&self.endpoint, client, deadline, authorized).await;
        self.tokens.hear(&ended);
        Attempt::Asked(ended)
    }

    /// The same for what is no operation. A kept token that is refused is fetched anew, once: for operations that is
    /// the drain's to decide.
    pub(crate) async fn fetch(&self, build: impl Fn() -> Ask + Send + Sync) -> Result<Box<Whole>, SorFault> {
        self.fetch_over(Sockets::Kept, build).await
    }

    /// The same over these connections.
    pub(crate) async fn fetch_over(
        &self,
        sockets: Sockets,
        build: impl Fn() -> Ask + Send + Sync,
    ) -> Result<Box<Whole>, SorFault> {
        let deadline = Deadline::of(&self.endpoint);
        let client = self.client(sockets).map_err(|_| SorFault::NotAnswering)?;
        let mut attempt = self.attempt_with(&client, deadline, &build).await;
        if self.is_unauthorized(&attempt) && deadline.leaves_room() {
            self.tokens.forget();
            attempt = self.attempt_with(&client, deadline, &build).await;
        }
        match attempt {
            Attempt::Asked(Ended::Whole(whole)) if identity(&whole, &self.identity) == Identity::Right => {
                Ok(whole)
            }
            Attempt::Asked(ended) | Attempt::WithoutToken(ended) => Err(fault(&ended, &self.identity)),
        }
    }

    fn is_unauthorized(&self, attempt: &Attempt) -> bool {
        match attempt {
            Attempt::Asked(ended) => fault(ended, &self.identity) == SorFault::StationUnauthorized,
            Attempt::WithoutToken(_) => false,
        }
    }

    fn client(&self, sockets: Sockets) -> Result<Client, SettingsFault> {
        match sockets {
            Sockets::Kept => self.endpoint.kept(),
            Sockets::Fresh => self.endpoint.fresh(),
        }
    }

    fn answer(&self, attempt: &Attempt) -> Answer {
        match attempt {
            Attempt::WithoutToken(ended) => answer_without_token(ended, &self.identity),
            Attempt::Asked(ended) => answer(ended, &self.identity),
        }
    }

    fn operation_ask(&self, delivery: &Delivery) -> Ask {
        let url = self.endpoint.url("v1/operations");
        let mut ask = Ask::post("/v1/operations", url, delivery.body.clone(), self.body_max_bytes());
        insert(&mut ask.headers, IDEMPOTENCY_KEY, &delivery.key.to_string());
        if let Some(etag) = &delivery.if_match {
            insert(&mut ask.headers, IF_MATCH, etag.as_str());
        }
        ask
    }

    fn look_up_ask(&self, key: &IdempotencyKey) -> Ask {
        let url = self.endpoint.url(&format!("v1/operations/{key}"));
        Ask::get("/v1/operations/{key}", url, self.body_max_bytes())
    }

    fn session_ask(&self, ask: &SessionAsk<'_>) -> Ask {
        let body = json!({"user": ask.user, "password": ask.password, "key": ask.key});
        let url = self.endpoint.url("v1/sessions");
        Ask::post("/v1/sessions", url, body.to_string().into_bytes(), self.body_max_bytes())
    }

    fn statement_ask(&self, signed: &SignedStatement) -> Ask {
        let url = self.endpoint.url("v1/sessions/statements");
        Ask::post("/v1/sessions/statements", url, canonical(signed), self.body_max_bytes())
    }

    fn contract_ask(&self, known: Option<&ETag>) -> Ask {
        let max_bytes = self.endpoint.limits().contract_max_bytes;
        let mut ask = Ask::get("/v1/contract", self.endpoint.url("v1/contract"), max_bytes);
        if let Some(etag) = known {
            insert(&mut ask.headers, IF_NONE_MATCH, etag.as_str());
        }
        ask
    }

    fn bundle(&self, whole: &Whole) -> Result<ContractAnswer, SorFault> {
        let max_bytes = self.endpoint.limits().contract_max_bytes;
        let value = parse_strict(&whole.body, max_bytes).map_err(|_| SorFault::Unreadable)?;
        let bundle: Bundle = serde_json::from_value(value).map_err(|_| SorFault::Unreadable)?;
        Ok(ContractAnswer::Bundle(Box::new(bundle)))
    }

    fn body_max_bytes(&self) -> usize {
        self.endpoint.limits().body_max_bytes
    }
}

#[async_trait]
impl RecordSystem for SorClient {
    async fn deliver(&self, delivery: &Delivery, sockets: Sockets) -> Answer {
        let attempt = self.attempt(sockets, || self.operation_ask(delivery)).await;
        self.answer(&attempt)
    }

    async fn look_up(&self, delivery: &Delivery, sockets: Sockets) -> Answer {
        let attempt = self.attempt(sockets, || self.look_up_ask(&delivery.key)).await;
        self.answer(&attempt)
    }

    async fn health(&self, nonce: &str, sockets: Sockets) -> Result<(), NoLife> {
        let deadline = Deadline::of(&self.endpoint);
        let client = self.client(sockets).map_err(|_| NoLife::NotAsked)?;
        let ended =
            ask(&self.endpoint, &client, deadline, || health::health_ask(&self.endpoint, nonce)).await;
        self.tokens.hear(&ended);
        match health::read(&ended, nonce) {
            Some(Health { identity }) if identity == self.identity => Ok(()),
            Some(_) => Err(NoLife::Stranger),
            // The pinned name with another nonce is a copy of an earlier answer.
            None if succeeded(&ended) => Err(NoLife::Stranger),
            None => Err(no_life(&ended, &self.identity)),
        }
    }

    async fn recall(&self, nonce: &str) -> Result<Recollection, SorFault> {
        let whole = self.fetch(|| health::health_ask(&self.endpoint, nonce)).await?;
        match whole.status {
            200 => health::recollection(&whole, nonce, &self.identity).ok_or(SorFault::Impostor),
            0..200 | 201..=u16::MAX => Err(fault(&Ended::Whole(whole), &self.identity)),
        }
    }

    async fn held_after(&self, after: LocalSeq) -> Result<Vec<HeldThere>, SorFault> {
        let whole = self.fetch(|| health::held_ask(&self.endpoint, after)).await?;
        match whole.status {
            200 => health::held(&whole).ok_or(SorFault::Unreadable),
            0..200 | 201..=u16::MAX => Err(fault(&Ended::Whole(whole), &self.identity)),
        }
    }

    async fn show_session(&self, signed: &SignedStatement) -> Result<(), SorFault> {
        let whole = self.fetch(|| self.statement_ask(signed)).await?;
        match whole.status {
            200..300 => Ok(()),
            0..200 | 300..=u16::MAX => Err(fault(&Ended::Whole(whole), &self.identity)),
        }
    }

    async fn lease_numbers(&self, lease: &NumberLease) -> Result<Vec<PermitNum>, SorFault> {
        let whole = self.fetch(|| numbers::lease_ask(&self.endpoint, lease)).await?;
        match whole.status {
            200 | 201 => numbers::block(&whole, lease).ok_or(SorFault::Unreadable),
            0..200 | 202..=u16::MAX => Err(fault(&Ended::Whole(whole), &self.identity)),
        }
    }

    async fn void_numbers(&self, numbers: &[PermitNum]) -> Result<(), SorFault> {
        let whole = self.fetch(|| numbers::void_ask(&self.endpoint, numbers)).await?;
        match whole.status {
            200..300 => Ok(()),
            0..200 | 300..=u16::MAX => Err(fault(&Ended::Whole(whole), &self.identity)),
        }
    }

    fn forget_token(&self) {
        self.tokens.forget();
    }

    async fn open_session(&self, ask: &SessionAsk<'_>) -> Result<SignedStatement, SorFault> {
        let whole = self.fetch(|| self.session_ask(ask)).await?;
        match whole.status {
            200 | 201 => answer::json(&whole).ok_or(SorFault::Unreadable),
            0..200 | 202..=u16::MAX => Err(fault(&Ended::Whole(whole), &self.identity)),
        }
    }

    async fn contract(&self, known: Option<&ETag>) -> Result<ContractAnswer, SorFault> {
        let whole = self.fetch(|| self.contract_ask(known)).await?;
        match whole.status {
            200 => self.bundle(&whole),
            304 => {
                let attestation = whole.only(ATTESTATION).and_then(SignedAttestation::from_header);
                Ok(ContractAnswer::Unchanged(attestation))
            }
            0..200 | 201..304 | 305..=u16::MAX => Err(fault(&Ended::Whole(whole), &self.identity)),
        }
    }

    async fn visits(&self, ask: &VisitsAsk) -> Result<Vec<CopiedVisit>, SorFault> {
        copies::visits(self, ask).await
    }

    async fn records(&self, after: Option<&str>) -> Result<RecordsPage, SorFault> {
        copies::records(self, after).await
    }

    async fn changes(&self, since: Option<&FeedCursor>) -> Result<ChangesAnswer, SorFault> {
        changes::changes(self, since).await
    }

    async fn record(&self, id: ApplicationId) -> Result<CopiedRecord, SorFault> {
        copies::record(self, id).await
    }
}

fn succeeded(ended: &Ended) -> bool {
    match ended {
        Ended::Whole(whole) => (200..300).contains(&whole.status),
        Ended::NotAsked | Ended::Unreachable(_) | Ended::Lost(_) => false,
    }
}

fn with_bearer(mut ask: Ask, bearer: &Bearer) -> Ask {
    ask.headers.insert(AUTHORIZATION, bearer.0.clone());
    ask
}

/// Keys and entity tags are printable ASCII by their types.
fn insert(headers: &mut HeaderMap, name: HeaderName, text: &str) {
    let value = HeaderValue::from_str(text).expect("an identifier is printable ASCII");
    headers.insert(name, value);
}
