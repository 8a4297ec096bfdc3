//! Answers and refusals, and the one form of each on the wire.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use holdfast_core::outcome::{FieldError, ProblemType};
use holdfast_core::problem::Problem;
use serde::Serialize;
use serde_json::{Map, Value, json};
use tracing::error;

use crate::records::{ApplicationView, RecordsFault};

/// A whole answer that is no refusal.
pub(crate) struct Answer {
    status: StatusCode,
    headers: Vec<(HeaderName, String)>,
    body: Vec<u8>,
}

impl Answer {
    /// A JSON document.
    pub(crate) fn json(status: StatusCode, document: &impl Serialize) -> Result<Self, Refused> {
        let body = serde_json::to_vec(document).map_err(|_| Refused::broken())?;
        Ok(Self::bytes(status, body))
    }

    /// JSON text that is there already.
    pub(crate) fn bytes(status: StatusCode, body: Vec<u8>) -> Self {
        Self { status, headers: Vec::new(), body }
    }

    /// A status without a body.
    pub(crate) fn empty(status: StatusCode) -> Self {
        Self::bytes(status, Vec::new())
    }

    /// The same with one header more.
    pub(crate) fn with(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        for (name, value) in self.headers {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        }
        response
    }
}

/// A refusal: a problem document. None of its members repeats a value of the request.
#[derive(Debug)]
pub(crate) struct Refused {
    status: StatusCode,
    kind: ProblemType,
    title: &'static str,
    errors: Vec<FieldError>,
    /// Members of this type of problem alone.
    members: Map<String, Value>,
    retry_after_s: Option<u32>,
}

impl Refused {
    pub(crate) fn new(status: StatusCode, kind: ProblemType, title: &'static str) -> Self {
        Self { status, kind, title, errors: Vec::new(), members: Map::new(), retry_after_s: None }
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, other("not-found"), "There is nothing here.")
    }

    /// The place in the feed of changes is not known here.
    pub(crate) fn begin_anew() -> Self {
        let title = "This cursor is not known here: read everything anew.";
        Self::new(StatusCode::GONE, other("begin-anew"), title)
    }

    pub(crate) fn method_not_allowed() -> Self {
        let title = "This method is not known here.";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, other("method-not-allowed"), title)
    }

    pub(crate) fn unauthorized() -> Self {
        let title = "The station is not known, or its token has ended.";
        Self::new(StatusCode::UNAUTHORIZED, ProblemType::Unauthorized, title)
    }

    pub(crate) fn forbidden(title: &'static str) -> Self {
        Self::new(StatusCode::FORBIDDEN, ProblemType::Forbidden, title)
    }

    pub(crate) fn unknown_operation() -> Self {
        let title = "No operation is recorded under this key.";
        Self::new(StatusCode::NOT_FOUND, ProblemType::UnknownOperation, title)
    }

    pub(crate) fn too_large() -> Self {
        let title = "The body is larger than 256 KiB.";
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, ProblemType::TooLarge, title)
    }

    pub(crate) fn key_reused() -> Self {
        let title = "The key stands for other contents.";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, ProblemType::KeyReused, title)
    }

    pub(crate) fn parent_missing() -> Self {
        let title = "The application is not recorded here.";
        Self::new(StatusCode::CONFLICT, ProblemType::ParentMissing, title)
    }

    pub(crate) fn precondition_required() -> Self {
        let title = "If-Match must name the version that this builds on.";
        Self::new(StatusCode::PRECONDITION_REQUIRED, ProblemType::PreconditionRequired, title)
    }

    /// `current` is the application as it stands here.
    pub(crate) fn version_conflict(status: StatusCode, current: Option<&ApplicationView>) -> Self {
        let refused =
            Self::new(status, ProblemType::VersionConflict, "The application has another version here.");
        match current {
            None => refused,
            Some(current) => refused.with("etag", json!(current.row.etag)).with("current", json!(current)),
        }
    }

    /// The contents are refused, each field with its code.
    pub(crate) fn validation(problems: &[Problem]) -> Self {
        let errors = problems.iter().map(|problem| FieldError {
            pointer: problem.pointer.clone(),
            code: problem.code.as_str().to_owned(),
        });
        Self { errors: errors.collect(), ..Self::malformed_whole() }
    }

    /// One member of the body is not what it has to be.
    pub(crate) fn malformed(pointer: &str, code: &str) -> Self {
        let error = FieldError { pointer: pointer.to_owned(), code: code.to_owned() };
        Self { errors: vec![error], ..Self::malformed_whole() }
    }

    /// The header without which no operation is taken is not there, or is no key.
    pub(crate) fn no_key() -> Self {
        Self { status: StatusCode::BAD_REQUEST, ..Self::malformed("", "idempotency-key") }
    }

    /// Too many tries.
    pub(crate) fn throttled(retry_after_s: u32) -> Self {
        let title = "Too many tries; wait before the next one.";
        let refused = Self::new(StatusCode::TOO_MANY_REQUESTS, other("too-many-tries"), title);
        Self { retry_after_s: Some(retry_after_s), ..refused }
    }

    /// The SoR itself failed.
    pub(crate) fn broken() -> Self {
        let title = "The system of record failed.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, other("internal"), title)
    }

    fn malformed_whole() -> Self {
        let title = "The contents are refused.";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, ProblemType::Validation, title)
    }

    fn with(mut self, name: &str, value: Value) -> Self {
        self.members.insert(name.to_owned(), value);
        self
    }
}

/// A type that no decision of a station hangs on.
fn other(name: &str) -> ProblemType {
    ProblemType::Other(format!("https://holdfast.example/problems/{name}"))
}

impl From<RecordsFault> for Refused {
    fn from(fault: RecordsFault) -> Self {
        error!(%fault, source = std::error::Error::source(&fault).map(tracing::field::display), "records failed");
        Self::broken()
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut document = self.members;
        document.insert("type".to_owned(), json!(self.kind.uri()));
        document.insert("title".to_owned(), json!(self.title));
        document.insert("status".to_owned(), json!(self.status.as_u16()));
        if !self.errors.is_empty() {
            document.insert("errors".to_owned(), json!(self.errors));
        }
        let mut response = (self.status, Value::Object(document).to_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after_s {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
