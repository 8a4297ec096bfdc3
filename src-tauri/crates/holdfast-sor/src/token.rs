//! The station's token: fetched when it is needed, kept until shortly before its end, never shown.
//!
//! Promise: a token is fetched with a signed request that is of no use to whoever else receives it (it names this SoR and
//! this station, and holds for two minutes), and is kept only if the answer came from the pinned SoR. After any answer of
//! somebody else it is forgotten; so it goes only where the last answer was authentic. A station whose clock is off asks in
//! the SoR's own time.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use holdfast_core::ids::{SorIdentity, StationId};
use holdfast_core::outcome::{Identity, Lost};
use holdfast_core::people::token_request;
use holdfast_core::sign::KeyPair;
use holdfast_core::time::BootMillis;
use holdfast_station::ports::{Clock, Entropy, random_id};
use reqwest::Client;
use reqwest::header::HeaderValue;
use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout_at;

use crate::answer::{self, date, identity, is_unauthorized, reply};
use crate::connection::Endpoint;
use crate::exchange::{Ask, Deadline, Ended, Whole, ask};

/// How long before its end a token is given up, in milliseconds.
const RENEW_BEFORE_MS: u64 = 30_000;
/// Longest time for which a token is kept, in seconds.
const TOKEN_KEPT_MAX_S: u64 = 24 * 3600;
/// A `Date` has whole seconds: what is not more than this says nothing about a clock, in milliseconds.
const SKEW_MIN_MS: u64 = 1_000;

/// The header's value, `Bearer …`; shown nowhere.
#[derive(Clone)]
pub(crate) struct Bearer(pub(crate) HeaderValue);

/// The station's credential and the token that it gets for it.
pub(crate) struct Tokens {
    station_id: StationId,
    identity: SorIdentity,
    key: KeyPair,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    /// The SoR's clock minus this machine's, in milliseconds.
    skew_ms: AtomicI64,
    kept: Mutex<Option<Kept>>,
    /// One fetches, the others wait for it.
    fetching: tokio::sync::Mutex<()>,
}

struct Kept {
    bearer: Bearer,
    until: BootMillis,
}

/// `POST /v1/station-tokens`.
#[derive(Deserialize)]
struct TokenAnswer {
    access_token: String,
    /// Bearer, unless it says otherwise.
    token_type: Option<String>,
    expires_in: u64,
}

impl Tokens {
    pub(crate) fn new(
        (station_id, identity): (StationId, SorIdentity),
        key: KeyPair,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        Self {
            station_id,
            identity,
            key,
            clock,
            entropy,
            skew_ms: AtomicI64::new(0),
            kept: Mutex::new(None),
            fetching: tokio::sync::Mutex::new(()),
        }
    }

    /// The token, fetched if there is none.
    ///
    /// # Errors
    /// How the request for it ended, when it brought none.
    pub(crate) async fn bearer(
        &self,
        endpoint: &Endpoint,
        client: &Client,
        deadline: Deadline,
    ) -> Result<Bearer, Ended> {
        if let Some(bearer) = self.kept() {
            return Ok(bearer);
        }
        let turn = timeout_at(deadline.at(), self.fetching.lock()).await;
        let _turn = turn.map_err(|_| Ended::Lost(Lost::TimedOut))?;
        match self.kept() {
            Some(bearer) => Ok(bearer),
            None => self.fetch(endpoint, client, deadline).await,
        }
    }

    /// Gives the token up.
    pub(crate) fn forget(&self) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Learns from an answer: the SoR's time, if it is the SoR's; otherwise that somebody else answers there.
    pub(crate) fn hear(&self, ended: &Ended) {
        let Ended::Whole(whole) = ended else { return };
        match identity(whole, &self.identity) {
            Identity::Right => {
                let now = self.clock.now().wall;
                if let Some(theirs) = date(whole) {
                    self.skew_ms.store(theirs.millis_since(now), Ordering::Relaxed);
                }
            }
            Identity::Wrong | Identity::Absent => self.forget(),
        }
    }

    async fn fetch(&self, endpoint: &Endpoint, client: &Client, deadline: Deadline) -> Result<Bearer, Ended> {
        let skew_ms = self.skew_ms.load(Ordering::Relaxed);
        let ended = self.request(endpoint, client, deadline).await;
        let corrected = self.skew_ms.load(Ordering::Relaxed).abs_diff(skew_ms) > SKEW_MIN_MS;
        if corrected && self.is_refused(&ended) && deadline.leaves_room() {
            // Refused for the time in it, perhaps: the answer has told the right one.
            let again = self.request(endpoint, client, deadline).await;
            return self.take(again);
        }
        self.take(ended)
    }

    async fn request(&self, endpoint: &Endpoint, client: &Client, deadline: Deadline) -> Ended {
        let ended = ask(endpoint, client, deadline, || self.token_ask(endpoint)).await;
        self.hear(&ended);
        ended
    }

    fn token_ask(&self, endpoint: &Endpoint) -> Ask {
        let now = self.clock.now();
        let at = now.wall.plus_millis(self.skew_ms.load(Ordering::Relaxed));
        let jti = random_id(&*self.entropy, now).to_string();
        let assertion = token_request(&self.station_id, &self.identity, at, &jti, &self.key);
        let body = json!({"assertion": assertion}).to_string().into_bytes();
        let url = endpoint.url("v1/station-tokens");
        Ask::post("/v1/station-tokens", url, body, endpoint.limits().body_max_bytes)
    }

    fn is_refused(&self, ended: &Ended) -> bool {
        match ended {
            Ended::Whole(whole) => is_unauthorized(&reply(whole, &self.identity)),
            Ended::NotAsked | Ended::Unreachable(_) | Ended::Lost(_) => false,
        }
    }

    fn take(&self, ended: Ended) -> Result<Bearer, Ended> {
        let Ended::Whole(whole) = &ended else { return Err(ended) };
        let Some((bearer, expires_in_s)) = self.read(whole) else { return Err(ended) };
        let kept_ms = (expires_in_s.min(TOKEN_KEPT_MAX_S) * 1_000).saturating_sub(RENEW_BEFORE_MS);
        let until = BootMillis(self.clock.now().boot.0.saturating_add(kept_ms));
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Kept { bearer: bearer.clone(), until });
        Ok(bearer)
    }

    fn read(&self, whole: &Whole) -> Option<(Bearer, u64)> {
        let authentic = identity(whole, &self.identity) == Identity::Right;
        if !authentic || !(200..300).contains(&whole.status) {
            return None;
        }
        let token: TokenAnswer = answer::json(whole)?;
        if token.token_type.is_some_and(|kind| !kind.eq_ignore_ascii_case("bearer")) {
            return None;
        }
        let mut value = HeaderValue::from_str(&format!("Bearer {}", token.access_token)).ok()?;
        value.set_sensitive(true);
        Some((Bearer(value), token.expires_in))
    }

    fn kept(&self) -> Option<Bearer> {
        let now = self.clock.now().boot;
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().filter(|kept| now < kept.until).map(|kept| kept.bearer.clone())
    }
}
