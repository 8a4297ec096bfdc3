//! The table `alarm`: alarms that are raised, and what alarms and notices follow from.

use holdfast_core::alarms::{Alarm, Rejections, Sendable};
use holdfast_core::audit::Entry;
use holdfast_station::ports::{NoticeFacts, Sending};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::columns::{Count, Json, Text, text};
use crate::fault::Fault;
use crate::turn::Turn;
use crate::{books, configuration, endpoint, reproving, skipped};

/// Reasons of rejections that are looked at, the most frequent first.
const REASONS_MAX_ROWS: u32 = 8;

pub(crate) fn notices(conn: &Connection) -> Result<NoticeFacts, Fault> {
    let restore = reproving::open(conn)?.map(|(_, restore)| restore);
    Ok(NoticeFacts {
        primary: endpoint::primary(conn)?,
        sending: if restore.is_some() { Sending::Pauses } else { Sending::Goes },
        sendable: sendable(conn)?,
        rejections: if books::station(conn)?.quarantined > 0 { rejections(conn)? } else { Vec::new() },
        raised: raised(conn)?,
        restore,
        configuration: configuration::record(conn)?.refused,
        skipped: skipped::all(conn)?.pop(),
    })
}

/// Which are raised from now on.
pub(crate) fn keep(turn: &mut Turn<'_>, raised: &[Alarm], entries: Vec<Entry>) -> Result<(), Fault> {
    turn.tx.execute("DELETE FROM alarm", [])?;
    for alarm in raised {
        let sql = "INSERT INTO alarm (name, alarm, kept_at) VALUES (?1, ?2, ?3)";
        turn.tx.execute(sql, params![alarm.name(), Json(alarm), Text(turn.trail.stamp().at)])?;
    }
    turn.audit_all(entries)
}

fn raised(conn: &Connection) -> Result<Vec<Alarm>, Fault> {
    let mut statement = conn.prepare_cached("SELECT alarm FROM alarm ORDER BY name")?;
    let rows = statement.query_map([], |row| row.get::<_, Json<Alarm>>(0))?;
    Ok(rows.map(|row| row.map(|Json(alarm)| alarm)).collect::<rusqlite::Result<_>>()?)
}

/// One row of an index, however many wait.
fn sendable(conn: &Connection) -> Result<Option<Sendable>, Fault> {
    let sql = "SELECT accepted_at, last_sent_at FROM operation INDEXED BY operation_ready
               WHERE head = 1 AND state = 'pending' AND wait_ms IS NULL ORDER BY lane_rank, place, revision LIMIT 1";
    let found = conn.prepare_cached(sql)?.query_row([], |row| {
        Ok(Sendable { accepted_at: row.get::<_, Text<_>>(0)?.0, last_sent_at: text(row.get(1)?) })
    });
    Ok(found.optional()?)
}

/// An answer that names no field counts as one about the whole.
fn rejections(conn: &Connection) -> Result<Vec<Rejections>, Fault> {
    let sql =
        "SELECT coalesce(json_extract(o.answer, '$.type'), ''), coalesce(json_extract(e.value, '$.pointer'), ''),
                count(DISTINCT o.local_seq) AS operations
         FROM operation o INDEXED BY operation_quarantined LEFT JOIN json_each(o.answer, '$.errors') e
         WHERE o.state = 'quarantined' AND o.quarantine_reason = 'rejected'
         GROUP BY 1, 2 ORDER BY operations DESC, 1, 2 LIMIT ?1";
    let mut statement = conn.prepare_cached(sql)?;
    let rows = statement.query_map([REASONS_MAX_ROWS], |row| {
        Ok(Rejections { problem: row.get(0)?, pointer: row.get(1)?, count: row.get::<_, Count>(2)?.0 })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
