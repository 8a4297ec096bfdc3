//! Reading what is recorded: applications and inspections.

use axum::http::{StatusCode, header};
use holdfast_core::ids::ApplicationId;
use serde_json::json;

use super::asked::parameter;
use super::{Answer, Asked, Refused};
use crate::sor::Sor;

/// Rows of one page when nothing is asked for.
const PAGE_ROWS: u32 = 100;
/// Rows of one page at most.
const LIMIT_MAX: u32 = 500;

/// `GET /v1/applications?after=&limit=`: `next` is the `after` of the following page, null on the last.
pub(super) fn list(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    sor.station_of(asked.bearer(), asked.at)?;
    let query = asked.query(&["after", "limit"])?;
    let after: i64 = parameter(&query, "after")?.unwrap_or(0);
    let limit = parameter(&query, "limit")?.unwrap_or(PAGE_ROWS).clamp(1, LIMIT_MAX);
    // One more than is shown tells whether there is a next page.
    let mut rows = sor.records.applications(after, limit + 1)?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let next = rows.last().filter(|_| more).map(|row| row.n.to_string());
    Answer::json(StatusCode::OK, &json!({"applications": rows, "next": next}))
}

/// `GET /v1/applications/{id}`
pub(super) fn one(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    sor.station_of(asked.bearer(), asked.at)?;
    let id: ApplicationId = asked.last_step().parse().map_err(|_| Refused::not_found())?;
    let view = sor.records.application(id)?.ok_or_else(Refused::not_found)?;
    Ok(Answer::json(StatusCode::OK, &view)?.with(header::ETAG, view.row.etag.as_str()))
}

/// `GET /v1/inspections?assignee=&date=`
pub(super) fn inspections(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    sor.station_of(asked.bearer(), asked.at)?;
    let query = asked.query(&["assignee", "date", "limit"])?;
    let limit = parameter(&query, "limit")?.unwrap_or(LIMIT_MAX).clamp(1, LIMIT_MAX);
    let text = |name: &str| query.get(name).map(String::as_str);
    let rows = sor.records.inspections(text("assignee"), text("date"), limit)?;
    Answer::json(StatusCode::OK, &json!({"inspections": rows}))
}
