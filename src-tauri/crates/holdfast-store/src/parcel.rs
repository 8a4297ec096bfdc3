//! The tables `parcel`, `parcel_copy` and `parcel_seen`: the copy of the city's parcels, and what was seen of them.
//!
//! Promise: a whole copy takes the place of the one before in one step, however many pages it came in; until then the one
//! before is looked into. What was seen at an acceptance stays as it was seen, whatever the copy says later.

use holdfast_core::beside::Part;
use holdfast_core::breaker::Admission;
use holdfast_core::ids::{ApplicationId, LocalSeq, OperationId};
use holdfast_core::operation::Body;
use holdfast_core::parcel::copying::{CopyRun, ParcelCopy, RunKind, WholeCopy};
use holdfast_core::parcel::{Parcel, Pin, Seen};
use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_station::ports::{JournalError, KeepParcels, ParcelCopies, ParcelFacts, SeenParcel};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use crate::columns::{Count, Json, Text, Word, text};
use crate::endpoint;
use crate::fault::Fault;
use crate::store::Store;

/// Rows of no copy that go with each page that comes, in rows.
const SWEPT_ROWS: u32 = 1_000;

impl ParcelCopies for Store {
    fn parcel_copy(&self) -> Result<Option<ParcelCopy>, JournalError> {
        self.read(|tx| if has_gis(tx)? { copy(tx).map(Some) } else { Ok(None) })
    }

    fn keep_parcels(&self, page: KeepParcels) -> Result<(), JournalError> {
        self.write_untold(move |tx| {
            page.parcels.iter().try_for_each(|parcel| insert(tx, page.run.generation, parcel))?;
            keep_copy(tx, &page.copy)?;
            sweep(tx, &page.copy)
        })
    }

    fn give_up_parcels(&self) -> Result<(), JournalError> {
        self.write_untold(|tx| {
            let copy = copy(tx)?;
            keep_copy(tx, &ParcelCopy { run: None, ..copy })
        })
    }

    fn parcel_facts(&self, now: Now, pins: &[Pin]) -> Result<Option<ParcelFacts>, JournalError> {
        self.read(|tx| facts(tx, now, pins))
    }

    fn parcels_seen(&self, id: OperationId) -> Result<Vec<SeenParcel>, JournalError> {
        self.read(|tx| seen(tx, &format!("{SEEN} WHERE operation_id = ?1 ORDER BY n"), &id.to_string()))
    }

    fn parcels_of(&self, id: ApplicationId) -> Result<Vec<SeenParcel>, JournalError> {
        self.read(|tx| {
            seen(tx, &format!("{SEEN} WHERE operation_id = ({LATEST}) ORDER BY n"), &id.to_string())
        })
    }
}

/// What is known of these parcels; none where there are none to look for, or no GIS.
pub(crate) fn facts(conn: &Connection, now: Now, pins: &[Pin]) -> Result<Option<ParcelFacts>, Fault> {
    if pins.is_empty() || !has_gis(conn)? {
        return Ok(None);
    }
    let whole = copy(conn)?.whole;
    let mut found = Vec::new();
    if let Some(whole) = whole {
        for pin in pins {
            found.extend(parcel(conn, whole.generation, pin)?);
        }
    }
    let gis = endpoint::named(conn, &Part::Gis.endpoint())?;
    let breaker = gis.map_or(Admission::Closed, |gis| gis.breaker.admission(now));
    Ok(Some(ParcelFacts { copied: whole.map(|whole| whole.asked), found, breaker }))
}

/// What was seen of the parcels of an operation that is accepted now.
pub(crate) fn keep_seen(tx: &Transaction<'_>, body: &Body, parcels: &[SeenParcel]) -> Result<(), Fault> {
    let sql = "INSERT INTO parcel_seen (operation_id, n, application_id, local_seq, pin, seen, as_of, parcel, seen_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let mut insert = tx.prepare_cached(sql)?;
    for (n, SeenParcel { pin, seen, at }) in (1_u64..).zip(parcels) {
        let LocalSeq(local_seq) = body.local_seq;
        insert.execute(params![
            Text(body.operation_id),
            Count(n),
            Text(body.application_id),
            Count(local_seq),
            Text(pin),
            seen.word(),
            seen.as_of().map(Text),
            seen.parcel().map(Json),
            Text(at),
        ])?;
    }
    Ok(())
}

