//! One request and what became of it, as raw as it came.
//!
//! Promise: it ends at its deadline, whatever the other side does: silent, dripping, or not reading. A whole answer is one
//! whose body was read to its end within the limit. What it means is said elsewhere.

use std::time::Duration;

use holdfast_core::outcome::{Lost, Unreachable};
use reqwest::header::{HeaderMap, HeaderName};
use reqwest::{Client, Method, Response, Url};
use tokio::time::{Instant, timeout_at};

use crate::connection::{Connection, Endpoint, noting_connection};
use crate::failure;

/// What is asked.
pub(crate) struct Ask {
    /// GET, POST, PUT or DELETE.
    pub(crate) method: Method,
    /// For the log: the path with its variable parts named, not filled in.
    pub(crate) template: &'static str,
    /// The whole address.
    pub(crate) url: Url,
    /// Headers beside those of every request.
    pub(crate) headers: HeaderMap,
    /// The body.
    pub(crate) body: Vec<u8>,
    /// Longest body of an answer that is read, in bytes.
    pub(crate) body_max_bytes: usize,
}

/// How it ended.
pub(crate) enum Ended {
    /// It was not sent, for want of something local.
    NotAsked,
    /// It was provably not sent.
    Unreachable(Unreachable),
    /// It may have been sent, and no whole answer came.
    Lost(Lost),
    /// A whole answer came.
    Whole(Box<Whole>),
}

/// A whole answer.
#[derive(Clone)]
pub(crate) struct Whole {
    /// Status code.
    pub(crate) status: u16,
    /// Headers.
    pub(crate) headers: HeaderMap,
    /// All of the body.
    pub(crate) body: Vec<u8>,
}

/// When an attempt has to end, by the runtime's monotonic clock: this is about sockets, not about time that is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    at: Instant,
    connect: Duration,
}

impl Deadline {
    /// The deadline of an attempt that begins now.
    pub(crate) fn of(endpoint: &Endpoint) -> Self {
        let limits = endpoint.limits();
        let at = Instant::now() + Duration::from_millis(limits.timeout_ms);
        Self { at, connect: Duration::from_millis(limits.connect_timeout_ms) }
    }

    /// The moment.
    pub(crate) fn at(self) -> Instant {
        self.at
    }

    /// Whether a connection may still take as long as it may. What is begun only then and meets the deadline has been
    /// connected: so a deadline that passes never leaves open whether a connection was still being made.
    pub(crate) fn leaves_room(self) -> bool {
        self.at.saturating_duration_since(Instant::now()) > self.connect
    }
}

impl Ask {
    pub(crate) fn get(template: &'static str, url: Url, body_max_bytes: usize) -> Self {
        Self {
            method: Method::GET,
            template,
            url,
            headers: HeaderMap::new(),
            body: Vec::new(),
            body_max_bytes,
        }
    }

    pub(crate) fn delete(template: &'static str, url: Url, body_max_bytes: usize) -> Self {
        Self { method: Method::DELETE, ..Self::get(template, url, body_max_bytes) }
    }

    pub(crate) fn post(template: &'static str, url: Url, body: Vec<u8>, body_max_bytes: usize) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(
            reqwest::header::CONTENT_TYPE,
            reqwest::header::HeaderValue::from_static("application/json"),
        );
        Self { method: Method::POST, template, url, headers, body, body_max_bytes }
    }

    pub(crate) fn put(template: &'static str, url: Url, body: Vec<u8>, body_max_bytes: usize) -> Self {
        Self { method: Method::PUT, ..Self::post(template, url, body, body_max_bytes) }
    }
}

impl Whole {
    /// The one value of a header; `None` if it is missing, stands there twice or is not printable ASCII.
    pub(crate) fn only(&self, name: impl Into<HeaderName>) -> Option<&str> {
        let mut values = self.headers.get_all(name.into()).iter();
        let (value, further) = (values.next()?, values.next());
        if further.is_some() { None } else { value.to_str().ok() }
    }
}

/// Asks once; and once more, over a new connection, when a connection that had served before was closed under the request.
///
/// That happens when the other side gives up an idle connection at the very moment at which it is used again, and is no
/// failure. The client does not tell a half head from none, so an answer that broke off within its head is asked for
/// again too; that is right with keys, where the same bytes may be sent again after any loss. `build` makes the request
/// anew, as one of its parts may serve only once.
pub(crate) async fn ask(
    endpoint: &Endpoint,
    client: &Client,
    deadline: Deadline,
    build: impl Fn() -> Ask,
) -> Ended {
    let (ended, connection) = once(client, deadline, build()).await;
    match (&ended, connection) {
        (Ended::Lost(Lost::Reset), Connection::Reused) if deadline.leaves_room() => {}
        (Ended::NotAsked | Ended::Unreachable(_) | Ended::Lost(_) | Ended::Whole(_), _) => return ended,
    }
    // Its other idle connections are as old.
    let Ok(fresh) = endpoint.fresh() else { return ended };
    once(&fresh, deadline, build()).await.0
}

/// Asks once, whatever comes of it.
pub(crate) async fn ask_once(client: &Client, deadline: Deadline, ask: Ask) -> Ended {
    once(client, deadline, ask).await.0
}

async fn once(client: &Client, deadline: Deadline, ask: Ask) -> (Ended, Connection) {
    let started = Instant::now();
    let (method, template) = (ask.method.clone(), ask.template);
    let (ended, connection) = noting_connection(timeout_at(deadline.at, exchange(client, ask))).await;
    let ended = ended.unwrap_or(Ended::Lost(Lost::TimedOut));
    let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::debug!(%method, path = template, result = %ended, ?connection, duration_ms, "asked the SoR");
    (ended, connection)
}

async fn exchange(client: &Client, ask: Ask) -> Ended {
    let request = client.request(ask.method, ask.url).headers(ask.headers).body(ask.body);
    match request.send().await {
        Ok(response) => match whole(response, ask.body_max_bytes).await {
            Ok(whole) => Ended::Whole(Box::new(whole)),
            Err(how) => Ended::Lost(how),
        },
        Err(error) => failure::of_send(&error),
    }
}

async fn whole(mut response: Response, body_max_bytes: usize) -> Result<Whole, Lost> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| Lost::BrokenBody)? {
        if body.len() + chunk.len() > body_max_bytes {
            return Err(Lost::BrokenBody);
        }
        body.extend_from_slice(&chunk);
    }
    let headers = std::mem::take(response.headers_mut());
    Ok(Whole { status: response.status().as_u16(), headers, body })
}

impl std::fmt::Display for Ended {
    /// For the log: a status or a word, nothing of the answer's text.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotAsked => f.write_str("not asked"),
            Self::Unreachable(why) => write!(f, "unreachable: {why:?}"),
            Self::Lost(how) => write!(f, "lost: {how:?}"),
            Self::Whole(whole) => write!(f, "{}", whole.status),
        }
    }
}
