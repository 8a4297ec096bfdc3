//! What changed since somebody looked last.
//!
//! Promise: who reads on from the cursor of the last page misses no change and is shown each application once, as it is now.
//! A cursor is opaque: one that this SoR did not give, or gave before it was put back from an older copy, is refused by its
//! type, and who holds it begins anew.

use axum::http::StatusCode;
use serde_json::json;

use super::applications::fitting;
use super::asked::parameter;
use super::{Answer, Asked, Refused};
use crate::sor::Sor;

/// Rows of one page when nothing is asked for.
const PAGE_ROWS: u32 = 100;
/// Rows of one page at most.
const LIMIT_MAX: u32 = 500;

/// `GET /v1/changes?since=&limit=`: `next` is the `since` of the next question, `more` whether there is more already.
/// Without `since` nothing is listed: it is where the feed stands now.
pub(super) fn since(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    sor.station_of(asked.bearer(), asked.at)?;
    let query = asked.query(&["since", "limit"])?;
    let limit = parameter(&query, "limit")?.unwrap_or(PAGE_ROWS).clamp(1, LIMIT_MAX);
    let last = sor.records.last_change()?;
    let Some(cursor) = query.get("since") else {
        let next = Cursor { epoch: sor.epoch, position: last }.text();
        return Answer::json(StatusCode::OK, &json!({"changes": [], "next": next, "more": false}));
    };
    let known = Cursor::read(cursor).filter(|cursor| cursor.epoch == sor.epoch && cursor.position <= last);
    let position = known.ok_or_else(Refused::begin_anew)?.position;
    // One more than is shown tells whether there is a next page.
    let mut rows = sor.records.changes(position, limit + 1)?;
    let shown = fitting(rows.iter().map(|row| &row.copy)).min(limit as usize);
    let more = rows.len() > shown;
    rows.truncate(shown);
    let position = rows.last().map_or(position, |row| row.changed);
    let next = Cursor { epoch: sor.epoch, position }.text();
    Answer::json(StatusCode::OK, &json!({"changes": rows, "next": next, "more": more}))
}

/// A place in the feed of one life of the records.
struct Cursor {
    epoch: u64,
    position: i64,
}

impl Cursor {
    fn text(&self) -> String {
        format!("{}.{}", self.epoch, self.position)
    }

    fn read(text: &str) -> Option<Self> {
        let (epoch, position) = text.split_once('.')?;
        let cursor = Self { epoch: epoch.parse().ok()?, position: position.parse().ok()? };
        (cursor.position >= 0 && cursor.text() == text).then_some(cursor)
    }
}
