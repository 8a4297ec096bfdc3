//! Carrying a fault out: what the caller sees, and whether the request has its effect all the same.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Request, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use holdfast_core::outcome::ProblemType;
use http_body_util::BodyExt as _;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Sleep, sleep};

use super::faults::Faults;
use super::plan::{Commit, Fault, What};
use crate::door::{Phase, stopping};
use crate::http::IDENTITY;
use crate::reception::{HangUp, Line, Reception};

/// How long a connection stays open without a byte, in seconds.
const SILENT_S: u64 = 600;
/// Between the first half of a body and the end, in milliseconds: so that the half is sent.
const HALF_PAUSE_MS: u64 = 20;
/// Where a redirect leads: a name that is reserved for leading nowhere.
const ELSEWHERE: &str = "http://elsewhere.invalid/";
const PORTAL_PAGE: &str = "<!doctype html><title>Sign in</title><p>Welcome to the guest network.</p>";

impl Faults {
    /// Answers a request, or fails as the plan says.
    pub(crate) async fn answer(
        self: Arc<Self>,
        reception: Arc<Reception>,
        request: Request<Bytes>,
        line: &Line,
        phase: watch::Receiver<Phase>,
    ) -> Result<Response, HangUp> {
        let met = self.meet(&request);
        if self.is_under_way(&request) {
            let body = json!({"type": ProblemType::InProgress.uri()});
            return Ok(self.canned(StatusCode::CONFLICT.as_u16(), None, Some(body)));
        }
        let Some(Fault { what, delay_ms, .. }) = met else {
            return reception.apply(request).await;
        };
        let late = sleep(Duration::from_millis(delay_ms));
        match what {
            What::Timeout { commit } => {
                self.apply_later(reception, request, commit, phase);
                sleep(Duration::from_secs(SILENT_S)).await;
                Err(HangUp)
            }
            What::Reset { commit } => {
                self.apply_later(reception, request, commit, phase);
                late.await;
                line.reset_on_close();
                Err(HangUp)
            }
            What::CommitThenDrop => {
                reception.apply(request).await?;
                late.await;
                Err(HangUp)
            }
            What::Status { status, retry_after, body } => {
                late.await;
                Ok(self.canned(status, retry_after.as_deref(), body))
            }
            What::Redirect => {
                late.await;
                Ok((StatusCode::FOUND, [(header::LOCATION, ELSEWHERE)]).into_response())
            }
            What::Portal => {
                late.await;
                Ok(html(StatusCode::OK, PORTAL_PAGE.to_owned()))
            }
            What::HalfBody => {
                let response = reception.apply(request).await?;
                late.await;
                halved(response).await
            }
            What::ScriptError => {
                let response = reception.apply(request).await?;
                late.await;
                with_failed_script(response).await
            }
            What::ScriptAbort => {
                late.await;
                let body = json!({"result": {}, "scripts": [failed_script()]});
                Ok(self.own(StatusCode::OK, "application/json", &body))
            }
            What::Slow => {
                let response = reception.apply(request).await?;
                late.await;
                Ok(response)
            }
        }
    }

    /// The effect comes although nobody waits for it any more; a stop of the program comes before it.
    fn apply_later(
        self: &Arc<Self>,
        reception: Arc<Reception>,
        request: Request<Bytes>,
        commit: Commit,
        phase: watch::Receiver<Phase>,
    ) {
        let (ms, key) = match commit {
            Commit::Never => return,
            Commit::After { ms } => (ms, None),
            Commit::UnderWay { ms } => (ms, self.begin(&request)),
        };
        let faults = Arc::clone(self);
        tokio::spawn(async move {
            tokio::select! {
                () = stopping(phase) => {}
                () = sleep(Duration::from_millis(ms)) => { let _ = reception.apply(request).await; }
            }
            key.iter().for_each(|key| faults.end(key));
        });
    }

    /// With a type the SoR itself speaks; without one it is something in between.
    fn canned(&self, status: u16, retry_after: Option<&str>, body: Option<Value>) -> Response {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let kind = body.as_ref().and_then(|body| body.get("type")).and_then(Value::as_str);
        let kind = kind.map(|word| ProblemType::parse(word).uri());
        let mut response = match (kind, body) {
            (Some(kind), Some(body)) => self.problem(status, &kind, body),
            // What an old vendor's system says of itself.
            (None, Some(body)) if body.pointer("/error/code").is_some() => {
                self.own(status, "application/json", &body)
            }
            (_, Some(Value::String(text))) => html(status, text),
            (_, body) => html(status, body.map_or_else(String::new, |body| body.to_string())),
        };
        if let Some(value) = retry_after.and_then(|text| HeaderValue::from_str(text).ok()) {
            response.headers_mut().insert(header::RETRY_AFTER, value);
        }
        response
    }

    fn problem(&self, status: StatusCode, kind: &str, mut body: Value) -> Response {
        body["type"] = json!(kind);
        if body.get("status").is_none() {
            body["status"] = json!(status.as_u16());
        }
        self.own(status, "application/problem+json", &body)
    }

    /// An answer of the SoR itself.
    fn own(&self, status: StatusCode, media_type: &'static str, body: &Value) -> Response {
        let headers =
            [(header::CONTENT_TYPE, HeaderValue::from_static(media_type)), (IDENTITY, self.identity.clone())];
        (status, headers, body.to_string()).into_response()
    }
}

fn failed_script() -> Value {
    json!({"name": "AfterSubmit", "failed": true, "message": "An error has occurred."})
}

/// The answer of an old vendor whose script failed after the write; any other answer is left as it is.
async fn with_failed_script(response: Response) -> Result<Response, HangUp> {
    let (mut parts, body) = response.into_parts();
    let whole = body.collect().await.map_err(|_| HangUp)?.to_bytes();
    let mut changed = whole.clone();
    if let Ok(mut document) = serde_json::from_slice::<Value>(&whole)
        && document.get("scripts").is_some()
    {
        document["scripts"] = json!([failed_script()]);
        changed = Bytes::from(document.to_string());
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    Ok(Response::from_parts(parts, Body::from(changed)))
}

fn html(status: StatusCode, text: String) -> Response {
    (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
}

/// The whole length is announced, the first half is sent, and then the connection is closed.
async fn halved(response: Response) -> Result<Response, HangUp> {
    let (mut parts, body) = response.into_parts();
    let whole = body.collect().await.map_err(|_| HangUp)?.to_bytes();
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(whole.len()));
    let half = whole.slice(..whole.len() / 2);
    Ok(Response::from_parts(
        parts,
        Body::new(Half { whole_bytes: whole.len() as u64, half: Some(half), pause: None }),
    ))
}

struct Half {
    whole_bytes: u64,
    half: Option<Bytes>,
    pause: Option<Pin<Box<Sleep>>>,
}

impl HttpBody for Half {
    type Data = Bytes;
    type Error = HangUp;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, HangUp>>> {
        if let Some(half) = self.half.take() {
            return Poll::Ready(Some(Ok(Frame::data(half))));
        }
        let pause = self.pause.get_or_insert_with(|| Box::pin(sleep(Duration::from_millis(HALF_PAUSE_MS))));
        pause.as_mut().poll(context).map(|()| Some(Err(HangUp)))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.whole_bytes)
    }
}
