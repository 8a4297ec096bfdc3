//! The errand of second looks: whether what was recorded at an SoR without keys is there once, and only once.
//!
//! Promise: a commit is looked at the settle time after it was recorded, a few in a row and one at a time; what is found
//! twice goes before a person with the ids of all of them. A look that proves nothing is made again later, not for ever,
//! and an SoR that does not answer ends the errand.

use std::sync::{Arc, Mutex, PoisonError};

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::breaker::Verdict;
use holdfast_core::ids::{EndpointName, OperationId};
use holdfast_core::look_up::{LookUp, judge_look_up};
use holdfast_core::outcome::Sent;
use holdfast_core::settle::{SecondLook, second_look};

use crate::ports::{Delivery, DueLook, JournalError, LookEnd, LookFacts, Sockets};
use crate::settling::twin_entry;
use crate::station::Station;
use crate::verbs::drain::on_journal;

/// Looks before the next attempt goes out.
const LOOKS_AT_ONCE_MAX: u32 = 8;

/// How far the errand has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looked {
    /// Nothing is due any more, or nobody answers.
    Through {
        /// Found more than once.
        twins: u64,
    },
    /// More may be due.
    More {
        /// Found more than once.
        twins: u64,
    },
}

/// Looks at what is due.
pub(crate) async fn look(station: &Station) -> Result<Looked, JournalError> {
    if !station.ports.journal.station().profile.has_to_settle() {
        return Ok(Looked::Through { twins: 0 });
    }
    let now = station.now();
    let due = on_journal(&station.ports.journal, move |journal| journal.second_looks(now, LOOKS_AT_ONCE_MAX));
    let due = due.await?;
    let is_full = due.len() == LOOKS_AT_ONCE_MAX as usize;
    let mut twins = 0;
    for commit in due {
        let found = ask(station, &commit).await;
        let verdict = found.verdict();
        twins += end(station, &commit, found).await?;
        match verdict {
            Verdict::Success | Verdict::Alive => {}
            Verdict::Neutral | Verdict::Failure | Verdict::None => return Ok(Looked::Through { twins }),
        }
    }
    Ok(if is_full { Looked::More { twins } } else { Looked::Through { twins } })
}

/// A look that was made for another reason, later than the second: what it finds twice is named all the same.
pub(crate) async fn seen_later(
    station: &Station,
    operation_id: OperationId,
    found: &LookUp,
) -> Result<(), JournalError> {
    let LookUp::Twin { .. } = found else { return Ok(()) };
    let (now, found) = (station.now(), found.clone());
    on_journal(&station.ports.journal, move |journal| {
        let decide = Box::new(move |facts: &LookFacts| ended(&found, operation_id, facts, 0));
        journal.keep_later_look(now, operation_id, decide)
    })
    .await
}

async fn ask(station: &Station, commit: &DueLook) -> LookUp {
    let DueLook { operation_id, application_id, kind, key, payload_digest, record_id, body } = commit.clone();
    let record_id = Some(record_id);
    let delivery = Delivery { key, kind, operation_id, application_id, record_id, body, if_match: None };
    let answer = station.ports.sor.look_up(&delivery, Sockets::Kept).await;
    judge_look_up(&answer, &Sent { key, operation_id, application_id, payload_digest })
}

async fn end(station: &Station, commit: &DueLook, found: LookUp) -> Result<u64, JournalError> {
    let (now, again_ms) =
        (station.now(), u64::from(station.settings_at(&EndpointName::primary()).settle_s) * 1_000);
    let operation_id = commit.operation_id;
    let twins = Arc::new(Mutex::new(0));
    let told = Arc::clone(&twins);
    on_journal(&station.ports.journal, move |journal| {
        let decide = Box::new(move |facts: &LookFacts| {
            let end = ended(&found, operation_id, facts, again_ms);
            let twin = matches!(end, LookEnd::Twin { .. });
            *told.lock().unwrap_or_else(PoisonError::into_inner) = u64::from(twin);
            end
        });
        journal.end_second_look(now, operation_id, decide)
    })
    .await?;
    let twins = *twins.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(twins)
}

fn ended(found: &LookUp, operation_id: OperationId, facts: &LookFacts, again_ms: u64) -> LookEnd {
    let entry = |kind| {
        let entry = Entry::new(kind).of(operation_id).with("record_id", &facts.record_id);
        entry.with("looks", facts.looks + 1).with("found", found.word())
    };
    match second_look(found, facts.looks) {
        SecondLook::Settled => LookEnd::Over { entry: entry(EventKind::OperationSettled) },
        SecondLook::GivenUp => LookEnd::Over { entry: entry(EventKind::OperationUnsettled) },
        SecondLook::Again => LookEnd::Again { wait_ms: again_ms },
        SecondLook::Twin { record_ids } => {
            let entry = twin_entry(&record_ids, Some(&facts.record_id)).of(operation_id);
            LookEnd::Twin { entry: entry.with("looks", facts.looks + 1), record_ids }
        }
    }
}
