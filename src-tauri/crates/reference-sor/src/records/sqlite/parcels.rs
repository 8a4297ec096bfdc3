//! The table of the city's parcels.

use holdfast_core::parcel::{Bounds, Parcel, Pin};
use holdfast_core::time::UtcMillis;
use rusqlite::{OptionalExtension as _, Row, Transaction, params};
use serde::Serialize;

use super::super::{Answer, RecordsFault};
use super::{SqliteRecords, codec};
use crate::parcels::ParcelBook;

const PARCEL: &str =
    "SELECT pin, address, zoning, overlays, coalesce(bounds, 'null'), updated_at FROM parcels";

impl ParcelBook for SqliteRecords {
    fn open_parcels(&self, planted: &[Parcel]) -> Answer<()> {
        self.write_with(|tx| {
            tx.execute_batch(include_str!("parcels.sql"))?;
            if tx.prepare("SELECT 1 FROM parcels")?.exists([])? {
                return Ok(());
            }
            planted.iter().try_for_each(|parcel| put(tx, parcel))
        })
    }

    fn parcels(
        &self,
        after: Option<&Pin>,
        changed_since: Option<UtcMillis>,
        limit_rows: u32,
    ) -> Answer<Vec<Parcel>> {
        self.read_with(|tx| {
            let sql = format!(
                "{PARCEL} WHERE (?1 IS NULL OR pin > ?1) AND (?2 IS NULL OR updated_at >= ?2) ORDER BY pin LIMIT ?3"
            );
            let mut select = tx.prepare_cached(&sql)?;
            let since = changed_since.map(UtcMillis::millis);
            let rows = select.query_map(params![after.map(Pin::as_str), since, limit_rows], parcel)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn parcel(&self, pin: &Pin) -> Answer<Option<Parcel>> {
        self.read_with(|tx| {
            let sql = format!("{PARCEL} WHERE pin = ?1");
            Ok(tx.prepare_cached(&sql)?.query_row([pin.as_str()], parcel).optional()?)
        })
    }

    fn put_parcel(&self, parcel: &Parcel) -> Answer<()> {
        self.write_with(|tx| put(tx, parcel))
    }

    fn remove_parcel(&self, pin: &Pin) -> Answer<bool> {
        self.write_with(|tx| Ok(tx.execute("DELETE FROM parcels WHERE pin = ?1", [pin.as_str()])? == 1))
    }
}

fn put(tx: &Transaction<'_>, parcel: &Parcel) -> Answer<()> {
    let sql = "INSERT INTO parcels (pin, address, zoning, overlays, bounds, updated_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)
               ON CONFLICT (pin) DO UPDATE SET address = ?2, zoning = ?3, overlays = ?4, bounds = ?5, updated_at = ?6";
    tx.prepare_cached(sql)?.execute(params![
        parcel.pin.as_str(),
        parcel.address,
        parcel.zoning,
        json(&parcel.overlays)?,
        parcel.bounds.as_ref().map(json::<Bounds>).transpose()?,
        parcel.updated_at.millis(),
    ])?;
    Ok(())
}

fn parcel(row: &Row<'_>) -> rusqlite::Result<Parcel> {
    Ok(Parcel {
        pin: codec::text(row, 0)?,
        address: row.get(1)?,
        zoning: row.get(2)?,
        overlays: codec::json(row, 3)?,
        bounds: codec::json(row, 4)?,
        updated_at: codec::time(row, 5)?,
    })
}

fn json<T: Serialize>(value: &T) -> Answer<String> {
    serde_json::to_string(value).map_err(|_| RecordsFault::Unreadable { what: "parcel" })
}
