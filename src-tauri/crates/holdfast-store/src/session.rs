//! The tables `user_session`, who is signed in for each user of this computer, and `statement`, every session that was opened
//! here. The sessions' keys lie in a table of their own ([`crate::secret`]). The table `session` is an older program's.

use holdfast_core::people::SignedStatement;
use holdfast_station::ports::{KeptSession, OsUser};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use crate::columns::{Json, Text};
use crate::fault::Fault;

/// A session from before each user of this computer had one of their own.
const FROM_BEFORE: i64 = -1;

pub(crate) fn keep(tx: &Transaction<'_>, session: &KeptSession) -> Result<(), Fault> {
    let sql = "INSERT INTO user_session (os_uid, signed, opened_at) VALUES (?1, ?2, ?3)
               ON CONFLICT (os_uid) DO UPDATE SET signed = ?2, opened_at = ?3";
    let OsUser(user) = session.user;
    tx.execute(sql, params![user, Json(&session.signed), Text(session.opened_at)])?;
    let sql = "INSERT INTO statement (sid, signed, opened_at, os_uid) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (sid) DO UPDATE SET signed = ?2, opened_at = ?3, os_uid = ?4";
    let sid = Text(session.signed.statement.sid);
    tx.execute(sql, params![sid, Json(&session.signed), Text(session.opened_at), user])?;
    Ok(())
}

/// What was opened before sessions were each user's own is its maker's: folders were one user's alone.
pub(crate) fn give_to(tx: &Transaction<'_>, OsUser(maker): OsUser) -> Result<(), Fault> {
    for table in ["user_session", "user_session_key"] {
        let sql = format!("UPDATE OR REPLACE {table} SET os_uid = ?1 WHERE os_uid = ?2");
        tx.execute(&sql, params![maker, FROM_BEFORE])?;
    }
    Ok(())
}

/// The last sessions that were opened here, the latest first.
pub(crate) fn statements(conn: &Connection, rows: u32) -> Result<Vec<SignedStatement>, Fault> {
    let sql = "SELECT signed FROM statement ORDER BY opened_at DESC LIMIT ?1";
    let mut statement = conn.prepare_cached(sql)?;
    let rows = statement.query_map([rows], |row| row.get::<_, Json<SignedStatement>>(0))?;
    Ok(rows.map(|row| row.map(|Json(signed)| signed)).collect::<rusqlite::Result<_>>()?)
}

/// Nobody is signed in for this user any more.
pub(crate) fn close(tx: &Transaction<'_>, OsUser(user): OsUser) -> Result<(), Fault> {
    tx.execute("DELETE FROM user_session WHERE os_uid = ?1", [user])?;
    Ok(())
}

pub(crate) fn session(conn: &Connection, user: OsUser) -> Result<Option<KeptSession>, Fault> {
    let sql = "SELECT signed, opened_at FROM user_session WHERE os_uid = ?1";
    let mut statement = conn.prepare_cached(sql)?;
    let kept = statement.query_row([user.0], |row| {
        Ok(KeptSession { user, signed: row.get::<_, Json<_>>(0)?.0, opened_at: row.get::<_, Text<_>>(1)?.0 })
    });
    Ok(kept.optional()?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use holdfast_core::sign::KeyPair;
    use holdfast_station::ports::{Journal as _, SecretName, Vault as _};
    use zeroize::Zeroizing;

    use super::*;
    use crate::Store;
    use crate::scratch::{now, scratch, store_in};

    fn signed(actor: &str) -> SignedStatement {
        let statement = serde_json::json!({
            "v": 1, "sid": "01932c6f-8f0a-7cc3-98a1-0242ac120009", "station_id": "front-1", "actor": actor,
            "roles": ["clerk"], "key": KeyPair::from_seed(&[1; 32]).public(),
            "from": now().wall, "until": "2026-12-01T08:00:00.000Z",
        });
        serde_json::from_value(serde_json::json!({ "statement": statement, "sig": "00".repeat(64) })).unwrap()
    }

    #[test]
    fn a_session_from_before_belongs_to_the_folders_maker_and_another_user_has_none() {
        let folder = scratch();
        let store = store_in(folder.path());
        let own = store.own_user();
        let before = KeptSession { user: own, signed: signed("clerk"), opened_at: now().wall };
        store.keep_session(now(), before.clone(), Vec::new()).unwrap();
        store.keep(SecretName::SessionKey(own), Zeroizing::new(vec![1; 32])).unwrap();
        for table in ["user_session", "user_session_key"] {
            let sql = format!("UPDATE {table} SET os_uid = {FROM_BEFORE}");
            store.write_untold(move |tx| Ok(tx.execute_batch(&sql)?)).unwrap();
        }
        assert_eq!(store.session(own).unwrap(), None);
        store.close().unwrap();

        let store = Store::open(folder.path(), b"words", now()).unwrap();
        assert_eq!(store.session(own).unwrap(), Some(before));
        assert!(store.secret(SecretName::SessionKey(own)).unwrap().is_some());
        let other = OsUser(own.0 + 1);
        assert_eq!(store.session(other).unwrap(), None);
        assert!(store.secret(SecretName::SessionKey(other)).unwrap().is_none());
    }
}
