//! The contract: the signed bundle of rules that this station validates against, and for how long it holds.
//!
//! Promise: a contract counts only when the rules office signed it, whole, and attested it lately. Validity is counted
//! from the signed moment, never from fetching or loading, and nothing but a fresh signed attestation renews it. What the
//! rules say is [`crate::validate`]'s; fetching and keeping them is done elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::canonical::{canonical, digest_of, sha256};
use crate::ids::Digest;
use crate::limits::{ATTESTATION_VALID_MAX_H, CONTRACT_FILE_MAX_BYTES, CONTRACT_FILES_MAX};
use crate::sign::{KeyPair, PublicKey, Purpose, SignatureFault, b64u, from_b64u};
use crate::time::{Now, UtcMillis};

const HOUR_MS: u64 = 3_600_000;

/// What a contract consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the form, 1.
    pub v: u32,
    /// Whose rules these are.
    pub city: String,
    /// Rises with each contract.
    pub version: u64,
    /// From when it is in force.
    pub activates_at: UtcMillis,
    /// Its files.
    pub files: Vec<FileEntry>,
}

/// One file of a contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Its name inside the contract.
    pub path: String,
    /// SHA-256 of its bytes.
    pub sha256: Digest,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The rules office's word that a contract holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attestation {
    /// Version of the form, 1.
    pub v: u32,
    /// SHA-256 of the manifest's RFC 8785 text.
    pub manifest_sha256: Digest,
    /// The moment at which it held; validity is counted from here.
    pub valid_as_of: UtcMillis,
    /// Until when the office promises that it will hold, at most 72 hours later.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub valid_until: Option<UtcMillis>,
    /// Which key signed.
    pub key_id: String,
}

/// An attestation and its signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedAttestation {
    /// The attestation.
    pub attestation: Attestation,
    /// Over `"holdfast-attestation-v1\n" ‖ RFC 8785`, base64url.
    pub sig: String,
}

/// A contract as it travels: `GET /v1/contract`, or a rules file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bundle {
    /// What it consists of.
    pub manifest: Manifest,
    /// Over `"holdfast-contract-v1\n" ‖ RFC 8785 of the manifest`, base64url.
    pub manifest_sig: String,
    /// The key that signed, as SPKI PEM; believed only when nothing is pinned yet.
    pub public_key: String,
    /// The files' texts by path.
    pub files: BTreeMap<String, String>,
    /// Its attestation.
    pub attestation: Attestation,
    /// The attestation's signature.
    pub attestation_sig: String,
}

/// Why a contract or an attestation was not taken. The old one stays.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContractFault {
    /// Signed by another key, or changed on the way.
    #[error("the contract is not signed by the rules office")]
    Manifest(#[source] SignatureFault),
    /// The same of the attestation.
    #[error("the attestation is not signed by the rules office")]
    Attestation(#[source] SignatureFault),
    /// It attests another contract.
    #[error("the attestation belongs to another contract")]
    OtherContract,
    /// A version of the form that this program does not know.
    #[error("version {v} of the contract's form is not known here")]
    UnknownForm {
        /// Its version.
        v: u32,
    },
    /// An older version than the one in use, or the same with other content.
    #[error("contract {offered} does not follow contract {current}")]
    GoesBack {
        /// The version in use.
        current: u64,
        /// The version offered.
        offered: u64,
    },
    /// It is dated in the future.
    #[error("the attestation is dated {valid_as_of}, which is in the future")]
    FromTheFuture {
        /// Its date.
        valid_as_of: UtcMillis,
    },
    /// It is older than the one in use.
    #[error("the attestation of {valid_as_of} is older than the one in use")]
    OlderAttestation {
        /// Its date.
        valid_as_of: UtcMillis,
    },
    /// It promises more than 72 hours, or less than nothing.
    #[error("an attestation may promise at most {max_h} hours")]
    PromisesTooMuch {
        /// The limit.
        max_h: u32,
    },
    /// Not in force yet.
    #[error("the contract is not in force before {activates_at}")]
    NotYetActive {
        /// From when it is.
        activates_at: UtcMillis,
    },
    /// A file is missing, unexpected, too large or not the one that was signed.
    #[error("the contract's file {path} is not the one that was signed")]
    File {
        /// Which one.
        path: String,
    },
    /// More files than a contract may have.
    #[error("the contract has {files} files; the limit is {max_files}")]
    TooManyFiles {
        /// How many.
        files: usize,
        /// The limit.
        max_files: usize,
    },
}

/// The contract in use, as far as a newcomer is measured against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InUse {
    /// Its version.
    pub version: u64,
    /// SHA-256 of its manifest.
    pub manifest_sha256: Digest,
    /// Of its last attestation.
    pub valid_as_of: UtcMillis,
}

