//! How many operations are on their way at once.

use std::time::Duration;

use holdfast_core::ramp::Order;
use holdfast_core::reprove::Recollection;
use holdfast_station::Settings;
use holdfast_wire::DrainStop;
use tokio::time::Instant;

use crate::answers::{recorded, stranger, typed};
use crate::desk::Desk;

const LANES: u64 = 100;

/// A hundred lanes at an SoR that takes a second for each, and says this of its order.
async fn desk(order: Option<Order>) -> Desk {
    let desk = Desk::open(Settings { breaker_fail_max: 100, ..Settings::default() }).await;
    desk.sor.recalls(move || Ok(Recollection { order, ..Recollection::default() }));
    for _ in 0..LANES {
        desk.apply();
    }
    desk.sor.takes_ms(1_000);
    desk
}

async fn seconds_until_empty(desk: &Desk) -> u64 {
    let began = Instant::now();
    let report = desk.until_empty().await;
    assert_eq!((report.pending, report.stopped_because), (0, DrainStop::Empty));
    began.elapsed().as_secs()
}

#[tokio::test(start_paused = true)]
async fn an_sor_that_keeps_the_order_of_arrival_gets_one_at_a_time() {
    let desk = desk(None).await;
    assert!(seconds_until_empty(&desk).await >= LANES);
    assert_eq!(desk.sor.delivered(), (1..=LANES).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn an_sor_that_orders_by_itself_gets_more_and_more_at_once_offered_oldest_first() {
    let desk = desk(Some(Order::AcceptedAt)).await;
    // Twenty alone, twenty by two, sixty by four.
    let seconds = seconds_until_empty(&desk).await;
    assert!((45..=50).contains(&seconds), "{seconds}");
    assert_eq!(desk.sor.delivered(), (1..=LANES).collect::<Vec<_>>());
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn of_one_application_one_is_on_its_way_however_many_may_be() {
    let desk = desk(Some(Order::AcceptedAt)).await;
    desk.until_empty().await;
    let lane = desk.apply();
    desk.advance(&lane, "PrelimReview");
    desk.advance(&lane, "FeeEstimated");
    let others: Vec<_> = (0..3).map(|_| desk.apply()).collect();
    let (sent, taken) = (desk.sor.asked().len(), Instant::now());
    assert_eq!(desk.until_empty().await.committed, 3 + others.len() as u64);
    assert_eq!(
        taken.elapsed(),
        Duration::from_secs(3),
        "the lane's three one after the other, the others beside them"
    );
    assert_eq!(desk.sor.asked().len() - sent, 6);
}

#[tokio::test(start_paused = true)]
async fn a_failure_halves_what_is_on_its_way() {
    let desk = desk(Some(Order::AcceptedAt)).await;
    desk.sor.deliveries(
        |nth, body| {
            if nth % 15 == 0 { stranger(500) } else { recorded(body, body.local_seq.0) }
        },
    );
    assert!(seconds_until_empty(&desk).await >= LANES, "it never comes to twenty in a row");
}

#[tokio::test(start_paused = true)]
async fn one_token_refused_to_several_at_once_is_renewed_once() {
    let desk = desk(Some(Order::AcceptedAt)).await;
    desk.until_empty().await;
    for _ in 0..8 {
        desk.apply();
    }
    desk.sor.deliveries(|nth, body| {
        // The four that are on their way with the old token.
        if (101..=104).contains(&nth) || nth <= 4 {
            typed(401, "unauthorized")
        } else {
            recorded(body, body.local_seq.0)
        }
    });
    let report = desk.until_empty().await;
    assert_eq!((report.committed, report.stopped_because), (8, DrainStop::Empty));
    let renewed =
        desk.sor.asked().into_iter().filter(|asked| *asked == crate::sor::Asked::TokenForgotten).count();
    assert_eq!(renewed, 1);
}

#[tokio::test(start_paused = true)]
async fn whatever_ends_a_drain_what_is_on_its_way_is_ended_first() {
    let desk = desk(Some(Order::AcceptedAt)).await;
    let report = desk.drain(holdfast_wire::DrainRequest { until_empty: true, max_s: Some(41) }).await;
    assert_eq!(report.stopped_because, DrainStop::Time);
    let books = desk.station.status().unwrap().books;
    assert_eq!(books.in_flight, 0, "{books:?}");
    assert_eq!(books.committed, desk.sor.delivered().len() as u64);
}
