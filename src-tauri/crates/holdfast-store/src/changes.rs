//! The tables `change_feed` and `change_owed`: how far the SoR's feed of changes was followed.
//!
//! Promise: the place moves in the transaction that keeps what came before it. A record that could not be taken since work
//! on it waits is owed until it was.

use holdfast_core::changes::Backlog;
use holdfast_core::ids::{ApplicationId, FeedCursor};
use holdfast_core::time::UtcMillis;
use holdfast_station::ports::{
    Changes, ChangesCopy, CopiedRecord, FeedMove, FeedRecord, FeedRest, JournalError, RecordsCopy,
};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use crate::columns::{Count, Text, text};
use crate::copies::{self, MAY_BE_TAKEN};
use crate::fault::Fault;
use crate::store::Store;
use crate::writer::WhenFull;
use crate::{books, lane};

impl Changes for Store {
    fn feed(&self) -> Result<FeedRecord, JournalError> {
        self.read(|tx| {
            let sendable = books::station(tx)?.in_flight > 0 || lane::any_sendable(tx)?;
            let backlog = if sendable { Backlog::Sendable } else { Backlog::Down };
            Ok(FeedRecord { cursor: cursor(tx)?, backlog, owed: owed(tx)? })
        })
    }

    fn keep_changes(&self, changes: ChangesCopy) -> Result<(), JournalError> {
        self.write(changes.copy.asked, WhenFull::Wait, move |turn| {
            let ChangesCopy { copy, gone, feed } = changes;
            copies::keep_records(turn, &copy)?;
            gone.iter().try_for_each(|id| keep_gone(&turn.tx, &copy, *id))?;
            keep_place(&turn.tx, copy.asked.wall, &feed)
        })
    }

    fn forget_feed(&self) -> Result<(), JournalError> {
        self.write_untold(forget)
    }

    fn forgive(&self, id: ApplicationId) -> Result<(), JournalError> {
        self.write_untold(move |tx| taken(tx, id))
    }

    fn unknown_here(&self, ids: Vec<ApplicationId>) -> Result<Vec<ApplicationId>, JournalError> {
        self.read(|tx| {
            let mut unknown = Vec::new();
            let mut known = tx.prepare_cached("SELECT 1 FROM application WHERE application_id = ?1")?;
            for id in ids {
                if !known.exists(params![Text(id)])? {
                    unknown.push(id);
                }
            }
            Ok(unknown)
        })
    }

    fn changed_there(&self, id: ApplicationId) -> Result<Option<UtcMillis>, JournalError> {
        self.read(|tx| {
            // Of a record that was never recorded from here, what is there may be our own.
            let sql = "SELECT o.changed_at FROM change_owed o JOIN application a USING (application_id)
                       WHERE application_id = ?1 AND a.etag IS NOT NULL AND a.waiting > 0
                         AND NOT EXISTS (SELECT 1 FROM operation p WHERE p.application_id = ?1
                                         AND (p.doubt <> 'none' OR p.state = 'in_flight'))";
            let found = tx.prepare_cached(sql)?.query_row(params![Text(id)], |row| row.get(0)).optional()?;
            Ok(text(found))
        })
    }
}

/// The SoR came back from an older copy, or does not know the place: it is followed from the next whole copy on.
pub(crate) fn forget(tx: &Transaction<'_>) -> Result<(), Fault> {
    tx.execute("DELETE FROM change_feed", [])?;
    Ok(())
}

/// It was taken, or was known here already.
pub(crate) fn taken(tx: &Transaction<'_>, id: ApplicationId) -> Result<(), Fault> {
    tx.prepare_cached("DELETE FROM change_owed WHERE application_id = ?1")?.execute(params![Text(id)])?;
    Ok(())
}

/// It was left alone. What is there is owed, unless it is what is known here.
pub(crate) fn left(tx: &Transaction<'_>, record: &CopiedRecord) -> Result<(), Fault> {
    taken(tx, record.application_id)?;
    let sql = "INSERT INTO change_owed (application_id, etag, changed_at)
               SELECT application_id, ?2, ?3 FROM application WHERE application_id = ?1 AND etag IS NOT ?2";
    let owed = params![Text(record.application_id), Text(&record.etag), Text(record.updated_at)];
    tx.prepare_cached(sql)?.execute(owed)?;
    Ok(())
}

/// What is not there any more, and was never taken in here, ends here too.
fn keep_gone(tx: &Transaction<'_>, copy: &RecordsCopy, id: ApplicationId) -> Result<(), Fault> {
    let sql = format!(
        "UPDATE application SET stage = 'Voided', copied_at = ?3,
           changed = (SELECT coalesce(max(changed), 0) + 1 FROM application)
         WHERE application_id = ?1 AND receipt_no IS NULL AND {MAY_BE_TAKEN}"
    );
    let gone = params![Text(id), Count(copy.mark.0), Text(copy.asked.wall)];
    tx.prepare_cached(&sql)?.execute(gone)?;
    taken(tx, id)
}

fn keep_place(tx: &Transaction<'_>, asked: UtcMillis, feed: &FeedMove) -> Result<(), Fault> {
    match feed {
        FeedMove::Stays => Ok(()),
        FeedMove::Ends => forget(tx),
        FeedMove::Begins(cursor) => {
            forget(tx)?;
            let sql = "INSERT INTO change_feed (one, cursor, began_at, confirmed_at) VALUES (1, ?1, ?2, ?2)";
            tx.execute(sql, params![Text(cursor), Text(asked)])?;
            Ok(())
        }
        FeedMove::Goes { next, rest } => {
            let confirms = *rest == FeedRest::All;
            let sql = "UPDATE change_feed SET cursor = ?1, confirmed_at = CASE WHEN ?2 THEN ?3 ELSE confirmed_at END";
            tx.prepare_cached(sql)?.execute(params![Text(next), confirms, Text(asked)])?;
            Ok(())
        }
    }
}

fn cursor(conn: &Connection) -> Result<Option<FeedCursor>, Fault> {
    let found = conn.prepare_cached("SELECT cursor FROM change_feed")?.query_row([], |row| row.get(0));
    Ok(text(found.optional()?))
}

fn owed(conn: &Connection) -> Result<Option<ApplicationId>, Fault> {
    let sql = "SELECT application_id FROM change_owed WHERE NOT EXISTS
                 (SELECT 1 FROM operation WHERE operation.application_id = change_owed.application_id) LIMIT 1";
    let found = conn.prepare_cached(sql)?.query_row([], |row| row.get::<_, Text<ApplicationId>>(0));
    Ok(found.optional()?.map(|Text(id)| id))
}

/// When a row of `application` was copied last, or confirmed by the feed since.
pub(crate) const COPIED_AT: &str = "CASE WHEN application.copied_at >= (SELECT began_at FROM change_feed)
  THEN max(application.copied_at, (SELECT confirmed_at FROM change_feed)) ELSE application.copied_at END";
