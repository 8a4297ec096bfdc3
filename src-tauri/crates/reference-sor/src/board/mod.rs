//! The board: what each station told last of itself, for whoever asks when that station is gone.
//!
//! Promise: a station writes its own row alone, with its own token, and only what is signed by the key that it was enrolled
//! with; of a report nothing is kept but what it says as a report, so that no value of a form can come here. A report that
//! is older than the one that is here changes nothing. The answer to each holds the highest head that was here before
//! it, so that a station that came back from an older copy learns it. Every station may read all rows.

pub(crate) mod rows;

use axum::http::StatusCode;
use axum::routing::put;
use axum::{Router, extract::State};
use holdfast_core::board::{BoardReport, NotAReport};
use holdfast_core::ids::StationId;
use holdfast_core::outcome::ProblemType;
use serde_json::json;
use std::sync::Arc;

use crate::http::{Answer, Asked, Refused, answer, parameter, reading};
use crate::sor::Sor;
use rows::Told;

/// Stations of one answer, in rows.
const LIST_MAX_ROWS: u32 = 50;
/// The same when nobody says how many.
const LIST_ROWS: u32 = 20;

/// The paths of the board.
pub(crate) fn routes() -> Router<Arc<Sor>> {
    let telling = put(|State(sor): State<Arc<Sor>>, request| answer(tell, sor, request));
    Router::new().route("/v1/stations", reading(list)).route("/v1/stations/{id}", telling)
}

/// `PUT /v1/stations/{id}`
fn tell(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let station = sor.station_of(asked.bearer(), asked.at)?;
    if asked.last_step() != station.as_str() {
        return Err(Refused::forbidden("A station writes its own row alone."));
    }
    let report: BoardReport = asked.object()?;
    let key = sor.records.station_key(&station)?.ok_or_else(Refused::unauthorized)?;
    report.check(&station, &key).map_err(refused)?;
    match sor.board.tell(&report, asked.at)? {
        Told::Kept(head) => Answer::json(
            StatusCode::OK,
            &json!({"station_id": station, "told_at": report.told_at, "heard_at": asked.at, "head": head}),
        ),
        Told::Older => {
            let title = "A later report of this station is here.";
            Err(Refused::new(StatusCode::CONFLICT, ProblemType::VersionConflict, title))
        }
    }
}

fn refused(fault: NotAReport) -> Refused {
    match fault {
        NotAReport::Version => Refused::malformed("/v", "not-allowed"),
        NotAReport::TooManyRows => Refused::malformed("/waiting", "too-many"),
        NotAReport::OfAnother => Refused::malformed("/station_id", "not-allowed"),
        NotAReport::Receipt => Refused::malformed("/waiting", "not-allowed"),
        NotAReport::Signature => Refused::malformed("/audit_head/sig", "not-allowed"),
    }
}

/// `GET /v1/stations?after=&limit=`: every station that was heard, by its name.
fn list(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    sor.station_of(asked.bearer(), asked.at)?;
    let query = asked.query(&["after", "limit"])?;
    let after: Option<StationId> = parameter(&query, "after")?;
    let limit = parameter(&query, "limit")?.unwrap_or(LIST_ROWS);
    if !(1..=LIST_MAX_ROWS).contains(&limit) {
        return Err(Refused::malformed("/limit", "out-of-range"));
    }
    let mut rows = sor.board.rows(after.as_ref(), limit + 1)?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let next = rows.last().filter(|_| more).map(|row| row.report.station_id.clone());
    Answer::json(StatusCode::OK, &json!({"stations": rows, "next": next, "as_of": asked.at}))
}
