//! The table `meta`: what never changes about a data folder, the pinned key of the rules office, and the class of the room
//! on the disk at the last assessment.

use holdfast_core::headroom::HeadroomClass;
use holdfast_core::sign::PublicKey;
use holdfast_station::ports::StationRecord;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, Transaction, params};

use crate::columns::{Text, Word};
use crate::fault::Fault;

/// A public key in a column: its 64 hex digits.
pub(crate) struct KeyColumn(pub(crate) PublicKey);

impl FromSql for KeyColumn {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(value.as_str()?, &mut bytes).map_err(FromSqlError::other)?;
        PublicKey::from_bytes(&bytes).map(Self).map_err(FromSqlError::other)
    }
}

impl ToSql for KeyColumn {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(hex::encode(self.0.bytes()).into())
    }
}

pub(crate) fn insert(
    tx: &Transaction<'_>,
    record: &StationRecord,
    office_key: Option<PublicKey>,
) -> Result<(), Fault> {
    tx.execute(
        "INSERT INTO meta (one, station_id, db_id, sor_url, identity, sor_key, profile, created_at, office_key, headroom)
         VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            Text(&record.station_id),
            Text(record.db_id),
            record.sor_url,
            Text(&record.identity),
            KeyColumn(record.sor_key),
            Word(record.profile),
            Text(record.created_at),
            office_key.map(KeyColumn),
            Word(HeadroomClass::Ample),
        ],
    )?;
    Ok(())
}

pub(crate) fn station(conn: &Connection) -> Result<StationRecord, Fault> {
    let sql = "SELECT station_id, db_id, sor_url, identity, sor_key, profile, created_at FROM meta";
    Ok(conn.query_row(sql, [], record_of)?)
}

fn record_of(row: &Row<'_>) -> rusqlite::Result<StationRecord> {
    Ok(StationRecord {
        station_id: row.get::<_, Text<_>>(0)?.0,
        db_id: row.get::<_, Text<_>>(1)?.0,
        sor_url: row.get(2)?,
        identity: row.get::<_, Text<_>>(3)?.0,
        sor_key: row.get::<_, KeyColumn>(4)?.0,
        profile: row.get::<_, Word<_>>(5)?.0,
        created_at: row.get::<_, Text<_>>(6)?.0,
    })
}

pub(crate) fn office_key(conn: &Connection) -> Result<Option<PublicKey>, Fault> {
    let key: Option<KeyColumn> = conn.query_row("SELECT office_key FROM meta", [], |row| row.get(0))?;
    Ok(key.map(|KeyColumn(key)| key))
}

pub(crate) fn pin_office_key(tx: &Transaction<'_>, key: PublicKey) -> Result<(), Fault> {
    tx.execute("UPDATE meta SET office_key = ?1", params![KeyColumn(key)])?;
    Ok(())
}

pub(crate) fn headroom(conn: &Connection) -> Result<HeadroomClass, Fault> {
    let class = conn.prepare_cached("SELECT headroom FROM meta")?.query_row([], |row| row.get(0));
    Ok(class.map(|Word(class)| class)?)
}

pub(crate) fn keep_headroom(tx: &Transaction<'_>, class: HeadroomClass) -> Result<(), Fault> {
    let sql = "UPDATE meta SET headroom = ?1 WHERE headroom <> ?1";
    tx.prepare_cached(sql)?.execute(params![Word(class)])?;
    Ok(())
}
