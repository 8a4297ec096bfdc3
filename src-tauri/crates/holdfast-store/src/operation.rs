//! The table `operation`: what is accepted and not yet committed or voided. What was accepted never changes here; what
//! stands beside it does.
//!
//! Which row may be sent next is kept by [`crate::lane`]; what leaves the table goes to [`crate::archive`].

use holdfast_core::blame::{ItemFailures, Mark};
use holdfast_core::cascade::Recorder;
use holdfast_core::ids::{Digest, ETag, IdempotencyKey, LocalSeq, OperationId, OutageId};
use holdfast_core::lane::State;
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::Kind;
use holdfast_core::outcome::{Doubt, NextStep};
use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_core::wait::{Wait, WaitCause};
use holdfast_station::ports::{Acceptance, InFlight, Page, Quarantine, StillPending, Twin};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde_json::Value;

use crate::columns::{Count, Json, Text, Word, text};
use crate::fault::Fault;
use crate::operation_record::{WAITING, receipt_of};

/// Lays down what was accepted. A twin breaks a constraint and is an error: whether there is one was asked before.
/// `stood` is where the application stood before it, for a move.
pub(crate) fn insert(
    tx: &Transaction<'_>,
    acceptance: &Acceptance,
    stood: Option<Stage>,
) -> Result<(), Fault> {
    let body = &acceptance.body;
    tx.prepare_cached(
        "INSERT INTO operation (local_seq, operation_id, idempotency_key, application_id, kind, body, payload_digest,
           accepted_at, receipt_no, permit_num, outage_id, replaces, urgency, base_snapshot_digest, origin_route, state,
           doubt, next_step, place, revision, base_etag, after_op, attempts, failures_charged, failures_alone, failures,
           parent_waits, head, lane_rank, stage_before, seen_etag)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, 'pending', 'none', 'send', ?16, ?17,
           ?18, ?19, 0, 0, 0, 0, 0, 0, 1, ?20, ?21)",
    )?
    .execute(params![
        Count(body.local_seq.0),
        Text(body.operation_id),
        Text(acceptance.key),
        Text(body.application_id),
        Text(body.kind),
        acceptance.bytes,
        Text(acceptance.payload_digest),
        Text(body.accepted_at),
        acceptance.receipt_no.as_str(),
        acceptance.permit_num.as_ref().map(Text),
        body.outage_id.map(Text),
        body.replaces.map(Text),
        Word(acceptance.urgency),
        acceptance.base_snapshot.as_ref().map(|shown| Text(shown.digest())),
        Word(body.origin_route),
        Count(acceptance.place.place.0),
        acceptance.place.revision,
        acceptance.base_etag.as_ref().map(Text),
        acceptance.after_op.map(Text),
        stood.map(Text),
        acceptance.seen_etag.as_ref().map(Text),
    ])?;
    Ok(())
}

/// The operation of an id, if it waits here.
pub(crate) fn twin(conn: &Connection, id: OperationId) -> Result<Option<Twin>, Fault> {
    let sql = format!("{WAITING}, payload_digest FROM operation WHERE operation_id = ?1");
    let twin = conn.prepare_cached(&sql)?.query_row(params![Text(id)], twin_of).optional();
    Ok(twin?)
}

/// A row of receipt columns, the rest of the record, and the fingerprint behind it.
pub(crate) fn twin_of(row: &Row<'_>) -> rusqlite::Result<Twin> {
    let receipt = receipt_of(row)?;
    Ok(Twin { kind: receipt.kind, receipt, payload_digest: row.get::<_, Text<Digest>>(21)?.0 })
}

/// What the books, the lane and the answer need to know of a row before it changes.
pub(crate) struct Standing {
    pub(crate) row: InFlight,
    pub(crate) state: State,
    pub(crate) outage: Option<OutageId>,
    pub(crate) doubt: Doubt,
    /// Where it is in doubt or on its way; none is the primary.
    pub(crate) doubt_at: Option<Recorder>,
    pub(crate) next_step: NextStep,
    pub(crate) failures: ItemFailures,
    /// Where the last of them was.
    pub(crate) failed_at: Recorder,
    pub(crate) attempts: u32,
    pub(crate) parent_waits: u32,
    pub(crate) last_sent: Option<Now>,
    pub(crate) lane: InLane,
}

