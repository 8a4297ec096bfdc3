//! Copies in custody, in the same file as everything else and apart from it.

use holdfast_core::canonical::sha256;
use holdfast_core::ids::{IdempotencyKey, LocalSeq, ReceiptNo, StationId};
use rusqlite::{OptionalExtension as _, Row, Transaction, params};

use super::super::{Answer, RecordsFault};
use super::SqliteRecords;
use super::codec::{self, stored};
use crate::custody::rows::{Brought, CustodyRows, Gone, HeldCopy, Kept};

impl SqliteRecords {
    /// Makes the table when it is not there.
    ///
    /// # Errors
    /// [`RecordsFault`]
    pub(crate) fn open_custody(&self) -> Answer<()> {
        self.write_with(|tx| Ok(tx.execute_batch(include_str!("custody.sql"))?))
    }
}

impl CustodyRows for SqliteRecords {
    fn hold(&self, brought: &Brought<'_>) -> Answer<Kept> {
        self.write_with(|tx| hold(tx, brought))
    }

    fn release(&self, station: &StationId, key: IdempotencyKey) -> Answer<Gone> {
        self.write_with(|tx| release(tx, station, key))
    }

    fn copies(&self, station: &StationId, after: LocalSeq, limit_rows: u32) -> Answer<Vec<HeldCopy>> {
        self.read_with(|tx| copies(tx, station, after, limit_rows))
    }

    fn copy(&self, station: &StationId, key: IdempotencyKey) -> Answer<Option<Vec<u8>>> {
        self.read_with(|tx| {
            let mut select =
                tx.prepare_cached("SELECT body FROM custody WHERE key = ?1 AND station_id = ?2")?;
            Ok(select.query_row(params![stored(&key), station.as_str()], |row| row.get(0)).optional()?)
        })
    }
}

fn hold(tx: &Transaction<'_>, brought: &Brought<'_>) -> Answer<Kept> {
    let body = brought.body;
    let insert =
        "INSERT INTO custody (key, station_id, local_seq, kind, accepted_at, actor, held_at, digest, body)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (key) DO NOTHING";
    tx.prepare_cached(insert)?.execute(params![
        stored(&brought.key),
        body.station_id.as_str(),
        codec::integer(body.local_seq.0),
        body.kind.word(),
        body.accepted_at.millis(),
        body.actor.as_str(),
        brought.at.millis(),
        brought.digest.bytes(),
        brought.bytes,
    ])?;
    // What is answered is what lies here, whichever of two tries brought it.
    let held = held(tx, brought.key)?.ok_or(RecordsFault::Unreadable { what: "copy" })?;
    let same =
        held.digest == brought.digest && held.receipt_no == ReceiptNo::new(&body.station_id, body.local_seq);
    Ok(if same { Kept::Held(held) } else { Kept::KeyReused })
}

/// The copy under a key, with the digest of the bytes as they are read now.
fn held(tx: &Transaction<'_>, key: IdempotencyKey) -> Answer<Option<HeldCopy>> {
    let sql =
        "SELECT key, station_id, local_seq, kind, accepted_at, actor, held_at, digest, body FROM custody
               WHERE key = ?1";
    let found = tx
        .prepare_cached(sql)?
        .query_row([stored(&key)], |row| Ok((of_row(row)?, row.get::<_, Vec<u8>>(8)?)));
    Ok(found.optional()?.map(|(copy, bytes)| HeldCopy { digest: sha256(&bytes), ..copy }))
}

fn release(tx: &Transaction<'_>, station: &StationId, key: IdempotencyKey) -> Answer<Gone> {
    let of: Option<String> = tx
        .prepare_cached("SELECT station_id FROM custody WHERE key = ?1")?
        .query_row([stored(&key)], |row| row.get(0))
        .optional()?;
    if of.is_some_and(|of| of != station.as_str()) {
        return Ok(Gone::OfAnother);
    }
    tx.prepare_cached("DELETE FROM custody WHERE key = ?1")?.execute([stored(&key)])?;
    Ok(Gone::Gone)
}

fn copies(
    tx: &Transaction<'_>,
    station: &StationId,
    after: LocalSeq,
    limit_rows: u32,
) -> Answer<Vec<HeldCopy>> {
    let sql = "SELECT key, station_id, local_seq, kind, accepted_at, actor, held_at, digest FROM custody
               WHERE station_id = ?1 AND local_seq > ?2 ORDER BY local_seq LIMIT ?3";
    let mut select = tx.prepare_cached(sql)?;
    let rows = select.query_map(params![station.as_str(), codec::integer(after.0), limit_rows], of_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn of_row(row: &Row<'_>) -> rusqlite::Result<HeldCopy> {
    let station: StationId = codec::text(row, 1)?;
    let local_seq = LocalSeq(codec::count(row, 2)?);
    Ok(HeldCopy {
        key: codec::text(row, 0)?,
        receipt_no: ReceiptNo::new(&station, local_seq),
        kind: codec::text(row, 3)?,
        accepted_at: codec::time(row, 4)?,
        actor: codec::text(row, 5)?,
        local_seq,
        held_at: codec::time(row, 6)?,
        digest: codec::digest(row, 7)?,
    })
}
