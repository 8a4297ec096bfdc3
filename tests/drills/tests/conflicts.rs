//! Two versions of one record: what a person sees of them, and what each choice leaves in the SoR.

#![allow(clippy::unwrap_used)]

use holdfast_drills::{Limits, Office, Receipt};
use serde::Deserialize as _;
use serde_json::{Value, json};

/// An office with a recorded application, a supervisor signed in.
fn with_application() -> (Office, Receipt) {
    let office = Office::at_work(&Limits::patient());
    office.desk.sign_in("supervisor");
    let application = office.desk.submit_application("12 OAK ST");
    office.desk.drain_to_empty();
    (office, application)
}

/// The final inspection of an application, passed.
fn final_passed(application: &Receipt) -> Value {
    json!({"kind": "inspection", "application_id": application.application_id, "payload": {
        "InspType": "Final Building", "InspTypeMapped": "Final Building", "Result": "Passed",
        "ResultMapped": "Passed", "InspectedDate": "2026-11-30", "InspectedTime": "10:00", "Final": "Yes"}})
}

/// What waits for a decision, all versions side by side.
fn shown(office: &Office, receipt: &Receipt) -> Value {
    office.desk.run(&["quarantine", "show", &receipt.key]).is(0).json()
}

fn resolve(office: &Office, receipt: &Receipt, how: &[&str]) -> Value {
    let words = [&["quarantine", "resolve", receipt.key.as_str()], how, &["--reason", "City hall was asked"]];
    office.desk.run(&words.concat()).is(0).json()
}

fn changed<'a>(conflict: &'a Value, pointer: &str) -> &'a Value {
    let rows = conflict["rows"].as_array().unwrap();
    &rows.iter().find(|row| row["pointer"] == pointer).unwrap()["changed"]
}

/// Every row whose pointer begins so.
fn rows<'a>(conflict: &'a Value, prefix: &str) -> Vec<&'a Value> {
    let rows = conflict["rows"].as_array().unwrap();
    rows.iter().filter(|row| row["pointer"].as_str().unwrap().starts_with(prefix)).collect()
}

fn assert_holds(office: &Office) {
    office.desk.assert_audit_holds();
    let _ = office.desk.run(&["audit", "replay"]).is(0);
}

#[test]
fn a_stop_work_placed_by_telephone_keeps_back_a_final_that_was_passed_offline() {
    let (office, application) = with_application();
    office.sor.cut();
    let passed = office.desk.submit(&final_passed(&application));
    let later = office.desk.submit_stage(&application, "PrelimReview");
    office.sor.mend();
    let _ = office.sor.place_hold(&application.application_id, "stop-work", "Gas smell");
    let effects = office.sor.effects();
    let drained = office.desk.run(&["drain", "--until-empty", "--max-s", "50"]).is(3).json();
    assert_eq!((&drained["committed"], &drained["quarantined"]), (&json!(0), &json!(1)), "{drained}");

    let item = shown(&office, &passed);
    let conflict = &item["conflict"];
    assert_eq!(
        (&item["reason"], &conflict["meeting"]),
        (&json!("conflict"), &json!("held_back")),
        "{conflict:#}"
    );
    let hold = rows(conflict, "/holds/")[0];
    assert_eq!((&hold["changed"], &hold["theirs"]["type"]), (&json!("by_them"), &json!("stop-work")));
    assert_eq!(changed(conflict, "/inspection/ResultMapped"), "by_us");
    assert_eq!(conflict["proposal"], Value::Null, "nothing is proposed against a hold");

    // The hold stays; the final is never recorded, and no later move goes by itself.
    let decided = resolve(&office, &passed, &["--take", "theirs"]);
    assert_eq!((&decided["state"], &decided["set_aside"]), (&json!("voided"), &json!(1)));
    let _ = office.desk.run(&["drain", "--until-empty", "--max-s", "50"]);
    assert_eq!(office.sor.effects(), effects, "the SoR is as it was");
    let waits = shown(&office, &later);
    assert_eq!((&waits["state"], &waits["reason"]), (&json!("quarantined"), &json!("conflict")));
    assert!(waits["conflict"]["theirs"].is_object(), "it was asked for right after");
    assert_holds(&office);
}

#[test]
fn a_note_added_here_and_a_telephone_corrected_there_are_recognised_and_shown_once() {
    let (office, application) = with_application();
    office.sor.cut();
    let note = office.desk.submit(&json!({"kind": "note", "application_id": application.application_id,
        "payload": {"text": "Dog in the yard; call from the car."}}));
    office.sor.mend();
    office.sor.edit(&application.application_id, &json!({"ApplicantPhone": "555-010-0142"}));
    let _ = office.desk.run(&["drain", "--until-empty", "--max-s", "50"]);

    let item = shown(&office, &note);
    let conflict = &item["conflict"];
    assert_eq!(
        (&conflict["meeting"], &conflict["proposal"]),
        (&json!("apart"), &json!("ours")),
        "{conflict:#}"
    );
    assert_eq!(changed(conflict, "/payload/ApplicantPhone"), "by_them");
    assert_eq!(changed(conflict, "/note/text"), "by_us");
    assert_eq!(item["state"], "quarantined", "never merged silently");
    let plain = office.desk.run_plain(&["quarantine", "show", &note.key]).is(0);
    let text = plain.stdout;
    for word in ["FIELD", "THEIRS", "/payload/ApplicantPhone", "555-010-0142", "by them", "do not meet"] {
        assert!(text.contains(word), "{word} in {text}");
    }

    resolve(&office, &note, &["--take", "ours"]);
    office.desk.drain_to_empty();
    office.assert_all_recorded(&[application.clone(), note]);
    let id = &application.application_id;
    let here = office.desk.run(&["applications", "show", id]).is(0).json();
    assert_eq!(here["payload"]["ApplicantPhone"], "555-010-0142", "both hold, here too");
    assert_holds(&office);
}