impl Standing {
    /// Where it is in doubt, on its way, or was on its way last.
    pub(crate) fn recorder(&self) -> Recorder {
        self.doubt_at.unwrap_or(Recorder::Primary)
    }
}

/// Whether an operation stands in its lane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum InLane {
    /// It does: those behind it wait for it.
    Stands,
    /// It was recorded, and is before a person all the same.
    Left,
}

/// One operation as it stands.
pub(crate) fn standing(conn: &Connection, id: OperationId) -> Result<Option<Standing>, Fault> {
    let sql = "SELECT operation_id, application_id, kind, idempotency_key, payload_digest, body, base_etag, state,
                 coalesce(counted_in, outage_id),
                 doubt, next_step, failures_charged, failures_alone, failures, last_failure, attempts, parent_waits,
                 (SELECT record_id FROM application WHERE application_id = operation.application_id),
                 sent_wall, sent_boot, out_of_lane, doubt_at, failed_at
               FROM operation WHERE operation_id = ?1";
    Ok(conn.prepare_cached(sql)?.query_row(params![Text(id)], standing_of).optional()?)
}

fn standing_of(row: &Row<'_>) -> rusqlite::Result<Standing> {
    Ok(Standing {
        row: InFlight {
            operation_id: row.get::<_, Text<_>>(0)?.0,
            application_id: row.get::<_, Text<_>>(1)?.0,
            kind: row.get::<_, Text<Kind>>(2)?.0,
            key: row.get::<_, Text<IdempotencyKey>>(3)?.0,
            payload_digest: row.get::<_, Text<Digest>>(4)?.0,
            record_id: text(row.get(17)?),
            body: row.get(5)?,
            if_match: text(row.get(6)?),
        },
        state: row.get::<_, Word<_>>(7)?.0,
        outage: text(row.get(8)?),
        doubt: row.get::<_, Word<_>>(9)?.0,
        next_step: row.get::<_, Word<_>>(10)?.0,
        failures: ItemFailures {
            charged: row.get(11)?,
            alone: row.get(12)?,
            failures: row.get(13)?,
            last_failure: row.get::<_, Option<Count>>(14)?.map(|Count(mark)| Mark(mark)),
        },
        attempts: row.get(15)?,
        parent_waits: row.get(16)?,
        last_sent: moment_of(row, 18)?,
        lane: if row.get(20)? { InLane::Left } else { InLane::Stands },
        doubt_at: recorder_of(row, 21)?,
        failed_at: recorder_of(row, 22)?.unwrap_or(Recorder::Primary),
    })
}

