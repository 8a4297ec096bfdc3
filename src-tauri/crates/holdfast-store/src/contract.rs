//! The table `contract`: the contract in use, whole, with its last attestation.

use holdfast_core::contract::Attested;
use holdfast_station::ports::KeptContract;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use crate::columns::{Count, Json};
use crate::fault::Fault;
use crate::meta::{self, KeyColumn};

/// Puts a contract in the place of the one before, and pins the key that it was checked with.
pub(crate) fn keep(tx: &Transaction<'_>, contract: &KeptContract) -> Result<(), Fault> {
    let sql = "INSERT INTO contract (one, version, bundle, attestation, attested, office_key)
         VALUES (1, ?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (one) DO UPDATE SET version = ?1, bundle = ?2, attestation = ?3, attested = ?4, office_key = ?5";
    tx.execute(
        sql,
        params![
            Count(contract.bundle.manifest.version),
            Json(&contract.bundle),
            Json(&contract.attestation),
            Json(&contract.attested),
            KeyColumn(contract.office_key),
        ],
    )?;
    meta::pin_office_key(tx, contract.office_key)
}

pub(crate) fn contract(conn: &Connection) -> Result<Option<KeptContract>, Fault> {
    let sql = "SELECT bundle, attestation, attested, office_key FROM contract";
    let kept = conn.query_row(sql, [], |row| {
        Ok(KeptContract {
            bundle: row.get::<_, Json<_>>(0)?.0,
            attestation: row.get::<_, Json<_>>(1)?.0,
            attested: row.get::<_, Json<_>>(2)?.0,
            office_key: row.get::<_, KeyColumn>(3)?.0,
        })
    });
    Ok(kept.optional()?)
}

/// Version and attestation alone, without the bundle, which is large.
pub(crate) fn attested(conn: &Connection) -> Result<Option<(u64, Attested)>, Fault> {
    let mut statement = conn.prepare_cached("SELECT version, attested FROM contract")?;
    let kept = statement.query_row([], |row| Ok((row.get::<_, Count>(0)?.0, row.get::<_, Json<_>>(1)?.0)));
    Ok(kept.optional()?)
}
