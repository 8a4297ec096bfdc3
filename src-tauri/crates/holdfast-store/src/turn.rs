//! One turn of the writer: one transaction, with the end of the audit chain and the time of everything in it.

use std::path::Path;

use holdfast_core::audit::Entry;
use holdfast_core::time::Now;
use holdfast_station::ports::StationRecord;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::audit::Trail;
use crate::fault::Fault;

/// What a job of the writer works with. Nothing of it lasts before the turn is committed.
pub(crate) struct Turn<'a> {
    pub(crate) tx: Transaction<'a>,
    pub(crate) trail: Trail,
    pub(crate) now: Now,
    pub(crate) record: &'a StationRecord,
    pub(crate) folder: &'a Path,
}

impl<'a> Turn<'a> {
    /// Begins one. It takes the engine's write lock at once: a transaction that becomes a writing one later can fail.
    pub(crate) fn begin(
        conn: &'a mut Connection,
        record: &'a StationRecord,
        folder: &'a Path,
        now: Now,
    ) -> Result<Self, Fault> {
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let trail = Trail::at_end(&tx, record, now)?;
        Ok(Self { tx, trail, now, record, folder })
    }

    /// Adds an audit event.
    pub(crate) fn audit(&mut self, entry: Entry) -> Result<(), Fault> {
        self.trail.append(&self.tx, entry)
    }

    /// Adds several.
    pub(crate) fn audit_all(&mut self, entries: Vec<Entry>) -> Result<(), Fault> {
        self.trail.append_all(&self.tx, entries)
    }

    /// Puts everything on the disk.
    pub(crate) fn commit(self) -> Result<(), Fault> {
        Ok(self.tx.commit()?)
    }
}
