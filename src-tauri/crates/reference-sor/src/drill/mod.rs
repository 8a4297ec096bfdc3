//! The drill listener: faults, ledger, counts. It is never faulted itself.

mod city_hall;
mod faults;
mod on_the_wire;
mod parcels;
mod plan;

use std::sync::Arc;
use std::{fmt, io};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, patch, post, put};
use serde_json::{Value, json};

use crate::door::Doorbell;
use crate::parcels::ParcelBook;
use crate::records::{Records, RecordsFault};
use crate::sor::Desk;

pub(crate) use faults::Faults;
use plan::{Plan, PlanFault};

/// What a drill reaches.
pub(crate) struct Drill {
    pub(crate) faults: Arc<Faults>,
    /// The door of the SoR, not the drill's own.
    pub(crate) door: Doorbell,
    pub(crate) records: Arc<dyn Records>,
    pub(crate) desk: Desk,
    pub(crate) parcels: Arc<dyn ParcelBook>,
}

/// Why a plan is not in force; the plan before it is.
#[derive(Debug, thiserror::Error)]
pub enum NotInForce {
    /// It is not understood.
    #[error("{0}")]
    NotAPlan(String),
    /// The door could not be opened again.
    #[error("the door cannot be opened again")]
    Door(#[source] io::Error),
}

impl From<PlanFault> for NotInForce {
    fn from(fault: PlanFault) -> Self {
        Self::NotAPlan(fault.to_string())
    }
}

impl fmt::Debug for Drill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drill").finish_non_exhaustive()
    }
}

impl Drill {
    /// Puts a plan in force; when this returns it is, the door shut or open again included.
    pub(crate) async fn put(&self, plan: &[u8]) -> Result<(), NotInForce> {
        match plan::parse(plan)? {
            Plan::Refuse => {
                self.door.shut().await;
                self.faults.replace(Vec::new());
                Ok(())
            }
            Plan::Faults(faults) => {
                self.faults.replace(faults);
                self.door.open().await.map_err(NotInForce::Door)
            }
        }
    }
}

/// The drill's endpoints.
pub(crate) fn router(drill: Arc<Drill>) -> Router {
    Router::new()
        .route("/drill/faults", put(replace_plan))
        .route("/drill/ledger", get(ledger))
        .route("/drill/counts", get(counts))
        .route("/drill/applications/{id}", patch(city_hall::edit))
        .route("/drill/applications/{id}/holds", post(city_hall::place))
        .route("/drill/applications/{id}/holds/{hold_id}", delete(city_hall::release))
        .route("/drill/parcels/{pin}", put(parcels::put).delete(parcels::remove))
        .with_state(drill)
}

/// `PUT /drill/faults`: answered when the plan is in force.
async fn replace_plan(State(drill): State<Arc<Drill>>, body: Bytes) -> Response {
    match drill.put(&body).await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(fault @ NotInForce::NotAPlan(_)) => refusal(StatusCode::BAD_REQUEST, &fault.to_string()),
        Err(NotInForce::Door(cause)) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &cause.to_string()),
    }
}

/// `GET /drill/ledger`
async fn ledger(State(drill): State<Arc<Drill>>) -> Response {
    answer(drill, |drill| {
        Ok(match &drill.desk {
            Desk::Operations | Desk::Board | Desk::Gis => json!({"effects": drill.records.ledger()?}),
            Desk::Records(records) => json!({"effects": records.legacy_ledger()?}),
        })
    })
    .await
}

/// `GET /drill/counts`
async fn counts(State(drill): State<Arc<Drill>>) -> Response {
    answer(drill, |drill| {
        let effects = match &drill.desk {
            Desk::Operations | Desk::Board | Desk::Gis => drill.records.effects()?,
            Desk::Records(records) => records.legacy_ledger()?.len() as u64,
        };
        Ok(json!({"effects": effects, "requests": drill.faults.requests()}))
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
