//! Setting a station up: who is the SoR, and does it take this station?
//!
//! Promise: the public key and the code go out only after something at the address has echoed a nonce as an SoR does, so a
//! web page at a mistyped address gets neither. Whether the identity found is the right one is for the person who sets the
//! station up; it is pinned from then on.

use holdfast_core::ids::{SorIdentity, StationId};
use holdfast_core::outcome::{Content, Identity, ProblemType};
use holdfast_core::sign::PublicKey;
use reqwest::Client;
use serde::Deserialize;
use serde_json::json;

use crate::answer;
use crate::connection::Endpoint;
use crate::exchange::{Ask, Deadline, Ended, Whole, ask};
use crate::fault::{TOO_MANY_REQUESTS, is_gateway_error};
use crate::health;
use crate::settings::{EndpointSettings, SettingsFault};

/// Who asks to be enrolled.
pub struct EnrolAsk<'a> {
    /// The station's name.
    pub station_id: &'a StationId,
    /// The public half of its key pair.
    pub key: PublicKey,
    /// The one-time code that the city gave out; none where none is needed.
    pub code: Option<&'a str>,
    /// Random; echoed by the SoR.
    pub nonce: &'a str,
}

/// A station that is enrolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enrolment {
    /// The SoR's identity, to be pinned.
    pub identity: SorIdentity,
    /// The SoR's public key, with which it signs the statements of sessions.
    pub sor_key: PublicKey,
}

/// Why it is not.
#[derive(Debug, thiserror::Error)]
pub enum EnrolFault {
    /// The address, the limits or the certificates.
    #[error(transparent)]
    Settings(#[from] SettingsFault),
    /// No answer within the limits, or no connection.
    #[error("the permit system does not answer")]
    NotAnswering,
    /// A web page, a sign-in page of the network, another service.
    #[error(
        "what answers at this address is not a permit system (is the address right? a sign-in page of the network?)"
    )]
    Impostor,
    /// The SoR refused, with its problem type: `forbidden` for a wrong, used or missing code.
    #[error("the permit system refuses to enrol this station: {problem}")]
    Refused {
        /// Name of the problem type.
        problem: String,
    },
    /// An SoR whose answer is not one that this program knows.
    #[error("the permit system's answer cannot be read (another version?)")]
    Unreadable,
}

/// `POST /v1/enrolments`; further members are not needed here.
#[derive(Deserialize)]
struct EnrolmentAnswer {
    station_id: StationId,
    identity: SorIdentity,
    sor_key: PublicKey,
}

/// Asks who is there, then enrols. Each of the two requests has the whole limit of an attempt.
///
/// # Errors
/// See [`EnrolFault`].
pub async fn enrol(settings: &EndpointSettings, who: &EnrolAsk<'_>) -> Result<Enrolment, EnrolFault> {
    let endpoint = Endpoint::new(settings.clone())?;
    let client = endpoint.kept()?;
    let identity = find_identity(&endpoint, &client, who.nonce).await?;
    let deadline = Deadline::of(&endpoint);
    let ended = ask(&endpoint, &client, deadline, || enrolment_ask(&endpoint, who)).await;
    let whole = match ended {
        Ended::Whole(whole) => whole,
        Ended::NotAsked | Ended::Unreachable(_) | Ended::Lost(_) => return Err(EnrolFault::NotAnswering),
    };
    read(&whole, who, &identity)
}

/// Asks who is there, of an endpoint that needs to know no station.
///
/// # Errors
/// See [`EnrolFault`].
pub async fn identify(settings: &EndpointSettings, nonce: &str) -> Result<SorIdentity, EnrolFault> {
    let endpoint = Endpoint::new(settings.clone())?;
    let client = endpoint.kept()?;
    find_identity(&endpoint, &client, nonce).await
}

async fn find_identity(endpoint: &Endpoint, client: &Client, nonce: &str) -> Result<SorIdentity, EnrolFault> {
    let deadline = Deadline::of(endpoint);
    let ended = ask(endpoint, client, deadline, || health::health_ask(endpoint, nonce)).await;
    match (health::read(&ended, nonce), &ended) {
        (Some(health), _) => Ok(health.identity),
        (None, Ended::NotAsked | Ended::Unreachable(_) | Ended::Lost(_)) => Err(EnrolFault::NotAnswering),
        (None, Ended::Whole(whole)) if is_gateway_error(whole.status) => Err(EnrolFault::NotAnswering),
        (None, Ended::Whole(_)) => Err(EnrolFault::Impostor),
    }
}

fn enrolment_ask(endpoint: &Endpoint, who: &EnrolAsk<'_>) -> Ask {
    let mut body = json!({"station_id": who.station_id, "key": who.key});
    if let Some(code) = who.code {
        body["code"] = json!(code);
    }
    let url = endpoint.url("v1/enrolments");
    let body = body.to_string().into_bytes();
    Ask::post("/v1/enrolments", url, body, endpoint.limits().body_max_bytes)
}

fn read(whole: &Whole, who: &EnrolAsk<'_>, identity: &SorIdentity) -> Result<Enrolment, EnrolFault> {
    let reply = answer::reply(whole, identity);
    if reply.identity != Identity::Right {
        return Err(if is_gateway_error(reply.status) {
            EnrolFault::NotAnswering
        } else {
            EnrolFault::Impostor
        });
    }
    match (reply.status, &reply.content) {
        (200 | 201, _) => {
            let enrolled: EnrolmentAnswer = answer::json(whole).ok_or(EnrolFault::Unreadable)?;
            let ours = enrolled.station_id == *who.station_id && enrolled.identity == *identity;
            let enrolment = Enrolment { identity: enrolled.identity, sor_key: enrolled.sor_key };
            if ours { Ok(enrolment) } else { Err(EnrolFault::Unreadable) }
        }
        (500.., _) => Err(EnrolFault::NotAnswering),
        (429, _) => Err(EnrolFault::Refused { problem: TOO_MANY_REQUESTS.to_owned() }),
        (_, Content::Problem(problem)) => Err(refused(&problem.kind)),
        (_, Content::Receipt(_) | Content::ReadBack(_) | Content::Other) => Err(EnrolFault::Unreadable),
    }
}

fn refused(kind: &ProblemType) -> EnrolFault {
    match kind.is_known() {
        true => EnrolFault::Refused { problem: kind.name().to_owned() },
        false => EnrolFault::Unreadable,
    }
}
