//! Whether the SoR answers, and what a station checks it by.

use axum::http::StatusCode;
use serde_json::json;

use super::{Answer, Asked, Refused};
use crate::sor::{Desk, Sor};

/// Longest nonce that is echoed, in bytes.
const NONCE_MAX_BYTES: usize = 128;

/// The process is there.
pub(super) fn livez(_: &Sor, _: &Asked) -> Result<Answer, Refused> {
    Answer::json(StatusCode::OK, &json!({"live": true}))
}

/// The records can be read.
pub(super) fn readyz(sor: &Sor, _: &Asked) -> Result<Answer, Refused> {
    sor.records.effects()?;
    Answer::json(StatusCode::OK, &json!({"ready": true}))
}

/// `GET /v1/health?nonce=`: the nonce comes back, so that no cache and no portal can answer. With a station's token, the
/// last `local_seq` applied from it and how many of its operations are held: when one of them goes back, this SoR has lost
/// something. An old vendor's system knows of neither, nor of epochs.
pub(super) fn health(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let query = asked.query(&["nonce"])?;
    let nonce = query.get("nonce").map_or("", String::as_str);
    if nonce.len() > NONCE_MAX_BYTES {
        return Err(Refused::malformed("/nonce", "too-long"));
    }
    let mut health = json!({"identity": sor.identity, "nonce": nonce, "time": asked.at});
    match sor.desk {
        Desk::Records(_) | Desk::Board | Desk::Gis => return Answer::json(StatusCode::OK, &health),
        Desk::Operations => {
            health["epoch"] = json!(sor.epoch);
            health["order"] = json!(sor.order);
        }
    }
    if let Some(token) = asked.bearer() {
        let station = sor.station_of(Some(token), asked.at)?;
        health["last_local_seq"] = json!(sor.records.last_local_seq(&station)?);
        health["applied"] = json!(sor.records.held_of(&station)?);
    }
    Answer::json(StatusCode::OK, &health)
}
