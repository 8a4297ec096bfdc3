//! What came back, as data for `holdfast_core::outcome`.
//!
//! Promise: nothing is judged here, and nothing is read into an answer that does not stand there: a body is a receipt or a
//! problem only if its one media type says so and all of it can be read; a header that stands there twice counts as none.

use holdfast_core::canonical::{parse_object, parse_strict};
use holdfast_core::ids::SorIdentity;
use holdfast_core::outcome::{Answer, Content, Identity, Reply, Unreachable};
use holdfast_core::time::UtcMillis;
use holdfast_core::wait::{RetryAfter, http_date};
use reqwest::header::{CONTENT_TYPE, DATE, HeaderName, RETRY_AFTER};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::exchange::{Ended, Whole};

/// The header by which every answer of the SoR says who it is.
pub(crate) const IDENTITY: HeaderName = HeaderName::from_static("holdfast-identity");

/// The answer to an operation or a look-up that was asked.
pub(crate) fn answer(ended: &Ended, pinned: &SorIdentity) -> Answer {
    match ended {
        Ended::NotAsked => Answer::NotAsked,
        Ended::Unreachable(why) => Answer::Unreachable(*why),
        Ended::Lost(how) => Answer::Lost(*how),
        Ended::Whole(whole) => Answer::Replied(Box::new(reply(whole, pinned))),
    }
}

/// The answer to an operation or a look-up that was not asked, since its token could not be fetched.
///
/// What the SoR says of the station, or of all requests, holds for this one too: a refused station, too many requests,
/// down until a named time. Everything else only says that nothing was sent.
pub(crate) fn answer_without_token(ended: &Ended, pinned: &SorIdentity) -> Answer {
    match ended {
        Ended::NotAsked => Answer::NotAsked,
        Ended::Unreachable(why) => Answer::Unreachable(*why),
        Ended::Lost(_) => Answer::Unreachable(Unreachable::NoToken),
        Ended::Whole(whole) => {
            let reply = reply(whole, pinned);
            let holds = match reply.status {
                401 => is_unauthorized(&reply),
                429 => true,
                503 => reply.retry_after.is_some(),
                0..401 | 402..429 | 430..503 | 504..=u16::MAX => false,
            };
            if holds { Answer::Replied(Box::new(reply)) } else { Answer::Unreachable(Unreachable::NoToken) }
        }
    }
}

/// A whole answer as data.
pub(crate) fn reply(whole: &Whole, pinned: &SorIdentity) -> Reply {
    let date = date(whole);
    Reply {
        status: whole.status,
        identity: identity(whole, pinned),
        content: content(whole),
        retry_after: retry_after(whole, date),
        date,
    }
}

/// Whether an answer is the SoR's own word that the station's token, or its request for one, is not accepted.
pub(crate) fn is_unauthorized(reply: &Reply) -> bool {
    reply.status == 401 && reply.typed_problem().is_some()
}

/// Who an answer says that it comes from.
pub(crate) fn identity(whole: &Whole, pinned: &SorIdentity) -> Identity {
    match whole.only(IDENTITY) {
        Some(named) if named == pinned.as_str() => Identity::Right,
        None if !whole.headers.contains_key(IDENTITY) => Identity::Absent,
        Some(_) | None => Identity::Wrong,
    }
}

/// The answer's own `Date`.
pub(crate) fn date(whole: &Whole) -> Option<UtcMillis> {
    whole.only(DATE).and_then(http_date)
}

/// A JSON body, read strictly; `None` for any other media type or form.
pub(crate) fn json<T: DeserializeOwned>(whole: &Whole) -> Option<T> {
    if media_type(whole)? != "application/json" { None } else { object(&whole.body) }
}

/// The same of a long body: one JSON object of at most `max_bytes`.
pub(crate) fn long_json<T: DeserializeOwned>(whole: &Whole, max_bytes: usize) -> Option<T> {
    let is_json = media_type(whole)? == "application/json";
    let value = is_json.then(|| parse_strict(&whole.body, max_bytes).ok())??;
    serde_json::from_value(value).ok()
}

fn content(whole: &Whole) -> Content {
    match media_type(whole).as_deref() {
        Some("application/json") => object(&whole.body).map_or(Content::Other, Content::Receipt),
        Some("application/problem+json") => object(&whole.body).map_or(Content::Other, Content::Problem),
        Some(_) | None => Content::Other,
    }
}

fn object<T: DeserializeOwned>(body: &[u8]) -> Option<T> {
    let object = parse_object(body).ok()?;
    serde_json::from_value(Value::Object(object)).ok()
}

/// The media type without its parameters, in lower case (RFC 9110 §8.3.1).
fn media_type(whole: &Whole) -> Option<String> {
    let essence = whole.only(CONTENT_TYPE)?.split(';').next()?.trim();
    Some(essence.to_ascii_lowercase())
}

fn retry_after(whole: &Whole, date: Option<UtcMillis>) -> Option<RetryAfter> {
    // A line that is no text is kept as one that says nothing, so that it still counts as a second one.
    let lines = whole.headers.get_all(RETRY_AFTER).iter().map(|value| value.to_str().unwrap_or(""));
    RetryAfter::parse(&lines.collect::<Vec<_>>(), date)
}
