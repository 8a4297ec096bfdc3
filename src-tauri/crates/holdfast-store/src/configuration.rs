//! The table `configuration_told`: the configuration as the audit knows it.
//!
//! Promise: what is kept as told is told in the same transaction, together with what it changes of endpoints that wait.

use holdfast_core::time::Now;
use holdfast_station::ports::{
    ConfigurationChange, ConfigurationFacts, ConfigurationRecord, Configurations, Decide, JournalError,
    RefusedConfiguration,
};
use holdfast_station::settings::Listed;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::columns::{Json, Text};
use crate::endpoint;
use crate::fault::Fault;
use crate::store::Store;
use crate::turn::Turn;
use crate::writer::WhenFull;

impl Configurations for Store {
    fn configuration(&self) -> Result<ConfigurationRecord, JournalError> {
        self.read(|tx| record(tx))
    }

    fn change_configuration(
        &self,
        now: Now,
        decide: Decide<ConfigurationFacts, Option<ConfigurationChange>>,
    ) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| {
            let facts = ConfigurationFacts { record: record(&turn.tx)?, endpoints: endpoint::all(&turn.tx)? };
            decide(&facts).map_or(Ok(()), |change| keep(turn, change))
        })
    }
}

pub(crate) fn record(conn: &Connection) -> Result<ConfigurationRecord, Fault> {
    let sql = "SELECT settings, refused FROM configuration_told";
    let row = conn.prepare_cached(sql)?.query_row([], |row| {
        let refused: Option<Json<RefusedConfiguration>> = row.get(1)?;
        Ok(ConfigurationRecord {
            told: row.get::<_, Json<Listed>>(0)?.0,
            refused: refused.map(|Json(refused)| refused),
        })
    });
    Ok(row.optional()?.unwrap_or_default())
}

fn keep(turn: &mut Turn<'_>, change: ConfigurationChange) -> Result<(), Fault> {
    let ConfigurationChange { record, endpoints, entries } = change;
    let sql = "INSERT INTO configuration_told (one, settings, refused, told_at) VALUES (1, ?1, ?2, ?3)
               ON CONFLICT (one) DO UPDATE SET settings = ?1, refused = ?2, told_at = ?3";
    let at = Text(turn.trail.stamp().at);
    turn.tx.execute(sql, params![Json(record.told), record.refused.map(Json), at])?;
    endpoints.iter().try_for_each(|endpoint| endpoint::keep(&turn.tx, endpoint))?;
    turn.audit_all(entries)
}