impl Manifest {
    /// SHA-256 of its RFC 8785 text.
    #[must_use]
    pub fn sha256(&self) -> Digest {
        digest_of(self)
    }

    /// Signs it.
    #[must_use]
    pub fn sign(&self, office: &KeyPair) -> String {
        office.sign(Purpose::Contract, &canonical(self))
    }
}

impl Attestation {
    /// Signs it.
    #[must_use]
    pub fn sign(self, office: &KeyPair) -> SignedAttestation {
        let sig = office.sign(Purpose::Attestation, &canonical(&self));
        SignedAttestation { attestation: self, sig }
    }
}

impl SignedAttestation {
    /// The header form `b64u(json).b64u(sig)`.
    #[must_use]
    pub fn to_header(&self) -> String {
        format!("{}.{}", b64u(&canonical(&self.attestation)), self.sig)
    }

    /// Reads the header form; `None` if it is not one.
    #[must_use]
    pub fn from_header(text: &str) -> Option<Self> {
        let (json, sig) = text.split_once('.')?;
        let attestation = serde_json::from_slice(&from_b64u(json)?).ok()?;
        Some(Self { attestation, sig: sig.to_owned() })
    }

    /// Checks signature, promise and date, and that it attests the manifest with `manifest_sha256`.
    ///
    /// # Errors
    /// See [`ContractFault`].
    pub fn check(
        &self,
        office: &PublicKey,
        manifest_sha256: &Digest,
        at: UtcMillis,
    ) -> Result<(), ContractFault> {
        let attestation = &self.attestation;
        office
            .check(Purpose::Attestation, &canonical(attestation), &self.sig)
            .map_err(ContractFault::Attestation)?;
        if attestation.v != 1 {
            return Err(ContractFault::UnknownForm { v: attestation.v });
        }
        if attestation.manifest_sha256 != *manifest_sha256 {
            return Err(ContractFault::OtherContract);
        }
        if attestation.valid_as_of > at {
            return Err(ContractFault::FromTheFuture { valid_as_of: attestation.valid_as_of });
        }
        attestation.promise_within_limit()
    }
}

impl Attestation {
    fn promise_within_limit(&self) -> Result<(), ContractFault> {
        let max_ms = i64::from(ATTESTATION_VALID_MAX_H) * 3_600_000;
        let promised_ms = self.valid_until.map_or(0, |until| until.millis_since(self.valid_as_of));
        if (0..=max_ms).contains(&promised_ms) {
            return Ok(());
        }
        Err(ContractFault::PromisesTooMuch { max_h: ATTESTATION_VALID_MAX_H })
    }
}

impl Bundle {
    /// The attestation with its signature.
    #[must_use]
    pub fn signed_attestation(&self) -> SignedAttestation {
        SignedAttestation { attestation: self.attestation.clone(), sig: self.attestation_sig.clone() }
    }

    /// Checks the whole: signatures, files, dates, and that it does not go back behind the contract in use.
    ///
    /// # Errors
    /// The first fault; see [`ContractFault`].
    pub fn check(
        &self,
        office: &PublicKey,
        in_use: Option<&InUse>,
        at: UtcMillis,
    ) -> Result<(), ContractFault> {
        let manifest = &self.manifest;
        office
            .check(Purpose::Contract, &canonical(manifest), &self.manifest_sig)
            .map_err(ContractFault::Manifest)?;
        if manifest.v != 1 {
            return Err(ContractFault::UnknownForm { v: manifest.v });
        }
        if manifest.activates_at > at {
            return Err(ContractFault::NotYetActive { activates_at: manifest.activates_at });
        }
        self.signed_attestation().check(office, &manifest.sha256(), at)?;
        in_use.map_or(Ok(()), |in_use| self.follows(in_use))?;
        self.files_are_the_signed_ones()
    }

    fn follows(&self, in_use: &InUse) -> Result<(), ContractFault> {
        let offered = self.manifest.version;
        let same = offered == in_use.version && self.manifest.sha256() == in_use.manifest_sha256;
        if offered <= in_use.version && !same {
            return Err(ContractFault::GoesBack { current: in_use.version, offered });
        }
        let valid_as_of = self.attestation.valid_as_of;
        if valid_as_of < in_use.valid_as_of {
            return Err(ContractFault::OlderAttestation { valid_as_of });
        }
        Ok(())
    }

