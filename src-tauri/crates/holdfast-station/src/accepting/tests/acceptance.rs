//! What an acceptance writes: the bytes, the columns beside them, and the event.

use holdfast_core::lane::Urgency;
use holdfast_core::operation::ClockTrust;
use holdfast_core::route::replay;

use super::*;
use crate::made_up::{half_open, tripped};

#[test]
fn the_word_on_the_receipt_says_which_way_it_is_headed() {
    use OriginRoute::{Defer, Direct, Probe};
    let closed = || (endpoint(), after_ms(0));
    let out = (half_open(after_ms(60_000)).0, after_ms(60_001));
    let table = [
        ("nothing ahead", closed(), None, false, Direct, None),
        ("backlog", closed(), None, true, Defer, Some("backlog")),
        ("own lane", closed(), Some(State::Pending), true, Defer, Some("lane")),
        ("behind a quarantine", closed(), Some(State::Quarantined), false, Defer, Some("lane")),
        ("open", (tripped(), after_ms(0)), None, false, Defer, Some("open")),
        ("the next canary", (tripped(), after_ms(60_000)), None, false, Probe, None),
        ("canary out", out, None, false, Defer, Some("open")),
    ];
    for (what, (endpoint, now), lane_tail, older_sendable, route, reason) in table {
        let lane_tail = lane_tail.map(tail);
        let facts = AcceptFacts { endpoint, lane_tail, older_sendable, ..with_application(Stage::Intake) };
        let acceptance = accepted(&Intake { now, ..moving("PrelimReview") }, &facts);
        assert_eq!(acceptance.body.origin_route, route, "{what}");
        assert_eq!(acceptance.entry.data.get("reason").and_then(Value::as_str), reason, "{what}");
        assert!(replay(&Value::Object(acceptance.entry.data)).unwrap().agrees(), "{what}");
    }
}

#[test]
fn a_held_endpoint_defers_and_says_so() {
    let mut facts = facts();
    let until = after_ms(3_600_000).wall;
    facts.endpoint.breaker.hold(after_ms(0), until, "planned".into(), "sue".parse().unwrap());
    let acceptance = accepted(&intake(), &facts);
    assert_eq!(acceptance.body.origin_route, OriginRoute::Defer);
    assert_eq!(acceptance.entry.data["reason"], "held");
}

#[test]
fn the_bytes_are_built_once_and_prove_who_acted() {
    let mut facts = facts();
    facts.stamp.clock = ClockTrust::Suspect;
    facts.stamp.at = after_ms(500).wall;
    facts.endpoint.outage = Some("01932c6f-8f0a-7cc3-98a1-0242ac12000a".parse().unwrap());
    let intake = intake();
    let acceptance = accepted(&intake, &facts);
    let body = &acceptance.body;
    assert_eq!(acceptance.bytes, body.bytes());
    assert_eq!(acceptance.key, body.idempotency_key());
    assert_eq!(body.actor_proof.sig, intake.session.unwrap().key.prove(&acceptance.key));
    assert_eq!((body.accepted_at, body.clock), (facts.stamp.at, ClockTrust::Suspect));
    assert_eq!(body.outage_id, facts.endpoint.outage);
    assert_eq!((body.local_seq, acceptance.receipt_no.as_str()), (LocalSeq(41), "front-1-41"));
    assert_eq!(acceptance.place, Place { place: LocalSeq(41), revision: 0 });
    assert_eq!((body.role.as_str(), body.contract_version, body.replaces), ("clerk", 7, None));
}

#[test]
fn the_event_of_an_acceptance_holds_no_value_of_the_payload_and_no_digest_of_it() {
    let intake = intake();
    let entry = accepted(&intake, &facts()).entry;
    assert_eq!((entry.kind, entry.operation_id), (EventKind::OperationAccepted, Some(operation(1))));
    let text = serde_json::to_string(&entry.data).unwrap();
    assert!(!text.contains("OAK ST") && !text.contains("0010-22-417"), "{text}");
    assert!(!text.contains(&intake.payload_digest.to_string()), "{text}");
    for name in ["key", "receipt_no", "local_seq", "role", "clock", "contract_version", "router_version"] {
        assert!(entry.data.contains_key(name), "{name}");
    }
}

