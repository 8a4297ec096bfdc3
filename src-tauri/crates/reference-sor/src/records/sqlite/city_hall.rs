//! What people at city hall do to a record by themselves: for drills.
//!
//! Promise: each change gives the application another version, as the work of another station would.

use holdfast_core::holds::HoldType;
use holdfast_core::ids::{ApplicationId, ETag, IdempotencyKey};
use holdfast_core::time::UtcMillis;
use rusqlite::{OptionalExtension as _, Transaction, params};

use super::super::{Answer, CityHall};
use super::codec::{self, stored};
use super::entries::{self, NewHold};
use super::operations::{etag_after, touch};

const AT_CITY_HALL: &str = "city-hall";

/// The new version; nothing when the application, or the hold, is not here.
pub(super) fn change(
    tx: &Transaction<'_>,
    id: ApplicationId,
    change: &CityHall,
    version: [u8; 32],
    at: UtcMillis,
) -> Answer<Option<ETag>> {
    let mut select = tx.prepare_cached("SELECT stage FROM applications WHERE application_id = ?1")?;
    let stage = select.query_row([stored(&id)], |row| codec::text(row, 0)).optional()?;
    let Some(stage) = stage else { return Ok(None) };
    let changed_rows = match change {
        CityHall::Hold { hold_id, kind, reason } => {
            entries::place(tx, &new_hold(id, hold_id, *kind, reason, at))?;
            1
        }
        CityHall::Release { hold_id } => entries::release(tx, hold_id, at)?,
        CityHall::Fields(fields) => {
            let update =
                "UPDATE applications SET payload = json_patch(payload, ?2) WHERE application_id = ?1";
            tx.execute(update, params![stored(&id), fields.to_string()])?
        }
    };
    if changed_rows == 0 {
        return Ok(None);
    }
    let etag = etag_after(IdempotencyKey::from_bytes(version));
    touch(tx, id, &etag, stage, at)?;
    Ok(Some(etag))
}

fn new_hold(id: ApplicationId, hold_id: &str, kind: HoldType, reason: &str, at: UtcMillis) -> NewHold {
    NewHold {
        hold_id: hold_id.to_owned(),
        application_id: id,
        kind,
        reason: reason.to_owned(),
        placed_by: AT_CITY_HALL.to_owned(),
        placed_at: at,
    }
}
