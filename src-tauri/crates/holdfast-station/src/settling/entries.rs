//! What the audit is told about an answer: ids, words and numbers; texts of the SoR by their salted digest only.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::ids::{EndpointName, RecordId};
use holdfast_core::look_up::LookUp;
use holdfast_core::outcome::{Answer, Doubt, Outcome};
use holdfast_core::settle::prepared_void;

use super::judged::Judged;
use super::weighing::Weighing;
use crate::ports::{Commit, ItemChange, Quarantine, SetAside, StillPending};

/// So many of the records of a twin are named in one event.
const TWINS_NAMED_MAX: usize = 20;

impl Weighing<'_> {
    pub(super) fn entry(&self, judged: &Judged, change: &ItemChange) -> Entry {
        let entry = match change {
            ItemChange::Committed(commit) => self.commit_entry(judged, commit),
            ItemChange::Quarantined(quarantine) => self.quarantine_entry(quarantine),
            ItemChange::Pending(still) => self.pending_entry(judged, still),
            ItemChange::Twin(doubled) => twin_entry(&doubled.record_ids, None),
        };
        let entry = entry.of(self.item.operation_id).with("endpoint", &self.facts.endpoint.name);
        let entry = entry.with("outcome", judged.word()).with("attempt", self.item.attempts);
        match self.status {
            Some(status) => entry.with("status", status),
            None => entry,
        }
    }

    fn commit_entry(&self, judged: &Judged, commit: &Commit) -> Entry {
        let kind = match judged {
            Judged::Send { outcome: Outcome::AlreadyCommitted { .. }, .. } | Judged::LookUp(_) => {
                EventKind::OperationFound
            }
            Judged::Send { .. } => EventKind::OperationCommitted,
        };
        let receipt = &commit.receipt;
        let entry = Entry::new(kind).with("record_id", &receipt.record_id).with("etag", &receipt.etag);
        let entry = entry.with("applied_at", receipt.applied_at);
        let entry = receipt.permit_num.iter().fold(entry, |entry, number| entry.with("permit_num", number));
        if receipt.warnings.is_empty() {
            return entry;
        }
        // Texts of the SoR may hold personal values: the chain gets their salted digest only.
        let texts = serde_json::to_string(&receipt.warnings).unwrap_or_default();
        entry.with_private("warnings", self.ended.salt, texts)
    }

    /// An absence that was weighed is audited with what it was weighed with.
    fn pending_entry(&self, judged: &Judged, still: &StillPending) -> Entry {
        let entry = pending_entry(still);
        match judged {
            Judged::LookUp(LookUp::Absent) if self.ended.profile.has_to_settle() => {
                let entry = entry.with("sent", self.item.last_sent).with("asked", self.ended.asked);
                entry.with("settle", self.ended.settle_time())
            }
            Judged::Send { .. } | Judged::LookUp(_) => entry,
        }
    }

    fn quarantine_entry(&self, quarantine: &Quarantine) -> Entry {
        let entry = Entry::new(EventKind::OperationQuarantined).with("reason", quarantine.reason.word());
        let entry = entry.with("doubt", quarantine.doubt);
        let entry = match quarantine.answer.get("type") {
            Some(problem) => entry.with("problem", problem),
            None => entry,
        };
        match quarantine.answer.get("errors") {
            // Pointers and codes are texts of the SoR, too.
            Some(errors) => entry.with_private("errors", self.ended.salt, errors.to_string()),
            None => entry,
        }
    }
}

/// What was found more than once: `recorded` is the record of the receipt that was kept before.
pub(crate) fn twin_entry(record_ids: &[RecordId], recorded: Option<&RecordId>) -> Entry {
    let void = prepared_void(record_ids, recorded);
    let entry = Entry::new(EventKind::OperationTwinFound).with("record_ids", shown(record_ids));
    let entry = entry.with("recorded", recorded).with("stays", &void.stays);
    entry.with("voids", shown(&void.voids))
}

fn shown(record_ids: &[RecordId]) -> &[RecordId] {
    &record_ids[..record_ids.len().min(TWINS_NAMED_MAX)]
}

pub(super) fn set_aside_entry(set_aside: &SetAside, endpoint: &EndpointName) -> Entry {
    let entry = Entry::new(EventKind::OperationQuarantined).of(set_aside.operation_id);
    let entry = entry.with("reason", set_aside.reason.word()).with("outcome", set_aside.outcome);
    entry.with("endpoint", endpoint)
}

fn pending_entry(still: &StillPending) -> Entry {
    let kind = match still.doubt {
        Doubt::None => EventKind::OperationWaiting,
        Doubt::Sent => EventKind::OperationInDoubt,
        Doubt::Received => EventKind::OperationReceived,
    };
    let entry = Entry::new(kind).with("next_step", still.next_step).with("doubt", still.doubt);
    match &still.wait {
        Some(wait) => entry.with("wait_ms", wait.length_ms).with("wait_cause", wait.cause),
        None => entry,
    }
}

pub(super) fn reply_status(answer: &Answer) -> Option<u16> {
    match answer {
        Answer::Replied(reply) => Some(reply.status),
        Answer::NotAsked | Answer::Unreachable(_) | Answer::Lost(_) => None,
    }
}
