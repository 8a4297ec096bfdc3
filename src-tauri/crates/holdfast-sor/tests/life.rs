//! A station's whole life against the reference SoR: enrolled, let in, signed in, with a contract, and an operation that is
//! recorded once however often it is sent.
#![allow(clippy::unwrap_used)]

mod scripted;

use std::sync::Arc;

use holdfast_core::look_up::{LookUp, judge_look_up};
use holdfast_core::operation::{ActorProof, Body, ClockTrust, Kind, OriginRoute, payload_digest};
use holdfast_core::outcome::{Outcome, Sent, judge};
use holdfast_core::people::SignedStatement;
use holdfast_core::sign::{KeyPair, PublicKey};
use holdfast_core::time::UtcMillis;
use holdfast_sor::{EnrolAsk, EnrolFault, Limits, SorClient, SorSettings, enrol};
use holdfast_station::ports::{ContractAnswer, Delivery, RecordSystem as _, SessionAsk, Sockets, SorFault};
use reference_sor::{Database, EnrolmentRule, Running, Settings, serve};
use scripted::{Counting, TestClock, endpoint, station, station_key};
use serde_json::json;

async fn reference(dir: &tempfile::TempDir) -> Running {
    let database = Database::Sqlite(dir.path().join("sor.db"));
    let codes = dir.path().join("codes");
    std::fs::write(&codes, "c0de\n").unwrap();
    let settings = Settings {
        enrolment: EnrolmentRule::ByCode(Some(codes)),
        drill_listen: None,
        ..Settings::for_drill(database)
    };
    serve(settings).await.unwrap()
}

async fn enrolled(url: &str) -> (SorClient, PublicKey) {
    let station = station();
    let mut who = EnrolAsk { station_id: &station, key: station_key().public(), code: None, nonce: "n0nce" };
    let settings = endpoint(url, Limits::default());
    let refused = enrol(&settings, &who).await.unwrap_err();
    assert!(matches!(refused, EnrolFault::Refused { problem } if problem == "forbidden"));
    who.code = Some("c0de");
    let enrolment = enrol(&settings, &who).await.unwrap();
    let settings = SorSettings { endpoint: settings, identity: enrolment.identity, station_id: station };
    // The clock of the test stands where it stands, the SoR's goes: the difference is learned from its answers.
    let client = SorClient::new(settings, station_key(), TestClock::new(), Arc::new(Counting::default()));
    (client.unwrap(), enrolment.sor_key)
}

fn session_key() -> KeyPair {
    KeyPair::from_seed(&[9; 32])
}

async fn signed_in(client: &SorClient, sor_key: &PublicKey) -> SignedStatement {
    let key = session_key().public();
    let wrong = SessionAsk { user: "clerk", password: "wrong", key };
    let refused = SorFault::Refused { problem: "forbidden".into() };
    assert_eq!(client.open_session(&wrong).await.unwrap_err(), refused);
    let signed = client.open_session(&SessionAsk { password: "demo-clerk", ..wrong }).await.unwrap();
    signed.check(sor_key, &station(), &key).unwrap();
    signed
}

async fn contract_version(client: &SorClient) -> u64 {
    let ContractAnswer::Bundle(bundle) = client.contract(None).await.unwrap() else {
        panic!("a contract was asked for")
    };
    let office = PublicKey::from_pem(&bundle.public_key).unwrap();
    let at: UtcMillis = bundle.attestation.valid_as_of;
    bundle.check(&office, None, at).unwrap();
    let digest = bundle.manifest.sha256();
    let etag = format!("\"{digest}\"").parse().unwrap();
    let ContractAnswer::Unchanged(Some(attestation)) = client.contract(Some(&etag)).await.unwrap() else {
        panic!("it still holds, and that is attested")
    };
    let later = attestation.attestation.valid_as_of;
    attestation.check(&office, &digest, later).unwrap();
    bundle.manifest.version
}

fn operation(signed: &SignedStatement, contract_version: u64) -> Body {
    let mut body = Body {
        v: 1,
        operation_id: "01932c6f-8f0a-7cc3-98a1-0242ac120002".parse().unwrap(),
        kind: Kind::Application,
        application_id: "01932c6f-8f0a-7cc3-98a1-0242ac120003".parse().unwrap(),
        payload: json!({"OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"]}),
        contract_version,
        actor: signed.statement.actor.clone(),
        role: signed.statement.roles[0].clone(),
        actor_proof: ActorProof { sid: signed.statement.sid, sig: String::new() },
        station_id: station(),
        local_seq: holdfast_core::ids::LocalSeq(1),
        accepted_at: signed.statement.from,
        clock: ClockTrust::Ok,
        origin_route: OriginRoute::Direct,
        outage_id: None,
        replaces: None,
    };
    body.actor_proof.sig = session_key().prove(&body.idempotency_key());
    body
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_enrolled_station_signs_in_and_records_an_operation_exactly_once() {
    let dir = tempfile::tempdir().unwrap();
    let sor = reference(&dir).await;
    let (client, sor_key) = enrolled(&sor.url).await;
    client.health("another nonce", Sockets::Fresh).await.unwrap();
    let signed = signed_in(&client, &sor_key).await;
    let body = operation(&signed, contract_version(&client).await);
    let delivery = Delivery {
        key: body.idempotency_key(),
        kind: body.kind,
        operation_id: body.operation_id,
        application_id: body.application_id,
        record_id: None,
        body: body.bytes(),
        if_match: None,
    };
    let sent = Sent {
        key: delivery.key,
        operation_id: body.operation_id,
        application_id: body.application_id,
        payload_digest: payload_digest(&body.payload),
    };

    let before = client.look_up(&delivery, Sockets::Kept).await;
    assert_eq!(judge_look_up(&before, &sent), LookUp::Absent);
    let first = judge(&client.deliver(&delivery, Sockets::Kept).await, &sent);
    let Outcome::Committed { receipt } = first else { panic!("{first:?}") };
    client.forget_token();
    let replayed = judge(&client.deliver(&delivery, Sockets::Fresh).await, &sent);
    let (Outcome::Committed { receipt: again } | Outcome::AlreadyCommitted { receipt: again }) = replayed
    else {
        panic!("{replayed:?}")
    };
    assert_eq!((&again.record_id, &again.etag), (&receipt.record_id, &receipt.etag));
    let found = judge_look_up(&client.look_up(&delivery, Sockets::Kept).await, &sent);
    let LookUp::AlreadyCommitted { receipt: found } = found else { panic!("{found:?}") };
    assert_eq!(found.record_id, receipt.record_id);

    sor.stop().await;
    let answer = client.deliver(&delivery, Sockets::Kept).await;
    assert_eq!(judge(&answer, &sent).word(), "unreachable");
}
