//! The table `endpoint_address`, and what is learned of endpoints beside the primary.
//!
//! Promise: an endpoint beside the primary has a record of its own from the first question on; what is learned of it touches
//! no operation, no books and no wait.

use holdfast_core::beside::MirrorPart;
use holdfast_core::blame::EndpointMemory;
use holdfast_core::breaker::Breaker;
use holdfast_core::cascade::Recorder;
use holdfast_core::ids::EndpointName;
use holdfast_core::outcome::ForbiddenRun;
use holdfast_core::time::Now;
use holdfast_station::ports::{
    BesideRecord, Besides, Decide, EndpointRecord, JournalError, SettleFacts, Settlement,
};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use crate::columns::{Text, Word};
use crate::fault::Fault;
use crate::store::Store;
use crate::turn::Turn;
use crate::writer::WhenFull;
use crate::{counts, endpoint, outage, outage_try};

impl Besides for Store {
    fn besides(&self) -> Result<Vec<BesideRecord>, JournalError> {
        self.read(|tx| all(tx))
    }

    fn at_endpoint(
        &self,
        now: Now,
        name: EndpointName,
        decide: Decide<SettleFacts, Settlement>,
    ) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| learn(turn, &name, decide))
    }
}

/// Puts one beside the primary, with a breaker that is closed.
pub(crate) fn insert(tx: &Transaction<'_>, record: &BesideRecord, now: Now) -> Result<(), Fault> {
    let name = record.part.endpoint();
    tx.execute(
        "INSERT INTO endpoint_address (name, part, url, identity) VALUES (?1, ?2, ?3, ?4)",
        params![Text(&name), Word(record.part), record.url, Text(&record.identity)],
    )?;
    endpoint::keep(tx, &untried(name, now))
}

/// An endpoint that was never asked.
pub(crate) fn untried(name: EndpointName, now: Now) -> EndpointRecord {
    EndpointRecord {
        name,
        breaker: Breaker::new(now),
        memory: EndpointMemory::default(),
        forbidden: ForbiddenRun::default(),
        recovering_through: None,
        first_failure_at: None,
        first_failure_after: None,
        first_drain: None,
        outage: None,
    }
}

/// The endpoint that records, as it stands; one that was never asked is untried.
pub(crate) fn recording(conn: &Connection, recorder: Recorder, now: Now) -> Result<EndpointRecord, Fault> {
    match recorder {
        Recorder::Primary => endpoint::primary(conn),
        Recorder::Mirror => {
            Ok(endpoint::named(conn, &recorder.endpoint())?
                .unwrap_or_else(|| untried(recorder.endpoint(), now)))
        }
    }
}

/// The other of the two that record, if there is one.
pub(crate) fn other_recording(
    conn: &Connection,
    recorder: Recorder,
    now: Now,
) -> Result<Option<EndpointRecord>, Fault> {
    match (recorder, mirror_part(conn)?) {
        (Recorder::Mirror, _) => recording(conn, Recorder::Primary, now).map(Some),
        (Recorder::Primary, Some(MirrorPart::Authoritative)) => {
            recording(conn, Recorder::Mirror, now).map(Some)
        }
        (Recorder::Primary, Some(MirrorPart::Custody) | None) => Ok(None),
    }
}

/// What the mirror is for, if there is one.
pub(crate) fn mirror_part(conn: &Connection) -> Result<Option<MirrorPart>, Fault> {
    let sql = "SELECT part FROM endpoint_address WHERE name = 'mirror'";
    let part: Option<String> = conn.prepare_cached(sql)?.query_row([], |row| row.get(0)).optional()?;
    Ok(part.as_deref().and_then(MirrorPart::from_word))
}

fn all(conn: &Connection) -> Result<Vec<BesideRecord>, Fault> {
    let sql = "SELECT part, url, identity FROM endpoint_address ORDER BY name";
    let mut statement = conn.prepare_cached(sql)?;
    let rows = statement.query_map([], record_of)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn record_of(row: &Row<'_>) -> rusqlite::Result<BesideRecord> {
    Ok(BesideRecord {
        part: row.get::<_, Word<_>>(0)?.0,
        url: row.get(1)?,
        identity: row.get::<_, Text<_>>(2)?.0,
    })
}

fn learn(
    turn: &mut Turn<'_>,
    name: &EndpointName,
    decide: Decide<SettleFacts, Settlement>,
) -> Result<(), Fault> {
    let tx = &turn.tx;
    let before = endpoint::named(tx, name)?.unwrap_or_else(|| untried(name.clone(), turn.now));
    let facts = SettleFacts {
        endpoint: before.clone(),
        item: None,
        mark: counts::next_mark(tx)?,
        stamp: turn.trail.stamp(),
        last_seq: counts::last_seq(tx)?,
    };
    let settlement = decide(&facts);
    settlement.tried.iter().try_for_each(|tried| outage_try::enter(tx, tried))?;
    outage::enter(tx, name, &settlement.outage)?;
    endpoint::keep_changed(tx, &before, &settlement.endpoint)?;
    turn.audit_all(settlement.entries)
}
