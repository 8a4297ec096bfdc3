//! What the SoR lost comes back from the archive whole, to its place, or not at all.

#![allow(clippy::unwrap_used, missing_docs)]

mod city;

use city::*;
use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::lane::State;
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::Kind;
use holdfast_core::reprove::{Agreed, Made, Recollection, Seen, Sign, Walk, agreed, goes_on_with, relink};
use holdfast_station::ports::{
    AcceptDecision, Accepting, Agreement, CommitPlace, InFlight, Journal as _, JournalError, Look,
    LookingEnded, MissingFacts, MissingRuled, MissingRuling, Noticed, NoticedBy, Page, Reprovals as _,
    RestoreStage, Sending, SendingAgain,
};
use holdfast_store::Store;

const PAGE: Page = Page { skip: 0, rows: 100 };

fn told() -> Recollection {
    Recollection { epoch: Some(2), last_local_seq: Some(seq(0)), applied: Some(0), order: None }
}

/// An application with a move, another application, all recorded; and an operation on the first one, accepted after that
/// and based on its last version.
fn recorded(store: &Store) {
    accept(store, at(1), &Paper::new(1, 1));
    accept(store, at(2), &Paper { kind: Kind::Stage, ..Paper::new(2, 1) });
    accept(store, at(3), &Paper::new(3, 2));
    for version in 11..14 {
        let sent = begin(store, at(10 * version)).unwrap();
        commit(store, at(10 * version + 1), &sent, u64::try_from(version).unwrap());
    }
    let note = Paper { kind: Kind::Note, ..Paper::new(4, 1) };
    let based = note.clone();
    let accepting = store.accept(
        at(200),
        note.ask(),
        Box::new(move |facts| {
            let mut acceptance = acceptance(&based, facts);
            // The first of lane 1 was sent first, then the other lane's: operation 2 left version 12 or 13.
            acceptance.base_etag =
                facts.application.as_ref().and_then(|application| application.etag.clone());
            AcceptDecision::Accept(Box::new(acceptance))
        }),
    );
    assert!(matches!(accepting.unwrap(), Accepting::Accepted(_)));
}

fn notice(store: &Store) {
    let noticed = Noticed {
        sign: Sign::Epoch { known: 1, told: 2 },
        told: told(),
        entries: vec![Entry::new(EventKind::RestoreNoticed)],
    };
    store.notice_restore(at(300), noticed).unwrap();
}

/// Looks for so many commits, all of which are missing.
fn look(store: &Store, count: usize) -> Vec<CommitPlace> {
    let mut places = Vec::new();
    while let Some(commitment) = store.next_to_look_for().unwrap().filter(|_| places.len() < count) {
        let walk = store.reproving().unwrap().restore.unwrap().walk;
        let seen = Seen::Missing;
        let look =
            Look { place: commitment.place, seen, walk: walk.after(seen, Made::Before), entries: Vec::new() };
        store.keep_look(at(310), look).unwrap();
        places.push(commitment.place);
    }
    places
}

fn ask(store: &Store) {
    let entries = vec![Entry::new(EventKind::RestoreLookedThrough)];
    store.end_looking(at(320), Box::new(move |_| LookingEnded::Ask { entries })).unwrap();
}

fn send_again(facts: &MissingFacts) -> SendingAgain {
    let set_aside = facts.lanes.iter().flat_map(|lane| &lane.set_aside);
    SendingAgain {
        agreed: agreed(&told(), 0),
        relinked: facts.lanes.iter().flat_map(|lane| relink(&lane.links)).collect(),
        requeued: set_aside.filter(|(_, reason)| goes_on_with(*reason)).map(|(id, _)| *id).collect(),
        stages: Vec::new(),
        entries: vec![Entry::new(EventKind::RestoreSettled)],
    }
}

fn settle_all(store: &Store) -> Result<MissingRuled, JournalError> {
    store.decide_missing(at(330), Box::new(|facts| MissingRuling::SendAgain(Box::new(send_again(facts)))))
}

fn sends(store: &Store, now: i64, version: u64) -> InFlight {
    let sent = begin(store, at(now)).unwrap();
    commit(store, at(now + 1), &sent, version);
    sent
}

