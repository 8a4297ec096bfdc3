//! The rules office of a made-up city: contracts and attestations, signed.

use std::collections::BTreeMap;
use std::path::Path;

use holdfast_core::canonical::sha256;
use holdfast_core::contract::{Attestation, Bundle, FileEntry, Manifest, SignedAttestation};
use holdfast_core::sign::KeyPair;
use holdfast_core::time::UtcMillis;

use crate::desk::wall;

pub(crate) fn office() -> KeyPair {
    KeyPair::from_seed(&[5; 32])
}

/// The files of the made-up city's contract.
pub(crate) fn files() -> BTreeMap<String, String> {
    const NAMES: [&str; 21] = [
        "application.schema.json",
        "application.layout.json",
        "stage.schema.json",
        "stage.layout.json",
        "inspection.schema.json",
        "inspection.layout.json",
        "hold.schema.json",
        "hold.layout.json",
        "notice.schema.json",
        "notice.layout.json",
        "note.schema.json",
        "note.layout.json",
        "correction.schema.json",
        "void.schema.json",
        "tag.schema.json",
        "tag.layout.json",
        "fee.schema.json",
        "fee.layout.json",
        "vocabularies.json",
        "roles.json",
        "must-reject.json",
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../schemas");
    NAMES.map(|name| (name.to_owned(), std::fs::read_to_string(folder.join(name)).unwrap())).into()
}

pub(crate) fn manifest(version: u64, files: &BTreeMap<String, String>) -> Manifest {
    let entry = |(path, text): (&String, &String)| FileEntry {
        path: path.clone(),
        sha256: sha256(text.as_bytes()),
        bytes: text.len() as u64,
    };
    Manifest {
        v: 1,
        city: "alder-falls".into(),
        version,
        activates_at: wall("2026-11-01T00:00:00.000Z"),
        files: files.iter().map(entry).collect(),
    }
}

pub(crate) fn attested(manifest: &Manifest, valid_as_of: UtcMillis, by: &KeyPair) -> SignedAttestation {
    let attestation = Attestation {
        v: 1,
        manifest_sha256: manifest.sha256(),
        valid_as_of,
        valid_until: None,
        key_id: "rules-2026".into(),
    };
    attestation.sign(by)
}

/// The contract of a version, attested at a time, signed by a key.
pub(crate) fn bundle_of(
    version: u64,
    files: BTreeMap<String, String>,
    valid_as_of: UtcMillis,
    by: &KeyPair,
) -> Bundle {
    let manifest = manifest(version, &files);
    let attestation = attested(&manifest, valid_as_of, by);
    Bundle {
        manifest_sig: manifest.sign(by),
        manifest,
        public_key: by.public().to_pem(),
        files,
        attestation: attestation.attestation,
        attestation_sig: attestation.sig,
    }
}

pub(crate) fn bundle(version: u64, valid_as_of: UtcMillis) -> Bundle {
    bundle_of(version, files(), valid_as_of, &office())
}
