//! Applying operations: effect, key, fingerprint and answer in one transaction.

use holdfast_core::canonical::canonical;
use holdfast_core::holds::HoldType;
use holdfast_core::ids::{ApplicationId, ETag, IdempotencyKey, PermitNum, RecordId};
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::Body;
use holdfast_core::outcome::{ReceiptBody, ReceiptState};
use holdfast_core::time::UtcMillis;
use rusqlite::{OptionalExtension as _, Transaction, params};
use serde_json::Value;

use super::super::{Answer, RecordsFault, StoredAnswer, Submission, Written};
use super::amendments::{self, named};
use super::changes::NEXT_CHANGE;
use super::codec::{self, stored};
use super::entries::{self, NewHold};
use super::numbers;
use super::reading;
use crate::judge::{Effect, Held, Refusal, effect};

const CREATED: u16 = 201;
const INSPECTION_PREFIX: &str = "AF-I-";

pub(super) fn answer_to(tx: &Transaction<'_>, key: IdempotencyKey) -> Answer<Option<StoredAnswer>> {
    let mut select =
        tx.prepare_cached("SELECT body_digest, status, etag, answer FROM operations WHERE key = ?1")?;
    let answer = select.query_row([key.bytes()], |row| {
        Ok(StoredAnswer {
            body_digest: codec::digest(row, 0)?,
            status: row.get(1)?,
            etag: codec::text(row, 2)?,
            text: row.get(3)?,
        })
    });
    Ok(answer.optional()?)
}

pub(super) fn write(tx: &Transaction<'_>, submission: &Submission<'_>) -> Answer<Written> {
    if let Some(known) = answer_to(tx, submission.key)? {
        return Ok(Written::Known(known));
    }
    let body = submission.body;
    if id_is_known(tx, body)? {
        return Ok(Written::IdReused);
    }
    match effect(body, submission.if_match, held(tx, body)?) {
        Ok(effect) => apply(tx, submission, effect).map(Written::Applied),
        Err(refusal) => refused(tx, body.application_id, refusal),
    }
}

fn held(tx: &Transaction<'_>, body: &Body) -> Answer<Option<Held>> {
    let (holds, named) = (entries::open_holds(tx, body.application_id)?, named(tx, body)?);
    let mut select = tx.prepare_cached(
        "SELECT record_id, permit_num, etag, stage FROM applications WHERE application_id = ?1",
    )?;
    let held = select.query_row([stored(&body.application_id)], |row| {
        Ok(Held {
            record_id: codec::text(row, 0)?,
            permit_num: codec::text(row, 1)?,
            etag: codec::text(row, 2)?,
            stage: codec::text(row, 3)?,
            holds,
            named,
        })
    });
    Ok(held.optional()?)
}

fn id_is_known(tx: &Transaction<'_>, body: &Body) -> Answer<bool> {
    let mut select = tx.prepare_cached("SELECT 1 FROM operations WHERE operation_id = ?1")?;
    Ok(select.exists([stored(&body.operation_id)])?)
}

fn refused(tx: &Transaction<'_>, id: ApplicationId, refusal: Refusal) -> Answer<Written> {
    let current = match refusal {
        Refusal::ApplicationExists | Refusal::VersionConflict | Refusal::OnHold => {
            reading::application(tx, id)?.map(Box::new)
        }
        Refusal::ParentMissing | Refusal::PreconditionRequired | Refusal::Invalid(_) => None,
    };
    Ok(Written::Refused { refusal, current })
}

