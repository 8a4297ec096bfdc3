//! Work that waits from the beginning, for tests of long lists. Made up, and taken by the station as any other.

use holdfast_wire::{ApiError, DemoFault};
use serde_json::json;

use crate::Fault;
use crate::window::Scene;

/// Applications that a test may ask for; each is one write to the disk.
pub(crate) const SEED_MAX: i64 = 20_000;

const STREETS: [&str; 8] =
    ["OAK ST", "ELM AVE", "RIVER RD", "MILL LN", "ALDER WAY", "FALLS BLVD", "CEDAR CT", "STATION ST"];

/// Has `count` applications accepted while the SoR refuses connections, which it goes on doing until it is mended.
pub(crate) async fn seed(scene: &Scene, count: u32) -> Result<(), Fault> {
    if count == 0 {
        return Ok(());
    }
    scene.demo().break_sor(DemoFault::Refuse).await?;
    let accepted = scene.desk.ask(move |station| {
        (0..count).try_for_each(|nth| station.submit(application(nth).as_bytes()).map(drop))
    });
    accepted.await.map_err(|ApiError { code, problems }| {
        Fault::from(format!("an application is refused: {code:?} {problems:?}"))
    })
}

fn application(nth: u32) -> String {
    let street = STREETS[usize::try_from(nth).unwrap_or(0) % STREETS.len()];
    let number = nth + 1;
    let parcel = format!("{:04}-{:02}-{:03}", 10 + nth / 1_000, nth / 100 % 100, nth % 1_000);
    json!({"kind": "application", "payload": {
        "OriginalAddress1": format!("{number} {street}"),
        "OriginalCity": "ALDER FALLS",
        "PIN": [parcel],
        "PermitTypeMapped": "Roof",
        "WorkClassMapped": "Existing",
        "EstProjectCost": format!("{}.00", 500 + nth % 50_000),
        "AppliedDate": "2026-11-30",
    }})
    .to_string()
}
