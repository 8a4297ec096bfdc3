//! Many who send at the instant at which the cool-down ends: the SoR sees one request.

use futures_util::future::join_all;
use holdfast_station::Settings;

use crate::answers::down;
use crate::desk::{Desk, settings};

const CALLERS: usize = 64;
/// Longer than a cool-down with its jitter.
const ROUND_MS: u64 = 40_000;

fn rounds() -> usize {
    if std::env::var_os("HOLDFAST_LONG").is_some() { 1_000 } else { 25 }
}

#[tokio::test(start_paused = true)]
async fn of_sixty_four_who_drain_one_sends_one_canary_in_every_round() {
    let desk = Desk::open(Settings { breaker_fail_max: 1, ..settings() }).await;
    for _ in 0..CALLERS {
        desk.apply();
    }
    desk.sor.deliveries(|_, _| down());
    desk.pass().await;
    let asked_before = desk.sor.asked().len();
    let mut exact = 0;
    for round in 1..=rounds() {
        desk.clock.go_on_ms(ROUND_MS);
        join_all((0..CALLERS).map(|_| desk.pass())).await;
        exact += usize::from(desk.sor.asked().len() == asked_before + round);
    }
    assert_eq!(exact, rounds());
    assert_eq!(desk.station.status().unwrap().books.pending, 64, "nothing was set aside for it");
}
