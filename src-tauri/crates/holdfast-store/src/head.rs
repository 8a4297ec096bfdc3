//! `head.json`: the signed head of the audit chain, beside the database.
//!
//! Promise: it names an event that is on the disk, at most a second old, so that a tail lost from the write-ahead log is
//! noticed. Its time is that of the event that it names: this module reads no clock.

use std::path::Path;
use std::time::{Duration, Instant};

use holdfast_core::audit::{AUDIT_VERSION, Head, SignedHead};
use holdfast_core::canonical::canonical;
use holdfast_station::ports::StationRecord;
use rusqlite::Connection;

use crate::audit::Tail;
use crate::fault::Fault;
use crate::files::{HEAD_FILE, read_small, replace};
use crate::secret;

/// How long after a commit the head is written, in milliseconds; the rest of the second is for the writing.
const HEAD_AFTER_MS: u64 = 500;

/// When the head is to be written next.
#[derive(Debug, Default)]
pub(crate) struct HeadDue {
    at: Option<Instant>,
}

impl HeadDue {
    /// Something was committed.
    pub(crate) fn committed(&mut self) {
        self.at.get_or_insert_with(|| Instant::now() + Duration::from_millis(HEAD_AFTER_MS));
    }

    /// How long until then; none when the head is up to date.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// Whether it is time; asked once, it is not time again before something else is committed.
    pub(crate) fn take(&mut self) -> bool {
        let is_due = self.left().is_some_and(|left| left.is_zero());
        if is_due {
            self.at = None;
        }
        is_due
    }
}

/// Why a head cannot be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadFault {
    Missing,
    Unreadable,
}

/// Writes the head of what is committed.
pub(crate) fn write(
    conn: &Connection,
    record: &StationRecord,
    folder: &Path,
    tail: &Tail,
) -> Result<(), Fault> {
    let signed = SignedHead::new(of(record, tail), &secret::station_key(conn)?);
    Ok(replace(&folder.join(HEAD_FILE), &canonical(&signed))?)
}

/// The head of a chain that ends there.
pub(crate) fn of(record: &StationRecord, tail: &Tail) -> Head {
    Head {
        v: AUDIT_VERSION,
        station_id: record.station_id.clone(),
        db_id: record.db_id,
        seq: tail.seq,
        hash: tail.hash,
        at: tail.last.map_or(record.created_at, |last| last.wall),
    }
}

/// Reads it; the signature is not checked here.
pub(crate) fn read(folder: &Path) -> Result<SignedHead, HeadFault> {
    let bytes = read_small(&folder.join(HEAD_FILE)).map_err(|_| HeadFault::Missing)?;
    serde_json::from_slice(&bytes).map_err(|_| HeadFault::Unreadable)
}
