//! A sign of life that cannot be forged by something that answers everything: the nonce has to come back with the identity.
//!
//! Promise: only a whole answer whose header and body name the same identity, and whose nonce is the one that was sent,
//! is one. Whether it is the pinned identity is the caller's to say.

use holdfast_core::ids::{ApplicationId, IdempotencyKey, LocalSeq, PermitNum, SorIdentity};
use holdfast_core::operation::Kind;
use holdfast_core::ramp::Order;
use holdfast_core::reprove::Recollection;
use holdfast_station::ports::{HELD_LIST_MAX_ROWS, HeldThere};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::answer::{self, IDENTITY, long_json};
use crate::connection::Endpoint;
use crate::exchange::{Ask, Ended, Whole};

/// One list of what the SoR holds of a station, in bytes.
const HELD_LIST_MAX_BYTES: usize = 1024 * 1024;

/// An authentic sign of life.
pub(crate) struct Health {
    /// Who gave it.
    pub(crate) identity: SorIdentity,
}

/// `GET /v1/health`; what it tells of a station is read apart, since it proves nothing.
#[derive(Deserialize)]
struct HealthAnswer {
    identity: SorIdentity,
    nonce: String,
    #[serde(flatten)]
    told: Map<String, Value>,
}

pub(crate) fn health_ask(endpoint: &Endpoint, nonce: &str) -> Ask {
    let mut url = endpoint.url("v1/health");
    url.query_pairs_mut().append_pair("nonce", nonce);
    Ask::get("/v1/health", url, endpoint.limits().body_max_bytes)
}

/// What came back, if it is one.
pub(crate) fn read(ended: &Ended, nonce: &str) -> Option<Health> {
    let Ended::Whole(whole) = ended else { return None };
    let body = authentic(whole, nonce)?;
    Some(Health { identity: body.identity })
}

/// What an authentic answer of `pinned` tells of the station that asked with its token; a member that is not there, or that
/// is no number, is not told.
pub(crate) fn recollection(whole: &Whole, nonce: &str, pinned: &SorIdentity) -> Option<Recollection> {
    let HealthAnswer { identity, told, .. } = authentic(whole, nonce)?;
    let number = |name: &str| told.get(name).and_then(Value::as_u64);
    let none_yet = || told.get("last_local_seq").filter(|told| told.is_null()).map(|_| 0);
    (identity == *pinned).then(|| Recollection {
        epoch: number("epoch"),
        last_local_seq: number("last_local_seq").or_else(none_yet).map(LocalSeq),
        applied: number("applied"),
        order: told.get("order").and_then(|order| Order::deserialize(order).ok()),
    })
}

fn authentic(whole: &Whole, nonce: &str) -> Option<HealthAnswer> {
    if whole.status != 200 {
        return None;
    }
    let body: HealthAnswer = answer::json(whole)?;
    let named = whole.only(IDENTITY)?;
    let holds = body.nonce == nonce && body.identity.as_str() == named;
    holds.then_some(body)
}

/// `GET /v1/operations?after=`.
#[derive(Deserialize)]
struct Held {
    operations: Vec<HeldRow>,
}

#[derive(Deserialize)]
struct HeldRow {
    key: IdempotencyKey,
    local_seq: LocalSeq,
    kind: Kind,
    application_id: ApplicationId,
    permit_num: Option<PermitNum>,
}

pub(crate) fn held_ask(endpoint: &Endpoint, after: LocalSeq) -> Ask {
    let mut url = endpoint.url("v1/operations");
    url.query_pairs_mut()
        .append_pair("after", &after.0.to_string())
        .append_pair("limit", &HELD_LIST_MAX_ROWS.to_string());
    Ask::get("/v1/operations", url, HELD_LIST_MAX_BYTES)
}

/// What it lists; none when it cannot say.
pub(crate) fn held(whole: &Whole) -> Option<Vec<HeldThere>> {
    let Held { operations } = long_json(whole, HELD_LIST_MAX_BYTES)?;
    let there = operations.into_iter().take(HELD_LIST_MAX_ROWS as usize).map(|row| HeldThere {
        key: row.key,
        local_seq: row.local_seq,
        kind: row.kind,
        application_id: row.application_id,
        permit_num: row.permit_num,
    });
    Some(there.collect())
}
