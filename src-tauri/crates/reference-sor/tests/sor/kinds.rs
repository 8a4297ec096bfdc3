//! Holds, tags, notices, fees, notes, and what amends them.

use holdfast_core::ids::ApplicationId;
use holdfast_core::operation::Kind;
use serde_json::{Value, json};

use crate::support::station::{fence, new_application_id};
use crate::support::{City, Request, Seen, Station};

/// One application, worked on by a supervisor.
struct Desk<'a> {
    city: &'a City,
    station: Station,
    id: ApplicationId,
    etag: String,
}

impl<'a> Desk<'a> {
    fn open(city: &'a City) -> Self {
        let station = Station::new(city, "supervisor");
        let (id, etag) = station.open_application(city);
        Self { city, station, id, etag }
    }

    /// On top of the last version that is known here; the id of the operation.
    fn post(&mut self, kind: Kind, payload: Value) -> (String, Seen) {
        let operation = self.station.prepare(kind, self.id, payload);
        let seen = self.station.post(self.city, &operation, Some(&self.etag));
        if seen.code() == 201 {
            seen.header("etag").unwrap().clone_into(&mut self.etag);
        }
        (operation.body.operation_id.to_string(), seen)
    }

    #[track_caller]
    fn done(&mut self, kind: Kind, payload: Value) -> String {
        let (id, seen) = self.post(kind, payload);
        assert_eq!(seen.code(), 201, "{seen:?}");
        id
    }

    fn view(&self) -> Value {
        self.station.get(self.city, format!("/v1/applications/{}", self.id)).json()
    }
}

fn passed_final() -> Value {
    json!({"InspType": "Final Building", "ResultMapped": "Passed", "InspectedDate": "2026-11-30", "Final": "Yes"})
}

#[test]
fn each_kind_is_recorded_on_its_version_and_shown_with_the_application() {
    let city = City::start();
    let mut desk = Desk::open(&city);
    let fee = json!({"type": "payment", "code": "PLAN-REVIEW", "amount": "185.00"});
    let entries = [
        (Kind::Note, "notes", json!({"text": "Called."})),
        (Kind::Fee, "fees", fee),
        (Kind::Notice, "notices", json!({"id": "N-417", "printed": "2026-11-30"})),
        (Kind::Tag, "tags", json!({"level": "inspected"})),
        (Kind::Hold, "holds", json!({"type": "hold", "reason": "Survey missing."})),
    ];
    let stale = desk.etag.clone();
    for (kind, list, payload) in entries {
        let before = desk.etag.clone();
        desk.done(kind, payload);
        assert_ne!(before, desk.etag, "{kind} makes another version");
        let operation = desk.station.prepare(kind, desk.id, json!({}));
        assert_eq!(
            desk.station.post(&city, &operation, Some(&desk.etag)).problem().0,
            422,
            "{kind} has rules"
        );
        assert_eq!(desk.view()[list].as_array().unwrap().len(), 1, "{list}");
    }
    let note = desk.station.prepare(Kind::Note, desk.id, json!({"text": "Again."}));
    assert_eq!(desk.station.post(&city, &note, Some(&stale)).problem(), (412, "version-conflict".into()));
    assert_eq!(desk.station.post(&city, &note, None).problem(), (428, "precondition-required".into()));
    let elsewhere = desk.station.prepare(Kind::Note, new_application_id(), json!({"text": "Lost."}));
    assert_eq!(desk.station.post(&city, &elsewhere, None).problem(), (409, "parent-missing".into()));
    assert_eq!((&desk.view()["open_holds"], city.counts().0), (&json!(1), 6));
}

#[test]
fn nothing_final_is_recorded_while_a_hold_is_open() {
    let city = City::start();
    let mut desk = Desk::open(&city);
    let hold = desk.done(Kind::Hold, json!({"type": "stop-work", "reason": "Footings poured too early."}));
    desk.done(Kind::Hold, json!({"type": "notice", "reason": "Call the owner first."}));
    let (_, refused) = desk.post(Kind::Inspection, passed_final());
    assert_eq!(refused.problem(), (409, "version-conflict".into()));
    assert_eq!(
        (&refused.json()["etag"], &refused.json()["current"]["open_holds"]),
        (&json!(desk.etag), &json!(2))
    );
    desk.done(
        Kind::Inspection,
        json!({"InspType": "Footing", "ResultMapped": "Passed", "InspectedDate": "2026-11-30"}),
    );
    for to in ["PrelimReview", "FeeEstimated"] {
        desk.done(Kind::Stage, json!({"to": to}));
    }
    let (_, refused) = desk.post(Kind::Stage, json!({"to": "ConditionalApproval"}));
    assert_eq!(refused.problem(), (409, "version-conflict".into()));
    let release = json!({"type": "release", "of": hold, "reason": "Uncovered and passed."});
    desk.done(Kind::Hold, release.clone());
    desk.done(Kind::Inspection, passed_final());
    desk.done(Kind::Stage, json!({"to": "ConditionalApproval"}));
    assert_eq!(desk.view()["open_holds"], 1, "the notice keeps nothing back");
    let (_, again) = desk.post(Kind::Hold, release);
    assert_eq!(again.json()["errors"], json!([{"pointer": "/of", "code": "not-allowed"}]));
    let (_, unknown) =
        desk.post(Kind::Hold, json!({"type": "release", "of": new_application_id(), "reason": "Which one?"}));
    assert_eq!(unknown.problem(), (409, "parent-missing".into()));
}

