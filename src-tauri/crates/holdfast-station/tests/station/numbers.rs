//! Permit numbers that the station gives out: in order, of the year, each once, and never a reason to send anybody home.

use std::sync::{Arc, Mutex};

use holdfast_core::audit::EventKind;
use holdfast_core::ids::PermitNum;
use holdfast_station::ports::{NumberLease, Numbers as _, SorFault};
use holdfast_station::{NumberSource, Settings};
use holdfast_wire::{ModeCause, ReceiptView};
use serde_json::{Value, json};

use crate::desk::{Desk, settings};

fn leased() -> Settings {
    Settings { numbers: NumberSource::Leased, number_block_size: 3, number_low_mark: 1, ..settings() }
}

/// Leases consecutive numbers of the year that is asked for; the same block under the same id.
fn city() -> (Leases, Arc<Mutex<Vec<NumberLease>>>) {
    let asked = Arc::new(Mutex::new(Vec::<NumberLease>::new()));
    let kept = Arc::clone(&asked);
    let lease = move |lease: &NumberLease| {
        let mut blocks = kept.lock().unwrap();
        let place = blocks.iter().position(|block| block.lease_id == lease.lease_id);
        let place = place.unwrap_or_else(|| {
            blocks.push(lease.clone());
            blocks.len() - 1
        });
        let first = place as u32 * lease.count + 1;
        Ok((first..first + lease.count).map(|n| number(lease.year, n)).collect())
    };
    (Box::new(lease), asked)
}

impl Desk {
    /// What is unused, by year.
    fn free(&self) -> Vec<(i16, u32)> {
        self.store.number_stock().unwrap().free.iter().map(|free| (free.year, free.left)).collect()
    }
}

type Leases = Box<dyn FnMut(&NumberLease) -> Result<Vec<PermitNum>, SorFault> + Send>;

fn number(year: i16, n: u32) -> PermitNum {
    format!("AF-{year}-{n:05}").parse().unwrap()
}

fn document(n: u32) -> Value {
    json!({"kind": "application", "operation_id": format!("01932c6f-8f0a-7cc3-98a1-0242ac1300{n:02x}"),
        "application_id": format!("01932c6f-8f0a-7cc3-98a1-0242ac1400{n:02x}"),
        "payload": {"OriginalAddress1": format!("{n} OAK ST"), "PIN": ["0010-22-417"]}})
}

fn hand_in(desk: &Desk, n: u32) -> ReceiptView {
    desk.station.submit(document(n).to_string().as_bytes()).unwrap()
}

fn numbers_of(desk: &Desk, ns: std::ops::Range<u32>) -> Vec<Option<String>> {
    ns.map(|n| hand_in(desk, n).permit_num).collect()
}

fn given(year: i16, ns: std::ops::Range<u32>) -> Vec<Option<String>> {
    ns.map(|n| Some(number(year, n).to_string())).collect()
}

fn notices(desk: &Desk) -> Vec<ModeCause> {
    desk.station.status().unwrap().notices
}

fn told(desk: &Desk, kind: EventKind) -> usize {
    let word = format!("\"kind\":\"{kind}\"");
    desk.chain().iter().filter(|event| event.contains(&word)).count()
}

#[tokio::test(start_paused = true)]
async fn numbers_are_given_out_in_order_and_the_form_meets_its_receipt_again() {
    let desk = Desk::open(leased()).await;
    desk.sor.leases(city().0);
    desk.until_empty().await;
    let first = hand_in(&desk, 1);
    assert_eq!(first.permit_num.as_deref(), Some("AF-2026-00001"));
    assert_eq!(hand_in(&desk, 1), first, "the form knows no number, and is the same");
    let mut changed = document(1);
    changed["payload"]["OriginalAddress1"] = json!("2 OAK ST");
    assert!(desk.station.submit(changed.to_string().as_bytes()).is_err());
    assert_eq!(numbers_of(&desk, 2..3), given(2026, 2..3));
    let sent = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&sent);
    desk.sor.deliveries(move |_, body| {
        seen.lock().unwrap().push(body.payload["PermitNum"].clone());
        crate::answers::recorded(body, body.local_seq.0)
    });
    desk.until_empty().await;
    assert_eq!(*sent.lock().unwrap(), [json!("AF-2026-00001"), json!("AF-2026-00002")]);
}

