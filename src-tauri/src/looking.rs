//! The loops behind the window that ask the station whether something is due.
//!
//! Promise: each asks when something is due, and tells the window what may look different afterwards; what is done, and when,
//! is the station's decision. Being asked to stop ends them at once: whatever was under way is whole or not there, and is
//! asked for again.

use std::time::Duration;

use holdfast_station::ParcelsDid;
use holdfast_wire::{ApiError, Topic};

use crate::desk::Desk;

/// Until the next look after one that failed, in milliseconds.
const AFTER_FAULT_MS: u64 = 10_000;
/// Until the next look whether copies are due, in milliseconds.
const COPIES_AGAIN_MS: u64 = 2_000;

/// Looks from the station's opening on until the desk is asked to stop.
pub(crate) async fn look_on(desk: Desk) {
    if !desk.is_at_work().await {
        return;
    }
    tokio::join!(
        again_and_again(&desk, probe),
        again_and_again(&desk, tell_board),
        again_and_again(&desk, copy_parcels),
        again_and_again(&desk, look_after_custody),
        again_and_again(&desk, refresh_copies),
    );
}

/// `look` says when to look again, in milliseconds.
async fn again_and_again<F>(desk: &Desk, look: impl Fn(Desk) -> F)
where
    F: Future<Output = Result<u64, ApiError>>,
{
    let mut stop = desk.stop();
    while !stop.is_asked() {
        let mut asked_to_stop = desk.stop();
        let again_ms = tokio::select! {
            again_ms = look(desk.clone()) => again_ms.unwrap_or(AFTER_FAULT_MS),
            () = asked_to_stop.asked() => return,
        };
        stop.wait(Duration::from_millis(again_ms)).await;
    }
}

/// An SoR that goes away is noticed although nobody hands anything in.
async fn probe(desk: Desk) -> Result<u64, ApiError> {
    let look = desk.station()?.probe_when_due().await?;
    if look.changed {
        desk.changed(&[Topic::Standing, Topic::Outages]);
    }
    Ok(look.look_again_ms)
}

async fn tell_board(desk: Desk) -> Result<u64, ApiError> {
    let look = desk.station()?.tell_board_when_due().await?;
    if look.changed {
        desk.changed(&[Topic::Standing, Topic::Outages]);
    }
    Ok(look.look_again_ms)
}

async fn copy_parcels(desk: Desk) -> Result<u64, ApiError> {
    let look = desk.station()?.refresh_parcels_when_due().await?;
    match look.did {
        ParcelsDid::Renewed => desk.changed(&[Topic::Standing, Topic::Outages, Topic::Copies]),
        ParcelsDid::Failed => desk.changed(&[Topic::Standing, Topic::Outages]),
        ParcelsDid::NoGis | ParcelsDid::Rested | ParcelsDid::TookPage => {}
    }
    Ok(look.look_again_ms)
}

/// A mirror holds copies of what is not recorded yet.
async fn look_after_custody(desk: Desk) -> Result<u64, ApiError> {
    let look = desk.station()?.look_after_custody_when_due().await?;
    if look.changed {
        desk.changed(&[Topic::Standing, Topic::Queue, Topic::Outages]);
    }
    Ok(look.look_again_ms)
}

/// Soon after somebody signed in they are due. What goes wrong is in the log; the age of the copies says it on the screen.
async fn refresh_copies(desk: Desk) -> Result<u64, ApiError> {
    if let Ok(Some(_)) = desk.station()?.refresh_copies_when_due().await {
        desk.changed(&[Topic::Copies, Topic::Applications]);
    }
    Ok(COPIES_AGAIN_MS)
}
