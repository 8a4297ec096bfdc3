//! Standing: what a window's mode bar is told follows the facts, and goes with them.

use holdfast_wire::{EndpointDoing, ModeCause, StandingView};

use crate::answers::{asking, down, recorded, stranger, typed};
use crate::desk::{Desk, settings};

fn standing(desk: &Desk) -> StandingView {
    desk.station.standing().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_calm_station_has_nothing_to_tell() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    let calm = standing(&desk);
    assert_eq!(calm.causes, []);
    assert_eq!(calm.endpoints[0].doing, EndpointDoing::Answering);
    assert!(calm.rules_until.unwrap() > calm.at);
}

#[tokio::test(start_paused = true)]
async fn without_rules_intake_is_paused_and_the_cause_says_so() {
    let desk = Desk::bare(settings());
    assert_eq!(standing(&desk).causes, [ModeCause::RulesAbsent]);

    let desk = Desk::open(settings()).await;
    desk.clock.go_on_ms(25 * 3_600_000);
    assert!(standing(&desk).causes.contains(&ModeCause::RulesTooOld { age_h: 25, limit_h: 24 }));
}

#[tokio::test(start_paused = true)]
async fn an_outage_is_told_from_its_first_failure_until_its_backlog_is_worked_off() {
    let desk = Desk::open(settings()).await;
    let lanes = [desk.apply(), desk.apply(), desk.apply()];
    desk.sor.deliveries(|_, _| down());
    desk.pass().await;
    let told = standing(&desk).causes;
    let [ModeCause::NotAnswering { since, waiting: 3, oldest: Some(oldest) }] = &told[..] else {
        panic!("{:?}", standing(&desk).causes);
    };
    assert!(oldest <= since);
    assert!(matches!(
        standing(&desk).endpoints[0].doing,
        EndpointDoing::NotAnswering { next_try_at: Some(_) }
    ));

    // The canary is recorded; the next one has to wait.
    desk.clock.go_on_ms(60_000);
    desk.sor.deliveries(|nth, body| if nth == 3 { recorded(body, 1) } else { typed(423, "locked") });
    desk.pass().await;
    let catching_up = |recorded| ModeCause::CatchingUp { recorded, of: recorded + 2, minutes_left: None };
    assert_eq!(standing(&desk).causes, [catching_up(0)], "counted from when it is first seen");

    desk.clock.go_on_ms(120_000);
    desk.sor.deliveries(|_, body| recorded(body, body.local_seq.0));
    desk.until_empty().await;
    let [ModeCause::OutageOver { from, until, recorded: 3, decisions: 0 }] = &standing(&desk).causes[..]
    else {
        panic!("{:?}", standing(&desk).causes);
    };
    assert!(from == since && from < until, "with all that waited through it");
    assert_eq!(lanes.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_an_outage_is_told_with_its_books_until_the_shift_is_over() {
    let desk = Desk::open(settings()).await;
    (0..2).for_each(|_| drop(desk.apply()));
    desk.sor.deliveries(|_, _| down());
    desk.pass().await;
    (0..3).for_each(|_| drop(desk.apply()));
    desk.clock.go_on_ms(60_000);
    desk.sor.deliveries(|_, body| match body.local_seq.0 {
        4 => typed(422, "validation"),
        seq => recorded(body, seq),
    });
    desk.pass().await;
    let over = |desk: &Desk| {
        let causes = standing(desk).causes;
        causes.into_iter().find(|cause| matches!(cause, ModeCause::OutageOver { .. }))
    };
    let Some(ModeCause::OutageOver { recorded: 4, decisions: 1, .. }) = over(&desk) else {
        panic!("{:?}", standing(&desk).causes);
    };
    desk.clock.go_on_ms(8 * 3_600_000 + 1);
    assert_eq!(over(&desk), None);
}

#[tokio::test(start_paused = true)]
async fn a_station_that_is_refused_is_told_so_until_something_is_taken() {
    for (status, kind) in [(403, "forbidden"), (401, "unauthorized")] {
        let desk = Desk::open(settings()).await;
        (0..4).for_each(|_| drop(desk.apply()));
        desk.sor.deliveries(move |_, _| typed(status, kind));
        desk.until_empty().await;
        let [ModeCause::StationRefused { .. }] = standing(&desk).causes[..] else {
            panic!("{:?}", standing(&desk).causes);
        };
        assert_eq!(standing(&desk).endpoints[0].doing, EndpointDoing::RefusesStation);
        desk.sor.deliveries(|_, body| recorded(body, body.local_seq.0));
        desk.until_empty().await;
        assert_eq!(standing(&desk).causes, []);
        assert_eq!(standing(&desk).endpoints[0].doing, EndpointDoing::Answering);
    }
}

#[tokio::test(start_paused = true)]
async fn an_endpoint_is_told_as_it_was_heard() {
    let desk = Desk::bare(settings());
    assert_eq!(standing(&desk).endpoints[0].doing, EndpointDoing::NotTried);

    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|_, _| stranger(200));
    desk.pass().await;
    assert_eq!(standing(&desk).endpoints[0].doing, EndpointDoing::WrongSystem);

    let desk = Desk::open(settings()).await;
    (0..2).for_each(|_| drop(desk.apply()));
    desk.sor.deliveries(|_, _| asking(600, stranger(503)));
    desk.pass().await;
    assert!(matches!(standing(&desk).endpoints[0].doing, EndpointDoing::AsksToWait { .. }));
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_a_person_is_told() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.sor.deliveries(|_, _| typed(422, "validation"));
    desk.until_empty().await;
    assert_eq!(standing(&desk).causes, [ModeCause::NeedsDecision { count: 1, own: false }]);
}
