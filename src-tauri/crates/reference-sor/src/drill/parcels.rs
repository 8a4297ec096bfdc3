//! Acting as the city's GIS office: parcels that change, appear and go.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use holdfast_core::canonical::parse_object;
use holdfast_core::parcel::{Parcel, Pin};
use serde_json::{Value, json};

use super::{Drill, as_json, refusal};
use crate::clock;
use crate::records::RecordsFault;

/// `PUT /drill/parcels/{pin}` with `{zoning, address?, overlays?, bounds?}`: the parcel is like that from now on.
pub(super) async fn put(State(drill): State<Arc<Drill>>, Path(pin): Path<String>, body: Bytes) -> Response {
    let Some(parcel) = said(&pin, &body) else {
        return refusal(StatusCode::BAD_REQUEST, "not {zoning, address?, overlays?, bounds?} of a parcel");
    };
    done(drill, move |drill| drill.parcels.put_parcel(&parcel).map(|()| true)).await
}

/// `DELETE /drill/parcels/{pin}`
pub(super) async fn remove(State(drill): State<Arc<Drill>>, Path(pin): Path<String>) -> Response {
    let Ok(pin) = pin.parse::<Pin>() else { return refusal(StatusCode::NOT_FOUND, "no such parcel") };
    done(drill, move |drill| drill.parcels.remove_parcel(&pin)).await
}

fn said(pin: &str, body: &[u8]) -> Option<Parcel> {
    let mut object = parse_object(body).ok()?;
    object.insert("pin".to_owned(), json!(pin));
    object.insert("updated_at".to_owned(), json!(clock::now()));
    let parcel: Parcel = serde_json::from_value(Value::Object(object)).ok()?;
    parcel.fits().then_some(parcel)
}

async fn done(
    drill: Arc<Drill>,
    work: impl FnOnce(&Drill) -> Result<bool, RecordsFault> + Send + 'static,
) -> Response {
    match tokio::task::spawn_blocking(move || work(&drill)).await {
        Ok(Ok(true)) => StatusCode::NO_CONTENT.into_response(),
        Ok(Ok(false)) => refusal(StatusCode::NOT_FOUND, "no such parcel"),
        Ok(Err(fault)) => as_json(StatusCode::INTERNAL_SERVER_ERROR, &json!({"error": fault.to_string()})),
        Err(_) => refusal(StatusCode::INTERNAL_SERVER_ERROR, "the work broke off"),
    }
}
