//! The drill listener: faults, ledger, counts. It is never faulted itself.

mod faults;
mod on_the_wire;
mod plan;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, put};
use serde_json::{Value, json};

use crate::door::Doorbell;
use crate::records::{Records, RecordsFault};

pub(crate) use faults::Faults;
use plan::Plan;

/// What a drill reaches.
pub(crate) struct Drill {
    pub(crate) faults: Arc<Faults>,
    /// The door of the SoR, not the drill's own.
    pub(crate) door: Doorbell,
    pub(crate) records: Arc<dyn Records>,
}

/// The drill's endpoints.
pub(crate) fn router(drill: Drill) -> Router {
    Router::new()
        .route("/drill/faults", put(replace_plan))
        .route("/drill/ledger", get(ledger))
        .route("/drill/counts", get(counts))
        .with_state(Arc::new(drill))
}

/// `PUT /drill/faults`: answered when the plan is in force, the door shut or open again included.
async fn replace_plan(State(drill): State<Arc<Drill>>, body: Bytes) -> Response {
    match plan::parse(&body) {
        Err(fault) => refusal(StatusCode::BAD_REQUEST, &fault.to_string()),
        Ok(Plan::Refuse) => {
            drill.door.shut().await;
            drill.faults.replace(Vec::new());
            StatusCode::NO_CONTENT.into_response()
        }
        Ok(Plan::Faults(faults)) => {
            drill.faults.replace(faults);
            match drill.door.open().await {
                Ok(()) => StatusCode::NO_CONTENT.into_response(),
                Err(fault) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &fault.to_string()),
            }
        }
    }
}

/// `GET /drill/ledger`
async fn ledger(State(drill): State<Arc<Drill>>) -> Response {
    answer(drill, |drill| Ok(json!({"effects": drill.records.ledger()?}))).await
}

/// `GET /drill/counts`
async fn counts(State(drill): State<Arc<Drill>>) -> Response {
    answer(drill, |drill| {
        Ok(json!({"effects": drill.records.effects()?, "requests": drill.faults.requests()}))
    })
    .await
}

async fn answer(drill: Arc<Drill>, work: fn(&Drill) -> Result<Value, RecordsFault>) -> Response {
    let result = tokio::task::spawn_blocking(move || work(&drill)).await;
    match result {
        Ok(Ok(document)) => as_json(StatusCode::OK, &document),
        Ok(Err(fault)) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &fault.to_string()),
        Err(_) => refusal(StatusCode::INTERNAL_SERVER_ERROR, "the work broke off"),
    }
}

fn refusal(status: StatusCode, why: &str) -> Response {
    as_json(status, &json!({"error": why}))
}

fn as_json(status: StatusCode, document: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], document.to_string()).into_response()
}
