//! The table `missing`: recorded operations that the SoR no longer has, and what becomes of them.
//!
//! Promise: what is sent again comes back from the archive whole, with its bytes and its key, to its place in its lane; its
//! books, its application and those behind it are right in the same transaction. What is left stays archived as it was.

use std::collections::BTreeMap;

use holdfast_core::ids::{ApplicationId, ETag, LocalSeq, OperationId, PermitNum};
use holdfast_core::lane::State;
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::{Body, Kind};
use holdfast_core::outcome::{NextStep, QuarantineReason};
use holdfast_core::reprove::Link;
use holdfast_station::ports::{
    Decide, LaneMissing, MissingFacts, MissingRecord, MissingRuled, MissingRuling, Page, RestoreRecord,
    RestoreStage, SendingAgain,
};
use rusqlite::{Connection, Row, Transaction, params};

use crate::columns::{Count, Text, Word, text};
use crate::fault::Fault;
use crate::operation_record::receipt_no_of;
use crate::turn::Turn;
use crate::{application, books, counts, endpoint, lane, operation, reproving};

/// A page of what is missing.
pub(crate) fn page(
    conn: &Connection,
    page: Page,
) -> Result<(Option<RestoreRecord>, Vec<MissingRecord>), Fault> {
    let Some((id, restore)) = reproving::last(conn)? else { return Ok((None, Vec::new())) };
    let of = |table: &str| {
        format!(
            "SELECT o.operation_id, o.application_id, o.kind, o.local_seq AS local_seq, o.receipt_no, o.accepted_at, m.committed_at,
               m.permit_num, coalesce(a.permit_num, o.permit_num)
             FROM missing m JOIN {table} o USING (local_seq) JOIN application a USING (application_id)
             WHERE m.restore_id = ?1"
        )
    };
    let sql = format!(
        "{} UNION ALL {} ORDER BY local_seq LIMIT ?2 OFFSET ?3",
        of("operation"),
        of("operation_archive")
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let rows = statement.query_map(params![id, page.rows, page.skip], missing_of)?;
    Ok((Some(restore), rows.collect::<rusqlite::Result<_>>()?))
}

fn missing_of(row: &Row<'_>) -> rusqlite::Result<MissingRecord> {
    let receipt_no: String = row.get(4)?;
    let unreadable = || rusqlite::Error::InvalidColumnName("receipt_no".to_owned());
    Ok(MissingRecord {
        operation_id: row.get::<_, Text<_>>(0)?.0,
        application_id: row.get::<_, Text<_>>(1)?.0,
        kind: row.get::<_, Text<_>>(2)?.0,
        local_seq: LocalSeq(row.get::<_, Count>(3)?.0),
        receipt_no: receipt_no_of(&receipt_no).ok_or_else(unreadable)?,
        accepted_at: row.get::<_, Text<_>>(5)?.0,
        committed_at: row.get::<_, Text<_>>(6)?.0,
        permit_num: text::<PermitNum>(row.get(7)?),
        permit_num_now: text::<PermitNum>(row.get(8)?),
    })
}

/// A person's decision about all of it.
pub(crate) fn decide(
    turn: &mut Turn<'_>,
    decide: Decide<MissingFacts, MissingRuling>,
) -> Result<MissingRuled, Fault> {
    let open = reproving::open(&turn.tx)?;
    let lanes = open.as_ref().map_or_else(|| Ok(Vec::new()), |(id, _)| lanes(&turn.tx, *id))?;
    let facts = MissingFacts {
        stamp: turn.trail.stamp(),
        committed: reproving::committed_there(&turn.tx)?,
        restore: open.as_ref().map(|(_, restore)| restore.clone()),
        lanes,
    };
    match (decide(&facts), open) {
        (MissingRuling::SendAgain(sending), Some((id, _))) => send_again(turn, id, *sending, &facts.lanes),
        (MissingRuling::Leave { agreed, entries }, Some((id, restore))) => {
            settle_fate(&turn.tx, id, "left")?;
            reproving::end(turn, id, RestoreStage::Left, agreed)?;
            turn.audit_all(entries)?;
            Ok(MissingRuled::Left { count: restore.walk.missing })
        }
        (MissingRuling::Refuse(mut refusal), _) => {
            refusal.entry.take().map_or(Ok(()), |entry| turn.audit(entry))?;
            Ok(MissingRuled::Refused(refusal))
        }
        (MissingRuling::SendAgain(_) | MissingRuling::Leave { .. }, None) => {
            Err(Fault::Impossible { why: "nothing is missing" })
        }
    }
}

fn settle_fate(tx: &Transaction<'_>, id: i64, fate: &str) -> Result<(), Fault> {
    tx.execute("UPDATE missing SET fate = ?2 WHERE restore_id = ?1 AND fate = 'asked'", params![id, fate])?;
    Ok(())
}

fn send_again(
    turn: &mut Turn<'_>,
    id: i64,
    sending: SendingAgain,
    lanes: &[LaneMissing],
) -> Result<MissingRuled, Fault> {
    let mut count = 0;
    for lane in lanes {
        count += bring_back(turn, lane)?;
    }
    for link in &sending.relinked {
        operation::build_on(&turn.tx, link.operation_id, link.after_op, link.base.as_ref())?;
    }
    for requeued in &sending.requeued {
        requeue(turn, *requeued)?;
    }
    for (application, stage) in &sending.stages {
        application::stands(&turn.tx, *application, *stage)?;
    }
    for lane in lanes {
        lane::settle(&turn.tx, lane.application_id)?;
    }
    settle_fate(&turn.tx, id, "sent-again")?;
    reproving::end(turn, id, RestoreStage::SentAgain, sending.agreed)?;
    recovers(turn)?;
    turn.audit_all(sending.entries)?;
    Ok(MissingRuled::SentAgain { count })
}

/// The missing of one lane are pending again; `head` is set when all of them are there.
fn bring_back(turn: &Turn<'_>, lane: &LaneMissing) -> Result<u64, Fault> {
    let mut first_base = None;
    let mut is_without_record = false;
    let back: Vec<&Link> = lane.links.iter().filter(|link| link.had_left.is_some()).collect();
    for (nth, link) in back.iter().enumerate() {
        let kind = unarchive(turn, link.operation_id)?;
        is_without_record |= kind == Kind::Application;
        if nth == 0 {
            first_base.clone_from(&link.base);
        }
    }
    let count = u32::try_from(back.len()).unwrap_or(u32::MAX);
    let etag = first_base.filter(|_| !is_without_record);
    application::unrecorded(&turn.tx, lane.application_id, count, etag.as_ref(), is_without_record)?;
    Ok(u64::from(count))
}

/// What it was accepted with stays. That it is not at the SoR was looked up, so there is no doubt; what counted against it
/// counts no longer.
fn unarchive(turn: &Turn<'_>, id: OperationId) -> Result<Kind, Fault> {
    let tx = &turn.tx;
    let sql = "SELECT kind, coalesce(counted_in, outage_id) FROM operation_archive WHERE operation_id = ?1 AND state = 'committed'";
    let (kind, outage) = tx
        .prepare_cached(sql)?
        .query_row(params![Text(id)], |row| Ok((row.get::<_, Text<Kind>>(0)?.0, text(row.get(1)?))))?;
    let sql =
        "INSERT INTO operation (local_seq, operation_id, idempotency_key, application_id, kind, body, payload_digest,
           accepted_at, receipt_no, permit_num, outage_id, replaces, urgency, base_snapshot_digest, origin_route, state,
           doubt, next_step, place, revision, base_etag, after_op, attempts, failures_charged, failures_alone, failures,
           parent_waits, last_sent_at, last_outcome, head, lane_rank, stage_before, counted_in,
           seen_etag)
         SELECT local_seq, operation_id, idempotency_key, application_id, kind, body, payload_digest, accepted_at,
           receipt_no, permit_num, outage_id, replaces, urgency, base_snapshot_digest, origin_route, 'pending', 'none',
           'send', place, revision, base_etag, after_op, attempts, 0, 0, 0, 0, last_sent_at, 'missing', 0, 1, stage_before,
           counted_in, seen_etag
         FROM operation_archive WHERE operation_id = ?1";
    tx.prepare_cached(sql)?.execute(params![Text(id)])?;
    tx.prepare_cached("DELETE FROM operation_archive WHERE operation_id = ?1")?.execute(params![Text(id)])?;
    books::moved(tx, outage, State::Committed, State::Pending)?;
    Ok(kind)
}

