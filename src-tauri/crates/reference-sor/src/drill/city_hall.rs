//! Acting as city hall: holds and fields that change in the records without any station.
//!
//! Promise: what is done here is done to the records at once and gives them another version, and it is no effect of an
//! operation: ledger and counts do not know it.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use holdfast_core::canonical::parse_object;
use holdfast_core::holds::HoldType;
use holdfast_core::ids::ApplicationId;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Builder;

use super::{Drill, as_json, refusal};
use crate::records::CityHall;
use crate::{clock, entropy};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HoldRequest {
    #[serde(rename = "type")]
    kind: HoldType,
    reason: String,
}

/// `POST /drill/applications/{id}/holds`
pub(super) async fn place(State(drill): State<Arc<Drill>>, Path(id): Path<String>, body: Bytes) -> Response {
    let request = match object(&body).and_then(|object| serde_json::from_value(object).ok()) {
        Some(HoldRequest { kind: HoldType::Release, .. }) | None => {
            return refusal(StatusCode::BAD_REQUEST, "not {type, reason} of a hold");
        }
        Some(request) => request,
    };
    let Ok(random) = entropy::bytes() else { return no_entropy() };
    let hold_id = Builder::from_random_bytes(random).into_uuid().to_string();
    let change = CityHall::Hold { hold_id: hold_id.clone(), kind: request.kind, reason: request.reason };
    changed(drill, &id, change, Some(hold_id)).await
}

/// `DELETE /drill/applications/{id}/holds/{hold_id}`
pub(super) async fn release(
    State(drill): State<Arc<Drill>>,
    Path((id, hold_id)): Path<(String, String)>,
) -> Response {
    changed(drill, &id, CityHall::Release { hold_id }, None).await
}

/// `PATCH /drill/applications/{id}`
pub(super) async fn edit(State(drill): State<Arc<Drill>>, Path(id): Path<String>, body: Bytes) -> Response {
    match object(&body) {
        Some(fields) => changed(drill, &id, CityHall::Fields(fields), None).await,
        None => refusal(StatusCode::BAD_REQUEST, "not one object of fields"),
    }
}

fn object(body: &[u8]) -> Option<Value> {
    parse_object(body).ok().map(Value::Object)
}

async fn changed(drill: Arc<Drill>, id: &str, change: CityHall, hold_id: Option<String>) -> Response {
    let Ok(id) = id.parse::<ApplicationId>() else { return refusal(StatusCode::NOT_FOUND, "no such id") };
    let Ok(version) = entropy::bytes() else { return no_entropy() };
    let work = move || drill.records.at_city_hall(id, &change, version, clock::now());
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(Some(etag))) => as_json(StatusCode::OK, &json!({"etag": etag, "hold_id": hold_id})),
        Ok(Ok(None)) => refusal(StatusCode::NOT_FOUND, "no such application or hold"),
        Ok(Err(fault)) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &fault.to_string()),
        Err(_) => refusal(StatusCode::INTERNAL_SERVER_ERROR, "the work broke off"),
    }
}

fn no_entropy() -> Response {
    refusal(StatusCode::INTERNAL_SERVER_ERROR, "no entropy")
}
