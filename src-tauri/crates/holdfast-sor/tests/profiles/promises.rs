//! The promises that hold for both profiles.

use holdfast_core::look_up::LookUp;
use holdfast_core::operation::Kind;
use holdfast_core::outcome::{BusyWith, Outcome};
use holdfast_core::profile::Profile;
use holdfast_station::ports::{ChangesAnswer, FeedRest};
use serde_json::json;

use crate::world::{BOTH, World, etag, inspected, review};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_operation_of_a_lane_is_recorded_once_and_proven() {
    for profile in BOTH {
        let world = World::of(profile).await;
        let first = world.application();
        let receipt = world.record(&first).await;
        let second = world.after(&receipt, Kind::Stage, review());
        let moved = world.record(&second).await;
        assert_eq!(moved.record_id, receipt.record_id, "{profile:?}");
        assert_ne!(moved.etag, receipt.etag, "{profile:?}");
        let third = world.after(&moved, Kind::Inspection, inspected());
        world.record(&third).await;
        let sent = [&first, &second, &third].map(|work| work.sent.key.to_string());
        assert_eq!(world.effects().await, sent, "{profile:?}");
        for work in [&first, &second, &third] {
            let found = world.look(work).await;
            assert!(matches!(found, LookUp::AlreadyCommitted { .. }), "{profile:?}: {found:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_recorded_is_found_after_its_answer_was_lost() {
    let lost = [
        json!({"do": "commit_then_drop"}),
        json!({"do": "half_body"}),
        json!({"do": "reset", "commit_after_ms": 0}),
    ];
    for profile in BOTH {
        for fault in &lost {
            let world = World::of(profile).await;
            let receipt = world.recorded().await;
            for work in [world.application(), world.after(&receipt, Kind::Stage, review())] {
                world.break_writes(fault.clone()).await;
                let outcome = world.send(&work).await;
                assert!(matches!(outcome, Outcome::Unknown(_)), "{profile:?} {fault}: {outcome:?}");
                world.mend().await;
                world.until_effects(&work, 1).await;
                let found = world.look(&work).await;
                assert!(matches!(found, LookUp::AlreadyCommitted { .. }), "{profile:?} {fault}: {found:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_not_recorded_is_absent() {
    for profile in BOTH {
        let world = World::of(profile).await;
        let receipt = world.recorded().await;
        for work in [world.application(), world.after(&receipt, Kind::Stage, review())] {
            assert_eq!(world.look(&work).await, LookUp::Absent, "{profile:?}");
            world.break_writes(json!({"do": "reset"})).await;
            assert!(matches!(world.send(&work).await, Outcome::Unknown(_)), "{profile:?}");
            world.mend().await;
            assert_eq!(world.look(&work).await, LookUp::Absent, "{profile:?}");
            assert_eq!(world.effects_of(&work).await, 0, "{profile:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_there_is_not_recorded_again() {
    for profile in BOTH {
        let world = World::of(profile).await;
        let work = world.application();
        let receipt = world.record(&work).await;
        let stage = world.after(&receipt, Kind::Stage, review());
        world.record(&stage).await;
        for again in [&work, &stage] {
            let outcome = world.send(again).await;
            let there = matches!(outcome, Outcome::Committed { .. } | Outcome::AlreadyCommitted { .. });
            assert!(there, "{profile:?}: {outcome:?}");
            assert_eq!(world.effects_of(again).await, 1, "{profile:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_made_meanwhile_is_seen_and_nothing_is_written() {
    for profile in BOTH {
        let world = World::of(profile).await;
        let receipt = world.recorded().await;
        let moved = world.record(&world.after(&receipt, Kind::Stage, review())).await;
        let late = world.after(&receipt, Kind::Inspection, inspected());
        let outcome = world.send(&late).await;
        assert_eq!(outcome, Outcome::Conflict { theirs: Some(moved.etag) }, "{profile:?}");
        assert_eq!(world.effects_of(&late).await, 0, "{profile:?}");
        let mut baseless = world.after(&receipt, Kind::Inspection, inspected());
        baseless.delivery.if_match = None;
        let outcome = world.send(&baseless).await;
        assert!(matches!(outcome, Outcome::OurDefect { .. }), "{profile:?}: {outcome:?}");
        let mut foreign = world.after(&receipt, Kind::Inspection, inspected());
        foreign.delivery.if_match = Some(etag("\"another\""));
        assert!(matches!(world.send(&foreign).await, Outcome::Conflict { .. }), "{profile:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_contents_are_typed_and_name_the_field() {
    for profile in BOTH {
        let world = World::of(profile).await;
        let receipt = world.recorded().await;
        let wrong = world.work(
            Kind::Application,
            world.application().delivery.application_id,
            json!({"OriginalAddress1": 7}),
        );
        let Outcome::Rejected { problem } = world.send(&wrong).await else { panic!("{profile:?}") };
        assert!(problem.errors.iter().any(|error| error.pointer == "/OriginalAddress1"), "{problem:?}");
        let leap = world.after(&receipt, Kind::Stage, json!({"to": "ConditionalApproval"}));
        let Outcome::Rejected { problem } = world.send(&leap).await else { panic!("{profile:?}") };
        let named = problem.errors.iter().map(|error| (error.pointer.as_str(), error.code.as_str()));
        assert_eq!(named.collect::<Vec<_>>(), [("/to", "step-not-allowed")], "{profile:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_parent_that_is_not_there_is_said_to_be_missing() {
    for profile in BOTH {
        let world = World::of(profile).await;
        let nowhere = world.application().delivery.application_id;
        let mut work = world.work(Kind::Stage, nowhere, review());
        work.delivery.if_match = Some(etag("\"1\""));
        assert_eq!(world.send(&work).await, Outcome::ParentMissing, "{profile:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_record_and_too_many_requests_are_waited_for() {
    for profile in BOTH {
        let world = World::of(profile).await;
        let locked = if profile.has_keys() {
            json!({"do": "status", "status": 423, "body": {"type": "locked"}})
        } else {
            json!({"do": "status", "status": 400, "body": {"error": {"code": "RECORD_LOCKED"}}})
        };
        let work = world.application();
        world.break_writes(locked).await;
        let busy = Outcome::Busy { with: BusyWith::TheRecord, retry_after: None };
        assert_eq!(world.send(&work).await, busy, "{profile:?}");
        world.break_writes(json!({"do": "status", "status": 429})).await;
        assert_eq!(world.send(&work).await, Outcome::Throttled { retry_after: None }, "{profile:?}");
        world.mend().await;
        world.record(&work).await;
        assert_eq!(world.effects_of(&work).await, 1, "{profile:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_success_that_cannot_be_proven_is_none() {
    let lies = [
        json!({"do": "portal"}),
        json!({"do": "status", "status": 200, "body": "{\"result\": {}}"}),
        json!({"do": "script_abort"}),
    ];
    for profile in BOTH {
        for lie in &lies {
            let world = World::of(profile).await;
            let receipt = world.recorded().await;
            for work in [world.application(), world.after(&receipt, Kind::Stage, review())] {
                world.break_writes(lie.clone()).await;
                assert_eq!(world.send(&work).await, Outcome::Impostor, "{profile:?} {lie}");
                world.mend().await;
                assert_eq!(world.look(&work).await, LookUp::Absent, "{profile:?} {lie}");
                assert_eq!(world.effects_of(&work).await, 0, "{profile:?} {lie}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_that_comes_late_is_found_by_a_later_look() {
    for profile in BOTH {
        let world = World::of(profile).await;
        let work = world.application();
        world.break_writes(json!({"do": "reset", "commit_after_ms": 400})).await;
        assert!(matches!(world.send(&work).await, Outcome::Unknown(_)), "{profile:?}");
        assert_eq!(world.look(&work).await, LookUp::Absent, "{profile:?}");
        world.until_effects(&work, 1).await;
        let found = world.look(&work).await;
        assert!(matches!(found, LookUp::AlreadyCommitted { .. }), "{profile:?}: {found:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_sends_have_one_effect_with_keys_and_without_them_the_twin_is_named() {
    for profile in BOTH {
        let world = World::of(profile).await;
        let receipt = world.recorded().await;
        for work in [world.application(), world.after(&receipt, Kind::Stage, review())] {
            world.break_writes(json!({"do": "reset", "commit_after_ms": 400})).await;
            assert!(matches!(world.send(&work).await, Outcome::Unknown(_)), "{profile:?}");
            world.mend().await;
            world.record(&work).await;
            if profile.has_keys() {
                let found = world.look(&work).await;
                assert!(matches!(found, LookUp::AlreadyCommitted { .. }), "{profile:?}: {found:?}");
                continue;
            }
            world.until_effects(&work, 2).await;
            let LookUp::Twin { record_ids } = world.look(&work).await else { panic!("{profile:?}") };
            assert_eq!(record_ids.len(), 2);
            assert_ne!(record_ids[0], record_ids[1]);
            // And whoever sends it now is told so, and writes nothing.
            assert_eq!(world.send(&work).await, Outcome::Received);
            assert_eq!(world.effects_of(&work).await, 2);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changed_is_told_by_an_sor_with_a_feed_and_others_are_read_whole() {
    for profile in BOTH {
        let world = World::of(profile).await;
        let begun = world.client.changes(None).await.unwrap();
        if !profile.has_keys() {
            assert_eq!(begun, ChangesAnswer::NotOffered);
            continue;
        }
        let ChangesAnswer::Page(begun) = begun else { panic!("{begun:?}") };
        let receipt = world.recorded().await;
        let moved = world.record(&world.after(&receipt, Kind::Stage, review())).await;
        let answer = world.client.changes(Some(&begun.next)).await.unwrap();
        let ChangesAnswer::Page(page) = answer else { panic!("{answer:?}") };
        let told: Vec<_> = page.records.iter().map(|record| (record.application_id, &record.etag)).collect();
        assert_eq!((told, page.rest), (vec![(receipt.application_id, &moved.etag)], FeedRest::All));
        let nowhere = "9.9".parse().unwrap();
        assert_eq!(world.client.changes(Some(&nowhere)).await, Ok(ChangesAnswer::BeginAnew));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_is_worked_on_is_busy_and_has_one_effect() {
    let world = World::of(Profile::Idempotent).await;
    let work = world.application();
    world.break_writes(json!({"do": "reset", "commit_after_ms": 500, "under_way": true, "count": 1})).await;
    // A connection that was open already is replaced within the attempt, which meets the first one then.
    let busy = Outcome::Busy { with: BusyWith::ThisOperation, retry_after: None };
    let first = world.send(&work).await;
    assert!(matches!(first, Outcome::Unknown(_)) || first == busy, "{first:?}");
    assert_eq!(world.send(&work).await, busy);
    world.until_effects(&work, 1).await;
    world.record(&work).await;
    assert_eq!(world.effects_of(&work).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_no_longer_answered_is_unreachable() {
    for profile in BOTH {
        let world = World::of(profile).await;
        let work = world.application();
        world.plan(json!({"faults": [{"do": "refuse"}]})).await;
        assert_eq!(world.send(&work).await.word(), "unreachable", "{profile:?}");
        world.mend().await;
        world.record(&work).await;
    }
}