/// The fields at the SoR, as whoever meets the record next is shown them.
fn at_the_sor(office: &Office, id: &str) -> Value {
    let note = json!({"kind": "note", "application_id": id, "payload": {"text": "Looked at."}});
    let note = office.desk.submit(&note);
    office.sor.edit(id, &json!({"StatusCurrent": "In review"}));
    let _ = office.desk.run(&["drain", "--until-empty", "--max-s", "50"]);
    let mut fields = shown(office, &note)["conflict"]["theirs"]["payload"].clone();
    resolve(office, &note, &["--take", "theirs"]);
    fields.as_object_mut().unwrap().remove("StatusCurrent");
    fields
}

#[test]
fn a_telephone_corrected_by_the_clerk_and_what_the_inspector_wrote_are_merged_by_the_supervisor() {
    let office = Office::at_work(&Limits::patient());
    let application = json!({"kind": "application", "payload": {"OriginalAddress1": "12 OAK ST",
        "PIN": ["0010-22-417"], "ApplicantPhone": "(555) 010-0100"}});
    let application = office.desk.run_with(&["submit", "-"], application.to_string().as_bytes()).is(0).json();
    let id = application["application_id"].as_str().unwrap();
    office.desk.drain_to_empty();
    let mut said = office.desk.run(&["applications", "show", id]).is(0).json()["payload"].clone();
    office.sor.cut();
    said["ApplicantPhone"] = json!("(555) 010-0142");
    let correction = office.desk.submit(&json!({"kind": "correction", "application_id": id,
        "payload": {"of": application["operation_id"], "payload": said}}));
    office.sor.mend();
    office.sor.edit(id, &json!({"Description": "Dog in the yard; call from the car."}));
    let _ = office.desk.run(&["drain", "--until-empty", "--max-s", "50"]);

    let item = shown(&office, &correction);
    let conflict = &item["conflict"];
    assert_eq!(
        (&conflict["meeting"], &conflict["proposal"], &item["state"]),
        (&json!("apart"), &json!("merge"), &json!("quarantined")),
        "recognised, and still shown: {conflict:#}"
    );
    assert_eq!(changed(conflict, "/payload/ApplicantPhone"), "by_us");
    assert_eq!(changed(conflict, "/payload/Description"), "by_them");

    office.desk.sign_in("supervisor");
    let file = office.folder().join("both.json");
    let mut both = conflict["theirs"]["payload"].clone();
    both["ApplicantPhone"] = json!("(555) 010-0142");
    std::fs::write(&file, both.to_string()).unwrap();
    resolve(&office, &correction, &["--merge", file.to_str().unwrap()]);
    office.desk.drain_to_empty();
    assert!(!office.sor.ledger().has(&correction.key), "what was replaced is never sent");
    assert_eq!(at_the_sor(&office, id), both, "the fields of both");
    let here = office.desk.run(&["applications", "show", id]).is(0).json();
    assert_eq!(here["payload"]["Description"], "Dog in the yard; call from the car.");
    assert_holds(&office);
}

#[test]
fn a_merge_stands_in_the_place_of_what_it_replaces_and_nothing_of_either_is_lost() {
    let (office, application) = with_application();
    office.sor.cut();
    let passed = office.desk.submit(&final_passed(&application));
    let later = office.desk.submit_stage(&application, "PrelimReview");
    office.sor.mend();
    office.sor.edit(&application.application_id, &json!({"ApplicantPhone": "555-010-0142"}));
    let _ = office.desk.run(&["drain", "--until-empty", "--max-s", "50"]);

    let mut merged = final_passed(&application)["payload"].clone();
    merged["InspectionNotes"] = json!("The owner's new telephone was answered.");
    let file = office.folder().join("merged.json");
    let key = passed.key.as_str();
    let ask = ["quarantine", "resolve", key, "--merge", file.to_str().unwrap(), "--reason", "Both are right"];
    let mut lacking = merged.clone();
    lacking.as_object_mut().unwrap().remove("Result");
    std::fs::write(&file, lacking.to_string()).unwrap();
    let refused = office.desk.run(&ask).is(6).json();
    assert_eq!(refused["problems"][0]["pointer"], "/payload/Result", "{refused}");
    std::fs::write(&file, "[]").unwrap();
    let _ = office.desk.run(&ask).is(2);
    std::fs::write(&file, merged.to_string()).unwrap();
    let decided = office.desk.run(&ask).is(0).json();
    assert_eq!((&decided["receipt_no"], &decided["going_on"]), (&json!("front-1-4"), &json!(1)));

    let drained = office.desk.drain_to_empty();
    assert_eq!(drained["committed"], 2, "{drained}");
    let ledger = office.sor.ledger();
    assert!(!ledger.has(&passed.key) && ledger.has(&later.key), "what was replaced is never sent");
    let kinds: Vec<&str> = ledger.effects.iter().map(|effect| effect.kind.as_str()).collect();
    assert_eq!(kinds, ["application", "inspection", "stage"], "in its place, before what came behind it");
    let books = office.desk.status()["books"].clone();
    assert_eq!(
        (&books["accepted"], &books["committed"], &books["voided"]),
        (&json!(4), &json!(3), &json!(1))
    );
    assert_holds(&office);
}

