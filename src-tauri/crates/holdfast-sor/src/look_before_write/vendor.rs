//! The vendor's JSON, as far as it is needed. Members that are not named here are passed over.
//!
//! Promise: an answer is read strictly (`holdfast_core::canonical`), within its own limit, and only when it comes from the
//! pinned SoR; whatever is not of this form is no answer.

use holdfast_core::ids::{ETag, IdempotencyKey, PermitNum, RecordId, SorIdentity};
use holdfast_core::outcome::{Identity, RecordRead, Warning};
use holdfast_core::time::UtcMillis;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::answer::{identity, long_json};
use crate::exchange::Whole;

/// One answer to a reading, in bytes.
pub(super) const READ_MAX_BYTES: usize = 2 * 1024 * 1024;
/// What is kept of a script's message, in characters.
const MESSAGE_MAX_CHARS: usize = 300;
/// Failed scripts that are told of, in entries.
const SCRIPTS_MAX: usize = 8;
/// How the reference stands in a comment: on its first line, since such systems cut a comment at its end.
const IN_COMMENT: &str = "Reference: ";

/// A record.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Record {
    pub(super) id: RecordId,
    pub(super) number: Option<PermitNum>,
    pub(super) reference: Option<String>,
    /// The operation that made it.
    pub(super) external_id: Option<String>,
    pub(super) created: UtcMillis,
    pub(super) modified: UtcMillis,
}

/// A line of a record's list.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Line {
    pub(super) id: RecordId,
    reference: Option<String>,
    comment: Option<String>,
    /// The record's version after it.
    pub(super) modified: UtcMillis,
}

/// Records that were found.
#[derive(Deserialize)]
pub(super) struct Found {
    pub(super) result: Vec<Record>,
    #[serde(default)]
    pub(super) more: bool,
}

/// A record alone.
#[derive(Deserialize)]
pub(super) struct One {
    pub(super) result: Record,
}

/// A list of a record.
#[derive(Deserialize)]
pub(super) struct Listed {
    pub(super) record: Record,
    pub(super) result: Vec<Line>,
    #[serde(default)]
    pub(super) more: bool,
}

/// A line that was written, given back.
#[derive(Deserialize)]
pub(super) struct Echo {
    pub(super) result: Line,
}

#[derive(Deserialize)]
struct Scripts {
    #[serde(default)]
    scripts: Vec<Script>,
}

#[derive(Deserialize)]
struct Script {
    #[serde(default)]
    failed: bool,
    #[serde(default)]
    message: String,
}

impl Line {
    /// Whether it carries the reference: whole, in its field or as the first line of its comment.
    pub(super) fn carries(&self, key: &IdempotencyKey) -> bool {
        let key = key.to_string();
        let in_comment = self.comment.as_deref().and_then(|comment| comment.lines().next());
        let named = in_comment.and_then(|line| line.trim_end().strip_prefix(IN_COMMENT));
        self.reference.as_deref() == Some(&key) || named == Some(&key)
    }
}

impl Record {
    /// As core reads it, at one of its versions.
    pub(super) fn read_at(&self, version: UtcMillis) -> RecordRead {
        RecordRead {
            record_id: self.id.clone(),
            permit_num: self.number.clone(),
            etag: etag(version),
            modified_at: version,
        }
    }
}

/// A version, as the station carries it: the copies of this SoR have the same.
pub(super) fn etag(version: UtcMillis) -> ETag {
    format!("\"{version}\"").parse().expect("a time in quotes is an entity tag")
}

/// A comment that carries a reference.
pub(super) fn comment(key: &IdempotencyKey, text: &str) -> String {
    format!("{IN_COMMENT}{key}\n{text}").trim_end().to_owned()
}

/// A success of the pinned SoR in the form that was asked for.
pub(super) fn read<T: DeserializeOwned>(whole: &Whole, pinned: &SorIdentity) -> Option<T> {
    let own = whole.status == 200 && identity(whole, pinned) == Identity::Right;
    if own { long_json(whole, READ_MAX_BYTES) } else { None }
}

/// The scripts that failed, for the supervisor.
pub(super) fn warnings(whole: &Whole, pinned: &SorIdentity) -> Vec<Warning> {
    let scripts = read::<Scripts>(whole, pinned).map_or_else(Vec::new, |answer| answer.scripts);
    let failed = scripts.into_iter().filter(|script| script.failed).take(SCRIPTS_MAX);
    let warning = |script: Script| Warning {
        code: "script-failed".to_owned(),
        text: script.message.chars().take(MESSAGE_MAX_CHARS).collect(),
    };
    failed.map(warning).collect()
}
