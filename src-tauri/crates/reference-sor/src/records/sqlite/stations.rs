//! Stations, their tokens, people and their sessions.

use holdfast_core::ids::{ActorId, Digest, LocalSeq, SessionId, StationId};
use holdfast_core::people::SessionStatement;
use holdfast_core::sign::PublicKey;
use holdfast_core::time::UtcMillis;
use rusqlite::{OptionalExtension as _, Transaction, params};

use super::super::{Answer, Enrolled, Enrolment, Gate, Granted, Person, RecordsFault, TokenGrant};
use super::codec::{self, stored};
use crate::password::PasswordHash;

pub(super) fn add_codes(tx: &Transaction<'_>, codes: &[Digest]) -> Answer<()> {
    let mut insert =
        tx.prepare_cached("INSERT INTO enrol_codes (digest) VALUES (?1) ON CONFLICT (digest) DO NOTHING")?;
    for code in codes {
        insert.execute([code.bytes()])?;
    }
    Ok(())
}

pub(super) fn enrol(tx: &Transaction<'_>, enrolment: &Enrolment<'_>) -> Answer<Enrolled> {
    let name = enrolment.station.as_str();
    let kept = tx
        .query_row("SELECT key, enrolled_at FROM stations WHERE station_id = ?1", [name], |row| {
            Ok((row.get::<_, [u8; 32]>(0)?, codec::time(row, 1)?))
        })
        .optional()?;
    if let Some((_, at)) = kept.filter(|(key, _)| *key == enrolment.key.bytes()) {
        return Ok(Enrolled::Already(at));
    }
    if !opens(tx, enrolment)? {
        return Ok(Enrolled::Refused);
    }
    tx.execute("DELETE FROM tokens WHERE station_id = ?1", [name])?;
    tx.execute(
        "INSERT INTO stations (station_id, key, enrolled_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (station_id) DO UPDATE SET key = ?2, enrolled_at = ?3",
        params![name, enrolment.key.bytes(), enrolment.at.millis()],
    )?;
    Ok(Enrolled::New(enrolment.at))
}

/// Whether the gate lets the station in; its code is used up by that.
fn opens(tx: &Transaction<'_>, enrolment: &Enrolment<'_>) -> Answer<bool> {
    match enrolment.gate {
        Gate::Open => Ok(true),
        Gate::Shut => Ok(false),
        Gate::Code(code) => {
            let used = tx.execute(
                "UPDATE enrol_codes SET station_id = ?2, used_at = ?3 WHERE digest = ?1 AND used_at IS NULL",
                params![code.bytes(), enrolment.station.as_str(), enrolment.at.millis()],
            )?;
            Ok(used == 1)
        }
    }
}

pub(super) fn key(tx: &Transaction<'_>, station: &StationId) -> Answer<Option<PublicKey>> {
    let mut select = tx.prepare_cached("SELECT key FROM stations WHERE station_id = ?1")?;
    let bytes = select.query_row([station.as_str()], |row| row.get::<_, [u8; 32]>(0)).optional()?;
    let key = bytes.map(|bytes| PublicKey::from_bytes(&bytes)).transpose();
    key.map_err(|_| RecordsFault::Unreadable { what: "station key" })
}

pub(super) fn grant(tx: &Transaction<'_>, grant: &TokenGrant<'_>) -> Answer<Granted> {
    tx.execute("DELETE FROM token_requests WHERE until < ?1", [grant.at.millis()])?;
    tx.execute("DELETE FROM tokens WHERE until < ?1", [grant.at.millis()])?;
    let new = tx.execute(
        "INSERT INTO token_requests (station_id, jti, until) VALUES (?1, ?2, ?3)
         ON CONFLICT (station_id, jti) DO NOTHING",
        params![grant.station.as_str(), grant.jti, grant.jti_until.millis()],
    )?;
    if new == 0 {
        return Ok(Granted::Replayed);
    }
    tx.execute(
        "INSERT INTO tokens (digest, station_id, until) VALUES (?1, ?2, ?3)",
        params![grant.token.bytes(), grant.station.as_str(), grant.until.millis()],
    )?;
    Ok(Granted::Granted)
}

pub(super) fn of_token(tx: &Transaction<'_>, token: &Digest, at: UtcMillis) -> Answer<Option<StationId>> {
    let mut select = tx.prepare_cached("SELECT station_id FROM tokens WHERE digest = ?1 AND until > ?2")?;
    Ok(select.query_row(params![token.bytes(), at.millis()], |row| codec::text(row, 0)).optional()?)
}

pub(super) fn last_local_seq(tx: &Transaction<'_>, station: &StationId) -> Answer<Option<LocalSeq>> {
    let mut select = tx.prepare_cached(
        "SELECT last_local_seq FROM stations WHERE station_id = ?1 AND last_local_seq IS NOT NULL",
    )?;
    let last = select.query_row([station.as_str()], |row| codec::count(row, 0)).optional()?;
    Ok(last.map(LocalSeq))
}

pub(super) fn held_of(tx: &Transaction<'_>, station: &StationId) -> Answer<u64> {
    let mut select = tx.prepare_cached("SELECT count(*) FROM operations WHERE station_id = ?1")?;
    Ok(select.query_row([station.as_str()], |row| codec::count(row, 0))?)
}

pub(super) fn person(tx: &Transaction<'_>, actor: &ActorId) -> Answer<Option<Person>> {
    let mut select = tx.prepare_cached("SELECT salt, hash, roles FROM people WHERE actor = ?1")?;
    let person = select.query_row([actor.as_str()], |row| {
        let password = PasswordHash { salt: row.get(0)?, hash: row.get(1)? };
        Ok(Person { actor: actor.clone(), password, roles: codec::json(row, 2)? })
    });
    Ok(person.optional()?)
}

pub(super) fn open_session(tx: &Transaction<'_>, statement: &SessionStatement) -> Answer<()> {
    let text = serde_json::to_string(statement).map_err(|_| RecordsFault::Unreadable { what: "session" })?;
    tx.execute(
        "INSERT INTO sessions (sid, statement) VALUES (?1, ?2)",
        params![stored(&statement.sid), text],
    )?;
    Ok(())
}

pub(super) fn session(tx: &Transaction<'_>, sid: SessionId) -> Answer<Option<SessionStatement>> {
    let mut select = tx.prepare_cached("SELECT statement FROM sessions WHERE sid = ?1")?;
    Ok(select.query_row([stored(&sid)], |row| codec::json(row, 0)).optional()?)
}
