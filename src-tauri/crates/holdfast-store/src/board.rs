//! The tables `board` and `board_copy`, and what there is to tell the board.
//!
//! Promise: what is told is read from one moment, and of what waits only its receipt, number, kind, time, state and who handed
//! it in are read at all. A copy of the board's list is kept whole, in place of the one before.

use holdfast_core::audit::{Entry, SignedHead};
use holdfast_core::board::{AgreedHead, BoardRow, OwnChain, WaitingTold};
use holdfast_core::ids::{Digest, LocalSeq};
use holdfast_core::reprove::StationWentBack;
use holdfast_core::time::Now;
use holdfast_station::ports::{
    BOARD_STATIONS_MAX_ROWS, BoardCopy, BoardReading, Boards, ChainReading, Decide, Journal as _,
    JournalError, NoticedBy, StationRecord,
};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use crate::columns::{Count, Json, Text, Word, text};
use crate::fault::Fault;
use crate::store::Store;
use crate::turn::Turn;
use crate::writer::WhenFull;
use crate::{audit, books, counts, head, secret, skipped};

impl Boards for Store {
    fn board_reading(&self, now: Now, rows: u32) -> Result<BoardReading, JournalError> {
        let record = self.station();
        self.read(|tx| {
            let (at, _) = now.written_after(audit::tail(tx, record)?.last);
            Ok(BoardReading {
                at,
                books: books::station(tx)?,
                waiting: waiting(tx, rows)?,
                head: signed_head(tx, record)?,
            })
        })
    }

    fn own_chain(&self, seq: u64) -> Result<ChainReading, JournalError> {
        self.read(|tx| own_chain(tx, self.station(), seq))
    }

    fn keep_agreed_head(&self, agreed: AgreedHead) -> Result<(), JournalError> {
        self.write_untold(move |tx| {
            let sql = "INSERT INTO board (one, agreed_seq, agreed_last_seq) VALUES (1, ?1, ?2)
                       ON CONFLICT (one) DO UPDATE SET agreed_seq = ?1, agreed_last_seq = ?2";
            tx.execute(sql, params![Count(agreed.seq), Count(agreed.last_seq.0)])?;
            Ok(())
        })
    }

    fn notice_older_copy(
        &self,
        now: Now,
        head: Digest,
        through: LocalSeq,
        decide: Decide<StationWentBack, Vec<Entry>>,
    ) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| notice(turn, head, through, decide))
    }

    fn board_copy(&self) -> Result<Option<BoardCopy>, JournalError> {
        self.read(|tx| copy(tx))
    }

    fn keep_board_copy(&self, copy: BoardCopy) -> Result<(), JournalError> {
        self.write_untold(move |tx| keep(tx, &copy))
    }
}

/// The head of what is committed, signed.
fn signed_head(conn: &Connection, record: &StationRecord) -> Result<SignedHead, Fault> {
    let head = head::of(record, &audit::tail(conn, record)?);
    Ok(SignedHead::new(head, &secret::station_key(conn)?))
}

const WAITING: &str =
    "SELECT o.receipt_no, coalesce(o.permit_num, a.permit_num), o.kind, o.accepted_at, o.actor, o.state,
            o.quarantine_reason
     FROM operation o JOIN application a ON a.application_id = o.application_id ORDER BY o.local_seq LIMIT ?1";

