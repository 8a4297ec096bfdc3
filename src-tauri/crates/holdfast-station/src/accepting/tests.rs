//! The decision at the counter: who is refused, with which word, in which order, and what is written when nobody is.

mod acceptance;
mod numbers;
mod refusals;

use holdfast_core::headroom::{DiskSpace, HeadroomClass};
use holdfast_core::ids::LocalSeq;
use holdfast_core::lane::State;
use holdfast_core::operation::payload_digest;
use serde_json::json;

use super::*;
use crate::made_up::{MORNING, after_ms, endpoint, lane, operation, settings, stamp, wall};
use crate::ports::{ApplicationRecord, LaneTail, Receipt, Twin};

const GIB: u64 = 1 << 30;

/// A clerk, signed in until the evening, under rules of this morning, hands in a new application.
fn intake() -> Intake {
    let payload = json!({ "OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"] });
    Intake {
        now: after_ms(0),
        station: "front-1".parse().unwrap(),
        kind: Kind::Application,
        operation_id: operation(1),
        application_id: lane(1),
        base: None,
        payload_digest: payload_digest(&payload),
        payload,
        problems: Vec::new(),
        session: Some(signed("clerk")),
        contract: Some(rulebook(Some("clerk"))),
        headroom: settings().headroom(),
        numbering: Numbering::Assigned,
        parcels_max_h: 720,
        likeness: None,
    }
}

/// The same person hands in something about an application that is there.
fn about_it(kind: Kind, payload: Value) -> Intake {
    Intake { kind, payload_digest: payload_digest(&payload), payload, ..intake() }
}

fn moving(to: &str) -> Intake {
    about_it(Kind::Stage, json!({ "to": to }))
}

fn signed(role: &str) -> Signed {
    let key = KeyPair::from_seed(&[9; 32]);
    let statement = SessionStatement {
        sid: "01932c6f-8f0a-7cc3-98a1-0242ac120009".parse().unwrap(),
        actor: "ann".parse().unwrap(),
        roles: vec![role.parse().unwrap()],
        station_id: "front-1".parse().unwrap(),
        key: key.public(),
        from: wall(MORNING),
        until: after_ms(8 * 3_600_000).wall,
    };
    Signed { statement, key }
}

fn rulebook(role: Option<&str>) -> Rulebook {
    let attested = Attested { valid_as_of: wall(MORNING), valid_until: None, seen: after_ms(0) };
    Rulebook { version: 7, attested, ttl_h: 24, role: role.map(|role| role.parse().unwrap()) }
}

/// Nothing waits, nothing is known, there is room, and the SoR answers.
fn facts() -> AcceptFacts {
    AcceptFacts {
        twin: None,
        stamp: stamp(after_ms(0)),
        next_seq: LocalSeq(41),
        application: None,
        lane_tail: None,
        older_sendable: false,
        endpoint: endpoint(),
        free_numbers: Vec::new(),
        looks_like: Vec::new(),
        parcels: None,
        headroom: HeadroomClass::Ample,
        space: DiskSpace { used_bytes: GIB, available_bytes: 100 * GIB },
    }
}

/// The application is there at a stage, with nothing of it waiting.
fn with_application(stage: Stage) -> AcceptFacts {
    let application = ApplicationRecord {
        application_id: lane(1),
        permit_num: None,
        stage,
        payload: json!({}),
        etag: Some("\"5\"".parse().unwrap()),
        record_id: None,
        waiting: 0,
        updated_at: wall(MORNING),
    };
    AcceptFacts { application: Some(application), ..facts() }
}

fn tail(state: State) -> LaneTail {
    LaneTail { operation_id: operation(9), state, place: Place { place: LocalSeq(40), revision: 0 } }
}

fn twin(kind: Kind, payload: &Value) -> Option<Twin> {
    let receipt = Receipt {
        idempotency_key: "b2f17da92ce34e96cdaced17deea86aa2f69f42eafb05993c36eedc79e44e223".parse().unwrap(),
        operation_id: operation(1),
        application_id: lane(1),
        receipt_no: ReceiptNo::new(&"front-1".parse().unwrap(), LocalSeq(3)),
        permit_num: None,
        kind,
        accepted_at: wall(MORNING),
        local_seq: LocalSeq(3),
        route: OriginRoute::Defer,
        state: State::Committed,
    };
    Some(Twin { receipt, kind, payload_digest: payload_digest(payload) })
}

fn accepted(intake: &Intake, facts: &AcceptFacts) -> Acceptance {
    match decide(intake, facts) {
        AcceptDecision::Accept(acceptance) => *acceptance,
        other @ (AcceptDecision::Already | AcceptDecision::Refuse(_)) => panic!("{other:?}"),
    }
}

fn refused(intake: &Intake, facts: &AcceptFacts) -> Refusal {
    match decide(intake, facts) {
        AcceptDecision::Refuse(refusal) => refusal,
        other @ (AcceptDecision::Already | AcceptDecision::Accept(_)) => panic!("{other:?}"),
    }
}

fn codes(refusal: &Refusal) -> Vec<(&str, &str)> {
    refusal.problems.iter().map(|problem| (problem.pointer.as_str(), problem.code.as_str())).collect()
}
