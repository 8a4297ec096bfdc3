//! Listing operations, waiting and archived, a page at a time, and opening one.
//!
//! Promise: the order of work and a person's own work are read from indices; the rows of the page alone are read whole.

use holdfast_core::ids::{ActorId, ApplicationId, OperationId};
use holdfast_core::time::UtcMillis;
use holdfast_station::ports::{
    FoundRecord, ITEMS_OF_RECORD_MAX, ItemRecord, Items, ItemsAsk, ItemsOrder, ItemsWanted, JournalError,
    Lists, OpenedItem, OperationRecord, Page, Wanted,
};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params, params_from_iter};

use crate::columns::{Count, Json, Text, text};
use crate::fault::Fault;
use crate::operation_record::{self, receipt_no_of};
use crate::store::Store;
use crate::{books, find, replacement};

impl Lists for Store {
    fn find(&self, wanted: &Wanted, page: Page) -> Result<holdfast_station::ports::Found, JournalError> {
        self.read(|tx| find::find(tx, wanted, page))
    }

    fn found_record(
        &self,
        id: ApplicationId,
    ) -> Result<Option<(FoundRecord, Vec<ItemRecord>)>, JournalError> {
        self.read(|tx| {
            let Some(record) = find::record(tx, id)? else { return Ok(None) };
            Ok(Some((record, of_application(tx, id)?)))
        })
    }

    fn items(&self, ask: &ItemsAsk) -> Result<Items, JournalError> {
        self.read(|tx| items(tx, ask))
    }

    fn item(&self, id: OperationId) -> Result<Option<OpenedItem>, JournalError> {
        self.read(|tx| opened(tx, id))
    }

    fn sent_back(&self, actor: &ActorId) -> Result<u64, JournalError> {
        self.read(|tx| {
            let sql = count_sql(&ItemsWanted::SentBack(actor.clone()), 0);
            Ok(tx.prepare_cached(&sql)?.query_row(params![Text(actor)], |row| row.get::<_, Count>(0))?.0)
        })
    }
}

fn items(conn: &Connection, ask: &ItemsAsk) -> Result<Items, Fault> {
    let all = all(conn, &ask.of)?;
    let matching = if ask.words.is_empty() { all } else { matching(conn, ask)? };
    let mut statement = conn.prepare_cached(&page_sql(&ask.of, ask.words.len(), ask.order))?;
    let asked = parameters(ask).chain([ask.page.rows.into(), ask.page.skip.into()]);
    let page = statement.query_map(params_from_iter(asked), |row| row.get::<_, Text<OperationId>>(0))?;
    let mut rows = Vec::new();
    for id in page {
        rows.extend(item(conn, id?.0)?);
    }
    Ok(Items { rows, matching, all, last_recorded_at: last_recorded_at(conn)? })
}

/// The operations of an application, the latest first.
fn of_application(conn: &Connection, id: ApplicationId) -> Result<Vec<ItemRecord>, Fault> {
    let sql = "SELECT operation_id, local_seq FROM operation WHERE application_id = ?1 UNION ALL
               SELECT operation_id, local_seq FROM operation_archive WHERE application_id = ?1
               ORDER BY local_seq DESC LIMIT ?2";
    let mut statement = conn.prepare_cached(sql)?;
    let ids = statement
        .query_map(params![Text(id), ITEMS_OF_RECORD_MAX], |row| row.get::<_, Text<OperationId>>(0))?;
    let mut rows = Vec::new();
    for id in ids {
        rows.extend(item(conn, id?.0)?);
    }
    Ok(rows)
}

fn opened(conn: &Connection, id: OperationId) -> Result<Option<OpenedItem>, Fault> {
    let Some(item) = item(conn, id)? else { return Ok(None) };
    let sql = "SELECT (SELECT count(*) FROM operation f WHERE f.out_of_lane = o.out_of_lane AND f.out_of_lane = 0 AND f.application_id = o.application_id
                 AND (f.place, f.revision) > (o.place, o.revision)), answer FROM operation o WHERE operation_id = ?1";
    let beside = conn.prepare_cached(sql)?.query_row(params![Text(id)], |row| {
        Ok((row.get(0)?, row.get::<_, Option<Json<serde_json::Value>>>(1)?.map(|Json(answer)| answer)))
    });
    let (followers, answer) = beside.optional()?.unwrap_or((0, None));
    Ok(Some(OpenedItem { item, followers, answer: answer.filter(|answer| !answer.is_null()) }))
}

