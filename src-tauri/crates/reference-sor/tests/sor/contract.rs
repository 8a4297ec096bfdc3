//! The contract.

use holdfast_core::contract::{Bundle, SignedAttestation};
use holdfast_core::sign::PublicKey;

use crate::support::station::now;
use crate::support::{City, Request, Station};

#[test]
fn the_contract_is_signed_whole_and_attested_afresh_each_time() {
    let city = City::start();
    let station = Station::new(&city, "clerk");
    let first = station.get(&city, "/v1/contract");
    let bundle: Bundle = serde_json::from_slice(&first.body).unwrap();
    let office = PublicKey::from_pem(&bundle.public_key).unwrap();
    assert_eq!(bundle.check(&office, None, now()), Ok(()));
    assert_eq!((bundle.manifest.city.as_str(), bundle.manifest.version), ("alder-falls", 1));
    let etag = first.header("etag").unwrap();
    assert_eq!(etag, format!("\"{}\"", bundle.manifest.sha256()));

    let request = Request::get("/v1/contract").bearer(&station.token).header("If-None-Match", etag);
    let unchanged = city.send(&request);
    assert_eq!((unchanged.code(), unchanged.body.len()), (304, 0));
    assert!(unchanged.header("content-length").is_none(), "{unchanged:?}");
    let attested = SignedAttestation::from_header(unchanged.header("holdfast-attestation").unwrap()).unwrap();
    assert_eq!(attested.check(&office, &bundle.manifest.sha256(), now()), Ok(()));
    assert!(attested.attestation.valid_as_of >= bundle.attestation.valid_as_of);
    assert_eq!(unchanged.header("etag"), Some(etag));

    let changed = Request::get("/v1/contract").bearer(&station.token).header("If-None-Match", "\"other\"");
    assert_eq!(city.send(&changed).code(), 200);
    assert_eq!(city.send(&Request::get("/v1/contract")).problem(), (401, "unauthorized".into()));
}
