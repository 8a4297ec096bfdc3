//! Parcels, for whoever asks: they are public.

use axum::http::StatusCode;
use holdfast_core::parcel::Pin;
use holdfast_core::time::UtcMillis;
use serde_json::json;

use super::asked::parameter;
use super::{Answer, Asked, Refused};
use crate::parcels::{LIMIT_MAX, PAGE_ROWS};
use crate::sor::Sor;

/// `GET /v1/parcels?after=&changed_since=&limit=`: `next` is the `after` of the following page, null on the last; `as_of` is
/// when the page was read, by this system's clock.
pub(super) fn list(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let query = asked.query(&["after", "changed_since", "limit"])?;
    let after: Option<Pin> = parameter(&query, "after")?;
    let since: Option<UtcMillis> = parameter(&query, "changed_since")?;
    let limit = parameter(&query, "limit")?.unwrap_or(PAGE_ROWS).clamp(1, LIMIT_MAX);
    // One more than is shown tells whether there is a next page.
    let mut rows = sor.parcels.parcels(after.as_ref(), since, limit + 1)?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let next = rows.last().filter(|_| more).map(|parcel| parcel.pin.clone());
    Answer::json(StatusCode::OK, &json!({"parcels": rows, "next": next, "as_of": asked.at}))
}

/// `GET /v1/parcels/{pin}`
pub(super) fn one(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let pin: Pin = asked.last_step().parse().map_err(|_| Refused::not_found())?;
    let parcel = sor.parcels.parcel(&pin)?.ok_or_else(Refused::not_found)?;
    Answer::json(StatusCode::OK, &parcel)
}
