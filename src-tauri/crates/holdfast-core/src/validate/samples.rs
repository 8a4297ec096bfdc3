//! The samples that a contract brings along to be refused.
//!
//! Promise: rules that take one of their own must-reject samples, or bring none for a kind they judge, are not taken.
//! That a good payload passes is the rules office's own test, not this one.

use serde::Deserialize;
use serde_json::Value;

use super::Rules;
use crate::operation::Kind;

/// Samples of one contract, in entries.
const SAMPLES_MAX: usize = 1_000;

/// Why the samples speak against the contract.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SamplesFault {
    /// Not a list of `{kind, payload, why}`.
    #[error("not a list of at most {SAMPLES_MAX} {{kind, payload, why}}")]
    NotSamples,
    /// A kind without a single sample.
    #[error("no sample of kind {kind}")]
    NoneOf {
        /// The kind.
        kind: Kind,
    },
    /// The rules take what they must reject.
    #[error("sample {n} of kind {kind} is accepted")]
    Accepted {
        /// Its place in the list, from 1.
        n: usize,
        /// Its kind.
        kind: Kind,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    kind: Kind,
    payload: Value,
    #[serde(rename = "why")]
    _why: String,
}

/// Holds the rules against their samples.
pub(super) fn must_be_rejected(rules: &Rules, document: &Value) -> Result<(), SamplesFault> {
    let samples = Vec::<Sample>::deserialize(document).map_err(|_| SamplesFault::NotSamples)?;
    if samples.len() > SAMPLES_MAX {
        return Err(SamplesFault::NotSamples);
    }
    if let Some(kind) = rules.kinds().find(|kind| samples.iter().all(|sample| sample.kind != *kind)) {
        return Err(SamplesFault::NoneOf { kind });
    }
    let accepted = samples.iter().position(|sample| rules.check(sample.kind, &sample.payload).is_empty());
    match accepted {
        Some(n) => Err(SamplesFault::Accepted { n: n + 1, kind: samples[n].kind }),
        None => Ok(()),
    }
}
