//! The kept heads are those that core would choose among all rows, and the books balance, whatever happens.

#![allow(clippy::unwrap_used, missing_docs)]

mod city;

use std::collections::BTreeMap;

use city::*;
use holdfast_core::books::Books;
use holdfast_core::ids::OperationId;
use holdfast_core::lane::{self, Head, Place, State, Urgency};
use holdfast_core::limits::HEADS_WINDOW_ROWS;
use holdfast_core::outcome::{Doubt, NextStep};
use holdfast_core::time::{BootMillis, Now};
use holdfast_core::wait::{Wait, WaitCause};
use holdfast_station::ports::{Journal, Page};
use proptest::prelude::*;

/// What can happen to a store.
#[derive(Clone, Debug)]
enum Act {
    Accept { lane: u64, urgency: Urgency },
    Commit,
    PutBack { wait_ms: u64, cause: WaitCause },
    Quarantine,
    Pass { wall_ms: i64, boot_ms: u64 },
    Restart,
}

/// A store on a plain map.
#[derive(Default)]
struct Model {
    rows: BTreeMap<u64, Row>,
    books: Books,
}

#[derive(Clone)]
struct Row {
    lane: u64,
    urgency: Urgency,
    state: State,
    doubt: Doubt,
    wait: Option<Wait>,
}

impl Model {
    fn heads(&self) -> Vec<Head> {
        let mut heads: BTreeMap<u64, (u64, &Row)> = BTreeMap::new();
        for (seq, row) in &self.rows {
            heads.entry(row.lane).or_insert((*seq, row));
        }
        let pending = heads.values().filter(|(_, row)| row.state == State::Pending);
        let mut heads: Vec<Head> = pending.map(|(seq, row)| self.head(*seq, row)).collect();
        heads.sort_by(lane::order);
        heads
    }

    fn head(&self, n: u64, row: &Row) -> Head {
        let of_lane = self.rows.values().filter(|other| other.lane == row.lane);
        Head {
            operation_id: operation_id(n),
            application_id: city::lane(row.lane),
            place: Place { place: seq(n), revision: 0 },
            lane_urgency: of_lane.map(|other| other.urgency).min().unwrap(),
            wait: row.wait,
            next_step: NextStep::Send,
            doubt: row.doubt,
        }
    }

    /// Those that wait for nothing, and behind them those that wait for the endpoint.
    fn candidates(&self, now: Now) -> Vec<Head> {
        let over = |head: &Head| head.wait.is_none_or(|wait| wait.is_over(now));
        let (ready, waiting): (Vec<_>, Vec<_>) = self.heads().into_iter().partition(over);
        let ready = ready.into_iter().take(HEADS_WINDOW_ROWS).map(|head| Head { wait: None, ..head });
        let for_endpoint = |head: &Head| head.wait.is_some_and(|wait| wait.cause == WaitCause::Endpoint);
        ready.chain(waiting.into_iter().filter(for_endpoint).take(HEADS_WINDOW_ROWS)).collect()
    }

    /// A wait that was over once is over for good, wherever the clocks go.
    fn end_waits(&mut self, now: Now) {
        for row in self.rows.values_mut() {
            row.wait = row.wait.filter(|wait| !wait.is_over(now));
        }
    }

