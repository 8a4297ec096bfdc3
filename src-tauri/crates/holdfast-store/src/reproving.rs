//! The tables `agreed` and `restore`: what was agreed on with the SoR, and how far looking for what it lost has come.
//!
//! Promise: each look is kept in the transaction that moves the cursor past it, so that a kill repeats one look at most and
//! passes none over. What is missing is listed in [`crate::missing`].

use holdfast_core::ids::{EndpointName, LocalSeq};
use holdfast_core::reprove::{Agreed, Known, Made, Seen, Walk};
use holdfast_station::ports::{
    Agreement, CommitPlace, Commitment, Decide, Look, LookingEnded, Noticed, Reproving, RestoreRecord,
    RestoreStage,
};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::columns::{Count, Json, Text, Word, text};
use crate::fault::Fault;
use crate::turn::Turn;
use crate::{books, changes, counts};

/// How things stand.
pub(crate) fn reproving(conn: &Connection) -> Result<Reproving, Fault> {
    let agreement = agreement(conn)?;
    let through = latest(conn)?;
    let restore = open(conn)?.map(|(_, restore)| restore);
    let since = agreement.and_then(|agreement| agreement.through);
    Ok(Reproving {
        known: Known {
            agreed: agreement.map(|agreement| agreement.agreed),
            committed: committed_there(conn)?,
            // Nothing is compared while it is not settled, and so it is not sought at every look.
            committed_since: if restore.is_some() { None } else { highest_since(conn, since)? },
            last_seq: counts::last_seq(conn)?,
        },
        through,
        restore,
    })
}

/// How many the primary itself has recorded. What its mirror recorded it has only once that was replicated, which nobody here
/// is told; so it is never looked for there.
pub(crate) fn committed_there(conn: &Connection) -> Result<u64, Fault> {
    let sql = "SELECT count(*) FROM operation_archive WHERE recorder = 'mirror'";
    let elsewhere = conn.prepare_cached(sql)?.query_row([], |row| row.get::<_, Count>(0))?.0;
    Ok(books::station(conn)?.committed.saturating_sub(elsewhere))
}

