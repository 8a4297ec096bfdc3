//! Finding applications: the text of each row, and the pages of a search.
//!
//! Promise: a row is found as soon as the transaction that wrote it is. A search looks at one index and at no payload;
//! payloads are read for the rows of the page alone.

use holdfast_core::ids::{ApplicationId, ReceiptNo};
use holdfast_core::search::text_of;
use holdfast_station::ports::{ApplicationRecord, Found, FoundRecord, Page, Wanted};
use rusqlite::types::Value;
use rusqlite::{
    Connection, OptionalExtension as _, Row, Transaction, TransactionBehavior, params, params_from_iter,
};

use crate::columns::{Json, Text, text};
use crate::fault::Fault;
use crate::operation_record::receipt_no_of;
use crate::{application, changes};

/// Rows that are filled in one transaction.
const FILLED_AT_ONCE_ROWS: u32 = 500;

/// Writes down by which text a row is found. To be asked in every transaction that changes what is in it.
pub(crate) fn refresh(tx: &Transaction<'_>, id: ApplicationId) -> Result<(), Fault> {
    let sql = "SELECT receipt_no, permit_num, payload FROM application WHERE application_id = ?1";
    let found = tx.prepare_cached(sql)?.query_row(params![Text(id)], |row| {
        let numbers: [Option<String>; 2] = [row.get(0)?, row.get(1)?];
        Ok((numbers, row.get::<_, Json<serde_json::Value>>(2)?.0))
    });
    let Some((numbers, payload)) = found.optional()? else { return Ok(()) };
    let text = text_of(numbers.iter().flatten().map(String::as_str), &payload);
    let sql = "UPDATE application SET search = ?2 WHERE application_id = ?1 AND search IS NOT ?2";
    tx.prepare_cached(sql)?.execute(params![Text(id), text])?;
    Ok(())
}

/// Fills what an older program has left empty. Cut off, it goes on at the next start.
pub(crate) fn fill_missing(conn: &mut Connection) -> Result<(), Fault> {
    let mut empty = missing(conn)?;
    // Each turn fills what it read, so that as many turns as there are rows are more than enough.
    let known: u32 = if empty.is_empty() { 0 } else { conn.query_row(KNOWN, [], |row| row.get(0))? };
    for _ in 0..=known / FILLED_AT_ONCE_ROWS {
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for id in &empty {
            fill(&tx, *id)?;
        }
        tx.commit()?;
        empty = missing(conn)?;
    }
    Ok(())
}

fn missing(conn: &Connection) -> Result<Vec<ApplicationId>, Fault> {
    let sql = "SELECT application_id FROM application INDEXED BY application_unsearched WHERE search IS NULL
               ORDER BY changed LIMIT ?1";
    let mut statement = conn.prepare(sql)?;
    let rows = statement.query_map([FILLED_AT_ONCE_ROWS], |row| row.get::<_, Text<ApplicationId>>(0))?;
    Ok(rows.map(|row| row.map(|Text(id)| id)).collect::<rusqlite::Result<_>>()?)
}

fn fill(tx: &Transaction<'_>, id: ApplicationId) -> Result<(), Fault> {
    let sql = "UPDATE application SET receipt_no = coalesce(receipt_no,
        (SELECT receipt_no FROM operation_archive WHERE application_id = ?1 AND kind = 'application' ORDER BY local_seq),
        (SELECT receipt_no FROM operation WHERE application_id = ?1 AND kind = 'application' ORDER BY local_seq))
        WHERE application_id = ?1";
    tx.prepare_cached(sql)?.execute(params![Text(id)])?;
    refresh(tx, id)
}

/// One page, and how many there are.
pub(crate) fn find(conn: &Connection, wanted: &Wanted, page: Page) -> Result<Found, Fault> {
    let known = conn.prepare_cached(KNOWN)?.query_row([], |row| row.get(0))?;
    let copied_at = conn.prepare_cached(COPIED_AT)?.query_row([], |row| row.get(0))?;
    let words = wanted.words.iter().cloned().map(Value::from);
    let matching = match wanted.words.len() {
        0 => known,
        count => conn
            .prepare_cached(&matching_sql(count))?
            .query_row(params_from_iter(words.clone()), |row| row.get(0))?,
    };
    let asked = words.chain([wanted.number.clone().into(), page.rows.into(), page.skip.into()]);
    let mut statement = conn.prepare_cached(&page_sql(wanted.words.len()))?;
    let rows = statement.query_map(params_from_iter(asked), found_of)?;
    Ok(Found { rows: rows.collect::<rusqlite::Result<_>>()?, matching, known, copied_at: text(copied_at) })
}

/// One application.
pub(crate) fn record(conn: &Connection, id: ApplicationId) -> Result<Option<FoundRecord>, Fault> {
    let sql = format!(
        "SELECT {}, receipt_no, {} FROM application WHERE application_id = ?1",
        application::NAMES,
        changes::COPIED_AT
    );
    Ok(conn.prepare_cached(&sql)?.query_row(params![Text(id)], found_of).optional()?)
}

