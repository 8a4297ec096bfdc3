//! The counter itself: a receipt is one promise, and nobody waits for the SoR.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use holdfast_drills::{Ended, Limits, Office, PASSPHRASE, Running, Silent};
use holdfast_store::tamper::{Tampering, tamper};
use serde_json::{Value, json};

/// No answer of the counter takes longer, also on a machine that does much else. An SoR that hangs would take longer
/// than this: the limits are patient here.
const COUNTER_MAX: Duration = Duration::from_secs(10);

fn fence() -> Value {
    json!({"kind": "application", "payload": {
        "OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence",
        "WorkClassMapped": "Existing", "EstProjectCost": "25000.00"}})
}

#[test]
fn a_form_submitted_twice_has_one_receipt_and_one_effect() {
    let office = Office::at_work(&Limits::default());
    let mut form = fence();
    form["operation_id"] = json!("01932c6f-8f0a-7cc3-98a1-0242ac120002");
    let submit = || office.desk.run_with(&["submit", "-"], form.to_string().as_bytes()).is(0).json();
    let (first, second) = (submit(), submit());
    assert_eq!(first, second, "the same receipt");
    let receipts = office.desk.waiting();
    assert_eq!(receipts.len(), 1);
    office.desk.drain_to_empty();
    let after = submit();
    assert_eq!((&after["receipt_no"], &after["state"]), (&first["receipt_no"], &json!("committed")));
    office.assert_all_recorded(&receipts);

    form["payload"]["EstProjectCost"] = json!("99000.00");
    let changed = office.desk.run_with(&["submit", "-"], form.to_string().as_bytes()).is(6).json();
    assert_eq!(
        changed["problems"][0]["code"], "changed",
        "another content under the same id is no second click"
    );
    office.assert_all_recorded(&receipts);
}

#[test]
fn a_form_submitted_by_many_at_once_is_one_operation() {
    let office = Office::at_work(&Limits::default());
    let mut form = fence();
    form["operation_id"] = json!("01932c6f-8f0a-7cc3-98a1-0242ac120002");
    let submit = || {
        let mut command = office.desk.command(&["submit", "-", "--json"]);
        Running::start(&mut command, form.to_string().as_bytes())
    };
    let ended = all_at_once(submit);
    // Whoever found another one writing was told so, and can click again.
    let receipts: Vec<Value> = ended.iter().filter(|ended| ended.code() == 0).map(Ended::json).collect();
    assert!(ended.iter().all(|ended| [0, 5].contains(&ended.code())), "{ended:?}");
    assert!(!receipts.is_empty() && receipts.iter().all(|receipt| *receipt == receipts[0]), "{receipts:?}");
    let waiting = office.desk.waiting();
    assert_eq!(waiting.len(), 1);
    office.desk.drain_to_empty();
    office.assert_all_recorded(&waiting);
}

#[test]
fn of_many_drains_at_once_one_sends_and_each_operation_crosses_once() {
    let office = Office::at_work(&Limits::patient());
    let receipts: Vec<_> = (0..6).map(|_| office.desk.submit(&fence())).collect();
    office.sor.put(&[json!({"do": "slow", "delay_ms": 100, "on": {"path": "/v1/operations"}})]);
    let ended = all_at_once(|| office.desk.start(&["drain", "--until-empty", "--max-s", "50"]));
    assert!(ended.iter().all(|ended| [0, 5].contains(&ended.code())), "{ended:?}");
    assert!(ended.iter().any(|ended| ended.code() == 0), "{ended:?}");
    assert_eq!(office.sor.requests(), 6);
    office.assert_all_recorded(&receipts);
}

fn all_at_once(start: impl Fn() -> Running) -> Vec<Ended> {
    let running: Vec<Running> = (0..5).map(|_| start()).collect();
    running.into_iter().map(|running| running.end_within(Duration::from_secs(60))).collect()
}

#[test]
fn four_identical_applications_are_four() {
    let office = Office::at_work(&Limits::default());
    let receipts: Vec<_> = (0..4).map(|_| office.desk.submit(&fence())).collect();
    office.desk.drain_to_empty();
    office.assert_all_recorded(&receipts);
}

#[test]
fn a_hung_sor_changes_nothing_at_the_counter() {
    let mut office = Office::at_work(&Limits::patient());
    office.sor.kill();
    let hung = Silent::at(office.sor.address());
    for _ in 0..5 {
        let ended = office.desk.run_with(&["submit", "-"], fence().to_string().as_bytes()).is(0);
        assert!(ended.took < COUNTER_MAX, "{:?}", ended.took);
    }
    for words in [&["status"][..], &["queue", "list"], &["applications", "list"], &["audit", "verify"]] {
        let ended = office.desk.run(words).is(0);
        assert!(ended.took < COUNTER_MAX, "{words:?}: {:?}", ended.took);
    }
    assert_eq!(hung.connections(), 0, "nothing of this concerns the SoR");
}

#[test]
fn a_drain_that_is_asked_to_stop_ends_with_its_report() {
    let office = Office::at_work(&Limits::patient());
    let receipts: Vec<_> = (0..4).map(|_| office.desk.submit(&fence())).collect();
    // The first is answered, the second later than anybody asks for the end.
    let second = &receipts[1].key;
    office.sor.put(&[json!({"do": "slow", "delay_ms": 1_500, "on": {"key": second}})]);
    let drain = office.desk.start(&["drain", "--until-empty", "--max-s", "50"]);
    office.until_effects(2);
    drain.ask_to_stop();
    let report = drain.end_within(Duration::from_secs(30)).is(3).json();
    assert_eq!(
        report,
        json!({"committed": 2, "already_committed": 0, "quarantined": 0, "pending": 2, "stopped_because": "time"}),
        "the attempt that was on its way was heard out, and no other begun"
    );
    assert_eq!(office.sor.effects(), 2);
    office.sor.mend();
    office.desk.drain_to_empty();
    office.assert_all_recorded(&receipts);
}

#[test]
fn a_drain_needs_nobody_signed_in() {
    let office = Office::at_work(&Limits::default());
    let receipts = [office.desk.submit(&fence()), office.desk.submit(&fence())];
    let nobody = "DELETE FROM user_session; DELETE FROM user_session_key".to_owned();
    tamper(&office.desk.data(), PASSPHRASE.as_bytes(), &Tampering::Run(nobody)).unwrap();
    let refused = office.desk.run_with(&["submit", "-"], fence().to_string().as_bytes());
    assert_ne!(refused.code(), 0, "nothing is accepted from nobody: {refused:?}");
    office.desk.drain_to_empty();
    office.assert_all_recorded(&receipts);
    let filed_by: Vec<_> = office.sor.ledger().effects.into_iter().map(|effect| effect.actor).collect();
    assert_eq!(filed_by, ["clerk", "clerk"], "who filed is who was signed in then");
}
