//! Blocks of permit numbers that stations give out themselves.
//!
//! Promise: a block is asked for under an id that the station minted before, and under that id it is the same block for
//! ever; numbers of a year are handed out once.

use axum::http::StatusCode;
use holdfast_core::ids::PermitNum;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::{Answer, Asked, Refused};
use crate::clock;
use crate::records::{Lease, Leased, Unused};
use crate::sor::Sor;

/// Numbers of one block, and of one report, in entries.
const BLOCK_MAX: u32 = 1_000;
/// How far a year may be from the present one: the last of December for some is the first of January for others.
const YEARS_AWAY_MAX: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeaseRequest {
    lease_id: Uuid,
    count: u32,
    year: Option<i32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VoidRequest {
    permit_nums: Vec<PermitNum>,
}

/// `POST /v1/number-blocks`
pub(super) fn lease(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let station = sor.station_of(asked.bearer(), asked.at)?;
    let request: LeaseRequest = asked.object()?;
    if !(1..=BLOCK_MAX).contains(&request.count) {
        return Err(Refused::malformed("/count", "out-of-range"));
    }
    let this_year = clock::year(asked.at).parse().unwrap_or(0);
    let year = request.year.unwrap_or(this_year);
    if year.abs_diff(this_year) > YEARS_AWAY_MAX {
        return Err(Refused::malformed("/year", "out-of-range"));
    }
    let lease_id = request.lease_id.to_string();
    let lease = Lease { station: &station, lease_id: &lease_id, year, count: request.count, at: asked.at };
    match sor.records.lease(&lease)? {
        Leased::Block(block) => Answer::json(StatusCode::OK, &block),
        Leased::OfAnother => Err(Refused::forbidden("This block is another station's.")),
    }
}

/// `POST /v1/number-blocks/void`: numbers that will never be used.
pub(super) fn void(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let station = sor.station_of(asked.bearer(), asked.at)?;
    let request: VoidRequest = asked.object()?;
    if request.permit_nums.len() > BLOCK_MAX as usize {
        return Err(Refused::malformed("/permit_nums", "too-many"));
    }
    match sor.records.void_numbers(&station, &request.permit_nums, asked.at)? {
        Unused::Void { void, in_use } => {
            Answer::json(StatusCode::OK, &json!({"void": void, "in_use": in_use}))
        }
        Unused::OfAnother => Err(Refused::malformed("/permit_nums", "not-allowed")),
    }
}

/// `GET /v1/number-blocks`: those of the station that asks.
pub(super) fn list(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let station = sor.station_of(asked.bearer(), asked.at)?;
    Answer::json(StatusCode::OK, &json!({"blocks": sor.records.blocks(&station)?}))
}