    fn files_are_the_signed_ones(&self) -> Result<(), ContractFault> {
        let entries = &self.manifest.files;
        if entries.len() > CONTRACT_FILES_MAX {
            return Err(ContractFault::TooManyFiles { files: entries.len(), max_files: CONTRACT_FILES_MAX });
        }
        let named: BTreeSet<&str> = entries.iter().map(|entry| entry.path.as_str()).collect();
        if let Some(path) = self.files.keys().find(|path| !named.contains(path.as_str())) {
            return Err(ContractFault::File { path: path.clone() });
        }
        let wrong = entries.iter().find(|entry| !entry.fits(self.files.get(&entry.path)));
        wrong.map_or(Ok(()), |entry| Err(ContractFault::File { path: entry.path.clone() }))
    }
}

impl FileEntry {
    fn fits(&self, text: Option<&String>) -> bool {
        text.is_some_and(|text| {
            let bytes = text.as_bytes();
            bytes.len() <= CONTRACT_FILE_MAX_BYTES
                && u64::try_from(bytes.len()) == Ok(self.bytes)
                && sha256(bytes) == self.sha256
        })
    }
}

/// When a contract was attested, and when this station saw that attestation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attested {
    /// The signed moment.
    pub valid_as_of: UtcMillis,
    /// The office's promise.
    pub valid_until: Option<UtcMillis>,
    /// When it was seen here, by both clocks.
    pub seen: Now,
}

/// Whether the contract holds now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Validity {
    /// It holds.
    Valid,
    /// It held, and is too old.
    Expired,
    /// It is dated in the future: this computer's clock has gone back, or the date is wrong.
    FromTheFuture,
    /// There is none.
    Missing,
}

impl Attested {
    /// Its age in milliseconds, by whichever clock says more; 0 when it is dated in the future.
    #[must_use]
    pub fn age_ms(&self, now: Now) -> u64 {
        let by_wall = now.wall.millis_since(self.valid_as_of);
        let when_seen = self.seen.wall.millis_since(self.valid_as_of);
        let by_boot = i64::try_from(now.boot.0.saturating_sub(self.seen.boot.0)).unwrap_or(i64::MAX);
        let age = by_wall.max(when_seen.max(0).saturating_add(by_boot));
        u64::try_from(age).unwrap_or(0)
    }

    /// Whether it holds: `ttl_h` hours from the signed moment, or as long as the office promised.
    #[must_use]
    pub fn validity(&self, now: Now, ttl_h: u32) -> Validity {
        if self.valid_as_of > now.wall {
            return Validity::FromTheFuture;
        }
        if self.age_ms(now) <= self.limit_ms(ttl_h) { Validity::Valid } else { Validity::Expired }
    }

    /// The last moment at which it holds, by a wall clock that is right.
    #[must_use]
    pub fn holds_until(&self, ttl_h: u32) -> UtcMillis {
        self.valid_as_of.plus_millis(i64::try_from(self.limit_ms(ttl_h)).unwrap_or(i64::MAX))
    }