#[test]
fn what_comes_back_goes_in_its_order_and_each_is_bound_to_what_the_one_before_it_leaves_now() {
    let folder = folder();
    let store = create(folder.path());
    recorded(&store);
    let before: Vec<_> = (1..=4).map(|n| store.item_bytes(n)).collect();
    notice(&store);
    assert_eq!(send_facts(&store, at(305)).sending, Sending::Pauses);
    assert_eq!(look(&store, 9).len(), 3);
    ask(&store);
    let (restore, missing) = store.missing(PAGE).unwrap();
    let restore = restore.unwrap();
    assert_eq!(
        (restore.stage, restore.walk),
        (RestoreStage::Asking, Walk { in_a_row: 0, found: 0, missing: 3 })
    );
    assert_eq!(missing.iter().map(|missing| missing.local_seq).collect::<Vec<_>>(), [seq(1), seq(2), seq(3)]);

    let ruled = settle_all(&store).unwrap();
    assert!(matches!(ruled, MissingRuled::SentAgain { count: 3 }), "{ruled:?}");
    let books = store.standing().unwrap().books;
    assert_eq!((books.accepted, books.pending, books.committed), (4, 4, 0));
    let (application, _) = store.application(lane(1)).unwrap().unwrap();
    assert_eq!((application.waiting, application.etag, application.record_id), (3, None, None));
    assert_eq!(application.stage, Stage::Intake);
    assert!(verified(&folder), "everything that is stored holds");

    assert_eq!(send_facts(&store, at(340)).sending, Sending::Goes);
    let sent: Vec<InFlight> =
        (1..=4).map(|n| sends(&store, 340 + 10 * i64::try_from(n).unwrap(), 20 + n)).collect();
    let order: Vec<_> = sent.iter().map(|sent| sent.operation_id).collect();
    assert_eq!(order, [1, 2, 3, 4].map(operation_id));
    let bound: Vec<_> = sent.iter().map(|sent| sent.if_match.clone()).collect();
    assert_eq!(bound, [None, Some(etag(21)), None, Some(etag(22))]);
    let after: Vec<_> = sent.iter().map(|sent| sent.body.clone()).collect();
    assert_eq!(after, before, "byte for byte what was accepted");
    assert_eq!(store.standing().unwrap().books.committed, 4);
    store.close().unwrap();
    assert!(verified(&folder));
}

#[test]
fn a_decision_that_cannot_be_carried_out_whole_changes_nothing() {
    let folder = folder();
    let store = create(folder.path());
    recorded(&store);
    notice(&store);
    look(&store, 9);
    ask(&store);
    let books = store.standing().unwrap().books;
    let broken = store.decide_missing(
        at(330),
        Box::new(|facts| {
            let mut sending = send_again(facts);
            sending.requeued.push(operation_id(99));
            MissingRuling::SendAgain(Box::new(sending))
        }),
    );
    assert!(broken.is_err());
    assert_eq!(store.standing().unwrap().books, books);
    assert_eq!(store.missing(PAGE).unwrap().1.len(), 3);
    assert!(verified(&folder));
    settle_all(&store).unwrap();
}

#[test]
fn looking_goes_on_behind_the_last_one_after_a_new_start() {
    let folder = folder();
    let store = create(folder.path());
    recorded(&store);
    notice(&store);
    let mut places = look(&store, 1);
    store.close().unwrap();
    let store = open(folder.path(), at(400));
    places.extend(look(&store, 9));
    assert_eq!(places.len(), 3);
    assert!(places.is_sorted_by(|a, b| a > b), "from the latest back, none twice: {places:?}");
    assert!(store.next_to_look_for().unwrap().is_none());
}

