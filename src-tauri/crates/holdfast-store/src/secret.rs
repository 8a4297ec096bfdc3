//! The tables `secret` and `user_session_key`: seeds of key pairs, encrypted with everything else.

use holdfast_core::sign::KeyPair;
use holdfast_station::ports::{OsUser, Secret, SecretName};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use zeroize::Zeroizing;

use crate::fault::Fault;

const STATION_KEY: &str = "station_key";

pub(crate) fn keep(tx: &Transaction<'_>, name: SecretName, secret: &[u8]) -> Result<(), Fault> {
    match name {
        SecretName::StationKey => tx.execute(
            "INSERT INTO secret (name, secret) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET secret = ?2",
            params![STATION_KEY, secret],
        )?,
        SecretName::SessionKey(OsUser(user)) => tx.execute(
            "INSERT INTO user_session_key (os_uid, secret) VALUES (?1, ?2)
             ON CONFLICT (os_uid) DO UPDATE SET secret = ?2",
            params![user, secret],
        )?,
    };
    Ok(())
}

/// Its bytes are gone from the rows; the engine overwrites freed pages with what comes next, all of it encrypted.
pub(crate) fn forget(tx: &Transaction<'_>, name: SecretName) -> Result<(), Fault> {
    match name {
        SecretName::StationKey => tx.execute("DELETE FROM secret WHERE name = ?1", [STATION_KEY])?,
        SecretName::SessionKey(OsUser(user)) => {
            tx.execute("DELETE FROM user_session_key WHERE os_uid = ?1", [user])?
        }
    };
    Ok(())
}

pub(crate) fn secret(conn: &Connection, name: SecretName) -> Result<Option<Secret>, Fault> {
    let secret = |row: &rusqlite::Row<'_>| row.get::<_, Vec<u8>>(0).map(Zeroizing::new);
    let found = match name {
        SecretName::StationKey => {
            conn.prepare_cached("SELECT secret FROM secret WHERE name = ?1")?.query_row([STATION_KEY], secret)
        }
        SecretName::SessionKey(OsUser(user)) => conn
            .prepare_cached("SELECT secret FROM user_session_key WHERE os_uid = ?1")?
            .query_row([user], secret),
    };
    Ok(found.optional()?)
}

/// The station's own key pair.
pub(crate) fn station_key(conn: &Connection) -> Result<KeyPair, Fault> {
    let seed = secret(conn, SecretName::StationKey)?;
    let seed = seed.as_deref().and_then(|seed| <&[u8; 32]>::try_from(seed.as_slice()).ok());
    seed.map(KeyPair::from_seed).ok_or_else(|| Fault::damaged("the station's key"))
}
