//! The tables `likeness` and `resemblance`: what applications are compared by, and which look alike.
//!
//! Promise: whoever is accepted is compared in the accepting transaction, through one index and with few rows. A mark changes
//! nothing of what it stands beside; it is gone when one of the two is taken back, or says something else.

use std::collections::BTreeMap;

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::ids::{ApplicationId, Digest, IdempotencyKey, OperationId};
use holdfast_core::likeness::{LIKENESS_MAX_ROWS, about, filed_at, likeness};
use holdfast_core::time::{Now, UtcMillis};
use holdfast_station::ports::{
    AcceptAsk, CopiedRecord, Decide, JournalError, Like, LikePair, Likeness, LikenessAsk, LikenessFacts,
    LikenessRuled, LikenessRuling, Likenesses, Page, Refusal,
};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use crate::application;
use crate::columns::{Text, text};
use crate::fault::Fault;
use crate::operation_record::receipt_no_of;
use crate::store::Store;
use crate::turn::Turn;
use crate::writer::WhenFull;

impl Likenesses for Store {
    fn looks_like(&self, ids: &[ApplicationId]) -> Result<BTreeMap<ApplicationId, Vec<Like>>, JournalError> {
        self.read(|tx| {
            let mut found = BTreeMap::new();
            for id in ids {
                let likes = marked(tx, *id)?;
                if !likes.is_empty() {
                    found.insert(*id, likes);
                }
            }
            Ok(found)
        })
    }

    fn like_pairs(&self, page: Page) -> Result<Vec<LikePair>, JournalError> {
        self.read(|tx| pairs(tx, page))
    }

    fn keep_likeness(
        &self,
        now: Now,
        of: ApplicationId,
        decide: Decide<LikenessFacts, LikenessRuling>,
    ) -> Result<LikenessRuled, JournalError> {
        self.write(now, WhenFull::Wait, move |turn| rule(turn, of, decide))
    }
}

/// What a new application looks like.
pub(crate) fn found(conn: &Connection, ask: &AcceptAsk) -> Result<Vec<Like>, Fault> {
    ask.likeness.as_ref().map_or_else(|| Ok(Vec::new()), |likeness| alike(conn, ask.application_id, likeness))
}

/// What it says from now on, and what it looks like by that.
pub(crate) fn keep(
    tx: &Transaction<'_>,
    id: ApplicationId,
    filed_at: UtcMillis,
    likeness: &Likeness,
) -> Result<(), Fault> {
    says(tx, id, filed_at, &likeness.digests)?;
    mark(tx, id, &likeness.looks_like, filed_at).map(drop)
}

/// A record of the SoR has come: it is compared with what was accepted here. What was taken in here is compared by what was
/// accepted, whatever the SoR says of it.
pub(crate) fn came(turn: &mut Turn<'_>, record: &CopiedRecord, window_h: u32) -> Result<(), Fault> {
    let id = record.application_id;
    if is_from_here(&turn.tx, id)? {
        return Ok(());
    }
    let filed = filed_at(&record.payload, record.updated_at);
    let (from, to) = about(filed, window_h);
    let ask = LikenessAsk { digests: likeness(&record.payload), from, to };
    let likes = alike(&turn.tx, id, &ask)?.into_iter().filter(|like| like.receipt_no.is_some());
    let likes: Vec<_> = likes.map(|like| like.application_id).collect();
    says(&turn.tx, id, filed, &ask.digests)?;
    for earlier in mark(&turn.tx, id, &likes, turn.trail.stamp().at)? {
        let entry = Entry::new(EventKind::LikenessFound).with("application_id", earlier);
        turn.audit(entry.with("looks_like", id))?;
    }
    Ok(())
}

fn is_from_here(tx: &Transaction<'_>, id: ApplicationId) -> Result<bool, Fault> {
    let sql = "SELECT 1 FROM application WHERE application_id = ?1 AND receipt_no IS NOT NULL";
    Ok(tx.prepare_cached(sql)?.exists(params![Text(id)])?)
}

fn says(tx: &Transaction<'_>, id: ApplicationId, filed: UtcMillis, digests: &[Digest]) -> Result<(), Fault> {
    tx.prepare_cached("DELETE FROM likeness WHERE application_id = ?1")?.execute(params![Text(id)])?;
    let sql = "INSERT INTO likeness (digest, filed_at, application_id) VALUES (?1, ?2, ?3)";
    for digest in digests {
        tx.prepare_cached(sql)?.execute(params![Text(*digest), Text(filed), Text(id)])?;
    }
    Ok(())
}

