//! Permit numbers: one at a time, or in blocks that a station gives out itself.
//!
//! Promise: a year has one row of numbers from which both come, so that none is handed out twice; a block is kept for ever
//! under the id that its station chose, and asked for again it is the same block. What a station reports as void is never
//! given to anything.

use holdfast_core::ids::{PermitNum, StationId};
use holdfast_core::operation::Body;
use holdfast_core::outcome::Warning;
use holdfast_core::time::UtcMillis;
use rusqlite::{OptionalExtension as _, Transaction, params};
use serde_json::Value;

use super::super::{Answer, BlockRow, Lease, Leased, RecordsFault, Unused};
use super::codec::{self, stored};
use crate::clock;

/// Blocks of one station in a list, in rows.
const BLOCKS_MAX_ROWS: u32 = 1_000;

/// The number that the application came with, or the next of this year.
pub(super) fn permit_num(
    tx: &Transaction<'_>,
    payload: &Value,
    at: UtcMillis,
    warnings: &mut Vec<Warning>,
) -> Answer<PermitNum> {
    let given = payload.get("PermitNum").and_then(Value::as_str).and_then(|text| text.parse().ok());
    let Some(given) = given else {
        let year = clock::year(at);
        let last = advance(tx, &year, 1)?;
        return number(&year, last);
    };
    let mut select = tx.prepare_cached("SELECT 1 FROM applications WHERE permit_num = ?1")?;
    if select.exists([PermitNum::as_str(&given)])? {
        warnings.push(warning("permit-num-in-use", "another application has this permit number"));
    }
    Ok(given)
}

/// A number that was leased to somebody else, or given back, is kept and told.
pub(super) fn told_of_lease(
    tx: &Transaction<'_>,
    body: &Body,
    permit_num: &PermitNum,
) -> Answer<Option<Warning>> {
    Ok(match lessee(tx, permit_num)? {
        Some((_, true)) => Some(warning("permit-num-void", "this permit number was reported as void")),
        Some((station, false)) if station != body.station_id => {
            Some(warning("permit-num-of-another-station", "this permit number is leased to another station"))
        }
        Some(_) | None => None,
    })
}

pub(super) fn lease(tx: &Transaction<'_>, lease: &Lease<'_>) -> Answer<Leased> {
    if let Some((owner, block)) = block(tx, lease.lease_id)? {
        return Ok(if owner == *lease.station { Leased::Block(block) } else { Leased::OfAnother });
    }
    let year = lease.year.to_string();
    let last = advance(tx, &year, lease.count)?;
    let first = last - i64::from(lease.count) + 1;
    tx.execute(
        "INSERT INTO number_blocks (lease_id, station_id, year, first, last, leased_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![lease.lease_id, lease.station.as_str(), lease.year, first, last, lease.at.millis()],
    )?;
    for n in first..=last {
        tx.execute(
            "INSERT INTO leased_numbers (permit_num, lease_id, n) VALUES (?1, ?2, ?3)",
            params![number(&year, n)?.as_str(), lease.lease_id, n],
        )?;
    }
    let kept = block(tx, lease.lease_id)?;
    kept.map(|(_, block)| Leased::Block(block)).ok_or(RecordsFault::Unreadable { what: "number block" })
}

/// Numbers of no block of this station are refused with nothing done; those in use stay what they are: a station that came
/// back from an older copy does not know which it has given out.
pub(super) fn void(
    tx: &Transaction<'_>,
    station: &StationId,
    numbers: &[PermitNum],
    at: UtcMillis,
) -> Answer<Unused> {
    for permit_num in numbers {
        if lessee(tx, permit_num)?.is_none_or(|(owner, _)| owner != *station) {
            return Ok(Unused::OfAnother);
        }
    }
    let mut update = tx.prepare_cached(
        "UPDATE leased_numbers SET voided_at = coalesce(voided_at, ?2) WHERE permit_num = ?1
           AND NOT EXISTS (SELECT 1 FROM applications a WHERE a.permit_num = ?1)",
    )?;
    let mut void = 0;
    for permit_num in numbers {
        void += update.execute(params![permit_num.as_str(), at.millis()])?;
    }
    Ok(Unused::Void { void, in_use: numbers.len() - void })
}

pub(super) fn blocks(tx: &Transaction<'_>, station: &StationId) -> Answer<Vec<BlockRow>> {
    let mut select = tx.prepare_cached(
        "SELECT b.lease_id, b.year, b.leased_at, count(*), count(a.permit_num), count(l.voided_at)
         FROM number_blocks b JOIN leased_numbers l ON l.lease_id = b.lease_id
              LEFT JOIN (SELECT DISTINCT permit_num FROM applications) a ON a.permit_num = l.permit_num
         WHERE b.station_id = ?1 GROUP BY b.lease_id ORDER BY b.year, b.first LIMIT ?2",
    )?;
    let rows = select.query_map(params![station.as_str(), BLOCKS_MAX_ROWS], |row| {
        Ok(BlockRow {
            lease_id: row.get(0)?,
            year: row.get(1)?,
            leased_at: codec::time(row, 2)?,
            numbers: codec::count(row, 3)?,
            used: codec::count(row, 4)?,
            void: codec::count(row, 5)?,
            permit_nums: Vec::new(),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn block(tx: &Transaction<'_>, lease_id: &str) -> Answer<Option<(StationId, BlockRow)>> {
    let mut select = tx.prepare_cached("SELECT station_id FROM number_blocks WHERE lease_id = ?1")?;
    let owner: Option<StationId> = select.query_row([lease_id], |row| codec::text(row, 0)).optional()?;
    let Some(owner) = owner else { return Ok(None) };
    let found = blocks(tx, &owner)?.into_iter().find(|block| block.lease_id == lease_id);
    let mut block = found.ok_or(RecordsFault::Unreadable { what: "number block" })?;
    let mut select =
        tx.prepare_cached("SELECT permit_num FROM leased_numbers WHERE lease_id = ?1 ORDER BY n")?;
    let numbers = select.query_map([lease_id], |row| codec::text(row, 0))?;
    block.permit_nums = numbers.collect::<rusqlite::Result<_>>()?;
    Ok(Some((owner, block)))
}

/// Whose number this is, and whether it was reported as void.
fn lessee(tx: &Transaction<'_>, permit_num: &PermitNum) -> Answer<Option<(StationId, bool)>> {
    let mut select = tx.prepare_cached(
        "SELECT b.station_id, l.voided_at IS NOT NULL FROM leased_numbers l
         JOIN number_blocks b ON b.lease_id = l.lease_id WHERE l.permit_num = ?1",
    )?;
    let found = select.query_row([stored(permit_num)], |row| Ok((codec::text(row, 0)?, row.get(1)?)));
    Ok(found.optional()?)
}

/// The last of the numbers that are handed out now.
fn advance(tx: &Transaction<'_>, year: &str, count: u32) -> Answer<i64> {
    let mut advance = tx.prepare_cached(
        "INSERT INTO numbers (year, last) VALUES (CAST(?1 AS INTEGER), ?2)
         ON CONFLICT (year) DO UPDATE SET last = last + ?2 RETURNING last",
    )?;
    Ok(advance.query_row(params![year, count], |row| row.get(0))?)
}

fn number(year: &str, n: i64) -> Answer<PermitNum> {
    format!("AF-{year}-{n:05}").parse().map_err(|_| RecordsFault::Unreadable { what: "permit number" })
}

fn warning(code: &str, text: &str) -> Warning {
    Warning { code: code.to_owned(), text: text.to_owned() }
}
