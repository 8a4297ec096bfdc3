//! Copies at the mirror: what is copied and when, what that may not disturb, and what is let go of.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use holdfast_core::canonical::sha256;
use holdfast_core::ids::{Digest, IdempotencyKey, LocalSeq};
use holdfast_core::operation::Body;
use holdfast_core::replay::{Recomputed, recompute};
use holdfast_station::Settings;
use holdfast_station::ports::{Beside, Custody, CustodyPage, HeldCopy, Sockets, SorFault};
use holdfast_wire::{CopyInCustody, CustodyView, ItemOrder, ItemsOf, ItemsRequest, ListRequest};
use serde_json::json;

use crate::answers::{down, recorded};
use crate::desk::{Desk, application, settings};

const FIRST_TEN: ListRequest = ListRequest { skip: 0, rows: 10 };

fn waiting() -> ItemsRequest {
    ItemsRequest {
        of: ItemsOf::Waiting,
        text: String::new(),
        order: ItemOrder::OldestFirst,
        skip: 0,
        rows: 10,
    }
}

/// How it is with the mirror.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mood {
    Answers,
    Down,
    /// Never, until it is given up.
    Hangs,
    /// It holds what it is given, and nobody hears of it.
    AnswersAreLost,
    /// Something else is held, or somebody else answers.
    IsAnother,
    Refuses(&'static str),
}

/// What it was asked, by the number of the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Hold(u64),
    Release(u64),
    Sign,
}

/// A mirror in memory.
struct InMemory {
    mood: Mutex<Mood>,
    held: Mutex<BTreeMap<IdempotencyKey, Vec<u8>>>,
    numbers: Mutex<BTreeMap<IdempotencyKey, u64>>,
    asked: Mutex<Vec<Asked>>,
    /// Done once, while a copy is under way.
    meanwhile: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl InMemory {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            mood: Mutex::new(Mood::Answers),
            held: Mutex::default(),
            numbers: Mutex::default(),
            asked: Mutex::default(),
            meanwhile: Mutex::default(),
        })
    }

    fn is(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    /// What it was asked since the last time.
    fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    fn held(&self) -> usize {
        self.held.lock().unwrap().len()
    }

    async fn answers(&self, asked: Asked) -> Result<(), SorFault> {
        self.asked.lock().unwrap().push(asked);
        let mood = *self.mood.lock().unwrap();
        match mood {
            Mood::Answers | Mood::AnswersAreLost => Ok(()),
            Mood::Down => Err(SorFault::NotAnswering),
            Mood::IsAnother => Err(SorFault::Impostor),
            Mood::Refuses(problem) => Err(SorFault::Refused { problem: problem.to_owned() }),
            Mood::Hangs => {
                tokio::time::sleep(Duration::from_secs(5)).await;
                Err(SorFault::NotAnswering)
            }
        }
    }

    fn heard<T>(&self, answer: T) -> Result<T, SorFault> {
        let lost = *self.mood.lock().unwrap() == Mood::AnswersAreLost;
        if lost { Err(SorFault::NotAnswering) } else { Ok(answer) }
    }
}

#[async_trait]
impl Custody for InMemory {
    async fn hold(&self, key: &IdempotencyKey, body: &[u8], _: Sockets) -> Result<Digest, SorFault> {
        let accepted: Body = serde_json::from_slice(body).unwrap();
        assert_eq!(accepted.idempotency_key(), *key);
        self.numbers.lock().unwrap().insert(*key, accepted.local_seq.0);
        self.answers(Asked::Hold(accepted.local_seq.0)).await?;
        if let Some(meanwhile) = self.meanwhile.lock().unwrap().take() {
            meanwhile();
        }
        let before = self.held.lock().unwrap().insert(*key, body.to_vec());
        assert!(before.is_none_or(|before| before == body), "the same bytes every time");
        self.heard(sha256(body))
    }

    async fn release(&self, key: &IdempotencyKey, _: Sockets) -> Result<(), SorFault> {
        // What it was never asked to hold has no number here.
        let number = self.numbers.lock().unwrap().get(key).copied().unwrap_or(0);
        self.answers(Asked::Release(number)).await?;
        self.held.lock().unwrap().remove(key);
        self.heard(())
    }

