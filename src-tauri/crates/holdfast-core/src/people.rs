//! People and stations: the statement of a session, and the token request of a station.
//!
//! Promise: a session's statement is believed only when the SoR signed it, for this station, and for a time that has not
//! ended. An outage adds no right: roles come from the statement alone.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::canonical::canonical;
use crate::ids::{ActorId, RoleName, SessionId, SorIdentity, StationId};
use crate::sign::{KeyPair, PublicKey, Purpose, SignatureFault, b64u};
use crate::time::UtcMillis;

/// What the SoR states about a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionStatement {
    /// The session.
    pub sid: SessionId,
    /// Who signed in.
    pub actor: ActorId,
    /// With which roles.
    pub roles: Vec<RoleName>,
    /// At which station.
    pub station_id: StationId,
    /// The session's public key.
    pub key: PublicKey,
    /// From when it holds.
    pub from: UtcMillis,
    /// Until when it holds.
    pub until: UtcMillis,
}

/// The statement with the SoR's signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedStatement {
    /// The statement.
    pub statement: SessionStatement,
    /// Over `"holdfast-session-v1\n" ‖ RFC 8785 of the statement`, base64url.
    pub sig: String,
}

/// Why a session does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SessionFault {
    /// Not signed by the pinned key.
    #[error("the system's statement about the session is not signed by its key")]
    Signature(#[source] SignatureFault),
    /// Made for another station or another key pair.
    #[error("the session belongs to another station or key")]
    NotOurs,
    /// Its time is over.
    #[error("the session has ended")]
    Ended,
}

impl SignedStatement {
    /// Checks signature, station and key.
    ///
    /// # Errors
    /// See [`SessionFault`].
    pub fn check(&self, sor: &PublicKey, station: &StationId, own: &PublicKey) -> Result<(), SessionFault> {
        let text = canonical(&self.statement);
        sor.check(Purpose::Session, &text, &self.sig).map_err(SessionFault::Signature)?;
        let ours = self.statement.station_id == *station && self.statement.key == *own;
        if ours { Ok(()) } else { Err(SessionFault::NotOurs) }
    }
}

impl SessionStatement {
    /// Whether the session holds at `at`. Its beginning is not held against this computer's clock: that may be behind the
    /// SoR's, and a person who has just signed in would be turned away.
    ///
    /// # Errors
    /// [`SessionFault::Ended`].
    pub fn holds(&self, at: UtcMillis) -> Result<(), SessionFault> {
        if at < self.until { Ok(()) } else { Err(SessionFault::Ended) }
    }
}

/// How long a station's token request may be used, in seconds.
pub const TOKEN_REQUEST_VALID_S: i64 = 120;

/// The JWT (RFC 7519, EdDSA of RFC 8037) with which a station asks for its token.
///
/// `at` is the present moment in the SoR's own time, so that a station whose clock is off is still let in.
#[must_use]
pub fn token_request(
    station: &StationId,
    identity: &SorIdentity,
    at: UtcMillis,
    jti: &str,
    key: &KeyPair,
) -> String {
    let header = json!({"alg": "EdDSA", "typ": "JWT"});
    let iat = at.millis().div_euclid(1000);
    let claims = json!({
        "iss": station, "sub": station, "aud": identity,
        "iat": iat, "exp": iat + TOKEN_REQUEST_VALID_S, "jti": jti,
    });
    let message = format!("{}.{}", b64u(&canonical(&header)), b64u(&canonical(&claims)));
    let signature = key.sign_bytes(message.as_bytes());
    format!("{message}.{signature}")
}
