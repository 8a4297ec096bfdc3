//! Looking: where a reference stands in the SoR's records, and at which version the record is.
//!
//! Promise: what was seen is all of it or nothing. An answer about another record, with a record that does not carry what
//! was searched for, or that could not be read, is no look; a list that goes on beyond what was read proves no absence.

use std::collections::BTreeSet;

use holdfast_core::ids::{IdempotencyKey, RecordId};
use holdfast_core::outcome::{ReadBack, Warning};
use holdfast_core::time::UtcMillis;
use holdfast_station::ports::Delivery;

use super::requests::{self, List, Trace};
use super::vendor::{self, Found, Listed, One, READ_MAX_BYTES, Record, read};
use crate::client::Call;
use crate::exchange::{Ended, Whole};

/// What a look showed.
pub(super) struct Seen {
    /// The record of the application; of several that carry the reference, the first.
    pub(super) record: Option<Record>,
    carriers: Vec<(RecordId, UtcMillis)>,
    /// Whether everything that could carry the reference was read.
    pub(super) whole: bool,
}

/// Why nothing was seen.
pub(super) enum NotSeen {
    /// The request brought nothing that could be read.
    Ended(Ended),
    /// The application has no record, or several.
    NoRecord,
}

/// Looks for the reference of an operation.
pub(super) async fn look(call: &Call<'_>, delivery: &Delivery) -> Result<Seen, NotSeen> {
    match Trace::of(delivery.kind) {
        Trace::Record => search(call, &delivery.key).await,
        Trace::Line(list) => {
            let id = record_id(call, delivery).await?;
            in_list(call, &id, list, &delivery.key).await
        }
        Trace::EchoOnly => {
            let id = record_id(call, delivery).await?;
            let record = one(call, &id).await?;
            Ok(Seen { record: Some(record), carriers: Vec::new(), whole: false })
        }
    }
}

/// Looks again where a write has just been made.
pub(super) async fn look_at(call: &Call<'_>, delivery: &Delivery, id: &RecordId) -> Result<Seen, NotSeen> {
    match Trace::of(delivery.kind) {
        Trace::Line(list) => in_list(call, id, list, &delivery.key).await,
        Trace::Record | Trace::EchoOnly => look(call, delivery).await,
    }
}

impl Seen {
    /// How many carry it.
    pub(super) fn carriers(&self) -> usize {
        self.carriers.len()
    }

    /// As core judges it: of one single carrier, the record at the version that the operation made.
    pub(super) fn read_back(&self, reference: IdempotencyKey, warnings: Vec<Warning>) -> ReadBack {
        let version = match self.carriers.as_slice() {
            [(_, version)] => Some(*version),
            [] | [_, _, ..] => None,
        };
        ReadBack {
            reference,
            record: self.record.as_ref().map(|record| record.read_at(version.unwrap_or(record.modified))),
            carriers: self.carriers.iter().map(|(id, _)| id.clone()).collect(),
            warnings,
        }
    }
}

async fn search(call: &Call<'_>, key: &IdempotencyKey) -> Result<Seen, NotSeen> {
    let text = key.to_string();
    let ask = requests::search(call.endpoint(), "reference", &text, READ_MAX_BYTES);
    let Found { result, more } = get(call, ask, |found: &Found| {
        found.result.iter().all(|record| record.reference.as_deref() == Some(&text))
    })
    .await?;
    let mut ids = BTreeSet::new();
    let carriers = result.iter().filter(|record| ids.insert(record.id.clone()));
    let carriers = carriers.map(|record| (record.id.clone(), record.created)).collect();
    Ok(Seen { record: result.into_iter().next(), carriers, whole: !more })
}

async fn in_list(call: &Call<'_>, id: &RecordId, list: List, key: &IdempotencyKey) -> Result<Seen, NotSeen> {
    let ask = requests::list(call.endpoint(), id, list, READ_MAX_BYTES);
    let Listed { record, result, more } = get(call, ask, |listed: &Listed| listed.record.id == *id).await?;
    let mut ids = BTreeSet::new();
    // The list has the latest first; core is told the earliest first.
    let carriers = result.into_iter().rev().filter(|line| line.carries(key) && ids.insert(line.id.clone()));
    let carriers = carriers.map(|line| (line.id, line.modified)).collect();
    Ok(Seen { record: Some(record), carriers, whole: !more })
}

async fn one(call: &Call<'_>, id: &RecordId) -> Result<Record, NotSeen> {
    let ask = requests::record(call.endpoint(), id, READ_MAX_BYTES);
    Ok(get(call, ask, |one: &One| one.result.id == *id).await?.result)
}

/// The record of the application: as the station knows it, else the only one that names the application.
async fn record_id(call: &Call<'_>, delivery: &Delivery) -> Result<RecordId, NotSeen> {
    if let Some(id) = &delivery.record_id {
        return Ok(id.clone());
    }
    let application = delivery.application_id.to_string();
    let ask = requests::search(call.endpoint(), "application", &application, READ_MAX_BYTES);
    let mut found = get(call, ask, |_: &Found| true).await?.result;
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only.id),
        (Some(_), false) | (None, _) => Err(NotSeen::NoRecord),
    }
}

async fn get<T: serde::de::DeserializeOwned>(
    call: &Call<'_>,
    ask: crate::exchange::Ask,
    is_about_it: impl Fn(&T) -> bool,
) -> Result<T, NotSeen> {
    let ended = call.ask(ask).await;
    let found = match &ended {
        Ended::Whole(whole) => read_right(call, whole).filter(is_about_it),
        Ended::NotAsked | Ended::Unreachable(_) | Ended::Lost(_) => None,
    };
    found.ok_or(NotSeen::Ended(ended))
}

fn read_right<T: serde::de::DeserializeOwned>(call: &Call<'_>, whole: &Whole) -> Option<T> {
    read(whole, call.identity())
}

/// The line that an answer to a write gives back, if it carries the reference.
pub(super) fn echoed(call: &Call<'_>, whole: &Whole, key: &IdempotencyKey) -> Option<(RecordId, UtcMillis)> {
    let vendor::Echo { result } = read(whole, call.identity())?;
    result.carries(key).then_some((result.id, result.modified))
}

impl Seen {
    /// The same, with what the answer to the write showed.
    pub(super) fn with_echo(self, echo: Option<(RecordId, UtcMillis)>) -> Self {
        Self { carriers: echo.into_iter().collect(), ..self }
    }
}
