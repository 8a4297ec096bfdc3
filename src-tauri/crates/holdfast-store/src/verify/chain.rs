//! The audit chain, the personal values beside it, and the signed head.

use holdfast_core::audit::{ChainFault, Event, SignedHead, Stored, Verifier, private_digest};
use holdfast_core::ids::Digest;
use holdfast_station::ports::StationRecord;
use rusqlite::Connection;
use serde_json::Value;

use super::{Finding, Findings, Part, Steps};
use crate::columns::Count;
use crate::fault::Fault;
use crate::head::HeadFault;
use crate::secret;

pub(super) fn look(
    conn: &Connection,
    record: &StationRecord,
    head: Result<SignedHead, HeadFault>,
    findings: &mut Findings,
    steps: &mut Steps<'_>,
) {
    let mut walk = Walk { verifier: Verifier::new(&record.station_id, record.db_id), named: None };
    let named_seq = head.as_ref().ok().map(|signed| signed.head.seq);
    match walk.along(conn, named_seq, findings, steps) {
        Ok(None) => {}
        Ok(Some(fault)) => findings.add(Finding::Chain(fault)),
        Err(fault) => findings.add_fault(Part::Chain, Err(fault)),
    }
    let (events, hash) = walk.verifier.head();
    (findings.events, findings.hash, findings.head_seq) = (events, Some(hash), named_seq);
    match head {
        Ok(signed) => compare(conn, record, &signed, &walk, findings),
        Err(HeadFault::Missing) => findings.add(Finding::HeadMissing),
        Err(HeadFault::Unreadable) => findings.add(Finding::HeadUnreadable),
    }
}

/// A walk along the chain, remembering the event that the head names.
struct Walk {
    verifier: Verifier,
    named: Option<Digest>,
}

impl Walk {
    /// To the end, or to the first fault.
    fn along(
        &mut self,
        conn: &Connection,
        named_seq: Option<u64>,
        findings: &mut Findings,
        steps: &mut Steps<'_>,
    ) -> Result<Option<ChainFault>, Fault> {
        if named_seq == Some(0) {
            self.named = Some(self.verifier.head().1);
        }
        let mut statement = conn.prepare("SELECT seq, text, hash FROM audit_event ORDER BY seq")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let seq = row.get::<_, Count>(0)?.0;
            let (text, hash) = (row.get_ref(1)?, row.get_ref(2)?);
            let (Ok(text), Ok(hash)) = (text.as_str(), hash.as_str()) else {
                return Ok(Some(ChainFault::Unreadable { seq }));
            };
            match self.verifier.take(&Stored { seq, text, hash }) {
                Ok(event) => private_values(conn, &event, findings)?,
                Err(fault) => return Ok(Some(fault)),
            }
            if named_seq == Some(seq) {
                self.named = Some(self.verifier.head().1);
            }
            steps.one();
        }
        Ok(None)
    }
}

/// One that was purged is missing, and that is lawful; one that is there must fit.
fn private_values(conn: &Connection, event: &Event, findings: &mut Findings) -> Result<(), Fault> {
    let sql = "SELECT name, salt, text FROM audit_private WHERE seq = ?1";
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query([Count(event.seq)])?;
    while let Some(row) = rows.next()? {
        let (name, text): (String, String) = (row.get(0)?, row.get(2)?);
        let digest = private_digest(&row.get(1)?, &text).to_string();
        if event.data.get(&name).and_then(Value::as_str) != Some(digest.as_str()) {
            findings.add(Finding::Chain(ChainFault::PrivateChanged { seq: event.seq }));
        }
    }
    Ok(())
}

fn compare(
    conn: &Connection,
    record: &StationRecord,
    signed: &SignedHead,
    walk: &Walk,
    findings: &mut Findings,
) {
    let head = &signed.head;
    if head.station_id != record.station_id || head.db_id != record.db_id {
        findings.add(Finding::HeadUnreadable);
        return;
    }
    match secret::station_key(conn) {
        Err(fault) => findings.add_fault(Part::Station, Err(fault)),
        Ok(key) if signed.check(&key.public()).is_err() => return findings.add(Finding::HeadForged),
        Ok(_) => {}
    }
    match walk.named {
        Some(hash) if hash != head.hash => findings.add(Finding::HeadDiffers { seq: head.seq }),
        Some(_) => {}
        None => missing(conn, head.seq, walk, findings),
    }
}

/// The walk did not come as far as the head: it broke off, which is told already, or the end is gone.
fn missing(conn: &Connection, head_seq: u64, walk: &Walk, findings: &mut Findings) {
    let sql = "SELECT coalesce(max(seq), 0) FROM audit_event";
    let last = conn.query_row(sql, [], |row| row.get::<_, Count>(0)).map(|Count(last)| last);
    let last = last.unwrap_or_else(|_| walk.verifier.head().0);
    if last < head_seq {
        findings.add(Finding::EventsLost { from: last + 1, to: head_seq });
    }
}
