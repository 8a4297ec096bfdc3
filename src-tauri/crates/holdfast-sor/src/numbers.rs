//! Blocks of permit numbers.
//!
//! Promise: a block is taken only when it is the one that was asked for, whole and of that year, each number once.

use std::collections::BTreeSet;

use holdfast_core::ids::PermitNum;
use holdfast_station::ports::NumberLease;
use serde::Deserialize;
use serde_json::json;

use crate::answer::json;
use crate::connection::Endpoint;
use crate::exchange::{Ask, Whole};

#[derive(Deserialize)]
struct Block {
    lease_id: String,
    year: i16,
    permit_nums: Vec<PermitNum>,
}

/// `POST /v1/number-blocks`
pub(crate) fn lease_ask(endpoint: &Endpoint, lease: &NumberLease) -> Ask {
    let NumberLease { lease_id, year, count } = lease;
    let body = json!({"lease_id": lease_id, "year": year, "count": count}).to_string();
    let max_bytes = endpoint.limits().body_max_bytes;
    Ask::post("/v1/number-blocks", endpoint.url("v1/number-blocks"), body.into_bytes(), max_bytes)
}

/// `POST /v1/number-blocks/void`
pub(crate) fn void_ask(endpoint: &Endpoint, numbers: &[PermitNum]) -> Ask {
    let body = json!({"permit_nums": numbers}).to_string();
    let max_bytes = endpoint.limits().body_max_bytes;
    Ask::post("/v1/number-blocks/void", endpoint.url("v1/number-blocks/void"), body.into_bytes(), max_bytes)
}

/// The numbers, in order; none when it is not the block that was asked for.
pub(crate) fn block(whole: &Whole, lease: &NumberLease) -> Option<Vec<PermitNum>> {
    let Block { lease_id, year, permit_nums } = json(whole)?;
    let once = permit_nums.iter().map(PermitNum::as_str).collect::<BTreeSet<_>>().len() == permit_nums.len();
    let asked = lease_id == lease.lease_id.to_string() && year == lease.year;
    (asked && once && permit_nums.len() == lease.count as usize).then_some(permit_nums)
}
