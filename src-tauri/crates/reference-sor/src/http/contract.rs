//! The contract, and the word that it still holds.

use axum::http::{HeaderName, StatusCode, header};

use super::{Answer, Asked, Refused};
use crate::sor::Sor;

const ATTESTATION: HeaderName = HeaderName::from_static("holdfast-attestation");

/// `GET /v1/contract`: a fresh attestation each time, also with 304.
pub(super) fn contract(sor: &Sor, asked: &Asked) -> Result<Answer, Refused> {
    sor.station_of(asked.bearer(), asked.at)?;
    let attested = sor.rulebook.attest(asked.at);
    let attestation = attested.to_header();
    let etag = sor.rulebook.etag();
    let answer = if asked.header(&header::IF_NONE_MATCH) == Some(etag.as_str()) {
        Answer::empty(StatusCode::NOT_MODIFIED)
    } else {
        Answer::json(StatusCode::OK, &sor.rulebook.bundle(attested))?
    };
    Ok(answer
        .with(header::ETAG, etag)
        .with(ATTESTATION, attestation)
        .with(header::CACHE_CONTROL, "private, no-cache"))
}