#[test]
fn while_the_sor_is_away_its_version_is_not_known_and_a_third_change_is_met_again() {
    let (office, application) = with_application();
    let id = application.application_id.clone();
    office.sor.cut();
    let moved = office.desk.submit_stage(&application, "PrelimReview");
    office.sor.mend();
    office.sor.edit(&id, &json!({"ApplicantPhone": "555-010-0142"}));
    office
        .sor
        .put(&[json!({"do": "status", "status": 503, "on": {"method": "GET", "path": "/v1/applications/"}})]);
    let _ = office.desk.run(&["drain"]);
    assert_eq!(shown(&office, &moved)["conflict"]["theirs"], Value::Null);
    let early = ["quarantine", "resolve", &moved.key, "--take", "ours", "--reason", "why"];
    let refused = office.desk.run(&early).is(6).json();
    assert_eq!(refused["problems"][0]["code"], "theirs-unknown");

    office.sor.mend();
    let fetched = office.desk.run(&["quarantine", "show", &moved.key, "--fetch"]).is(0).json();
    assert_eq!(changed(&fetched["conflict"], "/payload/ApplicantPhone"), "by_them");
    resolve(&office, &moved, &["--take", "ours"]);
    office.sor.edit(&id, &json!({"ApplicantName": "Rosa Delgado"}));
    let _ = office.desk.run(&["drain", "--until-empty", "--max-s", "50"]);
    let again = shown(&office, &moved)["conflict"].clone();
    assert_eq!(changed(&again, "/payload/ApplicantPhone"), "nobody", "that was seen");
    assert_eq!(changed(&again, "/payload/ApplicantName"), "by_them");
    resolve(&office, &moved, &["--take", "ours"]);
    office.desk.drain_to_empty();
    office.assert_all_recorded(&[application, moved]);
    assert_holds(&office);
}

#[test]
fn a_telephone_from_the_counter_and_a_note_from_the_truck_are_shown_side_by_side_and_both_kept() {
    let office = Office::at_work(&Limits::patient());
    let filed = office.desk.submit_numbered("12 OAK ST");
    let of = filed["operation_id"].clone();
    let application = Receipt::deserialize(filed).unwrap();
    office.desk.drain_to_empty();
    let truck = office.second_desk("truck-1");
    truck.sign_in("inspector");
    let _ = truck.run(&["copies", "refresh"]).is(0);
    office.sor.cut();
    let id = application.application_id.as_str();
    let mut said = office.desk.run(&["applications", "show", id]).is(0).json();
    said["payload"]["ApplicantPhone"] = json!("(555) 010-0142");
    let telephone = office.desk.submit(&json!({"kind": "correction", "application_id": id,
        "payload": {"of": of, "payload": said["payload"].take()}}));
    let note = truck.submit(&json!({"kind": "note", "application_id": id,
        "payload": {"text": "Dog in the yard; call from the car."}}));
    office.sor.mend();
    office.desk.drain_to_empty();
    let drained = truck.drain_to_empty();
    assert_eq!(drained["quarantined"], 1, "{drained}");

    truck.sign_in("supervisor");
    let item = truck.run(&["quarantine", "show", &note.key]).is(0).json();
    let conflict = &item["conflict"];
    assert_eq!(
        (&conflict["meeting"], &conflict["proposal"], &item["state"]),
        (&json!("apart"), &json!("ours"), &json!("quarantined")),
        "recognised as apart, and still shown: {conflict:#}"
    );
    assert_eq!(changed(conflict, "/payload/ApplicantPhone"), "by_them");
    assert_eq!(changed(conflict, "/note/text"), "by_us");
    let resolve =
        ["quarantine", "resolve", note.key.as_str(), "--take", "ours", "--reason", "Both are right"];
    let _ = truck.run(&resolve).is(0);
    truck.drain_to_empty();

    let ledger = office.sor.ledger();
    for receipt in [&application, &telephone, &note] {
        assert!(ledger.has(&receipt.key), "{receipt:?}");
    }
    assert_eq!(ledger.effects.len(), 3, "one effect of each");
    assert_holds(&office);
    truck.assert_audit_holds();
}
