//! Filling an empty database. What is planted has no operation, so that the ledger stays empty.

use holdfast_core::canonical::digest_of;
use holdfast_core::ids::IdempotencyKey;
use holdfast_core::time::UtcMillis;
use rusqlite::{Transaction, params};

use super::super::{Answer, Person, PlantedApplication, RecordsFault};
use super::numbers;
use super::operations::{self, New};

pub(super) fn plant(
    tx: &Transaction<'_>,
    people: &[Person],
    applications: &[PlantedApplication],
    at: UtcMillis,
) -> Answer<()> {
    if tx.prepare("SELECT 1 FROM people")?.exists([])? {
        return Ok(());
    }
    people.iter().try_for_each(|person| add_person(tx, person))?;
    applications.iter().try_for_each(|application| add_application(tx, application, at))
}

fn add_person(tx: &Transaction<'_>, person: &Person) -> Answer<()> {
    let roles =
        serde_json::to_string(&person.roles).map_err(|_| RecordsFault::Unreadable { what: "person" })?;
    tx.execute(
        "INSERT INTO people (actor, salt, hash, roles) VALUES (?1, ?2, ?3, ?4)",
        params![person.actor.as_str(), person.password.salt, person.password.hash, roles],
    )?;
    Ok(())
}

fn add_application(tx: &Transaction<'_>, planted: &PlantedApplication, at: UtcMillis) -> Answer<()> {
    let digest = digest_of(&planted.application_id);
    let etag = operations::etag_after(IdempotencyKey::from_bytes(*digest.bytes()));
    let permit_num = numbers::permit_num(tx, &planted.payload, at, &mut Vec::new())?;
    let new = New { id: planted.application_id, etag: &etag, stage: planted.stage, at };
    operations::add_application(tx, &new, &permit_num, &planted.payload)?;
    planted
        .inspections
        .iter()
        .try_for_each(|inspection| operations::add_inspection(tx, planted.application_id, inspection))
}
