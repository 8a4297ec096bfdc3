//! Reading what is recorded: applications and inspections.

use axum::http::{StatusCode, header};
use holdfast_core::ids::ApplicationId;
use serde_json::json;

use super::asked::parameter;
use super::{Answer, Asked, Refused};
use crate::records::{ApplicationCopy, InspectionsAsk, Order};
use crate::sor::Sor;

/// Rows of one page when nothing is asked for.
const PAGE_ROWS: u32 = 100;
/// Rows of one page at most.
const LIMIT_MAX: u32 = 500;
/// Payloads of one page, in bytes; a page has one row at least.
const PAGE_PAYLOADS_MAX_BYTES: usize = 1024 * 1024;

/// `GET /v1/applications?after=&limit=&order=latest`: `next` is the `after` of the following page, null on the last.
pub(super) fn list(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    sor.station_of(asked.bearer(), asked.at)?;
    let query = asked.query(&["after", "limit", "order"])?;
    let order = match query.get("order").map(String::as_str) {
        None => Order::OldestFirst,
        Some("latest") => Order::LatestFirst,
        Some(_) => return Err(Refused::malformed("/order", "wrong-type")),
    };
    let after: Option<i64> = parameter(&query, "after")?;
    let limit = parameter(&query, "limit")?.unwrap_or(PAGE_ROWS).clamp(1, LIMIT_MAX);
    // One more than is shown tells whether there is a next page.
    let mut rows = sor.records.applications(after, order, limit + 1)?;
    let shown = fitting(rows.iter()).min(limit as usize);
    let more = rows.len() > shown;
    rows.truncate(shown);
    let next = rows.last().filter(|_| more).map(|copy| copy.row.n.to_string());
    Answer::json(StatusCode::OK, &json!({"applications": rows, "next": next}))
}

/// How many of them fit on one page.
pub(super) fn fitting<'r>(rows: impl Iterator<Item = &'r ApplicationCopy>) -> usize {
    let mut bytes = 0_usize;
    let more = rows.skip(1).take_while(|copy| {
        bytes += copy.payload.to_string().len();
        bytes <= PAGE_PAYLOADS_MAX_BYTES
    });
    more.count() + 1
}

/// `GET /v1/applications/{id}`
pub(super) fn one(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    sor.station_of(asked.bearer(), asked.at)?;
    let id: ApplicationId = asked.last_step().parse().map_err(|_| Refused::not_found())?;
    let view = sor.records.application(id)?.ok_or_else(Refused::not_found)?;
    Ok(Answer::json(StatusCode::OK, &view)?.with(header::ETAG, view.row.etag.as_str()))
}

/// `GET /v1/inspections?assignee=&date=`, or instead of `date`, for who carries a copy, `open_until=&done_on=`: those
/// where nobody has been, up to a day, and those where somebody was on a day.
pub(super) fn inspections(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    sor.station_of(asked.bearer(), asked.at)?;
    let query = asked.query(&["assignee", "date", "open_until", "done_on", "limit"])?;
    let limit = parameter(&query, "limit")?.unwrap_or(LIMIT_MAX).clamp(1, LIMIT_MAX);
    let text = |name: &str| query.get(name).map(String::as_str);
    let ask = InspectionsAsk {
        assignee: text("assignee"),
        date: text("date"),
        open_until: text("open_until"),
        done_on: text("done_on"),
    };
    let rows = sor.records.inspections(&ask, limit)?;
    Answer::json(StatusCode::OK, &json!({"inspections": rows}))
}
