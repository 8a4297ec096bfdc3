//! The vendor's own forms: `{result, scripts}` and `{error: {code, message, fields}}`, both as plain JSON.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use holdfast_core::problem::Problem;
use serde::Serialize;
use serde_json::{Value, json};
use tracing::error;

use crate::records::RecordsFault;

/// A refusal. None of its members repeats a value of the request.
#[derive(Debug)]
pub(super) struct Fault {
    status: StatusCode,
    code: &'static str,
    message: &'static str,
    fields: Vec<Value>,
}

/// A success. Its scripts ran without a word.
pub(super) fn result(of: &impl Serialize) -> Value {
    json!({"result": of, "scripts": []})
}

/// A JSON answer.
pub(super) fn json(status: StatusCode, body: Vec<u8>) -> Response {
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

impl Fault {
    fn new(status: StatusCode, code: &'static str, message: &'static str) -> Self {
        Self { status, code, message, fields: Vec::new() }
    }

    pub(super) fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "UNAUTHORIZED", "The token is not known.")
    }

    pub(super) fn no_such_record() -> Self {
        Self::new(StatusCode::NOT_FOUND, "NO_SUCH_RECORD", "There is no record of this id.")
    }

    pub(super) fn status_not_allowed() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "STATUS_NOT_ALLOWED", "The record cannot get this status.")
    }

    pub(super) fn invalid(path: &str, why: &str) -> Self {
        let fields = vec![json!({"path": path, "why": why})];
        Self { fields, ..Self::new(StatusCode::BAD_REQUEST, "INVALID_FIELD", "A field is not accepted.") }
    }

    pub(super) fn fields(problems: &[Problem]) -> Self {
        let fields =
            problems.iter().map(|problem| json!({"path": problem.pointer, "why": problem.code.as_str()}));
        Self { fields: fields.collect(), ..Self::invalid("", "") }
    }

    pub(super) fn broken() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL", "An error has occurred.")
    }
}

impl From<RecordsFault> for Fault {
    fn from(fault: RecordsFault) -> Self {
        error!(%fault, source = std::error::Error::source(&fault).map(tracing::field::display), "records failed");
        Self::broken()
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let error = json!({"code": self.code, "message": self.message, "fields": self.fields});
        json(self.status, json!({ "error": error }).to_string().into_bytes())
    }
}
