//! Receiving operations, and looking them up.
//!
//! Promise: a known key is answered with the first answer, byte for byte, before anything else about the operation is
//! judged. A new one is judged in this order: who acted, what that role may, what it says, what it builds on.

use axum::http::{HeaderName, StatusCode, header};
use holdfast_core::canonical::{parse_object, sha256};
use holdfast_core::ids::{Digest, IdempotencyKey, LocalSeq, StationId};
use holdfast_core::limits::JSON_MAX_BYTES;
use holdfast_core::operation::{Body, Kind, OPERATION_VERSION};
use serde_json::{Value, json};

use super::asked::{not_json, parameter};
use super::{Answer, Asked, Refused, amendments, proof};
use crate::judge::Refusal;
use crate::records::{StoredAnswer, Submission, Written};
use crate::sor::Sor;

/// Rows of one list of a station's operations.
const LIST_MAX_ROWS: u32 = 1_000;
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// `POST /v1/operations`
pub(super) fn receive(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let station = sor.station_of(asked.bearer(), asked.at)?;
    let body = read(asked)?;
    let key = named_key(asked)?;
    if body.idempotency_key() != key {
        return Err(Refused::key_reused());
    }
    let body_digest = sha256(&asked.body);
    if let Some(known) = sor.records.answer_to(key)? {
        return again(&known, body_digest);
    }
    may_have_effect(sor, &station, &body, key)?;
    let submission = Submission {
        key,
        body: &body,
        bytes: &asked.body,
        body_digest,
        if_match: asked.header(&header::IF_MATCH),
        arrived_at: asked.at,
    };
    match sor.records.write(&submission)? {
        Written::Applied(answer) => Ok(first(&answer)),
        Written::Known(known) => again(&known, body_digest),
        Written::IdReused => Err(Refused::key_reused()),
        Written::Refused { refusal, current } => Err(match refusal {
            Refusal::ApplicationExists => Refused::version_conflict(StatusCode::CONFLICT, current.as_deref()),
            Refusal::OnHold => Refused::version_conflict(StatusCode::CONFLICT, current.as_deref()),
            Refusal::VersionConflict => {
                Refused::version_conflict(StatusCode::PRECONDITION_FAILED, current.as_deref())
            }
            Refusal::ParentMissing => Refused::parent_missing(),
            Refusal::PreconditionRequired => Refused::precondition_required(),
            Refusal::Invalid(problems) => Refused::validation(&problems),
        }),
    }
}

/// `GET /v1/operations/{key}`
pub(super) fn look_up(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    sor.station_of(asked.bearer(), asked.at)?;
    let key: IdempotencyKey = asked.last_step().parse().map_err(|_| Refused::unknown_operation())?;
    let known = sor.records.answer_to(key)?.ok_or_else(Refused::unknown_operation)?;
    Ok(Answer::bytes(StatusCode::OK, known.text).with(header::ETAG, known.etag.as_str()))
}

/// `GET /v1/operations?after=`: what is held of the station that asks, with larger numbers than `after`, by its numbers.
pub(super) fn of_station(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let station = sor.station_of(asked.bearer(), asked.at)?;
    let query = asked.query(&["after", "limit"])?;
    let after = LocalSeq(parameter(&query, "after")?.unwrap_or(0));
    let limit = parameter(&query, "limit")?.unwrap_or(LIST_MAX_ROWS).clamp(1, LIST_MAX_ROWS);
    let held = sor.records.operations_of(&station, after, limit)?;
    Answer::json(StatusCode::OK, &json!({"operations": held}))
}

fn read(asked: &Asked) -> Result<Body, Refused> {
    if asked.body.len() > JSON_MAX_BYTES {
        return Err(Refused::too_large());
    }
    let object = parse_object(&asked.body).map_err(|fault| not_json(&fault))?;
    let body: Body =
        serde_json::from_value(Value::Object(object)).map_err(|_| Refused::malformed("", "wrong-form"))?;
    if body.v == OPERATION_VERSION { Ok(body) } else { Err(Refused::malformed("/v", "unknown-version")) }
}

/// The key in the header: bare, or as a structured field's string.
fn named_key(asked: &Asked) -> Result<IdempotencyKey, Refused> {
    let text = asked.header(&IDEMPOTENCY_KEY).ok_or_else(Refused::no_key)?;
    let bare = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    bare.parse().map_err(|_| Refused::no_key())
}

fn may_have_effect(sor: &Sor, station: &StationId, body: &Body, key: IdempotencyKey) -> Result<(), Refused> {
    let session = sor.records.session(body.actor_proof.sid)?;
    proof::check_actor(session.as_ref(), station, body, &key, sor.offline_grace_h)?;
    proof::check_role(sor.rulebook.rules().roles(), body)?;
    if body.contract_version > sor.rulebook.version() {
        return Err(Refused::malformed("/contract_version", "unknown-version"));
    }
    let problems = match body.kind {
        Kind::Correction => return amendments::check_correction(sor, body),
        Kind::Void => return amendments::check_void(body),
        Kind::Application
        | Kind::Stage
        | Kind::Inspection
        | Kind::Hold
        | Kind::Notice
        | Kind::Fee
        | Kind::Note
        | Kind::Tag
        | Kind::Attachment => sor.rulebook.rules().check(body.kind, &body.payload),
    };
    if problems.is_empty() { Ok(()) } else { Err(Refused::validation(&problems)) }
}

fn first(answer: &StoredAnswer) -> Answer {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::CREATED);
    Answer::bytes(status, answer.text.clone()).with(header::ETAG, answer.etag.as_str())
}

fn again(known: &StoredAnswer, body_digest: Digest) -> Result<Answer, Refused> {
    if known.body_digest != body_digest {
        return Err(Refused::key_reused());
    }
    Ok(first(known).with(REPLAYED, "true"))
}
