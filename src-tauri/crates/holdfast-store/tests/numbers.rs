//! Leased numbers on the real engine: each given out once, through kills and restarts, and never free again.

#![allow(clippy::unwrap_used, missing_docs)]

mod city;

use city::*;
use holdfast_core::ids::PermitNum;
use holdfast_core::time::Now;
use holdfast_station::ports::{
    AcceptDecision, Accepting, Journal as _, JournalError, LeaseCame, Leasing, NumberLease, Numbers as _,
    RetiredNumbers,
};
use holdfast_store::Store;
use uuid::Uuid;

fn lease(n: u128, year: i16) -> NumberLease {
    NumberLease { lease_id: Uuid::from_u128(n), year, count: 2 }
}

fn numbers(year: i16, ns: [u32; 2]) -> Vec<PermitNum> {
    ns.map(|n| format!("AF-{year}-{n:05}").parse().unwrap()).into()
}

/// A block that was asked for and came.
fn leased(store: &Store, lease: &NumberLease, ns: [u32; 2]) {
    assert_eq!(store.ask_numbers(at(1), lease.clone()).unwrap(), *lease);
    store.keep_numbers(at(2), lease.lease_id, LeaseCame::Leased(numbers(lease.year, ns))).unwrap();
}

/// An acceptance that takes a number, whatever the facts say.
fn take(store: &Store, now: Now, n: u64, number: &PermitNum) -> Result<Accepting, JournalError> {
    let (paper, number) = (Paper::new(n, n), number.clone());
    let ask = paper.ask();
    store.accept(
        now,
        ask,
        Box::new(move |facts| {
            let mut taken = acceptance(&paper, facts);
            taken.leasing = Some(Leasing { permit_num: number, entry: None });
            AcceptDecision::Accept(Box::new(taken))
        }),
    )
}

/// What is unused: the year, the next one, how many.
fn free(store: &Store) -> Vec<(i16, String, u32)> {
    let stock = store.number_stock().unwrap();
    stock.free.into_iter().map(|free| (free.year, free.next.to_string(), free.left)).collect()
}

#[test]
fn a_number_is_given_out_once_and_in_order() {
    let folder = folder();
    let store = create(folder.path());
    leased(&store, &lease(1, 2026), [7, 8]);
    let [seven, eight] = <[PermitNum; 2]>::try_from(numbers(2026, [7, 8])).unwrap();
    assert_eq!(free(&store), [(2026, seven.to_string(), 2)]);
    take(&store, at(3), 1, &seven).unwrap();
    assert_eq!(free(&store), [(2026, eight.to_string(), 1)]);
    assert!(take(&store, at(4), 2, &seven).is_err(), "not twice, whatever was decided");
    assert_eq!(free(&store), [(2026, eight.to_string(), 1)], "nothing of that acceptance is left");
    store.close().unwrap();
    let store = open(folder.path(), at(5));
    take(&store, at(6), 3, &eight).unwrap();
    assert_eq!(free(&store), []);
}

#[test]
fn a_block_is_asked_for_under_one_id_until_an_answer_came_and_kept_once() {
    let folder = folder();
    let store = create(folder.path());
    let first = lease(1, 2026);
    assert_eq!(store.ask_numbers(at(1), first.clone()).unwrap(), first);
    store.close().unwrap();
    let store = open(folder.path(), at(2));
    assert_eq!(store.number_stock().unwrap().asked, Some(first.clone()), "a kill before the answer");
    assert_eq!(store.ask_numbers(at(3), lease(2, 2026)).unwrap(), first, "the same id, not another one");
    for _ in 0..2 {
        store.keep_numbers(at(4), first.lease_id, LeaseCame::Leased(numbers(2026, [1, 2]))).unwrap();
        assert_eq!(free(&store), [(2026, "AF-2026-00001".to_owned(), 2)]);
    }
    let refused = lease(3, 2026);
    store.ask_numbers(at(5), refused.clone()).unwrap();
    store.keep_numbers(at(6), refused.lease_id, LeaseCame::Refused).unwrap();
    assert_eq!(store.number_stock().unwrap().asked, None, "another one may be asked for");
}

#[test]
fn what_is_retired_is_reported_until_that_is_known_and_never_free_again() {
    let folder = folder();
    let store = create(folder.path());
    leased(&store, &lease(1, 2026), [1, 2]);
    leased(&store, &lease(2, 2027), [1, 2]);
    take(&store, at(3), 1, &numbers(2026, [1, 2])[0]).unwrap();
    for _ in 0..2 {
        store.retire_numbers(at(4), RetiredNumbers::Before(2027)).unwrap();
        assert_eq!(free(&store), [(2027, "AF-2027-00001".to_owned(), 2)]);
        assert_eq!(store.number_stock().unwrap().to_report, numbers(2026, [1, 2])[1..]);
    }
    let retired = numbers(2026, [1, 2])[1].clone();
    assert!(take(&store, at(5), 2, &retired).is_err());
    store.numbers_reported(at(6), vec![retired.clone()]).unwrap();
    assert_eq!(store.number_stock().unwrap().to_report, []);
    assert!(take(&store, at(7), 3, &retired).is_err());
    store.retire_numbers(at(8), RetiredNumbers::All).unwrap();
    assert_eq!(free(&store), []);
    let verified = holdfast_store::verify(folder.path(), PASSPHRASE, &mut |_, _| ()).unwrap();
    assert!(verified.is_clean());
}