fn apply(tx: &Transaction<'_>, submission: &Submission<'_>, effect: Effect) -> Answer<StoredAnswer> {
    let body = submission.body;
    let id = body.application_id;
    let etag = etag_after(submission.key);
    let at = submission.arrived_at;
    let mut warnings = Vec::new();
    let (record_id, permit_num) = match changed(tx, body, effect)? {
        Changed::New => {
            let permit_num = numbers::permit_num(tx, &body.payload, at, &mut warnings)?;
            warnings.extend(numbers::told_of_lease(tx, body, &permit_num)?);
            let new = New { id, etag: &etag, stage: Stage::Intake, at };
            (add_application(tx, &new, &permit_num, &body.payload)?, permit_num)
        }
        Changed::Held(held, stage) => {
            touch(tx, id, &etag, stage, at)?;
            (held.record_id, held.permit_num)
        }
    };
    let receipt = ReceiptBody {
        idempotency_key: submission.key,
        operation_id: body.operation_id,
        application_id: id,
        record_id,
        permit_num: Some(permit_num),
        etag: etag.clone(),
        state: ReceiptState::Applied,
        applied_at: at,
        warnings,
    };
    let text = canonical(&receipt);
    let answer = StoredAnswer { body_digest: submission.body_digest, status: CREATED, etag, text };
    keep(tx, submission, &answer)?;
    Ok(answer)
}

/// What was changed: the application is still to be written, or still to be given its new version.
enum Changed {
    New,
    Held(Held, Stage),
}

fn changed(tx: &Transaction<'_>, body: &Body, effect: Effect) -> Answer<Changed> {
    let stays = |held: Held| {
        let stage = held.stage;
        Changed::Held(held, stage)
    };
    Ok(match effect {
        Effect::NewApplication => Changed::New,
        Effect::Move(held, stage) => Changed::Held(held, stage),
        Effect::Inspection(held) => {
            record_inspection(tx, body.application_id, Some(&stored(&body.operation_id)), &body.payload)?;
            stays(held)
        }
        Effect::Hold(held, kind) => {
            entries::place(tx, &hold_of(body, kind))?;
            stays(held)
        }
        Effect::Release(held, hold_id) => {
            entries::release(tx, &hold_id, body.accepted_at)?;
            stays(held)
        }
        Effect::Entry(held) => {
            entries::add(tx, body)?;
            stays(held)
        }
        Effect::Corrected(held, named) => {
            amendments::correct(tx, body, &named)?;
            stays(held)
        }
        Effect::Voided(held, named) => {
            let stage = amendments::void(tx, &named, body.accepted_at)?.unwrap_or(held.stage);
            Changed::Held(held, stage)
        }
    })
}

fn hold_of(body: &Body, kind: HoldType) -> NewHold {
    let reason = body.payload.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned();
    NewHold {
        hold_id: stored(&body.operation_id),
        application_id: body.application_id,
        kind,
        reason,
        placed_by: stored(&body.actor),
        placed_at: body.accepted_at,
    }
}

/// A version is named after the operation that made it.
pub(super) fn etag_after(key: IdempotencyKey) -> ETag {
    let digits: String = key.to_string().chars().take(32).collect();
    format!("\"{digits}\"").parse().expect("hex digits in quotes are an entity tag")
}

fn keep(tx: &Transaction<'_>, submission: &Submission<'_>, answer: &StoredAnswer) -> Answer<()> {
    let body = submission.body;
    let mut insert = tx.prepare_cached(
        "INSERT INTO operations (key, operation_id, application_id, kind, station_id, local_seq, actor, accepted_at,
                                 arrived_at, body_digest, body, status, etag, answer)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?;
    insert.execute(params![
        submission.key.bytes(),
        stored(&body.operation_id),
        stored(&body.application_id),
        body.kind.word(),
        body.station_id.as_str(),
        codec::integer(body.local_seq.0),
        body.actor.as_str(),
        body.accepted_at.millis(),
        submission.arrived_at.millis(),
        submission.body_digest.bytes(),
        submission.bytes,
        answer.status,
        answer.etag.as_str(),
        answer.text,
    ])?;
    let mut advance = tx.prepare_cached(
        "UPDATE stations SET last_local_seq = max(coalesce(last_local_seq, 0), ?2) WHERE station_id = ?1",
    )?;
    advance.execute(params![body.station_id.as_str(), codec::integer(body.local_seq.0)])?;
    Ok(())
}

