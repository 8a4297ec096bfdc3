//! What was drawn once for this SoR, and the versions of its contract.

use holdfast_core::ids::Digest;
use holdfast_core::sign::KeyPair;
use rusqlite::{OptionalExtension as _, Transaction, params};

use super::super::{Answer, Seal, SealSeeds};
use super::codec;

pub(super) fn seal(tx: &Transaction<'_>, seeds: &SealSeeds) -> Answer<Seal> {
    let identity = format!("alder-falls-{}", hex::encode(seeds.identity));
    tx.execute(
        "INSERT INTO seal (one, identity, sor_key, office_key, epoch) VALUES (1, ?1, ?2, ?3, 1)
         ON CONFLICT (one) DO NOTHING",
        params![identity, seeds.sor_key, seeds.office_key],
    )?;
    let seal = tx.query_row("SELECT identity, sor_key, office_key, epoch FROM seal", [], |row| {
        Ok(Seal {
            identity: codec::text(row, 0)?,
            sor_key: KeyPair::from_seed(&row.get(1)?),
            office_key: KeyPair::from_seed(&row.get(2)?),
            epoch: codec::count(row, 3)?,
        })
    })?;
    Ok(seal)
}

/// Before the first start there is nothing that could have come back.
pub(super) fn come_back(tx: &Transaction<'_>) -> Answer<()> {
    tx.execute("UPDATE seal SET epoch = epoch + 1", [])?;
    Ok(())
}

pub(super) fn contract_version(tx: &Transaction<'_>, files: &Digest) -> Answer<u64> {
    let last = tx
        .query_row("SELECT version, files FROM contract ORDER BY version DESC LIMIT 1", [], |row| {
            Ok((codec::count(row, 0)?, codec::digest(row, 1)?))
        })
        .optional()?;
    let version = match last {
        Some((version, kept)) if kept == *files => return Ok(version),
        Some((version, _)) => version + 1,
        None => 1,
    };
    tx.execute(
        "INSERT INTO contract (version, files) VALUES (?1, ?2)",
        params![codec::integer(version), files.bytes()],
    )?;
    Ok(version)
}
