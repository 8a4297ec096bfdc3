//! What a drain brings, in which order, and what it says of itself.

use holdfast_core::outcome::{Content, ReceiptState};
use holdfast_station::Settings;
use holdfast_station::ports::{NoLife, Sockets};
use holdfast_wire::DrainStop;

use crate::answers::{asking, down, lost, receipt, recorded, replied, stranger, typed};
use crate::desk::{Desk, settings};
use crate::sor::Asked;

#[tokio::test(start_paused = true)]
async fn three_of_one_application_arrive_in_order_each_bound_to_the_one_before() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    desk.advance(&lane, "FeeEstimated");
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.pending, report.stopped_because), (3, 0, DrainStop::Empty));
    let bound: Vec<_> = [(1, None), (2, Some("\"v1\"")), (3, Some("\"v2\""))]
        .map(|(seq, etag)| (seq, etag.map(str::to_owned)))
        .into();
    let sent = |asked| match asked {
        Asked::Deliver { seq, if_match, sockets: Sockets::Kept } => Some((seq, if_match)),
        Asked::Deliver { .. } | Asked::LookUp | Asked::Health | Asked::Probe | Asked::TokenForgotten => None,
        Asked::Visits | Asked::Records | Asked::Record => None,
    };
    let asked: Vec<_> = desk.sor.asked().into_iter().filter_map(sent).collect();
    assert_eq!(asked, bound);
}

#[tokio::test(start_paused = true)]
async fn a_failed_one_holds_its_own_lane_back_and_no_other() {
    let desk = Desk::open(settings()).await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    desk.advance(&lane, "FeeEstimated");
    desk.apply();
    desk.apply();
    let mut failed = false;
    desk.sor.deliveries(move |_, body| {
        if body.local_seq.0 == 2 && !std::mem::replace(&mut failed, true) {
            return stranger(500);
        }
        recorded(body, body.local_seq.0)
    });
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.stopped_because), (5, DrainStop::Empty));
    assert_eq!(desk.sor.delivered(), [1, 2, 4, 5, 2, 3]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_lost_is_found_and_not_recorded_twice() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|nth, body| {
        let already = serde_json::json!({
            "type": "https://holdfast.example/problems/already-committed",
            "operation": receipt(body, 1, ReceiptState::Applied),
        });
        match nth {
            1 => lost(),
            _ => replied(409, Content::Problem(serde_json::from_value(already).unwrap())),
        }
    });
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.already_committed), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn behind_a_portal_everything_is_looked_up_before_it_is_sent_again() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|nth, body| if nth == 1 { stranger(200) } else { recorded(body, 1) });
    let report = desk.until_empty().await;
    assert_eq!(report.committed, 1);
    let asked = desk.sor.asked();
    assert!(matches!(asked[..], [Asked::Deliver { .. }, Asked::LookUp, Asked::Deliver { .. }]), "{asked:?}");
}

#[tokio::test(start_paused = true)]
async fn through_an_outage_one_request_goes_out_per_half_open_and_then_everything() {
    let desk = Desk::open(settings()).await;
    for _ in 0..6 {
        desk.apply();
    }
    // Two failures trip it; five canaries fail; then the SoR is back.
    desk.sor.deliveries(|nth, body| if nth <= 7 { down() } else { recorded(body, body.local_seq.0) });
    let began = tokio::time::Instant::now();
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.stopped_because), (6, DrainStop::Empty));
    let fresh = |asked: &Asked| matches!(asked, Asked::Deliver { sockets: Sockets::Fresh, .. });
    let asked = desk.sor.asked();
    assert_eq!(asked.iter().filter(|asked| fresh(asked)).count(), 6, "the canaries");
    assert!(began.elapsed().as_secs() >= 6 * 27, "each after a whole cool-down: {:?}", began.elapsed());
    assert_eq!(desk.station.status().unwrap().counts.failed, 7);
}

#[tokio::test(start_paused = true)]
async fn the_next_canary_comes_from_another_lane_and_is_a_probe_when_there_is_none() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|nth, body| if nth <= 3 { down() } else { recorded(body, 1) });
    let report = desk.until_empty().await;
    assert_eq!(report.committed, 1);
    let asked = desk.sor.asked();
    let word = |asked: &Asked| match asked {
        Asked::Deliver { sockets: Sockets::Kept, .. } => "send",
        Asked::Deliver { sockets: Sockets::Fresh, .. } => "canary",
        Asked::Health | Asked::Probe => "probe",
        Asked::LookUp => "look-up",
        Asked::TokenForgotten => "token",
        Asked::Visits | Asked::Records | Asked::Record => "copy",
    };
    let words: Vec<_> = asked.iter().map(word).collect();
    assert_eq!(words, ["send", "send", "canary", "probe", "send"]);
}

#[tokio::test(start_paused = true)]
async fn one_that_always_fails_waits_for_a_person_and_its_followers_pause_the_drain() {
    let desk = Desk::open(Settings { attempt_backoff_max_s: 2.0, ..settings() }).await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    for _ in 0..20 {
        desk.apply();
    }
    // Others are worked on all the while, slowly enough to lie between its failures.
    desk.sor.takes_ms(500);
    desk.sor.deliveries(|_, body| match body.local_seq.0 {
        1 => stranger(500),
        seq => recorded(body, seq),
    });
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.quarantined, report.pending), (20, 1, 1));
    assert_eq!(report.stopped_because, DrainStop::Paused, "its follower needs a person first");
    let status = desk.station.status().unwrap();
    assert_eq!((status.outages_open, status.breakers[0].state.as_str()), (0, "closed"));
    assert_eq!(desk.sor.delivered().iter().filter(|seq| **seq == 1).count(), 6);
}