#[test]
fn what_it_builds_on_is_its_lane_else_what_was_seen_else_what_is_known() {
    let seen: Option<ETag> = Some("\"4\"".parse().unwrap());
    let known: Option<ETag> = Some("\"5\"".parse().unwrap());
    let table = [
        ("known here", None, None, known.clone(), None),
        ("seen by the person", seen.clone(), None, seen.clone(), None),
        ("behind its lane", None, Some(State::Pending), None, Some(operation(9))),
        // What was seen serves the comparison only: the first attempt goes by the receipt of the one before.
        ("seen, behind its lane", seen, Some(State::InFlight), None, Some(operation(9))),
        ("behind a quarantine", None, Some(State::Quarantined), None, Some(operation(9))),
    ];
    for (what, base, lane_tail, base_etag, after_op) in table {
        let facts = AcceptFacts { lane_tail: lane_tail.map(tail), ..with_application(Stage::Intake) };
        let acceptance = accepted(&Intake { base, ..moving("PrelimReview") }, &facts);
        assert_eq!((acceptance.base_etag, acceptance.after_op), (base_etag, after_op), "{what}");
    }
    let new = accepted(&Intake { base: known, ..intake() }, &facts());
    assert_eq!((new.base_etag, new.after_op), (None, None), "a new application builds on nothing");
}

#[test]
fn the_application_stands_afterwards_where_the_operation_left_it() {
    let at = with_application;
    let numbered = about_it(Kind::Application, json!({ "PermitNum": "2026-000417", "PIN": ["1"] }));
    let back = about_it(Kind::Stage, json!({ "to": "Intake", "reason": "no plan" }));
    // A number is an application's own word; an inspection only repeats one.
    let inspection = about_it(Kind::Inspection, json!({ "PermitNum": "2026-000999", "Result": "OK" }));
    let table = [
        (numbered, facts(), Stage::Intake, Some("2026-000417"), true),
        (intake(), facts(), Stage::Intake, None, true),
        (moving("PrelimReview"), at(Stage::Intake), Stage::PrelimReview, None, false),
        (back, at(Stage::PrelimReview), Stage::Returned, None, false),
        (moving("PrelimReview"), at(Stage::Returned), Stage::PrelimReview, None, false),
        (inspection, at(Stage::Committed), Stage::Committed, None, false),
    ];
    for (intake, facts, stage, number, brings_payload) in table {
        let acceptance = accepted(&intake, &facts);
        let change = &acceptance.application;
        assert_eq!(change.stage, stage);
        assert_eq!(change.permit_num.as_ref().map(PermitNum::as_str), number);
        assert_eq!(acceptance.permit_num, change.permit_num);
        assert_eq!(change.payload.is_some(), brings_payload, "{}", intake.kind);
    }
}

#[test]
fn only_stop_work_hold_and_unsafe_tags_go_first() {
    let table = [
        (Kind::Hold, json!({ "type": "stop-work" }), Urgency::Urgent),
        (Kind::Hold, json!({ "type": "hold" }), Urgency::Urgent),
        (Kind::Hold, json!({ "type": "notice" }), Urgency::Ordinary),
        (Kind::Tag, json!({ "level": "unsafe" }), Urgency::Urgent),
        (Kind::Tag, json!({ "level": "inspected" }), Urgency::Ordinary),
        (Kind::Note, json!({ "type": "stop-work", "level": "unsafe" }), Urgency::Ordinary),
        (Kind::Inspection, json!({ "type": "stop-work" }), Urgency::Ordinary),
    ];
    for (kind, payload, expected) in table {
        let acceptance = accepted(&about_it(kind, payload.clone()), &with_application(Stage::Intake));
        assert_eq!(acceptance.urgency, expected, "{kind} {payload}");
    }
}

#[test]
fn the_class_of_the_room_is_kept_so_that_it_does_not_flap() {
    let share = |used| DiskSpace { used_bytes: used * GIB, available_bytes: (100 - used) * GIB };
    let table = [
        (HeadroomClass::Ample, 79, HeadroomClass::Ample),
        (HeadroomClass::Ample, 80, HeadroomClass::Tight),
        (HeadroomClass::Tight, 70, HeadroomClass::Tight),
        (HeadroomClass::Tight, 64, HeadroomClass::Ample),
    ];
    for (before, used, after) in table {
        let facts = AcceptFacts { headroom: before, space: share(used), ..facts() };
        assert_eq!(accepted(&intake(), &facts).headroom, after, "{before:?} at {used} %");
    }
}
