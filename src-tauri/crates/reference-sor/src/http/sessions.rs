//! Signing in: a person's password against a statement about a session.

use axum::http::StatusCode;
use holdfast_core::canonical::canonical;
use holdfast_core::ids::{ActorId, SessionId};
use holdfast_core::people::{SessionStatement, SignedStatement};
use holdfast_core::sign::{PublicKey, Purpose};
use serde::Deserialize;
use serde_json::json;
use uuid::Builder;

use super::{Answer, Asked, Refused};
use crate::entropy;
use crate::password::{PASSWORD_MAX_BYTES, PasswordHash};
use crate::records::Person;
use crate::sor::Sor;

const HOUR_MS: i64 = 3_600_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignIn {
    user: ActorId,
    password: String,
    key: PublicKey,
}

/// `POST /v1/sessions`
pub(super) fn open(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let station = sor.station_of(asked.bearer(), asked.at)?;
    let request: SignIn = asked.object()?;
    let person = prove(sor, asked, &request)?;
    let sid = entropy::bytes::<16>().map_err(|_| Refused::broken())?;
    let statement = SessionStatement {
        sid: SessionId::from_uuid(Builder::from_random_bytes(sid).into_uuid()),
        actor: person.actor,
        roles: person.roles,
        station_id: station,
        key: request.key,
        from: asked.at,
        until: asked.at.plus_millis(i64::from(sor.session_h) * HOUR_MS),
    };
    sor.records.open_session(&statement)?;
    Answer::json(StatusCode::CREATED, &sor.state(statement))
}

/// `POST /v1/sessions/statements`: this SoR's own statement about a session of the station that shows it. One that it has
/// forgotten, since it came back from an older copy, is kept again.
pub(super) fn show(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let station = sor.station_of(asked.bearer(), asked.at)?;
    let SignedStatement { statement, sig } = asked.object()?;
    let own = sor.key.public().check(Purpose::Session, &canonical(&statement), &sig).is_ok();
    if !own || statement.station_id != station {
        return Err(Refused::forbidden("This is no statement of this system about a session there."));
    }
    if sor.records.session(statement.sid)?.is_none() {
        sor.records.open_session(&statement)?;
    }
    Answer::json(StatusCode::OK, &json!({"sid": statement.sid}))
}

/// The same work and the same answer for a wrong password and for an unknown name.
fn prove(sor: &Sor, asked: &Asked, request: &SignIn) -> Result<Person, Refused> {
    if let Some(wait_s) = sor.tries.wait_s(&request.user, asked.at) {
        return Err(Refused::throttled(wait_s));
    }
    if request.password.len() > PASSWORD_MAX_BYTES {
        return Err(Refused::malformed("/password", "too-long"));
    }
    let person = sor.records.person(&request.user)?;
    let fits = PasswordHash::fits(person.as_ref().map(|person| &person.password), &request.password);
    sor.tries.note(&request.user, fits, asked.at);
    person.filter(|_| fits).ok_or_else(|| Refused::forbidden("Name and password do not belong together."))
}