fn waiting(conn: &Connection, rows: u32) -> Result<Vec<WaitingTold>, Fault> {
    let mut statement = conn.prepare_cached(WAITING)?;
    let rows = statement.query_map([rows], told)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Of a row whose body cannot be read nobody can say who handed it in.
fn told(row: &Row<'_>) -> rusqlite::Result<WaitingTold> {
    let actor: Option<String> = row.get(4)?;
    let reason: Option<Word<_>> = row.get(6)?;
    Ok(WaitingTold {
        receipt_no: row.get::<_, Word<_>>(0)?.0,
        permit_num: text(row.get(1)?),
        kind: row.get::<_, Word<_>>(2)?.0,
        accepted_at: row.get::<_, Text<_>>(3)?.0,
        actor: actor.and_then(|actor| actor.parse().ok()),
        state: row.get::<_, Word<_>>(5)?.0,
        reason: reason.map(|Word(reason)| reason),
    })
}

fn own_chain(conn: &Connection, record: &StationRecord, seq: u64) -> Result<ChainReading, Fault> {
    let head = signed_head(conn, record)?;
    let there = conn.prepare_cached("SELECT hash FROM audit_event WHERE seq = ?1")?;
    let hash_there = hash_of(there, seq)?;
    let (agreed, noticed) = known(conn)?;
    let chain = OwnChain { seq: head.head.seq, hash_there, last_seq: counts::last_seq(conn)?, agreed };
    Ok(ChainReading { chain, key: secret::station_key(conn)?.public(), head, noticed })
}

fn hash_of(mut there: rusqlite::CachedStatement<'_>, seq: u64) -> Result<Option<Digest>, Fault> {
    // A number beyond the engine's integers is none of this chain.
    let Ok(seq) = i64::try_from(seq) else { return Ok(None) };
    Ok(text(there.query_row([seq], |row| row.get(0)).optional()?))
}

fn known(conn: &Connection) -> Result<(Option<AgreedHead>, Option<Digest>), Fault> {
    let sql = "SELECT agreed_seq, agreed_last_seq, noticed_hash FROM board";
    let row = conn.prepare_cached(sql)?.query_row([], |row| {
        let seq: Option<Count> = row.get(0)?;
        let last: Option<Count> = row.get(1)?;
        let agreed = seq.zip(last).map(|(seq, last)| AgreedHead { seq: seq.0, last_seq: LocalSeq(last.0) });
        Ok((agreed, text(row.get(2)?)))
    });
    Ok(row.optional()?.unwrap_or_default())
}

/// At least one number is passed over, so that receipts show where the two ways part.
fn notice(
    turn: &mut Turn<'_>,
    head: Digest,
    through: LocalSeq,
    decide: Decide<StationWentBack, Vec<Entry>>,
) -> Result<(), Fault> {
    let (_, noticed) = known(&turn.tx)?;
    if noticed == Some(head) {
        return Ok(());
    }
    let sql = "INSERT INTO board (one, noticed_hash) VALUES (1, ?1)
               ON CONFLICT (one) DO UPDATE SET noticed_hash = ?1";
    turn.tx.execute(sql, [Text(head)])?;
    let through = through.max(counts::next_seq(&turn.tx)?);
    skipped::skip(turn, through, NoticedBy::Head, decide)
}

fn copy(conn: &Connection) -> Result<Option<BoardCopy>, Fault> {
    let sql = "SELECT as_of, copied_at FROM board WHERE as_of IS NOT NULL";
    let when = conn
        .prepare_cached(sql)?
        .query_row([], |row| Ok((row.get::<_, Text<_>>(0)?.0, row.get::<_, Text<_>>(1)?.0)));
    let Some((as_of, copied_at)) = when.optional()? else { return Ok(None) };
    let mut statement = conn.prepare_cached("SELECT row FROM board_copy ORDER BY station_id")?;
    let rows = statement.query_map([], |row| Ok(row.get::<_, Json<BoardRow>>(0)?.0))?;
    Ok(Some(BoardCopy { as_of, copied_at, rows: rows.collect::<rusqlite::Result<_>>()? }))
}

fn keep(tx: &Transaction<'_>, copy: &BoardCopy) -> Result<(), Fault> {
    tx.execute("DELETE FROM board_copy", [])?;
    let mut insert = tx.prepare_cached("INSERT INTO board_copy (station_id, row) VALUES (?1, ?2)")?;
    for row in copy.rows.iter().take(BOARD_STATIONS_MAX_ROWS) {
        insert.execute(params![Text(&row.report.station_id), Json(row)])?;
    }
    let sql = "INSERT INTO board (one, as_of, copied_at) VALUES (1, ?1, ?2)
               ON CONFLICT (one) DO UPDATE SET as_of = ?1, copied_at = ?2";
    tx.execute(sql, params![Text(copy.as_of), Text(copy.copied_at)])?;
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::migrate::MIGRATIONS;

    #[test]
    fn the_oldest_of_a_long_backlog_are_read_in_their_order_without_sorting_it() {
        let conn = Connection::open_in_memory().unwrap();
        for migration in MIGRATIONS {
            conn.execute_batch(migration.sql).unwrap();
        }
        let sql = format!("EXPLAIN QUERY PLAN {WAITING}").replace("?1", "500");
        let mut statement = conn.prepare(&sql).unwrap();
        let lines = statement.query_map([], |row| row.get::<_, String>(3)).unwrap();
        let plan = lines.map(Result::unwrap).collect::<Vec<_>>().join("\n");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
        assert!(!WAITING.contains("payload") && !WAITING.contains("body"), "nothing of a form is read");
    }
}
