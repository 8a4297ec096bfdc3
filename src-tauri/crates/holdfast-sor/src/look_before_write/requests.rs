//! From the accepted bytes to the vendor's requests.
//!
//! Promise: what is written is what was accepted: the payload goes over as it is, with the reference in the field that the
//! vendor has for it. What this SoR has no way to do is said, never done in some other way.

use holdfast_core::ids::{IdempotencyKey, RecordId};
use holdfast_core::operation::{Body, Kind};
use reqwest::Url;
use serde_json::{Value, json};

use super::vendor::comment;
use crate::connection::Endpoint;
use crate::exchange::Ask;

/// Where an operation of a kind leaves its reference, and so how it is found again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trace {
    /// In the record that it makes.
    Record,
    /// In a line of this list of the record.
    Line(List),
    /// Nowhere that others can read: only the answer to the write shows it.
    EchoOnly,
}

/// The lists of a record that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    /// Changes of status and of fields, with their comments.
    History,
    /// Inspections.
    Inspections,
    /// Holds and tags.
    Conditions,
}

/// A write, ready to be sent.
pub(super) struct Write {
    /// The last step of the path below the record; none makes a record.
    below: Option<&'static str>,
    template: &'static str,
    body: Value,
}

/// Why there is no such write: the pointer to what this SoR cannot do.
pub(super) struct NotOffered(pub(super) &'static str);

impl Trace {
    pub(super) fn of(kind: Kind) -> Self {
        match kind {
            Kind::Application => Self::Record,
            Kind::Stage | Kind::Correction | Kind::Void => Self::Line(List::History),
            Kind::Inspection => Self::Line(List::Inspections),
            Kind::Hold | Kind::Tag => Self::Line(List::Conditions),
            Kind::Notice | Kind::Fee | Kind::Note | Kind::Attachment => Self::EchoOnly,
        }
    }
}

impl List {
    fn path(self) -> (&'static str, &'static str) {
        match self {
            Self::History => ("history", "/records/{id}/history"),
            Self::Inspections => ("inspections", "/records/{id}/inspections"),
            Self::Conditions => ("conditions", "/records/{id}/conditions"),
        }
    }
}

impl Write {
    /// The write of an operation. `made_by` is the operation that made the record: the one that a correction or a void of
    /// the whole application names. This SoR keeps single lines for ever, as they were written.
    pub(super) fn of(body: &Body, key: &IdempotencyKey, made_by: Option<&str>) -> Result<Self, NotOffered> {
        let content = &body.payload;
        let of_the_record = content.get("of").and_then(Value::as_str).is_some_and(|of| made_by == Some(of));
        let text = |name: &str| content.get(name).and_then(Value::as_str).unwrap_or_default();
        let reference = |content: &Value| json!({"reference": key, "content": content});
        let noted = |note: &str, content: &Value| json!({"comment": comment(key, note), "content": content});
        let status = |to: &str| {
            let mut change = noted(text("reason"), &Value::Null);
            change["status"] = json!(to);
            change
        };
        let (below, template, mut sent) = match body.kind {
            Kind::Application => {
                let mut record = reference(content);
                record["application_id"] = json!(body.application_id);
                (None, "/records", record)
            }
            Kind::Stage => (Some("status"), "/records/{id}/status", status(text("to"))),
            Kind::Void if of_the_record => (Some("status"), "/records/{id}/status", status("Voided")),
            Kind::Correction if of_the_record => {
                let fields = content.get("payload").unwrap_or(&Value::Null);
                (Some("fields"), "/records/{id}/fields", noted("", fields))
            }
            Kind::Void | Kind::Correction => return Err(NotOffered("/of")),
            Kind::Inspection => (Some("inspections"), "/records/{id}/inspections", reference(content)),
            Kind::Hold | Kind::Tag => (Some("conditions"), "/records/{id}/conditions", reference(content)),
            Kind::Notice | Kind::Note => (Some("comments"), "/records/{id}/comments", noted("", content)),
            Kind::Fee => (Some("fees"), "/records/{id}/fees", reference(content)),
            Kind::Attachment => return Err(NotOffered("/kind")),
        };
        sent["external_id"] = json!(body.operation_id);
        sent["entered"] = json!({
            "kind": body.kind, "by": body.actor, "at": body.accepted_at, "sequence": body.local_seq,
        });
        Ok(Self { below, template, body: sent })
    }

    /// Its request.
    pub(super) fn ask(&self, endpoint: &Endpoint, record: Option<&RecordId>) -> Ask {
        let mut url = endpoint.url("records");
        if let (Some(id), Some(below)) = (record, self.below) {
            push(&mut url, &[id.as_str(), below]);
        }
        Ask::post(self.template, url, self.body.to_string().into_bytes(), endpoint.limits().body_max_bytes)
    }
}

/// Looks for records by one of the vendor's fields.
pub(super) fn search(endpoint: &Endpoint, field: &str, text: &str, max_bytes: usize) -> Ask {
    let mut url = endpoint.url("records");
    url.query_pairs_mut().append_pair(field, text);
    Ask::get("/records?", url, max_bytes)
}

/// Reads a record.
pub(super) fn record(endpoint: &Endpoint, id: &RecordId, max_bytes: usize) -> Ask {
    let mut url = endpoint.url("records");
    push(&mut url, &[id.as_str()]);
    Ask::get("/records/{id}", url, max_bytes)
}

/// Reads a list of a record.
pub(super) fn list(endpoint: &Endpoint, id: &RecordId, list: List, max_bytes: usize) -> Ask {
    let (below, template) = list.path();
    let mut url = endpoint.url("records");
    push(&mut url, &[id.as_str(), below]);
    Ask::get(template, url, max_bytes)
}

/// Steps of a path, percent-encoded: an id is the vendor's, and may hold anything that is printable.
fn push(url: &mut Url, steps: &[&str]) {
    if let Ok(mut path) = url.path_segments_mut() {
        path.extend(steps);
    }
}