#[tokio::test(start_paused = true)]
async fn with_none_left_the_application_is_taken_and_its_number_follows() {
    let desk = Desk::open(leased()).await;
    assert_eq!(notices(&desk), [ModeCause::NumbersNoneLeft]);
    desk.sor.leases(city().0);
    desk.until_empty().await;
    assert_eq!(notices(&desk), []);
    assert_eq!(numbers_of(&desk, 1..3), given(2026, 1..3));
    assert_eq!(
        (notices(&desk), told(&desk, EventKind::NumbersLow)),
        (vec![ModeCause::NumbersLow { left: 1 }], 1)
    );
    assert_eq!(numbers_of(&desk, 3..6), [Some("AF-2026-00003".to_owned()), None, None]);
    assert_eq!(
        (notices(&desk), told(&desk, EventKind::NumbersNoneLeft)),
        (vec![ModeCause::NumbersNoneLeft], 1)
    );
    let after = hand_in(&desk, 4);
    assert_eq!(after.permit_num, None, "handed in again it is the same receipt");
    desk.until_empty().await;
    assert_eq!(numbers_of(&desk, 6..7), given(2026, 4..5));
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_leases_no_second_block() {
    let desk = Desk::open(leased()).await;
    let (mut lease, asked) = city();
    let arrives = Arc::new(Mutex::new(false));
    let arriving = Arc::clone(&arrives);
    desk.sor.leases(move |asked| {
        let numbers = lease(asked);
        if *arriving.lock().unwrap() { numbers } else { Err(SorFault::NotAnswering) }
    });
    desk.until_empty().await;
    assert_eq!(numbers_of(&desk, 1..2), [None]);
    let desk = desk.started_again(leased());
    *arrives.lock().unwrap() = true;
    desk.until_empty().await;
    assert_eq!((numbers_of(&desk, 2..3), asked.lock().unwrap().len()), (given(2026, 1..2), 1));
    let desk = desk.started_again(leased());
    desk.until_empty().await;
    assert_eq!((numbers_of(&desk, 3..4), asked.lock().unwrap().len()), (given(2026, 2..3), 1));
}

#[tokio::test(start_paused = true)]
async fn numbers_of_the_old_year_serve_no_application_of_the_new_one_and_are_reported_void() {
    let desk = Desk::open(leased()).await;
    desk.sor.leases(city().0);
    desk.until_empty().await;
    assert_eq!(numbers_of(&desk, 1..2), given(2026, 1..2));
    // Half past eleven in the evening here, and the next year in London.
    desk.clock.set_wall("2027-01-01T04:30:00.000Z");
    desk.until_empty().await;
    assert_eq!((desk.sor.voided(), desk.free()), (vec![], vec![(2026, 2)]));
    desk.clock.set_wall("2027-01-01T05:30:00.000Z");
    desk.until_empty().await;
    assert_eq!(desk.sor.voided(), ["AF-2026-00002", "AF-2026-00003"]);
    assert_eq!((told(&desk, EventKind::NumbersVoid), told(&desk, EventKind::NumbersReported)), (1, 1));
    assert_eq!(desk.free(), [(2027, 3)]);
    desk.until_empty().await;
    assert_eq!(desk.sor.voided().len(), 2, "reported once");
}

#[tokio::test(start_paused = true)]
async fn once_the_record_system_assigns_numbers_again_the_rest_of_a_block_is_void() {
    let desk = Desk::open(leased()).await;
    desk.sor.leases(city().0);
    desk.until_empty().await;
    hand_in(&desk, 1);
    let desk = desk.started_again(settings());
    assert_eq!(hand_in(&desk, 2).permit_num, None);
    desk.until_empty().await;
    assert_eq!(desk.sor.voided(), ["AF-2026-00002", "AF-2026-00003"]);
    assert_eq!(notices(&desk), []);
}

#[tokio::test(start_paused = true)]
async fn a_number_that_was_brought_along_is_kept_and_takes_none() {
    let desk = Desk::open(leased()).await;
    desk.sor.leases(city().0);
    desk.until_empty().await;
    let mut brought = document(1);
    brought["payload"]["PermitNum"] = json!("2007-001000-000-00-RS");
    let receipt = desk.station.submit(brought.to_string().as_bytes()).unwrap();
    assert_eq!(receipt.permit_num.as_deref(), Some("2007-001000-000-00-RS"));
    assert_eq!(numbers_of(&desk, 2..3), given(2026, 1..2));
}
