//! The tables `audit_event` and `audit_private`: the chain, as it is kept.
//!
//! Promise: an event enters the chain only inside the transaction that it tells of, with the next number, bound to the one
//! before, and with a time that is never before that one's. Personal values lie beside the chain, under their salts.

use holdfast_core::audit::{Entry, Event, genesis, link};
use holdfast_core::ids::{Digest, StationId};
use holdfast_core::time::Now;
use holdfast_station::ports::{Stamp, StationRecord};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use crate::columns::{Count, Text};
use crate::fault::Fault;

/// The end of the chain, while a transaction adds to it.
#[derive(Clone, Debug)]
pub(crate) struct Trail {
    station: StationId,
    tail: Tail,
    stamp: Stamp,
}

/// The last event of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tail {
    pub(crate) seq: u64,
    pub(crate) hash: Digest,
    /// When it was written, by both clocks; none before the first.
    pub(crate) last: Option<Now>,
}

impl Trail {
    /// At the end of the chain, as it is in this transaction.
    pub(crate) fn at_end(tx: &Transaction<'_>, record: &StationRecord, now: Now) -> Result<Self, Fault> {
        let tail = tail(tx, record)?;
        let (at, clock) = now.written_after(tail.last);
        Ok(Self { station: record.station_id.clone(), tail, stamp: Stamp { at, boot: now.boot, clock } })
    }

    /// The time of everything in this transaction.
    pub(crate) fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Adds an event.
    pub(crate) fn append(&mut self, tx: &Transaction<'_>, mut entry: Entry) -> Result<(), Fault> {
        let private = std::mem::take(&mut entry.private);
        let seq = self.tail.seq + 1;
        let event = entry.into_event(&self.station, seq, self.stamp.at, self.stamp.boot);
        let text = event.text();
        let hash = link(&self.tail.hash, &text);
        tx.prepare_cached("INSERT INTO audit_event (seq, text, hash) VALUES (?1, ?2, ?3)")?
            .execute(params![Count(seq), text, Text(hash)])?;
        let sql = "INSERT INTO audit_private (seq, name, salt, text) VALUES (?1, ?2, ?3, ?4)";
        for value in private {
            tx.prepare_cached(sql)?.execute(params![Count(seq), value.name, value.salt, value.text])?;
        }
        self.tail = Tail { seq, hash, last: Some(Now { wall: self.stamp.at, boot: self.stamp.boot }) };
        Ok(())
    }

    /// Adds several.
    pub(crate) fn append_all(&mut self, tx: &Transaction<'_>, entries: Vec<Entry>) -> Result<(), Fault> {
        entries.into_iter().try_for_each(|entry| self.append(tx, entry))
    }
}

/// The last event that is stored.
pub(crate) fn tail(conn: &Connection, record: &StationRecord) -> Result<Tail, Fault> {
    let sql = "SELECT seq, text, hash FROM audit_event ORDER BY seq DESC LIMIT 1";
    let last = conn.prepare_cached(sql)?.query_row([], |row| {
        Ok((row.get::<_, Count>(0)?.0, row.get::<_, String>(1)?, row.get::<_, Text<Digest>>(2)?.0))
    });
    let Some((seq, text, hash)) = last.optional()? else {
        return Ok(Tail { seq: 0, hash: genesis(&record.station_id, record.db_id), last: None });
    };
    let event: Event =
        serde_json::from_str(&text).map_err(|_| Fault::damaged(format!("audit event {seq}")))?;
    Ok(Tail { seq, hash, last: Some(Now { wall: event.at, boot: event.boot_ms }) })
}
