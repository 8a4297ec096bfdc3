//! Operations against the bytes that were accepted, lanes against their order, and the books against the rows.

use std::collections::BTreeMap;

use holdfast_core::books::Books;
use holdfast_core::ids::{ApplicationId, Digest, IdempotencyKey, OperationId, OutageId, ReceiptNo};
use holdfast_core::lane::State;
use holdfast_core::operation::{Body, Kind, OriginRoute, payload_digest};
use holdfast_core::time::UtcMillis;
use rusqlite::{Connection, Row};

use super::{Finding, Findings, Part, Steps, accepted, shown};
use crate::books;
use crate::columns::{Count, Text, Word, text};
use crate::fault::Fault;

type Counted = BTreeMap<String, Books>;

/// How many rows there are to look at.
pub(super) fn count(conn: &Connection) -> Result<u64, Fault> {
    let sql = "SELECT (SELECT count(*) FROM audit_event) + (SELECT count(*) FROM operation)
                 + (SELECT count(*) FROM operation_archive)";
    Ok(conn.query_row(sql, [], |row| row.get::<_, Count>(0))?.0)
}

pub(super) fn look(conn: &Connection, findings: &mut Findings, steps: &mut Steps<'_>) {
    let mut counted = Counted::new();
    for (part, table) in [(Part::Operations, "operation"), (Part::Archive, "operation_archive")] {
        let read = operations(conn, table, &mut counted, findings, steps);
        findings.add_fault(part, read);
    }
    let read = lanes(conn, findings);
    findings.add_fault(Part::Operations, read);
    let read = accepted::look(conn, findings);
    findings.add_fault(Part::Operations, read);
    let read = shown::look(conn, findings);
    findings.add_fault(Part::Operations, read);
    let read = compare_books(conn, counted, findings);
    findings.add_fault(Part::Books, read);
}

fn operations(
    conn: &Connection,
    table: &str,
    counted: &mut Counted,
    findings: &mut Findings,
    steps: &mut Steps<'_>,
) -> Result<(), Fault> {
    let sql = format!(
        "SELECT local_seq, operation_id, idempotency_key, application_id, kind, payload_digest, accepted_at, body, state,
           outage_id, receipt_no, replaces, origin_route, coalesce(counted_in, outage_id) FROM {table} ORDER BY local_seq"
    );
    let mut statement = conn.prepare(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let local_seq = row.get::<_, Count>(0)?.0;
        if !is_what_was_accepted(row).unwrap_or(false) {
            findings.add(Finding::Operation { local_seq });
        }
        enter(counted, row)?;
        findings.operations += 1;
        steps.one();
    }
    Ok(())
}

/// The body stands in its one form, its key is the stored one, and the columns say what it says.
fn is_what_was_accepted(row: &Row<'_>) -> rusqlite::Result<bool> {
    let bytes: Vec<u8> = row.get(7)?;
    let Ok(body) = serde_json::from_slice::<Body>(&bytes) else { return Ok(false) };
    Ok(body.bytes() == bytes
        && body.local_seq.0 == row.get::<_, Count>(0)?.0
        && body.operation_id == row.get::<_, Text<OperationId>>(1)?.0
        && body.idempotency_key() == row.get::<_, Text<IdempotencyKey>>(2)?.0
        && body.application_id == row.get::<_, Text<ApplicationId>>(3)?.0
        && body.kind == row.get::<_, Text<Kind>>(4)?.0
        && payload_digest(&body.payload) == row.get::<_, Text<Digest>>(5)?.0
        && body.accepted_at == row.get::<_, Text<UtcMillis>>(6)?.0
        && body.outage_id == text(row.get::<_, Option<Text<OutageId>>>(9)?)
        && ReceiptNo::new(&body.station_id, body.local_seq).as_str() == row.get_ref(10)?.as_str()?
        && body.replaces == text(row.get::<_, Option<Text<OperationId>>>(11)?)
        && body.origin_route == row.get::<_, Word<OriginRoute>>(12)?.0)
}

fn enter(counted: &mut Counted, row: &Row<'_>) -> Result<(), Fault> {
    let state = row.get::<_, Word<State>>(8)?.0;
    let outage: Option<String> = row.get(13)?;
    for scope in [Some(books::STATION.to_owned()), outage].into_iter().flatten() {
        let books = counted.entry(scope).or_default();
        *books = books.with_one(state);
    }
    Ok(())
}

/// Every lane has one head, and nothing stands before it.
fn lanes(conn: &Connection, findings: &mut Findings) -> Result<(), Fault> {
    let sql = "SELECT min(local_seq) FROM operation o WHERE out_of_lane = 0 GROUP BY application_id
               HAVING sum(head) <> 1 OR max(head AND EXISTS (SELECT 1 FROM operation b
                 WHERE b.out_of_lane = 0 AND b.application_id = o.application_id AND (b.place, b.revision) < (o.place, o.revision)))";
    let mut statement = conn.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        findings.add(Finding::Lane { local_seq: row.get::<_, Count>(0)?.0 });
    }
    Ok(())
}

fn compare_books(conn: &Connection, mut counted: Counted, findings: &mut Findings) -> Result<(), Fault> {
    let mut kept = books::all(conn)?;
    for scope in counted.keys() {
        kept.entry(scope.clone()).or_default();
    }
    for (scope, kept) in kept {
        let counted = counted.remove(&scope).unwrap_or_default();
        if kept != counted {
            findings.add(Finding::Books { scope, kept, counted });
        }
    }
    Ok(())
}
