//! The demonstration, composed as behind the window but without one: work goes on while the SoR is broken, persons change
//! while it is away, and once it is mended everything is recorded.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use holdfast_shell::demo::{Demo, house, open_in};
use holdfast_shell::{AtWork, Desk, go_on};
use holdfast_station::{Stop, StopHandle};
use holdfast_wire::{DemoFault, DemoPerson, ModeCause, ReceiptView, StandingView, StationEvent, Told};
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Longest that anything may take here; far above what it does take.
const PATIENCE: Duration = Duration::from_secs(60);

struct Scene {
    desk: Desk,
    demo: Demo,
    heard: UnboundedReceiver<StationEvent>,
    stop: StopHandle,
    loops: JoinHandle<()>,
    _above: TempDir,
}

impl Scene {
    async fn open() -> Self {
        let above = tempfile::tempdir().unwrap();
        let (station, demo) = open_in(above.path()).await.unwrap();
        let (tell, heard) = unbounded_channel();
        let (stop, asked) = Stop::new();
        let at_work =
            AtWork { station, house: house(), log: None, door: Some(demo.door()), configuration: None };
        let desk = Desk::at(at_work, Arc::new(move |event| drop(tell.send(event))), asked);
        let loops = tokio::spawn(go_on(desk.clone()));
        Self { desk, demo, heard, stop, loops, _above: above }
    }

    fn apply(&self, address: &str) -> ReceiptView {
        let document = format!(
            r#"{{"kind":"application","payload":{{"OriginalAddress1":"{address}","OriginalCity":"ALDER FALLS",
            "PIN":["0010-22-401"],"PermitTypeMapped":"Roof","WorkClassMapped":"Existing",
            "EstProjectCost":"2500.00","AppliedDate":"2026-11-30"}}}}"#
        );
        self.desk.station().unwrap().submit(document.as_bytes()).unwrap()
    }

    /// Waits, hearing what the window would hear, until the standing is as wanted.
    async fn until(&mut self, wanted: impl Fn(&StandingView) -> bool) -> StandingView {
        timeout(PATIENCE, async {
            loop {
                let standing = self.desk.station().unwrap().standing().unwrap();
                if wanted(&standing) {
                    return standing;
                }
                self.heard.recv().await.unwrap();
            }
        })
        .await
        .unwrap()
    }

    async fn until_told(&mut self, wanted: impl Fn(&Told) -> bool) {
        let told = async { while !wanted(&self.heard.recv().await.unwrap().told) {} };
        timeout(PATIENCE, told).await.unwrap();
    }

    async fn close(self) {
        self.stop.ask();
        timeout(PATIENCE, self.loops).await.unwrap().unwrap();
        self.demo.end().await;
    }
}

fn is_outage(standing: &StandingView) -> bool {
    standing.causes.iter().any(|cause| matches!(cause, ModeCause::NotAnswering { .. }))
}

#[tokio::test(flavor = "multi_thread")]
async fn work_is_taken_in_an_outage_and_recorded_after_it() {
    let mut scene = Scene::open().await;
    scene.apply("1 OAK ST");
    scene.until(|standing| standing.status.books.committed == 1).await;

    scene.demo.break_sor(DemoFault::Refuse).await.unwrap();
    scene.apply("2 OAK ST");
    scene.apply("3 OAK ST");
    let away = scene.until(is_outage).await;
    assert_eq!((away.status.mode.as_str(), away.status.backlog.count), ("degraded", 2));

    scene.demo.mend_sor().await.unwrap();
    scene.until_told(|told| matches!(told, Told::DrainEnded { .. })).await;
    let over = scene.until(|standing| standing.status.backlog.count == 0).await;
    assert_eq!((over.status.books.accepted, over.status.books.committed), (3, 3));
    assert_eq!(over.status.mode, "normal");
    assert!(!is_outage(&over), "{:?}", over.causes);
    scene.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn persons_change_while_the_system_is_away() {
    let scene = Scene::open().await;
    assert_eq!(scene.desk.station().unwrap().session().unwrap().unwrap().actor, "clerk");
    scene.demo.break_sor(DemoFault::Timeout).await.unwrap();
    for person in [DemoPerson::Inspector, DemoPerson::Supervisor, DemoPerson::Clerk] {
        let session = scene.demo.switch(scene.desk.station().unwrap(), person).unwrap();
        assert_eq!(session.actor, person.name());
        assert_eq!(scene.desk.station().unwrap().session().unwrap(), Some(session));
    }
    scene.apply("4 OAK ST");
    scene.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_to_break_the_system_is_a_plan_that_it_takes() {
    let scene = Scene::open().await;
    let ways = [
        DemoFault::Timeout,
        DemoFault::Refuse,
        DemoFault::ServerError,
        DemoFault::Portal,
        DemoFault::SucceedsLate,
    ];
    for way in ways {
        scene.demo.break_sor(way).await.unwrap();
        scene.demo.mend_sor().await.unwrap();
    }
    scene.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn heartbeats_come_while_the_station_answers_and_stop_with_it() {
    let mut scene = Scene::open().await;
    scene.until_told(|told| *told == Told::Heartbeat).await;
    scene.until_told(|told| *told == Told::Heartbeat).await;
    scene.close().await;
}
