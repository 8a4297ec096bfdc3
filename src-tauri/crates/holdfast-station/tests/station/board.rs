//! What the board is told and when, what it may not disturb, and what a later head there says.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use holdfast_core::audit::SignedHead;
use holdfast_core::board::{BoardReport, BoardRow, head_at_board, is_older};
use holdfast_core::ids::StationId;
use holdfast_core::time::UtcMillis;
use holdfast_station::Settings;
use holdfast_station::ports::{Beside, Board, BoardPage, Sockets, SorFault};
use holdfast_wire::{BoardSaid, DrainStop, ListRequest, ModeCause, StationHearing, StationWhose};

use crate::answers::down;
use crate::desk::{Desk, application, settings, wall};

/// How it is with the board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mood {
    Answers,
    Down,
    /// Never, until it is given up.
    Hangs,
}

/// A board in memory that keeps what core says.
struct InMemory {
    mood: Mutex<Mood>,
    rows: Mutex<BTreeMap<StationId, BoardRow>>,
    asked: Mutex<u32>,
    at: Mutex<UtcMillis>,
}

impl InMemory {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            mood: Mutex::new(Mood::Answers),
            rows: Mutex::default(),
            asked: Mutex::new(0),
            at: Mutex::new(wall("2026-11-30T08:00:00.000Z")),
        })
    }

    fn is(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    fn asked(&self) -> u32 {
        *self.asked.lock().unwrap()
    }

    fn own(&self) -> BoardRow {
        self.rows.lock().unwrap()[&"front-1".parse().unwrap()].clone()
    }

    async fn answers(&self) -> Result<(), SorFault> {
        *self.asked.lock().unwrap() += 1;
        let mood = *self.mood.lock().unwrap();
        match mood {
            Mood::Answers => Ok(()),
            Mood::Down => Err(SorFault::NotAnswering),
            Mood::Hangs => {
                tokio::time::sleep(Duration::from_secs(5)).await;
                Err(SorFault::NotAnswering)
            }
        }
    }
}

#[async_trait]
impl Board for InMemory {
    async fn tell(&self, report: &BoardReport, _: Sockets) -> Result<SignedHead, SorFault> {
        self.answers().await?;
        let mut rows = self.rows.lock().unwrap();
        let kept = rows.get(&report.station_id);
        if kept.is_some_and(|kept| is_older(&kept.report, report)) {
            return Err(SorFault::Refused { problem: "version-conflict".into() });
        }
        let head = head_at_board(kept.map(|kept| kept.head.clone()), report.audit_head.clone());
        let heard_at = *self.at.lock().unwrap();
        let row = BoardRow { heard_at, head: head.kept, report: report.clone() };
        rows.insert(report.station_id.clone(), row);
        Ok(head.answered)
    }

    async fn stations(&self, after: Option<&StationId>, _: Sockets) -> Result<BoardPage, SorFault> {
        self.answers().await?;
        let rows = self.rows.lock().unwrap();
        // A page has one row, so that lists are read page by page.
        let row =
            rows.iter().find(|(name, _)| after.is_none_or(|after| *name > after)).map(|(_, row)| row.clone());
        let next = row
            .as_ref()
            .map(|row| row.report.station_id.clone())
            .filter(|name| rows.keys().last() != Some(name));
        Ok(BoardPage { rows: row.into_iter().collect(), next, as_of: *self.at.lock().unwrap() })
    }
}

async fn desk_with(board: &Arc<InMemory>) -> Desk {
    let beside = Beside { board: Some(Arc::clone(board) as _), ..Beside::default() };
    Desk::open_beside(settings(), beside).await
}