#[tokio::test(start_paused = true)]
async fn a_token_is_renewed_once_and_a_second_refusal_stops_the_drain() {
    for (refusals, expected) in [(1, DrainStop::Empty), (2, DrainStop::Unauthorized)] {
        let desk = Desk::open(settings()).await;
        desk.apply();
        desk.apply();
        desk.sor.deliveries(move |nth, body| {
            if nth <= refusals { typed(401, "unauthorized") } else { recorded(body, body.local_seq.0) }
        });
        let report = desk.until_empty().await;
        assert_eq!(report.stopped_because, expected);
        let renewed = desk.sor.asked().iter().filter(|asked| **asked == Asked::TokenForgotten).count();
        assert_eq!(renewed, 1);
        assert_eq!(report.pending, if refusals == 1 { 0 } else { 2 }, "nothing is lost by it");
        assert_eq!(desk.until_empty().await.stopped_because, DrainStop::Empty, "and the next drain goes on");
    }
}

#[tokio::test(start_paused = true)]
async fn three_forbidden_lanes_pause_the_drain_and_one_among_others_does_not() {
    let desk = Desk::open(settings()).await;
    for _ in 0..4 {
        desk.apply();
    }
    desk.sor.deliveries(|_, _| typed(403, "forbidden"));
    let report = desk.until_empty().await;
    assert_eq!((report.stopped_because, report.quarantined, report.pending), (DrainStop::Paused, 0, 4));
    assert_eq!(desk.sor.delivered(), [1, 2, 3]);

    let desk = Desk::open(settings()).await;
    for _ in 0..3 {
        desk.apply();
    }
    desk.sor.deliveries(|_, body| match body.local_seq.0 {
        1 => typed(403, "forbidden"),
        seq => recorded(body, seq),
    });
    let report = desk.until_empty().await;
    assert_eq!((report.stopped_because, report.quarantined, report.committed), (DrainStop::Empty, 1, 2));
}

#[tokio::test(start_paused = true)]
async fn announced_maintenance_is_waited_out_but_never_longer_than_a_quarter_of_an_hour() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    let mut again = None;
    desk.sor.deliveries(move |nth, body| {
        let now = tokio::time::Instant::now();
        let since = again.replace(now).map(|before: tokio::time::Instant| now - before);
        if let Some(since) = since {
            assert!((27..=901).contains(&since.as_secs()), "{since:?}");
        }
        if nth <= 2 { asking(3_600, stranger(503)) } else { recorded(body, 1) }
    });
    assert_eq!(desk.until_empty().await.committed, 1);
}

#[tokio::test(start_paused = true)]
async fn what_was_in_flight_when_the_program_ended_is_sent_again_with_the_same_bytes() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.takes_ms(3_000);
    {
        let (_handle, stop) = holdfast_station::Stop::new();
        let request = holdfast_wire::DrainRequest { until_empty: true, max_s: None };
        let drain = desk.station.drain(request, stop, &|_| ());
        // The program ends in the middle of the attempt.
        assert!(tokio::time::timeout(std::time::Duration::from_secs(1), drain).await.is_err());
    }
    assert_eq!(desk.station.status().unwrap().books.in_flight, 1);
    let desk = desk.started_again(settings());
    let status = desk.station.status().unwrap();
    assert_eq!((status.books.in_flight, status.books.pending), (0, 1));
    desk.sor.takes_ms(0);
    assert_eq!(desk.until_empty().await.committed, 1);
    assert_eq!(desk.sor.delivered(), [1, 1]);
}

#[tokio::test(start_paused = true)]
async fn what_the_sor_has_received_is_asked_for_until_it_is_recorded() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    let received = std::sync::Arc::new(std::sync::Mutex::new(None));
    let kept = std::sync::Arc::clone(&received);
    desk.sor.deliveries(move |_, body| {
        *kept.lock().unwrap() = Some(receipt(body, 1, ReceiptState::Applied));
        replied(202, Content::Receipt(receipt(body, 1, ReceiptState::Received)))
    });
    let mut asked = 0;
    desk.sor.look_ups(move |_| {
        asked += 1;
        let state = if asked < 3 { ReceiptState::Received } else { ReceiptState::Applied };
        let whole = received.lock().unwrap().clone().unwrap();
        replied(200, Content::Receipt(holdfast_core::outcome::ReceiptBody { state, ..whole }))
    });
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.already_committed, report.pending), (0, 1, 0));
    assert_eq!(desk.sor.delivered(), [1], "sent once");
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_is_not_answered_keeps_the_breaker_open() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|nth, body| if nth <= 4 { down() } else { recorded(body, 1) });
    let mut lives = 0;
    desk.sor.healths(move || {
        lives += 1;
        if lives == 1 { Err(NoLife::Silent { retry_after: None }) } else { Ok(()) }
    });
    assert_eq!(desk.until_empty().await.committed, 1);
    // Two sends, a canary, a probe, the operation's turn again, and a probe that is answered.
    assert_eq!(desk.sor.asked().iter().filter(|asked| **asked == Asked::Health).count(), 2);
    assert_eq!(desk.station.status().unwrap().counts.failed, 4, "a probe is no attempt");
}

#[tokio::test(start_paused = true)]
async fn the_only_lane_is_never_taken_out_of_the_queue_because_it_fails() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|_, _| asking(1, stranger(503)));
    let report = desk.until_empty().await;
    assert_eq!((report.quarantined, report.pending, report.stopped_because), (0, 1, DrainStop::Time));
    let probes = desk.sor.asked().iter().filter(|asked| **asked == Asked::Health).count();
    assert!(probes > 2 * usize::try_from(settings().item_failures_max).unwrap(), "{probes}");
}
