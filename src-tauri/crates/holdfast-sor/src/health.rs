//! A sign of life that cannot be forged by something that answers everything: the nonce has to come back with the identity.
//!
//! Promise: only a whole answer whose header and body name the same identity, and whose nonce is the one that was sent,
//! is one. Whether it is the pinned identity is the caller's to say.

use holdfast_core::ids::SorIdentity;
use serde::Deserialize;

use crate::answer::{self, IDENTITY};
use crate::connection::Endpoint;
use crate::exchange::{Ask, Ended};

/// An authentic sign of life.
pub(crate) struct Health {
    /// Who gave it.
    pub(crate) identity: SorIdentity,
}

/// `GET /v1/health`; further members are not needed here.
#[derive(Deserialize)]
struct HealthAnswer {
    identity: SorIdentity,
    nonce: String,
}

pub(crate) fn health_ask(endpoint: &Endpoint, nonce: &str) -> Ask {
    let mut url = endpoint.url("v1/health");
    url.query_pairs_mut().append_pair("nonce", nonce);
    Ask::get("/v1/health", url, endpoint.limits().body_max_bytes)
}

/// What came back, if it is one.
pub(crate) fn read(ended: &Ended, nonce: &str) -> Option<Health> {
    let Ended::Whole(whole) = ended else { return None };
    if whole.status != 200 {
        return None;
    }
    let body: HealthAnswer = answer::json(whole)?;
    let named = whole.only(IDENTITY)?;
    let holds = body.nonce == nonce && body.identity.as_str() == named;
    holds.then_some(Health { identity: body.identity })
}
