//! The kept heads are those that core would choose among all rows, and the books balance, whatever happens.

#![allow(clippy::unwrap_used, missing_docs)]

mod city;

use std::collections::{BTreeMap, BTreeSet};

use city::*;
use holdfast_core::books::Books;
use holdfast_core::cascade::{InDoubt, Recorder};
use holdfast_core::ids::{IdempotencyKey, OperationId};
use holdfast_core::lane::{self, Head, Place, State, Urgency};
use holdfast_core::limits::HEADS_WINDOW_ROWS;
use holdfast_core::operation::Kind;
use holdfast_core::outcome::{Doubt, NextStep};
use holdfast_core::time::{BootMillis, Now};
use holdfast_core::wait::{Wait, WaitCause};
use holdfast_station::ports::{Journal, Page};
use proptest::prelude::*;

/// What can happen to a store.
#[derive(Clone, Debug)]
enum Act {
    Accept {
        lane: u64,
        urgency: Urgency,
    },
    Commit,
    PutBack {
        wait_ms: u64,
        cause: WaitCause,
    },
    Quarantine {
        doubt: Doubt,
    },
    /// Of those that wait for a person, the n-th.
    Requeue {
        nth: usize,
    },
    Void {
        nth: usize,
    },
    Pass {
        wall_ms: i64,
        boot_ms: u64,
    },
    Restart,
}

/// A store on a plain map.
#[derive(Default)]
struct Model {
    rows: BTreeMap<u64, Row>,
    known: BTreeSet<u64>,
    books: Books,
}

#[derive(Clone)]
struct Row {
    lane: u64,
    kind: Kind,
    urgency: Urgency,
    state: State,
    doubt: Doubt,
    next_step: NextStep,
    wait: Option<Wait>,
    /// What it follows, and the version that it is bound to.
    after: Option<u64>,
    base: Option<u64>,
    /// What it builds on was voided.
    orphan: bool,
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
            next_step: row.next_step,
            doubt: row.doubt,
            in_doubt: InDoubt::of(row.doubt, None),
            wait_charged_to: Recorder::Primary,
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

    fn accept(&mut self, lane: u64, urgency: Urgency) -> (u64, Kind) {
        let n = self.books.accepted + 1;
        let after = self.rows.iter().rev().find(|(_, row)| row.lane == lane).map(|(n, _)| *n);
        let kind = if self.known.insert(lane) { Kind::Application } else { Kind::Note };
        let state = State::Pending;
        let (doubt, next_step) = (Doubt::None, NextStep::Send);
        let (wait, base, orphan) = (None, None, false);
        let row = Row { lane, kind, urgency, state, doubt, next_step, wait, after, base, orphan };
        self.rows.insert(n, row);
        self.books = self.books.accepted_one();
        (n, kind)
    }

    fn quarantined(&self, nth: usize) -> Option<u64> {
        let of_them = self.rows.iter().filter(|(_, row)| row.state == State::Quarantined);
        let of_them: Vec<u64> = of_them.map(|(n, _)| *n).collect();
        of_them.get(nth % of_them.len().max(1)).copied()
    }

    fn behind(&self, n: u64) -> Vec<u64> {
        let lane = self.rows[&n].lane;
        self.rows.range(n + 1..).filter(|(_, row)| row.lane == lane).map(|(n, _)| *n).collect()
    }

    /// Whether it may be sent again.
    fn requeue(&mut self, n: u64) -> bool {
        let row = self.rows.get_mut(&n).unwrap();
        if row.orphan {
            return false;
        }
        row.state = State::Pending;
        row.next_step = if row.doubt == Doubt::None { NextStep::Send } else { NextStep::LookUp };
        self.books = self.books.moved(State::Quarantined, State::Pending).unwrap();
        true
    }