const SEEN: &str = "SELECT pin, seen, as_of, parcel, seen_at FROM parcel_seen";

/// Voided ones have said nothing.
const LATEST: &str = "SELECT s.operation_id FROM parcel_seen s WHERE s.application_id = ?1 AND NOT EXISTS (
    SELECT 1 FROM operation_archive a WHERE a.operation_id = s.operation_id AND a.state = 'voided')
  ORDER BY s.local_seq DESC LIMIT 1";

fn seen(conn: &Connection, sql: &str, id: &str) -> Result<Vec<SeenParcel>, Fault> {
    let mut statement = conn.prepare_cached(sql)?;
    let rows = statement.query_map([id], |row| {
        let (word, parcel): (String, Option<Json<Parcel>>) = (row.get(1)?, row.get(3)?);
        let pin = row.get::<_, Text<Pin>>(0)?.0;
        let at = row.get::<_, Text<UtcMillis>>(4)?.0;
        Ok((pin, word, text(row.get(2)?), parcel, at))
    })?;
    rows.map(|row| {
        let (pin, word, as_of, parcel, at) = row?;
        let damaged = || Fault::damaged("what was seen of a parcel");
        let seen = match (word.as_str(), as_of, parcel) {
            ("known", Some(as_of), Some(Json(parcel))) => Seen::Known { parcel: Box::new(parcel), as_of },
            ("unknown", Some(as_of), None) => Seen::Unknown { as_of },
            ("too_old", Some(as_of), None) => Seen::TooOld { as_of },
            ("never_copied", None, None) => Seen::NeverCopied,
            _ => return Err(damaged()),
        };
        Ok(SeenParcel { pin, seen, at })
    })
    .collect()
}

fn has_gis(conn: &Connection) -> Result<bool, Fault> {
    let sql = "SELECT EXISTS (SELECT 1 FROM endpoint_address WHERE part = ?1)";
    Ok(conn.prepare_cached(sql)?.query_row(params![Word(Part::Gis)], |row| row.get(0))?)
}

fn parcel(conn: &Connection, generation: u32, pin: &Pin) -> Result<Option<Parcel>, Fault> {
    let sql = "SELECT parcel FROM parcel WHERE generation = ?1 AND pin = ?2";
    let found = conn.prepare_cached(sql)?.query_row(params![generation, Text(pin)], |row| row.get(0));
    Ok(found.optional()?.map(|Json(parcel)| parcel))
}

fn insert(tx: &Transaction<'_>, generation: u32, parcel: &Parcel) -> Result<(), Fault> {
    let sql = "INSERT INTO parcel (generation, pin, parcel) VALUES (?1, ?2, ?3)
               ON CONFLICT (generation, pin) DO UPDATE SET parcel = ?3";
    tx.prepare_cached(sql)?.execute(params![generation, Text(&parcel.pin), Json(parcel)])?;
    Ok(())
}

/// Some of the rows that neither the copy nor the run has any more.
fn sweep(tx: &Transaction<'_>, copy: &ParcelCopy) -> Result<(), Fault> {
    let whole = copy.whole.map(|whole| whole.generation);
    let run = copy.run.as_ref().map(|run| run.generation);
    let sql = "DELETE FROM parcel WHERE (generation, pin) IN (
                 SELECT generation, pin FROM parcel
                 WHERE generation IS NOT ?1 AND generation IS NOT ?2 ORDER BY generation LIMIT ?3)";
    tx.prepare_cached(sql)?.execute(params![whole, run, SWEPT_ROWS])?;
    Ok(())
}

fn copy(conn: &Connection) -> Result<ParcelCopy, Fault> {
    let sql = "SELECT generation, asked_wall, asked_boot, as_of, whole_wall, whole_boot, run_kind, run_since,
                 run_generation, run_wall, run_boot, run_as_of, run_after, run_rows FROM parcel_copy";
    let found = conn
        .prepare_cached(sql)?
        .query_row([], |row| Ok(ParcelCopy { whole: whole_of(row)?, run: run_of(row)? }));
    Ok(found.optional()?.unwrap_or_default())
}