/// Looks as the loop behind a window does, for so long.
async fn look_for(desk: &Desk, most: Duration) {
    let _ = tokio::time::timeout(most, async {
        loop {
            let look = desk.station.tell_board_when_due().await.unwrap();
            tokio::time::sleep(Duration::from_millis(look.look_again_ms)).await;
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_board_knows_every_number_that_waits_while_the_sor_is_away_and_nothing_that_was_handed_in() {
    let board = InMemory::new();
    let desk = desk_with(&board).await;
    desk.sor.deliveries(|_, _| down());
    let receipts: Vec<_> = (0..23).map(|_| desk.submit(&application()).unwrap()).collect();
    assert_eq!(desk.pass().await.stopped_because, DrainStop::Pass);
    look_for(&desk, Duration::from_secs(1)).await;
    let told = board.own().report;
    assert_eq!((told.mode.word(), told.books.pending, told.left_out), ("degraded", 23, 0));
    assert!(told.since.is_some());
    let named: Vec<_> = told.waiting.iter().map(|row| row.receipt_no.to_string()).collect();
    assert_eq!(named, receipts.iter().map(|receipt| receipt.receipt_no.clone()).collect::<Vec<_>>());
    for (row, receipt) in told.waiting.iter().zip(&receipts) {
        assert_eq!(row.accepted_at.to_string(), receipt.accepted_at);
        assert_eq!(row.actor.as_ref().map(ToString::to_string).as_deref(), Some("supervisor"));
    }
    let text = serde_json::to_string(&told).unwrap();
    assert!(!text.contains("OAK") && !text.contains("0010-22-417"), "nothing of a form");
    assert_eq!(told.contract.unwrap().version, 7);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn what_is_new_is_told_soon_and_silence_never_lasts_longer_than_five_minutes() {
    let board = InMemory::new();
    let desk = desk_with(&board).await;
    look_for(&desk, Duration::from_secs(14 * 60)).await;
    assert_eq!(board.asked(), 3, "at once, and every five minutes although nothing is new");
    let events = desk.events();
    desk.apply();
    look_for(&desk, Duration::from_secs(1)).await;
    assert_eq!((board.asked(), board.own().report.books.pending), (4, 1));
    desk.apply();
    desk.apply();
    look_for(&desk, Duration::from_secs(13)).await;
    assert_eq!(board.asked(), 4, "several at once are one report");
    look_for(&desk, Duration::from_secs(2)).await;
    assert_eq!((board.asked(), board.own().report.books.pending), (5, 3));
    assert_eq!(desk.events(), events + 3, "telling leaves nothing in the audit");
}

#[tokio::test(start_paused = true)]
async fn a_board_that_is_down_changes_nothing_but_its_own_breaker() {
    let board = InMemory::new();
    let desk = desk_with(&board).await;
    for mood in [Mood::Down, Mood::Hangs] {
        board.is(mood);
        let work = async {
            for _ in 0..4 {
                desk.apply();
                tokio::time::sleep(Duration::from_secs(20)).await;
            }
            desk.pass().await
        };
        let report = desk.station.while_telling_board(work).await;
        assert_eq!((report.committed, report.stopped_because), (4, DrainStop::Empty));
        let status = desk.station.status().unwrap();
        assert_eq!(status.mode, "normal");
        let states: BTreeMap<_, _> = status
            .breakers
            .iter()
            .map(|breaker| (breaker.endpoint.as_str(), breaker.state.as_str()))
            .collect();
        assert_eq!(states["primary"], "closed");
        assert_ne!(states["board"], "closed");
    }
    let outages = desk.station.outages(ListRequest { skip: 0, rows: 10 }).unwrap();
    assert_eq!(outages.rows.iter().map(|row| row.endpoint.as_str()).collect::<Vec<_>>(), ["board"]);
    board.is(Mood::Answers);
    look_for(&desk, Duration::from_secs(120)).await;
    assert_eq!(board.own().report.books.committed, 8, "it hears how things stand as soon as it is back");
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn the_last_word_of_a_drain_is_what_is_left() {
    let board = InMemory::new();
    let desk = desk_with(&board).await;
    desk.apply();
    let report = desk.station.while_telling_board(desk.pass()).await;
    assert_eq!(report.committed, 1);
    let told = board.own().report;
    assert_eq!((told.waiting.len(), told.books.committed), (0, 1));
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// Works on, tells the board, and comes back whole from the copy that was made before.
async fn came_back(desk: Desk) -> Desk {
    let copy = tempfile::tempdir().unwrap();
    let desk = desk.started_after(settings(), |folder| copy_folder(folder, copy.path()));
    for _ in 0..3 {
        desk.apply();
    }
    look_for(&desk, Duration::from_secs(1)).await;
    let desk = desk.started_after(settings(), |folder| copy_folder(copy.path(), folder));
    assert!(
        desk.station.restore(ListRequest { skip: 0, rows: 1 }).unwrap().skipped.is_empty(),
        "nothing here says it"
    );
    desk
}

fn restored_events(desk: &Desk) -> Vec<String> {
    desk.chain().into_iter().filter(|event| event.contains("station.restored")).collect()
}

#[tokio::test(start_paused = true)]
async fn a_station_that_came_back_from_an_older_copy_hears_it_from_the_board_and_reuses_no_number() {
    let board = InMemory::new();
    let desk = desk_with(&board).await;
    let first = desk.submit(&application()).unwrap();
    assert_eq!(first.receipt_no, "front-1-1");
    let desk = came_back(desk).await;
    for _ in 0..2 {
        look_for(&desk, Duration::from_secs(400)).await;
    }
    let told = restored_events(&desk);
    assert_eq!(told.len(), 1, "once: {told:?}");
    assert!(
        told[0].contains(r#""board":"ahead""#) && told[0].contains(r#""noticed_by":"board""#),
        "{told:?}"
    );
    let skipped = desk.station.restore(ListRequest { skip: 0, rows: 1 }).unwrap().skipped;
    assert!(skipped[0].first == 2 && skipped[0].last >= 4, "{skipped:?}");
    let notices = desk.station.status().unwrap().notices;
    assert!(notices.iter().any(|cause| matches!(cause, ModeCause::StationRestored { .. })), "{notices:?}");
    let next = desk.submit(&application()).unwrap();
    assert!(next.local_seq > 4, "{next:?}");
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn one_that_went_on_before_it_heard_of_it_hears_of_it_all_the_same() {
    let board = InMemory::new();
    let desk = came_back(desk_with(&board).await).await;
    for _ in 0..12 {
        desk.apply();
    }
    look_for(&desk, Duration::from_secs(400)).await;
    let told = restored_events(&desk);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains(r#""board":"parted""#), "{told:?}");
    assert_eq!(desk.station.restore(ListRequest { skip: 0, rows: 1 }).unwrap().skipped.len(), 1);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn what_the_board_said_last_is_shown_with_its_age_when_it_says_nothing() {
    let board = InMemory::new();
    let desk = desk_with(&board).await;
    let empty = desk.station.known_stations().unwrap();
    assert_eq!((empty.board, empty.as_of, empty.stations.len()), (BoardSaid::NotAsked, None, 0));
    look_for(&desk, Duration::from_secs(1)).await;
    let mut other = board.own();
    other.report.station_id = "back-1".parse().unwrap();
    other.heard_at = other.heard_at.plus_millis(-38 * 60_000);
    board.rows.lock().unwrap().insert(other.report.station_id.clone(), other);
    let said = desk.station.stations().await.unwrap();
    assert_eq!(said.board, BoardSaid::Answered);
    let seen: Vec<_> =
        said.stations.iter().map(|told| (told.station_id.as_str(), told.whose, told.hearing)).collect();
    let expected = [
        ("back-1", StationWhose::Other, StationHearing::Silent),
        ("front-1", StationWhose::This, StationHearing::Heard),
    ];
    assert_eq!(seen, expected);
    board.is(Mood::Down);
    let later = desk.station.stations().await.unwrap();
    assert_eq!(later.board, BoardSaid::NotAnswering { next_try_at: None });
    assert_eq!((&later.as_of, &later.stations), (&said.as_of, &said.stations));
    let desk = desk.started_again(Settings::default());
    assert_eq!(desk.station.known_stations().unwrap().stations, said.stations, "over a restart, too");
}

#[tokio::test(start_paused = true)]
async fn without_a_board_nobody_is_told_and_the_list_says_so() {
    let desk = Desk::open(settings()).await;
    let look = desk.station.tell_board_when_due().await.unwrap();
    assert!(!look.changed);
    assert_eq!(desk.station.stations().await.unwrap().board, BoardSaid::NoBoard);
    assert_eq!(desk.station.known_stations().unwrap().board, BoardSaid::NoBoard);
    assert_eq!(desk.station.status().unwrap().breakers.len(), 1);
}
