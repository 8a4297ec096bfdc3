//! Order: strictly within one application, and nobody else waits for it.

#![allow(clippy::unwrap_used)]

use holdfast_drills::{Limits, Office, Receipt};
use serde_json::json;

const OTHERS: [&str; 4] = ["2 ELM ST", "3 ELM ST", "4 ELM ST", "5 ELM ST"];

/// One application with two stages after it, and four others, all accepted while the SoR is cut.
struct Backlog {
    lane: [Receipt; 3],
    others: Vec<Receipt>,
}

impl Backlog {
    fn accepted_offline(office: &Office) -> Self {
        office.sor.cut();
        let first = office.desk.submit_application("1 ELM ST");
        let second = office.desk.submit_stage(&first, "PrelimReview");
        let third = office.desk.submit_stage(&first, "FeeEstimated");
        let others = OTHERS.iter().map(|address| office.desk.submit_application(address)).collect();
        Self { lane: [first, second, third], others }
    }

    fn all(&self) -> Vec<Receipt> {
        self.lane.iter().chain(&self.others).cloned().collect()
    }
}

#[test]
fn three_operations_on_one_application_apply_in_order_without_a_conflict() {
    let office = Office::at_work(&Limits::patient());
    let backlog = Backlog::accepted_offline(&office);
    office.sor.mend();
    let drained = office.desk.drain_to_empty();
    assert_eq!((&drained["committed"], &drained["quarantined"]), (&json!(7), &json!(0)), "{drained}");
    assert_eq!(office.sor.requests(), 7, "each was sent once, with the right base at once");
    office.assert_all_recorded(&backlog.all());
}

#[test]
fn while_the_second_is_refused_once_the_third_waits_and_other_applications_do_not() {
    // Long enough that all others are through before the second is tried again.
    let office = Office::at_work(
        &Limits::patient().with("attempt_backoff_base_s", 2.0).with("attempt_backoff_max_s", 2.0),
    );
    let backlog = Backlog::accepted_offline(&office);
    let [first, second, third] = &backlog.lane;
    office.sor.put(&[json!({"do": "status", "status": 500, "on": {"key": second.key}, "count": 1})]);
    let drained = office.desk.drain_to_empty();
    assert_eq!(drained["quarantined"], 0, "{drained}");
    office.assert_all_recorded(&backlog.all());
    assert_eq!(office.sor.requests(), 8, "seven operations and the one that was refused");
    let ledger = office.sor.ledger();
    assert!(ledger.place(first) < ledger.place(second) && ledger.place(second) < ledger.place(third));
    for other in &backlog.others {
        assert!(
            ledger.place(other) < ledger.place(second),
            "{} waited for another application",
            other.receipt_no
        );
    }
}

#[test]
fn a_quarantined_second_blocks_its_own_lane_and_no_other() {
    let office = Office::at_work(&Limits::patient());
    let backlog = Backlog::accepted_offline(&office);
    let [first, second, third] = &backlog.lane;
    let refusal = json!({"type": "validation", "problems": [{"pointer": "/to", "code": "lifecycle"}]});
    office.sor.put(&[json!({"do": "status", "status": 422, "body": refusal, "on": {"key": second.key}})]);
    // What is left waits for a person, so that going on brings nothing.
    let drained = office.desk.run(&["drain", "--until-empty", "--max-s", "50"]).is(3).json();
    assert_eq!(
        drained,
        json!({"committed": 5, "already_committed": 0, "quarantined": 1, "pending": 1, "stopped_because": "paused"})
    );
    let recorded = backlog.others.iter().chain([first]);
    office.sor.ledger().assert_exactly(recorded.map(|receipt| receipt.key.as_str()));
    let rows = office.desk.queue();
    let states: Vec<_> =
        rows.iter().map(|row| (row["idempotency_key"].as_str(), row["state"].as_str())).collect();
    let wanted = [(second, "quarantined"), (third, "pending")];
    assert_eq!(states, wanted.map(|(receipt, state)| (Some(receipt.key.as_str()), Some(state))));
    assert_eq!(office.desk.status()["books"]["quarantined"], 1);
    office.desk.assert_audit_holds();
}