    /// Whether it may be taken back.
    fn void(&mut self, n: u64) -> bool {
        let behind = self.behind(n);
        let row = self.rows[&n].clone();
        if row.doubt != Doubt::None {
            return false;
        }
        let bare = row.kind == Kind::Application || (row.after.is_none() && row.base.is_none());
        for other in behind {
            let next = self.rows.get_mut(&other).unwrap();
            if (bare || row.orphan) && next.state == State::Pending {
                (next.state, next.orphan, next.wait) = (State::Quarantined, true, None);
                self.books = self.books.moved(State::Pending, State::Quarantined).unwrap();
            } else if !bare && !row.orphan && next.after == Some(n) {
                (next.after, next.base) = (row.after, row.base);
            }
        }
        self.rows.remove(&n);
        self.books = self.books.moved(State::Quarantined, State::Voided).unwrap();
        true
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

fn acts(lanes: u64) -> impl Strategy<Value = Vec<Act>> {
    let urgency = prop_oneof![4 => Just(Urgency::Ordinary), 1 => Just(Urgency::Urgent)];
    let doubt = prop_oneof![3 => Just(Doubt::None), 1 => Just(Doubt::Sent)];
    let cause = prop_oneof![Just(WaitCause::Endpoint), Just(WaitCause::Item), Just(WaitCause::Parent)];
    let act = prop_oneof![
        6 => (0_u64..lanes, urgency).prop_map(|(lane, urgency)| Act::Accept { lane, urgency }),
        3 => Just(Act::Commit),
        3 => (0_u64..500, cause).prop_map(|(wait_ms, cause)| Act::PutBack { wait_ms, cause }),
        2 => doubt.prop_map(|doubt| Act::Quarantine { doubt }),
        1 => (0_usize..9).prop_map(|nth| Act::Requeue { nth }),
        2 => (0_usize..9).prop_map(|nth| Act::Void { nth }),
        2 => (-200_i64..400, 0_u64..200).prop_map(|(wall_ms, boot_ms)| Act::Pass { wall_ms, boot_ms }),
        1 => Just(Act::Restart),
    ];
    prop::collection::vec(act, 1..160)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn heads_and_books_are_those_of_a_plain_model(acts in prop_oneof![acts(80), acts(4)]) {
        let folder = folder();
        let mut store = create(folder.path());
        let mut model = Model::default();
        let mut now = at(1);
        for act in acts {
            let chosen = lane::pick(&model.heads(), now).map(|head| Model::number(head.operation_id));
            match act {
                Act::Accept { lane, urgency } => {
                    let (n, kind) = model.accept(lane, urgency);
                    accept(&store, now, &Paper { urgency, kind, ..Paper::new(n, lane) });
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
                        (row.doubt, row.wait, row.next_step) = (Doubt::Sent, None, NextStep::Send);
                    }
                    store.close().unwrap();
                    store = open(folder.path(), now);
                }
                Act::Requeue { nth } | Act::Void { nth } => {
                    let Some(n) = model.quarantined(nth) else { continue };
                    let is_void = matches!(act, Act::Void { .. });
                    let made = if is_void { void } else { requeue };
                    let done = decide(&store, now, key(&store, n), made).is_some();
                    prop_assert_eq!(done, if is_void { model.void(n) } else { model.requeue(n) });
                }
                Act::Commit | Act::PutBack { .. } | Act::Quarantine { .. } => {
                    let sent = begin(&store, now);
                    prop_assert_eq!(sent.as_ref().map(|sent| Model::number(sent.operation_id)), chosen);
                    let (Some(sent), Some(n)) = (sent, chosen) else { continue };
                    let row = model.rows.get_mut(&n).unwrap();
                    row.next_step = NextStep::Send;
                    prop_assert_eq!(&sent.if_match, &row.base.map(etag));
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

/// The key of the n-th operation.
fn key(store: &holdfast_store::Store, n: u64) -> IdempotencyKey {
    let rows = store.waiting(Page { skip: 0, rows: 1000 }).unwrap();
    let found = rows.into_iter().find(|row| row.receipt.local_seq == seq(n));
    found.unwrap().receipt.idempotency_key
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
            let next = model.behind(n).first().copied();
            model.rows.remove(&n);
            let next = next.and_then(|next| model.rows.get_mut(&next));
            next.into_iter().filter(|next| next.after == Some(n)).for_each(|next| next.base = Some(n));
            State::Committed
        }
        Act::PutBack { wait_ms, cause } => {
            let wait = Wait { from: now, length_ms: *wait_ms, cause: *cause };
            put_back(store, now, sent, Some(wait));
            let row = model.rows.get_mut(&n).unwrap();
            (row.doubt, row.wait) = (Doubt::Sent, Some(wait));
            State::Pending
        }
        Act::Quarantine { doubt } => {
            quarantine_in_doubt(store, now, sent, *doubt);
            let row = model.rows.get_mut(&n).unwrap();
            (row.state, row.wait, row.doubt) = (State::Quarantined, None, *doubt);
            State::Quarantined
        }
        Act::Accept { .. } | Act::Requeue { .. } | Act::Void { .. } | Act::Pass { .. } | Act::Restart => {
            unreachable!("no answer")
        }
    };
    let books = model.books.moved(State::Pending, State::InFlight).unwrap();
    model.books = books.moved(State::InFlight, to).unwrap();
}