#[test]
fn a_hold_placed_at_city_hall_changes_the_record_under_a_station() {
    let city = City::start();
    let mut desk = Desk::open(&city);
    let holds = format!("/drill/applications/{}/holds", desk.id);
    let placed = city.drill(&Request::post(&holds, &json!({"type": "stop-work", "reason": "By telephone."})));
    assert_eq!(placed.status, Some(200), "{placed:?}");
    let (_, stale) = desk.post(Kind::Inspection, passed_final());
    assert_eq!(stale.problem(), (412, "version-conflict".into()));
    assert_eq!(stale.json()["current"]["holds"][0]["placed_by"], "city-hall");
    desk.etag = stale.json()["etag"].as_str().unwrap().to_owned();
    assert_eq!(json!(desk.etag), placed.json()["etag"]);
    let (_, held) = desk.post(Kind::Inspection, passed_final());
    assert_eq!(held.problem(), (409, "version-conflict".into()), "naming the new version is not enough");
    assert_eq!(city.counts().0, 1, "city hall is no operation");
    let hold_id = placed.json()["hold_id"].as_str().unwrap().to_owned();
    desk.done(Kind::Hold, json!({"type": "release", "of": hold_id, "reason": "Seen on site."}));
    desk.done(Kind::Inspection, passed_final());
    for (path, body) in [(holds, json!({"type": "release", "reason": "x"})), (holds_of_nobody(), json!({}))] {
        assert!(city.drill(&Request::post(&path, &body)).code() >= 400, "{path}");
    }
}

fn holds_of_nobody() -> String {
    format!("/drill/applications/{}/holds", new_application_id())
}

#[test]
fn fields_edited_at_city_hall_are_another_version() {
    let city = City::start();
    let mut desk = Desk::open(&city);
    let edit = json!({"ApplicantPhone": "206 555 0100", "PermitTypeMapped": null}).to_string();
    let path = format!("/drill/applications/{}", desk.id);
    let seen = city.drill(&Request::new("PATCH", &path).body(edit));
    assert_eq!(seen.status, Some(200), "{seen:?}");
    let (_, conflict) = desk.post(Kind::Note, json!({"text": "Called."}));
    let theirs = &conflict.json()["current"]["payload"];
    assert_eq!((&theirs["ApplicantPhone"], theirs.get("PermitTypeMapped")), (&json!("206 555 0100"), None));
    let nobody = Request::new("PATCH", format!("/drill/applications/{}", new_application_id()));
    assert_eq!(city.drill(&nobody.body("{}")).status, Some(404));
    assert_eq!(city.drill(&Request::new("PATCH", &path).body("[]")).status, Some(400));
}

#[test]
fn two_tags_of_one_house_are_both_kept_and_the_stricter_one_is_shown() {
    let city = City::start();
    let mut desk = Desk::open(&city);
    let red = desk.done(Kind::Tag, json!({"level": "unsafe", "reason": "Chimney down."}));
    desk.done(Kind::Tag, json!({"level": "inspected"}));
    desk.done(Kind::Tag, json!({"level": "restricted", "building": "Garage", "reason": "Leans."}));
    let view = desk.view();
    assert_eq!(view["tags"].as_array().unwrap().len(), 3);
    let shown = json!([{"building": null, "level": "unsafe"}, {"building": "Garage", "level": "restricted"}]);
    assert_eq!(view["tags_shown"], shown);
    desk.done(Kind::Void, json!({"of": red, "reason": "The other house."}));
    let view = desk.view();
    assert_eq!(
        (&view["tags_shown"][0]["level"], view["tags"].as_array().unwrap().len()),
        (&json!("inspected"), 3)
    );
}

