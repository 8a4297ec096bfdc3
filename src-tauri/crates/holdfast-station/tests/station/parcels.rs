//! Parcels: copied page by page, whole or not at all, and what an acceptance says and keeps of them.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use holdfast_core::parcel::Parcel;
use holdfast_core::replay::{Recomputed, recompute};
use holdfast_core::time::UtcMillis;
use holdfast_station::ParcelsDid;
use holdfast_station::ports::{Beside, Parcels, ParcelsAsk, ParcelsPage, Sockets, SorFault};
use holdfast_wire::{ApiCode, ParcelView, ParcelsRequest, ReceiptView};
use serde_json::{Value, json};

use crate::desk::{Desk, application, settings, wall};

const KNOWN: &str = "0010-22-417";
const GIS_TIME: &str = "2026-11-30T08:00:05.000Z";
const DAY_MS: u64 = 24 * 3_600_000;

/// A GIS in memory, two parcels a page.
struct Gis {
    parcels: Mutex<Vec<Parcel>>,
    fault: Mutex<Option<SorFault>>,
    asked: Mutex<Vec<ParcelsAsk>>,
}

fn parcel(pin: &str, zoning: &str) -> Parcel {
    Parcel {
        pin: pin.parse().unwrap(),
        address: Some("61 HIGH ST".to_owned()),
        zoning: zoning.to_owned(),
        overlays: vec!["Flood zone AE".to_owned()],
        bounds: None,
        updated_at: wall(GIS_TIME),
    }
}

impl Gis {
    fn new() -> Arc<Self> {
        let parcels = ["0010-22-415", "0010-22-416", KNOWN, "0010-22-418", "0010-22-419"];
        Arc::new(Self {
            parcels: Mutex::new(parcels.into_iter().map(|pin| parcel(pin, "R-2")).collect()),
            fault: Mutex::new(None),
            asked: Mutex::default(),
        })
    }

    fn fails(&self, fault: SorFault) {
        *self.fault.lock().unwrap() = Some(fault);
    }

    fn answers(&self) {
        *self.fault.lock().unwrap() = None;
    }

    fn has(&self, parcels: Vec<Parcel>) {
        *self.parcels.lock().unwrap() = parcels;
    }

