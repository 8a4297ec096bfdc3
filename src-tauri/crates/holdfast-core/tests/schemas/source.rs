//! What the other files of the contract's source say, and that they agree with the program.

use std::collections::BTreeSet;

use holdfast_core::audit::EventKind;
use holdfast_core::canonical::parse_strict;
use holdfast_core::fees::FeeType;
use holdfast_core::holds::HoldType;
use holdfast_core::ids::RoleName;
use holdfast_core::import::Columns;
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::Kind;
use holdfast_core::roles::{Act, Permission};
use serde_json::{Map, Value, json};

use crate::city::{contract, folder, rules};

#[test]
fn each_role_has_exactly_the_rights_of_the_table() {
    use Kind::{
        Application, Attachment, Correction, Fee, Hold, Inspection, Note, Notice, Stage as Move, Tag, Void,
    };
    use Stage::{
        Committed, ConditionalApproval, FeeEstimated, Intake, PrelimReview, Returned, Voided, Withdrawn,
    };
    let everything =
        vec![Application, Move, Inspection, Correction, Void, Hold, Notice, Fee, Note, Tag, Attachment];
    let table: [(&str, Vec<Kind>, Vec<Stage>); 4] = [
        (
            "clerk",
            vec![Application, Move, Note, Notice, Fee, Correction],
            vec![Intake, PrelimReview, FeeEstimated, Withdrawn],
        ),
        ("inspector", vec![Inspection, Note, Tag, Hold], vec![]),
        (
            "supervisor",
            everything,
            vec![Intake, PrelimReview, FeeEstimated, ConditionalApproval, Withdrawn, Voided],
        ),
        ("visitor", vec![], vec![]),
    ];
    let all =
        [Intake, PrelimReview, FeeEstimated, ConditionalApproval, Committed, Returned, Withdrawn, Voided];
    let rules = rules();
    for (role, kinds, stages) in table {
        let role: RoleName = role.parse().unwrap();
        let granted = |act| rules.roles().may(&role, act) == Permission::Granted;
        for kind in Kind::ALL {
            assert_eq!(granted(Act::Submit(kind)), kinds.contains(&kind), "{role} {kind}");
        }
        for to in all {
            assert_eq!(granted(Act::Move { to }), stages.contains(&to), "{role} {to}");
        }
    }
}

#[test]
fn who_waives_a_fee_or_releases_a_hold_is_granted_it_by_name() {
    use FeeType::{Payment, Refund, Waiver};
    use HoldType::{Hold, Notice, Release, StopWork};
    let table: [(&str, Vec<HoldType>, Vec<FeeType>); 3] = [
        ("clerk", vec![], vec![Payment]),
        ("inspector", vec![StopWork, Hold, Notice], vec![]),
        ("supervisor", vec![StopWork, Hold, Notice, Release], vec![Payment, Waiver, Refund]),
    ];
    let rules = rules();
    for (role, holds, fees) in table {
        let role: RoleName = role.parse().unwrap();
        let granted = |act| rules.roles().may(&role, act) == Permission::Granted;
        for kind in HoldType::ALL {
            assert_eq!(granted(Act::Hold(kind)), holds.contains(&kind), "{role} {kind:?}");
        }
        for kind in FeeType::ALL {
            assert_eq!(granted(Act::Fee(kind)), fees.contains(&kind), "{role} {kind:?}");
        }
    }
}

#[test]
fn the_audit_schema_names_every_kind_of_event_and_no_other() {
    let schema: Value = serde_json::from_slice(&std::fs::read(folder("audit-event.json")).unwrap()).unwrap();
    let listed: BTreeSet<&str> =
        schema["properties"]["kind"]["enum"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(listed, EventKind::ALL.iter().map(|kind| kind.word()).collect());
    let validator = jsonschema::options().offline().should_validate_formats(true).build(&schema).unwrap();
    let event = json!({"actor_id": "clerk", "at": "2026-11-30T08:07:31.042Z", "boot_ms": 911_042,
        "data": {"reason": "open", "route": "defer"}, "kind": "operation.accepted",
        "operation_id": "01932c6f-8f0a-7cc3-98a1-0242ac120002", "seq": 1, "station_id": "front-1", "v": 1});
    assert!(validator.is_valid(&event));
    for (field, value) in [
        ("kind", json!("operation.deleted")),
        ("seq", json!(0)),
        ("at", json!("2026-11-30T08:07:31Z")),
        ("operation_id", json!("01932C6F-8F0A-7CC3-98A1-0242AC120002")),
        ("payload", json!({})),
    ] {
        let mut event = event.clone();
        event[field] = value;
        assert!(!validator.is_valid(&event), "{field}");
    }
}

#[test]
fn every_core_permit_column_is_a_field_of_the_application() {
    let schema: Value = serde_json::from_slice(&contract()["application.schema.json"]).unwrap();
    let fields: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    let own = ["NoParcelReason", "ApplicantName", "ApplicantPhone", "ApplicantEmail"];
    let (extensions, blds): (Vec<_>, Vec<_>) =
        fields.into_iter().partition(|name| own.contains(&name.as_str()));
    assert_eq!(extensions.len(), own.len());
    assert!(Columns::from_header(&blds).is_ok(), "each field but the city's own is a column");
    assert_eq!(blds.len(), 61, "and each column is a field");
}

#[test]
fn every_text_and_every_list_has_a_limit() {
    for (name, bytes) in contract().into_iter().filter(|(name, _)| name.ends_with(".schema.json")) {
        let schema: Value = serde_json::from_slice(&bytes).unwrap();
        let subschemas = subschemas(&schema);
        assert!(subschemas.len() > 3);
        for map in subschemas {
            let has = |keyword| map.contains_key(keyword);
            match map.get("type").and_then(Value::as_str) {
                Some("string") => assert!(has("maxLength"), "{name}: {map:?}"),
                Some("array") => assert!(has("maxItems"), "{name}: {map:?}"),
                Some("object") => assert!(has("maxProperties") || has("properties"), "{name}: {map:?}"),
                Some("integer") => assert!(has("minimum") && has("maximum"), "{name}: {map:?}"),
                Some(other) => panic!("{name}: a field of type {other}"),
                None => (),
            }
        }
    }
}

fn subschemas(value: &Value) -> Vec<&Map<String, Value>> {
    match value {
        Value::Object(map) => std::iter::once(map).chain(map.values().flat_map(subschemas)).collect(),
        Value::Array(list) => list.iter().flat_map(subschemas).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

#[test]
fn the_contract_is_strict_json_itself() {
    for (name, bytes) in contract() {
        assert!(parse_strict(&bytes, bytes.len()).is_ok(), "{name}");
        assert!(!bytes.contains(&b'\r') && bytes.ends_with(b"}\n") || bytes.ends_with(b"]\n"), "{name}");
    }
}
