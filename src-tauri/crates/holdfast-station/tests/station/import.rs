//! Import: the same row is met again, a changed one is refused, and problems point into the row.

use holdfast_core::import::{Columns, ImportRow};
use holdfast_station::Imported;
use holdfast_wire::{ApiCode, ImportEnd};

use crate::desk::{Desk, refusal, settings};

fn row(number: &str, address: &str, units: &str) -> ImportRow {
    let columns = Columns::from_header(&["PermitNum", "OriginalAddress1", "HousingUnits", "PIN"]).unwrap();
    columns.payload(&[number, address, units, ""]).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_row_is_accepted_once_however_often_it_comes() {
    let desk = Desk::open(settings()).await;
    let Imported::Accepted(receipt) =
        desk.station.import_row(&row("2026-000417", "12 OAK ST", "-1")).unwrap()
    else {
        panic!("the first time");
    };
    assert_eq!(receipt.permit_num.as_deref(), Some("2026-000417"));
    for _ in 0..2 {
        let again = desk.station.import_row(&row("2026-000417", "12 OAK ST", "-1")).unwrap();
        let Imported::Already(again) = again else { panic!("{again:?}") };
        assert_eq!(again.receipt_no, receipt.receipt_no);
        desk.until_empty().await;
    }
    assert_eq!(desk.station.status().unwrap().books.accepted, 1);
}

#[tokio::test]
async fn a_changed_row_and_a_wrong_one_are_refused_by_their_columns() {
    let desk = Desk::open(settings()).await;
    desk.station.import_row(&row("2026-000417", "12 OAK ST", "1")).unwrap();
    let table = [
        (row("2026-000417", "14 OAK ST", "1"), "/operation_id", "changed"),
        (row("2026-000418", "12 OAK ST", "one"), "/HousingUnits", "wrong-type"),
    ];
    for (row, pointer, code) in table {
        let (reason, problems) = refusal(desk.station.import_row(&row));
        assert_eq!(reason, ApiCode::Refused);
        assert_eq!(problems, [(pointer.to_owned(), code.to_owned())]);
    }
}

#[tokio::test]
async fn the_end_of_an_import_is_audited() {
    let desk = Desk::open(settings()).await;
    let events = desk.events();
    desk.station.import_finished(ImportEnd { accepted: 0, already: 0, refused: 0 }).unwrap();
    assert_eq!(desk.events(), events + 1);
}
