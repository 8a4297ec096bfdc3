//! The table `secret`: seeds of key pairs, encrypted with everything else.

use holdfast_core::sign::KeyPair;
use holdfast_station::ports::{Secret, SecretName};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use zeroize::Zeroizing;

use crate::fault::Fault;

pub(crate) fn keep(tx: &Transaction<'_>, name: SecretName, secret: &[u8]) -> Result<(), Fault> {
    let sql =
        "INSERT INTO secret (name, secret) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET secret = ?2";
    tx.execute(sql, params![name.word(), secret])?;
    Ok(())
}

/// Its bytes are gone from the rows; the engine overwrites freed pages with what comes next, all of it encrypted.
pub(crate) fn forget(tx: &Transaction<'_>, name: SecretName) -> Result<(), Fault> {
    tx.execute("DELETE FROM secret WHERE name = ?1", [name.word()])?;
    Ok(())
}

pub(crate) fn secret(conn: &Connection, name: SecretName) -> Result<Option<Secret>, Fault> {
    let mut statement = conn.prepare_cached("SELECT secret FROM secret WHERE name = ?1")?;
    let secret = statement.query_row([name.word()], |row| row.get::<_, Vec<u8>>(0).map(Zeroizing::new));
    Ok(secret.optional()?)
}

/// The station's own key pair.
pub(crate) fn station_key(conn: &Connection) -> Result<KeyPair, Fault> {
    let seed = secret(conn, SecretName::StationKey)?;
    let seed = seed.as_deref().and_then(|seed| <&[u8; 32]>::try_from(seed.as_slice()).ok());
    seed.map(KeyPair::from_seed).ok_or_else(|| Fault::damaged("the station's key"))
}