/// Marks it as looking like these and no longer like any other; gives those that are new. What a person has looked at stays
/// as it is.
fn mark(
    tx: &Transaction<'_>,
    id: ApplicationId,
    likes: &[ApplicationId],
    at: UtcMillis,
) -> Result<Vec<ApplicationId>, Fault> {
    let before = others(tx, id)?;
    let sql = "DELETE FROM resemblance WHERE kept_at IS NULL
               AND ((application_id = ?1 AND earlier_id = ?2) OR (application_id = ?2 AND earlier_id = ?1))";
    for other in before.iter().filter(|other| !likes.contains(other)) {
        tx.prepare_cached(sql)?.execute(params![Text(id), Text(*other)])?;
    }
    let new: Vec<_> = likes.iter().filter(|like| !before.contains(like)).copied().collect();
    let sql = "INSERT INTO resemblance (application_id, earlier_id, noticed_at) VALUES (?1, ?2, ?3)";
    for like in &new {
        tx.prepare_cached(sql)?.execute(params![Text(id), Text(*like), Text(at)])?;
    }
    Ok(new)
}

/// Whatever it was ever said to look like, kept or not.
fn others(conn: &Connection, id: ApplicationId) -> Result<Vec<ApplicationId>, Fault> {
    let sql = "SELECT earlier_id FROM resemblance WHERE application_id = ?1 UNION ALL
               SELECT application_id FROM resemblance WHERE earlier_id = ?1";
    let mut statement = conn.prepare_cached(sql)?;
    let ids = statement.query_map(params![Text(id)], |row| row.get::<_, Text<ApplicationId>>(0))?;
    Ok(ids.map(|id| id.map(|Text(id)| id)).collect::<rusqlite::Result<_>>()?)
}

/// Applications filed about then that share a digest, the latest first. What ended is no longer anybody's twin.
fn alike(conn: &Connection, id: ApplicationId, ask: &LikenessAsk) -> Result<Vec<Like>, Fault> {
    let sql = format!(
        "SELECT a.application_id, a.receipt_no, a.permit_num, l.filed_at FROM likeness l
         JOIN application a ON a.application_id = l.application_id
         WHERE l.digest = ?1 AND l.filed_at BETWEEN ?2 AND ?3 AND l.application_id <> ?4 AND {STANDS}
         ORDER BY l.filed_at DESC LIMIT ?5"
    );
    let mut likes: Vec<Like> = Vec::new();
    for digest in &ask.digests {
        let mut statement = conn.prepare_cached(&sql)?;
        let limits = params![Text(*digest), Text(ask.from), Text(ask.to), Text(id), LIKENESS_MAX_ROWS];
        likes.extend(statement.query_map(limits, like_of)?.collect::<rusqlite::Result<Vec<_>>>()?);
    }
    Ok(nearest(likes))
}

const STANDS: &str = "a.stage NOT IN ('Voided', 'Withdrawn')";

/// What an application is marked with, both ways round, as long as nobody has looked and both stand.
fn marked(conn: &Connection, id: ApplicationId) -> Result<Vec<Like>, Fault> {
    let sql = format!(
        "SELECT a.application_id, a.receipt_no, a.permit_num, coalesce({FILED}, r.noticed_at)
         FROM (SELECT earlier_id AS other, noticed_at FROM resemblance WHERE application_id = ?1 AND kept_at IS NULL
               UNION ALL
               SELECT application_id, noticed_at FROM resemblance WHERE earlier_id = ?1 AND kept_at IS NULL) r
         JOIN application a ON a.application_id = r.other
         WHERE {STANDS} AND EXISTS (SELECT 1 FROM application o WHERE o.application_id = ?1
                                    AND o.stage NOT IN ('Voided', 'Withdrawn'))
         LIMIT 100"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let likes = statement.query_map(params![Text(id)], like_of)?.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(nearest(likes))
}

/// When the application `a` was filed.
const FILED: &str = "(SELECT max(filed_at) FROM likeness l WHERE l.application_id = a.application_id)";

fn nearest(mut likes: Vec<Like>) -> Vec<Like> {
    likes.sort_by(|one, other| {
        (other.filed_at, other.application_id).cmp(&(one.filed_at, one.application_id))
    });
    likes.dedup_by_key(|like| like.application_id);
    likes.truncate(LIKENESS_MAX_ROWS as usize);
    likes
}

fn pairs(conn: &Connection, page: Page) -> Result<Vec<LikePair>, Fault> {
    let sql = format!(
        "SELECT r.application_id, r.earlier_id, r.noticed_at FROM resemblance r
         JOIN application a ON a.application_id = r.application_id
         JOIN application e ON e.application_id = r.earlier_id
         WHERE r.kept_at IS NULL AND {STANDS} AND e.stage NOT IN ('Voided', 'Withdrawn')
         ORDER BY r.noticed_at DESC, r.application_id, r.earlier_id LIMIT ?1 OFFSET ?2"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let rows = statement.query_map(params![page.rows, page.skip], |row| {
        let ids: (Text<ApplicationId>, Text<ApplicationId>) = (row.get(0)?, row.get(1)?);
        Ok((ids.0.0, ids.1.0, row.get::<_, Text<UtcMillis>>(2)?.0))
    })?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let pair = |(later, earlier, noticed_at)| {
        let (_, intake) = intake(conn, later)?.unzip();
        let (later, earlier) = (one(conn, later, noticed_at)?, one(conn, earlier, noticed_at)?);
        Ok(LikePair { later, intake, earlier, noticed_at })
    };
    rows.into_iter().map(pair).collect()
}