fn found_of(row: &Row<'_>) -> rusqlite::Result<FoundRecord> {
    let record: ApplicationRecord = application::record_of(row)?;
    let receipt_no: Option<String> = row.get(8)?;
    let receipt_no: Option<ReceiptNo> = receipt_no.as_deref().and_then(receipt_no_of);
    Ok(FoundRecord { record, receipt_no, copied_at: text(row.get(9)?) })
}

const KNOWN: &str = "SELECT count(*) FROM application";
const COPIED_AT: &str =
    "SELECT max(at) FROM (SELECT max(copied_at) AS at FROM application WHERE copied_at IS NOT NULL
   UNION ALL SELECT confirmed_at FROM change_feed)";

/// Every word, as parameters from 1 on.
fn condition(words: usize) -> String {
    let words: Vec<String> = (1..=words).map(|word| format!("instr(search, ?{word}) > 0")).collect();
    if words.is_empty() { "true".to_owned() } else { words.join(" AND ") }
}

fn matching_sql(words: usize) -> String {
    format!("SELECT count(*) FROM application INDEXED BY application_search WHERE {}", condition(words))
}

/// The number is the parameter behind the words; then rows, then how many to pass over.
fn page_sql(words: usize) -> String {
    let (number, rows, skip) = (words + 1, words + 2, words + 3);
    format!(
        "SELECT {names}, receipt_no, {copied_at} FROM
           (SELECT rowid AS at, changed AS latest,
              lower(coalesce(receipt_no, '')) = ?{number} OR lower(coalesce(permit_num, '')) = ?{number} AS exact
            FROM application INDEXED BY application_search WHERE {condition}
            ORDER BY {order} LIMIT ?{rows} OFFSET ?{skip})
         JOIN application ON application.rowid = at ORDER BY exact DESC, latest DESC",
        names = application::NAMES,
        copied_at = changes::COPIED_AT,
        condition = condition(words),
        // Without a word there is no number either, and the index has the order.
        order = if words == 0 { "changed DESC" } else { "exact DESC, changed DESC" },
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::migrate::MIGRATIONS;
    use holdfast_core::search::words;

    /// A made-up city of so many applications, laid down by the program before this one.
    fn city(applications: u32) -> Connection {
        let mut conn = Connection::open_in_memory().unwrap();
        conn.execute_batch(MIGRATIONS[0].sql).unwrap();
        conn.execute(
            "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
             INSERT INTO application (application_id, stage, payload, permit_num, waiting, updated_at, changed)
             SELECT printf('01932c6e-0001-7000-8000-%012x', n), 'Intake',
               json_object('OriginalAddress1', printf('%d OAK ST', n), 'ApplicantName', 'Ana Peña'),
               printf('BLD-%d', n), 0, '2026-11-30T07:00:00.000Z', n FROM number",
            [applications],
        )
        .unwrap();
        for migration in &MIGRATIONS[1..] {
            conn.execute_batch(migration.sql).unwrap();
        }
        fill_missing(&mut conn).unwrap();
        conn
    }

    fn wanted(text: &str) -> Wanted {
        Wanted { words: words(text), number: holdfast_core::search::folded(text) }
    }

    fn numbers(found: &Found) -> Vec<String> {
        found.rows.iter().map(|row| row.record.permit_num.as_ref().unwrap().to_string()).collect()
    }

    #[test]
    fn what_an_older_program_has_left_is_found_after_the_next_start() {
        let conn = city(1_200);
        let found = find(&conn, &wanted("peña 1200"), Page { skip: 0, rows: 10 }).unwrap();
        assert_eq!((numbers(&found), found.matching, found.known), (vec!["BLD-1200".to_owned()], 1, 1_200));
        assert!(missing(&conn).unwrap().is_empty());
    }

    #[test]
    fn one_record_among_fifty_thousand_is_found_by_its_number_before_all_that_only_contain_it() {
        let conn = city(50_000);
        let found = find(&conn, &wanted("BLD-7"), Page { skip: 0, rows: 2 }).unwrap();
        assert_eq!(
            (numbers(&found), found.matching),
            (vec!["BLD-7".to_owned(), "BLD-7999".to_owned()], 1_111)
        );
        let latest = find(&conn, &wanted(""), Page { skip: 1, rows: 2 }).unwrap();
        assert_eq!(
            (numbers(&latest), latest.matching),
            (vec!["BLD-49999".to_owned(), "BLD-49998".to_owned()], 50_000)
        );
    }

    #[test]
    fn a_search_reads_its_index_once_and_the_payloads_of_its_page_alone() {
        let conn = city(1);
        let plan = |sql: &str| {
            let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let lines = statement.raw_query().mapped(|row| row.get::<_, String>(3));
            lines.map(Result::unwrap).collect::<Vec<_>>().join("\n")
        };
        let scan = "SCAN application USING COVERING INDEX application_search";
        for words in [0, 1, 16] {
            assert_eq!(plan(&matching_sql(words)).matches("SCAN").count(), 1);
            assert!(plan(&matching_sql(words)).contains(scan));
            let page = plan(&page_sql(words));
            assert!(
                page.contains(scan) && page.contains("SEARCH application USING INTEGER PRIMARY KEY"),
                "{page}"
            );
        }
        assert!(plan(COPIED_AT).contains("COVERING INDEX application_copied"), "{}", plan(COPIED_AT));
    }
}
