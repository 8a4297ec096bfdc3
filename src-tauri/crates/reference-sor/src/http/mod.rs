//! The endpoints: from a whole request to a whole answer.
//!
//! Promise: every answer carries the identity of this SoR; every refusal is a problem document (RFC 9457) that repeats
//! no value of the request. An endpoint is an ordinary function on a thread that may block; reading the request and
//! failing on purpose happen before it, in the reception.

mod amendments;
mod answer;
mod applications;
mod asked;
mod changes;
mod contract;
mod health;
mod numbers;
mod operations;
mod parcels;
mod proof;
mod sessions;
mod stations;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, get, post};

use crate::sor::{Desk, Sor};
use crate::{board, custody, legacy};

pub(crate) use answer::{Answer, Refused};
pub(crate) use asked::{Asked, not_json, parameter};

/// The header that every answer carries.
pub(crate) const IDENTITY: HeaderName = HeaderName::from_static("holdfast-identity");

type Verb = fn(&Sor, &Asked) -> Result<Answer, Refused>;

/// All endpoints of the SoR.
pub(crate) fn router(sor: Arc<Sor>) -> Router {
    let desk = match &sor.desk {
        Desk::Operations => everywhere().merge(shared()).merge(operations()),
        Desk::Records(records) => everywhere().merge(shared()).merge(legacy::routes(records)),
        Desk::Board => everywhere(),
        Desk::Gis => life().merge(parcels()),
    };
    desk.fallback(unknown_path).method_not_allowed_fallback(unknown_method).with_state(sor)
}

fn operations() -> Router<Arc<Sor>> {
    Router::new()
        .route("/v1/operations", writing(operations::receive).merge(reading(operations::of_station)))
        .route("/v1/operations/{key}", reading(operations::look_up))
        .route("/v1/changes", reading(changes::since))
        .merge(custody::routes())
}

/// Whether it is there.
fn life() -> Router<Arc<Sor>> {
    Router::new()
        .route("/livez", reading(health::livez))
        .route("/readyz", reading(health::readyz))
        .route("/v1/health", reading(health::health))
}

/// What a GIS has, and a city that has none of its own.
fn parcels() -> Router<Arc<Sor>> {
    Router::new()
        .route("/v1/parcels", reading(parcels::list))
        .route("/v1/parcels/{pin}", reading(parcels::one))
}

/// What a board has as well: who is there, who asks, and the board itself.
fn everywhere() -> Router<Arc<Sor>> {
    life()
        .route("/v1/enrolments", writing(stations::enrol))
        .route("/v1/station-tokens", writing(stations::token))
        .merge(board::routes())
}

/// What both profiles have.
fn shared() -> Router<Arc<Sor>> {
    parcels()
        .route("/v1/sessions", writing(sessions::open))
        .route("/v1/sessions/statements", writing(sessions::show))
        .route("/v1/contract", reading(contract::contract))
        .route("/v1/applications", reading(applications::list))
        .route("/v1/applications/{id}", reading(applications::one))
        .route("/v1/number-blocks", writing(numbers::lease).merge(reading(numbers::list)))
        .route("/v1/number-blocks/void", writing(numbers::void))
        .route("/v1/inspections", reading(applications::inspections))
}

/// The value of the [`IDENTITY`] header.
pub(crate) fn identity_value(sor: &Sor) -> HeaderValue {
    HeaderValue::from_str(sor.identity.as_str()).expect("an identity is printable ASCII")
}

pub(crate) fn reading(verb: Verb) -> MethodRouter<Arc<Sor>> {
    get(move |State(sor): State<Arc<Sor>>, request: Request| answer(verb, sor, request))
}

fn writing(verb: Verb) -> MethodRouter<Arc<Sor>> {
    post(move |State(sor): State<Arc<Sor>>, request: Request| answer(verb, sor, request))
}

async fn unknown_path(State(sor): State<Arc<Sor>>, request: Request) -> Response {
    answer(|_, _| Err(Refused::not_found()), sor, request).await
}

async fn unknown_method(State(sor): State<Arc<Sor>>, request: Request) -> Response {
    answer(|_, _| Err(Refused::method_not_allowed()), sor, request).await
}

pub(crate) async fn answer(verb: Verb, sor: Arc<Sor>, request: Request) -> Response {
    let identity = identity_value(&sor);
    let (parts, body) = request.into_parts();
    // The reception has read the body and cut it to its limit: nothing is waited for here.
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_else(|_| Bytes::new());
    let asked = Asked::new(parts, body);
    let work = tokio::task::spawn_blocking(move || verb(&sor, &asked));
    let result = work.await.unwrap_or_else(|_| Err(Refused::broken()));
    let mut response = result.map_or_else(|refused| refused.into_response(), |answer| answer.into_response());
    response.headers_mut().insert(IDENTITY, identity);
    response
}
