//! What an old vendor's system does beside that, and what is made of it.

use holdfast_core::look_up::LookUp;
use holdfast_core::operation::Kind;
use holdfast_core::outcome::Outcome;
use holdfast_core::profile::Profile;
use serde_json::{Value, json};

use crate::world::{World, fence, inspected, record_id, review};

/// Kinds on a record, with their payloads; of the record itself what `of` names.
fn on_a_record(of: &str) -> Vec<(Kind, Value)> {
    vec![
        (Kind::Inspection, inspected()),
        (Kind::Hold, json!({"type": "hold", "reason": "unpaid"})),
        (Kind::Tag, json!({"level": "restricted"})),
        (Kind::Correction, json!({"of": of, "payload": fence()})),
        (Kind::Stage, review()),
        (Kind::Void, json!({"of": of, "reason": "twice"})),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_kind_that_can_be_looked_for_is_found_by_its_reference() {
    let world = World::of(Profile::LookBeforeWrite).await;
    let mut receipt = world.recorded().await;
    let of = receipt.operation_id.to_string();
    for (kind, payload) in on_a_record(&of) {
        let work = world.after(&receipt, kind, payload);
        assert_eq!(world.look(&work).await, LookUp::Absent, "{kind}");
        receipt = world.record(&work).await;
        let found = world.look(&work).await;
        assert_eq!(found, LookUp::AlreadyCommitted { receipt: receipt.clone() }, "{kind}");
        assert_eq!(world.effects_of(&work).await, 1, "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kind_that_nobody_can_look_for_is_proven_by_the_answer_alone() {
    let world = World::of(Profile::LookBeforeWrite).await;
    let mut receipt = world.recorded().await;
    for kind in [Kind::Note, Kind::Notice, Kind::Fee] {
        let work = world.after(&receipt, kind, json!({"text": "seen"}));
        receipt = world.record(&work).await;
        assert!(matches!(world.look(&work).await, LookUp::StillInDoubt { why: Outcome::NotAsked }), "{kind}");
        let lied = world.after(&receipt, kind, json!({"text": "again"}));
        world.break_writes(json!({"do": "script_error"})).await;
        assert_eq!(world.send(&lied).await, Outcome::Impostor, "{kind}");
        world.mend().await;
        // It was written all the same: the version has moved on.
        let stale = world.after(&receipt, kind, json!({"text": "third"}));
        let Outcome::Conflict { theirs: Some(theirs) } = world.send(&stale).await else { panic!("{kind}") };
        receipt.etag = theirs;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_that_failed_after_the_write_is_a_warning() {
    let world = World::of(Profile::LookBeforeWrite).await;
    let work = world.application();
    world.break_writes(json!({"do": "script_error"})).await;
    let receipt = world.record(&work).await;
    let codes: Vec<_> = receipt.warnings.iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(codes, ["script-failed"]);
    assert_eq!(world.effects_of(&work).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_could_not_be_read_before_is_not_written() {
    let world = World::of(Profile::LookBeforeWrite).await;
    let receipt = world.recorded().await;
    let broken = [
        json!({"do": "reset"}),
        json!({"do": "half_body"}),
        json!({"do": "portal"}),
        json!({"do": "status", "status": 500}),
        json!({"do": "status", "status": 404, "body": "<p>gone</p>"}),
        json!({"do": "script_abort"}),
        json!({"do": "redirect"}),
    ];
    for fault in broken {
        for work in [world.application(), world.after(&receipt, Kind::Stage, review())] {
            world.break_reads(fault.clone()).await;
            assert_eq!(world.send(&work).await.word(), "unreachable", "{fault}");
            let found = world.look(&work).await;
            assert!(matches!(found, LookUp::StillInDoubt { .. }), "{fault}: {found:?}");
            world.mend().await;
            assert_eq!(world.effects_of(&work).await, 0, "{fault}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_cannot_be_read_back_is_not_called_recorded() {
    for fault in [json!({"do": "reset"}), json!({"do": "portal"}), json!({"do": "status", "status": 500})] {
        let world = World::of(Profile::LookBeforeWrite).await;
        let work = world.application();
        let mut fault = fault;
        fault["on"] = json!({"path": "/records", "method": "GET", "nth": 2});
        world.plan(json!({ "faults": [fault] })).await;
        let outcome = world.send(&work).await;
        assert!(matches!(outcome, Outcome::Impostor | Outcome::Unknown(_)), "{fault}: {outcome:?}");
        let found = world.look(&work).await;
        assert!(matches!(found, LookUp::AlreadyCommitted { .. }), "{fault}: {found:?}");
        assert_eq!(world.effects_of(&work).await, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_that_is_not_there_is_never_an_absence() {
    let world = World::of(Profile::LookBeforeWrite).await;
    let receipt = world.recorded().await;
    let mut work = world.after(&receipt, Kind::Stage, review());
    work.delivery.record_id = Some(record_id("AF-R-9999999"));
    assert_eq!(world.send(&work).await, Outcome::ParentMissing);
    let found = world.look(&work).await;
    assert!(matches!(found, LookUp::StillInDoubt { why: Outcome::ParentMissing }), "{found:?}");
    // Without an id the record is found by the application that it names.
    work.delivery.record_id = None;
    world.record(&work).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_void_of_a_single_line_is_refused_and_never_voids_the_record() {
    let world = World::of(Profile::LookBeforeWrite).await;
    let receipt = world.recorded().await;
    let inspection = world.after(&receipt, Kind::Inspection, inspected());
    let inspected = world.record(&inspection).await;
    let of = inspection.delivery.operation_id.to_string();
    for (kind, payload) in [
        (Kind::Void, json!({"of": of, "reason": "wrong house"})),
        (Kind::Correction, json!({"of": of, "payload": {}})),
    ] {
        let work = world.after(&inspected, kind, payload);
        let Outcome::Rejected { problem } = world.send(&work).await else { panic!("{kind}") };
        assert_eq!(problem.errors[0].pointer, "/of", "{kind}");
        assert_eq!(world.effects_of(&work).await, 0, "{kind}");
    }
}