fn item(conn: &Connection, id: OperationId) -> Result<Option<ItemRecord>, Fault> {
    let found = operation_record::by_id(conn, id)?;
    found.map(|operation| with_what_is_beside(conn, operation)).transpose()
}

fn with_what_is_beside(conn: &Connection, operation: OperationRecord) -> Result<ItemRecord, Fault> {
    let id = operation.receipt.operation_id;
    let sql = "SELECT permit_num, CASE json_type(payload, '$.OriginalAddress1') WHEN 'text'
                 THEN json_extract(payload, '$.OriginalAddress1') END FROM application WHERE application_id = ?1";
    let lane = params![Text(operation.receipt.application_id)];
    let (permit_num, address) =
        conn.prepare_cached(sql)?.query_row(lane, |row| Ok((text(row.get(0)?), row.get(1)?)))?;
    let behind: Option<String> =
        conn.prepare_cached(BEHIND)?.query_row(params![Text(id)], |row| row.get(0)).optional()?;
    let remarks = conn.prepare_cached(REMARKS)?.query_row(params![Text(id)], |row| row.get(0)).optional()?;
    Ok(ItemRecord {
        permit_num: operation.receipt.permit_num.clone().or(permit_num),
        address,
        behind: behind.as_deref().and_then(receipt_no_of),
        replacements: replacement::replacements(conn, id)?,
        remarks: remarks.unwrap_or(0),
        operation,
    })
}

const BEHIND: &str =
    "SELECT p.receipt_no FROM operation o JOIN operation p ON p.out_of_lane = 0 AND o.out_of_lane = 0 AND p.application_id = o.application_id
     AND (p.place, p.revision) < (o.place, o.revision) WHERE o.operation_id = ?1
     ORDER BY p.place DESC, p.revision DESC LIMIT 1";

const REMARKS: &str =
    "SELECT coalesce(json_array_length(warnings), 0) FROM operation_archive WHERE operation_id = ?1";

fn last_recorded_at(conn: &Connection) -> Result<Option<UtcMillis>, Fault> {
    Ok(text(conn.prepare_cached(LAST_RECORDED)?.query_row([], |row| row.get(0))?))
}

const LAST_RECORDED: &str = "SELECT max(committed_at) FROM operation_archive WHERE committed_at IS NOT NULL";

/// How many there are without any words: of the whole station the books know it.
fn all(conn: &Connection, of: &ItemsWanted) -> Result<u32, Fault> {
    let count = match of {
        ItemsWanted::Waiting => books::station(conn).map(|books| books.pending + books.in_flight)?,
        ItemsWanted::Decisions => books::station(conn)?.quarantined,
        ItemsWanted::SentBack(actor) | ItemsWanted::Own(actor) => {
            conn.prepare_cached(&count_sql(of, 0))?
                .query_row(params![Text(actor)], |row| row.get::<_, Count>(0))?
                .0
        }
    };
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

fn matching(conn: &Connection, ask: &ItemsAsk) -> Result<u32, Fault> {
    let mut statement = conn.prepare_cached(&count_sql(&ask.of, ask.words.len()))?;
    Ok(statement.query_row(params_from_iter(parameters(ask)), |row| row.get(0))?)
}

/// Whose, then the words.
fn parameters(ask: &ItemsAsk) -> impl Iterator<Item = Value> {
    let actor = match &ask.of {
        ItemsWanted::Waiting | ItemsWanted::Decisions => Value::Null,
        ItemsWanted::SentBack(actor) | ItemsWanted::Own(actor) => actor.to_string().into(),
    };
    [actor].into_iter().chain(ask.words.iter().cloned().map(Value::from))
}

/// Where they are.
fn sources(of: &ItemsWanted) -> &'static [(&'static str, &'static str)] {
    match of {
        ItemsWanted::Waiting => &[("operation", "o.state <> 'quarantined'")],
        ItemsWanted::Decisions => &[("operation", "o.state = 'quarantined'")],
        ItemsWanted::SentBack(_) => &[("operation", "o.state = 'quarantined' AND o.actor = ?1")],
        ItemsWanted::Own(_) => &[("operation", "o.actor = ?1"), ("operation_archive", "o.actor = ?1")],
    }
}

