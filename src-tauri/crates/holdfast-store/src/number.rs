//! The tables `number_lease` and `leased_number`: permit numbers that this station gives out.
//!
//! Promise: a number is taken in the transaction that accepts its application, and by no other; a row never becomes free
//! again, and rows are never deleted.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::ids::{OperationId, PermitNum};
use holdfast_core::numbers::FreeNumbers;
use holdfast_core::time::Now;
use holdfast_station::ports::{
    JournalError, LeaseCame, NumberLease, NumberStock, Numbers, RetiredNumbers, VOID_REPORT_MAX,
};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use uuid::Uuid;

use crate::columns::Text;
use crate::fault::Fault;
use crate::store::Store;
use crate::turn::Turn;
use crate::writer::WhenFull;

impl Numbers for Store {
    fn number_stock(&self) -> Result<NumberStock, JournalError> {
        self.read(|tx| Ok(NumberStock { asked: asked(tx)?, free: free(tx)?, to_report: to_report(tx)? }))
    }

    fn ask_numbers(&self, now: Now, lease: NumberLease) -> Result<NumberLease, JournalError> {
        self.write(now, WhenFull::Wait, move |turn| ask(turn, lease))
    }

    fn keep_numbers(&self, now: Now, lease_id: Uuid, came: LeaseCame) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| keep(turn, lease_id, &came))
    }

    fn retire_numbers(&self, now: Now, which: RetiredNumbers) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| retire(turn, which))
    }

    fn numbers_reported(&self, now: Now, numbers: Vec<PermitNum>) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| reported(turn, &numbers))
    }
}

/// The unused ones, by year.
pub(crate) fn free(conn: &Connection) -> Result<Vec<FreeNumbers>, Fault> {
    let sql = "SELECT f.year, l.permit_num, f.left
               FROM (SELECT year, min(n) AS first, count(*) AS left FROM leased_number WHERE state = 'free' GROUP BY year) f
               JOIN leased_number l ON l.n = f.first ORDER BY f.year";
    let mut statement = conn.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| {
        Ok(FreeNumbers { year: row.get(0)?, next: row.get::<_, Text<_>>(1)?.0, left: row.get(2)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Gives a number to an operation.
pub(crate) fn take(conn: &Connection, number: &PermitNum, operation_id: OperationId) -> Result<(), Fault> {
    let sql =
        "UPDATE leased_number SET state = 'used', operation_id = ?2 WHERE permit_num = ?1 AND state = 'free'";
    match conn.prepare_cached(sql)?.execute(params![number.as_str(), Text(operation_id)])? {
        1 => Ok(()),
        _ => Err(Fault::Impossible { why: "a number that is not free is not given out" }),
    }
}

/// None of the unused ones is given out any more.
pub(crate) fn retire(turn: &mut Turn<'_>, which: RetiredNumbers) -> Result<(), Fault> {
    let before = match which {
        RetiredNumbers::Before(year) => Some(year),
        RetiredNumbers::All => None,
    };
    let retired: Vec<FreeNumbers> =
        free(&turn.tx)?.into_iter().filter(|numbers| before.is_none_or(|year| numbers.year < year)).collect();
    for numbers in retired {
        let sql = "UPDATE leased_number SET state = 'void' WHERE state = 'free' AND year = ?1";
        turn.tx.execute(sql, [numbers.year])?;
        let entry = Entry::new(EventKind::NumbersVoid).with("year", numbers.year);
        turn.audit(entry.with("count", numbers.left).with("first", numbers.next))?;
    }
    Ok(())
}

fn asked(conn: &Connection) -> Result<Option<NumberLease>, Fault> {
    let sql = "SELECT lease_id, year, count FROM number_lease WHERE state = 'asked'";
    Ok(conn.prepare_cached(sql)?.query_row([], lease).optional()?)
}

fn lease(row: &Row<'_>) -> rusqlite::Result<NumberLease> {
    Ok(NumberLease { lease_id: row.get::<_, Text<_>>(0)?.0, year: row.get(1)?, count: row.get(2)? })
}

fn to_report(conn: &Connection) -> Result<Vec<PermitNum>, Fault> {
    let sql = "SELECT permit_num FROM leased_number WHERE state = 'void' ORDER BY n LIMIT ?1";
    let mut statement = conn.prepare_cached(sql)?;
    let rows = statement.query_map([VOID_REPORT_MAX], |row| row.get::<_, Text<_>>(0))?;
    Ok(rows.map(|row| row.map(|Text(number)| number)).collect::<rusqlite::Result<_>>()?)
}

fn ask(turn: &mut Turn<'_>, lease: NumberLease) -> Result<NumberLease, Fault> {
    if let Some(asked) = asked(&turn.tx)? {
        return Ok(asked);
    }
    let sql =
        "INSERT INTO number_lease (lease_id, year, count, state, asked_at) VALUES (?1, ?2, ?3, 'asked', ?4)";
    let at = turn.trail.stamp().at;
    turn.tx.execute(sql, params![Text(lease.lease_id), lease.year, lease.count, Text(at)])?;
    let entry = Entry::new(EventKind::NumbersAsked).with("lease_id", lease.lease_id);
    turn.audit(entry.with("year", lease.year).with("count", lease.count))?;
    Ok(lease)
}

fn keep(turn: &mut Turn<'_>, lease_id: Uuid, came: &LeaseCame) -> Result<(), Fault> {
    let Some(lease) = asked(&turn.tx)?.filter(|asked| asked.lease_id == lease_id) else { return Ok(()) };
    let (state, kind, numbers) = match came {
        LeaseCame::Leased(numbers) => ("held", EventKind::NumbersLeased, numbers.as_slice()),
        LeaseCame::Refused => ("refused", EventKind::NumbersRefused, &[][..]),
    };
    let at = Text(turn.trail.stamp().at);
    let sql = "UPDATE number_lease SET state = ?2, ended_at = ?3 WHERE lease_id = ?1";
    turn.tx.execute(sql, params![Text(lease_id), state, at])?;
    for number in numbers {
        let sql = "INSERT INTO leased_number (permit_num, lease_id, year, state) VALUES (?1, ?2, ?3, 'free')";
        turn.tx.prepare_cached(sql)?.execute(params![number.as_str(), Text(lease_id), lease.year])?;
    }
    let entry = Entry::new(kind).with("lease_id", lease_id).with("year", lease.year);
    let ends = numbers.first().zip(numbers.last());
    let entry = ends.into_iter().fold(entry.with("count", numbers.len()), |entry, (first, last)| {
        entry.with("first", first).with("last", last)
    });
    turn.audit(entry)
}

fn reported(turn: &mut Turn<'_>, numbers: &[PermitNum]) -> Result<(), Fault> {
    for number in numbers {
        let sql = "UPDATE leased_number SET state = 'reported' WHERE permit_num = ?1 AND state = 'void'";
        turn.tx.prepare_cached(sql)?.execute([number.as_str()])?;
    }
    let entry = Entry::new(EventKind::NumbersReported).with("count", numbers.len());
    let ends = numbers.first().zip(numbers.last());
    turn.audit(
        ends.into_iter().fold(entry, |entry, (first, last)| entry.with("first", first).with("last", last)),
    )
}