fn whole_of(row: &Row<'_>) -> rusqlite::Result<Option<WholeCopy>> {
    let Some(generation) = row.get(0)? else { return Ok(None) };
    Ok(Some(WholeCopy {
        generation,
        asked: moment(row, 1)?,
        as_of: row.get::<_, Text<_>>(3)?.0,
        whole_asked: moment(row, 4)?,
    }))
}

fn run_of(row: &Row<'_>) -> rusqlite::Result<Option<CopyRun>> {
    let Some(generation) = row.get(8)? else { return Ok(None) };
    let kind = match text(row.get(7)?) {
        Some(since) => RunKind::Changes { since },
        None => RunKind::Whole,
    };
    Ok(Some(CopyRun {
        kind,
        generation,
        asked: moment(row, 9)?,
        as_of: text(row.get(11)?),
        after: row.get(12)?,
        rows: row.get::<_, Count>(13)?.0,
    }))
}

fn moment(row: &Row<'_>, wall: usize) -> rusqlite::Result<Now> {
    let boot = BootMillis(row.get::<_, Count>(wall + 1)?.0);
    Ok(Now { wall: row.get::<_, Text<_>>(wall)?.0, boot })
}

fn keep_copy(tx: &Transaction<'_>, copy: &ParcelCopy) -> Result<(), Fault> {
    let (whole, run) = (copy.whole, copy.run.as_ref());
    let (kind, since) = match run.map(|run| run.kind) {
        None => (None, None),
        Some(RunKind::Whole) => (Some("whole"), None),
        Some(RunKind::Changes { since }) => (Some("changes"), Some(Text(since))),
    };
    tx.prepare_cached("DELETE FROM parcel_copy")?.execute([])?;
    let sql =
        "INSERT INTO parcel_copy (one, generation, asked_wall, asked_boot, as_of, whole_wall, whole_boot,
                 run_kind, run_since, run_generation, run_wall, run_boot, run_as_of, run_after, run_rows)
               VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
    tx.prepare_cached(sql)?.execute(params![
        whole.map(|whole| whole.generation),
        whole.map(|whole| Text(whole.asked.wall)),
        whole.map(|whole| Count(whole.asked.boot.0)),
        whole.map(|whole| Text(whole.as_of)),
        whole.map(|whole| Text(whole.whole_asked.wall)),
        whole.map(|whole| Count(whole.whole_asked.boot.0)),
        kind,
        since,
        run.map(|run| run.generation),
        run.map(|run| Text(run.asked.wall)),
        run.map(|run| Count(run.asked.boot.0)),
        run.and_then(|run| run.as_of).map(Text),
        run.and_then(|run| run.after.as_deref()),
        run.map(|run| Count(run.rows)),
    ])?;
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::scratch::{now, scratch, store_in};

    const ROWS: u64 = 2_500;

    fn parcel(n: u64) -> Parcel {
        Parcel {
            pin: format!("0010-{n:05}").parse().unwrap(),
            address: None,
            zoning: "R-1".to_owned(),
            overlays: Vec::new(),
            bounds: None,
            updated_at: now().wall,
        }
    }

    /// All parcels in one page.
    fn renew(store: &Store, generation: u32, rows: u64) {
        let run =
            CopyRun { kind: RunKind::Whole, generation, asked: now(), as_of: None, after: None, rows: 0 };
        let whole = WholeCopy { generation, asked: now(), as_of: now().wall, whole_asked: now() };
        let copy = ParcelCopy { whole: Some(whole), run: None };
        store.keep_parcels(KeepParcels { run, parcels: (0..rows).map(parcel).collect(), copy }).unwrap();
    }

    fn rows_of(store: &Store, generation: u32) -> u64 {
        let sql = "SELECT count(*) FROM parcel WHERE generation = ?1";
        store.read(|tx| Ok(tx.query_row(sql, [generation], |row| row.get::<_, Count>(0))?.0)).unwrap()
    }

    #[test]
    fn rows_of_an_older_copy_go_with_the_pages_that_come_and_no_others() {
        let folder = scratch();
        let store = store_in(folder.path());
        renew(&store, 1, ROWS);
        renew(&store, 2, ROWS);
        assert_eq!((rows_of(&store, 1), rows_of(&store, 2)), (ROWS - u64::from(SWEPT_ROWS), ROWS));
        for _ in 0..2 {
            renew(&store, 2, 0);
        }
        assert_eq!((rows_of(&store, 1), rows_of(&store, 2)), (0, ROWS));
    }
}
