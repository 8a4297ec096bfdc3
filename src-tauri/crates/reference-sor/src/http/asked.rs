//! A whole request, as endpoints read it.

use std::collections::BTreeMap;
use std::str::FromStr;

use axum::body::Bytes;
use axum::extract::Query;
use axum::http::request::Parts;
use axum::http::{HeaderName, header};
use holdfast_core::canonical::{JsonFault, parse_object};
use holdfast_core::time::UtcMillis;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Refused;
use crate::clock;

/// Longest bearer token that is looked at, in bytes.
const TOKEN_MAX_BYTES: usize = 256;

/// A request whose body has been read.
pub(crate) struct Asked {
    parts: Parts,
    pub(crate) body: Bytes,
    /// When it had arrived whole.
    pub(crate) at: UtcMillis,
}

impl Asked {
    pub(crate) fn new(parts: Parts, body: Bytes) -> Self {
        Self { parts, body, at: clock::now() }
    }

    /// A header's text.
    pub(crate) fn header(&self, name: &HeaderName) -> Option<&str> {
        self.parts.headers.get(name)?.to_str().ok()
    }

    /// The bearer token, if one was sent.
    pub(crate) fn bearer(&self) -> Option<&str> {
        let (scheme, token) = self.header(&header::AUTHORIZATION)?.split_once(' ')?;
        (scheme.eq_ignore_ascii_case("bearer") && token.len() <= TOKEN_MAX_BYTES).then_some(token)
    }

    /// The path.
    pub(crate) fn path(&self) -> &str {
        self.parts.uri.path()
    }

    /// The last step of the path.
    pub(crate) fn last_step(&self) -> &str {
        self.parts.uri.path().rsplit('/').next().unwrap_or_default()
    }

    /// The query's parameters; those that a path does not know are refused.
    pub(crate) fn query(&self, known: &[&str]) -> Result<BTreeMap<String, String>, Refused> {
        let query: Query<BTreeMap<String, String>> =
            Query::try_from_uri(&self.parts.uri).map_err(|_| Refused::malformed("", "query"))?;
        if query.0.keys().all(|name| known.contains(&name.as_str())) {
            return Ok(query.0);
        }
        Err(Refused::malformed("", "unknown-parameter"))
    }

    /// The body as one object with exactly the members of `T`.
    pub(crate) fn object<T: DeserializeOwned>(&self) -> Result<T, Refused> {
        let object = parse_object(&self.body).map_err(|fault| not_json(&fault))?;
        serde_json::from_value(Value::Object(object)).map_err(|_| Refused::malformed("", "wrong-form"))
    }
}

/// A parameter of a query.
pub(crate) fn parameter<T: FromStr>(
    query: &BTreeMap<String, String>,
    name: &str,
) -> Result<Option<T>, Refused> {
    let value = query.get(name).map(|text| text.parse::<T>()).transpose();
    value.map_err(|_| Refused::malformed(&format!("/{name}"), "wrong-type"))
}

/// Why a body is not taken, without any of its values.
pub(crate) fn not_json(fault: &JsonFault) -> Refused {
    match fault {
        JsonFault::TooLarge { .. } => Refused::too_large(),
        JsonFault::NotJson { .. } => Refused::malformed("", "not-json"),
        JsonFault::NotAnObject => Refused::malformed("", "not-an-object"),
        JsonFault::DuplicateKey { pointer } => Refused::malformed(pointer, "duplicate-key"),
        JsonFault::TooDeep { .. } => Refused::malformed("", "too-deep"),
        JsonFault::NumberTooLarge { pointer } => Refused::malformed(pointer, "number-too-large"),
        JsonFault::NulInText { pointer } => Refused::malformed(pointer, "nul-in-text"),
    }
}
