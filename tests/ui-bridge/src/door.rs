//! The loopback address: the page, its commands, and what it is told.
//!
//! Promise: who does not know the random first part of the path gets nothing, nor does a page that was brought here under
//! another name of this machine. Connections and bodies are bounded.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Path as InPath, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use holdfast_wire::StationEvent;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, broadcast};

use crate::window::{Answer, Scene, Window};
use crate::{events, page};

/// Connections at once; further ones wait in the operating system's queue.
const CONNECTIONS_MAX: usize = 64;
/// One call; a text that a person pasted may be a million characters long.
const BODY_MAX_BYTES: usize = 16 * 1024 * 1024;
const HEADERS_MAX_S: u64 = 10;
/// Pause after the operating system could not hand over a connection, in milliseconds.
const ACCEPT_PAUSE_MS: u64 = 50;

/// A bound address.
pub(crate) struct Door {
    listener: TcpListener,
    address: String,
    router: Router,
}

/// What every request is answered from.
struct Counter {
    window: Window,
    told: broadcast::Sender<StationEvent>,
    page: PathBuf,
    /// The only name and port under which this is asked.
    host: String,
    content_policy: HeaderValue,
}

impl Door {
    pub(crate) async fn bind(scene: &Scene, page: &Path) -> Result<Self, crate::Fault> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        let host = listener.local_addr()?.to_string();
        let token = token()?;
        let address = format!("http://{host}/{token}/");
        let counter = Counter {
            window: scene.window.clone(),
            told: scene.events(),
            page: page.to_owned(),
            host,
            content_policy: scene.content_policy().parse()?,
        };
        Ok(Self { listener, address, router: router(&token, counter) })
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Serves until it is dropped.
    pub(crate) async fn serve(self) {
        let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            let Ok((stream, _)) = self.listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(ACCEPT_PAUSE_MS)).await;
                continue;
            };
            let router = self.router.clone();
            tokio::spawn(async move {
                answer(stream, router).await;
                drop(place);
            });
        }
    }
}

/// Who leaves in the middle of an answer is nobody's fault.
async fn answer(stream: TcpStream, router: Router) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(HEADERS_MAX_S))
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let _ = connection.await;
}

fn router(token: &str, counter: Counter) -> Router {
    let counter = Arc::new(counter);
    Router::new()
        .route(&format!("/{token}/"), get(index))
        .route(&format!("/{token}/command/{{name}}"), post(command))
        .route(&format!("/{token}/events"), get(hear))
        .route(&format!("/{token}/{{*path}}"), get(file))
        .layer(DefaultBodyLimit::max(BODY_MAX_BYTES))
        .layer(middleware::from_fn_with_state(Arc::clone(&counter), admit))
        .with_state(counter)
}

/// Only under its own name, only from its own page; everything under the window's content policy.
async fn admit(State(counter): State<Arc<Counter>>, request: Request, next: Next) -> Response {
    if !is_own(request.headers(), &counter.host) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, counter.content_policy.clone());
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn is_own(headers: &HeaderMap, host: &str) -> bool {
    let named = headers.get(HOST).is_some_and(|name| name == host);
    let from = headers.get(ORIGIN).is_none_or(|origin| *origin == format!("http://{host}"));
    named && from
}

async fn command(
    State(counter): State<Arc<Counter>>,
    InPath(name): InPath<String>,
    Json(arguments): Json<Value>,
) -> Response {
    let called = tokio::task::spawn_blocking(move || counter.window.call(name, arguments)).await;
    match called {
        Ok(Answer::Done(answer)) => Json(answer).into_response(),
        Ok(Answer::Refused(refusal)) => (StatusCode::CONFLICT, Json(refusal)).into_response(),
        Ok(Answer::NotACall(why)) => (StatusCode::FORBIDDEN, Json(Value::String(why))).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn hear(State(counter): State<Arc<Counter>>) -> Response {
    events::told(counter.told.subscribe()).into_response()
}

async fn index(State(counter): State<Arc<Counter>>) -> Response {
    page::file(&counter.page, "").await
}

async fn file(State(counter): State<Arc<Counter>>, InPath(path): InPath<String>) -> Response {
    page::file(&counter.page, &path).await
}

/// What only the page's own address holds.
fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex::encode(bytes))
}
