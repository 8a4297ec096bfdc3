//! What waits for a person, as a supervisor at a terminal decides about it; and the outages that were.

#![allow(clippy::unwrap_used)]

mod world;

use serde_json::{Value, json};
use world::World;

/// A world in which one move is refused by the SoR, with the key of the move.
fn with_a_conflict() -> (World, String) {
    let world = World::new();
    world.run(&["init", "--sor", &world.sor_url(), "--station", "front-1"]).is(0);
    world.run_with(&["sign-in", "--user", "supervisor"], b"demo-supervisor\n").is(0);
    let application =
        r#"{"kind":"application","payload":{"OriginalAddress1":"12 OAK ST","PIN":["0010-22-417"]}}"#;
    let receipt = world.submit(application).is(0).json();
    world.run(&["drain", "--until-empty", "--max-s", "100"]).is(0);
    let moved = json!({"kind": "stage", "application_id": receipt["application_id"], "base": "\"another-version\"",
        "payload": {"to": "PrelimReview"}});
    let key = world.submit(&moved.to_string()).is(0).json()["idempotency_key"].as_str().unwrap().to_owned();
    world.run(&["drain", "--until-empty", "--max-s", "100"]).is(0);
    (world, key)
}

#[test]
fn what_the_sor_refused_is_listed_shown_sent_again_and_voided_with_a_reason() {
    let (world, key) = with_a_conflict();
    let listed = world.run(&["quarantine", "list"]).is(0).json();
    assert_eq!((&listed["all"], &listed["items"][0]["reason"]), (&json!(1), &json!("conflict")));
    let shown = world.run(&["quarantine", "show", &key]).is(0).json();
    assert_eq!(shown["body"]["payload"]["to"], "PrelimReview");

    let again =
        world.run(&["quarantine", "resolve", &key, "--requeue", "--reason", "looked at"]).is(0).json();
    assert_eq!(again["state"], "pending");
    world.run(&["drain", "--until-empty", "--max-s", "100"]).is(0);
    let voided = world.run(&["quarantine", "resolve", &key, "--void", "--reason", "done at city hall"]).is(0);
    assert_eq!(voided.json()["state"], "voided");

    let books: Value = world.run(&["status"]).is(0).json()["books"].clone();
    assert_eq!(
        books,
        json!({"accepted": 2, "pending": 0, "in_flight": 0, "committed": 1, "quarantined": 0, "voided": 1})
    );
    world.run(&["audit", "verify"]).is(0);
    assert_eq!(world.run(&["outages", "list"]).is(0).json(), json!({"rows": [], "all": 0}));
}

#[test]
fn a_decision_needs_one_act_a_reason_and_something_that_waits_for_it() {
    let (world, key) = with_a_conflict();
    let cases: [&[&str]; 6] = [
        &["quarantine", "resolve", &key, "--reason", "why"],
        &["quarantine", "resolve", &key, "--requeue", "--void", "--reason", "why"],
        &["quarantine", "resolve", &key, "--void"],
        &["quarantine", "resolve", &key, "--take", "both", "--reason", "why"],
        &["quarantine", "resolve", &key, "--take", "ours", "--void", "--reason", "why"],
        &["quarantine", "resolve", &key, "--merge", "no-such-file", "--take", "ours", "--reason", "why"],
    ];
    for arguments in cases {
        world.run(arguments).is(2);
    }
    let blank = world.run(&["quarantine", "resolve", &key, "--void", "--reason", " "]).is(6).json();
    assert_eq!(blank["problems"][0]["pointer"], "/reason");
    let unknown = "0".repeat(64);
    world.run(&["quarantine", "resolve", &unknown, "--void", "--reason", "why"]).is(6);
    world.run_with(&["sign-in", "--user", "clerk"], b"demo-clerk\n").is(0);
    world.run(&["quarantine", "resolve", &key, "--void", "--reason", "why"]).is(6);
}

#[test]
fn a_conflict_is_shown_side_by_side_and_taken_either_way() {
    let (world, key) = with_a_conflict();
    let shown = world.run(&["quarantine", "show", &key]).is(0).json();
    let conflict = &shown["conflict"];
    assert_eq!(conflict["meeting"], "apart", "{conflict:#}");
    assert_eq!(conflict["base"]["stage"], "Intake");
    assert_eq!(conflict["theirs"]["stage"], "Intake");
    let ours = world.run(&["quarantine", "resolve", &key, "--take", "ours", "--reason", "looked at"]).is(0);
    assert_eq!(ours.json()["state"], "pending");
    world.run(&["drain", "--until-empty", "--max-s", "100"]).is(0);
    assert_eq!(world.run(&["queue", "show", &key]).is(0).json()["state"], "committed");
    world.run(&["audit", "verify"]).is(0);
}
