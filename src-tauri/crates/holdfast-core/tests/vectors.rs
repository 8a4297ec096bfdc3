//! The vectors of the stored, hashed and signed bytes. A change here is a change of what auditors and integrators hold.
#![allow(clippy::unwrap_used)]

use holdfast_core::audit::{Entry, EventKind, Stored, Verifier, genesis, link, private_digest};
use holdfast_core::canonical::{canonical, parse_object};
use holdfast_core::contract::{Attestation, FileEntry, Manifest};
use holdfast_core::ids::{DbId, Digest, StationId};
use holdfast_core::operation::{KeyInput, Kind, payload_digest};
use holdfast_core::sign::{KeyPair, Purpose};
use holdfast_core::time::{BootMillis, UtcMillis};
use serde_json::{Value, json};

const KEY_INPUT: &str = r#"{"application_id":"01932c6f-8f0a-7cc3-98a1-0242ac120003","kind":"application","operation_id":"01932c6f-8f0a-7cc3-98a1-0242ac120002","payload":{"EstProjectCost":"25000.00","HousingUnits":1,"OriginalAddress1":"12 OAK ST","PIN":["0010-22-417"]},"v":1}"#;
const KEY: &str = "b2f17da92ce34e96cdaced17deea86aa2f69f42eafb05993c36eedc79e44e223";
const EVENT_1: &str = r#"{"actor_id":"clerk","at":"2026-11-30T08:07:31.042Z","boot_ms":911042,"data":{"reason":"open","route":"defer"},"kind":"operation.accepted","operation_id":"01932c6f-8f0a-7cc3-98a1-0242ac120002","seq":1,"station_id":"front-1","v":1}"#;
const HASH_0: &str = "867644148daee13a08ee281dde91987c87e110d9c4ac99205d66ace42c338aab";
const HASH_1: &str = "d561aa14593fc0c80a65108fe3cd7bbeae711634218b80bae3b7f3a20b727863";
const MANIFEST: &str = r#"{"activates_at":"2026-11-01T00:00:00.000Z","city":"alder-falls","files":[{"bytes":2,"path":"permit.schema.json","sha256":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}],"v":1,"version":7}"#;
const MANIFEST_SHA256: &str = "c02858397a8dc700b2042f14d43e3987fa06a720c207ba699ec952c5e64a19b4";
const MANIFEST_SIG: &str =
    "q_vkGBGJUTGZCb9TRil0f8j88ajoe5rES0vy6iEU42bZsJKimxVVJ3KyC368n1HOptSTW4_mmtiyTyO-HOocAA";
const ATTESTATION: &str = r#"{"key_id":"rules-2026","manifest_sha256":"c02858397a8dc700b2042f14d43e3987fa06a720c207ba699ec952c5e64a19b4","v":1,"valid_as_of":"2026-11-30T07:00:00.000Z"}"#;
const ATTESTATION_SIG: &str =
    "133AWBI0YoIWYHaAw9yHN4yPxBcMKAahSPKSvcOBWDM7VeRug0OFJUXLtVbBc0SK0WWa5GozM3N8ZA6jMXc7BQ";

fn vector_key() -> KeyPair {
    let mut seed = [0; 32];
    for (at, byte) in (0..32).zip(seed.iter_mut()) {
        *byte = at;
    }
    KeyPair::from_seed(&seed)
}

fn station() -> StationId {
    "front-1".parse().unwrap()
}