    async fn copies(&self, _: LocalSeq, _: u32, _: Sockets) -> Result<CustodyPage, SorFault> {
        self.answers(Asked::Sign).await?;
        let held = self.held.lock().unwrap();
        let copies = held.iter().map(|(key, bytes)| {
            let body: Body = serde_json::from_slice(bytes).unwrap();
            HeldCopy {
                key: *key,
                receipt_no: holdfast_core::ids::ReceiptNo::new(&body.station_id, body.local_seq),
                kind: body.kind,
                accepted_at: body.accepted_at,
                actor: body.actor,
                digest: sha256(bytes),
                held_at: body.accepted_at,
            }
        });
        self.heard(CustodyPage { copies: copies.collect(), next: None })
    }
}

async fn desk_with(mirror: &Arc<InMemory>, settings: Settings) -> Desk {
    let beside = Beside { custody: Some(Arc::clone(mirror) as _), ..Beside::default() };
    Desk::open_beside(settings, beside).await
}

/// A primary that is away, with `count` accepted.
async fn cut_off(mirror: &Arc<InMemory>, count: u32) -> Desk {
    let desk = desk_with(mirror, settings()).await;
    desk.sor.deliveries(|_, _| down());
    for _ in 0..count {
        desk.apply();
    }
    while breaker(&desk, "primary") == "closed" {
        desk.pass().await;
        desk.clock.go_on_ms(1_000);
    }
    desk
}

fn breaker(desk: &Desk, name: &str) -> String {
    let status = desk.station.status().unwrap();
    let found = status.breakers.into_iter().find(|breaker| breaker.endpoint == name);
    found.map_or_else(|| "closed".to_owned(), |breaker| breaker.state)
}

fn custody(desk: &Desk) -> CustodyView {
    desk.station.status().unwrap().custody.unwrap()
}

/// Looks as the loop behind a window does, for so long.
async fn look_for(desk: &Desk, most: Duration) {
    let _ = tokio::time::timeout(most, async {
        loop {
            let look = desk.station.look_after_custody_when_due().await.unwrap();
            tokio::time::sleep(Duration::from_millis(look.look_again_ms)).await;
        }
    })
    .await;
}

fn holds(numbers: impl IntoIterator<Item = u64>) -> Vec<Asked> {
    numbers.into_iter().map(Asked::Hold).collect()
}

/// The kinds of the events about custody, and that each decision among them follows from its inputs.
fn told(desk: &Desk) -> Vec<String> {
    let events = desk.chain();
    let events = events.iter().map(|text| serde_json::from_str::<holdfast_core::audit::Event>(text).unwrap());
    let told = events.filter(|event| event.kind.word().starts_with("custody."));
    told.map(|event| {
        assert!(matches!(recompute(&event), Recomputed::Agrees | Recomputed::NoDecision), "{event:?}");
        event.kind.word().to_owned()
    })
    .collect()
}