fn requeue(turn: &Turn<'_>, id: OperationId) -> Result<(), Fault> {
    let standing = operation::standing(&turn.tx, id)?
        .filter(|standing| standing.state == State::Quarantined)
        .ok_or(Fault::Impossible { why: "the operation does not wait for a person" })?;
    let next_step = if standing.doubt.is_any() { NextStep::LookUp } else { NextStep::Send };
    operation::requeue(&turn.tx, id, next_step)?;
    books::moved(&turn.tx, standing.outage, State::Quarantined, State::Pending)
}

/// What came back is older than all that is accepted from now on, and is told as catching up.
fn recovers(turn: &Turn<'_>) -> Result<(), Fault> {
    let before = endpoint::primary(&turn.tx)?;
    let mut after = before.clone();
    after.recovering_through = Some(counts::last_seq(&turn.tx)?);
    endpoint::keep_changed(&turn.tx, &before, &after)
}

/// The lanes that something is missing of.
fn lanes(conn: &Connection, id: i64) -> Result<Vec<LaneMissing>, Fault> {
    let sql = "SELECT o.application_id, o.operation_id, o.etag, o.after_op, o.base_etag, NULL, o.place, o.revision, o.kind, o.body
               FROM missing m JOIN operation_archive o USING (local_seq) WHERE m.restore_id = ?1 AND m.fate = 'asked'
               UNION ALL
               SELECT application_id, operation_id, NULL, after_op, base_etag, quarantine_reason, place, revision, kind, NULL
               FROM operation WHERE out_of_lane = 0 AND application_id IN (SELECT o.application_id FROM missing m
                 JOIN operation_archive o USING (local_seq) WHERE m.restore_id = ?1 AND m.fate = 'asked')
               ORDER BY place, revision";
    let mut statement = conn.prepare_cached(sql)?;
    let rows = statement.query_map([id], in_lane)?;
    let mut lanes: BTreeMap<ApplicationId, LaneMissing> = BTreeMap::new();
    for row in rows {
        let (application, link, reason, to) = row?;
        let lane = lanes.entry(application).or_insert_with(|| LaneMissing {
            application_id: application,
            stage: Stage::Intake,
            moves: Vec::new(),
            links: Vec::new(),
            set_aside: Vec::new(),
        });
        lane.set_aside.extend(reason.map(|reason| (link.operation_id, reason)));
        lane.moves.extend(to);
        lane.links.push(link);
    }
    for lane in lanes.values_mut() {
        let record = application::record(conn, lane.application_id)?;
        lane.stage = record.ok_or_else(|| Fault::damaged("the application of an operation"))?.stage;
    }
    Ok(lanes.into_values().collect())
}

type InLane = (ApplicationId, Link, Option<QuarantineReason>, Option<Stage>);

fn in_lane(row: &Row<'_>) -> rusqlite::Result<InLane> {
    let link = Link {
        operation_id: row.get::<_, Text<_>>(1)?.0,
        had_left: text::<ETag>(row.get(2)?),
        after_op: text(row.get(3)?),
        base: text(row.get(4)?),
    };
    let reason = row.get::<_, Option<Word<_>>>(5)?.map(|Word(reason)| reason);
    let kind: Kind = row.get::<_, Text<_>>(8)?.0;
    let body: Option<Vec<u8>> = row.get(9)?;
    let to = body.filter(|_| kind == Kind::Stage).and_then(|body| {
        let body: Body = serde_json::from_slice(&body).ok()?;
        Stage::parse(body.payload.get("to")?.as_str()?).ok()
    });
    Ok((row.get::<_, Text<_>>(0)?.0, link, reason, to))
}