fn db() -> DbId {
    "01932c6f-8f0a-7cc3-98a1-0242ac120001".parse().unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_public_key_of_the_vectors() {
    let expected = json!("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8");
    assert_eq!(serde_json::to_value(vector_key().public()).unwrap(), expected);
}

#[test]
fn an_operation_has_the_key_and_the_fingerprint_of_the_vectors() {
    let payload = Value::Object(parse_object(KEY_INPUT.as_bytes()).unwrap())["payload"].clone();
    let input = KeyInput {
        v: 1,
        operation_id: "01932c6f-8f0a-7cc3-98a1-0242ac120002".parse().unwrap(),
        kind: Kind::Application,
        application_id: "01932c6f-8f0a-7cc3-98a1-0242ac120003".parse().unwrap(),
        payload: &payload,
    };
    assert_eq!(text(canonical(&input)), KEY_INPUT);
    assert_eq!(input.idempotency_key().to_string(), KEY);
    let digest = "02d7006ec056d74b837a6b48dd6bdad33be9331462eef6633b20888aa7e7a606";
    assert_eq!(payload_digest(&payload).to_string(), digest);
}

#[test]
fn a_person_proves_an_operation_as_in_the_vectors() {
    let proof = vector_key().prove(&KEY.parse().unwrap());
    assert_eq!(
        proof,
        "GMA1_46kHiNV5C-y8UabbsuNC5fOP7TkYCH8P53dtx-i7I4ZvU0H1fHKhxLp_XTJSjfdmXJjX-nexLNcfoXjCg"
    );
    assert_eq!(vector_key().public().check(Purpose::Operation, KEY.as_bytes(), &proof), Ok(()));
    assert!(vector_key().public().check(Purpose::Contract, KEY.as_bytes(), &proof).is_err());
}

#[test]
fn the_audit_chain_starts_and_goes_on_as_in_the_vectors() {
    let hash_0 = genesis(&station(), db());
    assert_eq!(hash_0.to_string(), HASH_0);
    let event = Entry::new(EventKind::OperationAccepted)
        .by("clerk".parse().unwrap())
        .of("01932c6f-8f0a-7cc3-98a1-0242ac120002".parse().unwrap())
        .with("reason", "open")
        .with("route", "defer")
        .into_event(&station(), 1, "2026-11-30T08:07:31.042Z".parse().unwrap(), BootMillis(911_042));
    assert_eq!(event.text(), EVENT_1);
    assert_eq!(link(&hash_0, EVENT_1).to_string(), HASH_1);
    let mut verifier = Verifier::new(&station(), db());
    assert!(verifier.take(&Stored { seq: 1, text: EVENT_1, hash: HASH_1 }).is_ok());
}

#[test]
fn a_changed_event_is_named() {
    let changed = EVENT_1.replace("defer", "probe");
    let mut verifier = Verifier::new(&station(), db());
    let fault = verifier.take(&Stored { seq: 1, text: &changed, hash: HASH_1 }).unwrap_err();
    assert_eq!(fault.to_string(), "event 1 was changed");
}

#[test]
fn a_contract_and_its_attestation_are_signed_as_in_the_vectors() {
    let manifest = Manifest {
        v: 1,
        city: "alder-falls".into(),
        version: 7,
        activates_at: "2026-11-01T00:00:00.000Z".parse().unwrap(),
        files: vec![FileEntry {
            path: "permit.schema.json".into(),
            sha256: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a".parse().unwrap(),
            bytes: 2,
        }],
    };
    assert_eq!(text(canonical(&manifest)), MANIFEST);
    assert_eq!(manifest.sha256().to_string(), MANIFEST_SHA256);
    assert_eq!(manifest.sign(&vector_key()), MANIFEST_SIG);

    let attestation = Attestation {
        v: 1,
        manifest_sha256: manifest.sha256(),
        valid_as_of: "2026-11-30T07:00:00.000Z".parse::<UtcMillis>().unwrap(),
        valid_until: None,
        key_id: "rules-2026".into(),
    };
    assert_eq!(text(canonical(&attestation)), ATTESTATION);
    assert_eq!(attestation.sign(&vector_key()).sig, ATTESTATION_SIG);
}

#[test]
fn a_personal_value_is_bound_by_a_salted_digest() {
    let digest: Digest = "d0f1560880ce4b0e827e4bc3e5a4142df03a217d6262775ecdcd115feef26b41".parse().unwrap();
    assert_eq!(private_digest(&[0; 32], "12 OAK ST"), digest);
}