#[test]
fn what_waited_for_a_person_because_its_predecessor_was_missing_goes_on_with_it() {
    let folder = folder();
    let store = create(folder.path());
    recorded(&store);
    // The canary, before anybody knew.
    let sent = begin(&store, at(210)).unwrap();
    let conflict = holdfast_station::ports::Quarantine {
        reason: holdfast_core::outcome::QuarantineReason::Conflict,
        ..quarantined()
    };
    let change = holdfast_station::ports::ItemChange::Quarantined(conflict);
    settle(&store, at(211), &sent, change, EventKind::OperationQuarantined);
    notice(&store);
    look(&store, 9);
    ask(&store);
    settle_all(&store).unwrap();
    let books = store.standing().unwrap().books;
    assert_eq!((books.pending, books.quarantined), (4, 0));
    assert!(verified(&folder));
}

#[test]
fn what_is_left_missing_stays_recorded_here_and_is_not_looked_for_again() {
    let folder = folder();
    let store = create(folder.path());
    recorded(&store);
    notice(&store);
    look(&store, 9);
    ask(&store);
    let leave = |_: &MissingFacts| MissingRuling::Leave {
        agreed: agreed(&told(), 3),
        entries: vec![Entry::new(EventKind::RestoreSettled)],
    };
    let ruled = store.decide_missing(at(330), Box::new(leave)).unwrap();
    assert!(matches!(ruled, MissingRuled::Left { count: 3 }), "{ruled:?}");
    assert_eq!(store.standing().unwrap().books.committed, 3);
    assert_eq!(store.latest_commits(20).unwrap().len(), 0);
    let reproving = store.reproving().unwrap();
    assert!(reproving.restore.is_none());
    assert_eq!(reproving.known.agreed.unwrap().short_by, 3);
    let key = store.missing(PAGE).unwrap().1[0].operation_id;
    assert_eq!(key, operation_id(1));
    assert_eq!(store.application(lane(1)).unwrap().unwrap().1[0].receipt.state, State::Committed);
}

#[test]
fn what_is_agreed_on_holds_for_the_commits_up_to_then() {
    let folder = folder();
    let store = create(folder.path());
    recorded(&store);
    let reproving = store.reproving().unwrap();
    assert_eq!((reproving.known.agreed, reproving.known.committed_since), (None, Some(seq(3))));
    let agreed = Agreed { epoch: Some(1), ..Agreed::default() };
    store.keep_agreed(at(310), Agreement { agreed, through: reproving.through }).unwrap();
    let known = store.reproving().unwrap().known;
    assert_eq!((known.agreed, known.committed_since), (Some(agreed), None));
    assert!(store.latest_commits(9).unwrap().iter().all(|commit| commit.made == Made::Before));
    sends(&store, 320, 14);
    assert_eq!(store.reproving().unwrap().known.committed_since, Some(seq(4)));
    assert_eq!(store.latest_commits(1).unwrap()[0].made, Made::Since);
}

#[test]
fn numbers_that_were_passed_over_are_never_given_out() {
    let folder = folder();
    let store = create(folder.path());
    accept(&store, at(1), &Paper::new(1, 1));
    let skip = |through| {
        let decide = Box::new(move |numbers: &holdfast_core::reprove::StationWentBack| {
            let entry = Entry::new(EventKind::StationRestored).with("first", numbers.first);
            vec![entry.with("last", numbers.last)]
        });
        store.skip_numbers(at(2), seq(through), decide).unwrap();
    };
    skip(9);
    skip(9);
    assert_eq!(store.skipped().unwrap().len(), 1, "once");
    assert_eq!(store.skipped().unwrap()[0].by, NoticedBy::Sequence);
    assert_eq!(accept(&store, at(3), &Paper::new(2, 2)).local_seq, seq(10));
    assert_eq!(accept(&store, at(4), &Paper::new(3, 3)).local_seq, seq(11));
    assert!(verified(&folder));
}

fn verified(folder: &tempfile::TempDir) -> bool {
    holdfast_store::verify(folder.path(), PASSPHRASE, &mut |_, _| {}).unwrap().is_clean()
}

trait Bytes {
    fn item_bytes(&self, n: u64) -> Vec<u8>;
}

impl Bytes for Store {
    fn item_bytes(&self, n: u64) -> Vec<u8> {
        use holdfast_station::ports::Lists as _;
        self.item(operation_id(n)).unwrap().unwrap().item.operation.body
    }
}