#[test]
fn a_correction_replaces_what_is_named_and_is_judged_like_it() {
    let city = City::start();
    let mut desk = Desk::open(&city);
    let opened = desk.view()["operations"][0].clone();
    let mut payload = fence();
    payload["OriginalAddress1"] = json!("14 ELM ST");
    for of in [&opened["operation_id"], &opened["idempotency_key"]] {
        desk.done(Kind::Correction, json!({"of": of, "payload": payload}));
        assert_eq!(desk.view()["payload"]["OriginalAddress1"], "14 ELM ST");
        payload["OriginalAddress1"] = json!("16 ELM ST");
        desk.done(Kind::Correction, json!({"of": of, "payload": payload}));
        payload["OriginalAddress1"] = json!("14 ELM ST");
    }
    let visit = json!({"InspType": "Footing", "ResultMapped": "Rejected", "InspectedDate": "2026-11-30", "Inspector": "ana"});
    let result = desk.done(Kind::Inspection, visit.clone());
    let mut corrected = visit;
    corrected["ResultMapped"] = json!("Passed");
    desk.done(Kind::Correction, json!({"of": result, "payload": corrected}));
    let visits = || desk.station.get(&city, "/v1/inspections?assignee=ana").json()["inspections"].clone();
    assert_eq!(visits()[0]["payload"]["ResultMapped"], "Passed");
    let refusals = [
        (json!({"of": result, "payload": {"InspType": 1}}), 422, "validation"),
        (json!({"of": result}), 422, "validation"),
        (json!({"of": result, "payload": corrected, "why": "x"}), 422, "validation"),
        (json!({"of": new_application_id(), "payload": {}}), 409, "parent-missing"),
    ];
    for (payload, status, problem) in refusals {
        let (_, seen) = desk.post(Kind::Correction, payload.clone());
        assert_eq!(seen.problem(), (status, problem.into()), "{payload}");
    }
    let (_, other) = Desk::open(&city).post(Kind::Correction, json!({"of": result, "payload": corrected}));
    assert_eq!(other.problem(), (409, "parent-missing".into()), "of another application");
}

#[test]
fn who_may_correct_may_put_in_place_only_what_the_role_may_submit() {
    let city = City::start();
    let mut desk = Desk::open(&city);
    let fee = desk.done(Kind::Fee, json!({"type": "payment", "code": "PLAN-REVIEW", "amount": "185.00"}));
    let clerk = Station::named(&city, "front-2".parse().unwrap(), "clerk");
    let correct = |kind: &str| {
        let payload = json!({"type": kind, "code": "PLAN-REVIEW", "amount": "85.00", "reason": "Misread."});
        clerk.prepare(Kind::Correction, desk.id, json!({"of": fee, "payload": payload}))
    };
    let seen = clerk.post(&city, &correct("waiver"), Some(&desk.etag));
    assert_eq!(seen.problem(), (403, "forbidden".into()));
    assert_eq!(clerk.post(&city, &correct("payment"), Some(&desk.etag)).code(), 201);
    assert_eq!(desk.view()["fees"][0]["payload"]["amount"], "85.00");
}

#[test]
fn a_void_ends_what_is_named_once_and_nothing_else() {
    let city = City::start();
    let mut desk = Desk::open(&city);
    let visit = json!({"InspType": "Footing", "ResultMapped": "Passed", "InspectedDate": "2026-11-30", "Inspector": "ana"});
    let result = desk.done(Kind::Inspection, visit);
    let hold = desk.done(Kind::Hold, json!({"type": "hold", "reason": "Survey missing."}));
    let moved = desk.done(Kind::Stage, json!({"to": "PrelimReview"}));
    let void = |of: &str| json!({"of": of, "reason": "Entered twice."});
    desk.done(Kind::Void, void(&result));
    assert_eq!(desk.station.get(&city, "/v1/inspections?assignee=ana").json()["inspections"], json!([]));
    desk.done(Kind::Void, void(&hold));
    assert_eq!(desk.view()["open_holds"], 0);
    for of in [&result, &hold, &moved] {
        let (_, seen) = desk.post(Kind::Void, void(of));
        assert_eq!(seen.json()["errors"], json!([{"pointer": "/of", "code": "not-allowed"}]), "{of}");
    }
    let (_, unreasoned) = desk.post(Kind::Void, json!({"of": result, "reason": " "}));
    assert_eq!(unreasoned.json()["errors"], json!([{"pointer": "/reason", "code": "missing"}]));
    let opened = desk.view()["operations"][0]["operation_id"].as_str().unwrap().to_owned();
    desk.done(Kind::Void, void(&opened));
    assert_eq!(desk.view()["stage"], "Voided");
    let (_, again) = desk.post(Kind::Void, void(&opened));
    assert_eq!(again.problem(), (422, "validation".into()));
}
