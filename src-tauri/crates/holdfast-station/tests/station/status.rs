//! Status: the first mode that holds, and numbers that balance.

use holdfast_wire::StatusView;

use crate::answers::{down, typed};
use crate::desk::{Desk, settings};

fn status(desk: &Desk) -> StatusView {
    let status = desk.station.status().unwrap();
    let books = status.books;
    let sum = books.pending + books.in_flight + books.committed + books.quarantined + books.voided;
    assert_eq!(books.accepted, sum, "the books balance");
    status
}

#[tokio::test(start_paused = true)]
async fn before_there_are_rules_intake_is_paused() {
    let desk = Desk::bare(settings());
    let status = status(&desk);
    assert_eq!((status.mode.as_str(), status.contract.version), ("intake_paused", None));
}

#[tokio::test(start_paused = true)]
async fn each_mode_is_named_as_its_cause_comes_and_goes() {
    let desk = Desk::open(settings()).await;
    let lanes = [desk.apply(), desk.apply(), desk.apply()];
    assert_eq!(status(&desk).mode, "normal", "work waits, and nothing is wrong");

    desk.sor.deliveries(|_, _| down());
    desk.pass().await;
    let degraded = status(&desk);
    assert_eq!((degraded.mode.as_str(), degraded.outages_open), ("degraded", 1));
    assert_eq!((degraded.breakers[0].state.as_str(), degraded.counts.failed), ("open", 2));
    assert!(degraded.breakers[0].next_try_at.is_some());
    desk.clock.go_on_ms(60_000);
    assert_eq!(status(&desk).mode, "degraded", "a try that is due is no answer");

    // The canary is answered, and the next waits: what was accepted until then is being worked off.
    desk.sor.deliveries(|nth, body| match nth {
        3 => crate::answers::recorded(body, 1),
        _ => typed(423, "locked"),
    });
    desk.pass().await;
    let recovering = status(&desk);
    assert_eq!((recovering.mode.as_str(), recovering.outages_open), ("recovering", 0));
    assert_eq!(recovering.books.committed, 1);

    // Work of today does not keep yesterday's outage open.
    desk.clock.go_on_ms(120_000);
    desk.sor.deliveries(|_, body| crate::answers::recorded(body, body.local_seq.0));
    desk.until_empty().await;
    desk.advance(&lanes[0], "PrelimReview");
    assert_eq!(status(&desk).mode, "normal");

    desk.clock.go_on_ms(25 * 3_600_000);
    let paused = status(&desk);
    assert_eq!((paused.mode.as_str(), paused.contract.valid), ("intake_paused", false));
    assert!(paused.contract.age_s.unwrap() > 24 * 3_600);
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_a_person_is_no_backlog_and_no_outage() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|_, _| down());
    desk.apply();
    desk.pass().await;
    desk.clock.go_on_ms(120_000);
    desk.sor.deliveries(|_, _| typed(422, "validation"));
    desk.until_empty().await;
    let status = status(&desk);
    assert_eq!((status.mode.as_str(), status.books.quarantined), ("normal", 2));
    assert_eq!((status.backlog.count, status.backlog.oldest_accepted_at), (0, None));
}

#[tokio::test(start_paused = true)]
async fn accepted_operations_are_counted_by_their_route() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.apply();
    desk.sor.deliveries(|_, _| down());
    desk.pass().await;
    desk.apply();
    let status = status(&desk);
    assert_eq!((status.counts.direct, status.counts.deferred, status.counts.probe), (1, 2, 0));
    assert_eq!(status.backlog.count, 3);
    let oldest = status.backlog.oldest_accepted_at.unwrap();
    assert!(oldest.starts_with("2026-11-30T08:00:0"), "{oldest}");
}