    fn number(id: OperationId) -> u64 {
        id.uuid().as_u64_pair().1 & 0xffff_ffff
    }
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let urgency = prop_oneof![4 => Just(Urgency::Ordinary), 1 => Just(Urgency::Urgent)];
    let cause = prop_oneof![Just(WaitCause::Endpoint), Just(WaitCause::Item), Just(WaitCause::Parent)];
    let act = prop_oneof![
        6 => (0_u64..80, urgency).prop_map(|(lane, urgency)| Act::Accept { lane, urgency }),
        3 => Just(Act::Commit),
        3 => (0_u64..500, cause).prop_map(|(wait_ms, cause)| Act::PutBack { wait_ms, cause }),
        1 => Just(Act::Quarantine),
        2 => (-200_i64..400, 0_u64..200).prop_map(|(wall_ms, boot_ms)| Act::Pass { wall_ms, boot_ms }),
        1 => Just(Act::Restart),
    ];
    prop::collection::vec(act, 1..160)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn heads_and_books_are_those_of_a_plain_model(acts in acts()) {
        let folder = folder();
        let mut store = create(folder.path());
        let mut model = Model::default();
        let mut now = at(1);
        for act in acts {
            let chosen = lane::pick(&model.heads(), now).map(|head| Model::number(head.operation_id));
            match act {
                Act::Accept { lane, urgency } => {
                    let n = model.books.accepted + 1;
                    accept(&store, now, &Paper { urgency, ..Paper::new(n, lane) });
                    let row = Row { lane, urgency, state: State::Pending, doubt: Doubt::None, wait: None };
                    model.rows.insert(n, row);
                    model.books = model.books.accepted_one();
                }
                Act::Pass { wall_ms, boot_ms } => {
                    now = Now {
                        wall: now.wall.plus_millis(wall_ms),
                        boot: BootMillis(now.boot.0 + boot_ms),
                    };
                }
                Act::Restart => {
                    if let (Some(n), Some(_)) = (chosen, begin(&store, now)) {
                        let row = model.rows.get_mut(&n).unwrap();
                        (row.doubt, row.wait) = (Doubt::Sent, None);
                    }
                    store.close().unwrap();
                    store = open(folder.path(), now);
                }
                Act::Commit | Act::PutBack { .. } | Act::Quarantine => {
                    let sent = begin(&store, now);
                    prop_assert_eq!(sent.as_ref().map(|sent| Model::number(sent.operation_id)), chosen);
                    let (Some(sent), Some(n)) = (sent, chosen) else { continue };
                    answer(&store, now, &sent, &act, &mut model, n);
                }
            }
            let facts = send_facts(&store, now);
            prop_assert_eq!(&facts.heads, &model.candidates(now));
            let canary = lane::pick_canary(&facts.heads, now, None);
            prop_assert_eq!(canary, lane::pick_canary(&model.heads(), now, None));
            prop_assert_eq!(facts.books, model.books);
            model.end_waits(now);
            let waits = model.heads().into_iter().filter_map(|head| head.wait);
            let wake = waits.map(|wait| wait.ends_at(now).millis_since(now.wall)).min();
            prop_assert_eq!(facts.next_wake_ms, wake.map(|ms| u64::try_from(ms).unwrap()));
        }
        let waiting = store.waiting(Page { skip: 0, rows: 1000 }).unwrap();
        prop_assert_eq!(waiting.len(), model.rows.len());
        store.close().unwrap();
        let findings = holdfast_store::verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap();
        prop_assert!(findings.is_clean(), "{:?}", findings.found());
    }
}

fn answer(
    store: &holdfast_store::Store,
    now: Now,
    sent: &holdfast_station::ports::InFlight,
    act: &Act,
    model: &mut Model,
    n: u64,
) {
    let to = match act {
        Act::Commit => {
            commit(store, now, sent, n);
            model.rows.remove(&n);
            State::Committed
        }
        Act::PutBack { wait_ms, cause } => {
            let wait = Wait { from: now, length_ms: *wait_ms, cause: *cause };
            put_back(store, now, sent, Some(wait));
            let row = model.rows.get_mut(&n).unwrap();
            (row.doubt, row.wait) = (Doubt::Sent, Some(wait));
            State::Pending
        }
        Act::Quarantine | Act::Accept { .. } | Act::Pass { .. } | Act::Restart => {
            quarantine(store, now, sent);
            let row = model.rows.get_mut(&n).unwrap();
            (row.state, row.wait) = (State::Quarantined, None);
            State::Quarantined
        }
    };
    let books = model.books.moved(State::Pending, State::InFlight).unwrap();
    model.books = books.moved(State::InFlight, to).unwrap();
}
