//! What a copy of parcels says, by its age and by what is in it.

use serde_json::json;

use super::*;
use crate::audit::Event;
use crate::headroom::{HeadroomClass, WorkClass};
use crate::replay::{Recomputed, recompute};
use crate::route::{Ahead, ContractStanding, IntakeRoom, Permission, RouteDecision, RouteInputs};
use crate::time::BootMillis;

const MAX_H: u32 = 720;

fn at(wall_h: i64, boot_h: u64) -> Now {
    let noon: UtcMillis = "2026-11-30T12:00:00.000Z".parse().unwrap();
    Now { wall: noon.plus_millis(wall_h * 3_600_000), boot: BootMillis(boot_h * 3_600_000) }
}

fn parcel() -> Parcel {
    Parcel {
        pin: "0010-22-401".parse().unwrap(),
        address: Some("12 OAK ST".to_owned()),
        zoning: "R-2".to_owned(),
        overlays: vec!["Flood zone AE".to_owned()],
        bounds: Some(Bounds { west: -90.01, south: 41.5, east: -90.0, north: 41.51 }),
        updated_at: at(-100, 0).wall,
    }
}

fn inputs(asked: u32, found: u32, copied: Option<Now>, now: Now) -> LookInputs {
    LookInputs { asked, found, copied, now, max_h: MAX_H, breaker: Admission::Closed }
}

#[test]
fn a_copy_says_what_it_knows_with_its_age_and_past_its_ceiling_nothing() {
    let copied = at(0, 10);
    for (copied, found, now, word, warning, what) in [
        (Some(copied), Some(parcel()), at(3, 13), "known", None, "three hours old"),
        (Some(copied), Some(parcel()), at(720, 730), "known", None, "at its ceiling"),
        (Some(copied), None, at(3, 13), "unknown", Some("parcel-unknown"), "not in it"),
        (Some(copied), Some(parcel()), at(721, 731), "too_old", Some("parcel-copy-old"), "past it"),
        (Some(copied), None, at(721, 731), "too_old", Some("parcel-copy-old"), "past it, and not in it"),
        (Some(copied), Some(parcel()), at(-1, 11), "too_old", Some("parcel-copy-old"), "from the future"),
        (None, None, at(3, 13), "never_copied", Some("parcel-never-copied"), "none at all"),
    ] {
        let seen = look(copied, found, now, MAX_H);
        assert_eq!(seen.word(), word, "{what}");
        assert_eq!(seen.warning().map(ParcelWarning::code), warning, "{what}");
        assert_eq!(seen.parcel().is_some(), word == "known", "{what}");
        assert_eq!(seen.as_of(), copied.map(|copied| copied.wall), "{what}");
    }
}

#[test]
fn what_was_decided_about_parcels_is_recomputed_from_its_own_inputs() {
    let copied = at(0, 10);
    for (inputs, counts) in [
        (inputs(3, 2, Some(copied), at(1, 11)), [2, 1, 0, 0]),
        (inputs(3, 2, Some(copied), at(721, 731)), [0, 0, 3, 0]),
        (inputs(3, 0, None, at(1, 11)), [0, 0, 0, 3]),
    ] {
        let decision = ParcelDecision::of(inputs);
        let ParcelTally { known, unknown, too_old, never_copied, .. } = decision.tally;
        assert_eq!([known, unknown, too_old, never_copied], counts);
        let recorded = serde_json::to_value(&decision).unwrap();
        let (written, recomputed) = replay(&recorded).unwrap();
        assert_eq!(written, recomputed);
        assert_eq!(recorded["endpoint"], "gis");
    }
}

#[test]
fn a_decision_that_was_changed_or_is_of_unknown_rules_is_told() {
    let mut recorded =
        serde_json::to_value(ParcelDecision::of(inputs(1, 1, Some(at(0, 10)), at(3, 13)))).unwrap();
    assert_eq!(recorded["age_s"], 3 * 3600);
    recorded["known"] = json!(0);
    let (written, recomputed) = replay(&recorded).unwrap();
    assert_ne!(written, recomputed);
    recorded["look_version"] = json!(2);
    assert!(matches!(replay(&recorded), Err(NotReplayable::UnknownVersion(2))));
    assert!(matches!(replay(&json!({"known": 1})), Err(NotReplayable::NotADecision(_))));
}

#[test]
fn an_application_names_each_parcel_once_and_no_more_than_its_schema_lets_it() {
    let named = pins(&json!({"PIN": ["0010-22-401", " 0010-22-401 ", "", 7, "0010-22-402"]}));
    assert_eq!(named.iter().map(Pin::as_str).collect::<Vec<_>>(), ["0010-22-401", "0010-22-402"]);
    assert_eq!(pins(&json!({"NoParcelReason": "right-of-way"})), []);
    let many: Vec<_> = (0..200).map(|n| format!("{n}")).collect();
    assert_eq!(pins(&json!({"PIN": many})).len(), PINS_MAX);
}

#[test]
fn a_parcel_beyond_the_limits_does_not_fit() {
    assert!(parcel().fits());
    assert!(!Parcel { zoning: String::new(), ..parcel() }.fits());
    assert!(!Parcel { zoning: "R\u{7}".to_owned(), ..parcel() }.fits());
    assert!(!Parcel { address: Some("x".repeat(201)), ..parcel() }.fits());
    assert!(!Parcel { overlays: vec!["x".to_owned(); 33], ..parcel() }.fits());
    for bounds in [
        Bounds { west: 1.0, south: 0.0, east: 0.0, north: 1.0 },
        Bounds { west: f64::NAN, south: 0.0, east: 0.0, north: 1.0 },
        Bounds { west: 0.0, south: -91.0, east: 0.0, north: 1.0 },
    ] {
        assert!(!Parcel { bounds: Some(bounds), ..parcel() }.fits());
    }
}

#[test]
fn an_event_whose_parcels_do_not_follow_from_their_inputs_is_found_although_its_route_does() {
    let route = RouteDecision::of(RouteInputs {
        intake: IntakeRoom::Free,
        permission: Permission::Granted,
        contract: ContractStanding::Valid,
        headroom: HeadroomClass::Ample,
        work: WorkClass::Standard,
        breaker: Admission::Closed,
        ahead: Ahead::Nothing,
    });
    let decision = ParcelDecision::of(inputs(2, 1, Some(at(0, 10)), at(3, 13)));
    let accepted = |parcels: &Value| -> Event {
        let mut data = serde_json::to_value(route).unwrap();
        data[PARCEL_DECISION] = parcels.clone();
        let event = json!({
            "v": 1, "seq": 1, "station_id": "front-1", "at": at(3, 13).wall, "boot_ms": 1, "kind": "operation.accepted",
            "data": data,
        });
        serde_json::from_value(event).unwrap()
    };
    let mut parcels = serde_json::to_value(decision).unwrap();
    assert_eq!(recompute(&accepted(&parcels)), Recomputed::Agrees);
    parcels["unknown"] = json!(0);
    assert!(matches!(recompute(&accepted(&parcels)), Recomputed::Differs { .. }));
    parcels["look_version"] = json!(9);
    assert_eq!(recompute(&accepted(&parcels)), Recomputed::UnknownVersion(9));
    assert_eq!(recompute(&accepted(&json!("nonsense"))), Recomputed::Unreadable);
}
