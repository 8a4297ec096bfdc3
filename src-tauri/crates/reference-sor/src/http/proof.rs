//! Who acted, and whether that person may: pure.
//!
//! Promise: an operation is believed only from the station that accepted it, with the signature of a session of that
//! station, for a time at which the session held or could still serve work accepted offline.

use holdfast_core::ids::{IdempotencyKey, StationId};
use holdfast_core::operation::Body;
use holdfast_core::people::SessionStatement;
use holdfast_core::roles::{Permission, Roles};
use holdfast_core::sign::Purpose;

use super::Refused;

const HOUR_MS: i64 = 3_600_000;

/// The actor's proof.
pub(super) fn check_actor(
    session: Option<&SessionStatement>,
    station: &StationId,
    body: &Body,
    key: &IdempotencyKey,
    offline_grace_h: u32,
) -> Result<(), Refused> {
    let unproven = || Refused::forbidden("It is not proven who acted.");
    let session = session.ok_or_else(unproven)?;
    let until = session.until.plus_millis(i64::from(offline_grace_h) * HOUR_MS);
    let belongs = body.station_id == *station
        && session.station_id == *station
        && session.actor == body.actor
        && session.roles.contains(&body.role)
        && (session.from..=until).contains(&body.accepted_at);
    let message = key.to_string();
    let signed = session.key.check(Purpose::Operation, message.as_bytes(), &body.actor_proof.sig).is_ok();
    if belongs && signed { Ok(()) } else { Err(unproven()) }
}

/// What the role may.
pub(super) fn check_role(roles: &Roles, body: &Body) -> Result<(), Refused> {
    match roles.may_submit(&body.role, body.kind, &body.payload) {
        Permission::Granted => Ok(()),
        Permission::Denied => Err(Refused::forbidden("This role has no right to that.")),
    }
}