/// Whether nothing may be sent before the SoR's return from an older copy is settled.
pub(crate) fn is_open(conn: &Connection) -> Result<bool, Fault> {
    let sql = "SELECT EXISTS (SELECT 1 FROM restore WHERE stage IN ('looking', 'asking'))";
    Ok(conn.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// Keeps what is agreed on, if it is not what was.
pub(crate) fn keep_agreed(turn: &Turn<'_>, agreement_now: &Agreement) -> Result<(), Fault> {
    if agreement(&turn.tx)? == Some(*agreement_now) {
        return Ok(());
    }
    let sql = "INSERT INTO agreed (endpoint, agreed, through_at, through_seq, agreed_at) VALUES (?1, ?2, ?3, ?4, ?5)
               ON CONFLICT (endpoint) DO UPDATE SET agreed = ?2, through_at = ?3, through_seq = ?4, agreed_at = ?5";
    turn.tx.prepare_cached(sql)?.execute(params![
        Text(EndpointName::primary()),
        Json(&agreement_now.agreed),
        agreement_now.through.map(|place| Text(place.at)),
        agreement_now.through.map(|place| Count(place.local_seq.0)),
        Text(turn.trail.stamp().at),
    ])?;
    Ok(())
}

/// The SoR came back from an older copy.
pub(crate) fn notice(turn: &mut Turn<'_>, noticed: Noticed) -> Result<(), Fault> {
    changes::forget(&turn.tx)?;
    let sql = "INSERT INTO restore (endpoint, sign, told, noticed_at, stage, in_a_row, found, missing)
               VALUES (?1, ?2, ?3, ?4, 'looking', 0, 0, 0)";
    turn.tx.execute(
        sql,
        params![
            Text(EndpointName::primary()),
            Json(&noticed.sign),
            Json(&noticed.told),
            Text(turn.trail.stamp().at)
        ],
    )?;
    turn.audit_all(noticed.entries)
}

/// The latest commits, the latest first.
pub(crate) fn latest_commits(conn: &Connection, rows: u32) -> Result<Vec<Commitment>, Fault> {
    let through = agreement(conn)?.and_then(|agreement| agreement.through);
    let sql = format!("{COMMITMENT} {LATEST_FIRST} LIMIT ?1");
    let mut statement = conn.prepare_cached(&sql)?;
    let found = statement.query_map([rows], |row| commitment_of(row, through))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// The first one behind the cursor.
pub(crate) fn next_to_look_for(conn: &Connection) -> Result<Option<Commitment>, Fault> {
    let through = agreement(conn)?.and_then(|agreement| agreement.through);
    match cursor(conn)? {
        None => Ok(latest_commits(conn, 1)?.into_iter().next()),
        Some(place) => {
            let sql = format!("{COMMITMENT} AND (committed_at, local_seq) < (?1, ?2) {LATEST_FIRST} LIMIT 1");
            let found = conn
                .prepare_cached(&sql)?
                .query_row(params![Text(place.at), Count(place.local_seq.0)], |row| {
                    commitment_of(row, through)
                });
            Ok(found.optional()?)
        }
    }
}

/// What a look found.
pub(crate) fn keep_look(turn: &mut Turn<'_>, look: Look) -> Result<(), Fault> {
    let (id, _) = open(&turn.tx)?.ok_or(Fault::Impossible { why: "nothing is looked for" })?;
    match look.seen {
        Seen::There | Seen::Unproven => {}
        Seen::Missing => {
            let sql = "INSERT INTO missing (restore_id, local_seq, committed_at, permit_num, fate)
                       SELECT ?1, local_seq, committed_at, permit_num, 'asked' FROM operation_archive WHERE local_seq = ?2";
            turn.tx.prepare_cached(sql)?.execute(params![id, Count(look.place.local_seq.0)])?;
        }
    }
    let Walk { in_a_row, found, missing } = look.walk;
    let sql = "UPDATE restore SET cursor_at = ?2, cursor_seq = ?3, in_a_row = ?4, found = ?5, missing = ?6
               WHERE restore_id = ?1 AND stage = 'looking'";
    turn.tx.prepare_cached(sql)?.execute(params![
        id,
        Text(look.place.at),
        Count(look.place.local_seq.0),
        in_a_row,
        Count(found),
        Count(missing)
    ])?;
    turn.audit_all(look.entries)
}

/// All that has to be looked for was.
pub(crate) fn end_looking(
    turn: &mut Turn<'_>,
    decide: Decide<RestoreRecord, LookingEnded>,
) -> Result<(), Fault> {
    let open = open(&turn.tx)?.filter(|(_, restore)| restore.stage == RestoreStage::Looking);
    let (id, restore) = open.ok_or(Fault::Impossible { why: "nothing is looked for" })?;
    match decide(&restore) {
        LookingEnded::Ask { entries } => {
            set_stage(turn, id, RestoreStage::Asking)?;
            turn.audit_all(entries)
        }
        LookingEnded::NothingMissing { agreed, entries } => {
            end(turn, id, RestoreStage::NothingMissing, agreed)?;
            turn.audit_all(entries)
        }
    }
}

/// It is settled, and so this is agreed on.
pub(crate) fn end(turn: &Turn<'_>, id: i64, stage: RestoreStage, agreed: Agreed) -> Result<(), Fault> {
    set_stage(turn, id, stage)?;
    keep_agreed(turn, &Agreement { agreed, through: latest(&turn.tx)? })
}

fn set_stage(turn: &Turn<'_>, id: i64, stage: RestoreStage) -> Result<(), Fault> {
    let ended = match stage {
        RestoreStage::Looking | RestoreStage::Asking => None,
        RestoreStage::NothingMissing | RestoreStage::SentAgain | RestoreStage::Left => {
            Some(Text(turn.trail.stamp().at))
        }
    };
    turn.tx.execute(
        "UPDATE restore SET stage = ?2, ended_at = ?3 WHERE restore_id = ?1",
        params![id, Word(stage), ended],
    )?;
    Ok(())
}

/// The restore that is not settled.
pub(crate) fn open(conn: &Connection) -> Result<Option<(i64, RestoreRecord)>, Fault> {
    one(conn, "WHERE stage IN ('looking', 'asking') LIMIT 1")
}

/// The last one, settled or not.
pub(crate) fn last(conn: &Connection) -> Result<Option<(i64, RestoreRecord)>, Fault> {
    one(conn, "ORDER BY restore_id DESC LIMIT 1")
}

fn one(conn: &Connection, which: &str) -> Result<Option<(i64, RestoreRecord)>, Fault> {
    let sql = format!(
        "SELECT restore_id, sign, told, noticed_at, stage, in_a_row, found, missing,
           (SELECT count(*) FROM missing m WHERE m.restore_id = restore.restore_id AND m.permit_num IS NOT NULL)
         FROM restore {which}"
    );
    Ok(conn.prepare_cached(&sql)?.query_row([], restore_of).optional()?)
}

fn restore_of(row: &Row<'_>) -> rusqlite::Result<(i64, RestoreRecord)> {
    let restore = RestoreRecord {
        sign: row.get::<_, Json<_>>(1)?.0,
        told: row.get::<_, Json<_>>(2)?.0,
        noticed_at: row.get::<_, Text<_>>(3)?.0,
        stage: row.get::<_, Word<_>>(4)?.0,
        walk: Walk {
            in_a_row: row.get(5)?,
            found: row.get::<_, Count>(6)?.0,
            missing: row.get::<_, Count>(7)?.0,
        },
        official: row.get::<_, Count>(8)?.0,
    };
    Ok((row.get(0)?, restore))
}

fn agreement(conn: &Connection) -> Result<Option<Agreement>, Fault> {
    let sql = "SELECT agreed, through_at, through_seq FROM agreed WHERE endpoint = ?1";
    let found = conn.prepare_cached(sql)?.query_row(params![Text(EndpointName::primary())], |row| {
        Ok(Agreement { agreed: row.get::<_, Json<_>>(0)?.0, through: place_of(row, 1)? })
    });
    Ok(found.optional()?)
}

fn cursor(conn: &Connection) -> Result<Option<CommitPlace>, Fault> {
    let sql = "SELECT cursor_at, cursor_seq FROM restore WHERE stage = 'looking'";
    let found = conn.prepare_cached(sql)?.query_row([], |row| place_of(row, 0)).optional()?;
    Ok(found.flatten())
}

/// The latest commit.
fn latest(conn: &Connection) -> Result<Option<CommitPlace>, Fault> {
    let sql = format!(
        "SELECT committed_at, local_seq FROM operation_archive WHERE committed_at IS NOT NULL {THERE} {LATEST_FIRST} LIMIT 1"
    );
    Ok(conn.prepare_cached(&sql)?.query_row([], |row| place_of(row, 0)).optional()?.flatten())
}

/// The highest number among the commits since one.
fn highest_since(conn: &Connection, since: Option<CommitPlace>) -> Result<Option<LocalSeq>, Fault> {
    let highest = match since {
        None => conn
            .prepare_cached(&format!(
                "SELECT max(local_seq) FROM operation_archive WHERE committed_at IS NOT NULL {THERE}"
            ))?
            .query_row([], |row| row.get::<_, Option<Count>>(0))?,
        Some(place) => conn
            .prepare_cached(&format!(
                "SELECT max(local_seq) FROM operation_archive WHERE committed_at IS NOT NULL {THERE}
                   AND (committed_at, local_seq) > (?1, ?2)"
            ))?
            .query_row(params![Text(place.at), Count(place.local_seq.0)], |row| row.get(0))?,
    };
    Ok(highest.map(|Count(seq)| LocalSeq(seq)))
}

/// What the mirror recorded is not the primary's to lose.
const THERE: &str = "AND recorder IS NOT 'mirror'";

const LATEST_FIRST: &str = "ORDER BY committed_at DESC, local_seq DESC";

/// Those that a person has left missing are not looked for again.
const COMMITMENT: &str =
    "SELECT committed_at, local_seq, operation_id, application_id, kind, idempotency_key, payload_digest, record_id, body
     FROM operation_archive WHERE committed_at IS NOT NULL AND recorder IS NOT 'mirror'
       AND NOT EXISTS (SELECT 1 FROM missing m WHERE m.local_seq = operation_archive.local_seq AND m.fate = 'left')";

fn commitment_of(row: &Row<'_>, through: Option<CommitPlace>) -> rusqlite::Result<Commitment> {
    let place =
        CommitPlace { at: row.get::<_, Text<_>>(0)?.0, local_seq: LocalSeq(row.get::<_, Count>(1)?.0) };
    Ok(Commitment {
        place,
        made: if through.is_some_and(|through| place > through) { Made::Since } else { Made::Before },
        operation_id: row.get::<_, Text<_>>(2)?.0,
        application_id: row.get::<_, Text<_>>(3)?.0,
        kind: row.get::<_, Text<_>>(4)?.0,
        key: row.get::<_, Text<_>>(5)?.0,
        payload_digest: row.get::<_, Text<_>>(6)?.0,
        record_id: text(row.get(7)?),
        body: row.get(8)?,
    })
}

fn place_of(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<CommitPlace>> {
    let at = text(row.get(first)?);
    let seq = row.get::<_, Option<Count>>(first + 1)?.map(|Count(seq)| LocalSeq(seq));
    Ok(at.zip(seq).map(|(at, local_seq)| CommitPlace { at, local_seq }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::migrate::MIGRATIONS;

    #[test]
    fn looking_goes_from_commit_to_commit_and_never_over_the_whole_archive() {
        let conn = Connection::open_in_memory().unwrap();
        for migration in MIGRATIONS {
            conn.execute_batch(migration.sql).unwrap();
        }
        for sql in [
            format!("{COMMITMENT} {LATEST_FIRST} LIMIT 1"),
            format!("{COMMITMENT} AND (committed_at, local_seq) < ('a', 2) {LATEST_FIRST} LIMIT 1"),
        ] {
            let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let lines = statement.query_map([], |row| row.get::<_, String>(3)).unwrap();
            let plan = lines.map(Result::unwrap).collect::<Vec<_>>().join("\n");
            assert!(plan.contains("operation_archive_committed"), "{plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{plan}");
        }
    }
}