#[tokio::test(start_paused = true)]
async fn what_waits_while_the_primary_is_away_lies_at_the_mirror_and_is_let_go_of_when_it_is_recorded() {
    let mirror = InMemory::new();
    let desk = cut_off(&mirror, 23).await;
    let books = desk.station.status().unwrap().books;
    look_for(&desk, Duration::from_secs(2)).await;
    assert_eq!(mirror.asked(), holds(1..=23), "each once, the oldest first");
    assert_eq!(custody(&desk), CustodyView { held: 23, waiting: 0, refused: 0 });
    let status = desk.station.status().unwrap();
    assert_eq!(status.books, books, "a copy is no commit");
    let rows = desk.station.queue(FIRST_TEN).unwrap();
    assert!(rows.iter().all(|row| row.copy == Some(CopyInCustody::Held) && row.state == "pending"));
    let item = desk.station.operation(&rows[0].idempotency_key).unwrap();
    assert_eq!(item.row.copy, Some(CopyInCustody::Held));
    assert_eq!(desk.station.copies_in_custody().await.unwrap().copies.len(), 23);
    desk.sor.deliveries(|_, body| recorded(body, body.local_seq.0));
    desk.until_empty().await;
    assert_eq!(mirror.held(), 23, "recording does not wait for the mirror");
    mirror.asked();
    look_for(&desk, Duration::from_secs(2)).await;
    assert_eq!(mirror.asked(), (1..=23).map(Asked::Release).collect::<Vec<_>>());
    assert_eq!((mirror.held(), custody(&desk)), (0, CustodyView { held: 0, waiting: 0, refused: 0 }));
    let told = told(&desk);
    assert_eq!(told.iter().filter(|kind| *kind == "custody.held").count(), 23);
    assert_eq!(told.iter().filter(|kind| *kind == "custody.released").count(), 23);
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn a_primary_that_answers_leaves_the_mirror_alone_until_something_lies_here_too_long() {
    let mirror = InMemory::new();
    let desk = desk_with(&mirror, Settings { custody_after_s: 60, ..settings() }).await;
    desk.apply();
    desk.clock.go_on_ms(50_000);
    desk.apply();
    look_for(&desk, Duration::from_secs(5)).await;
    assert_eq!(mirror.asked(), []);
    look_for(&desk, Duration::from_secs(10)).await;
    assert_eq!(mirror.asked(), holds([1, 2]), "with one that is late goes all that waits");
    let events = desk.events();
    look_for(&desk, Duration::from_secs(600)).await;
    assert_eq!((mirror.asked(), desk.events()), (vec![], events), "and nothing goes twice");
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_a_person_is_copied_by_its_own_age() {
    let mirror = InMemory::new();
    let desk = desk_with(&mirror, Settings { custody_after_s: 60, ..settings() }).await;
    desk.apply();
    desk.sor.deliveries(|_, _| crate::answers::typed(422, "validation"));
    assert_eq!(desk.pass().await.quarantined, 1);
    look_for(&desk, Duration::from_secs(58)).await;
    desk.apply();
    look_for(&desk, Duration::from_secs(5)).await;
    assert_eq!(mirror.asked(), holds([1]), "the one that was handed in just now can still be brought");
}

#[tokio::test(start_paused = true)]
async fn a_mirror_that_hangs_or_is_down_changes_nothing_but_its_own_breaker() {
    for mood in [Mood::Hangs, Mood::Down] {
        let mirror = InMemory::new();
        let desk = desk_with(&mirror, Settings { custody_after_s: 1, ..settings() }).await;
        desk.apply();
        desk.clock.go_on_ms(2_000);
        mirror.is(mood);
        let work = async {
            tokio::time::sleep(Duration::from_secs(20)).await;
            for _ in 0..4 {
                desk.apply();
                tokio::time::sleep(Duration::from_secs(20)).await;
            }
            assert_ne!(breaker(&desk, "mirror"), "closed");
            desk.pass().await
        };
        let report = desk.station.while_looking_after_custody(work).await;
        assert_eq!((report.committed, report.pending), (5, 0));
        let status = desk.station.status().unwrap();
        assert_eq!((status.mode.as_str(), status.books.committed), ("normal", 5));
        let outages = desk.station.outages(FIRST_TEN).unwrap();
        assert_eq!(outages.rows.iter().map(|row| row.endpoint.as_str()).collect::<Vec<_>>(), ["mirror"]);
        mirror.is(Mood::Answers);
        look_for(&desk, Duration::from_secs(120)).await;
        assert_eq!(
            breaker(&desk, "mirror"),
            "closed",
            "its outage has an end although nothing is left to copy"
        );
        assert_eq!(custody(&desk), CustodyView { held: 0, waiting: 0, refused: 0 });
        assert!(desk.clean());
    }
}

#[tokio::test(start_paused = true)]
async fn both_away_together_loses_nothing_and_ends_with_everything_recorded_and_nothing_held() {
    let mirror = InMemory::new();
    mirror.is(Mood::Down);
    let desk = cut_off(&mirror, 5).await;
    look_for(&desk, Duration::from_secs(300)).await;
    assert_eq!((breaker(&desk, "primary"), breaker(&desk, "mirror")), ("open".into(), "open".into()));
    desk.apply();
    assert_eq!(custody(&desk), CustodyView { held: 0, waiting: 6, refused: 0 });
    mirror.is(Mood::Answers);
    look_for(&desk, Duration::from_secs(60)).await;
    assert_eq!(custody(&desk), CustodyView { held: 6, waiting: 0, refused: 0 });
    desk.sor.deliveries(|_, body| recorded(body, body.local_seq.0));
    desk.station.while_looking_after_custody(desk.until_empty()).await;
    assert_eq!((mirror.held(), desk.station.status().unwrap().books.committed), (0, 6));
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_lost_is_asked_for_again_and_nothing_is_left_lying_there() {
    let mirror = InMemory::new();
    mirror.is(Mood::AnswersAreLost);
    let desk = cut_off(&mirror, 2).await;
    look_for(&desk, Duration::from_secs(5)).await;
    assert_eq!((mirror.held(), custody(&desk).held), (1, 0), "held there, and not known to be");
    let desk = desk.started_again(settings());
    desk.sor.deliveries(|_, body| recorded(body, body.local_seq.0));
    desk.until_empty().await;
    mirror.is(Mood::Answers);
    mirror.asked();
    look_for(&desk, Duration::from_secs(120)).await;
    let released: Vec<Asked> = mirror.asked().into_iter().filter(|asked| *asked != Asked::Sign).collect();
    assert_eq!(released, [Asked::Release(1), Asked::Release(0)], "what may be there is let go of, too");
    assert_eq!(mirror.held(), 0);

    let desk = cut_off(&mirror, 1).await;
    mirror.is(Mood::AnswersAreLost);
    look_for(&desk, Duration::from_secs(1)).await;
    mirror.is(Mood::Answers);
    look_for(&desk, Duration::from_secs(60)).await;
    assert_eq!((mirror.held(), custody(&desk).held), (1, 1), "the same, once");
}

#[tokio::test(start_paused = true)]
async fn whoever_holds_something_else_holds_no_copy_and_its_breaker_opens() {
    let mirror = InMemory::new();
    mirror.is(Mood::IsAnother);
    let desk = cut_off(&mirror, 3).await;
    look_for(&desk, Duration::from_secs(20)).await;
    assert_eq!(custody(&desk), CustodyView { held: 0, waiting: 3, refused: 0 });
    assert_ne!(breaker(&desk, "mirror"), "closed");
    assert!(told(&desk).is_empty());
    mirror.is(Mood::Answers);
    look_for(&desk, Duration::from_secs(60)).await;
    assert_eq!(custody(&desk).held, 3);
}

#[tokio::test(start_paused = true)]
async fn what_the_mirror_refuses_for_itself_stops_no_other_and_what_it_refuses_to_the_station_waits() {
    let mirror = InMemory::new();
    let desk = cut_off(&mirror, 3).await;
    mirror.is(Mood::Refuses("forbidden"));
    look_for(&desk, Duration::from_secs(25)).await;
    assert_eq!(mirror.asked(), holds([1, 1, 1]), "one question from time to time");
    mirror.is(Mood::Refuses("too-large"));
    look_for(&desk, Duration::from_secs(25)).await;
    assert_eq!(mirror.asked(), holds([1, 2, 3]));
    assert_eq!(custody(&desk), CustodyView { held: 0, waiting: 0, refused: 3 });
    assert_eq!(told(&desk), ["custody.refused"; 3]);
    mirror.is(Mood::Answers);
    desk.apply();
    look_for(&desk, Duration::from_secs(5)).await;
    assert_eq!(mirror.asked(), holds([4]), "and is not asked again for what it refused");
    assert_eq!(breaker(&desk, "mirror"), "closed");
}

#[tokio::test(start_paused = true)]
async fn a_stop_work_order_is_copied_before_all_that_waits() {
    let mirror = InMemory::new();
    let desk = cut_off(&mirror, 2).await;
    let lane = desk.apply();
    let stop = json!({"type": "stop-work", "reason": "gas"});
    desk.submit(&json!({"kind": "hold", "application_id": lane, "payload": stop})).unwrap();
    look_for(&desk, Duration::from_secs(1)).await;
    assert_eq!(mirror.asked(), holds([4, 1, 2, 3]));
}

#[tokio::test(start_paused = true)]
async fn what_is_taken_back_while_its_copy_is_under_way_is_not_left_lying_there() {
    let mirror = InMemory::new();
    let desk = cut_off(&mirror, 1).await;
    let receipt = desk.station.queue(FIRST_TEN).unwrap().remove(0);
    let of = desk.station.items(waiting()).unwrap().rows.remove(0).operation_id;
    let station = Arc::clone(&desk.station);
    let void = json!({"kind": "void", "application_id": receipt.application_id,
        "payload": {"of": of, "reason": "made up"}});
    *mirror.meanwhile.lock().unwrap() = Some(Box::new(move || {
        station.submit(void.to_string().as_bytes()).unwrap();
    }));
    look_for(&desk, Duration::from_secs(2)).await;
    assert_eq!(mirror.asked(), [Asked::Hold(1), Asked::Release(1)]);
    assert_eq!((mirror.held(), desk.station.status().unwrap().books.voided), (0, 1));
    assert!(desk.clean());
}

#[tokio::test(start_paused = true)]
async fn a_station_without_such_a_mirror_says_nothing_of_copies() {
    let desk = Desk::open(settings()).await;
    desk.submit(&application()).unwrap();
    let look = desk.station.look_after_custody_when_due().await.unwrap();
    assert!(!look.changed);
    assert_eq!(desk.station.status().unwrap().custody, None);
    assert_eq!(desk.station.queue(FIRST_TEN).unwrap()[0].copy, None);
    assert_eq!(desk.station.copies_in_custody().await.unwrap_err().code, holdfast_wire::ApiCode::NotFound);
}