    fn limit_ms(&self, ttl_h: u32) -> u64 {
        let promised_ms = self.valid_until.map_or(0, |until| until.millis_since(self.valid_as_of));
        let promised_ms =
            u64::try_from(promised_ms).unwrap_or(0).min(u64::from(ATTESTATION_VALID_MAX_H) * HOUR_MS);
        promised_ms.max(u64::from(ttl_h) * HOUR_MS)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::BootMillis;

    fn at(text: &str) -> UtcMillis {
        text.parse().unwrap()
    }

    fn office() -> KeyPair {
        KeyPair::from_seed(&[7; 32])
    }

    fn bundle(version: u64, text: &str) -> Bundle {
        let file =
            FileEntry { path: "a.json".into(), sha256: sha256(text.as_bytes()), bytes: text.len() as u64 };
        let manifest = Manifest {
            v: 1,
            city: "alder-falls".into(),
            version,
            activates_at: at("2026-11-01T00:00:00.000Z"),
            files: vec![file],
        };
        let attestation = Attestation {
            v: 1,
            manifest_sha256: manifest.sha256(),
            valid_as_of: at("2026-11-30T07:00:00.000Z"),
            valid_until: None,
            key_id: "rules-2026".into(),
        }
        .sign(&office());
        Bundle {
            manifest_sig: manifest.sign(&office()),
            manifest,
            public_key: office().public().to_pem(),
            files: [("a.json".to_owned(), text.to_owned())].into(),
            attestation: attestation.attestation,
            attestation_sig: attestation.sig,
        }
    }

    #[test]
    fn a_contract_is_taken_only_whole_signed_and_forward() {
        let now = at("2026-11-30T08:00:00.000Z");
        let key = office().public();
        let good = bundle(7, "{}");
        assert_eq!(good.check(&key, None, now), Ok(()));

        let mut changed = good.clone();
        changed.files.insert("a.json".into(), "[]".into());
        assert_eq!(changed.check(&key, None, now), Err(ContractFault::File { path: "a.json".into() }));
        let mut added = good.clone();
        added.files.insert("b.json".into(), "{}".into());
        assert_eq!(added.check(&key, None, now), Err(ContractFault::File { path: "b.json".into() }));
        let mut forged = good.clone();
        forged.manifest.version = 8;
        assert!(matches!(forged.check(&key, None, now), Err(ContractFault::Manifest(_))));
        let stranger = KeyPair::from_seed(&[8; 32]).public();
        assert!(matches!(good.check(&stranger, None, now), Err(ContractFault::Manifest(_))));
        assert!(matches!(
            good.check(&key, None, at("2026-11-30T06:59:59.999Z")),
            Err(ContractFault::FromTheFuture { .. })
        ));

        let in_use = |version, text: &str, valid_as_of| InUse {
            version,
            manifest_sha256: bundle(version, text).manifest.sha256(),
            valid_as_of: at(valid_as_of),
        };
        let before = "2026-11-30T06:00:00.000Z";
        assert_eq!(good.check(&key, Some(&in_use(7, "{}", before)), now), Ok(()));
        assert_eq!(good.check(&key, Some(&in_use(6, "x", before)), now), Ok(()));
        let back = ContractFault::GoesBack { current: 8, offered: 7 };
        assert_eq!(good.check(&key, Some(&in_use(8, "{}", before)), now), Err(back));
        assert!(
            good.check(&key, Some(&in_use(7, "other", before)), now).is_err(),
            "same version, other content"
        );
        assert!(
            good.check(&key, Some(&in_use(7, "{}", "2026-11-30T07:30:00.000Z")), now).is_err(),
            "older word"
        );
    }

    #[test]
    fn validity_counts_from_the_signed_moment_by_whichever_clock_says_more() {
        let signed = at("2026-11-30T07:00:00.000Z");
        let seen = Now { wall: at("2026-11-30T07:00:01.000Z"), boot: BootMillis(1_000) };
        let hours = |wall_ms: i64, boot_ms: u64| Now {
            wall: signed.plus_millis(wall_ms),
            boot: BootMillis(1_000 + boot_ms),
        };
        let day = 24 * 3_600_000;
        let plain = Attested { valid_as_of: signed, valid_until: None, seen };
        assert_eq!(plain.validity(hours(day, 0), 24), Validity::Valid, "exactly 24 h");
        assert_eq!(plain.validity(hours(day + 1, 0), 24), Validity::Expired, "a millisecond more");
        assert_eq!(plain.validity(hours(-1, 0), 24), Validity::FromTheFuture);
        assert_eq!(plain.validity(hours(1_000, day as u64), 24), Validity::Expired, "clock set back a day");
        let promised = Attested { valid_until: Some(signed.plus_millis(72 * 3_600_000)), ..plain };
        assert_eq!(promised.validity(hours(72 * 3_600_000, 0), 24), Validity::Valid);
        assert_eq!(promised.validity(hours(72 * 3_600_000 + 1, 0), 24), Validity::Expired);
    }

    #[test]
    fn an_attestation_promises_at_most_72_hours() {
        let make = |hours: i64| {
            let mut attestation = bundle(7, "{}").attestation;
            attestation.valid_until = Some(attestation.valid_as_of.plus_millis(hours * 3_600_000));
            let digest = attestation.manifest_sha256;
            attestation.sign(&office()).check(&office().public(), &digest, at("2026-11-30T08:00:00.000Z"))
        };
        assert_eq!(make(72), Ok(()));
        assert_eq!(make(73), Err(ContractFault::PromisesTooMuch { max_h: 72 }));
        assert_eq!(make(-1), Err(ContractFault::PromisesTooMuch { max_h: 72 }));
    }
}
