//! Numbers: of the year by the city's calendar, in the body and on the receipt.

use holdfast_core::numbers::FreeNumbers;
use holdfast_core::time::TimeZone;

use super::*;

fn leasing_intake() -> Intake {
    Intake { numbering: Numbering::Leased { low_mark: 2, zone: TimeZone::UTC }, ..intake() }
}

fn having(left: u32) -> AcceptFacts {
    let numbers = |year, next: &str, left| FreeNumbers { year, next: next.parse().unwrap(), left };
    let free_numbers = vec![numbers(2026, "AF-2026-00007", left), numbers(2027, "AF-2027-00001", 50)];
    AcceptFacts { free_numbers, ..facts() }
}

#[test]
fn a_new_application_gets_the_next_number_of_its_year_in_body_row_and_receipt() {
    let acceptance = accepted(&leasing_intake(), &having(3));
    let number = "AF-2026-00007";
    assert_eq!(acceptance.body.payload["PermitNum"], number);
    assert_eq!(acceptance.permit_num.as_ref().unwrap().as_str(), number);
    assert_eq!(acceptance.application.payload.as_ref().unwrap()["PermitNum"], number);
    assert_eq!(acceptance.payload_digest, payload_digest(&acceptance.body.payload));
    assert_eq!(acceptance.key, acceptance.body.idempotency_key());
    assert_eq!(acceptance.leasing.unwrap().permit_num.as_str(), number);
}

#[test]
fn the_low_mark_and_the_end_are_told_once_each() {
    let told = |left| accepted(&leasing_intake(), &having(left)).leasing.and_then(|given| given.entry);
    let kinds: Vec<_> = (1..5).map(|left| told(left).map(|entry| entry.kind)).collect();
    assert_eq!(kinds, [Some(EventKind::NumbersNoneLeft), None, Some(EventKind::NumbersLow), None]);
}

#[test]
fn no_number_is_given_where_the_record_system_gives_it_or_none_of_the_year_is_left() {
    for (intake, facts) in [(intake(), having(3)), (leasing_intake(), having(0))] {
        let acceptance = accepted(&intake, &facts);
        assert!(acceptance.leasing.is_none() && acceptance.permit_num.is_none());
        assert_eq!(acceptance.body.payload, intake.payload);
    }
    let moved = Intake { numbering: leasing_intake().numbering, ..moving("PrelimReview") };
    let facts = AcceptFacts { free_numbers: having(3).free_numbers, ..with_application(Stage::Intake) };
    assert!(accepted(&moved, &facts).leasing.is_none());
}

#[test]
fn the_same_form_meets_the_receipt_with_the_number_that_it_was_given() {
    let intake = leasing_intake();
    let number: PermitNum = "AF-2026-00007".parse().unwrap();
    let given = with_number(&intake.payload, &number);
    let mut twin = twin(Kind::Application, &given);
    let decided = |twin: &Option<Twin>| decide(&intake, &AcceptFacts { twin: twin.clone(), ..having(2) });
    assert!(matches!(decided(&twin), AcceptDecision::Refuse(_)), "without the number it is another form");
    twin.as_mut().unwrap().receipt.permit_num = Some(number);
    assert!(matches!(decided(&twin), AcceptDecision::Already));
}
