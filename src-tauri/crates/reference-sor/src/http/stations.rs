//! Enrolment of a station, and the token that it sends with.
//!
//! Promise: a token is given only against a request that the enrolled key signed for this SoR, just now, and never
//! twice against the same request.

use axum::http::StatusCode;
use holdfast_core::canonical::sha256;
use holdfast_core::ids::{SorIdentity, StationId};
use holdfast_core::people::TOKEN_REQUEST_VALID_S;
use holdfast_core::sign::{PublicKey, from_b64u};
use holdfast_core::time::UtcMillis;
use serde::Deserialize;
use serde_json::json;

use super::{Answer, Asked, Refused};
use crate::entropy;
use crate::records::{Enrolled, Enrolment, Gate, Granted, TokenGrant};
use crate::settings::EnrolmentRule;
use crate::sor::Sor;

/// How long a token holds, in seconds.
const TOKEN_VALID_S: i64 = 600;
/// Longest identifier of a token request, in bytes.
const JTI_MAX_BYTES: usize = 128;
/// Longest one-time code, in bytes.
const CODE_MAX_BYTES: usize = 256;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EnrolmentRequest {
    station_id: StationId,
    key: PublicKey,
    code: Option<String>,
}

/// `POST /v1/enrolments`
pub(super) fn enrol(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let request: EnrolmentRequest = asked.object()?;
    let gate = gate(&sor.enrolment, request.code.as_deref());
    let enrolment = Enrolment { station: &request.station_id, key: &request.key, gate, at: asked.at };
    let (status, enrolled_at) = match sor.records.enrol(&enrolment)? {
        Enrolled::New(at) => (StatusCode::CREATED, at),
        Enrolled::Already(at) => (StatusCode::OK, at),
        Enrolled::Refused => {
            return Err(Refused::forbidden("An unused code of this SoR is needed to enrol."));
        }
    };
    let answer = json!({
        "station_id": request.station_id,
        "identity": sor.identity,
        "sor_key": sor.key.public(),
        "enrolled_at": enrolled_at,
    });
    Answer::json(status, &answer)
}

fn gate(rule: &EnrolmentRule, code: Option<&str>) -> Gate {
    match (rule, code) {
        (EnrolmentRule::Open, _) => Gate::Open,
        (EnrolmentRule::ByCode(_), Some(code)) if code.len() <= CODE_MAX_BYTES => {
            Gate::Code(sha256(code.trim().as_bytes()))
        }
        (EnrolmentRule::ByCode(_), _) => Gate::Shut,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenRequest {
    assertion: String,
}

/// `POST /v1/station-tokens`
pub(super) fn token(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    let request: TokenRequest = asked.object()?;
    let assertion = Assertion::read(&request.assertion).ok_or_else(Refused::unauthorized)?;
    let station = assertion.claims.iss.clone();
    let key = sor.records.station_key(&station)?.ok_or_else(Refused::unauthorized)?;
    assertion.check(&key, &sor.identity, asked.at).ok_or_else(Refused::unauthorized)?;
    let token = hex::encode(entropy::bytes::<32>().map_err(|_| Refused::broken())?);
    let grant = TokenGrant {
        station: &station,
        jti: &assertion.claims.jti,
        jti_until: asked.at.plus_millis(2 * TOKEN_REQUEST_VALID_S * 1000),
        token: sha256(token.as_bytes()),
        until: asked.at.plus_millis(TOKEN_VALID_S * 1000),
        at: asked.at,
    };
    match sor.records.grant(&grant)? {
        Granted::Replayed => Err(Refused::unauthorized()),
        Granted::Granted => Answer::json(
            StatusCode::OK,
            &json!({"access_token": token, "token_type": "Bearer", "expires_in": TOKEN_VALID_S}),
        ),
    }
}

#[derive(Deserialize)]
struct Header {
    alg: String,
}

#[derive(Deserialize)]
struct Claims {
    iss: StationId,
    sub: StationId,
    aud: SorIdentity,
    iat: i64,
    exp: i64,
    jti: String,
}

/// A JWT (RFC 7519) in its compact form.
struct Assertion<'a> {
    signed: &'a str,
    signature: &'a str,
    header: Header,
    claims: Claims,
}

impl<'a> Assertion<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (signed, signature) = text.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        let header = serde_json::from_slice(&from_b64u(header)?).ok()?;
        let claims = serde_json::from_slice(&from_b64u(claims)?).ok()?;
        Some(Self { signed, signature, header, claims })
    }

    /// `Some` when it holds: the algorithm first, so that no other one is ever tried.
    fn check(&self, key: &PublicKey, identity: &SorIdentity, at: UtcMillis) -> Option<()> {
        let claims = &self.claims;
        let now_s = at.millis().div_euclid(1000);
        let holds = self.header.alg == "EdDSA"
            && claims.sub == claims.iss
            && claims.aud == *identity
            && claims.iat.abs_diff(now_s) <= TOKEN_REQUEST_VALID_S.unsigned_abs()
            && claims.exp > now_s
            && claims.exp.abs_diff(claims.iat) <= TOKEN_REQUEST_VALID_S.unsigned_abs()
            && (1..=JTI_MAX_BYTES).contains(&claims.jti.len());
        (holds && key.check_bytes(self.signed.as_bytes(), self.signature).is_ok()).then_some(())
    }
}