fn count_sql(of: &ItemsWanted, words: usize) -> String {
    let counts = sources(of).iter().map(|source| format!("(SELECT count(*) {})", rows_sql(source, words)));
    // Named, so that the parameter is there whatever is counted.
    format!("SELECT {} WHERE ?1 IS ?1", counts.collect::<Vec<_>>().join(" + "))
}

/// Behind whose and the words: rows, then how many to pass over.
fn page_sql(of: &ItemsWanted, words: usize, order: ItemsOrder) -> String {
    let of_work = match of {
        ItemsWanted::Waiting | ItemsWanted::Decisions | ItemsWanted::SentBack(_) => {
            "lane_rank, place, revision"
        }
        ItemsWanted::Own(_) => "local_seq",
    };
    let order = match order {
        ItemsOrder::OfWork => of_work,
        ItemsOrder::LatestFirst => "local_seq DESC",
    };
    let selects = sources(of)
        .iter()
        .map(|source| format!("SELECT o.operation_id, o.local_seq {}", rows_sql(source, words)));
    let selects = selects.collect::<Vec<_>>().join(" UNION ALL ");
    format!("{selects} ORDER BY {order} LIMIT ?{} OFFSET ?{}", words + 2, words + 3)
}

fn rows_sql((table, condition): &(&str, &str), words: usize) -> String {
    let word = |n| format!("instr(lower(o.receipt_no) || char(10) || coalesce(a.search, ''), ?{n}) > 0");
    let words: Vec<String> = (2..words + 2).map(word).collect();
    if words.is_empty() {
        return format!("FROM {table} o WHERE {condition}");
    }
    let words = words.join(" AND ");
    format!(
        "FROM {table} o JOIN application a ON a.application_id = o.application_id WHERE {condition} AND {words}"
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::migrate::MIGRATIONS;

    /// What the engine means to do.
    fn plan(sql: &str) -> String {
        let conn = Connection::open_in_memory().unwrap();
        for migration in MIGRATIONS {
            conn.execute_batch(migration.sql).unwrap();
        }
        let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let lines = statement.raw_query().mapped(|row| row.get::<_, String>(3));
        lines.map(Result::unwrap).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_page_is_read_from_an_index_in_its_order_and_never_sorted_together() {
        let clerk = || "clerk".parse().unwrap();
        for (of, order, indices) in [
            (ItemsWanted::Waiting, ItemsOrder::OfWork, ["operation_order", "operation_order"]),
            (ItemsWanted::Own(clerk()), ItemsOrder::OfWork, ["operation_actor", "operation_archive_actor"]),
            (
                ItemsWanted::Own(clerk()),
                ItemsOrder::LatestFirst,
                ["operation_actor", "operation_archive_actor"],
            ),
            (
                ItemsWanted::SentBack(clerk()),
                ItemsOrder::LatestFirst,
                ["operation_quarantined", "operation_quarantined"],
            ),
        ] {
            let plan = plan(&page_sql(&of, 0, order));
            assert!(indices.iter().all(|index| plan.contains(index)), "{of:?}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{of:?}: {plan}");
        }
    }

    #[test]
    fn what_every_screen_asks_is_counted_by_an_index() {
        let clerk = || "clerk".parse().unwrap();
        for (sql, index) in [
            (count_sql(&ItemsWanted::SentBack(clerk()), 0), "INDEX operation_quarantined (actor=?)"),
            (count_sql(&ItemsWanted::Own(clerk()), 0), "INDEX operation_archive_actor (actor=?)"),
            (LAST_RECORDED.to_owned(), "COVERING INDEX operation_archive_committed"),
            (BEHIND.to_owned(), "operation_lane"),
        ] {
            let plan = plan(&sql);
            assert!(plan.contains(index) && !plan.contains("TEMP B-TREE"), "{index} in {plan}");
        }
    }
}
