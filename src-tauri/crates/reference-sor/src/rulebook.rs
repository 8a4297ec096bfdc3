//! The contract that this SoR hands out: the schemas of this repository, signed by its rules office.
//!
//! Promise: what is handed out is what operations are judged by here; the same files keep their version and their ETag
//! over restarts, other files get the next version. Each attestation is made for the moment that it is asked for.

use std::collections::BTreeMap;

use holdfast_core::canonical::{digest_of, sha256};
use holdfast_core::contract::{Attestation, Bundle, FileEntry, Manifest, SignedAttestation};
use holdfast_core::ids::Digest;
use holdfast_core::sign::KeyPair;
use holdfast_core::time::UtcMillis;
use holdfast_core::validate::{Rules, RulesFault};

/// Whose rules these are.
const CITY: &str = "alder-falls";
/// In force since the city began; a constant, so that the manifest stays the same over restarts.
const ACTIVATES_AT: &str = "2020-01-01T00:00:00.000Z";

macro_rules! embedded {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../schemas/", $path)))),*]
    };
}

/// The files of the contract.
const FILES: &[(&str, &str)] = embedded![
    "application.layout.json",
    "application.schema.json",
    "correction.schema.json",
    "fee.layout.json",
    "fee.schema.json",
    "hold.layout.json",
    "hold.schema.json",
    "inspection.layout.json",
    "inspection.schema.json",
    "must-reject.json",
    "note.layout.json",
    "note.schema.json",
    "notice.layout.json",
    "notice.schema.json",
    "roles.json",
    "stage.layout.json",
    "stage.schema.json",
    "tag.layout.json",
    "tag.schema.json",
    "vocabularies.json",
    "void.schema.json",
];

/// Why there is no contract to hand out.
#[derive(Debug, thiserror::Error)]
pub enum RulebookFault {
    /// The files are no rules.
    #[error("the contract's files are refused")]
    Rules(#[from] RulesFault),
}

/// Compiled and signed, made once per start.
pub(crate) struct Rulebook {
    rules: Rules,
    manifest: Manifest,
    manifest_sig: String,
    manifest_sha256: Digest,
    office: KeyPair,
}

/// What decides whether the contract is a new one.
pub(crate) fn files_digest() -> Digest {
    digest_of(&FILES.iter().map(|(path, text)| (*path, sha256(text.as_bytes()))).collect::<BTreeMap<_, _>>())
}

impl Rulebook {
    /// Compiles the files and signs them as `version`.
    ///
    /// # Errors
    /// [`RulebookFault`]
    pub(crate) fn sign(version: u64, office: KeyPair) -> Result<Self, RulebookFault> {
        let bytes = FILES.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
        let rules = Rules::compile(&bytes)?;
        let manifest = manifest(version);
        Ok(Self {
            rules,
            manifest_sig: manifest.sign(&office),
            manifest_sha256: manifest.sha256(),
            manifest,
            office,
        })
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) fn version(&self) -> u64 {
        self.manifest.version
    }

    /// The digest of the manifest, quoted.
    pub(crate) fn etag(&self) -> String {
        format!("\"{}\"", self.manifest_sha256)
    }

    /// The office's word that the contract holds at `at`.
    pub(crate) fn attest(&self, at: UtcMillis) -> SignedAttestation {
        let public = hex::encode(self.office.public().bytes());
        let attestation = Attestation {
            v: 1,
            manifest_sha256: self.manifest_sha256,
            valid_as_of: at,
            valid_until: None,
            key_id: format!("rules-{}", public.get(..8).unwrap_or_default()),
        };
        attestation.sign(&self.office)
    }

    /// The whole, as it travels.
    pub(crate) fn bundle(&self, attested: SignedAttestation) -> Bundle {
        Bundle {
            manifest: self.manifest.clone(),
            manifest_sig: self.manifest_sig.clone(),
            public_key: self.office.public().to_pem(),
            files: FILES.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect(),
            attestation: attested.attestation,
            attestation_sig: attested.sig,
        }
    }
}

fn manifest(version: u64) -> Manifest {
    let entry = |(path, text): &(&str, &str)| FileEntry {
        path: (*path).to_owned(),
        sha256: sha256(text.as_bytes()),
        bytes: text.len() as u64,
    };
    Manifest {
        v: 1,
        city: CITY.to_owned(),
        version,
        activates_at: ACTIVATES_AT.parse().expect("a constant time in the stored form"),
        files: FILES.iter().map(entry).collect(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_and_layout_of_the_repository_is_in_the_contract() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../schemas");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".schema.json") || name.ends_with(".layout.json") {
                assert!(FILES.iter().any(|(path, _)| *path == name), "{name} is not handed out");
            }
        }
    }

    #[test]
    fn a_station_takes_the_bundle_that_is_handed_out() {
        let at: UtcMillis = "2026-11-30T08:00:00.000Z".parse().unwrap();
        let book = Rulebook::sign(3, KeyPair::from_seed(&[9; 32])).unwrap();
        let bundle = book.bundle(book.attest(at));
        let office = holdfast_core::sign::PublicKey::from_pem(&bundle.public_key).unwrap();
        assert_eq!(bundle.check(&office, None, at), Ok(()));
        assert_eq!(bundle.manifest.version, 3);
    }
}