fn one(conn: &Connection, id: ApplicationId, noticed_at: UtcMillis) -> Result<Like, Fault> {
    let sql = format!(
        "SELECT a.application_id, a.receipt_no, a.permit_num, coalesce({FILED}, ?2) FROM application a
         WHERE a.application_id = ?1"
    );
    Ok(conn.prepare_cached(&sql)?.query_row(params![Text(id), Text(noticed_at)], like_of)?)
}

/// The operation that took an application in, as it stands: the last one of its kind that was not replaced.
fn intake(conn: &Connection, id: ApplicationId) -> Result<Option<(OperationId, IdempotencyKey)>, Fault> {
    let sql = "SELECT operation_id, idempotency_key, local_seq FROM operation
                 WHERE application_id = ?1 AND kind = 'application' UNION ALL
               SELECT operation_id, idempotency_key, local_seq FROM operation_archive
                 WHERE application_id = ?1 AND kind = 'application' AND state = 'committed'
               ORDER BY local_seq DESC LIMIT 1";
    let found = conn.prepare_cached(sql)?.query_row(params![Text(id)], |row| {
        Ok((row.get::<_, Text<OperationId>>(0)?.0, row.get::<_, Text<IdempotencyKey>>(1)?.0))
    });
    Ok(found.optional()?)
}

fn like_of(row: &Row<'_>) -> rusqlite::Result<Like> {
    Ok(Like {
        application_id: row.get::<_, Text<_>>(0)?.0,
        receipt_no: row.get::<_, Option<String>>(1)?.as_deref().and_then(receipt_no_of),
        permit_num: text(row.get(2)?),
        filed_at: row.get::<_, Text<_>>(3)?.0,
    })
}

fn rule(
    turn: &mut Turn<'_>,
    of: ApplicationId,
    decide: Decide<LikenessFacts, LikenessRuling>,
) -> Result<LikenessRuled, Fault> {
    let tx = &turn.tx;
    let stamp = turn.trail.stamp();
    let application = application::record(tx, of)?.map(|_| of);
    let intake = intake(tx, of)?.map(|(operation, _)| operation);
    let facts = LikenessFacts { stamp, application, intake, looks_like: marked(tx, of)? };
    match decide(&facts) {
        LikenessRuling::Unknown => Ok(LikenessRuled::Unknown),
        LikenessRuling::Refuse(refusal) => refuse(turn, refusal),
        LikenessRuling::Keep { by, entry } => {
            let sql = "UPDATE resemblance SET kept_at = ?2, kept_by = ?3
                       WHERE kept_at IS NULL AND (application_id = ?1 OR earlier_id = ?1)";
            tx.prepare_cached(sql)?.execute(params![Text(of), Text(stamp.at), Text(&by)])?;
            turn.audit(entry)?;
            let beside = facts.looks_like.iter().map(|like| like.application_id).collect();
            Ok(LikenessRuled::Kept { application: of, beside })
        }
    }
}

fn refuse(turn: &mut Turn<'_>, mut refusal: Refusal) -> Result<LikenessRuled, Fault> {
    turn.audit_all(refusal.entry.take().into_iter().collect())?;
    Ok(LikenessRuled::Refused(refusal))
}
