//! Custody: copies of what stations have accepted and nobody has recorded yet, so that a stolen workstation loses nothing.
//!
//! Promise: a copy is the accepted bytes, byte for byte, under the key that follows from them; nothing in custody is an effect,
//! is judged, or is seen by whoever reads records. A station brings, reads and takes away its own copies alone, with its own
//! token: whoever replaces a lost workstation is enrolled under the same name, for which the office gives a code, and reads
//! them then. The answer to each copy names the digest of what is held, read back from it.

pub(crate) mod rows;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{delete, put};
use holdfast_core::canonical::{parse_object, sha256};
use holdfast_core::ids::{IdempotencyKey, LocalSeq, StationId};
use holdfast_core::limits::JSON_MAX_BYTES;
use holdfast_core::operation::{Body, OPERATION_VERSION};
use serde_json::{Value, json};

use crate::http::{Answer, Asked, Refused, answer, not_json, parameter, reading};
use crate::sor::Sor;
use rows::{Brought, Gone, Kept};

/// Copies of one answer, in rows.
const LIST_MAX_ROWS: u32 = 500;
/// The same when nobody says how many.
const LIST_ROWS: u32 = 100;

/// The paths of custody.
pub(crate) fn routes() -> Router<Arc<Sor>> {
    let holding = put(|State(sor): State<Arc<Sor>>, request| answer(hold, sor, request));
    let releasing = delete(|State(sor): State<Arc<Sor>>, request| answer(release, sor, request));
    Router::new()
        .route("/v1/custody", reading(list))
        .route("/v1/custody/{key}", holding.merge(releasing).merge(reading(one)))
}

/// `PUT /v1/custody/{key}`: the same again has the same answer.
fn hold(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let station = sor.station_of(asked.bearer(), asked.at)?;
    let key = named_key(asked)?;
    let body = accepted(asked)?;
    if body.idempotency_key() != key {
        return Err(Refused::key_reused());
    }
    if body.station_id != station {
        return Err(Refused::forbidden("A station brings its own work alone."));
    }
    let brought = Brought { key, body: &body, bytes: &asked.body, digest: sha256(&asked.body), at: asked.at };
    match sor.custody.hold(&brought)? {
        Kept::Held(copy) => Answer::json(StatusCode::OK, &copy),
        Kept::KeyReused => Err(Refused::key_reused()),
    }
}

/// `DELETE /v1/custody/{key}`: whether or not there was one.
fn release(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let station = sor.station_of(asked.bearer(), asked.at)?;
    match sor.custody.release(&station, named_key(asked)?)? {
        Gone::Gone => Ok(Answer::empty(StatusCode::NO_CONTENT)),
        Gone::OfAnother => Err(Refused::forbidden("A station takes away its own copies alone.")),
    }
}

/// `GET /v1/custody?station=&after=&limit=`: the copies of the station that asks, by their numbers.
fn list(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let station = sor.station_of(asked.bearer(), asked.at)?;
    let query = asked.query(&["station", "after", "limit"])?;
    let of: Option<StationId> = parameter(&query, "station")?;
    if of.is_some_and(|of| of != station) {
        return Err(Refused::forbidden("A station reads its own copies alone."));
    }
    let after = LocalSeq(parameter(&query, "after")?.unwrap_or(0));
    let limit = parameter(&query, "limit")?.unwrap_or(LIST_ROWS);
    if !(1..=LIST_MAX_ROWS).contains(&limit) {
        return Err(Refused::malformed("/limit", "out-of-range"));
    }
    let mut copies = sor.custody.copies(&station, after, limit + 1)?;
    let more = copies.len() > limit as usize;
    copies.truncate(limit as usize);
    let next = copies.last().filter(|_| more).map(|copy| copy.local_seq);
    Answer::json(StatusCode::OK, &json!({"copies": copies, "next": next, "as_of": asked.at}))
}

/// `GET /v1/custody/{key}`: the accepted bytes.
fn one(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let station = sor.station_of(asked.bearer(), asked.at)?;
    let bytes = sor.custody.copy(&station, named_key(asked)?)?;
    bytes.map(|bytes| Answer::bytes(StatusCode::OK, bytes)).ok_or_else(Refused::unknown_operation)
}

fn named_key(asked: &Asked) -> Result<IdempotencyKey, Refused> {
    asked.last_step().parse().map_err(|_| Refused::unknown_operation())
}

/// What is brought has to be an operation; which rules it keeps is judged when it is recorded.
fn accepted(asked: &Asked) -> Result<Body, Refused> {
    if asked.body.len() > JSON_MAX_BYTES {
        return Err(Refused::too_large());
    }
    let object = parse_object(&asked.body).map_err(|fault| not_json(&fault))?;
    let body: Body =
        serde_json::from_value(Value::Object(object)).map_err(|_| Refused::malformed("", "wrong-form"))?;
    if body.v == OPERATION_VERSION { Ok(body) } else { Err(Refused::malformed("/v", "unknown-version")) }
}