/// An endpoint in a column.
pub(crate) fn recorder_of(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Recorder>> {
    Ok(row.get::<_, Option<Word<Recorder>>>(column)?.map(|Word(recorder)| recorder))
}

/// A moment by both clocks in two columns, from `first` on.
fn moment_of(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<Now>> {
    let Some(wall) = row.get::<_, Option<i64>>(first)? else { return Ok(None) };
    let wall = UtcMillis::from_millis(wall).ok_or(rusqlite::Error::IntegralValueOutOfRange(first, wall))?;
    Ok(Some(Now { wall, boot: BootMillis(row.get::<_, Count>(first + 1)?.0) }))
}

/// An attempt begins. When and whereto it is sent is written down before it is; where the time is not known, a look-up is
/// when it begins to count.
pub(crate) fn send(
    tx: &Transaction<'_>,
    id: OperationId,
    (recorder, what): (Recorder, NextStep),
    at: UtcMillis,
    now: Now,
) -> Result<(), Fault> {
    let sql = "UPDATE operation SET state = 'in_flight', next_step = ?2, attempts = attempts + 1, last_sent_at = ?3,
                 sent_wall = CASE WHEN ?2 = 'send' OR sent_wall IS NULL THEN ?4 ELSE sent_wall END,
                 sent_boot = CASE WHEN ?2 = 'send' OR sent_wall IS NULL THEN ?5 ELSE sent_boot END,
                 wait_from_wall = NULL, wait_from_boot = NULL, wait_ms = NULL, wait_cause = NULL, wait_at = NULL,
                 doubt_at = ?6
               WHERE operation_id = ?1 AND state = 'pending' AND head = 1";
    let (wall, boot) = (now.wall.millis(), Count(now.boot.0));
    one(tx.prepare_cached(sql)?.execute(params![
        Text(id),
        Word(what),
        Text(at),
        wall,
        boot,
        Word(recorder)
    ])?)
}

/// It goes on waiting, after an attempt at this endpoint.
pub(crate) fn keep_pending(
    tx: &Transaction<'_>,
    id: OperationId,
    recorder: Recorder,
    change: &StillPending,
) -> Result<(), Fault> {
    let sql = "UPDATE operation SET state = 'pending', doubt = ?2, next_step = ?3, wait_from_wall = ?4, wait_from_boot = ?5,
                 wait_ms = ?6, wait_cause = ?7, failures_charged = ?8, failures_alone = ?9, failures = ?10,
                 last_failure = ?11, parent_waits = ?12, last_outcome = ?13, wait_for = ?14, wait_at = ?15,
                 doubt_at = CASE ?2 WHEN 'none' THEN NULL ELSE doubt_at END,
                 failed_at = CASE WHEN last_failure IS ?11 THEN failed_at ELSE ?16 END
               WHERE operation_id = ?1 AND state = 'in_flight'";
    let wait = change.wait;
    let failures = change.failures;
    one(tx.prepare_cached(sql)?.execute(params![
        Text(id),
        Word(change.doubt),
        Word(change.next_step),
        wait.map(|wait| wait.from.wall.millis()),
        wait.map(|wait| Count(wait.from.boot.0)),
        wait.map(|wait| Count(wait.length_ms)),
        wait.map(|wait| Word(stored_cause(wait.cause).0)),
        failures.charged,
        failures.alone,
        failures.failures,
        failures.last_failure.map(|mark| Count(mark.0)),
        change.parent_waits,
        change.outcome,
        wait.and_then(|wait| stored_cause(wait.cause).1.map(Word)),
        wait.map(|_| Word(recorder)),
        Word(recorder),
    ])?)
}

/// The cause of a wait in its column, and the word beside it that an older program has no need of.
fn stored_cause(cause: WaitCause) -> (WaitCause, Option<WaitCause>) {
    match cause {
        WaitCause::Settle => (WaitCause::Item, Some(cause)),
        WaitCause::Endpoint
        | WaitCause::Item
        | WaitCause::RetryAfter
        | WaitCause::Received
        | WaitCause::Parent => (cause, None),
    }
}

/// It waits for a person from now on.
pub(crate) fn quarantine(
    tx: &Transaction<'_>,
    id: OperationId,
    quarantine: &Quarantine,
) -> Result<(), Fault> {
    let sql = "UPDATE operation SET state = 'quarantined', doubt = ?2, quarantine_reason = ?3, failures_charged = ?4,
                 failures_alone = ?5, failures = ?6, last_failure = ?7, last_outcome = ?8, answer = ?9,
                 wait_from_wall = NULL, wait_from_boot = NULL, wait_ms = NULL, wait_cause = NULL, wait_at = NULL,
                 doubt_at = CASE ?2 WHEN 'none' THEN NULL ELSE doubt_at END
               WHERE operation_id = ?1 AND state IN ('pending', 'in_flight')";
    let failures = quarantine.failures;
    one(tx.prepare_cached(sql)?.execute(params![
        Text(id),
        Word(quarantine.doubt),
        Word(quarantine.reason),
        failures.charged,
        failures.alone,
        failures.failures,
        failures.last_failure.map(|mark| Count(mark.0)),
        quarantine.outcome,
        Json(&quarantine.answer),
    ])?)
}

/// A person sends it again: what counted against it counts no longer, and whether it may have arrived stays as it was.
/// What no look could find, and is to be sent all the same, a person has looked for.
pub(crate) fn requeue(tx: &Transaction<'_>, id: OperationId, next_step: NextStep) -> Result<(), Fault> {
    let sql = "UPDATE operation SET state = 'pending', quarantine_reason = NULL, next_step = ?2,
                 doubt = CASE ?2 WHEN 'send' THEN 'none' ELSE doubt END,
                 doubt_at = CASE ?2 WHEN 'send' THEN NULL ELSE doubt_at END, failures_charged = 0,
                 failures_alone = 0, failures = 0, last_failure = NULL, failed_at = NULL, parent_waits = 0
               WHERE operation_id = ?1 AND state = 'quarantined'";
    one(tx.prepare_cached(sql)?.execute(params![Text(id), Word(next_step)])?)
}

/// What it follows was taken back: it builds on what that one built on.
pub(crate) fn build_on(
    tx: &Transaction<'_>,
    id: OperationId,
    after_op: Option<OperationId>,
    base: Option<&ETag>,
) -> Result<(), Fault> {
    let sql =
        "UPDATE operation SET after_op = ?2, base_etag = ?3 WHERE operation_id = ?1 AND state <> 'in_flight'";
    one(tx.prepare_cached(sql)?.execute(params![Text(id), after_op.map(Text), base.map(Text)])?)
}

/// What the application said before a correction.
pub(crate) fn said_before(tx: &Transaction<'_>, id: OperationId, payload: &Value) -> Result<(), Fault> {
    let sql = "UPDATE operation SET payload_before = ?2 WHERE operation_id = ?1 AND kind = 'correction'";
    one(tx.prepare_cached(sql)?.execute(params![Text(id), Json(payload)])?)
}

/// Where the application stands before a move from now on.
pub(crate) fn stood(tx: &Transaction<'_>, id: OperationId, stage: Stage) -> Result<(), Fault> {
    let sql = "UPDATE operation SET stage_before = ?2 WHERE operation_id = ?1 AND kind = 'stage'";
    one(tx.prepare_cached(sql)?.execute(params![Text(id), Text(stage)])?)
}

/// A start found it in flight: it is in doubt where it was on its way to.
pub(crate) fn recover(
    tx: &Transaction<'_>,
    id: OperationId,
    doubt: Doubt,
    next_step: NextStep,
) -> Result<(), Fault> {
    let sql = "UPDATE operation SET state = 'pending', doubt = ?2, next_step = ?3
               WHERE operation_id = ?1 AND state = 'in_flight'";
    one(tx.prepare_cached(sql)?.execute(params![Text(id), Word(doubt), Word(next_step)])?)
}

/// Everything that is in flight, oldest first.
pub(crate) fn in_flight(conn: &Connection) -> Result<Vec<OperationId>, Fault> {
    let sql = "SELECT operation_id FROM operation WHERE state = 'in_flight' ORDER BY local_seq";
    let mut statement = conn.prepare(sql)?;
    let rows = statement.query_map([], |row| row.get::<_, Text<OperationId>>(0))?;
    Ok(rows.map(|row| row.map(|Text(id)| id)).collect::<rusqlite::Result<_>>()?)
}

/// The oldest that is pending or in flight.
pub(crate) fn oldest(conn: &Connection) -> Result<Option<(LocalSeq, UtcMillis)>, Fault> {
    let sql = "SELECT local_seq, accepted_at FROM operation WHERE state <> 'quarantined' ORDER BY local_seq LIMIT 1";
    let oldest = conn
        .prepare_cached(sql)?
        .query_row([], |row| Ok((LocalSeq(row.get::<_, Count>(0)?.0), row.get::<_, Text<_>>(1)?.0)));
    Ok(oldest.optional()?)
}

/// The order of work: lanes that hold an urgent operation first, then by place.
pub(crate) fn page(
    conn: &Connection,
    page: Page,
) -> Result<Vec<holdfast_station::ports::OperationRecord>, Fault> {
    let sql = format!("{WAITING} FROM operation ORDER BY lane_rank, place, revision LIMIT ?1 OFFSET ?2");
    let mut statement = conn.prepare_cached(&sql)?;
    let rows = statement.query_map(params![page.rows, page.skip], crate::operation_record::record_of)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// A wait in four columns, from `first` on.
pub(crate) fn wait_of(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<Wait>> {
    let Some(wall) = row.get::<_, Option<i64>>(first)? else { return Ok(None) };
    let wall = UtcMillis::from_millis(wall).ok_or(rusqlite::Error::IntegralValueOutOfRange(first, wall))?;
    Ok(Some(Wait {
        from: Now { wall, boot: BootMillis(row.get::<_, Count>(first + 1)?.0) },
        length_ms: row.get::<_, Count>(first + 2)?.0,
        cause: row.get::<_, Word<_>>(first + 3)?.0,
    }))
}

fn one(rows: usize) -> Result<(), Fault> {
    if rows == 1 {
        Ok(())
    } else {
        Err(Fault::Impossible { why: "the operation is not in the state for it" })
    }
}