pub(super) fn touch(
    tx: &Transaction<'_>,
    id: ApplicationId,
    etag: &ETag,
    stage: Stage,
    at: UtcMillis,
) -> Answer<()> {
    let mut update = tx.prepare_cached(&format!(
        "UPDATE applications SET etag = ?2, stage = ?3, updated_at = ?4, changed = {NEXT_CHANGE} WHERE application_id = ?1"
    ))?;
    update.execute(params![stored(&id), etag.as_str(), stage.as_str(), at.millis()])?;
    Ok(())
}

/// What a new row says beside its payload.
pub(super) struct New<'a> {
    pub(super) id: ApplicationId,
    pub(super) etag: &'a ETag,
    pub(super) stage: Stage,
    pub(super) at: UtcMillis,
}

pub(super) fn add_application(
    tx: &Transaction<'_>,
    new: &New<'_>,
    permit_num: &PermitNum,
    payload: &Value,
) -> Answer<RecordId> {
    let mut count = tx.prepare_cached("SELECT coalesce(max(n), 0) + 1 FROM applications")?;
    let n: i64 = count.query_row([], |row| row.get(0))?;
    let record_id = format!("AF-R-{n:07}");
    let mut insert = tx.prepare_cached(&format!(
        "INSERT INTO applications (n, application_id, record_id, permit_num, etag, stage, payload, updated_at, changed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, {NEXT_CHANGE})"
    ))?;
    insert.execute(params![
        n,
        stored(&new.id),
        record_id,
        permit_num.as_str(),
        new.etag.as_str(),
        new.stage.as_str(),
        payload.to_string(),
        new.at.millis(),
    ])?;
    record_id.parse().map_err(|_| RecordsFault::Unreadable { what: "record id" })
}

/// An inspection that came without an operation.
pub(super) fn add_inspection(tx: &Transaction<'_>, id: ApplicationId, payload: &Value) -> Answer<()> {
    record_inspection(tx, id, None, payload)
}

/// A result closes the open inspection that it names, else the oldest open one of its type; everything else is one more
/// inspection. What was planned stays beside what was found.
pub(super) fn record_inspection(
    tx: &Transaction<'_>,
    id: ApplicationId,
    operation_id: Option<&str>,
    payload: &Value,
) -> Answer<()> {
    let field = |name: &str| payload.get(name).and_then(Value::as_str);
    let insp_type = field("InspType").unwrap_or_default();
    let date = field("InspectedDate").or(field("ScheduledDate")).unwrap_or_default();
    let state = if field("InspectedDate").is_some() { "done" } else { "scheduled" };
    if state == "done" {
        let mut close = tx.prepare_cached(
            "UPDATE inspections SET state = 'done', date = ?3, payload = json_patch(payload, ?4),
                    assignee = coalesce(?5, assignee), operation_id = ?7
             WHERE n = (SELECT n FROM inspections
                        WHERE application_id = ?1 AND state = 'scheduled' AND (n = ?6 OR (?6 IS NULL AND insp_type = ?2))
                        ORDER BY n LIMIT 1)",
        )?;
        let named =
            payload.pointer("/ExtraFields/InspectionId").and_then(Value::as_str).and_then(inspection_row);
        let payload = payload.to_string();
        let params = params![stored(&id), insp_type, date, payload, field("Inspector"), named, operation_id];
        if close.execute(params)? == 1 {
            return Ok(());
        }
    }
    let mut insert = tx.prepare_cached(
        "INSERT INTO inspections (application_id, insp_type, assignee, date, state, payload, operation_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    let (id, payload) = (stored(&id), payload.to_string());
    insert.execute(params![id, insp_type, field("Inspector"), date, state, payload, operation_id])?;
    Ok(())
}

/// The text under which others know an inspection.
pub(super) fn inspection_id(n: i64) -> String {
    format!("{INSPECTION_PREFIX}{n:07}")
}

fn inspection_row(id: &str) -> Option<i64> {
    let n = id.strip_prefix(INSPECTION_PREFIX)?.parse().ok()?;
    (inspection_id(n) == id).then_some(n)
}