    fn asked(&self) -> Vec<ParcelsAsk> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

#[async_trait]
impl Parcels for Gis {
    async fn parcels(&self, ask: &ParcelsAsk, _: Sockets) -> Result<ParcelsPage, SorFault> {
        self.asked.lock().unwrap().push(ask.clone());
        if let Some(fault) = self.fault.lock().unwrap().clone() {
            return Err(fault);
        }
        let wanted = |parcel: &&Parcel| ask.changed_since.is_none_or(|since| parcel.updated_at >= since);
        let after = |parcel: &&Parcel| ask.after.as_deref().is_none_or(|after| parcel.pin.as_str() > after);
        let found: Vec<Parcel> =
            self.parcels.lock().unwrap().iter().filter(wanted).filter(after).cloned().collect();
        let page: Vec<Parcel> = found.iter().take(2).cloned().collect();
        let next = page.last().filter(|_| found.len() > 2).map(|parcel| parcel.pin.to_string());
        Ok(ParcelsPage { parcels: page, next, as_of: wall(GIS_TIME) })
    }
}

async fn desk(gis: &Arc<Gis>) -> Desk {
    let beside = Beside { gis: Some(Arc::clone(gis) as _), ..Beside::default() };
    Desk::open_beside(settings(), beside).await
}

/// Looks after the copy until nothing is due, as the loops do.
async fn look_after(desk: &Desk) -> ParcelsDid {
    loop {
        match desk.station.refresh_parcels_when_due().await.unwrap().did {
            ParcelsDid::TookPage => {}
            done @ (ParcelsDid::NoGis | ParcelsDid::Rested | ParcelsDid::Renewed | ParcelsDid::Failed) => {
                return done;
            }
        }
    }
}

fn look(desk: &Desk, pin: &str) -> ParcelView {
    desk.station.parcels(&ParcelsRequest { pins: vec![pin.to_owned()] }).unwrap().parcels[0].clone()
}

fn codes(receipt: &ReceiptView) -> Vec<&str> {
    receipt.warnings.iter().map(|warning| warning.code.as_str()).collect()
}

/// What the last acceptance told the audit of its parcels.
fn told(desk: &Desk) -> Value {
    let events = desk.chain();
    let accepted = events.iter().rev().find(|event| event.contains("operation.accepted")).unwrap();
    serde_json::from_str::<Value>(accepted).unwrap()["data"]["parcels"].clone()
}

/// Whether every decision follows from its own inputs.
fn agrees(desk: &Desk) -> bool {
    let recomputed = |event: &String| recompute(&serde_json::from_str(event).unwrap());
    desk.chain().iter().map(recomputed).all(|one| matches!(one, Recomputed::Agrees | Recomputed::NoDecision))
}

#[tokio::test(start_paused = true)]
async fn an_acceptance_keeps_what_the_copy_said_and_tells_the_audit_counts_and_no_parcel() {
    let gis = Gis::new();
    let desk = desk(&gis).await;
    assert_eq!(look_after(&desk).await, ParcelsDid::Renewed);
    desk.clock.go_on_ms(3 * 3_600_000);
    gis.asked();
    let document = json!({"kind": "application", "payload": {
        "OriginalAddress1": "61 HIGH ST", "PIN": [KNOWN, "9999-99-999"]}});
    let receipt = desk.submit(&document).unwrap();
    assert_eq!(codes(&receipt), ["parcel-unknown"]);
    assert_eq!(receipt.warnings[0].pointer, "/payload/PIN/1");
    assert_eq!(gis.asked(), [], "nobody asks while somebody stands at the counter");
    let view = desk.station.application(&receipt.application_id).unwrap();
    let seen = &view.parcels[0];
    assert_eq!((seen.seen.as_str(), seen.zoning.as_deref()), ("known", Some("R-2")));
    assert_eq!((seen.age_s, seen.overlays.len()), (Some(3 * 3_600), 1));
    assert_eq!(view.parcels[1].seen, "unknown");
    let told = told(&desk);
    assert_eq!((&told["endpoint"], &told["copy"]), (&json!("gis"), &json!("usable")));
    assert_eq!((&told["known"], &told["unknown"], &told["age_s"]), (&json!(1), &json!(1), &json!(3 * 3_600)));
    assert!(!desk.chain().iter().any(|event| event.contains(KNOWN) || event.contains("9999-99")));
    assert!(desk.clean());
    assert!(agrees(&desk));
}

#[tokio::test(start_paused = true)]
async fn the_same_handed_in_again_warns_of_the_same_although_the_copy_went_on() {
    let gis = Gis::new();
    let desk = desk(&gis).await;
    let mut document = application();
    document["operation_id"] = json!("01932c6f-8f0a-7cc3-98a1-0242ac120002");
    document["application_id"] = json!("01932c6f-8f0a-7cc3-98a1-0242ac120003");
    let first = desk.submit(&document).unwrap();
    assert_eq!(codes(&first), ["parcel-never-copied"]);
    assert_eq!(look_after(&desk).await, ParcelsDid::Renewed);
    assert_eq!(codes(&desk.submit(&document).unwrap()), ["parcel-never-copied"]);
    assert_eq!(look(&desk, KNOWN).seen, "known");
}

#[tokio::test(start_paused = true)]
async fn a_correction_that_takes_a_place_shows_its_own_parcels() {
    let gis = Gis::new();
    let desk = desk(&gis).await;
    look_after(&desk).await;
    let receipt = desk.submit(&application()).unwrap();
    let correction = json!({"kind": "correction", "application_id": receipt.application_id, "payload": {
        "of": receipt.operation_id, "payload": {"OriginalAddress1": "12 OAK ST", "PIN": ["9999-99-999"]}}});
    let corrected = desk.submit(&correction).unwrap();
    assert_eq!(codes(&corrected), ["parcel-unknown"]);
    let shown = desk.station.application(&receipt.application_id).unwrap().parcels;
    assert_eq!(shown.iter().map(|parcel| parcel.pin.as_str()).collect::<Vec<_>>(), ["9999-99-999"]);
}

#[tokio::test(start_paused = true)]
async fn past_its_ceiling_or_dated_in_the_future_a_copy_says_nothing() {
    let gis = Gis::new();
    let desk = desk(&gis).await;
    look_after(&desk).await;
    gis.fails(SorFault::NotAnswering);
    desk.clock.set_wall("2026-11-30T07:00:00.000Z");
    assert_eq!(look(&desk, KNOWN).warning.as_deref(), Some("parcel-copy-old"), "the clock was set back");
    desk.clock.set_wall("2026-11-30T08:00:00.000Z");
    desk.clock.go_on_ms(30 * DAY_MS);
    assert_eq!(look(&desk, KNOWN).seen, "known");
    desk.clock.go_on_ms(60_000);
    let old = look(&desk, KNOWN);
    assert_eq!((old.warning.as_deref(), old.zoning), (Some("parcel-copy-old"), None));
}

#[tokio::test(start_paused = true)]
async fn a_copy_is_whole_or_not_there_and_goes_on_where_the_gis_went_away() {
    let gis = Gis::new();
    let desk = desk(&gis).await;
    assert_eq!(desk.station.refresh_parcels_when_due().await.unwrap().did, ParcelsDid::TookPage);
    assert_eq!(look(&desk, "0010-22-415").seen, "never_copied", "half of it is no copy");
    gis.fails(SorFault::NotAnswering);
    assert_eq!(look_after(&desk).await, ParcelsDid::Failed);
    gis.answers();
    gis.asked();
    desk.clock.go_on_ms(60_000);
    assert_eq!(look_after(&desk).await, ParcelsDid::Renewed);
    assert_eq!(gis.asked()[0].after.as_deref(), Some("0010-22-416"), "not from the beginning");
    assert_eq!(look(&desk, "0010-22-415").seen, "known");
    assert_eq!(look_after(&desk).await, ParcelsDid::Rested);
}

#[tokio::test(start_paused = true)]
async fn changes_are_asked_for_alone_and_after_a_day_what_is_gone_is_gone_here_too() {
    let gis = Gis::new();
    let desk = desk(&gis).await;
    look_after(&desk).await;
    let later: UtcMillis = wall(GIS_TIME).plus_millis(3_600_000);
    gis.has(vec![Parcel { updated_at: later, ..parcel(KNOWN, "C-1") }]);
    gis.asked();
    desk.clock.go_on_ms(900_000);
    assert_eq!(look_after(&desk).await, ParcelsDid::Renewed);
    let asked = gis.asked();
    assert_eq!((asked.len(), asked[0].changed_since), (1, Some(wall(GIS_TIME).plus_millis(-60_000))));
    assert_eq!(look(&desk, KNOWN).zoning.as_deref(), Some("C-1"));
    assert_eq!(look(&desk, "0010-22-415").seen, "known", "not changed is not gone");
    desk.clock.go_on_ms(DAY_MS);
    assert_eq!(look_after(&desk).await, ParcelsDid::Renewed);
    assert_eq!(look(&desk, "0010-22-415").seen, "unknown");
}

#[tokio::test(start_paused = true)]
async fn a_gis_that_is_away_opens_its_own_breaker_and_no_other_and_says_nothing_to_the_counter() {
    let gis = Gis::new();
    let desk = desk(&gis).await;
    gis.fails(SorFault::NotAnswering);
    for _ in 0..4 {
        assert_eq!(look_after(&desk).await, ParcelsDid::Failed);
        desk.clock.go_on_ms(60_000);
    }
    let status = desk.station.status().unwrap();
    let breaker = |name: &str| {
        let found = status.breakers.iter().find(|breaker| breaker.endpoint == name).unwrap();
        found.state.clone()
    };
    assert_ne!(breaker("gis"), "closed");
    assert_eq!((breaker("primary").as_str(), status.mode.as_str()), ("closed", "normal"));
    let receipt = desk.submit(&application()).unwrap();
    assert_eq!((receipt.route.as_str(), codes(&receipt)), ("direct", vec!["parcel-never-copied"]));
    assert_eq!(told(&desk)["copy"], "never");
    assert_eq!(desk.station.renew_parcels().await.unwrap_err().code, ApiCode::NotAnswering);
    gis.answers();
    desk.clock.go_on_ms(60_000);
    assert!(desk.station.renew_parcels().await.unwrap().copy.unwrap().usable);
    assert!(agrees(&desk));
}

#[tokio::test(start_paused = true)]
async fn a_station_without_a_gis_says_nothing_of_parcels() {
    let desk = Desk::open(settings()).await;
    let receipt = desk.submit(&application()).unwrap();
    assert_eq!(codes(&receipt), Vec::<&str>::new());
    assert_eq!(told(&desk), Value::Null);
    assert_eq!(look_after(&desk).await, ParcelsDid::NoGis);
    let view = desk.station.parcels(&ParcelsRequest { pins: vec![KNOWN.to_owned()] }).unwrap();
    assert_eq!((view.parcels.len(), view.copy), (0, None));
    assert_eq!(desk.station.renew_parcels().await.unwrap_err().code, ApiCode::NotFound);
}
