//! One connection: reads each request whole, and answers it, or fails in the way that the drill asks for.
//!
//! Promise: a request is read within limits before anything is done about it; what was begun for it is finished even when
//! the caller has gone. Without a drill nothing is ever faulted.

use std::convert::Infallible;
use std::os::fd::{AsFd as _, OwnedFd};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::Request;
use axum::response::Response;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tracing::debug;

use crate::door::{Phase, stopping};
use crate::drill::Faults;

/// Kept of a body: one byte beyond the limit shows that it is too large.
const KEPT_MAX_BYTES: usize = holdfast_core::limits::JSON_MAX_BYTES + 1;
/// Read of a body and thrown away, so that its sender can hear the refusal, in bytes.
const READ_MAX_BYTES: usize = 16 * 1024 * 1024;
/// Header of a request, or silence between two requests, in seconds.
const HEADER_READ_S: u64 = 60;
/// Body of a request, in seconds.
const BODY_READ_S: u64 = 30;
/// What a stop waits for a connection, in milliseconds.
const STOP_WAIT_MS: u64 = 2_000;

/// The connection is closed without an answer.
#[derive(Debug, thiserror::Error)]
#[error("closed without an answer")]
pub(crate) struct HangUp;

/// Who answers on a door's connections.
pub(crate) struct Reception {
    router: Router,
    faults: Option<Arc<Faults>>,
}

/// One connection's socket, beside its owner.
pub(crate) struct Line(OwnedFd);

impl Line {
    /// From now on closing the connection resets it.
    pub(crate) fn reset_on_close(&self) {
        if let Err(fault) = SockRef::from(&self.0).set_linger(Some(Duration::ZERO)) {
            debug!(%fault, "no reset");
        }
    }
}

impl Reception {
    pub(crate) fn new(router: Router, faults: Option<Arc<Faults>>) -> Self {
        Self { router, faults }
    }

    /// Serves one connection until it ends or the program stops.
    pub(crate) async fn serve(self: Arc<Self>, stream: TcpStream, phase: watch::Receiver<Phase>) {
        let Ok(line) = stream.set_nodelay(true).and_then(|()| stream.as_fd().try_clone_to_owned()) else {
            return;
        };
        let line = Arc::new(Line(line));
        let until = phase.clone();
        let service = service_fn(move |request| self.clone().answer(request, line.clone(), until.clone()));
        let mut connection = pin!(
            http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(Duration::from_secs(HEADER_READ_S))
                .serve_connection(TokioIo::new(stream), service)
        );
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = stopping(phase) => {
                connection.as_mut().graceful_shutdown();
                timeout(Duration::from_millis(STOP_WAIT_MS), connection).await.unwrap_or(Ok(()))
            }
        };
        if let Err(fault) = ended {
            debug!(%fault, "a connection ended");
        }
    }

    async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        line: Arc<Line>,
        phase: watch::Receiver<Phase>,
    ) -> Result<Response, HangUp> {
        let reading = timeout(Duration::from_secs(BODY_READ_S), read_whole(request));
        let request = reading.await.map_err(|_| HangUp)??;
        match self.faults.clone() {
            None => self.apply(request).await,
            Some(faults) => faults.answer(self, request, &line, phase).await,
        }
    }

    /// The answer of the endpoints. It is worked out to its end although the caller may have gone.
    pub(crate) async fn apply(&self, request: Request<Bytes>) -> Result<Response, HangUp> {
        let endpoints = TowerToHyperService::new(self.router.clone());
        let answer = tokio::spawn(async move { endpoints.call(request.map(Body::from)).await });
        let answer: Result<Response, Infallible> = answer.await.map_err(|_| HangUp)?;
        answer.map_err(|never| match never {})
    }
}

async fn read_whole(request: Request<Incoming>) -> Result<Request<Bytes>, HangUp> {
    let (parts, mut body) = request.into_parts();
    let mut kept = Vec::new();
    let mut read_bytes = 0;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| HangUp)?.into_data() else { continue };
        read_bytes += data.len();
        if read_bytes > READ_MAX_BYTES {
            return Err(HangUp);
        }
        let room = KEPT_MAX_BYTES - kept.len();
        kept.extend_from_slice(&data[..data.len().min(room)]);
    }
    Ok(Request::from_parts(parts, Bytes::from(kept)))
}
